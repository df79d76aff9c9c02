//! What was done, by whom, to what.

use crate::{AuditId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AuditEntry {
    pub id: AuditId,
    /// `user:<id>`, `api_key:<id>`, `n8n` or `system`.
    pub actor: String,
    /// A verb of the API, such as `agent.create`.
    pub action: String,
    /// What it was done to, such as `agent:<id>`.
    pub target: String,
    #[schema(value_type = Object)]
    pub details: serde_json::Value,
    pub request_id: Option<String>,
    pub created_at: Timestamp,
}
