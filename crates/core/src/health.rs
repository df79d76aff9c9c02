//! Whether those whom answers depend on are being asked, as people see it.

use crate::lead::words;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

words! {
    /// What somebody is asked for.
    ProviderRole {
        /// Writing answers.
        Model = "model",
        /// Making vectors of texts.
        Embedding = "embedding",
        /// Judging again what was found.
        Reranker = "reranker",
    }
}

words! {
    /// How a circuit breaker stands.
    BreakerCondition {
        /// Calls go through.
        Closed = "closed",
        /// The next call tells whether it is well again.
        HalfOpen = "half_open",
        /// Too many calls failed: nothing is asked for a while.
        Open = "open",
    }
}

/// A provider that a tenant asked lately, and whether it is being asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProviderHealth {
    pub role: ProviderRole,
    /// The provider and what of it, such as `openai/gpt-4.1-mini`.
    #[schema(example = "openai/gpt-4.1-mini")]
    pub name: String,
    pub state: BreakerCondition,
}
