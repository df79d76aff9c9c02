//! What an agent did through a tool that changes something.

use crate::{AgentId, ConversationId, LeadId, Timestamp, ToolCallId};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use utoipa::ToSchema;

#[derive(Clone, Debug)]
pub struct NewToolCall {
    pub agent_id: AgentId,
    pub conversation_id: Option<ConversationId>,
    pub lead_id: Option<LeadId>,
    pub actor: String,
    pub tool: String,
    pub arguments: serde_json::Value,
    /// Why nothing was done, when nothing was.
    pub error_code: Option<String>,
    pub elapsed: Duration,
}

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ToolCall {
    pub id: ToolCallId,
    pub agent_id: AgentId,
    pub conversation_id: Option<ConversationId>,
    pub lead_id: Option<LeadId>,
    /// On whose behalf, as the audit log calls them.
    pub actor: String,
    #[schema(example = "create_appointment")]
    pub tool: String,
    #[schema(value_type = Object)]
    pub arguments: serde_json::Value,
    /// Why nothing was done, when nothing was.
    pub error_code: Option<String>,
    pub elapsed_ms: f64,
    pub created_at: Timestamp,
}
