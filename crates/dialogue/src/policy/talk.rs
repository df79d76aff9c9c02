//! Greetings, thanks and what wants nothing.

use super::PolicyRun;
use crate::facts::Known;
use crate::read::{AskedQuestion, Consent};
use crate::say::Phrase;
use crate::state::Goal;
use quipu_core::agent::Intent;
use quipu_core::lead::Temperature;
use quipu_core::reading::{Act, SpanKind};

/// More words than this say more than a greeting.
const FEW: usize = 8;
/// From here on a longer message is a greeting.
const GREETS: f32 = 0.4;

impl PolicyRun<'_> {
    /// Answers what was asked where nothing is being settled, or answers a greeting with one.
    pub(super) fn answer_or_talk(&mut self, questions: &[AskedQuestion]) -> Known<()> {
        if !questions.is_empty() {
            self.state.stuck = 0;
            self.answer_all(questions)?;
            let told = !self.ignorant && !self.state.handed_over;
            if told && self.told_of_service() {
                self.state.warm(Temperature::Warm);
                self.invite();
            }
            return Ok(());
        }
        if !self.speech.is_empty() {
            return Ok(());
        }
        if let Some(again) = self.asked_again() {
            return self.answer_all(&[again]);
        }
        if self.small_talk() {
            return Ok(());
        }
        if self.confirms_again() {
            self.say(Phrase::AlreadyDone, &[]);
            return Ok(());
        }
        if self.state.handed_over {
            self.say(Phrase::EscalatedAgain, &[]);
            return Ok(());
        }
        if self.captures_leads() && self.before.last_done("update_lead_info").is_none() {
            self.state.begin(Goal::Contact);
            self.advance_contact();
            return Ok(());
        }
        if self.state.customer != self.before.customer {
            let name = self.customer_name().unwrap_or_default();
            self.say(Phrase::Noted, &[("customer", &name)]);
            return Ok(());
        }
        let says = self.heard.does(Act::Provide) || self.heard.has(SpanKind::Symptom);
        if (says || self.heard.words.len() > 3) && self.tell_knowledge_of(&self.heard.text)? {
            return Ok(());
        }
        if self.asks_for_points_as_gift()? {
            return Ok(());
        }
        match self.consent {
            Consent::Yes => self.say(Phrase::Acknowledged, &[]),
            Consent::No if self.heard.words.len() <= FEW => self.say(Phrase::Left, &[]),
            _ => self.not_understood(),
        }
        Ok(())
    }

    /// Whether the message says yes once more to what was done: "que sí, confirmo el pedido".
    fn confirms_again(&self) -> bool {
        let last = self.before.done.last();
        let made = last.is_some_and(|deed| deed.tool != "update_lead_info");
        let agrees = self.consent == Consent::Yes || self.heard.does(Act::Affirm);
        made && agrees && self.heard.says("confirms")
    }

    /// The question before once more, about what the message names instead: "no, nutrición".
    fn asked_again(&self) -> Option<AskedQuestion> {
        let topic = self
            .before
            .topic
            .asked
            .filter(|_| self.heard.words.len() <= FEW)?;
        let names = self.heard.has(SpanKind::Service) || self.heard.has(SpanKind::Item);
        names.then(|| AskedQuestion {
            topic,
            told: true,
            text: self.heard.text.clone(),
        })
    }

    fn not_understood(&mut self) {
        self.state.stuck = self.state.stuck.saturating_add(1);
        if self.state.stuck >= super::STUCK && self.offer_person() {
            return;
        }
        let company = self.profile.company_name.as_str();
        match self.heard.intent() {
            Intent::General if self.heard.words.len() > 3 => {
                self.say(Phrase::OffTopic, &[("company", company)]);
            }
            _ => self.say(Phrase::NotUnderstood, &[]),
        }
    }

    /// Whether the message wants points that were not earned, which are not given; says so.
    fn asks_for_points_as_gift(&mut self) -> Known<bool> {
        let spoken = self.before.topic.asked == Some(quipu_core::reading::QuestionTopic::Points);
        if !spoken || !self.heard.says("puts_in") {
            return Ok(false);
        }
        self.tell_points()?;
        Ok(true)
    }

    /// Greets, thanks or takes leave, where the message does nothing else. `false` when it does.
    pub(super) fn small_talk(&mut self) -> bool {
        let heard = self.heard;
        let few = heard.words.len() <= FEW;
        let names = [
            ("agent", self.profile.agent_name.as_str()),
            ("company", &self.profile.company_name),
        ];
        if heard.does(Act::Thanks) && few {
            self.state.warm(Temperature::Cold);
            self.say(Phrase::Thanks, &[]);
        } else if (heard.does(Act::Bye) || heard.says("leaves")) && few {
            if self.state.goal.is_none() && heard.says("leaves") {
                self.state.warm(Temperature::Warm);
            }
            self.say(Phrase::Goodbye, &[]);
        } else if heard.does(Act::Greet) && few && self.only_greets() {
            let customer = self.customer_name().unwrap_or_default();
            let filling = [names[0], names[1], ("customer", customer.as_str())];
            self.say(Phrase::Greeting, &filling);
        } else {
            return false;
        }
        true
    }

    /// Whether a greeting is all that was said: "hola, olvidé mi suéter" wants something.
    fn only_greets(&self) -> bool {
        let heard = self.heard;
        !heard.is_read() || heard.words.len() <= 3 || heard.about(Intent::Greeting) >= GREETS
    }

    /// Whether what was told in this turn was about a service.
    fn told_of_service(&self) -> bool {
        self.state.topic.service.is_some()
            && self.state.topic.service_told
            && self.state.goal.is_none()
            && self.state.awaited.is_none()
    }
}
