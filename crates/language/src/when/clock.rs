//! Reading hours, limits and parts of the day.

use super::party::WE_ARE;
use super::place::Place;
use super::{Asked, Mention, PartOfDay};
use crate::Time;
use crate::token::Kind;

const AFTER: &[&[&str]] = &[
    &["despues", "de"],
    &["luego", "de"],
    &["a", "partir", "de"],
    &["mas", "tarde", "de"],
    &["pasadas"],
    &["desde"],
    &["after"],
    &["from"],
];
const BEFORE: &[&[&str]] = &[
    &["antes", "de"],
    &["mas", "temprano", "de"],
    &["hasta"],
    &["before"],
    &["until"],
];
const SOONEST: &[&[&str]] = &[
    &["mas", "pronto"],
    &["mas", "rapido"],
    &["mas", "cercano"],
    &["mas", "cercana"],
    &["cuanto", "antes"],
    &["antes", "posible"],
    &["lo", "antes"],
    &["primer", "espacio"],
    &["primer", "horario"],
    &["primera", "cita"],
    &["as", "soon", "as"],
    &["soonest"],
    &["earliest"],
    &["asap"],
    &["first", "available"],
    &["next", "available"],
];
/// A number before one of these counts something and is no hour.
const COUNTED: &[&str] = &[
    "personas",
    "persona",
    "people",
    "minutos",
    "min",
    "dias",
    "semanas",
    "meses",
    "años",
    "tacos",
    "veces",
    "cuadras",
    "sucursales",
    "opciones",
    "pesos",
    "soles",
    "citas",
    "turnos",
    "reservas",
    "visitas",
    "sesiones",
    "niños",
    "niñas",
    "hijos",
    "hijas",
    "añitos",
    "juntos",
    "juntas",
    "appointments",
    "kids",
    "children",
];

impl Place<'_> {
    /// "Después de las 4", "antes de las 11", "entre las 4 y las 6".
    pub(super) fn limits(self) -> Option<(Vec<Mention>, usize)> {
        let at = |by: usize| Self {
            at: self.at + by,
            ..self
        };
        if self.is(0, &["entre", "between"]) || self.is(0, &["de", "from"]) {
            let (from, first) = at(1).hour(true)?;
            let and = 1 + first;
            let between = self.is(0, &["entre", "between"]);
            let joined = if between {
                self.is(and, &["y", "and"])
            } else {
                self.is(and, &["a", "to", "hasta"])
            };
            if !joined {
                return None;
            }
            let (to, second) = at(and + 1).hour(true)?;
            let from = same_half(from, to);
            let said = vec![Mention::After(from), Mention::Before(to)];
            return Some((said, and + 1 + second));
        }
        let begins = |all: &[&[&str]]| all.iter().find(|words| self.says(words)).map(|w| w.len());
        if let Some(taken) = begins(AFTER) {
            let (time, more) = at(taken).hour(true)?;
            return Some((vec![Mention::After(time)], taken + more));
        }
        let taken = begins(BEFORE)?;
        let (time, more) = at(taken).hour(true)?;
        Some((vec![Mention::Before(time)], taken + more))
    }

    /// An hour that stands by itself.
    pub(super) fn time(self) -> Option<(Vec<Mention>, usize)> {
        let (time, taken) = self.hour(false)?;
        Some((vec![Mention::Time(time)], taken))
    }

    /// "En la tarde", "lo más pronto", "a la misma hora".
    pub(super) fn manner(self) -> Option<(Vec<Mention>, usize)> {
        if let Some(words) = SOONEST.iter().find(|words| self.says(words)) {
            return Some((vec![Mention::Soonest], words.len()));
        }
        for words in [["misma", "hora"], ["mismo", "horario"], ["same", "time"]] {
            if self.says(&words) {
                return Some((vec![Mention::SameTime], 2));
            }
        }
        for words in [["mismo", "dia"], ["same", "day"]] {
            if self.says(&words) {
                return Some((vec![Mention::SameDay], 2));
            }
        }
        let part = self.part()?;
        Some((vec![Mention::Part(part)], 1))
    }

    fn part(self) -> Option<PartOfDay> {
        // "Buenas tardes" and "good morning" greet, and "más tarde" is later.
        if self.was(
            1,
            &["good", "buena", "buenas", "buenos", "mas", "muy", "tan"],
        ) {
            return None;
        }
        let of_day = self.was(1, &["la", "esta", "de", "the", "this", "tomorrow", "in"])
            || self.was(
                1,
                &["mañana", "manana", "hoy", "lunes", "martes", "miercoles"],
            )
            || self.was(1, &["jueves", "viernes", "sabado", "domingo"])
            || self.was(1, &["monday", "tuesday", "wednesday", "thursday"])
            || self.was(1, &["friday", "saturday", "sunday"])
            || self.behind(1).is_none();
        if self.is(0, &["tempranito", "temprano", "early"]) {
            return Some(PartOfDay::Morning);
        }
        if self.is(0, &["mañana", "manana"]) && self.was(1, &["la", "esta"]) {
            return Some(PartOfDay::Morning);
        }
        if self.is(0, &["morning", "mornings"]) {
            return Some(PartOfDay::Morning);
        }
        if self.is(0, &["tonight"]) {
            return Some(PartOfDay::Evening);
        }
        if self.is(0, &["tarde", "tardecita", "afternoon"]) && of_day {
            return Some(PartOfDay::Afternoon);
        }
        let evening = self.is(0, &["noche", "nochecita", "evening", "night"]);
        (evening && of_day).then_some(PartOfDay::Evening)
    }

    /// The hour that begins here, and how many tokens it takes. `told` says that what came before
    /// makes an hour of a bare number.
    fn hour(self, told: bool) -> Option<(Time, usize)> {
        if self.is(0, &["mediodia", "noon", "midday"]) {
            return Some((certain(12 * 60), 1));
        }
        if self.says(&["medio", "dia"]) {
            return Some((certain(12 * 60), 2));
        }
        if self.is(0, &["medianoche", "midnight"]) {
            return Some((certain(0), 1));
        }
        let article = usize::from(self.is(0, &["las", "la"]));
        if let Some(Kind::Clock {
            hour,
            minute,
            padded,
        }) = self.ahead(article).map(|token| &token.kind)
        {
            let (half, taken) = self.half(article + 1);
            let sure = *hour > 12 || *hour == 0 || (*padded && *hour < 10);
            return Some((at_clock(*hour, *minute, half, sure), article + 1 + taken));
        }
        self.quarter_to().or_else(|| self.spoken(told))
    }

    /// "Cuarto para las 5", "un cuarto para las 5", "half past four", "quarter to five".
    fn quarter_to(self) -> Option<(Time, usize)> {
        let (offset, number): (i32, usize) = if self.says(&["cuarto", "para", "las"]) {
            (-15, 3)
        } else if self.says(&["half", "past"]) {
            (30, 2)
        } else if self.says(&["quarter", "past"]) {
            (15, 2)
        } else if self.says(&["quarter", "to"]) {
            (-15, 2)
        } else {
            return None;
        };
        let hour = self.whole(number).filter(|hour| (1..=12).contains(hour))?;
        let (half, taken) = self.half(number + 1);
        let minute = (i32::from(hour) * 60 + offset).rem_euclid(24 * 60);
        let (hour, minute) = (
            u16::try_from(minute / 60).ok()?,
            u16::try_from(minute % 60).ok()?,
        );
        Some((at_clock(hour, minute, half, false), number + 1 + taken))
    }

    fn spoken(self, told: bool) -> Option<(Time, usize)> {
        let article = self.is(0, &["las", "la"]);
        let number = usize::from(article);
        let hour = match self.whole(number) {
            Some(hour) if self.ahead(number)?.digits <= 2 => hour,
            None if self.is(number, &["una", "one"]) && article => 1,
            // "A las 930" and "at 1030".
            Some(joined) if self.ahead(number)?.digits > 2 && joined % 100 < 60 => {
                let (hour, minute) = (joined / 100, joined % 100);
                let said = article || self.was(1, &["at"]);
                return (said && hour < 24)
                    .then(|| (at_clock(hour, minute, None, hour > 12), number + 1));
            }
            _ => return None,
        };
        if hour > 24 || (article && self.is(0, &["la"]) && hour != 1) {
            return None;
        }
        let (minute, used) = self.minutes(number + 1);
        let end = number + 1 + used;
        let (half, taken) = self.half(end);
        let sharp = usize::from(self.is(end, &["oclock"]));
        let counted = self.is(end, COUNTED);
        // "Y somos 6" counts people, whatever was asked.
        let asked = self.asked == Some(Asked::Time)
            && !self.was(1, &["el", "dia", "para"])
            && !self.counts_people();
        let at = self.was(1, &["at", "tipo"]) || self.was(1, &["around", "por"]) && article;
        let says = half.is_some() || sharp > 0 || used > 0 && minute == 30 || taken > 0;
        if counted || !(article || told || at || says || asked) {
            return None;
        }
        let whole = (i32::from(hour) * 60 + i32::from(minute)).rem_euclid(24 * 60);
        let (hour, minute) = (
            u16::try_from(whole / 60).ok()?,
            u16::try_from(whole % 60).ok()?,
        );
        Some((
            at_clock(hour, minute, half, hour > 12),
            end + taken.max(sharp),
        ))
    }

    /// Whether the words before say who comes: "seremos como 6", "we will be 6".
    fn counts_people(self) -> bool {
        self.was(1, WE_ARE)
            || self.was(1, &["como", "are", "unos", "about"]) && self.was(2, WE_ARE)
            || self.was(1, &["be"]) && self.was(2, &["will", "ll", "we'll"])
            || self.was(1, &["ser"]) && self.was(3, &["vamos", "ibamos"])
    }

    /// "Y media", "y cuarto", "menos cuarto", "y veinte", "thirty".
    fn minutes(self, by: usize) -> (i16, usize) {
        let sense = if self.is(by, &["y"]) {
            1
        } else if self.is(by, &["menos"]) {
            -1
        } else {
            return self.minutes_alone(by);
        };
        if self.is(by + 2, &["cuartos"]) && self.whole(by + 1) == Some(3) {
            return (45 * sense, 3);
        }
        if self.is(by + 1, &["media"]) {
            return (30 * sense, 2);
        }
        if self.is(by + 1, &["cuarto"]) {
            return (15 * sense, 2);
        }
        let minutes = self
            .whole(by + 1)
            .filter(|minutes| (5..60).contains(minutes));
        let joins = minutes.filter(|_| !self.is(by + 2, COUNTED));
        match joins.and_then(|minutes| i16::try_from(minutes).ok()) {
            Some(minutes) if minutes % 5 == 0 => (minutes * sense, 2),
            _ => (0, 0),
        }
    }

    /// "Las 3 40": two digits in fives that count nothing.
    fn minutes_alone(self, by: usize) -> (i16, usize) {
        let two = self.ahead(by).is_some_and(|token| token.digits == 2);
        let minutes = self.whole(by).filter(|minute| (10..60).contains(minute));
        let minutes = minutes.filter(|minute| minute % 5 == 0 && !self.is(by + 1, COUNTED));
        let date = self.is(by + 1, &["de", "del", "of"]) && self.month(by + 2).is_some();
        let minutes = minutes.filter(|_| !date);
        match minutes.and_then(|minute| i16::try_from(minute).ok()) {
            Some(30) => (30, 1),
            Some(minute) if two => (minute, 1),
            _ => (0, 0),
        }
    }

    /// "a. m.", "pm", "de la tarde": whether it is after noon, and how many tokens say so.
    fn half(self, by: usize) -> (Option<bool>, usize) {
        for (letter, joined, after_noon) in [("a", "am", false), ("p", "pm", true)] {
            if self.is(by, &[joined]) {
                return (Some(after_noon), 1);
            }
            if self.is(by, &[letter]) && self.is(by + 1, &["m"]) {
                return (Some(after_noon), 2);
            }
            if self.is(by, &[letter]) && self.sign(by + 1, '.') && self.is(by + 2, &["m"]) {
                return (Some(after_noon), 3 + usize::from(self.sign(by + 3, '.')));
            }
        }
        let of_the =
            self.is(by, &["de", "en", "por", "in", "a"]) && self.is(by + 1, &["la", "the"]);
        let part = by + 2;
        if of_the && self.is(part, &["tarde", "noche", "afternoon", "evening"]) {
            return (Some(true), 3);
        }
        if of_the && self.is(part, &["mañana", "manana", "madrugada", "morning"]) {
            return (Some(false), 3);
        }
        if self.is(by, &["del", "de"]) && self.is(by + 1, &["mediodia"]) {
            return (Some(true), 2);
        }
        (None, usize::from(self.is(by, &["hrs", "h", "horas", "hs"])))
    }
}

const fn certain(minute: u16) -> Time {
    Time {
        minute,
        certain: true,
    }
}

fn at_clock(hour: u16, minute: u16, after_noon: Option<bool>, sure: bool) -> Time {
    let hour = match after_noon {
        Some(true) if hour < 12 => hour + 12,
        Some(false) if hour == 12 => 0,
        _ => hour % 24,
    };
    Time {
        minute: hour * 60 + minute,
        certain: after_noon.is_some() || sure,
    }
}

/// "De 4 a 6 de la tarde" says the half once.
fn same_half(from: Time, to: Time) -> Time {
    let noon = 12 * 60;
    if !from.certain && to.certain && to.minute > noon && from.minute + noon < to.minute {
        return certain(from.minute + noon);
    }
    from
}
