//! Appointments: a time that is kept for somebody.

use crate::money::Money;
use quipu_core::lead::words;
use quipu_core::{
    AgentId, AppointmentId, BranchId, ConversationId, Error, ErrorCode, LeadId, Result, StaffId,
    TableId, Timestamp,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

words! {
    AppointmentStatus {
        /// Kept for somebody who has not confirmed yet, until the hold expires.
        Held = "held",
        Confirmed = "confirmed",
        /// It took place.
        Completed = "completed",
        Cancelled = "cancelled",
        /// Nobody came.
        NoShow = "no_show",
        /// Nobody confirmed in time.
        Expired = "expired",
    }
}

impl AppointmentStatus {
    /// Whether its time is kept.
    #[must_use]
    pub const fn keeps_time(self) -> bool {
        matches!(self, Self::Held | Self::Confirmed)
    }

    /// # Errors
    /// `APPOINTMENT_STATE` when it cannot become that.
    pub fn becomes(self, next: Self) -> Result<Self> {
        // Whoever came late may have been marked absent before.
        let allowed = matches!(
            (self, next),
            (
                Self::Held,
                Self::Confirmed | Self::Cancelled | Self::Expired
            ) | (
                Self::Confirmed,
                Self::Completed | Self::Cancelled | Self::NoShow
            ) | (Self::NoShow, Self::Completed)
        );
        if allowed {
            return Ok(next);
        }
        Err(self.refused())
    }

    #[must_use]
    pub fn refused(self) -> Error {
        let (es, en) = match self {
            Self::Held => ("reservada sin confirmar", "held"),
            Self::Confirmed => ("confirmada", "confirmed"),
            Self::Completed => ("completada", "completed"),
            Self::Cancelled => ("cancelada", "cancelled"),
            Self::NoShow => ("marcada como ausencia", "marked as missed"),
            Self::Expired => ("vencida", "expired"),
        };
        Error::new(ErrorCode::AppointmentState)
            .with("status", self.as_str())
            .with_texts("status_name", es.to_owned(), en.to_owned())
    }
}

/// An appointment. Names and prices are those of the moment it was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Appointment {
    pub id: AppointmentId,
    pub status: AppointmentStatus,
    pub service_id: Option<Uuid>,
    pub service_name: String,
    pub branch_id: BranchId,
    pub branch_name: String,
    pub staff_id: Option<StaffId>,
    pub staff_name: Option<String>,
    pub table_id: Option<TableId>,
    pub table_name: Option<String>,
    /// How many people come.
    pub party: u16,
    pub starts_at: Timestamp,
    pub ends_at: Timestamp,
    /// The time zone of the branch.
    #[schema(example = "America/Lima")]
    pub time_zone: String,
    /// The start on the clock of the branch.
    #[schema(example = "2026-11-20T10:30:00-05:00")]
    pub local_start: String,
    pub price_min: Option<Money>,
    pub price_max: Option<Money>,
    pub lead_id: Option<LeadId>,
    /// The name of the customer as it was told.
    pub customer_name: Option<String>,
    /// The conversation in which it was made.
    pub conversation_id: Option<ConversationId>,
    /// The agent that made it.
    pub agent_id: Option<AgentId>,
    pub notes: Option<String>,
    /// Until when it is kept unconfirmed.
    pub hold_expires_at: Option<Timestamp>,
    /// How often its time was changed.
    pub revision: u32,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

words! {
    /// What a list of appointments begins with.
    #[derive(Default)]
    AppointmentOrder {
        /// Those that were made last.
        #[default]
        Newest = "newest",
        /// Those that begin first.
        Start = "start",
    }
}

impl Appointment {
    /// What a booking of it takes up: the person, the table or the branch.
    #[must_use]
    pub fn resource(&self) -> Uuid {
        self.staff_id
            .map(StaffId::uuid)
            .or(self.table_id.map(TableId::uuid))
            .unwrap_or(self.branch_id.uuid())
    }

    /// The status at an instant: a hold that expired is one, whether or not it was written down.
    #[must_use]
    pub fn status_at(&self, now: Timestamp) -> AppointmentStatus {
        let over = self.hold_expires_at.is_some_and(|until| until <= now);
        match self.status {
            AppointmentStatus::Held if over => AppointmentStatus::Expired,
            status => status,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ended_stays_ended() {
        use AppointmentStatus::{Cancelled, Completed, Confirmed, Expired, Held, NoShow};
        let allowed = [
            (Held, Confirmed),
            (Held, Cancelled),
            (Held, Expired),
            (Confirmed, Completed),
            (Confirmed, Cancelled),
            (Confirmed, NoShow),
            (NoShow, Completed),
        ];
        for from in AppointmentStatus::ALL {
            for to in AppointmentStatus::ALL {
                let becomes = from.becomes(*to);
                assert_eq!(becomes.is_ok(), allowed.contains(&(*from, *to)));
            }
        }
        let error = Cancelled.becomes(Confirmed).unwrap_err();
        assert_eq!(error.code(), ErrorCode::AppointmentState);
    }
}
