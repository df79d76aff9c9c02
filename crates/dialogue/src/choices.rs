//! What a customer can tap instead of writing it, where the channel has something to tap.

use crate::state::{Awaited, DialogueState, Goal, SlotOffer};
use jiff::civil::Weekday;
use quipu_core::language::Language;

/// Channels show no more than ten.
const MOST: usize = 10;

impl DialogueState {
    /// The answers to what was asked last, each in words that are understood when they come back. None
    /// where anything may be answered.
    #[must_use]
    pub fn choices(&self, language: Language) -> Vec<String> {
        match (&self.awaited, &self.goal) {
            (Some(Awaited::Slot), Some(Goal::Book(goal))) => match goal.visits.as_slice() {
                [visit] => times(&visit.offered, language),
                // Which of several visits a time is for, nobody could tell.
                _ => Vec::new(),
            },
            (Some(Awaited::Slot), Some(Goal::Move(goal))) => times(&goal.offered, language),
            (Some(Awaited::Consent | Awaited::Person | Awaited::Offer(_)), _) => {
                let (yes, no) = match language {
                    Language::Es => ("Sí", "No"),
                    Language::En => ("Yes", "No"),
                };
                vec![yes.to_owned(), no.to_owned()]
            }
            _ => Vec::new(),
        }
    }
}

fn times(offered: &[SlotOffer], language: Language) -> Vec<String> {
    let is_one_day = offered.windows(2).all(|two| two[0].date == two[1].date);
    let mut times: Vec<String> = offered
        .iter()
        .map(|slot| {
            let time = format!("{:02}:{:02}", slot.minute / 60, slot.minute % 60);
            if is_one_day {
                return time;
            }
            let weekday = name(slot.date.weekday(), language);
            format!("{weekday} {}, {time}", slot.date.day())
        })
        .collect();
    times.dedup();
    times.truncate(MOST);
    times
}

const fn name(weekday: Weekday, language: Language) -> &'static str {
    match (weekday, language) {
        (Weekday::Monday, Language::Es) => "lunes",
        (Weekday::Tuesday, Language::Es) => "martes",
        (Weekday::Wednesday, Language::Es) => "miércoles",
        (Weekday::Thursday, Language::Es) => "jueves",
        (Weekday::Friday, Language::Es) => "viernes",
        (Weekday::Saturday, Language::Es) => "sábado",
        (Weekday::Sunday, Language::Es) => "domingo",
        (Weekday::Monday, Language::En) => "Monday",
        (Weekday::Tuesday, Language::En) => "Tuesday",
        (Weekday::Wednesday, Language::En) => "Wednesday",
        (Weekday::Thursday, Language::En) => "Thursday",
        (Weekday::Friday, Language::En) => "Friday",
        (Weekday::Saturday, Language::En) => "Saturday",
        (Weekday::Sunday, Language::En) => "Sunday",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn slot(day: i8, minute: u16) -> SlotOffer {
        SlotOffer {
            slot_id: String::new(),
            date: date(2026, 11, day),
            minute,
            branch: None,
            staff: None,
        }
    }

    #[test]
    fn times_of_one_day_are_times_and_others_name_their_day() {
        let one = [slot(20, 600), slot(20, 630)];
        assert_eq!(times(&one, Language::Es), ["10:00", "10:30"]);
        let two = [slot(20, 600), slot(25, 600)];
        assert_eq!(
            times(&two, Language::Es),
            ["viernes 20, 10:00", "miércoles 25, 10:00"]
        );
        assert!(
            times(&two, Language::Es)
                .iter()
                .all(|title| title.chars().count() <= 20)
        );
    }
}
