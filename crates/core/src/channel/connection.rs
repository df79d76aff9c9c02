//! A number, page or account of a business at a channel.

use super::WebSettings;
use crate::lead::{Channel, words};
use crate::validate::{Checks, Problem};
use crate::{AgentId, ConnectionId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

words! {
    ConnectionStatus {
        /// Messages are taken and answered.
        Active = "active",
        /// Messages are taken and kept, and nobody answers them but people.
        Paused = "paused",
    }
}

/// How a connection behaves. What is left out has its default.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ConnectionSettings {
    /// How long a customer is given to finish, in milliseconds: what they write within that time is
    /// answered at once.
    #[schema(minimum = 0, maximum = 30000)]
    pub debounce_ms: u32,
    /// After how many minutes without a word of a person the agent answers again. With 0 it never does
    /// by itself.
    #[schema(minimum = 0, maximum = 10080)]
    pub return_after_minutes: u32,
    /// Whether customers see that their message was read and that somebody writes.
    pub shows_typing: bool,
    /// The country of numbers that are written without one, as two letters.
    #[schema(min_length = 2, max_length = 2, example = "PE")]
    pub country: Option<String>,
    /// The template that reminds of appointments when the customer wrote too long ago for anything else.
    pub reminder: Option<ReminderTemplate>,
    /// The chat of a site, for connections of the web.
    pub web: Option<WebSettings>,
}

/// A template of the channel that reminds of an appointment. It is filled with the name of the customer, the
/// service, the date, the time and the place, in this order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReminderTemplate {
    #[schema(min_length = 1, max_length = 512, example = "recordatorio_cita")]
    pub name: String,
    #[schema(min_length = 2, max_length = 15, example = "es")]
    pub language: String,
}

impl Default for ConnectionSettings {
    fn default() -> Self {
        Self {
            debounce_ms: 1_500,
            return_after_minutes: 60,
            shows_typing: true,
            country: None,
            reminder: None,
            web: None,
        }
    }
}

impl ConnectionSettings {
    pub const MAX_DEBOUNCE_MS: u32 = 30_000;
    pub const MAX_RETURN_MINUTES: u32 = 7 * 24 * 60;

    pub fn check(&self, checks: &mut Checks) {
        for (field, value, most) in [
            ("debounce_ms", self.debounce_ms, Self::MAX_DEBOUNCE_MS),
            (
                "return_after_minutes",
                self.return_after_minutes,
                Self::MAX_RETURN_MINUTES,
            ),
        ] {
            checks.range(&format!("settings.{field}"), value.into(), 0, most.into());
        }
        let is_country =
            |text: &str| text.len() == 2 && text.bytes().all(|b| b.is_ascii_uppercase());
        if self
            .country
            .as_deref()
            .is_some_and(|text| !is_country(text))
        {
            let allowed = "PE, MX, CO, AR, CL, BR, ES …".to_owned();
            checks.problem("settings.country", Problem::Unknown { allowed });
        }
        if let Some(reminder) = &self.reminder {
            checks.line("settings.reminder.name", &reminder.name, 512);
            checks.line("settings.reminder.language", &reminder.language, 15);
        }
        if let Some(web) = &self.web {
            web.check(checks, "settings.web");
        }
    }
}

/// A connected account, without what opens it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChannelConnection {
    pub id: ConnectionId,
    pub channel: Channel,
    /// What people call it.
    pub name: String,
    pub status: ConnectionStatus,
    /// Who answers; the tenant's active agent where none is named.
    pub agent_id: Option<AgentId>,
    /// The number, page or account as the channel calls it.
    pub account_id: String,
    /// The account that holds it, such as the WhatsApp Business Account.
    pub parent_id: Option<String>,
    pub settings: ConnectionSettings,
    /// The end of its key, to tell it from another.
    pub key_hint: String,
    /// Why nothing goes out, where that is so.
    pub fault: Option<ConnectionFault>,
    pub last_received_at: Option<Timestamp>,
    pub last_sent_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// Why a channel takes nothing from a connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ConnectionFault {
    /// The channel's own code, where it gave one.
    pub code: Option<i64>,
    pub since: Timestamp,
}

/// A connection that is about to be written.
#[derive(Clone, Debug)]
pub struct NewConnection {
    pub id: ConnectionId,
    pub channel: Channel,
    pub name: String,
    pub agent_id: Option<AgentId>,
    pub account_id: String,
    pub parent_id: Option<String>,
    pub settings: ConnectionSettings,
    pub sealed: Vec<u8>,
    pub key_hint: String,
    pub created_by: String,
}

/// A change to a connection; `None` leaves the field as it is.
#[derive(Clone, Debug, Default)]
pub struct ConnectionChange {
    pub name: Option<String>,
    pub status: Option<ConnectionStatus>,
    pub agent_id: Option<Option<AgentId>>,
    pub settings: Option<ConnectionSettings>,
    /// What opens it, sealed, and the end of its key.
    pub key: Option<(Vec<u8>, String)>,
}
