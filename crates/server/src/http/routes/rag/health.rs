use crate::http::extract::Json;
use serde_json::{Value, json};

/// Whether the search is there, and how to call it.
#[utoipa::path(
    get,
    path = "/api/rag/search",
    tag = "n8n",
    operation_id = "rag_search_health",
    security(),
    responses((status = 200, body = Value))
)]
pub(super) async fn handler() -> Json<Value> {
    Json(json!({
        "status": "ok",
        "endpoint": "/api/rag/search",
        "method": "POST",
        "authentication": "X-N8N-Secret: the tenant's secret n8n_shared_secret",
        "body": {
            "agentId": "the agent's id or slug (required)",
            "projectId": "the tenant's id or slug (required)",
            "query": "the question, up to 4000 characters (required)",
            "limit": "1 to 20, default 5",
            "threshold": "0 to 1, default 0.7",
        },
    }))
}
