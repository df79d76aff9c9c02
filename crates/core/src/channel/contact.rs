//! Whoever writes to a connection.

use crate::{ConnectionId, ContactId, LeadId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How a channel knows somebody: by an id for this business alone, by a number, or by both. At least one
/// is there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContactIdentity {
    pub user_id: Option<String>,
    /// As the channel writes it, so that it is answered to the same.
    pub phone: Option<String>,
    pub name: Option<String>,
}

/// Somebody who writes to one connection. The same person may write to several, and is one lead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChannelContact {
    pub id: ContactId,
    pub connection_id: ConnectionId,
    pub lead_id: LeadId,
    pub user_id: Option<String>,
    pub phone: Option<String>,
    /// When they wrote last: from then on free text reaches them for a day.
    pub last_inbound_at: Option<Timestamp>,
    /// Until when nothing that is sent to them is charged, because they came from an advertisement.
    pub free_until: Option<Timestamp>,
    /// Since when they want no messages that they did not ask for.
    pub opted_out_at: Option<Timestamp>,
    pub created_at: Timestamp,
}
