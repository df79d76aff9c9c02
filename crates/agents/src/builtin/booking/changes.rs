//! Moving and cancelling an appointment that the customer has.

use super::super::catalogue::Meant;
use super::super::folded::{begins, field, says};
use super::super::scene::{Draft, Scene};
use super::super::templates::Templates;
use super::super::transcript::Goal;
use super::own::Own;
use super::slots::{day_after, fitting, minutes, nearest};
use super::{Slot, Sought};
use crate::when::{Day, Time, When, party};
use jiff::civil::Date;
use quipu_core::agent::Vertical;
use quipu_core::lead::Temperature;
use quipu_core::ports::Speaker;
use quipu_core::{Error, ErrorCode, Result};
use serde_json::{Value, json};

/// How long an appointment may take by itself, in minutes: so near to it nothing else need be free.
const OWN_MINUTES: u16 = 60;

/// What is to be changed, and to when.
struct Move {
    own: Own,
    sought: Sought,
    when: When,
}

impl Scene<'_> {
    /// Takes the next step of moving an appointment. What there is to move is looked up first.
    pub(in super::super) async fn reschedule(&self, draft: &mut Draft) -> Result<()> {
        // "No, mejor a las 9" refuses the hour and not the change.
        // And "no, la limpieza" says which one.
        let bare = self.words.split(' ').count() <= 2 && self.state.affirms == Some(false);
        let other = self.state.said.contains(&"other.moved");
        let refused = self.refused() || other && bare;
        if refused && !self.said_whose() && self.says_no_time() {
            draft.say(self.voice, "left", &[]);
            return Ok(());
        }
        let Some(own) = self.own_appointment(draft, "which.moved").await? else {
            return Ok(());
        };
        let branches = self.branches().await?;
        let wish = self.wish();
        let when = moved_to(self.while_open(wish.when, &branches), &own);
        let party = wish
            .party
            .filter(|party| own.party.is_some_and(|now| now != *party));
        if let Some(people) = party
            && party_said(self.text) == party
        {
            let people = self.people(people);
            draft.say(self.voice, "party.change", &[("party", &people)]);
            if when.is_empty() {
                self.call_for_party(draft).await;
                return Ok(());
            }
        }
        if when.day.is_none() && !when.soonest {
            draft.say(self.voice, "ask.new_day", &[]);
            return Ok(());
        }
        let today = self.setting.now.date();
        if when.day.is_some_and(|day| day.last() < today) {
            draft.say(self.voice, "past", &[]);
            return Ok(());
        }
        let mut sought = self.moved_service(&own).await;
        sought.party = party.or(sought.party);
        let free = self.free(&sought, &when).await?;
        let planned = Move { own, sought, when };
        let day = when.day.and_then(Day::single);
        let minute = when.settle(&minutes(&free.slots));
        match (day, minute) {
            (Some(day), Some(minute)) => {
                self.move_to(draft, &planned, &free.slots, day, minute)
                    .await
            }
            _ => self.offer_move(draft, &planned, &free.slots).await,
        }
    }

    /// Whether a message that books something rather means what is booked already: "la limpieza mejor
    /// el martes", where there is one ahead. Nobody wants two of it in that case.
    pub(in super::super) async fn means_booked(&self) -> bool {
        const INSTEAD: &[&str] = &[
            "mejor", "instead", "rather", "pon", "ponla", "ponme", "ponmela", "deja", "dejala",
            "dejame",
        ];
        let another = begins(
            &self.words,
            &["otra", "otro", "nuev", "another", "new", "tambien"],
        );
        if another || !says(&self.words, INSTEAD) || self.says_no_time() {
            return false;
        }
        if self.state.awaiting.is_some() || self.state.goal != Some(Goal::Booking) {
            return false;
        }
        let own = self.own_ahead().await.ok().flatten().unwrap_or_default();
        let booked: Vec<String> = own.into_iter().map(|one| one.service).collect();
        matches!(self.meant(self.text, &booked), Meant::One(_))
    }

    /// Offers times to move to.
    async fn offer_move(&self, draft: &mut Draft, planned: &Move, slots: &[Slot]) -> Result<()> {
        let what = self.voice.pick("tu cita", "your appointment");
        let day = planned.when.day.and_then(Day::single);
        let fits = fitting(slots, &planned.when);
        if !fits.is_empty() {
            self.offer(draft, what, &fits, day, false);
            return Ok(());
        }
        if let Some(day) = day {
            let within = self.voice.pick("a esa hora", "at that time");
            let within = if slots.is_empty() { "" } else { within };
            let filling = [("day", &*self.voice.day(day)), ("within", within)];
            draft.say(self.voice, "not.day", &filling);
        }
        if !slots.is_empty() {
            self.offer(draft, what, slots, day, false);
            return Ok(());
        }
        let last = planned.when.day.map_or(self.setting.now.date(), Day::last);
        let later = self
            .free_after(&planned.sought, &planned.when, day_after(last))
            .await?;
        let fits = fitting(&later.slots, &planned.when);
        let some = if fits.is_empty() { later.slots } else { fits };
        if some.is_empty() {
            draft.say(self.voice, "not.any", &[]);
        } else {
            self.offer(draft, what, &some, None, false);
        }
        Ok(())
    }

    /// The new moment is known: it has to be free, and the customer has to want it.
    async fn move_to(
        &self,
        draft: &mut Draft,
        planned: &Move,
        slots: &[Slot],
        day: Date,
        minute: u16,
    ) -> Result<()> {
        let own = &planned.own;
        let mut there = slots.iter().filter(|slot| slot.minute == minute);
        let first = there.next();
        // Whoever attends now does so again where they can; nobody else is refused for it.
        let same = there.find(|slot| slot.staff == own.staff);
        let slot = first
            .filter(|slot| slot.staff == own.staff)
            .or(same)
            .or(first);
        // What the appointment itself takes up is free for it and for nobody else. Anything else is offered
        // only where it was seen to be free.
        let overlaps = day == own.date && minute.abs_diff(own.minute) < OWN_MINUTES;
        if slot.is_none() && !overlaps {
            self.not_at(draft, day, minute);
            let near = nearest(slots, minute);
            return self.offer_move(draft, planned, &near).await;
        }
        let agreed = self.confirmed() && self.state.said.contains(&"confirm.move");
        let staff = slot.and_then(|slot| slot.staff.as_deref());
        let ordered = self.may_change && self.orders_move() && !self.confirmed_before();
        if !(agreed || ordered) {
            let filling = [
                ("service", own.service.as_str()),
                ("day", &*self.voice.day(day)),
                ("time", &self.voice.at(minute)),
                ("staff", staff.unwrap_or_default()),
            ];
            draft.say(self.voice, "confirm.move", &filling);
            return Ok(());
        }
        let time = format!("{:02}:{:02}", minute / 60, minute % 60);
        let mut asked = json!({ "appointment_id": own.id, "date": day.to_string(), "time": time });
        if let Some(slot) = slot {
            asked["slot_id"] = json!(slot.id);
        }
        match self.office.call("reschedule_appointment", asked).await {
            Ok(moved) => {
                self.say_changed(draft, "done.moved", &moved);
                // How many come is changed by a person, now that it is known for when.
                if planned.sought.party != own.party {
                    self.call_for_party(draft).await;
                }
            }
            Err(error) if error.code() == ErrorCode::SlotUnavailable => {
                self.not_at(draft, day, minute);
                let others = slots.iter().filter(|slot| slot.minute != minute);
                let others: Vec<Slot> = others.cloned().collect();
                let near = nearest(&others, minute);
                self.offer_move(draft, planned, &near).await?;
            }
            Err(error) => self.explain_change(draft, &error).await,
        }
        Ok(())
    }

    fn not_at(&self, draft: &mut Draft, day: Date, minute: u16) {
        let filling = [
            ("day", &*self.voice.day(day)),
            ("time", &self.voice.at(minute)),
        ];
        draft.say(self.voice, "not.at", &filling);
    }

    /// Takes the next step of cancelling an appointment, which is looked up first and never cancelled
    /// without a yes.
    pub(in super::super) async fn cancel_appointment(&self, draft: &mut Draft) -> Result<()> {
        let chosen = ["which.appointment", "other.cancelled"];
        let chosen = chosen.iter().any(|key| self.state.said.contains(key));
        if self.refused() && !self.said_whose() || chosen && self.state.affirms == Some(false) {
            draft.say(self.voice, "left", &[]);
            return Ok(());
        }
        let Some(own) = self.own_appointment(draft, "which.appointment").await? else {
            return Ok(());
        };
        let asked = self.state.said.contains(&"confirm.cancel");
        if !(self.confirmed() && asked || chosen && self.may_change) {
            let (day, time) = (self.voice.day(own.date), self.voice.at(own.minute));
            let filling = [
                ("service", own.service.as_str()),
                ("day", &day),
                ("time", &time),
            ];
            draft.say(self.voice, "confirm.cancel", &filling);
            return Ok(());
        }
        let asked = json!({ "appointment_id": own.id });
        match self.office.call("cancel_appointment", asked).await {
            Ok(cancelled) => self.say_changed(draft, "done.cancelled", &cancelled),
            Err(error) => self.explain_change(draft, &error).await,
        }
        Ok(())
    }

    /// Whether the customer says that another number of people comes to the table that was just kept for
    /// them. No tool changes that, so that a person does it, and the customer hears so.
    pub(in super::super) async fn changes_party(&self, draft: &mut Draft) -> bool {
        let kept = self.state.completed.last() == Some(&Goal::Booking)
            && self.setting.vertical == Vertical::Restaurant
            && self.state.goal.is_none_or(|goal| goal == Goal::Booking)
            && self.state.awaiting.is_none();
        let said = When::read(self.text, self.voice.language, &self.setting.now, None);
        let another = begins(&self.words, &["otra", "otro", "nueva", "another", "new"]);
        let counts = begins(
            &self.words,
            &[
                "somos", "seremos", "seriamos", "vamos", "iremos", "personas", "people", "we",
            ],
        );
        let Some(people) = party_said(self.text) else {
            return false;
        };
        if !kept || another || !counts || !said.is_empty() {
            return false;
        }
        let people = self.people(people);
        draft.say(self.voice, "party.change", &[("party", &people)]);
        self.call_for_party(draft).await;
        true
    }

    async fn call_for_party(&self, draft: &mut Draft) {
        let why = self.voice.pick(
            "Cambiar cuántos vienen a una mesa",
            "Change how many come to a table",
        );
        let people = self.wish().party.or_else(|| party_said(self.text));
        let people = people.map(|people| self.people(people)).unwrap_or_default();
        let why = format!("{why} ({people})");
        self.hand_over(draft, "escalated.plain", &why).await;
    }

    async fn explain_change(&self, draft: &mut Draft, error: &Error) {
        match error.code() {
            ErrorCode::NotFound => self.tell_none(draft).await,
            _ => self.explain(draft, error).await,
        }
    }

    fn say_changed(&self, draft: &mut Draft, key: &str, changed: &Value) {
        let (day, time) = self.moment_of(changed).unwrap_or_default();
        let what = if self.setting.vertical == Vertical::Restaurant {
            self.voice.pick("tu mesa", "your table")
        } else {
            self.voice.pick("tu cita", "your appointment")
        };
        let filling = [
            ("service", field(changed, "service").unwrap_or(what)),
            ("day", &day),
            ("time", &time),
            ("branch", field(changed, "branch_name").unwrap_or_default()),
            ("staff", field(changed, "staff_name").unwrap_or_default()),
        ];
        draft.say(self.voice, key, &filling);
        draft.awaiting = None;
        draft.temperature = Some(Temperature::Warm);
    }

    /// Whether what is to be changed was made here after a question, so that a change of it is asked too.
    fn confirmed_before(&self) -> bool {
        let agent = self.messages.iter();
        let mut agent = agent.filter(|turn| turn.speaker == Speaker::Agent);
        agent.any(|turn| {
            let said = Templates::get().recognise(&turn.text);
            said.iter()
                .any(|said| matches!(said.key, "confirm.booking" | "confirm.table"))
        })
    }

    /// Whether the message itself orders the change: "pásame al viernes a la misma hora".
    fn orders_move(&self) -> bool {
        let orders = [
            "pasam",
            "pasal",
            "pasen",
            "muev",
            "cambiam",
            "cambial",
            "reagendam",
            "reprogramam",
            "confirm",
            "ponm",
            "ponl",
            "adelantam",
        ];
        let ordered = begins(&self.words, &orders)
            || says(&self.words, &["move it", "change it", "move my", "move me"]);
        ordered && !self.text.contains('?') && self.state.affirms != Some(false)
    }

    /// What is looked for in the place of an appointment: the same, by whoever does it unless somebody is
    /// named, and at the same branch unless another is.
    async fn moved_service(&self, own: &Own) -> Sought {
        let branches = self.branches().await.unwrap_or_default();
        let mut sought = Sought {
            service: Some(own.service.clone()).filter(|service| !service.is_empty()),
            branch: Some(own.branch.clone())
                .filter(|branch| branches.len() > 1 && !branch.is_empty()),
            party: own.party,
            ..Sought::default()
        };
        for heard in self
            .state
            .heard
            .iter()
            .filter(|heard| heard.at >= self.state.since)
        {
            let Some(turn) = self.messages.get(heard.at) else {
                continue;
            };
            if branches.len() > 1 {
                sought.branch = self.branch_in(&turn.text, &branches).or(sought.branch);
            }
            sought.staff = self.staff_in(&turn.text).await.or(sought.staff);
        }
        sought
    }
}

/// The number of people that a message names of itself.
fn party_said(text: &str) -> Option<u16> {
    party(text, false)
}

/// When an appointment shall be, by what was said: the day and hour that it has now only say which one
/// is meant, "a la misma hora" is its own hour, and an hour without a day is one of its own day.
fn moved_to(said: When, own: &Own) -> When {
    let mut when = said.in_month_of(own.date);
    let minute = when.settle(&[own.minute]);
    let names_day = when.day == Some(Day::On(own.date));
    let names_hour = minute == Some(own.minute);
    if names_day && (when.time.is_none() || names_hour) && when.part.is_none() {
        when.day = None;
        when.time = None;
    } else if when.day.is_none() && when.same_day {
        when.day = Some(Day::On(own.date));
    } else if when.day.is_none() && when.refused.is_some() {
        // Another day is asked for, and the hour stays.
    } else if when.day.is_none() && names_hour && !when.same_time {
        when.time = None;
    } else if when.day.is_none() && when.time.is_some() {
        when.day = Some(Day::On(own.date));
    }
    if when.same_time {
        when.time = Some(Time {
            minute: own.minute,
            certain: true,
        });
    }
    when
}
