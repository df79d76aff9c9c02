//! The present moment as a person of the place would say it.

use super::description::{DAYS_EN, DAYS_ES, describe_date};
use jiff::Zoned;
use quipu_core::language::Language;

/// Where people write times with 24 hours. Elsewhere in Latin America they write "a. m." and "p. m.".
const TWENTY_FOUR_HOURS: [&str; 5] = ["ES", "CL", "AR", "UY", "PY"];

/// A moment with its day, date, time and zone, in the habits of a locale such as `es-PE`: "lunes 16
/// de noviembre de 2026, 9:05 a. m. (America/Lima)".
#[must_use]
pub fn describe_now(now: &Zoned, locale: &str, language: Language) -> String {
    let day = usize::try_from(now.weekday().to_monday_zero_offset()).unwrap_or(0) % 7;
    let day = match language {
        Language::Es => DAYS_ES[day],
        Language::En => DAYS_EN[day],
    };
    let date = describe_date(now.date(), language);
    let time = describe_time(now, locale, language);
    let zone = now.time_zone().iana_name();
    let zone = zone.map_or_else(|| now.offset().to_string(), ToOwned::to_owned);
    format!("{day} {date}, {time} ({zone})")
}

fn describe_time(now: &Zoned, locale: &str, language: Language) -> String {
    let (hour, minute) = (now.hour(), now.minute());
    let country = locale.rsplit(['-', '_']).next().unwrap_or_default();
    let whole_day = TWENTY_FOUR_HOURS
        .iter()
        .any(|known| known.eq_ignore_ascii_case(country));
    // "es" alone is the language and no country, though Spain is written the same way.
    if whole_day && country.len() < locale.len() {
        return format!("{hour}:{minute:02}");
    }
    let half = match (hour < 12, language) {
        (true, Language::Es) => "a. m.",
        (false, Language::Es) => "p. m.",
        (true, Language::En) => "a.m.",
        (false, Language::En) => "p.m.",
    };
    let hour = match hour % 12 {
        0 => 12,
        hour => hour,
    };
    format!("{hour}:{minute:02} {half}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(moment: &str, locale: &str, language: Language) -> String {
        describe_now(&moment.parse().unwrap(), locale, language)
    }

    #[test]
    fn the_moment_is_told_as_people_there_say_it() {
        let morning = "2026-11-16T09:05[America/Lima]";
        assert_eq!(
            told(morning, "es-PE", Language::Es),
            "lunes 16 de noviembre de 2026, 9:05 a. m. (America/Lima)"
        );
        assert_eq!(
            told(morning, "es-PE", Language::En),
            "Monday 16 November 2026, 9:05 a.m. (America/Lima)"
        );
        assert_eq!(
            told("2026-03-01T21:30[Europe/Madrid]", "es-ES", Language::Es),
            "domingo 1 de marzo de 2026, 21:30 (Europe/Madrid)"
        );
    }

    #[test]
    fn noon_midnight_and_places_without_a_name_are_told() {
        let time = |moment: &str, locale: &str| {
            let told = told(moment, locale, Language::Es);
            told.split_once(", ").unwrap().1.to_owned()
        };
        let mexico = "[America/Mexico_City]";
        assert_eq!(
            time(&format!("2026-11-16T00:00{mexico}"), "es_MX"),
            "12:00 a. m. (America/Mexico_City)"
        );
        assert_eq!(
            time(&format!("2026-11-16T12:10{mexico}"), "es"),
            "12:10 p. m. (America/Mexico_City)"
        );
        assert_eq!(time("2026-11-16T15:00[-05:00]", "es-CL"), "15:00 (-05)");
    }
}
