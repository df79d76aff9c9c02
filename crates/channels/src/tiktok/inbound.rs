//! Reading what `TikTok` delivers: one event in each request.

use super::content::{Message, read_message};
use super::fields::{LONGEST_NAME, id, millisecond, name, refused, second};
use crate::inbound::{
    ChannelEvent, Delivery, InboundMessage, MessageEcho, RefusedItem, SenderIdentity, StatusChange,
    StatusUpdate,
};
use quipu_core::Timestamp;
use serde_json::Value;

/// Reads one delivery.
#[must_use]
pub fn parse(body: &[u8]) -> Delivery {
    let mut delivery = Delivery::default();
    match serde_json::from_slice::<Value>(body) {
        Ok(envelope) => match read(&envelope) {
            Ok(events) => delivery.events = events,
            Err(refused) => delivery.refused.push(refused),
        },
        Err(_) => delivery.refuse("body", "it is not JSON"),
    }
    delivery
}

fn read(envelope: &Value) -> Result<Vec<ChannelEvent>, RefusedItem> {
    let Some(event) = envelope["event"].as_str() else {
        return Err(refused("event", "it is not there"));
    };
    match event {
        "im_receive_msg" | "im_send_msg" => messages(envelope, event == "im_send_msg"),
        "im_mark_read_msg" => read_up_to(envelope),
        // `im_receive_msg_eu` too: it has neither the sender nor the words. `im_referral_msg` comes
        // before the first message and has none.
        other => Ok(vec![ChannelEvent::Other {
            kind: other.chars().take(LONGEST_NAME).collect(),
        }]),
    }
}

/// What every event of a conversation has.
struct Notice {
    account_id: String,
    conversation_id: String,
    content: Value,
    at: Timestamp,
}

fn notice(envelope: &Value) -> Result<Notice, RefusedItem> {
    let account_id = id(envelope, "body", "user_openid")?;
    let content = content(&envelope["content"])?;
    let conversation_id = id(&content, "content", "conversation_id")?;
    let at = millisecond(&content["timestamp"])
        .or_else(|| second(&envelope["create_time"]))
        .ok_or_else(|| refused("content.timestamp", "it does not say when"))?;
    Ok(Notice {
        account_id,
        conversation_id,
        content,
        at,
    })
}

/// The inner document, which `TikTok` writes as a text in the outer one.
fn content(value: &Value) -> Result<Value, RefusedItem> {
    let content = match value {
        Value::String(text) => serde_json::from_str(text).unwrap_or_default(),
        other => other.clone(),
    };
    if content.is_object() {
        Ok(content)
    } else {
        Err(refused("content", "it is not an object"))
    }
}

impl Notice {
    /// The customer of the conversation, whoever of the two wrote.
    fn customer(&self, handle: &str) -> SenderIdentity {
        SenderIdentity {
            // What is answered to. See the head of this folder.
            user_id: Some(self.conversation_id.clone()),
            phone: None,
            name: name(&self.content[handle]),
        }
    }

    /// Whether the business itself did it.
    fn is_own(&self) -> bool {
        self.content["from_user"]["id"].as_str() == Some(self.account_id.as_str())
    }

    fn event(&self, own: bool, message: Message) -> ChannelEvent {
        let account_id = self.account_id.clone();
        if own {
            return ChannelEvent::Echo(MessageEcho {
                account_id,
                recipient: self.customer("to"),
                id: message.id,
                at: self.at,
                content: message.content,
                app_id: program(&self.content),
            });
        }
        ChannelEvent::Message(InboundMessage {
            account_id,
            sender: self.customer("from"),
            id: message.id,
            at: self.at,
            content: message.content,
            reply_to: message.reply_to,
            referral: None,
        })
    }
}

fn messages(envelope: &Value, sent: bool) -> Result<Vec<ChannelEvent>, RefusedItem> {
    let notice = notice(envelope)?;
    // The direction stands in no field. A bot that took its own words for a customer's would answer
    // itself.
    let own = sent || notice.is_own();
    let messages = read_message(&notice.content, &notice.conversation_id)?;
    if messages.is_empty() {
        return Ok(vec![ChannelEvent::Other {
            kind: "reaction".to_owned(),
        }]);
    }
    let events = messages
        .into_iter()
        .map(|message| notice.event(own, message));
    Ok(events.collect())
}

/// The program that wrote a message of the business. Where `TikTok` does not say, it is taken for a
/// person: a bot that stays silent for a while does less harm than one that talks over somebody.
fn program(content: &Value) -> Option<String> {
    if let Some(automatic) = name(&content["auto_message_type"]) {
        return Some(automatic);
    }
    name(&content["message_tag"]["source"]).filter(|source| source == "API")
}

/// The customer has seen everything up to a moment.
fn read_up_to(envelope: &Value) -> Result<Vec<ChannelEvent>, RefusedItem> {
    let notice = notice(envelope)?;
    if notice.is_own() {
        return Ok(vec![ChannelEvent::Other {
            kind: "im_mark_read_msg".to_owned(),
        }]);
    }
    let at = millisecond(&notice.content["read"]["last_read_timestamp"]).unwrap_or(notice.at);
    Ok(vec![ChannelEvent::Status(StatusUpdate {
        account_id: notice.account_id.clone(),
        message_id: None,
        up_to: true,
        recipient: notice.customer("from"),
        change: StatusChange::Read,
        at,
        reference: None,
        category: None,
        billable: None,
    })])
}
