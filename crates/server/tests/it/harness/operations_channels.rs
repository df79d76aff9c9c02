//! Those of channels and of what they deliver.

use super::operations::Needs;
use quipu_core::access::Permission::{
    AgentsRead, AgentsWrite, CustomersRead, CustomersWrite, SecretsRead, SecretsWrite, UsageRead,
};
use serde_json::{Value, json};

#[rustfmt::skip]
pub(super) fn table(name: &str) -> Vec<(&'static str, Needs, Option<Value>)> {
    let may = Needs::Permission;
    vec![
        ("connect_channel", may(SecretsWrite), Some(json!({
            "channel": "whatsapp", "name": name, "account_id": name,
            "token": "una clave que no abre nada", "app_secret": "un secreto que no firma nada",
        }))),
        ("list_channels", may(AgentsRead), None),
        ("get_channel", may(AgentsRead), None),
        ("update_channel", may(SecretsWrite), Some(json!({ "name": name }))),
        ("disconnect_channel", may(SecretsWrite), None),
        ("get_channel_webhook", may(SecretsRead), None),
        ("check_channel", may(AgentsWrite), None),
        ("list_channel_templates", may(CustomersRead), None),
        ("list_channel_messages", may(CustomersRead), None),
        ("list_voice_calls", may(CustomersRead), None),
        ("get_channel_cost", may(UsageRead), None),
        ("get_conversation_channel", may(CustomersRead), None),
        ("send_template", may(CustomersWrite), Some(json!({
            "name": name, "language": "es", "values": [name],
        }))),
        // Whoever delivers shows that they are the channel, by a signature that no body here can have.
        ("verify_webhook", Needs::Nothing, None),
        ("deliver_webhook", Needs::Nothing, None),
        ("speak_in_call", Needs::Nothing, None),
        // Visitors of a site are known by a session of their own, and their page by its origin.
        ("open_web_chat", Needs::Nothing, Some(json!({}))),
        ("say_in_web_chat", Needs::Nothing, Some(json!({ "text": name }))),
        ("read_web_chat", Needs::Nothing, None),
    ]
}
