//! Accounts at channels, none of which a test reaches.

use super::{Reply, Tenant, TestApp, id};
use quipu_channels::OutboundContent;
use quipu_channels::signature::hmac_sha256;
use quipu_core::channel::{ContactIdentity, NewOutbound, SendResult};
use quipu_core::{ConnectionId, ConversationId, LeadId};
use quipu_server::config::Config;
use reqwest::Method;
use serde_json::{Value, json};
use std::fmt::Write;

/// Where nobody listens.
const NOWHERE: &str = "http://127.0.0.1:9";
/// The number of whoever writes, who is a customer of every tenant.
const PHONE: &str = "51987654321";

/// Keeps a server from the servers of the channels, unless a test names others.
pub(super) fn reach_no_channel(config: &mut Config) {
    let servers = &mut config.channels;
    for address in [
        &mut servers.graph_url,
        &mut servers.instagram_url,
        &mut servers.tiktok_url,
        &mut servers.vapi_url,
    ] {
        NOWHERE.clone_into(address);
    }
}

/// Connects an account at WhatsApp, through which a conversation is held: something was sent to its
/// customer, and something comes from them. The account is paused, so that nothing is answered to where no
/// channel is.
pub(super) async fn connect_account(
    app: &TestApp,
    tenant: &Tenant,
    conversation: &Value,
) -> String {
    let (client, slug) = (&tenant.admin.client, &tenant.slug);
    let account = json!({
        "channel": "whatsapp",
        "name": format!("WhatsApp de {slug}"),
        "account_id": account_id(slug),
        "parent_id": format!("negocio-{slug}"),
        "token": format!("clave de {slug} que no abre nada"),
        "app_secret": app_secret(slug),
    });
    let connection = id(&client.post("/api/v1/channels", account).await.ok(201));
    let path = format!("/api/v1/channels/{connection}");
    client
        .patch(&path, json!({ "status": "paused" }))
        .await
        .ok(200);
    add_traffic(app, tenant, &connection, conversation).await;
    let receipt = deliver(app, slug, &connection).await.ok(200);
    assert_eq!(receipt["taken"], 1, "{receipt}");
    connection
}

/// Holds a conversation through a connection, with a message that was sent in it.
async fn add_traffic(app: &TestApp, tenant: &Tenant, connection: &str, conversation: &Value) {
    let connection: ConnectionId = connection.parse().unwrap();
    let lead: LeadId = conversation["lead_id"].as_str().unwrap().parse().unwrap();
    let conversation: ConversationId = id(conversation).parse().unwrap();
    let customer = ContactIdentity {
        phone: Some(PHONE.to_owned()),
        ..ContactIdentity::default()
    };
    let text = format!("Te esperamos en {}", tenant.slug);
    let external_id = format!("wamid.sent.{}", tenant.slug);
    let tx = app.app.store.begin(tenant.scope()).await.unwrap();
    let contacts = tx.channel_contacts();
    let contact = contacts.insert(connection, lead, &customer).await.unwrap();
    let contact = contact.expect("nobody has written yet");
    contacts
        .hold_conversation(contact, conversation)
        .await
        .unwrap();
    let sent = NewOutbound {
        connection,
        contact,
        conversation: Some(conversation),
        message: None,
        content: json!(OutboundContent::Text { text }),
        by_person: true,
    };
    let outbound = tx.channel_outbound();
    let message = outbound.insert(&sent).await.unwrap();
    let result = SendResult::Sent { external_id };
    assert!(outbound.settle(message, &result).await.unwrap());
    tx.commit().await.unwrap();
}

/// Delivers what the customer writes, signed as WhatsApp signs it.
async fn deliver(app: &TestApp, slug: &str, connection: &str) -> Reply {
    let value = json!({
        "messaging_product": "whatsapp",
        "metadata": {
            "display_phone_number": "51900000000",
            "phone_number_id": account_id(slug),
        },
        "contacts": [{ "wa_id": PHONE, "profile": { "name": format!("Clienta de {slug}") } }],
        "messages": [{
            "from": PHONE,
            "id": format!("wamid.received.{slug}"),
            "timestamp": app.now().as_second().to_string(),
            "type": "text",
            "text": { "body": format!("¿Atienden hoy en {slug}?") },
        }],
    });
    let change = json!({ "field": "messages", "value": value });
    let entry = json!({ "id": format!("negocio-{slug}"), "changes": [change] });
    let body = json!({ "object": "whatsapp_business_account", "entry": [entry] }).to_string();
    let mut signature = "sha256=".to_owned();
    for byte in hmac_sha256(app_secret(slug).as_bytes(), &[body.as_bytes()]) {
        write!(signature, "{byte:02x}").unwrap();
    }
    let path = format!("/api/webhooks/whatsapp/{connection}");
    let channel = app.stranger().with("x-hub-signature-256", &signature);
    let request = channel
        .request(Method::POST, &path)
        .header("content-type", "application/json");
    Reply::of(request.body(body)).await
}

fn account_id(slug: &str) -> String {
    format!("cuenta-{slug}")
}

fn app_secret(slug: &str) -> String {
    format!("secreto de la aplicación de {slug}")
}
