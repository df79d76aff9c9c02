//! What comes in and goes out through connections.

use crate::lead::words;
use crate::{ConnectionId, ContactId, ConversationId, InboundId, MessageId, OutboundId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

words! {
    /// What became of something that came in.
    InboundState {
        /// It waits for its turn.
        Waiting = "waiting",
        /// The agent answered it.
        Answered = "answered",
        /// A program of the business was asked, and has not answered yet.
        Asked = "asked",
        /// That program did not answer: it waits for the agent.
        Returned = "returned",
        /// It is left to a person.
        Left = "left",
        /// Nothing follows from it.
        Noted = "noted",
    }
}

words! {
    /// How far something that is sent has come.
    DeliveryState {
        Waiting = "waiting",
        /// It is being handed to the channel. Whoever finds it so does not know whether it arrived.
        Sending = "sending",
        Sent = "sent",
        Delivered = "delivered",
        Read = "read",
        Failed = "failed",
    }
}

impl DeliveryState {
    /// How far it is on its way. States of a channel come in any order, and none takes a message back.
    #[must_use]
    pub const fn rank(self) -> u8 {
        match self {
            Self::Waiting => 0,
            Self::Sending => 1,
            Self::Sent => 2,
            Self::Failed => 3,
            Self::Delivered => 4,
            Self::Read => 5,
        }
    }
}

/// Something that came in and is about to be written down.
#[derive(Clone, Debug)]
pub struct NewInbound {
    pub contact: ContactId,
    pub connection: ConnectionId,
    /// The channel's id of it.
    pub external_id: String,
    /// `message` or `echo`.
    pub kind: &'static str,
    pub event: Value,
    pub state: InboundState,
    /// When the channel says that it was written.
    pub said_at: Timestamp,
}

/// Something that came in and waits.
#[derive(Clone, Debug)]
pub struct WaitingInbound {
    pub id: InboundId,
    pub external_id: String,
    pub kind: String,
    pub event: Value,
    pub said_at: Timestamp,
    pub received_at: Timestamp,
    /// The message that it became in its conversation.
    pub message_id: Option<MessageId>,
    /// A program of the business was asked and did not answer.
    pub returned: bool,
}

/// Something that is about to be sent.
#[derive(Clone, Debug)]
pub struct NewOutbound {
    pub connection: ConnectionId,
    pub contact: ContactId,
    pub conversation: Option<ConversationId>,
    pub message: Option<MessageId>,
    pub content: Value,
    /// A person of the business wrote it.
    pub by_person: bool,
}

/// Why a message did not arrive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OutboundFault {
    /// The channel's own code, where it gave one.
    pub code: Option<i64>,
    /// What kind of failure it is: `window_closed`, `unreachable`, `account` …
    pub kind: String,
    /// For people, in the language of the business.
    pub message: String,
}

/// Something that was sent or is to be sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OutboundRecord {
    pub id: OutboundId,
    pub connection_id: ConnectionId,
    pub contact_id: ContactId,
    pub conversation_id: Option<ConversationId>,
    pub message_id: Option<MessageId>,
    #[schema(value_type = Object)]
    pub content: Value,
    pub by_person: bool,
    pub state: DeliveryState,
    pub attempts: i32,
    /// Not before this instant.
    pub send_after: Timestamp,
    /// When it was handed to the channel last.
    pub started_at: Option<Timestamp>,
    /// The channel's id of it.
    pub external_id: Option<String>,
    pub fault: Option<OutboundFault>,
    /// What the channel charges it as.
    pub category: Option<String>,
    /// In millionths of a dollar, where the rate is known.
    pub cost_micros: Option<i64>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// What became of an attempt to send something.
#[derive(Clone, Debug)]
pub enum SendResult {
    Sent {
        external_id: String,
    },
    /// Another attempt is made at this instant.
    Again {
        at: Timestamp,
        fault: OutboundFault,
    },
    Failed(OutboundFault),
}

/// What messages cost at the channel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChannelCost {
    /// Messages that were sent, or of voice, calls.
    pub messages: u64,
    /// Those of them that the channel charges.
    pub charged: u64,
    /// Those of the charged ones whose rate is not known.
    pub unknown: u64,
    /// In millionths of a dollar.
    pub cost_micros: i64,
}

#[cfg(test)]
mod tests {
    use super::DeliveryState::{Delivered, Failed, Read, Sending, Sent, Waiting};

    #[test]
    fn what_was_read_is_not_taken_back() {
        let way = [Waiting, Sending, Sent, Failed, Delivered, Read];
        assert!(way.windows(2).all(|two| two[0].rank() < two[1].rank()));
    }
}
