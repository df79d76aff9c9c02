//! Deliveries of WhatsApp, taken apart.

use super::envelope::Envelope;
use super::fields::{Reason, filled, word};
use super::reading::Reading;
use super::{message, notice, status};
use crate::inbound::{ChannelEvent, Delivery};
use serde_json::Value;

/// What the deliveries of WhatsApp are about.
const OBJECT: &str = "whatsapp_business_account";

/// Reads a whole body. What cannot be read is refused by itself; the rest is there.
#[must_use]
pub fn parse(body: &[u8]) -> Delivery {
    let mut reading = Reading::default();
    match serde_json::from_slice(body) {
        Ok(value) => read_body(&mut reading, &value),
        Err(_) => reading.refuse("body", "it is not JSON"),
    }
    reading.finish()
}

fn read_body(reading: &mut Reading, body: &Value) {
    if filled(body, "object") != Some(OBJECT) {
        reading.refuse("object", "it is not about a WhatsApp Business Account");
        return;
    }
    let Some(entries) = body.get("entry").and_then(Value::as_array) else {
        reading.refuse("entry", "it is not a list");
        return;
    };
    for (index, entry) in entries.iter().enumerate() {
        let path = format!("entry[{index}].changes");
        let Some(changes) = entry.get("changes").and_then(Value::as_array) else {
            reading.refuse(path, "it is not a list");
            continue;
        };
        for (index, change) in changes.iter().enumerate() {
            read_change(reading, change, &format!("{path}[{index}]"));
        }
    }
}

fn read_change(reading: &mut Reading, change: &Value, path: &str) {
    let Some(field) = filled(change, "field") else {
        reading.refuse(format!("{path}.field"), "it is not there");
        return;
    };
    let Some(value) = change.get("value").filter(|value| value.is_object()) else {
        reading.refuse(format!("{path}.value"), "it is not an object");
        return;
    };
    let path = format!("{path}.value");
    match field {
        "messages" => read_messages(reading, value, &path),
        "smb_message_echoes" => {
            read_list(reading, value, "message_echoes", &path, message::echo);
        }
        "user_preferences" => {
            read_list(
                reading,
                value,
                "user_preferences",
                &path,
                notice::preference,
            );
        }
        "message_template_status_update" => match notice::template(value) {
            Ok(event) => reading.add(event),
            Err(reason) => reading.refuse(path, reason),
        },
        _ => read_other(reading, field, value),
    }
}

fn read_messages(reading: &mut Reading, value: &Value, path: &str) {
    let before = reading.len();
    read_list(reading, value, "messages", path, message::message);
    read_list(reading, value, "statuses", path, status::status);
    reading.each(value, "errors", path, |error| {
        let code = error.get("code").and_then(Value::as_i64);
        let code = code.map_or_else(|| "unknown".to_owned(), |code| code.to_string());
        Ok(ChannelEvent::Other {
            kind: format!("messages.error.{code}"),
        })
    });
    if reading.len() == before {
        reading.other("messages");
    }
}

fn read_list(
    reading: &mut Reading,
    value: &Value,
    list: &str,
    path: &str,
    read: impl Fn(&Envelope, &Value) -> Result<ChannelEvent, Reason>,
) {
    if value.get(list).is_none() {
        return;
    }
    match Envelope::read(value, list) {
        Ok(envelope) => reading.each(value, list, path, |item| read(&envelope, item)),
        Err(reason) => reading.refuse(format!("{path}.metadata"), reason),
    }
}

/// Notes what nothing follows from: calls one by one, everything else by its field.
fn read_other(reading: &mut Reading, field: &str, value: &Value) {
    if field != "calls" {
        reading.other(notice::kind(field, value));
        return;
    }
    let before = reading.len();
    for (list, key) in [("calls", "event"), ("statuses", "status")] {
        reading.each(value, list, "calls", |call| {
            let event = word(filled(call, key).unwrap_or_default());
            Ok(ChannelEvent::Other {
                kind: format!("calls.{event}"),
            })
        });
    }
    if reading.len() == before {
        reading.other("calls");
    }
}
