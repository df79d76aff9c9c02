//! People: calling one of the team, saying that the agent is none, and the contacts of the business.

use super::PolicyRun;
use crate::facts::Known;
use crate::say::Phrase;
use crate::state::{Awaited, Goal};
use quipu_core::agent::AssistantType;
use quipu_core::lead::Temperature;
use quipu_core::reading::{Act, QuestionTopic, SpanKind};
use quipu_core::text::preview;
use serde_json::json;

/// From here on a complaint is one.
const COMPLAINS: f32 = 0.7;
const LONGEST_REASON: usize = 300;

impl PolicyRun<'_> {
    /// Says that the agent is a program, to whoever asks.
    pub(super) fn tell_machine(&mut self) -> Known<bool> {
        if !self
            .heard
            .asks_about(QuestionTopic::Machine, "asks_machine")
        {
            return Ok(false);
        }
        let filling = [
            ("agent", self.profile.agent_name.as_str()),
            ("company", &self.profile.company_name),
        ];
        self.say(Phrase::Machine, &filling);
        if self.state.goal.is_some() {
            self.ask_again()?;
        }
        Ok(true)
    }

    /// Calls a person for whoever asks for one, and offers one to whoever complains.
    pub(super) fn answer_person(&mut self) -> Known<bool> {
        let heard = self.heard;
        let somebody = heard.has(SpanKind::Staff) || heard.has(SpanKind::Other);
        if heard.says("private_contact") || somebody && heard.says("contact_of_somebody") {
            self.say_with_contact(Phrase::ContactPrivate, &[]);
            if self.state.goal.is_some() {
                self.ask_again()?;
            }
            return Ok(true);
        }
        if heard.does(Act::Human) || heard.guess.asks_human {
            self.call_person(Phrase::EscalatedPlain)?;
            let questions = self.told_questions();
            self.answer_all(&questions)?;
            return Ok(true);
        }
        let complains = heard.act(Act::Complain) >= COMPLAINS && !heard.does(Act::Ask);
        if !complains || self.before.handed_over {
            return Ok(false);
        }
        self.say(Phrase::Complaint, &[]);
        self.state.awaited = Some(Awaited::Person);
        Ok(true)
    }

    /// Asks for a person to go on with the conversation, and says so.
    pub(super) fn call_person(&mut self, phrase: Phrase) -> Known<()> {
        self.state.awaited = None;
        if self.state.handed_over {
            self.say(Phrase::EscalatedAgain, &[]);
            return Ok(());
        }
        if !self.profile.has("escalate_to_human") {
            self.say_with_contact(Phrase::EscalationApart, &[]);
            return Ok(());
        }
        let reason = preview(&self.heard.text, LONGEST_REASON);
        let called = self
            .facts
            .change("escalate_to_human", json!({ "reason": reason }))?;
        match called {
            Ok(_) => {
                // Whoever comes settles what they were called for; until then nothing is pressed.
                if phrase != Phrase::EscalatedUrgent {
                    self.state.lay_aside();
                }
                self.state.handed_over = true;
                self.informed = true;
                let grieved = self.heard.does(Act::Complain) && phrase == Phrase::EscalatedPlain;
                self.say(if grieved { Phrase::Escalated } else { phrase }, &[]);
            }
            Err(_) => self.say_with_contact(Phrase::EscalationApart, &[]),
        }
        Ok(())
    }

    /// Offers to call a person. `false` where none can be called.
    pub(super) fn offer_person(&mut self) -> bool {
        if self.state.handed_over || !self.profile.has("escalate_to_human") {
            return false;
        }
        self.say(Phrase::OfferTeam, &[]);
        self.state.awaited = Some(Awaited::Person);
        self.state.stuck = 0;
        true
    }

    /// How to reach the business, or why a number is not told.
    pub(super) fn tell_contact(&mut self) {
        if self.before.alarmed {
            // Whoever needs an ambulance is told whom to call, and not who answers here.
            self.say(Phrase::EmergencyAgain, &[]);
        }
        let private = self.heard.has(SpanKind::Staff) || self.heard.has(SpanKind::Other);
        if private && !self.before.alarmed {
            self.say_with_contact(Phrase::ContactPrivate, &[]);
        } else if self.business.reach().is_some() {
            self.say_with_contact(Phrase::ContactOwn, &[]);
        } else {
            self.say_with_contact(Phrase::NoInformation, &[]);
            self.ignorant = true;
        }
    }

    // --- Agents that gather whom the team gets in touch with -----------------------------------------------------

    pub(super) fn captures_leads(&self) -> bool {
        self.profile.assistant_type == AssistantType::LeadCapture
    }

    /// Asks for a name and a way to answer, and thanks for them.
    pub(super) fn advance_contact(&mut self) {
        let customer = self.state.customer.clone();
        let reachable = customer.phone.is_some() || customer.email.is_some();
        match (self.customer_name(), reachable) {
            (Some(name), true) => {
                self.say(Phrase::DoneLead, &[("customer", &name)]);
                self.state.warm(Temperature::Warm);
                self.state.end();
            }
            (None, true) => {
                self.say(Phrase::AskName, &[]);
                self.state.awaited = Some(Awaited::Name);
            }
            (Some(name), false) if self.before.goal == Some(Goal::Contact) => {
                self.say(Phrase::AskPhone, &[("customer", &name)]);
                self.state.awaited = Some(Awaited::Phone);
            }
            _ => {
                self.say(Phrase::AskLead, &[]);
                self.state.awaited = Some(Awaited::Phone);
            }
        }
    }
}
