//! Leads and their conversations.

use super::{Client, Field, id, png};
use reqwest::Method;
use serde_json::{Value, json};

pub(crate) const LEADS: &str = "/api/v1/leads";
pub(crate) const CONVERSATIONS: &str = "/api/v1/conversations";

pub(crate) async fn make_lead(client: &Client, name: &str) -> Value {
    client.post(LEADS, json!({ "name": name })).await.ok(201)
}

pub(crate) async fn make_conversation(client: &Client, lead: &Value) -> Value {
    let body = json!({ "lead_id": lead["id"], "channel": "whatsapp" });
    client.post(CONVERSATIONS, body).await.ok(201)
}

pub(crate) fn conversation_path(conversation: &Value, rest: &str) -> String {
    format!("{CONVERSATIONS}/{}{rest}", id(conversation))
}

pub(crate) async fn say(client: &Client, conversation: &Value, role: &str, text: &str) -> Value {
    let path = conversation_path(conversation, "/messages");
    let body = json!({ "role": role, "text": text });
    client.post(&path, body).await.ok(201)
}

/// Adds a picture to a conversation.
pub(crate) async fn attach(client: &Client, conversation: &Value, filename: &str) -> Value {
    let path = conversation_path(conversation, "/attachments");
    let picture = png();
    let fields = [Field::file(filename, &picture)];
    client.form(Method::POST, &path, &fields).await.ok(201)
}
