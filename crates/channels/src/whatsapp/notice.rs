//! What WhatsApp tells besides messages: templates, consent, and the state of the account.

use super::envelope::Envelope;
use super::fields::{Reason, filled, id, moment, name, phone, word};
use crate::inbound::ChannelEvent;
use serde_json::Value;

const LONGEST_REASON: usize = 500;

/// Reads what became of a template.
pub(super) fn template(value: &Value) -> Result<ChannelEvent, Reason> {
    let needed = |key: &str, reason| name(value, key).ok_or(reason);
    Ok(ChannelEvent::Template {
        name: id(value, "message_template_name")?.ok_or("the template's name is not there")?,
        language: needed("message_template_language", "its language is not there")?,
        status: needed("event", "what became of it is not there")?,
        reason: template_reason(value),
    })
}

/// Why a template was refused or paused: a word, and a sentence where there is one.
fn template_reason(value: &Value) -> Option<String> {
    let code = filled(value, "reason").filter(|reason| !reason.eq_ignore_ascii_case("none"));
    let sentence = [("rejection_info", "reason"), ("other_info", "description")]
        .into_iter()
        .find_map(|(field, key)| filled(value.get(field)?, key));
    let reason = match (code, sentence) {
        (Some(code), Some(sentence)) => format!("{code}: {sentence}"),
        (code, sentence) => code.or(sentence)?.to_owned(),
    };
    Some(reason.chars().take(LONGEST_REASON).collect())
}

/// Reads whether a customer wants messages of marketing.
pub(super) fn preference(envelope: &Envelope, item: &Value) -> Result<ChannelEvent, Reason> {
    let category = filled(item, "category").unwrap_or_default();
    let choice = filled(item, "value").unwrap_or_default();
    let allowed = match (category, choice) {
        ("marketing_messages", "stop") => false,
        ("marketing_messages", "resume" | "signup") => true,
        _ => {
            return Ok(ChannelEvent::Other {
                kind: format!("user_preferences.{}", word(choice)),
            });
        }
    };
    let sender = envelope.identity(phone(item, "wa_id"), id(item, "user_id")?)?;
    if sender.user_id.is_none() && sender.phone.is_none() {
        return Err("whoever chose it is not there");
    }
    let at = moment(item)?;
    Ok(ChannelEvent::Consent {
        sender,
        allowed,
        at,
    })
}

/// The name of what nothing follows from: its field, and what happened where it says so.
pub(super) fn kind(field: &str, value: &Value) -> String {
    let event = ["event", "alert_type", "decision"]
        .into_iter()
        .find_map(|key| filled(value, key));
    match event {
        Some(event) => format!("{}.{}", word(field), word(event)),
        None => word(field).to_owned(),
    }
}
