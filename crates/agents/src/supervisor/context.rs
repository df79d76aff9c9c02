//! What the conversation was about when a message came.

use quipu_core::agent::{Intent, Vertical};
use quipu_core::language::Language;
use serde::{Deserialize, Serialize};

/// What is known beside the message itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    pub vertical: Vertical,
    pub language: Language,
    /// What the customer's message before this one wanted.
    pub last_intent: Option<Intent>,
    /// What the agent asked for last, if it still waits for it.
    pub awaiting: Option<Awaiting>,
}

impl Default for Context {
    fn default() -> Self {
        Self {
            vertical: Vertical::General,
            language: Language::default(),
            last_intent: None,
            awaiting: None,
        }
    }
}

/// What an agent can have asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Awaiting {
    Service,
    Day,
    Time,
    Branch,
    Staff,
    PartySize,
    Name,
    Phone,
    Confirmation,
    OrderItems,
    DeliveryOrPickup,
    Address,
    Payment,
    Reward,
    Symptoms,
    TaxData,
}

/// The form that an answer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A day, an hour or another number.
    When,
    /// A yes or a no.
    YesOrNo,
    /// A few words that name something.
    Name,
    /// Whatever the customer has to say.
    Free,
}

impl Awaiting {
    /// What an answer to this belongs to when the conversation does not tell.
    pub(super) fn belongs_to(self) -> Intent {
        match self {
            Self::Service
            | Self::Day
            | Self::Time
            | Self::Branch
            | Self::Staff
            | Self::PartySize
            | Self::Name
            | Self::Phone
            | Self::Confirmation => Intent::Booking,
            Self::OrderItems | Self::DeliveryOrPickup | Self::Address | Self::Payment => {
                Intent::Ordering
            }
            Self::Reward => Intent::Loyalty,
            Self::Symptoms => Intent::Urgent,
            Self::TaxData => Intent::Faq,
        }
    }

    pub(super) fn form(self) -> Form {
        match self {
            Self::Day | Self::Time | Self::PartySize => Form::When,
            Self::Confirmation => Form::YesOrNo,
            Self::Service
            | Self::Branch
            | Self::Staff
            | Self::Name
            | Self::Phone
            | Self::DeliveryOrPickup
            | Self::Payment
            | Self::Reward => Form::Name,
            Self::OrderItems | Self::Address | Self::Symptoms | Self::TaxData => Form::Free,
        }
    }
}
