//! What an agent does besides answering questions, by its business and by what it is there for.

use crate::AgentKind;
use crate::tool::ToolsOff;
use quipu_core::agent::{AssistantType, Specialist, Vertical};

/// What an agent does besides answering questions.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a thing an agent does or does not do, and they are combined freely"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    pub books: bool,
    pub takes_orders: bool,
    pub keeps_points: bool,
    pub requests_invoices: bool,
    /// Whether it has a menu or products to show.
    pub shows_menu: bool,
    /// What of all that it goes without.
    off: ToolsOff,
}

impl Abilities {
    /// Whether the agent has a tool: it belongs to what the agent does, as looking things up and calling a
    /// person always do, and is not switched off.
    #[must_use]
    pub fn include(self, tool: &str) -> bool {
        self.belongs(tool) && !self.off.has(tool)
    }

    /// Whether a tool belongs to what the agent does, and is switched off.
    #[must_use]
    pub fn go_without(self, tool: &str) -> bool {
        self.belongs(tool) && self.off.has(tool)
    }

    fn include_any(self, tools: &[&str]) -> bool {
        tools.iter().any(|tool| self.include(tool))
    }

    fn belongs(self, tool: &str) -> bool {
        match tool {
            "get_available_slots"
            | "get_appointments"
            | "create_appointment"
            | "reschedule_appointment"
            | "cancel_appointment" => self.books,
            "create_order" | "cancel_order" | "get_order_status" => self.takes_orders,
            "get_loyalty_balance" | "redeem_reward" | "award_loyalty_tokens" => self.keeps_points,
            "request_invoice" | "extract_receipt" => self.requests_invoices,
            "get_menu" => self.shows_menu,
            _ => true,
        }
    }
}

/// What an agent of this kind does. A business takes orders when it is a restaurant or a shop, or when its
/// agent is there for orders alone, whatever the business is.
#[must_use]
pub const fn abilities(kind: AgentKind) -> Abilities {
    use AssistantType::{AppointmentsOnly, Full, OrdersOnly, PersonalBrand};
    let AgentKind {
        vertical,
        assistant_type,
        off,
    } = kind;
    let whole = matches!(assistant_type, Full);
    let orders = matches!(assistant_type, OrdersOnly);
    let sells = matches!(vertical, Vertical::Restaurant | Vertical::General);
    Abilities {
        books: matches!(assistant_type, Full | AppointmentsOnly | PersonalBrand),
        takes_orders: orders || (whole && sells),
        keeps_points: whole || orders,
        requests_invoices: whole || orders,
        shows_menu: orders || sells,
        off,
    }
}

/// Where "booking" is meant in general, the booking of this kind of business.
#[must_use]
pub const fn of_vertical(specialist: Specialist, vertical: Vertical) -> Specialist {
    match (specialist, vertical) {
        (Specialist::Booking, Vertical::Dental) => Specialist::BookingDental,
        (Specialist::Booking, Vertical::Medical) => Specialist::BookingMedical,
        (Specialist::Booking, Vertical::Restaurant) => Specialist::BookingRestaurant,
        _ => specialist,
    }
}

/// What a part is for. Without any of it, the part has nothing to do.
const BOOKS: &[&str] = &[
    "get_available_slots",
    "create_appointment",
    "reschedule_appointment",
    "cancel_appointment",
];
const SELLS: &[&str] = &["create_order", "cancel_order"];
const REWARDS: &[&str] = &["get_loyalty_balance", "award_loyalty_tokens"];

/// Whether an agent of this kind plays this part.
#[must_use]
pub fn within_reach(specialist: Specialist, kind: AgentKind) -> bool {
    let does = abilities(kind);
    let books = does.include_any(BOOKS);
    let vertical = kind.vertical;
    match specialist {
        Specialist::Greeting
        | Specialist::General
        | Specialist::Faq
        | Specialist::Pricing
        | Specialist::Location
        | Specialist::Hours
        | Specialist::Escalation => true,
        Specialist::Booking => books && matches!(vertical, Vertical::General),
        Specialist::BookingDental => books && matches!(vertical, Vertical::Dental),
        Specialist::BookingMedical => books && matches!(vertical, Vertical::Medical),
        Specialist::BookingRestaurant => books && matches!(vertical, Vertical::Restaurant),
        Specialist::OrderingRestaurant => does.include_any(SELLS),
        Specialist::Invoicing => does.include("request_invoice"),
        // Nobody who is unwell is told that this agent is only there for something else.
        Specialist::UrgentCare => matches!(vertical, Vertical::Dental | Vertical::Medical),
        Specialist::Loyalty => does.include_any(REWARDS),
    }
}
