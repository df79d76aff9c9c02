//! Why a visit cannot be booked as it is wanted, and where or how it can.

use super::PolicyRun;
use super::slots::FreeTimes;
use crate::facts::Known;
use crate::say::{Phrase, capital};
use crate::state::{Awaited, VisitWish};
use quipu_language::when::When;

/// More people than this may be subject to other terms.
const LARGE_PARTY: u16 = 8;

impl PolicyRun<'_> {
    /// Says what the business wrote of large groups, where it wrote something, and offers a person. `false` where a
    /// group is booked like any other.
    pub(super) fn tell_of_large_party(&mut self, visit: &VisitWish) -> Known<bool> {
        let party = visit.party.filter(|party| *party > LARGE_PARTY);
        let Some(party) = party else { return Ok(false) };
        let people = self.people(party);
        let about = self
            .voice
            .pick("¿Reciben grupos de", "Do you take groups of");
        let question = format!("{about} {people}?");
        if !self.tell_knowledge_of(&question)? {
            return Ok(false);
        }
        self.offer_person();
        Ok(true)
    }

    /// Says why nothing at all can be booked, where the agenda tells. `false` when it is only full.
    pub(super) fn tell_refusal(
        &mut self,
        visit: &mut VisitWish,
        what: &str,
        free: &FreeTimes,
    ) -> Known<bool> {
        if !free.slots.is_empty() {
            return Ok(false);
        }
        let what = capital(what);
        match free.reason.as_deref() {
            Some("not_bookable") => self.tell_elsewhere(visit, &what)?,
            Some("no_duration") => {
                self.say_with_contact(Phrase::NotTimed, &[("service", &what)]);
                self.state.end();
            }
            Some("too_small") => self.tell_too_large(visit)?,
            Some("too_far") => {
                self.say(Phrase::NotSoFar, &[]);
                visit.when = When::default();
                self.state.awaited = Some(Awaited::Day);
            }
            Some("full") | None => return Ok(false),
            Some(_) => {
                self.say_with_contact(Phrase::Apology, &[]);
                self.failed = true;
            }
        }
        Ok(true)
    }

    /// Says at which other branch it is done, where there is one.
    pub(super) fn tell_elsewhere(&mut self, visit: &mut VisitWish, what: &str) -> Known<()> {
        let here = visit.branch.take();
        if let Some(here) = here {
            let free = self.free_times(visit, None, false)?;
            let mut places: Vec<String> = free
                .slots
                .iter()
                .filter_map(|slot| slot.branch.clone())
                .collect();
            places.sort();
            places.dedup();
            let branch = self.business.branch(here);
            let branch = branch.map_or_else(String::new, |branch| branch.name.clone());
            if !places.is_empty() {
                let list = self.voice.or(&places);
                let filling = [("service", what), ("branch", &branch), ("list", &list)];
                self.say(Phrase::NotHere, &filling);
                self.state.awaited = Some(Awaited::Branch);
                return Ok(());
            }
        }
        if visit.staff.take().is_some() {
            return self.settle_time(visit, what, false).map(|_| ());
        }
        self.say_with_contact(Phrase::NotBookable, &[("service", what)]);
        Ok(())
    }

    pub(super) fn tell_too_large(&mut self, visit: &VisitWish) -> Known<()> {
        let party = visit
            .party
            .map(|party| self.people(party))
            .unwrap_or_default();
        // What the business wrote about large groups says what to do.
        let about = self.voice.pick("grupos grandes de", "large groups of");
        let question = format!("{about} {party}");
        self.tell_knowledge_of(&question)?;
        self.say(Phrase::TableTooLarge, &[("party", &party)]);
        self.state.awaited = Some(Awaited::Person);
        Ok(())
    }
}
