//! People who are or may become customers.

use crate::text::fold;
use crate::{AgentId, BranchId, LeadId, Timestamp, TurnId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// An enum of words: each is written, stored and read as it is spelled here.
#[macro_export]
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:tt,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
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
pub use words;

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

/// How close somebody was to becoming a customer, before something and after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TemperatureChange {
    pub id: Uuid,
    pub before: Option<Temperature>,
    pub after: Option<Temperature>,
    /// Who changed it, as the audit log calls them.
    #[schema(example = "agent:0190b0f4-6c1e-7c4a-9a57-1f0e8b1c2d3e")]
    pub actor: String,
    /// The turn in which an agent noticed it.
    pub turn_id: Option<TurnId>,
    pub at: Timestamp,
}

/// A lead that is about to be written.
#[derive(Clone, Debug, Default)]
pub struct NewLead {
    pub name: Option<String>,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub temperature: Option<Temperature>,
    pub tags: Vec<String>,
    pub notes: Option<String>,
    pub agent_id: Option<AgentId>,
    pub branch_id: Option<BranchId>,
}

/// Which leads are wanted.
#[derive(Clone, Debug, Default)]
pub struct LeadFilter {
    /// Part of the name, the e-mail address or the telephone number.
    pub text: Option<String>,
    pub temperature: Option<Temperature>,
    pub agent_id: Option<AgentId>,
    pub identity: Option<Identity>,
}

/// What a lead is found by: name, address and number, as people write them when they search. The
/// number stands in it as written and as its digits alone.
#[must_use]
pub fn search_key(name: Option<&str>, email: Option<&str>, phone: Option<&str>) -> String {
    let digits = phone.map(|phone| phone.chars().filter(char::is_ascii_digit).collect());
    [
        name.map(searched),
        email.map(searched),
        phone.map(searched),
        digits,
    ]
    .into_iter()
    .flatten()
    .collect::<Vec<String>>()
    .join("\n")
}

/// A text as it stands in a [`search_key`].
#[must_use]
pub fn searched(text: &str) -> String {
    let words: Vec<String> = text.split_whitespace().map(fold).collect();
    words.join(" ")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_is_found_by_any_part_of_what_is_known() {
        let key = search_key(
            Some("  José  Núñez "),
            Some("pepe@correo.pe"),
            Some("+51 987-654-321"),
        );
        for part in ["jose nuñez", "NÚÑEZ", "pepe@", "987-654", "51987654321"] {
            assert!(key.contains(&searched(part)), "{part}: {key}");
        }
        assert!(!key.contains(&searched("nunez")), "{key}");
        assert_eq!(search_key(None, None, None), "");
    }
}
