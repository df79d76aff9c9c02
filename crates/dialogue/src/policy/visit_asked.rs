//! What is asked of a visit that is being settled or was booked a moment ago, and what is wanted of it.

use super::PolicyRun;
use crate::facts::Known;
use crate::read::LinkedNames;
use crate::say::Phrase;
use crate::state::{Goal, SlotOffer};
use quipu_core::agent::Intent;
use quipu_core::reading::{Act, SpanKind};
use quipu_language::when::Day;
use serde_json::Value;
use uuid::Uuid;

/// From here on a message is about visits.
const LIKELY: f32 = 0.8;

impl PolicyRun<'_> {
    /// Tells who attends the visit that is being settled, or the one that is booked.
    pub(super) fn tell_who_sees(&mut self, question: &str) -> Known<()> {
        if let Some(Goal::Book(goal)) = &self.state.goal {
            let slots: Vec<SlotOffer> = goal
                .visits
                .iter()
                .flat_map(|visit| match &visit.chosen {
                    Some(chosen) => std::slice::from_ref(chosen).to_vec(),
                    None => visit.offered.clone(),
                })
                .collect();
            let wanted = goal.visits.iter().find(|visit| visit.staff.is_some());
            let person = wanted.and_then(|it| self.business.person(it.staff?));
            let service = wanted.and_then(|it| self.business.service(it.service?));
            if let Some(person) = person {
                if !service.is_none_or(|service| service.is_done_by(person)) {
                    // What they do is told when the visit is settled.
                    return Ok(());
                }
                self.say(Phrase::VisitStaff, &[("staff", &person.name)]);
                return Ok(());
            }
            // Whoever it will be is told with the times.
            self.tell_staff_of(&slots);
            return Ok(());
        } else if let Some(Goal::Move(goal)) = &self.state.goal
            && let Some(chosen) = goal.chosen.clone()
            && self.tell_staff_of(&[chosen])
        {
            return Ok(());
        }
        let visits = self.own_visits()?.unwrap_or_default();
        if visits.iter().any(|visit| visit.staff_name.is_some()) {
            return self.tell_own_visits();
        }
        self.tell_staff(question)
    }

    /// Tells who attends at some times. `false` where nobody is known.
    fn tell_staff_of(&mut self, slots: &[SlotOffer]) -> bool {
        let mut people: Vec<&str> = slots.iter().filter_map(|it| it.staff.as_deref()).collect();
        people.dedup();
        let [first, others @ ..] = people.as_slice() else {
            return false;
        };
        let told = if others.is_empty() {
            (*first).to_owned()
        } else {
            let each = slots.iter().filter_map(|slot| {
                let staff = slot.staff.as_deref()?;
                Some(format!("{staff} ({})", self.voice.time(slot.minute)))
            });
            self.voice.or(&each.collect::<Vec<String>>())
        };
        self.say(Phrase::VisitStaff, &[("staff", &told)]);
        true
    }

    /// Whether the message is about the visit that was booked or moved a moment ago and wants none besides.
    pub(super) fn speaks_of_what_was_booked(&self) -> bool {
        let Some(last) = self
            .before
            .done
            .last()
            .filter(|_| self.state.goal.is_none())
        else {
            return false;
        };
        let deeds = ["create_appointment", "reschedule_appointment"];
        let heard = self.heard;
        if heard.does(Act::Cancel) || heard.says("calls_off") {
            return false;
        }
        let wants = heard.does(Act::Book) || heard.about(Intent::Booking) >= LIKELY;
        let others = heard.has(SpanKind::Other)
            || heard.has(SpanKind::Party) && !self.wants_it_otherwise()
            || heard.says("another_visit")
            || heard.does(Act::Add);
        let index = &self.business.names.services;
        let services = heard.of(SpanKind::Service);
        let mut named = services.map(|span| index.link(&span.text, heard.language));
        let booked = service_of(&last.with).or(self.before.topic.service);
        let known = named.all(|linked| match linked {
            LinkedNames::One(id) => Some(id) == booked,
            LinkedNames::Several(ids) => booked.is_some_and(|booked| ids.contains(&booked)),
            LinkedNames::None => true,
        });
        let timed = heard.has(SpanKind::Time) || heard.has(SpanKind::Date);
        deeds.contains(&last.tool.as_str()) && wants && !others && known && timed
    }

    /// Whether the message says that something shall be otherwise than it is: "siempre no, ¿se puede a las 10?".
    fn wants_it_otherwise(&self) -> bool {
        self.heard.does(Act::Reschedule)
            || self.heard.does(Act::Correct)
            || self.heard.says("wants_another_time")
    }

    /// Whether the time that the message names is the one that a visit of theirs has.
    pub(super) fn names_booked_time(&self) -> Known<bool> {
        let said = self.heard.when(&self.profile.now, None);
        let visits = self.own_visits()?.unwrap_or_default();
        Ok(visits.iter().any(|visit| {
            let day = said.day.and_then(Day::single);
            let same_day = day.is_none_or(|day| day == visit.date);
            let minute = quipu_commerce::calendar::read_minute(&visit.time);
            let same_time = said.time.is_none_or(|time| {
                minute.is_some_and(|minute| {
                    time.agrees_with(quipu_language::Time {
                        minute,
                        certain: true,
                    })
                })
            });
            same_day && same_time && (day.is_some() || said.time.is_some())
        }))
    }
}

fn service_of(with: &Value) -> Option<Uuid> {
    with["service_id"].as_str()?.parse().ok()
}
