//! How an agent was, and how it may become.

use super::AgentConfiguration;
use crate::lead::words;
use crate::{DraftRevisionId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How many versions of an agent are kept. The oldest go first.
pub const MOST_VERSIONS: u32 = 200;

words! {
    /// How a version came about.
    VersionOrigin {
        /// The agent was made.
        Created = "created",
        /// The agent was changed at once, without a draft.
        Changed = "changed",
        /// A draft was published.
        Published = "published",
        /// An older version was made live again.
        Restored = "restored",
    }
}

/// An agent as it was from one moment on. The newest version is what is live.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AgentVersion {
    #[schema(minimum = 1)]
    pub number: u32,
    pub origin: VersionOrigin,
    /// What whoever made it says of it.
    pub note: Option<String>,
    /// Who made it, as the audit log calls them; nobody when the product itself noted it.
    pub made_by: Option<String>,
    pub made_at: Timestamp,
    /// The version that was made live again.
    pub restored_from: Option<u32>,
    /// Whether customers talk to this one.
    pub live: bool,
}

/// A version with what it holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ConfiguredVersion {
    #[serde(flatten)]
    pub version: AgentVersion,
    pub configuration: AgentConfiguration,
}

/// An agent as it may become. Nobody but its makers talks to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AgentDraft {
    pub configuration: AgentConfiguration,
    /// The version that was live when the draft was begun.
    pub based_on: u32,
    /// Another one with every change. Whoever sends it back changes nothing that they have not seen.
    pub revision: DraftRevisionId,
    /// Who changed it last, as the audit log calls them.
    pub changed_by: String,
    pub changed_at: Timestamp,
}
