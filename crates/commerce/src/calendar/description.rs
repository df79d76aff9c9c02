//! Opening hours as a person would say them.

use super::interval::{DAY, Interval};
use super::schedule::{HoursException, Schedule, WeeklyHours};
use jiff::Span;
use jiff::civil::{Date, DateTime};
use quipu_core::language::Language;

/// How many exceptions are told.
const TOLD_EXCEPTIONS: usize = 10;
/// What begins later is too far ahead to matter.
const NEAR_DAYS: i64 = 14;

pub(super) const DAYS_ES: [&str; 7] = [
    "lunes",
    "martes",
    "miércoles",
    "jueves",
    "viernes",
    "sábado",
    "domingo",
];
pub(super) const DAYS_EN: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];
pub(super) const MONTHS_ES: [&str; 12] = [
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
];
pub(super) const MONTHS_EN: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl WeeklyHours {
    /// The week, with neighbouring days of the same hours in one breath: "lunes a viernes de 9:00 a
    /// 18:00; sábado de 9:00 a 13:00; domingo cerrado".
    #[must_use]
    pub fn describe(&self, language: Language) -> String {
        let mut told = Vec::new();
        let mut first = 0;
        for same in self.days().chunk_by(|day, next| day == next) {
            let days = name_days(first, same.len(), language);
            told.push(format!("{days} {}", describe_day(&same[0], language)));
            first += same.len();
        }
        told.join("; ")
    }
}

impl HoursException {
    /// "28 de julio de 2026 (Fiestas Patrias) cerrado".
    #[must_use]
    pub fn describe(&self, language: Language) -> String {
        let (from, to) = (
            describe_date(self.from(), language),
            describe_date(self.to(), language),
        );
        let days = match language {
            _ if self.from() == self.to() => from,
            Language::Es => format!("del {from} al {to}"),
            Language::En => format!("{from} to {to}"),
        };
        let hours = describe_day(self.intervals(), language);
        format!("{days} ({}) {hours}", self.label())
    }
}

impl Schedule {
    /// The week, and the exceptions of the days to come, the next first. Whoever asks when a place opens does not
    /// ask for the holidays of next year.
    #[must_use]
    pub fn describe(&self, language: Language, today: Date) -> String {
        let exceptions = self.exceptions.iter();
        let until = today.saturating_add(Span::new().days(NEAR_DAYS));
        let near = exceptions.filter(|next| next.to() >= today && next.from() <= until);
        let mut coming: Vec<_> = near.collect();
        coming.sort_by_key(|next| next.from());
        let coming = coming.iter().take(TOLD_EXCEPTIONS);
        let told = coming.map(|next| next.describe(language));
        let told: Vec<String> = std::iter::once(self.weekly.describe(language))
            .chain(told)
            .collect();
        told.join("; ")
    }
}

fn name_days(first: usize, count: usize, language: Language) -> String {
    let (names, all, and, to) = match language {
        Language::Es => (DAYS_ES, "todos los días", "y", "a"),
        Language::En => (DAYS_EN, "every day", "and", "to"),
    };
    let last = names[first + count - 1];
    match count {
        1 => last.to_owned(),
        2 => format!("{} {and} {last}", names[first]),
        7 => all.to_owned(),
        _ => format!("{} {to} {last}", names[first]),
    }
}

/// A day as it is said: "17 de marzo de 2026".
#[must_use]
pub fn describe_date(date: Date, language: Language) -> String {
    let month = usize::try_from(date.month() - 1).unwrap_or(0);
    match language {
        Language::Es => format!("{} de {} de {}", date.day(), MONTHS_ES[month], date.year()),
        Language::En => format!("{} {} {}", date.day(), MONTHS_EN[month], date.year()),
    }
}

/// A moment as it is said: "martes 17 de marzo a las 13:00".
#[must_use]
pub fn describe_moment(moment: DateTime, language: Language) -> String {
    let day = usize::try_from(moment.weekday().to_monday_zero_offset()).unwrap_or(0) % 7;
    let month = usize::try_from(moment.month() - 1).unwrap_or(0) % 12;
    let (date, hour, minute) = (moment.day(), moment.hour(), moment.minute());
    match language {
        Language::Es => format!(
            "{} {date} de {} a las {hour}:{minute:02}",
            DAYS_ES[day], MONTHS_ES[month]
        ),
        Language::En => format!(
            "{} {date} {} at {hour}:{minute:02}",
            DAYS_EN[day], MONTHS_EN[month]
        ),
    }
}

fn describe_day(intervals: &[Interval], language: Language) -> String {
    let told: Vec<String> = intervals
        .iter()
        .map(|interval| describe_interval(*interval, language))
        .collect();
    let and = match language {
        Language::Es => "y",
        Language::En => "and",
    };
    match told.as_slice() {
        [] if language == Language::Es => "cerrado".to_owned(),
        [] => "closed".to_owned(),
        [only] => only.clone(),
        [earlier @ .., last] => format!("{} {and} {last}", earlier.join(", ")),
    }
}

fn describe_interval(interval: Interval, language: Language) -> String {
    let es = language == Language::Es;
    if interval == Interval::WHOLE_DAY {
        return if es { "las 24 horas" } else { "24 hours" }.to_owned();
    }
    let opens = time(interval.opens());
    let closes = match interval.closes() {
        DAY if es => "medianoche".to_owned(),
        DAY => "midnight".to_owned(),
        minute => time(minute % DAY),
    };
    if es {
        format!("de {opens} a {closes}")
    } else {
        format!("{opens} to {closes}")
    }
}

/// A time as it is said, without a leading zero.
fn time(minute: u16) -> String {
    format!("{}:{:02}", minute / 60, minute % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn weekly(hours: Value) -> WeeklyHours {
        serde_json::from_value(hours).unwrap()
    }

    #[test]
    fn days_of_the_same_hours_are_told_together() {
        let day = json!([{ "from": "09:00", "to": "18:00" }]);
        let clinic = weekly(json!({
            "monday": day, "tuesday": day, "wednesday": day, "thursday": day, "friday": day,
            "saturday": [{ "from": "09:00", "to": "13:00" }],
        }));
        assert_eq!(
            clinic.describe(Language::Es),
            "lunes a viernes de 9:00 a 18:00; sábado de 9:00 a 13:00; domingo cerrado"
        );
        assert_eq!(
            clinic.describe(Language::En),
            "Monday to Friday 9:00 to 18:00; Saturday 9:00 to 13:00; Sunday closed"
        );
    }

    #[test]
    fn moments_are_told_with_their_day() {
        let moment = "2026-03-17T09:05".parse().unwrap();
        let es = describe_moment(moment, Language::Es);
        assert_eq!(es, "martes 17 de marzo a las 9:05");
        assert_eq!(
            describe_moment(moment, Language::En),
            "Tuesday 17 March at 9:05"
        );
    }

    #[test]
    fn nights_breaks_and_whole_days_are_told() {
        let night = json!([{ "from": "18:00", "to": "02:00" }]);
        let split = json!([
            { "from": "09:00", "to": "13:00" }, { "from": "15:00", "to": "19:30" },
            { "from": "21:00", "to": "00:00" },
        ]);
        let bar = weekly(json!({
            "monday": split, "friday": night, "saturday": night,
            "wednesday": [{ "from": "00:00", "to": "00:00" }],
        }));
        assert_eq!(
            bar.describe(Language::Es),
            "lunes de 9:00 a 13:00, de 15:00 a 19:30 y de 21:00 a medianoche; \
             martes cerrado; miércoles las 24 horas; jueves cerrado; \
             viernes y sábado de 18:00 a 2:00; domingo cerrado"
        );
        assert_eq!(
            bar.describe(Language::En),
            "Monday 9:00 to 13:00, 15:00 to 19:30 and 21:00 to midnight; \
             Tuesday closed; Wednesday 24 hours; Thursday closed; \
             Friday and Saturday 18:00 to 2:00; Sunday closed"
        );
        assert_eq!(
            WeeklyHours::default().describe(Language::Es),
            "todos los días cerrado"
        );
    }

    #[test]
    fn exceptions_are_told_until_they_are_over() {
        let schedule: Schedule = serde_json::from_value(json!({
            "exceptions": [
                { "from": "2026-12-24", "to": "2027-01-02", "label": "Vacaciones", "intervals": [] },
                { "from": "2026-07-28", "label": "Fiestas Patrias",
                  "intervals": [{ "from": "10:00", "to": "14:00" }] },
            ],
        }))
        .unwrap();
        let told = |language, today: &str| schedule.describe(language, today.parse().unwrap());
        assert_eq!(
            told(Language::Es, "2026-07-28"),
            "todos los días cerrado; 28 de julio de 2026 (Fiestas Patrias) de 10:00 a 14:00"
        );
        assert_eq!(told(Language::Es, "2026-08-01"), "todos los días cerrado");
        assert_eq!(
            told(Language::Es, "2026-12-12"),
            "todos los días cerrado; \
             del 24 de diciembre de 2026 al 2 de enero de 2027 (Vacaciones) cerrado"
        );
        assert_eq!(
            told(Language::En, "2027-01-02"),
            "every day closed; 24 December 2026 to 2 January 2027 (Vacaciones) closed"
        );
        assert_eq!(told(Language::En, "2027-01-03"), "every day closed");
    }
}
