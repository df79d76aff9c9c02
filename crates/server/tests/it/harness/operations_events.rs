//! Those of what a business's own programs are told, and of its n8n.

use super::operations::Needs;
use quipu_core::access::Permission::{BusinessRead, BusinessWrite, CustomersRead, SecretsWrite};
use serde_json::{Value, json};

#[rustfmt::skip]
pub(super) fn table(name: &str) -> Vec<(&'static str, Needs, Option<Value>)> {
    let may = Needs::Permission;
    let nothing = uuid::Uuid::now_v7();
    vec![
        // Of what hardly ever happens, so that nothing is posted to anybody.
        ("create_event_endpoint", may(SecretsWrite), Some(json!({
            "url": format!("https://{name}.example/eventos"), "kinds": ["document.failed"],
        }))),
        ("list_event_endpoints", may(BusinessRead), None),
        ("get_event_endpoint", may(BusinessRead), None),
        ("update_event_endpoint", may(SecretsWrite), Some(json!({ "active": false }))),
        ("delete_event_endpoint", may(SecretsWrite), None),
        ("test_event_endpoint", may(BusinessWrite), None),
        ("list_event_deliveries", may(CustomersRead), None),
        ("replay_event_delivery", may(BusinessWrite), None),
        ("get_n8n", may(BusinessRead), None),
        ("put_n8n", may(SecretsWrite), Some(json!({ "enabled": false }))),
        ("n8n_respond", Needs::SharedSecret, Some(json!({
            "projectId": name, "conversationId": nothing, "response": name,
        }))),
        ("n8n_send", Needs::SharedSecret, Some(json!({
            "projectId": name, "leadId": nothing, "message": name,
        }))),
    ]
}
