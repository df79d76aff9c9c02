//! Booking visits: what is still missing, what was settled, and the yes that it waits for.

use super::PolicyRun;
use super::slots::clock;
use crate::business::ServiceFact;
use crate::facts::Known;
use crate::read::Consent;
use crate::say::Phrase;
use crate::state::{
    AgreedVisit, Awaited, BookGoal, DoneDeed, Goal, OfferedGoal, SlotOffer, VisitWish,
};
use quipu_core::lead::Temperature;
use quipu_core::{Error, ErrorCode};
use quipu_language::when::{Day, When};
use serde_json::{Value, json};

/// How many services are named to choose from.
const MOST_SERVICES: usize = 8;

impl PolicyRun<'_> {
    pub(super) fn advance_booking(&mut self, mut goal: BookGoal) -> Known<()> {
        if goal.visits.is_empty() {
            goal.visits.push(VisitWish::default());
        }
        self.state.warm(Temperature::Warm);
        if self.refuses(&goal) {
            self.drop_choice(&mut goal);
            self.state.goal = Some(Goal::Book(goal));
            return Ok(());
        }
        for at in 0..goal.visits.len() {
            let mut visit = std::mem::take(&mut goal.visits[at]);
            if let Some(before) = at
                .checked_sub(1)
                .and_then(|at| goal.visits.get(at))
                .cloned()
            {
                visit.follow(&before);
                self.put_behind(&mut visit, &before, goal.in_turn)?;
            }
            let settled = self.settle_visit(&mut visit, goal.urgent)?;
            if let Some(before) = at
                .checked_sub(1)
                .and_then(|at| goal.visits.get(at))
                .cloned()
            {
                self.put_behind(&mut visit, &before, goal.in_turn)?;
            }
            goal.visits[at] = visit;
            if !settled {
                self.state.goal = Some(Goal::Book(goal));
                return Ok(());
            }
        }
        if !self.settle_names(&goal) {
            self.state.goal = Some(Goal::Book(goal));
            return Ok(());
        }
        let agreed = self.agreed(&goal);
        let same = goal.read_back == agreed;
        if self.agrees() && same || self.chose_and_confirms() || self.asks_in_full(&goal) {
            return self.book(goal, &agreed);
        }
        self.read_back_visits(&agreed);
        goal.read_back = agreed;
        self.state.goal = Some(Goal::Book(goal));
        self.state.awaited = Some(Awaited::Consent);
        Ok(())
    }

    /// Whether the message refuses what was read back or offered, and says nothing else.
    fn refuses(&self, goal: &BookGoal) -> bool {
        let unchanged = self.before.goal.as_ref() == Some(&Goal::Book(goal.clone()));
        let asked = matches!(self.before.awaited, Some(Awaited::Consent | Awaited::Slot));
        // "¡No! Dije a las 10:45" says again what was read back.
        let minutes = self.heard.minutes(&self.profile.now);
        let said_again = goal.visits.iter().any(|visit| {
            let chosen = visit.chosen.as_ref();
            chosen.is_some_and(|slot| minutes.contains(&slot.minute))
        });
        asked && unchanged && self.consent == Consent::No && !said_again
    }

    fn drop_choice(&mut self, goal: &mut BookGoal) {
        for visit in &mut goal.visits {
            visit.chosen = None;
            visit.offered.clear();
            visit.when = When::default();
        }
        goal.read_back.clear();
        self.say(Phrase::Declined, &[]);
        self.state.awaited = Some(Awaited::Day);
    }

    /// Whether the message picks a time that was on offer and says in so many words that it shall be booked.
    fn chose_and_confirms(&self) -> bool {
        let Some(Goal::Book(before)) = &self.before.goal else {
            return false;
        };
        let offered = before
            .visits
            .iter()
            .all(|visit| !visit.offered.is_empty() || visit.chosen.is_some());
        let Some(Goal::Book(now)) = &self.state.goal else {
            return false;
        };
        let among = now
            .visits
            .iter()
            .zip(&before.visits)
            .all(|(visit, before)| {
                let chosen = visit.chosen.as_ref();
                chosen.is_some_and(|slot| {
                    before.offered.contains(slot) || before.chosen.as_ref() == Some(slot)
                }) && visit.service == before.service
            });
        offered && among && now.visits.len() == before.visits.len() && self.confirms()
    }

    /// Whether one message says all there is to a visit and, in so many words, that it shall be booked.
    fn asks_in_full(&self, goal: &BookGoal) -> bool {
        let [visit] = goal.visits.as_slice() else {
            return false;
        };
        let begun = !matches!(self.before.goal, Some(Goal::Book(_)));
        let said = self.heard.when(&self.profile.now, None);
        let named = visit.service.is_some() && visit.name.is_some();
        let timed = said.day.and_then(Day::single).is_some() && said.time.is_some();
        begun && named && timed && self.confirms()
    }

    /// Finds what is missing of a visit, and asks for it. `true` once nothing is.
    fn settle_visit(&mut self, visit: &mut VisitWish, urgent: bool) -> Known<bool> {
        if !self.settle_person(visit) || !self.settle_service(visit) {
            return Ok(false);
        }
        let service = visit.service.and_then(|id| self.business.service(id));
        let what = service.map_or_else(
            || self.voice.pick("tu cita", "your appointment").to_owned(),
            |service| service.name.clone(),
        );
        if !self.settle_branch(visit, service) {
            return Ok(false);
        }
        let unsaid = visit.when.day.is_none() && !visit.when.soonest && visit.chosen.is_none();
        if unsaid && !urgent && visit.offered.is_empty() && visit.when.time.is_none() {
            let said = if service.is_some() { what.as_str() } else { "" };
            self.say(Phrase::AskDay, &[("service", said)]);
            self.state.awaited = Some(Awaited::Day);
            return Ok(false);
        }
        let vertical = self.profile.vertical;
        let counts = service.is_some_and(|it| it.counts_people(vertical));
        if counts && visit.party.is_none() {
            if service.is_some_and(ServiceFact::with_table) {
                self.say(Phrase::AskParty, &[]);
            } else {
                self.say(Phrase::AskPeople, &[("service", &what)]);
            }
            self.state.awaited = Some(Awaited::Party);
            return Ok(false);
        }
        if counts && self.tell_of_large_party(visit)? {
            return Ok(false);
        }
        self.settle_time(visit, &what, urgent)
    }

    fn settle_service(&mut self, visit: &mut VisitWish) -> bool {
        if let Some(id) = visit.service {
            if self.business.service(id).is_some() {
                self.state.topic.service = Some(id);
                return self.settle_consultation(visit);
            }
            // What was deleted meanwhile is asked for anew.
            visit.service = None;
        }
        let mut bookable: Vec<&ServiceFact> = self.business.bookable().collect();
        let person = visit.staff.and_then(|id| self.business.person(id));
        if let Some(person) = person {
            // Whoever is asked for by name does what they do, and what cannot wait is asked for as that.
            bookable.retain(|it| it.staff.contains(&person.name) && !it.urgent);
        }
        if let [only] = bookable.as_slice() {
            visit.service = Some(only.id);
            self.state.topic.service = Some(only.id);
            return true;
        }
        if bookable.is_empty() {
            bookable = self.business.bookable().collect();
        }
        if bookable.is_empty() {
            return true;
        }
        let tables: Vec<&&ServiceFact> = bookable.iter().filter(|it| it.with_table()).collect();
        if let (Some(_), [table]) = (visit.party, tables.as_slice()) {
            visit.service = Some(table.id);
            return true;
        }
        // Which of the tables it shall be is asked once; whoever has no wish gets one of them.
        let asked = self.before.awaited == Some(Awaited::Service);
        let vertical = self.profile.vertical;
        let tables = bookable.iter().all(|it| it.counts_people(vertical));
        if let Some(first) = bookable.first().filter(|_| asked && tables) {
            visit.service = Some(first.id);
            return true;
        }
        self.state.awaited = Some(Awaited::Service);
        let named = |services: &[&ServiceFact]| -> Vec<String> {
            let names = services.iter().map(|service| service.name.clone());
            names.take(MOST_SERVICES).collect()
        };
        let among: Vec<&ServiceFact> = bookable
            .iter()
            .copied()
            .filter(|service| visit.among.contains(&service.id))
            .collect();
        if among.len() > 1 {
            let list = self.voice.and(&named(&among));
            self.say(Phrase::AskServiceChoice, &[("list", &list)]);
            return false;
        }
        let list = self.voice.and(&named(&bookable));
        if let Some(said) = visit.unknown.take() {
            let said = quipu_core::text::preview(&said, 60);
            self.say(Phrase::UnknownService, &[("said", &said), ("list", &list)]);
            return false;
        }
        self.say(Phrase::AskService, &[("list", &list)]);
        false
    }

    fn settle_branch(&mut self, visit: &mut VisitWish, service: Option<&ServiceFact>) -> bool {
        if visit
            .branch
            .is_some_and(|id| self.business.branch(id).is_none())
        {
            visit.branch = None;
        }
        if visit.branch.is_some() || visit.chosen.is_some() {
            return true;
        }
        let staff = visit.staff.and_then(|id| self.business.person(id));
        let here: Vec<_> = self
            .business
            .branches
            .iter()
            .filter(|branch| service.is_none_or(|service| service.is_at(branch.id)))
            .filter(|branch| {
                let places = staff.map(|person| &person.branches);
                places.is_none_or(|places| places.is_empty() || places.contains(&branch.name))
            })
            .filter(|branch| self.attends_at(service, &branch.name))
            .collect();
        match here.as_slice() {
            [only] => {
                visit.branch = Some(only.id);
                true
            }
            [] => true,
            several => {
                let names: Vec<&str> = several.iter().map(|branch| branch.name.as_str()).collect();
                let list = self.voice.or(&names);
                self.say(Phrase::AskBranch, &[("list", &list)]);
                self.state.awaited = Some(Awaited::Branch);
                false
            }
        }
    }

    /// Whether somebody who does a service is at a branch, as far as that is told.
    fn attends_at(&self, service: Option<&ServiceFact>, branch: &str) -> bool {
        let Some(service) = service.filter(|service| !service.staff.is_empty()) else {
            return true;
        };
        let staff = self.business.staff.iter();
        let mut doing = staff.filter(|person| service.staff.contains(&person.name));
        doing.any(|person| {
            person.branches.is_empty() || person.branches.iter().any(|name| name == branch)
        })
    }

    /// Asks in whose name it is, where nobody knows.
    fn settle_names(&mut self, goal: &BookGoal) -> bool {
        let known = self.customer_name();
        if goal.visits.len() > 1 {
            let missing = goal
                .visits
                .iter()
                .filter(|visit| visit.name.is_none())
                .count();
            let others = goal.visits.iter().any(|visit| visit.whose.is_some());
            if missing == 0 || known.is_some() && !others {
                return true;
            }
            self.say(Phrase::AskNames, &[]);
            self.state.awaited = Some(Awaited::Name);
            return false;
        }
        let named = goal.visits.iter().all(|visit| visit.name.is_some());
        if named || known.is_some() {
            return true;
        }
        self.say(Phrase::AskName, &[]);
        self.state.awaited = Some(Awaited::Name);
        false
    }

    fn agreed(&self, goal: &BookGoal) -> Vec<AgreedVisit> {
        let agreed = goal.visits.iter().filter_map(|visit| {
            Some(AgreedVisit {
                service: visit.service,
                slot: visit.chosen.clone()?,
                party: visit.party,
                whose: visit.whose.clone(),
                name: visit.name.clone().or_else(|| self.customer_name()),
            })
        });
        agreed.collect()
    }

    /// Makes the appointments that were agreed on.
    fn book(&mut self, mut goal: BookGoal, agreed: &[AgreedVisit]) -> Known<()> {
        let mut made: Vec<AgreedVisit> = agreed.to_vec();
        for (at, visit) in agreed.iter().enumerate() {
            let with = booked_with(visit, goal.urgent);
            match self.facts.change("create_appointment", with.clone())? {
                // What was made is told, which is what an earlier message made where it is sent again.
                Ok(done) => {
                    if let Some(staff) = done["staff_name"].as_str() {
                        made[at].slot.staff = Some(staff.to_owned());
                    }
                }
                Err(error) => {
                    // What was made is told, whatever becomes of the rest.
                    goal.visits.drain(..at);
                    self.tell_booked(&made[..at]);
                    return self.could_not_book(goal, error);
                }
            }
            self.informed = true;
            let total = self.total_of(std::slice::from_ref(visit));
            self.state.remember(DoneDeed {
                tool: "create_appointment".to_owned(),
                with,
                total: self.total_of(agreed).or(total),
                number: None,
            });
        }
        self.tell_booked(&made);
        self.state.end();
        self.advance()
    }

    /// Goes on after a visit could not be made: a time that was taken meanwhile is looked for anew.
    fn could_not_book(&mut self, mut goal: BookGoal, error: &Error) -> Known<()> {
        goal.read_back.clear();
        if error.code() != ErrorCode::SlotUnavailable {
            self.explain(error);
            self.state.goal = Some(Goal::Book(goal));
            return Ok(());
        }
        if let Some(visit) = goal.visits.first_mut()
            && let Some(slot) = visit.chosen.take()
        {
            let (day, time) = (self.voice.day(slot.date), self.voice.at(slot.minute));
            self.say(Phrase::NotAt, &[("day", &day), ("time", &time)]);
            visit.when = When {
                day: Some(Day::On(slot.date)),
                ..When::default()
            };
            visit.offered.clear();
        }
        self.advance_booking(goal)
    }

    /// Offers to book what was spoken of, after something was told of it.
    pub(super) fn invite(&mut self) {
        let service = self.state.topic.service;
        let bookable = service.and_then(|id| self.business.service(id));
        let can = bookable.is_some_and(|service| service.bookable) && self.profile.books();
        if can && self.state.goal.is_none() && self.state.awaited.is_none() {
            self.say(Phrase::InviteBook, &[]);
            self.state.awaited = Some(Awaited::Offer(OfferedGoal::Book { service }));
        }
    }
}

impl VisitWish {
    /// Takes over from the visit before what was said for both of them.
    fn follow(&mut self, before: &Self) {
        self.branch = self.branch.or(before.branch);
        if self.when.day.is_none() && self.chosen.is_none() {
            self.when.day = match &before.chosen {
                Some(slot) => Some(Day::On(slot.date)),
                None => before.when.day,
            };
        }
    }
}

/// What an appointment is made with.
fn booked_with(visit: &AgreedVisit, urgent: bool) -> Value {
    let SlotOffer {
        slot_id,
        date,
        minute,
        ..
    } = &visit.slot;
    let mut with = json!({ "slot_id": slot_id, "date": date, "time": clock(*minute) });
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            with[name] = value;
        }
    };
    put("service_id", visit.service.map(|id| json!(id)));
    put("party_size", visit.party.map(|party| json!(party)));
    put("customer_name", visit.name.as_ref().map(|name| json!(name)));
    put("urgent", urgent.then_some(Value::Bool(true)));
    put("notes", visit.whose.as_ref().map(|whose| json!(whose)));
    with
}
