//! Accounts of a business at channels, whom they reach, and what goes through them.

mod connection;
mod contact;
mod traffic;

pub use connection::{
    ChannelConnection, ConnectionChange, ConnectionFault, ConnectionSettings, ConnectionStatus,
    NewConnection, ReminderTemplate,
};
pub use contact::{ChannelContact, ContactIdentity};
pub use traffic::{
    ChannelCost, DeliveryState, InboundState, NewInbound, NewOutbound, OutboundFault,
    OutboundRecord, SendResult, WaitingInbound,
};
