//! Agents: what a business gives its customers to talk to.

mod configuration;
mod difference;
mod settings;
mod version;

pub use configuration::AgentConfiguration;
pub use difference::{FieldDifference, LineChange, LineDifference, difference, line_difference};
pub use settings::{AgentSettings, Experiment, MOST_WORDS};
pub use version::{AgentDraft, AgentVersion, ConfiguredVersion, MOST_VERSIONS, VersionOrigin};

use crate::language::Language;
use crate::lead::{Channel, words};
use crate::{AgentId, KnowledgeBaseId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

words! {
    /// What kind of business an agent works for. It decides which tools it has.
    Vertical {
        General = "general",
        Dental = "dental",
        Medical = "medical",
        Restaurant = "restaurant",
    }
}

words! {
    /// The parts an agent can play in a conversation, each with tools of its own.
    Specialist {
        Greeting = "greeting",
        General = "general",
        Faq = "faq",
        Pricing = "pricing",
        Location = "location",
        Hours = "hours",
        Booking = "booking",
        BookingDental = "booking_dental",
        BookingMedical = "booking_medical",
        BookingRestaurant = "booking_restaurant",
        OrderingRestaurant = "ordering_restaurant",
        Invoicing = "invoicing",
        UrgentCare = "urgent_care",
        Loyalty = "loyalty",
        Escalation = "escalation",
    }
}

words! {
    /// What a customer wants with a message.
    Intent {
        Greeting = "greeting",
        Pricing = "pricing",
        Booking = "booking",
        Ordering = "ordering",
        Location = "location",
        Hours = "hours",
        Faq = "faq",
        Urgent = "urgent",
        Loyalty = "loyalty",
        Escalation = "escalation",
        General = "general",
    }
}

words! {
    /// How an agent speaks. The names are those that people choose from.
    ResponseStyle {
        Profesional = "profesional",
        ProfesionalCalido = "profesional_calido",
        Casual = "casual",
        MuyFormal = "muy_formal",
    }
}

words! {
    /// What an agent is there for.
    AssistantType {
        Full = "full",
        AppointmentsOnly = "appointments_only",
        OrdersOnly = "orders_only",
        InfoOnly = "info_only",
        PersonalBrand = "personal_brand",
        LeadCapture = "lead_capture",
    }
}

words! {
    /// Whether an answer is read or heard.
    Medium {
        Messaging = "messaging",
        Voice = "voice",
    }
}

impl From<Channel> for Medium {
    fn from(channel: Channel) -> Self {
        match channel {
            Channel::Voice => Self::Voice,
            Channel::Whatsapp
            | Channel::Instagram
            | Channel::Messenger
            | Channel::Tiktok
            | Channel::Web => Self::Messaging,
        }
    }
}

words! {
    /// What an answer may rest on.
    Grounding {
        /// Only what tools and the agent's knowledge say.
        Strict = "strict",
        /// General knowledge as well, as long as the answer says so.
        Open = "open",
    }
}

words! {
    /// Why the words of a model for an agent's personality were not taken.
    PolishProblem {
        /// They say less than the plain ones.
        TooShort = "too_short",
        /// There is no room for them.
        TooLong = "too_long",
        OtherLanguage = "other_language",
        /// They open a section of the prompt that is not theirs.
        Heading = "heading",
        /// They try to change what the agent may do.
        Guard = "guard",
        /// They state prices, numbers or addresses that nobody gave them.
        Facts = "facts",
        /// The model did not answer.
        Model = "model",
    }
}

/// The stable part of an agent's prompt for one medium, as it was last put together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PromptState {
    pub medium: Medium,
    pub language: Language,
    pub tokens: u32,
    /// How often it was put together anew.
    pub regenerations: u64,
    /// How the agent speaks in the words of its model, where they are used.
    pub polished: Option<String>,
    /// Why the words of the model are not used.
    pub refused: Option<PolishProblem>,
    pub updated_at: Timestamp,
}

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Agent {
    pub id: AgentId,
    /// Unique inside the tenant; usable wherever the id is.
    pub slug: String,
    pub name: String,
    /// The business the agent speaks for, as customers know it.
    pub company_name: String,
    pub vertical: Vertical,
    /// The language it answers in when a message gives no hint.
    pub language: Language,
    /// A disabled agent answers nobody.
    pub enabled: bool,
    /// At most one agent of a tenant is active: the one that is meant when none is named.
    pub active: bool,
    /// Whether people may give it knowledge of their own, which it reads in their chats alone.
    pub allows_personal_corpus: bool,
    /// How it speaks, what it is for, and who writes its answers.
    pub settings: AgentSettings,
    /// The agent's own knowledge base, which no other agent can read.
    pub knowledge_base_id: KnowledgeBaseId,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// What is needed to make an agent.
#[derive(Clone, Debug)]
pub struct NewAgent {
    pub slug: String,
    pub name: String,
    pub company_name: String,
    pub vertical: Vertical,
    pub language: Language,
    pub allows_personal_corpus: bool,
    pub settings: AgentSettings,
}

/// A change to an agent; `None` leaves the field as it is.
#[derive(Clone, Debug, Default)]
pub struct AgentChange {
    pub slug: Option<String>,
    pub name: Option<String>,
    pub company_name: Option<String>,
    pub vertical: Option<Vertical>,
    pub language: Option<Language>,
    pub enabled: Option<bool>,
    pub allows_personal_corpus: Option<bool>,
    pub settings: Option<AgentSettings>,
}
