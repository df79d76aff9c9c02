//! Days, times and numbers of people as customers write them, in Spanish and English, read against
//! the clock on the wall of the business.
//!
//! Nothing is guessed that the text does not say: "a las 5" is an hour of which it is not known
//! whether it is in the morning, until [`When::settle`] sees which times there are.

mod clock;
mod day;
mod party;
mod place;
mod refused;
#[cfg(test)]
mod tests;

pub use day::weekday;
pub use party::party;

use crate::Time;
use crate::token::cut;
use jiff::civil::Date;
use jiff::{ToSpan as _, Zoned};
use place::Place;
use quipu_core::language::Language;
use serde::{Deserialize, Serialize};

/// How much of a message is read.
const MOST_CHARS: usize = 2_000;

/// One day, or one of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Day {
    On(Date),
    /// From the first to the last of them, as with "el fin de semana".
    Between(Date, Date),
}

impl Day {
    #[must_use]
    pub const fn first(self) -> Date {
        match self {
            Self::On(date) | Self::Between(date, _) => date,
        }
    }

    #[must_use]
    pub const fn last(self) -> Date {
        match self {
            Self::On(date) | Self::Between(_, date) => date,
        }
    }

    /// The day, where it is one.
    #[must_use]
    pub const fn single(self) -> Option<Date> {
        match self {
            Self::On(date) => Some(date),
            Self::Between(..) => None,
        }
    }
}

/// A part of the day, as people divide it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartOfDay {
    Morning,
    Afternoon,
    Evening,
}

impl PartOfDay {
    /// The first minute of it and the first that is no longer in it.
    #[must_use]
    pub const fn minutes(self) -> (u16, u16) {
        match self {
            Self::Morning => (0, 12 * 60),
            // Who asks for the afternoon has had lunch: noon is no part of it.
            Self::Afternoon => (13 * 60, 19 * 60 + 30),
            Self::Evening => (18 * 60, 24 * 60),
        }
    }

    /// A minute in the middle of it, around which most of what is free in it lies.
    const fn middle(self) -> u16 {
        match self {
            Self::Morning => 10 * 60,
            Self::Afternoon => 16 * 60,
            Self::Evening => 20 * 60,
        }
    }

    /// An hour that may be of either half, said together with this part: "en la tarde, a las 5".
    const fn place(self, minute: u16) -> u16 {
        let (half, noon) = (minute % (12 * 60), 12 * 60);
        match self {
            Self::Morning => half,
            Self::Afternoon | Self::Evening => half + noon,
        }
    }
}

/// What a bare number means, which depends on what was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    Day,
    Time,
}

/// When somebody wants something.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a thing that a text says or does not say, and they are combined freely"
)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct When {
    pub day: Option<Day>,
    /// Whether the day was named by its weekday alone, so that it may be one of another week.
    pub weekday: bool,
    /// Whether the day was named by its number alone, so that it may be one of another month.
    pub numbered: bool,
    /// The days that were spoken of, such as next week; a weekday that is named later is one of them.
    pub among: Option<(Date, Date)>,
    pub time: Option<Time>,
    /// Not before this.
    pub after: Option<Time>,
    /// Not after this.
    pub before: Option<Time>,
    pub part: Option<PartOfDay>,
    /// As soon as there is room.
    pub soonest: bool,
    /// At the hour that was meant before: "el viernes, a la misma hora".
    pub same_time: bool,
    /// On the day that was meant before: "el mismo día, a las 6".
    pub same_day: bool,
    /// A day that it shall not be: "que no sea hoy".
    pub refused: Option<Date>,
}

/// One thing that a text says of when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mention {
    Day(Day),
    /// A day that was named by its weekday alone.
    Weekday(Date),
    /// A day that was named by its number alone.
    Numbered(Date),
    /// A day that it shall not be.
    Refused(Date),
    Time(Time),
    After(Time),
    Before(Time),
    Part(PartOfDay),
    Soonest,
    SameTime,
    SameDay,
}

impl When {
    /// Reads what a text says. Where it names two days or two hours, the last one counts: "no el
    /// jueves, mejor el viernes".
    #[must_use]
    pub fn read(text: &str, language: Language, now: &Zoned, asked: Option<Asked>) -> Self {
        let mut when = Self::default();
        for mention in mentions(text, language, now, asked) {
            match mention {
                Mention::Day(day) => when.take_day(day, false, false),
                Mention::Weekday(date) => when.take_day(Day::On(date), true, false),
                Mention::Numbered(date) => when.take_day(Day::On(date), false, true),
                Mention::Refused(date) => when.refused = Some(date),
                Mention::Time(time) => when.time = Some(time),
                Mention::After(time) => when.after = Some(time),
                Mention::Before(time) => when.before = Some(time),
                Mention::Part(part) => when.part = Some(part),
                Mention::Soonest => when.soonest = true,
                Mention::SameTime => when.same_time = true,
                Mention::SameDay => when.same_day = true,
            }
        }
        if let Some(part) = when.part {
            for time in [&mut when.time, &mut when.after, &mut when.before] {
                if let Some(time) = time.as_mut().filter(|time| !time.certain) {
                    *time = Time {
                        minute: part.place(time.minute),
                        certain: true,
                    };
                }
            }
        }
        when
    }

    /// Takes in a day. One of several is remembered as those it is one of.
    fn take_day(&mut self, day: Day, weekday: bool, numbered: bool) {
        let said = Self {
            day: Some(day),
            weekday,
            numbered,
            among: match day {
                Day::Between(from, to) => Some((from, to)),
                Day::On(_) => None,
            },
            ..*self
        };
        let said = said.within(self);
        let among = said.among_after(self);
        *self = Self { among, ..said };
    }

    /// The same, where a weekday is one of the days that were spoken of before: "la semana que viene",
    /// and then "el martes".
    #[must_use]
    pub fn within(self, earlier: &Self) -> Self {
        let spoken_of = match (earlier.among, earlier.day) {
            (_, Some(Day::On(date))) => date,
            (Some((first, _)), _) => first,
            _ => return self.of_week(earlier),
        };
        self.in_month_of(spoken_of).of_week(earlier)
    }

    /// The same, where a day that was named by its number alone is one of the month that is spoken of: "el
    /// 10 de diciembre", and then "mejor el 12". A month that is nearer than the next such day says nothing.
    #[must_use]
    pub fn in_month_of(self, spoken_of: Date) -> Self {
        let Some(Day::On(date)) = self.day.filter(|_| self.numbered) else {
            return self;
        };
        match Date::new(spoken_of.year(), spoken_of.month(), date.day()) {
            Ok(same) if same > date => Self {
                day: Some(Day::On(same)),
                ..self
            },
            _ => self,
        }
    }

    fn of_week(self, earlier: &Self) -> Self {
        let (Some((from, to)), Some(Day::On(date)), true) = (earlier.among, self.day, self.weekday)
        else {
            return self;
        };
        let ahead = i64::from(from.weekday().until(date.weekday()));
        match from.checked_add(ahead.days()) {
            Ok(same) if same <= to => Self {
                day: Some(Day::On(same)),
                ..self
            },
            _ => self,
        }
    }

    /// The days that are spoken of once this is said: a date outside of those before ends them.
    fn among_after(&self, earlier: &Self) -> Option<(Date, Date)> {
        match self.day {
            Some(Day::Between(from, to)) => Some((from, to)),
            Some(Day::On(date)) if !self.weekday => earlier
                .among
                .filter(|(from, to)| (*from..=*to).contains(&date)),
            _ => earlier.among,
        }
    }

    /// A day and a time of it.
    #[must_use]
    pub fn at(date: Date, minute: u16) -> Self {
        Self {
            day: Some(Day::On(date)),
            time: Some(Time {
                minute,
                certain: true,
            }),
            ..Self::default()
        }
    }

    /// Whether the text said nothing of when.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What was said later, over what was said before. A new hour drops the limits that the old one
    /// had, and a new day keeps the hour.
    #[must_use]
    pub fn then(self, later: Self) -> Self {
        let later = later.within(&self);
        let narrows = later.time.is_some() || later.after.is_some() || later.before.is_some();
        let moves = narrows || later.part.is_some();
        let keep = |old: Option<Time>| old.filter(|_| !moves);
        let kept = |day: &Day| later.refused.is_none_or(|date| *day != Day::On(date));
        let wanted = |date: &Date| later.day != Some(Day::On(*date));
        Self {
            day: later.day.or(self.day.filter(kept)),
            refused: later.refused.or(self.refused.filter(wanted)),
            weekday: if later.day.is_some() {
                later.weekday
            } else {
                self.weekday
            },
            numbered: if later.day.is_some() {
                later.numbered
            } else {
                self.numbered
            },
            among: later.among_after(&self),
            time: later.time.or(keep(self.time)),
            after: later.after.or(keep(self.after)),
            before: later.before.or(keep(self.before)),
            part: later.part.or(self.part.filter(|_| !narrows)),
            soonest: later.soonest || (self.soonest && later.day.is_none() && !moves),
            same_time: later.same_time || self.same_time,
            same_day: later.same_day || (self.same_day && later.day.is_none()),
        }
    }

    /// The minute that is meant by the hour, given those there are. Without any, an hour of which
    /// the half is not known is taken for one at which people work.
    #[must_use]
    pub fn settle(&self, there: &[u16]) -> Option<u16> {
        self.time.map(|time| settle(time, there))
    }

    /// The minute around which something is wanted. An hour that could be of either half, such as
    /// eight, says nothing as long as it is not known what there is.
    #[must_use]
    pub fn around(&self) -> Option<u16> {
        let Some(time) = self.time.or(self.after).or(self.before) else {
            return self.part.map(PartOfDay::middle);
        };
        let minute = settle(time, &[]);
        (time.certain || minute >= 12 * 60).then_some(minute)
    }

    /// Whether a minute of the day fits what was said besides the hour.
    #[must_use]
    pub fn allows(&self, minute: u16) -> bool {
        let (from, to) = self.part.map_or((0, 24 * 60), PartOfDay::minutes);
        let after = self.after.map_or(0, |time| settle(time, &[]));
        let before = self.before.map_or(24 * 60, |time| settle(time, &[]));
        (from..to).contains(&minute) && minute >= after && minute <= before
    }
}

/// The minute that a time means, given those there are.
#[must_use]
pub fn settle(time: Time, there: &[u16]) -> u16 {
    if time.certain {
        return time.minute;
    }
    let agrees = |minute: &&u16| {
        let known = Time {
            minute: **minute,
            certain: true,
        };
        time.agrees_with(known)
    };
    if let Some(minute) = there.iter().find(agrees) {
        return *minute;
    }
    const { assert!(FIRST_WORKING_MINUTE < 12 * 60) };
    let half = time.minute % (12 * 60);
    if half < FIRST_WORKING_MINUTE {
        half + 12 * 60
    } else {
        half
    }
}

/// Before this, an hour without its half is one of the afternoon: nobody means five in the morning.
const FIRST_WORKING_MINUTE: u16 = 7 * 60 + 30;

/// The days with hours that a text offers, in its order. An hour belongs to the day before it.
#[must_use]
pub fn offers(text: &str, language: Language, now: &Zoned) -> Vec<(Option<Date>, Time)> {
    let mut day = None;
    let mut offered = Vec::new();
    for mention in mentions(text, language, now, None) {
        match mention {
            Mention::Day(said) => day = said.single(),
            Mention::Weekday(date) | Mention::Numbered(date) => day = Some(date),
            Mention::Time(time) => offered.push((day, time)),
            _ => {}
        }
    }
    offered
}

/// A text up to what is wanted if that cannot be had, and without the days that are ruled out: "el 11, o si no el 14",
/// "cualquier día menos el jueves".
fn as_wanted(text: &str) -> String {
    let said: Vec<&str> = text.split_whitespace().collect();
    let plain = |word: &&str| {
        let word = quipu_core::text::fold(word);
        word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()
    };
    let words: Vec<String> = said.iter().map(plain).collect();
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let mut wanted = Vec::new();
    let mut at = 0;
    while at < said.len() {
        let otherwise = word(at) == "o" && word(at + 1) == "si" && word(at + 2) == "no";
        if otherwise || word(at) == "or" && word(at + 1) == "else" {
            break;
        }
        let article = usize::from(matches!(word(at + 1), "el" | "los" | "on"));
        let ruled_out = matches!(word(at), "menos" | "excepto" | "salvo" | "except")
            && weekday(word(at + 1 + article)).is_some();
        if ruled_out {
            at += 2 + article;
            continue;
        }
        wanted.push(said[at]);
        at += 1;
    }
    wanted.join(" ")
}

fn mentions(text: &str, language: Language, now: &Zoned, asked: Option<Asked>) -> Vec<Mention> {
    let start: String = text.chars().take(MOST_CHARS).collect();
    let tokens = cut(&as_wanted(&start));
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let here = Place {
            tokens: &tokens,
            at,
            language,
            today: now.date(),
            asked,
        };
        let read = here
            .limits()
            .or_else(|| {
                if let Some((day, taken)) = here.next_one() {
                    return Some((vec![Mention::Day(day)], taken));
                }
                let (day, taken) = here.day()?;
                let mention = match day {
                    Day::On(date) if here.is_refused(taken) => Mention::Refused(date),
                    Day::On(date) if here.is_weekday_alone(taken) => Mention::Weekday(date),
                    Day::On(date) if here.is_number_alone() => Mention::Numbered(date),
                    day => Mention::Day(day),
                };
                Some((vec![mention], taken))
            })
            .or_else(|| here.time())
            .or_else(|| here.manner());
        match read {
            Some((mentions, taken)) => {
                found.extend(mentions);
                at += taken.max(1);
            }
            None => at += 1,
        }
    }
    found
}
