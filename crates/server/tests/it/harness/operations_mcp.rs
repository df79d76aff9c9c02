//! The one of the Model Context Protocol.

use super::operations::{Content, Needs, Operation};
use quipu_core::access::Permission::AgentsRead;
use serde_json::json;

pub(super) fn mcp() -> [(&'static str, Operation); 1] {
    let asked = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let operation = Operation {
        needs: Needs::Permission(AgentsRead),
        body: Content::Json(asked),
    };
    [("mcp", operation)]
}
