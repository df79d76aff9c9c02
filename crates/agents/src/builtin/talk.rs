//! Greeting, thanking, and what is none of the business's.

use super::folded::{begins, says};
use super::person::{self, Expected};
use super::scene::{Draft, Scene};
use super::transcript::defers;
use quipu_core::agent::AssistantType;

impl Scene<'_> {
    pub(super) fn greet(&self, draft: &mut Draft) {
        let known = self.setting.customer_name.as_deref().unwrap_or_default();
        let first_name = known.split_whitespace().next().unwrap_or_default();
        let filling = [
            ("agent", self.setting.agent_name.as_str()),
            ("company", &self.setting.company_name),
            ("customer", first_name),
        ];
        draft.say(self.voice, "greeting", &filling);
    }

    pub(super) fn says_thanks(&self) -> bool {
        begins(&self.words, &["gracias", "agradezc", "thank", "thanks"])
    }

    /// Thanks for a name or a way to answer that was given without being asked for.
    pub(super) fn thank_for_contacts(&self, draft: &mut Draft) -> bool {
        let name = person::name(self.text, Expected::No, &[]);
        let given = person::email(self.text).is_some() || person::phone(self.text).is_some();
        if name.is_none() && !given {
            return false;
        }
        let name = name.unwrap_or_default();
        let first_name = name.split_whitespace().next().unwrap_or_default();
        draft.say(self.voice, "noted", &[("customer", first_name)]);
        true
    }

    /// Small talk. `false` when the message is none.
    pub(super) fn small_talk(&self, draft: &mut Draft) -> bool {
        let short = self.words.split(' ').count() <= 8;
        let leaves = defers(&self.words)
            || begins(&self.words, &["adios", "chao", "bye"])
            || says(
                &self.words,
                &[
                    "hasta luego",
                    "nos vemos",
                    "lo pienso",
                    "les escribo",
                    "te escribo",
                    "luego te",
                    "despues les",
                    "see you",
                ],
            );
        if leaves && short {
            draft.say(self.voice, "goodbye", &[]);
            return true;
        }
        if self.says_thanks() && short {
            draft.say(self.voice, "thanks", &[]);
            return true;
        }
        let accepts = self.state.affirms == Some(true)
            || begins(
                &self.words,
                &["ok", "perfecto", "listo", "bueno", "vale", "great"],
            );
        let refuses = self.state.affirms == Some(false);
        if (accepts || refuses) && self.words.split(' ').count() <= 4 {
            draft.say(
                self.voice,
                if refuses { "left" } else { "acknowledged" },
                &[],
            );
            return true;
        }
        false
    }

    /// Asks for a name and a way to answer, and keeps them. `true` when the turn is answered by it.
    pub(super) fn capture(&self, draft: &mut Draft) -> bool {
        if self.setting.assistant_type != AssistantType::LeadCapture {
            return false;
        }
        let customer = self.customer(&[]);
        let reachable = customer.phone.is_some() || customer.email.is_some();
        if self.state.completed.is_empty() && customer.name.is_some() && reachable {
            if self.thanked_for_contacts() {
                return false;
            }
            let name = customer.name.unwrap_or_default();
            draft.say(self.voice, "done.lead", &[("customer", &name)]);
            return true;
        }
        if reachable {
            draft.say(self.voice, "ask.name", &[]);
        } else if let Some(name) = customer
            .name
            .filter(|_| self.state.said.contains(&"ask.lead"))
        {
            draft.say(self.voice, "ask.phone", &[("customer", &name)]);
        } else {
            draft.say(self.voice, "ask.lead", &[]);
        }
        true
    }

    fn thanked_for_contacts(&self) -> bool {
        self.messages.iter().any(|turn| {
            let said = super::templates::Templates::get().recognise(&turn.text);
            turn.speaker == quipu_core::ports::Speaker::Agent
                && said.iter().any(|said| said.key == "done.lead")
        })
    }
}
