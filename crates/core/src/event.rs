//! What happens in a business, told to programs of its own.

use crate::lead::words;
use crate::{EventDeliveryId, EventEndpointId, EventId, LeadId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

words! {
    /// What can happen.
    EventKind {
        LeadCreated = "lead.created",
        MessageReceived = "message.received",
        MessageSent = "message.sent",
        HandoffRequested = "handoff.requested",
        AppointmentCreated = "appointment.created",
        AppointmentChanged = "appointment.changed",
        AppointmentCancelled = "appointment.cancelled",
        OrderCreated = "order.created",
        OrderChanged = "order.changed",
        DocumentCompleted = "document.completed",
        DocumentFailed = "document.failed",
        FeedbackGiven = "feedback.given",
        /// Nothing happened: somebody tries whether an address answers.
        Ping = "ping",
    }
}

words! {
    /// How far the telling of an event has come.
    EventDeliveryState {
        Waiting = "waiting",
        Sent = "sent",
        /// It was tried often enough. It can be sent again by hand.
        Dead = "dead",
    }
}

/// Where a business wants to be told what happens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EventEndpoint {
    pub id: EventEndpointId,
    #[schema(example = "https://crm.ejemplo.pe/quipu")]
    pub url: String,
    pub description: Option<String>,
    /// What is told; everything when empty.
    pub kinds: Vec<EventKind>,
    /// Nothing is told while it is not.
    pub active: bool,
    /// Why nothing arrives, where that is so.
    pub fault: Option<EndpointFault>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// Why an endpoint takes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EndpointFault {
    /// What it answered; `null` when it could not be reached.
    pub status: Option<i32>,
    pub error: String,
    pub since: Timestamp,
    /// When it is tried again.
    pub retry_at: Option<Timestamp>,
}

/// An event on its way to an endpoint, and how far it has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EventDelivery {
    pub id: EventDeliveryId,
    pub endpoint_id: EventEndpointId,
    pub kind: EventKind,
    /// The same for every endpoint that is told of it, and however often it is sent: the `webhook-id`.
    pub event_id: EventId,
    /// What is sent, word by word.
    #[schema(value_type = Object)]
    pub body: Value,
    pub state: EventDeliveryState,
    pub attempts: i32,
    /// Not before this instant.
    pub next_at: Timestamp,
    /// What the endpoint answered last.
    pub last_status: Option<i32>,
    pub last_error: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// An endpoint that is about to be written.
#[derive(Clone, Debug)]
pub struct NewEventEndpoint {
    pub id: EventEndpointId,
    pub url: String,
    pub description: Option<String>,
    pub kinds: Vec<EventKind>,
    /// What its deliveries are signed with, sealed.
    pub sealed: Vec<u8>,
    pub created_by: String,
}

/// A change to an endpoint; `None` leaves the field as it is.
#[derive(Clone, Debug, Default)]
pub struct EventEndpointChange {
    pub url: Option<String>,
    pub description: Option<Option<String>>,
    pub kinds: Option<Vec<EventKind>>,
    pub active: Option<bool>,
}

/// A delivery that is about to be written.
#[derive(Clone, Debug)]
pub struct NewEventDelivery {
    pub endpoint: EventEndpointId,
    pub kind: EventKind,
    pub event: EventId,
    /// Whom it is about. It goes with them.
    pub lead: Option<LeadId>,
    pub body: Value,
}

/// What came of an attempt to tell an endpoint something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeliveryOutcome {
    Sent {
        status: i32,
    },
    /// Another attempt is made at this instant.
    Again {
        at: Timestamp,
        status: Option<i32>,
        error: String,
    },
    Dead {
        status: Option<i32>,
        error: String,
    },
}
