//! What cannot wait: advice, a person, and the soonest times. Nothing here diagnoses.

use super::PolicyRun;
use crate::facts::Known;
use crate::say::Phrase;
use crate::state::{Awaited, BookGoal, Goal, VisitWish};
use quipu_core::agent::{Intent, Vertical};
use quipu_core::lead::Temperature;
use quipu_core::reading::{Act, SpanKind};
use quipu_core::text::preview;
use quipu_language::urgency::{Level, assess};
use quipu_language::when::When;
use serde_json::json;

/// From here on the reader alone raises an alarm.
const SURELY: f32 = 0.9;
/// Below this the reader takes what rules call an alarm for a way of speaking.
const HARDLY: f32 = 0.1;
/// From here on a message goes on with what was felt.
const PERHAPS: f32 = 0.3;
/// How many messages describe what is felt.
const MOST_SYMPTOMS: usize = 6;
const LONGEST_SYMPTOM: usize = 500;
/// How many of the soonest times are offered.
const MOST_TIMES: usize = 2;

impl PolicyRun<'_> {
    /// Helps whoever may be in danger, before anything else. `true` when the message was answered so.
    pub(super) fn answer_danger(&mut self) -> Known<bool> {
        let level = self.alarm();
        let goes_on = self.before.alarmed && self.goes_on_with_danger();
        if level.is_none() && !goes_on {
            return Ok(false);
        }
        self.intent = Intent::Urgent;
        self.state.warm(Temperature::Hot);
        if self.state.symptoms.len() < MOST_SYMPTOMS {
            let felt = preview(&self.heard.text, LONGEST_SYMPTOM);
            self.state.symptoms.push(felt);
        }
        if level.is_none() && self.heard.asks() && self.tell_knowledge_of(&self.heard.text)? {
            // What the business wrote of it helps more than the same advice again.
            self.say(Phrase::EmergencyAgain, &[]);
            return Ok(true);
        }
        let level = self.assessed(level.unwrap_or(Level::Urgent))?;
        let first = !self.before.alarmed;
        self.state.alarmed = true;
        if level == Level::Emergency {
            let phrase = if first {
                Phrase::EmergencyNow
            } else {
                Phrase::EmergencyAgain
            };
            self.say(phrase, &[]);
        } else {
            self.say(
                if first {
                    Phrase::Emergency
                } else {
                    Phrase::EmergencyAgain
                },
                &[],
            );
        }
        self.tell_emergency_plan()?;
        if !self.state.handed_over {
            self.call_person(Phrase::EscalatedUrgent)?;
        }
        if level != Level::Emergency && first {
            self.offer_soonest()?;
        }
        let questions = self.told_questions();
        self.answer_all(&questions)?;
        Ok(true)
    }

    /// How grave what the message tells is, where it raises an alarm.
    fn alarm(&self) -> Option<Level> {
        let heard = self.heard;
        let felt = assess(&heard.text, self.profile.language).level;
        let read = heard.act(Act::Urgent).min(heard.about(Intent::Urgent));
        let sure = heard.is_read() && read >= SURELY && !self.settles_visit();
        if self.profile.is_clinic() {
            let spoken = !heard.is_read() || heard.act(Act::Urgent) >= HARDLY;
            if felt >= Level::Urgent && spoken {
                return Some(felt);
            }
            return (sure && felt != Level::Routine).then_some(Level::Urgent);
        }
        // Elsewhere a danger to life is one, and a burnt taco is none.
        let hurt = heard.has(SpanKind::Symptom) || !heard.is_read();
        (felt == Level::Emergency && hurt && (sure || !heard.is_read())).then_some(felt)
    }

    /// Whether the message only settles when somebody comes, whatever they said before.
    fn settles_visit(&self) -> bool {
        let acts = [Act::Book, Act::Affirm, Act::Choose, Act::Reschedule];
        acts.iter().any(|act| self.heard.does(*act)) && !self.heard.has(SpanKind::Symptom)
    }

    /// Whether a message after an alarm still speaks of it.
    fn goes_on_with_danger(&self) -> bool {
        let heard = self.heard;
        let felt = heard.act(Act::Urgent) >= PERHAPS || heard.has(SpanKind::Symptom);
        let helpless = heard.says("asks_what_to_do");
        (felt || helpless)
            && !self.settles_visit()
            && self
                .before
                .goal
                .as_ref()
                .is_none_or(|goal| matches!(goal, Goal::Book(goal) if goal.urgent) || helpless)
    }

    /// The level as the tool for it tells, where there is one.
    fn assessed(&mut self, level: Level) -> Known<Level> {
        let dental = self.profile.vertical == Vertical::Dental;
        if !dental || !self.profile.has("check_dental_urgency") {
            return Ok(level);
        }
        let asked = json!({ "symptoms": self.state.symptoms });
        let told = self.facts.look("check_dental_urgency", asked)?;
        let told = told.ok().and_then(|told| told["urgency_level"].as_u64());
        let told = told.and_then(|level| u8::try_from(level).ok());
        let told = told.and_then(|level| Level::try_from(level).ok());
        Ok(told.map_or(level, |told| told.max(level)))
    }

    /// What the business wrote for emergencies, once.
    fn tell_emergency_plan(&mut self) -> Known<()> {
        let question = self.voice.pick(
            "¿Qué hago en una emergencia fuera de horario?",
            "What do I do in an emergency out of hours?",
        );
        if let Some(answer) = self.best_faq(question)? {
            self.repeat(answer);
        }
        Ok(())
    }

    /// Offers the soonest times, where visits are booked.
    fn offer_soonest(&mut self) -> Known<()> {
        if !self.profile.books() {
            return Ok(());
        }
        let urgent = self.business.bookable().find(|service| service.urgent);
        let Some(service) = urgent.map(|service| service.id) else {
            return Ok(());
        };
        let mut visit = VisitWish {
            service: Some(service),
            when: When {
                soonest: true,
                ..When::default()
            },
            ..VisitWish::default()
        };
        let free = self.free_times(&visit, None, true)?;
        let soonest: Vec<_> = free.slots.into_iter().take(MOST_TIMES).collect();
        if soonest.is_empty() {
            return Ok(());
        }
        let several = self.business.branches.len() > 1;
        let options: Vec<String> = soonest
            .iter()
            .map(|slot| {
                let place = slot.branch.as_deref().filter(|_| several);
                let at = self.voice.pick("en", "at");
                let place = place
                    .map(|place| format!(" {at} {place}"))
                    .unwrap_or_default();
                format!(
                    "{} {}{place}",
                    self.voice.day(slot.date),
                    self.voice.at(slot.minute)
                )
            })
            .collect();
        let options = self.voice.or(&options);
        self.say(Phrase::UrgentSlots, &[("options", &options)]);
        visit.offered = soonest;
        self.state.begin(Goal::Book(BookGoal {
            visits: vec![visit],
            urgent: true,
            ..BookGoal::default()
        }));
        self.state.awaited = Some(Awaited::Slot);
        Ok(())
    }
}
