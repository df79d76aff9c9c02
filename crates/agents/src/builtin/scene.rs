//! What every part of a turn needs, and the answer as it grows.

use super::consent::is_doubtful;
use super::folded::{field, folded};
use super::office::Office;
use super::templates::Templates;
use super::transcript::State;
use super::voice::Voice;
use crate::desk::Setting;
use crate::supervisor::{Awaiting, Understanding};
use quipu_core::lead::Temperature;
use quipu_core::ports::{ReplyPart, Responder, Speaker, Turn};
use quipu_core::retrieval::Passage;
use quipu_core::text::without_tags;
use serde_json::json;
use std::borrow::Cow;

pub(super) struct Scene<'a> {
    pub(super) setting: &'a Setting,
    pub(super) messages: &'a [Turn],
    pub(super) understood: &'a Understanding,
    pub(super) state: State,
    pub(super) voice: Voice,
    pub(super) office: Office<'a>,
    pub(super) quoter: &'a dyn Responder,
    /// The customer's last message, and the same folded.
    pub(super) text: &'a str,
    pub(super) words: String,
    /// Whether the message is about the goal, so that something may be changed now.
    pub(super) may_change: bool,
}

impl<'a> Scene<'a> {
    /// The same scene with another text, in which nothing is changed.
    pub(super) fn aside<'t>(&self, text: &'t str) -> Scene<'t>
    where
        'a: 't,
    {
        Scene {
            setting: self.setting,
            messages: self.messages,
            understood: self.understood,
            state: self.state.clone(),
            voice: self.voice,
            office: Office::new(self.office.desk, self.setting.tools_off, ""),
            quoter: self.quoter,
            text,
            words: folded(text),
            may_change: false,
        }
    }
}

/// An answer on its way.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) parts: Vec<ReplyPart>,
    pub(super) passages: Vec<Passage>,
    pub(super) awaiting: Option<Awaiting>,
    pub(super) temperature: Option<Temperature>,
    /// It had to say that it does not know.
    pub(super) ignorant: bool,
    /// Whoever quotes documents failed.
    pub(super) failed: bool,
}

/// The sentences that say that something is not known.
const IGNORANT: &[&str] = &["no_information", "staff.none", "price.unknown"];

impl Draft {
    /// Adds a sentence of the data files.
    pub(super) fn say(&mut self, voice: Voice, key: &str, filling: &[(&str, &str)]) {
        self.add(voice.say(key, filling));
        self.ignorant |= IGNORANT.contains(&key);
        if let Some(awaiting) = Templates::get().awaits(key) {
            self.awaiting = Some(awaiting);
        }
    }

    /// Adds a text of the business as it is, but for tags, which are no text.
    pub(super) fn add(&mut self, text: String) {
        let text = match without_tags(&text) {
            Cow::Owned(plain) => plain,
            Cow::Borrowed(_) => text,
        };
        let known = self.parts.iter().any(|part| part.text == text);
        if !text.trim().is_empty() && !known {
            self.parts.push(ReplyPart { text, source: None });
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }
}

impl Scene<'_> {
    /// How to reach the business: its telephone, WhatsApp or e-mail. Empty when none is known.
    pub(super) async fn contact(&self) -> String {
        let Ok(info) = self.office.call("get_business_info", json!({})).await else {
            return String::new();
        };
        let mut ways = Vec::new();
        let named = [
            ("phone", self.voice.pick("teléfono", "phone")),
            ("whatsapp", "WhatsApp"),
            ("email", self.voice.pick("correo", "e-mail")),
        ];
        for (name, said) in named {
            if let Some(way) = field(&info, name) {
                ways.push(format!("{said} {way}"));
            }
        }
        ways.truncate(2);
        self.voice.or(&ways)
    }

    /// Adds a sentence that may end with how to reach the business.
    pub(super) async fn say_with_contact(
        &self,
        draft: &mut Draft,
        key: &str,
        more: &[(&str, &str)],
    ) {
        let contact = self.contact().await;
        let mut filling = more.to_vec();
        filling.push(("contact", &contact));
        filling.push(("company", &self.setting.company_name));
        draft.say(self.voice, key, &filling);
        let asks = |part: &ReplyPart| part.text.trim_end().ends_with('?');
        let asked = draft.parts.last().is_some_and(asks);
        // Where nobody can be written to, somebody can still be told.
        let alone = contact.is_empty() && self.state.goal.is_none() && !asked;
        if alone && self.setting.has_customer && key != "escalation.apart" {
            draft.say(self.voice, "offer.team", &[]);
        }
    }

    /// What the agent said before a message.
    pub(super) fn said_before(&self, at: usize) -> Option<&str> {
        let before = self.messages.get(..at)?.iter().rev();
        let mut agent = before.take_while(|turn| turn.speaker == Speaker::Agent);
        agent.next().map(|turn| turn.text.as_str())
    }

    /// Whether the customer says yes to what was asked, and nothing that takes it back.
    pub(super) fn confirmed(&self) -> bool {
        self.may_change
            && self.state.awaiting == Some(Awaiting::Confirmation)
            && self.state.affirms == Some(true)
            && !is_doubtful(self.text)
    }

    pub(super) fn refused(&self) -> bool {
        self.state.awaiting == Some(Awaiting::Confirmation) && self.state.affirms == Some(false)
    }
}
