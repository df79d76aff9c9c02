//! People who are or may become customers.

use crate::{AgentId, BranchId, LeadId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:tt,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $text)] $variant,)+
        }

        impl $name {
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }

            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|word| word.as_str() == text)
            }
        }
    };
}
pub(crate) use words;

words! {
    /// Where people write from.
    Channel {
        Whatsapp = "whatsapp",
        Instagram = "instagram",
        Messenger = "messenger",
        Tiktok = "tiktok",
        Voice = "voice",
        Web = "web",
    }
}

words! {
    /// How close somebody is to becoming a customer.
    Temperature {
        Hot = "hot",
        Warm = "warm",
        Cold = "cold",
    }
}

/// How a channel knows somebody. One identity is one lead.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    pub channel: Channel,
    /// The number, name or id that the channel knows the person by.
    #[schema(min_length = 1, max_length = 200, example = "51987654321")]
    pub external_id: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Lead {
    pub id: LeadId,
    pub name: Option<String>,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub temperature: Option<Temperature>,
    pub tags: Vec<String>,
    /// For the business alone.
    pub notes: Option<String>,
    /// The agent that attends to them.
    pub agent_id: Option<AgentId>,
    /// The branch they usually go to.
    pub branch_id: Option<BranchId>,
    /// The sum of their loyalty transactions.
    pub token_balance: i64,
    pub identities: Vec<Identity>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A change to a lead; `None` leaves the field as it is, `Some(None)` empties it.
#[derive(Clone, Debug, Default)]
pub struct LeadChange {
    pub name: Option<Option<String>>,
    pub email: Option<Option<String>>,
    pub phone: Option<Option<String>>,
    pub temperature: Option<Option<Temperature>>,
    pub tags: Option<Vec<String>>,
    pub notes: Option<Option<String>>,
    pub agent_id: Option<Option<AgentId>>,
    pub branch_id: Option<Option<BranchId>>,
}
