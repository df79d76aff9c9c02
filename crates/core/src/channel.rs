//! Accounts of a business at channels, whom they reach, and what goes through them.

mod connection;
mod contact;
mod traffic;
mod voice;
mod web;

pub use connection::{
    ChannelConnection, ConnectionChange, ConnectionFault, ConnectionSettings, ConnectionStatus,
    NewConnection, ReminderTemplate,
};
pub use contact::{ChannelContact, ContactIdentity};
pub use traffic::{
    ChannelCost, DeliveryState, InboundState, NewInbound, NewOutbound, OutboundFault,
    OutboundRecord, SendResult, WaitingInbound,
};
pub use voice::{NewVoiceCall, VoiceCallRecord};
pub use web::WebSettings;
