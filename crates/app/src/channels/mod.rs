//! Channels: the accounts that a business connects, what customers write to them, and the answers.
//!
//! A delivery is written down before it is acknowledged, and answered by a job: one for each customer,
//! so that what somebody writes is answered in order, and one after the other. What is said in a
//! conversation is sent by another job ([`crate::conversations::outgoing`]).

mod answer;
mod burst;
mod compose;
mod connections;
mod contacts;
mod keys;
mod n8n;
mod overview;
mod receive;
mod send;
mod states;
mod turn;
pub mod voice;
pub mod web_chat;

pub(crate) use answer::{ANSWER_CONTACT, answer_contact};
pub use connections::{
    ConnectChannel, ConnectedChannel, UpdateChannel, WebhookAddress, connect, disconnect, get,
    list, update, webhook_address,
};
pub(crate) use n8n::{N8N_FALLBACK, n8n_fallback, whatsapp_conversation};
pub use overview::{
    ChannelMonth, ChannelReport, ChannelTemplateInfo, ConversationChannel, OutboundQuery,
    SendTemplate, check, conversation_channel, month, outbound, send_template, templates,
};
pub use receive::{DeliveryHeaders, Received, challenge, receive};
pub(crate) use send::send_messages;
