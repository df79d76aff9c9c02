//! When somebody wants to come, gathered from what they wrote and what they were offered.

use super::super::folded::{folded, says};
use super::super::ordering::timed_without_street;
use super::super::scene::Scene;
use super::super::templates::Templates;
use super::super::transcript::{
    Goal, Heard, Pick, asks_attending, asks_cancelling, cannot_come, picks,
};
use super::number::{Number, meant};
use super::others::wants_somebody_else;
use super::several::{Part, of_next};
use super::whose::asks_whose;
use crate::supervisor::Awaiting;
use crate::when::{Asked, Day, Time, When, offers, party, settle};
use jiff::civil::Date;
use quipu_core::agent::{Intent, Vertical};

/// What is known of a booking besides what is booked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Wish {
    pub(in super::super) when: When,
    pub(in super::super) party: Option<u16>,
    /// A number that may be as many people as an hour.
    pub(in super::super) unclear: Option<u16>,
}

impl Scene<'_> {
    /// Reads the messages of the present matter.
    pub(in super::super) fn wish(&self) -> Wish {
        self.wish_of(None)
    }

    /// The same of one service, where a message asked for several: of that message only its own part counts.
    pub(super) fn wish_of(&self, part: Option<&Part>) -> Wish {
        let mut wish = Wish::default();
        let table = self.setting.vertical == Vertical::Restaurant
            && matches!(self.state.goal, Some(Goal::Booking));
        if let Some(part) = part.filter(|part| part.at < self.state.since) {
            let said = When::read(&part.text, self.voice.language, &self.setting.now, None);
            wish.when = wish.when.then(said);
        }
        for heard in self
            .state
            .heard
            .iter()
            .filter(|heard| heard.at >= self.state.since)
        {
            let Some(turn) = self.messages.get(heard.at) else {
                continue;
            };
            let aside = matches!(
                heard.intent,
                Intent::Hours | Intent::Location | Intent::Loyalty
            );
            if aside && !heard.goes_on {
                continue;
            }
            // "La del lunes" says which appointment is meant, and not when it shall be.
            let points = heard.awaiting == Some(Awaiting::Service)
                && matches!(heard.goal, Some(Goal::Reschedule | Goal::CancelAppointment));
            if points {
                continue;
            }
            // "¿Hasta el miércoles puedo cancelar?" names no day to come on.
            let words = folded(&turn.text);
            let who = asks_attending(&words) && turn.text.contains('?');
            if asks_cancelling(&words) || who {
                continue;
            }
            // "El jueves no puedo ir" names no day that is wanted, unless a better one comes with it.
            let refuses = heard.goal == Some(Goal::Booking) && cannot_come(&words);
            if refuses && !says(&words, &["mejor", "pero", "but", "instead"]) {
                wish.when = When::default();
                continue;
            }
            // "Las dos de pastor" says what, and not when.
            let chooses = heard.goal == Some(Goal::Order)
                && heard.awaiting == Some(Awaiting::OrderItems)
                && names_so_many(&folded(&turn.text));
            if chooses {
                continue;
            }
            // The street that an order is brought to may be called after a day.
            let brought = heard.goal == Some(Goal::Order);
            let timed = says(
                &folded(&turn.text),
                &["a las", "para las", "a la una", "at"],
            );
            let placed = timed_without_street(&turn.text);
            let text = if brought && heard.awaiting == Some(Awaiting::Address) && !timed {
                ""
            } else if brought {
                placed.as_str()
            } else {
                &turn.text
            };
            let text = match part.filter(|part| part.at == heard.at) {
                Some(part) => part.text.as_str(),
                None => text,
            };
            let number = meant(text, &wish, heard.awaiting).filter(|_| table);
            if let Some(number) = number {
                self.add_number(&mut wish, number);
                continue;
            }
            let before = wish;
            self.add_when(&mut wish, heard, text);
            let asked = heard.awaiting == Some(Awaiting::PartySize);
            wish.party = party(&turn.text, asked).or(wish.party);
            if wish != before {
                wish.unclear = None;
            }
        }
        // Of an appointment that is moved it is the day that it has itself.
        let moves = self.state.goal == Some(Goal::Reschedule);
        if wish.when.same_day && wish.when.day.is_none() && !moves {
            wish.when.day = self.day_of_booking();
        }
        wish
    }

    /// Takes in a bare number. An hour is one of the day that is meant already.
    fn add_number(&self, wish: &mut Wish, number: Number) {
        wish.unclear = None;
        match number {
            Number::People(people) => wish.party = Some(people),
            Number::Hour(hour) => {
                let hour = format!("a las {hour}");
                let said = When::read(&hour, self.voice.language, &self.setting.now, None);
                wish.when = wish.when.then(said);
            }
            Number::Unclear(number) => wish.unclear = Some(number),
        }
    }

    /// The day of what was booked before, which "el mismo día" is.
    fn day_of_booking(&self) -> Option<Day> {
        let told = offers(self.booked_here()?, self.voice.language, &self.setting.now);
        told.iter().find_map(|(date, _)| *date).map(Day::On)
    }

    fn add_when(&self, wish: &mut Wish, heard: &Heard, text: &str) {
        // Of an order that nobody named an hour for it counts things.
        let timed = heard.goal != Some(Goal::Order) || wish.when.time.is_some();
        let asked = match heard.awaiting {
            Some(Awaiting::Day) => Some(Asked::Day),
            Some(Awaiting::Time) => Some(Asked::Time),
            // "Mejor 7" behind an hour that was read back is another one, where nobody counts people.
            Some(Awaiting::Confirmation)
                if wish.party.is_none() && timed && prefers_number(text) =>
            {
                Some(Asked::Time)
            }
            _ => None,
        };
        let said = When::read(text, self.voice.language, &self.setting.now, asked);
        let offered = match heard.awaiting {
            Some(Awaiting::Time | Awaiting::Confirmation) => self.offered(heard.at),
            _ => Vec::new(),
        };
        // "No, somos 4" refuses the number, and neither the day nor the hour.
        let counts = party(text, false).is_some() && said.is_empty();
        // And "no, con otra doctora" refuses the person alone.
        let counts = counts || wants_somebody_else(&folded(text)) && said.is_empty();
        let refuses = heard.affirms == Some(false) && !counts;
        // An order that is refused is wanted otherwise, and not at another hour.
        let orders = heard.goal == Some(Goal::Order);
        if heard.awaiting == Some(Awaiting::Confirmation) && refuses && !orders {
            wish.when.time = None;
        }
        // A number alone is a day of the month that the customer spoke of, or else of the one that was offered.
        let said = match self.spoken_of(heard.at) {
            Some(date) if wish.when.day.is_none() => said.in_month_of(date),
            _ => said,
        };
        let said = among_offered(&offered, said.within(&wish.when));
        let chosen = choose(&offered, &said, &folded(text), heard.affirms);
        // Who refuses the day takes nothing of what was offered on it.
        let chosen = chosen.filter(|(date, _)| said.refused != Some(*date));
        wish.when = wish.when.then(said);
        if let Some((date, minute)) = chosen {
            wish.when = wish.when.then(When::at(date, minute));
        }
    }

    /// The day that the agent spoke of before a message.
    fn spoken_of(&self, at: usize) -> Option<Date> {
        let text = self.said_before(at)?;
        let told = When::read(text, self.voice.language, &self.setting.now, None);
        told.day.and_then(Day::single)
    }

    /// The moments that the agent named before a message.
    pub(in super::super) fn offered(&self, at: usize) -> Vec<(Date, Time)> {
        let text = of_next(self.said_before(at).unwrap_or_default());
        let text = to_confirm(text);
        // Whose appointment is meant was asked by telling when it is now.
        if asks_whose(text) {
            return Vec::new();
        }
        let offered = offers(text, self.voice.language, &self.setting.now);
        let dated = offered
            .into_iter()
            .filter_map(|(date, time)| Some((date?, time)));
        dated.collect()
    }
}

/// Whether a text prefers a number and says nothing else: "mejor 7", "no, mejor 5".
fn prefers_number(text: &str) -> bool {
    let words = folded(text);
    let mut words = words.split(' ').filter(|word| *word != "no").peekable();
    let prefers = words.any(|word| matches!(word, "mejor" | "rather" | "better"));
    let number = words.next().is_some_and(|word| word.parse::<u8>().is_ok());
    prefers && number && words.next().is_none()
}

/// What was read back to be confirmed, without what was answered before it: the hours of another day that a question
/// was about are no offer.
fn to_confirm(text: &str) -> &str {
    let asks = |text: &str| {
        let said = Templates::get().recognise(text);
        said.iter().any(|said| said.key.starts_with("confirm."))
    };
    if !asks(text) {
        return text;
    }
    let ends = text.match_indices(['.', '!', '?', '\n', ']']);
    let mut rest = ends.rev().map(|(at, _)| &text[at + 1..]);
    rest.find(|rest| asks(rest)).unwrap_or(text)
}

/// Whether folded words name so many of a kind by what would be an hour elsewhere. "Las dos de la tarde" is
/// one.
fn names_so_many(words: &str) -> bool {
    const NUMBERS: &[&str] = &[
        "dos", "tres", "cuatro", "cinco", "seis", "2", "3", "4", "5", "6",
    ];
    let words: Vec<&str> = words.split(' ').collect();
    words.windows(4).enumerate().any(|(at, four)| {
        let led = at
            .checked_sub(1)
            .is_some_and(|before| matches!(words[before], "a" | "para"));
        let counted = matches!(four[0], "las" | "los") && NUMBERS.contains(&four[1]);
        counted && four[2] == "de" && four[3] != "la" && !led
    })
}

/// The moment that a customer picks out of those offered.
fn choose(
    offered: &[(Date, Time)],
    said: &When,
    words: &str,
    affirms: Option<bool>,
) -> Option<(Date, u16)> {
    let exact = |(date, time): &(Date, Time)| (*date, settle(*time, &[]));
    if let Some(time) = said.time {
        let day = said.day.and_then(Day::single);
        let fits = |(date, offered): &&(Date, Time)| {
            time.agrees_with(*offered) && day.is_none_or(|day| day == *date)
        };
        return offered.iter().find(fits).map(exact);
    }
    if said.day.is_some() {
        let mut of_day = offered
            .iter()
            .filter(|(date, _)| said.day == Some(Day::On(*date)));
        let only = of_day.next();
        return only.filter(|_| of_day.next().is_none()).map(exact);
    }
    match picks(words) {
        Some(Pick::At(at)) => return offered.get(at).map(exact),
        Some(Pick::Last) => return offered.last().map(exact),
        Some(Pick::Any) => return offered.first().map(exact),
        None => {}
    }
    let points = offered.len() == 1 && says(words, &["esa", "ese", "that one"]);
    // "Esa hora no" begins like a yes.
    let refuses = says(words, &["no"]);
    let taken = (affirms == Some(true) || points) && !refuses;
    offered.first().filter(|_| taken).map(exact)
}

/// A weekday that is that of one of the days offered means that day.
fn among_offered(offered: &[(Date, Time)], said: When) -> When {
    let Some(Day::On(date)) = said.day.filter(|_| said.weekday) else {
        return said;
    };
    let same = |(offered, _): &&(Date, Time)| offered.weekday() == date.weekday();
    match offered.iter().find(same) {
        Some((offered, _)) => When {
            day: Some(Day::On(*offered)),
            ..said
        },
        None => said,
    }
}
