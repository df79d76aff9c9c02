//! Those of leads and conversations.

use super::operations::{Content, Needs, Operation};
use quipu_core::access::Permission::{CustomersRead, CustomersWrite};
use serde_json::{Value, json};

#[rustfmt::skip]
pub(super) fn customers(name: &str) -> Vec<(&'static str, Operation)> {
    let (read, write) = (Needs::Permission(CustomersRead), Needs::Permission(CustomersWrite));
    let nothing = uuid::Uuid::now_v7();
    let table: Vec<(&str, Needs, Option<Value>)> = vec![
        ("list_leads", read, None),
        ("create_lead", write, Some(json!({ "name": name }))),
        ("get_lead", read, None),
        ("update_lead", write, Some(json!({ "name": name }))),
        ("delete_lead", write, None),
        ("add_lead_identity", write, Some(json!({ "channel": "web", "external_id": name }))),
        ("remove_lead_identity", write, None),
        ("merge_leads", write, Some(json!({ "other_lead_id": nothing }))),
        ("list_temperature_changes", read, None),
        ("list_conversations", read, None),
        ("create_conversation", write, Some(json!({ "lead_id": nothing, "channel": "web" }))),
        ("get_conversation", read, None),
        ("update_conversation", write, Some(json!({ "status": "closed" }))),
        ("list_messages", read, None),
        ("add_message", write, Some(json!({ "role": "note", "text": name }))),
        ("request_handoff", write, Some(json!({ "reason": name }))),
        ("take_handoff", write, None),
        ("release_handoff", write, None),
        ("get_conversation_history", read, None),
        ("list_attachments", read, None),
        ("download_attachment", read, None),
    ];
    let attach = ("add_attachment", Operation {
        needs: write,
        body: Content::File(format!("%PDF-1.7 {name}")),
    });
    table
        .into_iter()
        .map(|(id, needs, body)| (id, Operation { needs, body: body.into() }))
        .chain([attach])
        .collect()
}
