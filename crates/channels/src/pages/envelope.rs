//! Who wrote to whom, and when.

use super::fields::{self, Refusal};
use crate::inbound::{
    ChannelEvent, InboundContent, InboundMessage, MessageEcho, SenderIdentity, StatusChange,
    StatusUpdate,
};
use quipu_core::Timestamp;
use serde_json::Value;

pub(super) struct Envelope {
    pub(super) sender: String,
    pub(super) recipient: String,
    /// Receipts are delivered without one at times.
    at: Option<Timestamp>,
}

impl Envelope {
    pub(super) fn read(item: &Value) -> Result<Self, Refusal> {
        let party = |name| match fields::get(item, name) {
            Some(party) => fields::id(party, "id"),
            None => Ok(None),
        };
        Ok(Self {
            sender: party("sender")?.ok_or("it does not say who wrote")?,
            recipient: party("recipient")?.ok_or("it does not say to whom it was written")?,
            at: fields::moment(item, "timestamp")?,
        })
    }

    pub(super) fn at(&self) -> Result<Timestamp, Refusal> {
        self.at.ok_or("it does not say when")
    }

    pub(super) fn message(
        &self,
        id: String,
        content: InboundContent,
    ) -> Result<InboundMessage, Refusal> {
        Ok(InboundMessage {
            account_id: self.recipient.clone(),
            sender: identity(&self.sender),
            id,
            at: self.at()?,
            content,
            reply_to: None,
            referral: None,
        })
    }

    /// Of an echo the business is the sender.
    pub(super) fn echo(
        &self,
        id: String,
        content: InboundContent,
        app_id: Option<String>,
    ) -> Result<MessageEcho, Refusal> {
        Ok(MessageEcho {
            account_id: self.sender.clone(),
            recipient: identity(&self.recipient),
            id,
            at: self.at()?,
            content,
            app_id,
        })
    }

    /// What became of one message, or of everything up to a moment.
    pub(super) fn status(
        &self,
        change: StatusChange,
        message_id: Option<String>,
        at: Timestamp,
    ) -> ChannelEvent {
        ChannelEvent::Status(StatusUpdate {
            account_id: self.recipient.clone(),
            up_to: message_id.is_none(),
            message_id,
            recipient: identity(&self.sender),
            change,
            at,
            reference: None,
            category: None,
            billable: None,
        })
    }
}

/// The ids of this platform belong to one page or account. They are never a number to call.
fn identity(id: &str) -> SenderIdentity {
    SenderIdentity {
        user_id: Some(id.to_owned()),
        ..SenderIdentity::default()
    }
}
