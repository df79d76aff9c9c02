//! The visits that the customer has: telling them, moving them, calling them off.

use super::PolicyRun;
use super::slots::{clock, days_of, exactly};
use crate::facts::Known;
use crate::read::{CatalogueName, Consent, LinkedNames, NameIndex};
use crate::say::Phrase;
use crate::state::{
    Awaited, CancelVisitGoal, DoneDeed, Goal, MoveGoal, OfferedGoal, OwnKind, OwnVisit, SlotOffer,
    VisitWish,
};
use quipu_commerce::calendar::read_minute;
use quipu_core::reading::Act;
use quipu_language::Time;
use quipu_language::when::{Day, When};
use serde::Deserialize as _;
use serde_json::json;
use uuid::Uuid;

impl PolicyRun<'_> {
    /// The visits that the customer has ahead. None when they cannot be seen from here.
    pub(super) fn own_visits(&self) -> Known<Option<Vec<OwnVisit>>> {
        if !self.profile.has_customer || !self.profile.has("get_appointments") {
            return Ok(None);
        }
        let told = self.facts.look("get_appointments", json!({}))?;
        let Ok(told) = told else { return Ok(None) };
        let visits = told["appointments"].as_array().into_iter().flatten();
        let visits = visits.filter_map(|visit| OwnVisit::deserialize(visit).ok());
        Ok(Some(visits.collect()))
    }

    /// Tells which visits the customer has.
    pub(super) fn tell_own_visits(&mut self) -> Known<()> {
        let Some(mut visits) = self.own_visits()? else {
            self.say_with_contact(Phrase::AppointmentUnseen, &[]);
            return Ok(());
        };
        if let Some(meant) = self.visit_meant(&visits) {
            visits = vec![meant];
        }
        self.state.topic.own = Some(OwnKind::Visit);
        match visits.as_slice() {
            [] => self.say_no_visit(),
            [one] => {
                let (day, time) = self.moment(one);
                self.state.topic.service = self.service_of(one);
                let branch = self.branch_of(one);
                let filling = [
                    ("service", one.service.as_str()),
                    ("table", &one.service),
                    ("day", &day),
                    ("time", &time),
                    ("branch", &branch),
                    ("staff", one.staff_name.as_deref().unwrap_or_default()),
                ];
                let table = one.table_name.is_some();
                let phrase = if table {
                    Phrase::TableOne
                } else {
                    Phrase::AppointmentOne
                };
                self.say(phrase, &filling);
            }
            several => {
                let list = self.visit_list(several);
                self.say(Phrase::AppointmentSeveral, &[("list", &list)]);
            }
        }
        Ok(())
    }

    fn say_no_visit(&mut self) {
        let last = self.before.done.last();
        if last.is_some_and(|deed| deed.tool == "cancel_appointment") {
            self.say(Phrase::AlreadyDone, &[]);
            return;
        }
        self.say_with_contact(Phrase::NoAppointment, &[]);
        if self.profile.books() && self.state.goal.is_none() {
            self.state.awaited = Some(Awaited::Offer(OfferedGoal::Book { service: None }));
        }
    }

    fn moment(&self, visit: &OwnVisit) -> (String, String) {
        let minute = read_minute(&visit.time).unwrap_or_default();
        (self.voice.day(visit.date), self.voice.at(minute))
    }

    fn branch_of(&self, visit: &OwnVisit) -> String {
        let several = self.business.branches.len() > 1;
        let branch = visit.branch_name.clone();
        branch.filter(|_| several).unwrap_or_default()
    }

    fn service_of(&self, visit: &OwnVisit) -> Option<Uuid> {
        let mut services = self.business.services.iter();
        let found = services.find(|service| service.name == visit.service);
        found.map(|service| service.id)
    }

    fn visit_list(&self, visits: &[OwnVisit]) -> String {
        let list: Vec<String> = visits
            .iter()
            .map(|visit| {
                let (day, time) = self.moment(visit);
                format!("{}, {day} {time}", visit.service)
            })
            .collect();
        self.voice.and(&list)
    }

    /// The one of several visits that the message names, by what it is or when it is.
    fn visit_meant(&self, visits: &[OwnVisit]) -> Option<OwnVisit> {
        if let [only] = visits {
            return Some(only.clone());
        }
        let called = visits.iter().map(|visit| CatalogueName {
            id: visit.appointment_id,
            names: vec![visit.service.clone()],
        });
        let index = NameIndex::new(called, self.profile.written_in, |_| false);
        let named = self
            .heard
            .spans
            .iter()
            .find_map(|span| index.link(&span.text, self.heard.language).one());
        let named = named.or_else(|| match index.link(&self.heard.text, self.heard.language) {
            LinkedNames::One(id) => Some(id),
            _ => None,
        });
        if let Some(id) = named {
            return visits
                .iter()
                .find(|visit| visit.appointment_id == id)
                .cloned();
        }
        let when = self.heard.when(&self.profile.now, None);
        let day = when.day.and_then(Day::single)?;
        let mut on_day = visits.iter().filter(|visit| visit.date == day);
        let first = on_day.next()?;
        on_day.next().is_none().then(|| first.clone())
    }

    /// Chooses the visit that is meant. `again` says that another one may be named later.
    pub(super) fn choose_own_visit(&self, chosen: &mut Option<OwnVisit>, again: bool) -> Known<()> {
        if chosen.is_some() && !again {
            return Ok(());
        }
        let Some(visits) = self.own_visits()? else {
            return Ok(());
        };
        if chosen.is_none() {
            *chosen = self.visit_meant(&visits);
        }
        Ok(())
    }

    /// Asks which visit is meant, or says that there is none. `true` once it is known.
    fn settle_own_visit(&mut self, chosen: &mut Option<OwnVisit>, moving: bool) -> Known<bool> {
        let Some(visits) = self.own_visits()? else {
            self.say_with_contact(Phrase::AppointmentUnseen, &[]);
            self.state.end();
            return Ok(false);
        };
        if let Some(known) = chosen {
            // What was called off or moved meanwhile is looked for anew.
            let still = visits
                .iter()
                .find(|it| it.appointment_id == known.appointment_id);
            *chosen = still.cloned();
        }
        if chosen.is_none() {
            *chosen = self.visit_meant(&visits);
        }
        if chosen.is_some() {
            return Ok(true);
        }
        if visits.is_empty() {
            self.state.end();
            self.say_no_visit();
            return Ok(false);
        }
        let list = self.visit_list(&visits);
        let phrase = if moving {
            Phrase::WhichMoved
        } else {
            Phrase::WhichAppointment
        };
        self.say(phrase, &[("list", &list)]);
        self.state.awaited = Some(Awaited::WhichVisit);
        Ok(false)
    }

    /// Offers a person to whoever wants a table for another number of people: no tool changes that.
    fn tell_party_is_changed_by_team(&mut self, visit: &OwnVisit) -> bool {
        let people = self.heard.party(false);
        let differs = people.is_some() && visit.party_size.is_some() && people != visit.party_size;
        if !differs || self.state.handed_over {
            return false;
        }
        self.say(Phrase::PartyChangedByTeam, &[]);
        self.state.lay_aside();
        if !self.offer_person() {
            self.say_with_contact(Phrase::ContactOwn, &[]);
        }
        true
    }

    pub(super) fn advance_move(&mut self, mut goal: MoveGoal) -> Known<()> {
        if !self.settle_own_visit(&mut goal.visit, true)? {
            if self.state.goal.is_some() {
                self.state.goal = Some(Goal::Move(Box::new(goal)));
            }
            return Ok(());
        }
        let Some(visit) = goal.visit.clone() else {
            return Ok(());
        };
        self.state.topic.own = Some(OwnKind::Visit);
        self.state.topic.service = self.service_of(&visit).or(self.state.topic.service);
        if self.tell_party_is_changed_by_team(&visit) {
            return Ok(());
        }
        let refused = self.before.awaited == Some(Awaited::Consent)
            && self.consent == Consent::No
            && self.before.goal == Some(Goal::Move(Box::new(goal.clone())));
        if refused {
            goal.chosen = None;
            goal.read_back = None;
            goal.when = When::default();
            self.say(Phrase::Declined, &[]);
            self.state.awaited = Some(Awaited::Day);
            self.state.goal = Some(Goal::Move(Box::new(goal)));
            return Ok(());
        }
        // An hour alone is one of the day that the visit has, a day alone keeps nothing.
        if goal.when.day.is_none() && goal.when.time.is_some() {
            goal.when.day = Some(Day::On(visit.date));
        }
        if goal.when.day.is_none()
            && !goal.when.soonest
            && goal.chosen.is_none()
            && goal.offered.is_empty()
        {
            self.say(Phrase::AskNewDay, &[]);
            self.state.awaited = Some(Awaited::Day);
            self.state.goal = Some(Goal::Move(Box::new(goal)));
            return Ok(());
        }
        if !self.settle_moved_time(&mut goal, &visit)? {
            self.state.goal = Some(Goal::Move(Box::new(goal)));
            return Ok(());
        }
        let Some(slot) = goal.chosen.clone() else {
            return Ok(());
        };
        let same = goal.read_back.as_ref() == Some(&slot);
        let named_in_full = exactly(std::slice::from_ref(&slot), &goal.when).is_some();
        let commands = named_in_full && self.commands(Act::Reschedule);
        if self.agrees() && same || commands || self.confirms() && named_in_full {
            return self.do_move(goal, &visit, &slot);
        }
        let (day, time) = (self.voice.day(slot.date), self.voice.at(slot.minute));
        let filling = [
            ("service", visit.service.as_str()),
            ("day", &day),
            ("time", &time),
            ("staff", slot.staff.as_deref().unwrap_or_default()),
        ];
        self.say(Phrase::ConfirmMove, &filling);
        goal.read_back = Some(slot);
        self.state.goal = Some(Goal::Move(Box::new(goal)));
        self.state.awaited = Some(Awaited::Consent);
        Ok(())
    }

    /// Chooses the new time as a booking does.
    fn settle_moved_time(&mut self, goal: &mut MoveGoal, visit: &OwnVisit) -> Known<bool> {
        let service = self.service_of(visit);
        let branches = self.business.branches.iter();
        let mut branch = branches.filter(|branch| Some(&branch.name) == visit.branch_name.as_ref());
        let mut wish = VisitWish {
            service,
            branch: branch.next().map(|branch| branch.id),
            staff: goal.staff,
            party: visit.party_size,
            when: goal.when,
            offered: goal.offered.clone(),
            chosen: goal.chosen.clone(),
            ..VisitWish::default()
        };
        // Whoever comes to somebody comes to the same person again, where they have time.
        let same = visit.staff_name.as_deref();
        let mut staff = self.business.staff.iter();
        let same = staff.find(|person| Some(person.name.as_str()) == same);
        let days = days_of(&wish.when, self.profile.now.date());
        if let (Some(same), None, None) = (same, goal.staff, &wish.chosen) {
            let theirs = VisitWish {
                staff: Some(same.id),
                ..wish.clone()
            };
            let free = self.free_times(&theirs, days, false)?;
            wish.chosen = exactly(&free.slots, &wish.when);
        }
        let what = visit.service.clone();
        let settled = self.settle_time(&mut wish, &what, false)?;
        goal.when = wish.when;
        goal.offered = wish.offered;
        goal.chosen = wish.chosen;
        Ok(settled)
    }

    fn do_move(&mut self, mut goal: MoveGoal, visit: &OwnVisit, slot: &SlotOffer) -> Known<()> {
        let mut with = json!({
            "appointment_id": visit.appointment_id,
            "slot_id": slot.slot_id,
            "date": slot.date,
            "time": clock(slot.minute),
        });
        if goal.staff.is_some()
            && let Some(name) = &slot.staff
        {
            with["staff_name"] = json!(name);
        }
        let moved = self.facts.change("reschedule_appointment", with.clone())?;
        if let Err(error) = moved {
            self.explain(error);
            goal.chosen = None;
            goal.read_back = None;
            goal.offered.clear();
            self.state.goal = Some(Goal::Move(Box::new(goal)));
            self.state.awaited = Some(Awaited::Day);
            return Ok(());
        }
        self.informed = true;
        let (day, time) = (self.voice.day(slot.date), self.voice.at(slot.minute));
        let several = self.business.branches.len() > 1;
        let branch = slot.branch.clone().filter(|_| several).unwrap_or_default();
        let filling = [
            ("service", visit.service.as_str()),
            ("day", &day),
            ("time", &time),
            ("branch", &branch),
            ("staff", slot.staff.as_deref().unwrap_or_default()),
        ];
        self.say(Phrase::DoneMoved, &filling);
        self.state.remember(DoneDeed {
            tool: "reschedule_appointment".to_owned(),
            with,
            total: None,
            number: None,
        });
        self.state.end();
        self.advance()
    }

    pub(super) fn take_in_cancelled(&mut self, goal: &mut CancelVisitGoal) -> Known<bool> {
        let before = goal.clone();
        self.choose_own_visit(&mut goal.visit, false)?;
        Ok(*goal != before)
    }

    pub(super) fn advance_cancel_visit(&mut self, mut goal: CancelVisitGoal) -> Known<()> {
        if !self.settle_own_visit(&mut goal.visit, false)? {
            if self.state.goal.is_some() {
                self.state.goal = Some(Goal::CancelVisit(goal));
            }
            return Ok(());
        }
        let Some(visit) = goal.visit.clone() else {
            return Ok(());
        };
        self.state.topic.own = Some(OwnKind::Visit);
        self.state.topic.service = self.service_of(&visit).or(self.state.topic.service);
        let (day, time) = self.moment(&visit);
        let filling = [
            ("service", visit.service.as_str()),
            ("day", &day),
            ("time", &time),
        ];
        if self.before.awaited == Some(Awaited::Consent) && self.consent == Consent::No {
            self.state.end();
            self.say(Phrase::Left, &[]);
            return Ok(());
        }
        if self.agrees() && goal.read_back == Some(visit.appointment_id) {
            let with = json!({ "appointment_id": visit.appointment_id });
            if let Err(error) = self.facts.change("cancel_appointment", with.clone())? {
                self.explain(error);
                self.state.end();
                return Ok(());
            }
            self.informed = true;
            self.say(Phrase::DoneCancelled, &filling);
            self.state.remember(DoneDeed {
                tool: "cancel_appointment".to_owned(),
                with,
                total: None,
                number: None,
            });
            self.state.end();
            return self.advance();
        }
        self.say(Phrase::ConfirmCancel, &filling);
        goal.read_back = Some(visit.appointment_id);
        self.state.goal = Some(Goal::CancelVisit(goal));
        self.state.awaited = Some(Awaited::Consent);
        Ok(())
    }
}

/// What is said of when, without the time that the visit has: "tengo cita mañana a las 5, pásame al viernes".
pub(super) fn without_old_time(said: When, visit: &OwnVisit) -> When {
    let minute = read_minute(&visit.time).unwrap_or_default();
    let old = Time {
        minute,
        certain: true,
    };
    let same_day = said.day.and_then(Day::single) == Some(visit.date);
    let same_hour = said.time.is_some_and(|time| time.agrees_with(old));
    let only_names_it = same_day && (same_hour || said.time.is_none());
    if only_names_it && !said.same_time {
        return When::default();
    }
    if said.same_time {
        return When {
            time: Some(old),
            same_time: false,
            ..said
        };
    }
    if said.same_day {
        return When {
            day: Some(Day::On(visit.date)),
            same_day: false,
            ..said
        };
    }
    said
}
