//! Reading days.

use super::place::Place;
use super::{Asked, Day};
use crate::token::Kind;
use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday};
use quipu_core::language::Language;

/// How many years there are at most from one 29 February to the next, but for one in a century.
const LEAP_YEARS: i16 = 4;
/// A number of more than this is no hour.
const LAST_HOUR: u16 = 12;
/// How far ahead a number of days or weeks may reach.
const MOST_AHEAD: u16 = 366;

const WEEKDAYS: [(Weekday, &[&str]); 7] = [
    (Weekday::Monday, &["lunes", "monday", "mon"]),
    (Weekday::Tuesday, &["martes", "tuesday", "tue", "tues"]),
    (Weekday::Wednesday, &["miercoles", "wednesday", "wed"]),
    (Weekday::Thursday, &["jueves", "thursday", "thu", "thurs"]),
    (Weekday::Friday, &["viernes", "friday", "fri"]),
    (Weekday::Saturday, &["sabado", "saturday"]),
    (Weekday::Sunday, &["domingo", "sunday"]),
];

const MONTHS: [&[&str]; 12] = [
    &["enero", "ene", "january", "jan"],
    &["febrero", "feb", "february"],
    &["marzo", "mar", "march"],
    &["abril", "abr", "april", "apr"],
    &["mayo", "may"],
    &["junio", "jun", "june"],
    &["julio", "jul", "july"],
    &["agosto", "ago", "august", "aug"],
    &["septiembre", "setiembre", "sep", "set", "september", "sept"],
    &["octubre", "oct", "october"],
    &["noviembre", "nov", "november"],
    &["diciembre", "dic", "december", "dec"],
];

/// Days of the year that people call by a name, with their day and month. The longer name comes first.
const FEASTS: &[(&[&str], u16, i8)] = &[
    (&["christmas", "eve"], 24, 12),
    (&["nochebuena"], 24, 12),
    (&["navidad"], 25, 12),
    (&["christmas"], 25, 12),
    (&["xmas"], 25, 12),
    (&["nochevieja"], 31, 12),
    (&["fin", "de", "año"], 31, 12),
    (&["fin", "de", "ano"], 31, 12),
    (&["new", "years", "eve"], 31, 12),
    (&["new", "year's", "eve"], 31, 12),
    (&["año", "nuevo"], 1, 1),
    (&["ano", "nuevo"], 1, 1),
    (&["new", "years"], 1, 1),
    (&["new", "year's"], 1, 1),
];

const TOMORROW: &[&str] = &["mañana", "manana", "mñn", "tomorrow", "tmrw"];

/// The day of the week that a folded word names, in the singular or the plural.
#[must_use]
pub fn weekday(word: &str) -> Option<Weekday> {
    let named = |word: &str| WEEKDAYS.iter().find(|(_, names)| names.contains(&word));
    let found = named(word).or_else(|| named(word.strip_suffix('s')?));
    found.map(|(day, _)| *day)
}

impl Place<'_> {
    /// The day that begins here, and how many tokens it takes.
    pub(super) fn day(self) -> Option<(Day, usize)> {
        self.relative()
            .or_else(|| self.feast())
            .or_else(|| self.week())
            .or_else(|| self.whole_month())
            .or_else(|| self.weekday())
            .or_else(|| self.written())
            .or_else(|| self.of_month())
    }

    /// Whether the day that took so many tokens was named by its weekday and nothing else: "el martes",
    /// and neither "este martes" nor "martes 14".
    pub(super) fn is_weekday_alone(self, taken: usize) -> bool {
        taken == 1
            && WEEKDAYS.iter().any(|(_, names)| self.is(0, names))
            && !self.was(1, &["este", "this", "hoy", "today"])
    }

    /// Whether the day here was named by its number and nothing else: "el 12", and neither "12 de marzo" nor
    /// "12/3".
    pub(super) fn is_number_alone(self) -> bool {
        self.whole(0).is_some() && !self.has_month() && self.written().is_none()
    }

    fn after(self, days: i64) -> Option<Date> {
        self.today.checked_add(days.days()).ok()
    }

    fn relative(self) -> Option<(Day, usize)> {
        let on = |days, taken| Some((Day::On(self.after(days)?), taken));
        // "De hoy en ocho" counts the day itself.
        if self.says(&["hoy", "en"]) && matches!(self.whole(2), Some(8 | 15)) {
            return on(self.whole(2).map_or(0, |days| i64::from(days) - 1), 3);
        }
        if self.is(0, &["hoy", "today"]) {
            return on(0, 1);
        }
        if self.is(0, &["tonight"]) || self.says(&["esta", "noche"]) {
            return on(0, 0);
        }
        if self.says(&["esta", "tarde"]) || self.says(&["this", "afternoon"]) {
            return on(0, 0);
        }
        if self.is(0, &["pasado", "pasadomañana"]) && (self.is(1, TOMORROW) || self.alone()) {
            return on(2, 2);
        }
        if self.says(&["day", "after", "tomorrow"]) {
            return on(2, 3);
        }
        // "En la mañana" is a part of a day, and "de la mañana" half of one.
        if self.is(0, TOMORROW) && !self.was(1, &["la", "esta", "las"]) {
            return on(1, 1);
        }
        if self.is(0, &["en", "in", "within"]) || self.says(&["dentro", "de"]) {
            let number = 1 + usize::from(self.is(0, &["dentro"]));
            let unit = number + 1;
            let count = match self.whole(number) {
                Some(count) => count,
                None if self.is(number, &["un", "una", "a", "one"]) => 1,
                None => return None,
            };
            let days = if self.is(unit, &["dia", "dias", "day", "days"]) {
                1
            } else if self.is(unit, &["semana", "semanas", "week", "weeks"]) {
                7
            } else {
                return None;
            };
            let ahead = count.saturating_mul(days);
            return (ahead <= MOST_AHEAD).then(|| on(ahead.into(), unit + 1))?;
        }
        None
    }

    /// "En navidad", "on Christmas Eve".
    fn feast(self) -> Option<(Day, usize)> {
        let (words, day, month) = FEASTS.iter().find(|(words, ..)| self.says(words))?;
        Some((Day::On(self.date(*day, *month, None)?), words.len()))
    }

    fn week(self) -> Option<(Day, usize)> {
        let today = i64::from(self.today.weekday().to_monday_zero_offset());
        let between = |from, to, taken| {
            let days = Day::Between(self.after(from)?, self.after(to)?);
            Some((days, taken))
        };
        let next = [
            &["semana", "que", "viene"][..],
            &["semana", "que", "entra"],
            &["proxima", "semana"],
            &["otra", "semana"],
            &["siguiente", "semana"],
            &["semana", "proxima"],
            &["semana", "siguiente"],
            &["next", "week"],
        ];
        if let Some(said) = next.iter().find(|words| self.says(words)) {
            return between(7 - today, 13 - today, said.len());
        }
        if self.says(&["esta", "semana"]) || self.says(&["this", "week"]) {
            return between(0, (6 - today).max(0), 2);
        }
        let weekend = [
            &["fin", "de", "semana"][..],
            &["fin", "de"],
            &["finde"],
            &["weekend"],
        ];
        let said = weekend.iter().find(|words| self.says(words))?;
        if *said == ["fin", "de"] {
            return None;
        }
        let saturday = (5 - today).max(0);
        between(saturday, 6 - today, said.len())
    }

    /// "En diciembre", "in December": one of its days, and those of this month that are still to come.
    fn whole_month(self) -> Option<(Day, usize)> {
        if !self.is(0, &["en", "in", "para", "for", "durante", "during"]) {
            return None;
        }
        let month = self.month(1)?;
        // "Mar" and "set" are words as well, and so is "may"; with a number it is a date.
        let whole_name = self.ahead(1)?.word()?.chars().count() > 3;
        let numbered =
            self.whole(2).is_some() || self.behind(1).is_some_and(|it| it.number().is_some());
        if !whole_name || numbered {
            return None;
        }
        let year = self.today.year() + i16::from(month < self.today.month());
        let first = Date::new(year, month, 1).ok()?;
        Some((
            Day::Between(first.max(self.today), first.last_of_month()),
            2,
        ))
    }

    fn weekday(self) -> Option<(Day, usize)> {
        let (weekday, _) = WEEKDAYS.iter().find(|(_, names)| self.is(0, names))?;
        // "Los sábados" asks for opening hours and names no day.
        if self.was(1, &["los", "cada", "every"]) || self.is(1, &["a"]) && self.was(1, &["de"]) {
            return None;
        }
        let ahead = |from: Date| {
            let days = from.weekday().until(*weekday);
            from.checked_add(i64::from(days).days()).ok()
        };
        // "El sábado 14" is the fourteenth, whatever day of the week that is.
        let comma = usize::from(self.sign(1, ','));
        let number = 1 + comma + usize::from(self.is(1 + comma, &["el", "the", "dia"]));
        let here = Self {
            at: self.at + number,
            ..self
        };
        if here.is_hour_after() {
            // "El jueves 5 pm" has an hour and no date.
        } else if let Some((day, taken)) = here.written() {
            return Some((day, number + taken));
        } else if here.has_month() {
            return None;
        } else if let Some(date) = here.whole(0).and_then(|day| self.coming(day))
            && !(self.asked == Some(Asked::Time)
                && number == 1
                && here.whole(0) <= Some(LAST_HOUR)
                && date.weekday() != *weekday)
        {
            return Some((Day::On(date), number + 1));
        }
        let mut taken = 1;
        let following = [&["de", "la"][..], &["de"], &["of"], &[]];
        for words in following {
            let next = Self {
                at: self.at + 1 + words.len(),
                ..self
            };
            let said = Self {
                at: self.at + 1,
                ..self
            };
            if said.says(words)
                && let Some((Day::Between(from, _), more)) = next.week()
                && from > self.today
            {
                return Some((Day::On(ahead(from)?), 1 + words.len() + more));
            }
        }
        let today = self.today.weekday() == *weekday;
        let means_today = today && self.was(1, &["hoy", "today"]);
        let from = if today && !means_today {
            self.after(7)?
        } else {
            self.today
        };
        if self.is(1, &["que"]) && self.is(2, &["viene", "entra"]) {
            taken = 3;
        }
        Some((Day::On(ahead(from)?), taken))
    }

    /// The month that is named so far ahead.
    pub(super) fn month(self, by: usize) -> Option<i8> {
        let named = MONTHS.iter().position(|names| self.is(by, names))?;
        i8::try_from(named + 1).ok()
    }

    /// Where the month of the number here would stand.
    fn month_place(self) -> usize {
        let ordinal = usize::from(self.is(1, &["st", "nd", "rd", "th"]));
        1 + ordinal + usize::from(self.is(1 + ordinal, &["de", "of", "del"]))
    }

    /// Whether the number here goes with a month. If that has no such day, as with "30 de febrero", no
    /// other month is meant.
    fn has_month(self) -> bool {
        let in_numbers = self.sign(1, '/') && self.whole(2).is_some();
        let before = MONTHS.iter().any(|names| self.was(1, names));
        before || self.month(self.month_place()).is_some() || in_numbers
    }

    /// "12 de marzo", "marzo 12", "March 12th", "12/3", "2026-03-12".
    fn written(self) -> Option<(Day, usize)> {
        if let Some(day) = self.whole(0) {
            let of = self.month_place();
            if let Some(month) = self.month(of) {
                let (year, more) = self.year(of + 1);
                return Some((Day::On(self.date(day, month, year)?), of + 1 + more));
            }
            return self.in_numbers();
        }
        let month = self.month(0)?;
        // "Mar", "set" and "ago" are words as well: before a day they need what makes one of it, "Mar 3rd".
        let dot = usize::from(self.sign(1, '.'));
        let ordinal = usize::from(self.is(2 + dot, &["st", "nd", "rd", "th"]));
        let certain = ordinal > 0 || !self.is(0, &["mar", "set", "ago"]);
        let day = self.whole(1 + dot).filter(|_| certain)?;
        let taken = 2 + dot + ordinal;
        let (year, more) = self.year(taken);
        Some((Day::On(self.date(day, month, year)?), taken + more))
    }

    /// Whether the number here is followed by what makes an hour of it.
    fn is_hour_after(self) -> bool {
        self.is(1, &["am", "pm", "hrs", "h", "horas"])
            || (self.is(1, &["a", "p"]) && self.sign(2, '.'))
            || (self.is(1, &["de"]) && self.is(2, &["la"]))
            || (self.is(1, &["y"]) && self.is(2, &["media", "cuarto"]))
    }

    fn year(self, by: usize) -> (Option<i16>, usize) {
        let of = usize::from(self.is(by, &["de", "del"]) || self.sign(by, ','));
        let year = self
            .whole(by + of)
            .filter(|year| (2000..2200).contains(year));
        match year.and_then(|year| i16::try_from(year).ok()) {
            Some(year) => (Some(year), of + 1),
            None => (None, 0),
        }
    }

    fn in_numbers(self) -> Option<(Day, usize)> {
        let separated = |by| self.sign(by, '/') || self.sign(by, '-');
        let (first, second) = (self.whole(0)?, self.whole(2).filter(|_| separated(1))?);
        let small = |number: u16| i8::try_from(number).ok();
        if self.ahead(0)?.digits == 4 {
            let day = self.whole(4).filter(|_| separated(3))?;
            let date = Date::new(i16::try_from(first).ok()?, small(second)?, small(day)?);
            return Some((Day::On(date.ok()?), 5));
        }
        if self.sign(1, '-') && self.whole(4).is_none() {
            // "10-12" is more often a stretch of hours than a date.
            return None;
        }
        let (day, month) = match self.language {
            Language::En if first <= 12 => (second, first),
            _ if second > 12 && first <= 12 => (second, first),
            _ => (first, second),
        };
        let (year, taken) = match self.whole(4).filter(|_| separated(3)) {
            Some(year) if year < 100 => (i16::try_from(2000 + year).ok(), 5),
            Some(year) => (i16::try_from(year).ok(), 5),
            None => (None, 3),
        };
        Some((Day::On(self.date(day, small(month)?, year)?), taken))
    }

    /// "El 12", "el día 12", "the 12th"; a bare number where a day was asked for.
    fn of_month(self) -> Option<(Day, usize)> {
        let day = self.whole(0)?;
        let told =
            self.was(1, &["el", "dia", "the"]) || self.was(1, &["para"]) && self.was(2, &["dia"]);
        let ordinal = self.is(1, &["st", "nd", "rd", "th"]);
        let asked = self.asked == Some(Asked::Day) && self.alone();
        if !(told || ordinal || asked) || self.is_hour_after() || self.sign(1, '%') {
            return None;
        }
        if self.has_month() {
            return None;
        }
        if matches!(self.ahead(1).map(|next| &next.kind), Some(Kind::Word(_))) && !ordinal {
            let counts = ["personas", "tacos", "puntos", "pesos", "soles", "people"];
            if self.is(1, &counts) {
                return None;
            }
        }
        Some((Day::On(self.coming(day)?), 1 + usize::from(ordinal)))
    }

    /// The next day of a month with this number.
    fn coming(self, day: u16) -> Option<Date> {
        let day = i8::try_from(day)
            .ok()
            .filter(|day| (1..=31).contains(day))?;
        let mut month = self.today.first_of_month();
        // Not every month has a thirty-first.
        for _ in 0..4 {
            let found = Date::new(month.year(), month.month(), day);
            if let Ok(date) = found
                && date >= self.today
            {
                return Some(date);
            }
            month = month.checked_add(1.month()).ok()?;
        }
        None
    }

    /// The day of a month, of this year unless it is over or has no such day.
    fn date(self, day: u16, month: i8, year: Option<i16>) -> Option<Date> {
        let day = i8::try_from(day).ok()?;
        if let Some(year) = year {
            return Date::new(year, month, day).ok();
        }
        let years = (0..=LEAP_YEARS).filter_map(|more| self.today.year().checked_add(more));
        let mut dates = years.filter_map(|year| Date::new(year, month, day).ok());
        dates.find(|date| *date >= self.today)
    }
}
