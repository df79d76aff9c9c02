//! Orders: what somebody buys, with the prices of that moment.

use crate::ordering::{OrderLine, Totals};
use quipu_core::lead::words;
use quipu_core::{
    AgentId, BranchId, ConversationId, Error, ErrorCode, LeadId, OrderId, RedemptionId, Result,
    Timestamp,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

words! {
    OrderType {
        Pickup = "pickup",
        Delivery = "delivery",
    }
}

words! {
    OrderStatus {
        /// Placed, and not seen to yet.
        Received = "received",
        Preparing = "preparing",
        Ready = "ready",
        /// On its way.
        OutForDelivery = "out_for_delivery",
        /// Handed over and paid.
        Completed = "completed",
        Cancelled = "cancelled",
    }
}

impl OrderStatus {
    /// Whether the customer may still take it back: before it is being made.
    #[must_use]
    pub const fn customer_may_cancel(self) -> bool {
        matches!(self, Self::Received)
    }

    /// Steps may be skipped, but none is taken back; what is fetched is never on its way.
    ///
    /// # Errors
    /// `ORDER_STATE` when it cannot become that.
    pub fn becomes(self, next: Self, kind: OrderType) -> Result<Self> {
        let ended = matches!(self, Self::Completed | Self::Cancelled);
        let forward = next == Self::Cancelled || next.step() > self.step();
        if ended || !forward {
            return Err(self.refused());
        }
        if next == Self::OutForDelivery && kind == OrderType::Pickup {
            let error = Error::new(ErrorCode::OrderState).with("status", self.as_str());
            let (es, en) = ("para recoger", "for pickup");
            return Err(error.with("order_type", kind.as_str()).with_texts(
                "status_name",
                es.to_owned(),
                en.to_owned(),
            ));
        }
        Ok(next)
    }

    #[must_use]
    pub fn refused(self) -> Error {
        let (es, en) = match self {
            Self::Received => ("recibido", "received"),
            Self::Preparing => ("en preparación", "being prepared"),
            Self::Ready => ("listo", "ready"),
            Self::OutForDelivery => ("en camino", "on its way"),
            Self::Completed => ("entregado", "completed"),
            Self::Cancelled => ("cancelado", "cancelled"),
        };
        Error::new(ErrorCode::OrderState)
            .with("status", self.as_str())
            .with_texts("status_name", es.to_owned(), en.to_owned())
    }

    const fn step(self) -> u8 {
        match self {
            Self::Received => 0,
            Self::Preparing => 1,
            Self::Ready => 2,
            Self::OutForDelivery => 3,
            Self::Completed => 4,
            Self::Cancelled => 5,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Order {
    pub id: OrderId,
    /// What people call it by: the tenant's first order is 1.
    pub number: i64,
    pub status: OrderStatus,
    pub order_type: OrderType,
    pub branch_id: Option<BranchId>,
    pub branch_name: Option<String>,
    pub lines: Vec<OrderLine>,
    pub totals: Totals,
    /// The reward that was applied.
    pub redemption_id: Option<RedemptionId>,
    pub payment_method: Option<String>,
    pub delivery_address: Option<String>,
    pub delivery_zone: Option<String>,
    /// When the customer wants it; as soon as possible when absent.
    pub scheduled_for: Option<Timestamp>,
    /// When it will be ready, or brought.
    pub estimated_at: Timestamp,
    pub notes: Option<String>,
    pub lead_id: Option<LeadId>,
    pub customer_name: Option<String>,
    /// The conversation in which it was placed.
    pub conversation_id: Option<ConversationId>,
    /// The agent that took it.
    pub agent_id: Option<AgentId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_go_forward_until_they_end() {
        use OrderStatus::{Cancelled, Completed, OutForDelivery, Preparing, Ready, Received};
        use OrderType::{Delivery, Pickup};
        for kind in [Pickup, Delivery] {
            assert!(Received.becomes(Preparing, kind).is_ok());
            assert!(Received.becomes(Completed, kind).is_ok());
            assert!(Ready.becomes(Cancelled, kind).is_ok());
        }
        assert!(Ready.becomes(OutForDelivery, Delivery).is_ok());
        assert!(Ready.becomes(OutForDelivery, Pickup).is_err());
        for (from, to) in [
            (Preparing, Received),
            (Received, Received),
            (Completed, Cancelled),
            (Cancelled, Received),
            (Cancelled, Cancelled),
        ] {
            let error = from.becomes(to, Delivery).unwrap_err();
            assert_eq!(error.code(), ErrorCode::OrderState, "{from:?} {to:?}");
        }
    }
}
