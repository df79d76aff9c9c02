//! The present moment as a person of the place would say it.

use super::description::{DAYS_EN, DAYS_ES, MONTHS_EN, MONTHS_ES, describe_date};
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

/// A date as programs write it in full: "lunes, 16 de noviembre de 2026".
#[must_use]
pub fn full_date(now: &Zoned, language: Language) -> String {
    let day = usize::try_from(now.weekday().to_monday_zero_offset()).unwrap_or(0) % 7;
    let month = usize::try_from(now.month() - 1).unwrap_or(0) % 12;
    let (date, year) = (now.day(), now.year());
    match language {
        Language::Es => format!("{}, {date} de {} de {year}", DAYS_ES[day], MONTHS_ES[month]),
        Language::En => format!("{}, {} {date}, {year}", DAYS_EN[day], MONTHS_EN[month]),
    }
}

/// A time of two and two digits, in the habits of a locale: "09:05 a. m." or "21:30".
#[must_use]
pub fn clock_of(now: &Zoned, locale: &str, language: Language) -> String {
    let (hour, minute) = (now.hour(), now.minute());
    if has_whole_day(locale) {
        return format!("{hour:02}:{minute:02}");
    }
    let half = match (hour < 12, language) {
        (true, Language::Es) => "a. m.",
        (false, Language::Es) => "p. m.",
        (true, Language::En) => "AM",
        (false, Language::En) => "PM",
    };
    format!("{:02}:{minute:02} {half}", twelfth(hour))
}

/// Whether people of a locale count the hours of the whole day.
fn has_whole_day(locale: &str) -> bool {
    let country = locale.rsplit(['-', '_']).next().unwrap_or_default();
    let known = TWENTY_FOUR_HOURS
        .iter()
        .any(|known| known.eq_ignore_ascii_case(country));
    // "es" alone is the language and no country, though Spain is written the same way.
    known && country.len() < locale.len()
}

const fn twelfth(hour: i8) -> i8 {
    match hour % 12 {
        0 => 12,
        hour => hour,
    }
}

fn describe_time(now: &Zoned, locale: &str, language: Language) -> String {
    let (hour, minute) = (now.hour(), now.minute());
    if has_whole_day(locale) {
        return format!("{hour}:{minute:02}");
    }
    let half = match (hour < 12, language) {
        (true, Language::Es) => "a. m.",
        (false, Language::Es) => "p. m.",
        (true, Language::En) => "a.m.",
        (false, Language::En) => "p.m.",
    };
    format!("{}:{minute:02} {half}", twelfth(hour))
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
    fn programs_are_told_the_date_in_full_and_the_time_in_four_digits() {
        let told = |moment: &str, locale: &str, language| {
            let moment: Zoned = moment.parse().unwrap();
            let date = full_date(&moment, language);
            (date, clock_of(&moment, locale, language))
        };
        let evening = "2026-02-02T21:04[America/Lima]";
        assert_eq!(
            told(evening, "es-PE", Language::Es),
            (
                "lunes, 2 de febrero de 2026".to_owned(),
                "09:04 p. m.".to_owned()
            )
        );
        assert_eq!(told(evening, "es-CL", Language::Es).1, "21:04");
        assert_eq!(
            told("2026-02-02T00:07[America/Lima]", "en-US", Language::En),
            ("Monday, February 2, 2026".to_owned(), "12:07 AM".to_owned())
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
