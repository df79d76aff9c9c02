//! The channels that customers write from.
//!
//! One folder for each: what it delivers is verified and read there, and what is sent to it is written
//! there. Everything outside this room sees a [`Delivery`] and an [`OutboundContent`], whatever the
//! channel. What is decided about a message (who answers, when, in which conversation) is decided in
//! `app`.

pub mod account;
pub mod client;
pub mod consent;
pub mod failure;
pub mod inbound;
pub mod outbound;
pub mod pages;
pub mod phone;
pub mod pricing;
pub mod signature;
pub mod text;
pub mod tiktok;
pub mod voice;
pub mod whatsapp;

pub use account::{ChannelAccount, ChannelEndpoints};
pub use client::ChannelClient;
pub use failure::{FailureKind, SendFailure};
pub use inbound::{
    ChannelEvent, ContactCard, Delivery, InboundContent, InboundMessage, MediaKind, MediaReference,
    MessageEcho, RefusedItem, SenderIdentity, StatusChange, StatusUpdate,
};
pub use outbound::{
    ChoiceOption, OutboundContent, OutboundMedia, Recipient, SentMessage, TemplateMessage,
};
