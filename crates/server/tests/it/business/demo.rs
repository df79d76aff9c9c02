//! The demo tenants as the first start makes them.

use crate::extraction::samples::text_pdf;
use crate::harness::{
    Client, Field, Options, Reply, TestApp, conversation_path, id, make_conversation, make_lead,
};
use quipu_app::bootstrap;
use quipu_core::Timestamp;
use quipu_core::agent::Vertical;
use quipu_server::demo::{self, ALL};
use quipu_testkit::TestDatabase;
use reqwest::Method;
use serde_json::{Value, json};

/// One demo tenant, and what customers there ask for.
pub(super) struct Business {
    pub(super) client: Client,
    pub(super) agent: &'static str,
    pub(super) vertical: Vertical,
    pub(super) service: &'static str,
    pub(super) question: &'static str,
    pub(super) situation: String,
    pub(super) competitor: String,
}

pub(super) struct Businesses {
    pub(super) all: Vec<Business>,
    _app: TestApp,
}

impl Businesses {
    pub(super) async fn open(db: TestDatabase) -> Self {
        let app = TestApp::start(db).await;
        let asked = [
            (
                "maya",
                Vertical::Dental,
                "limpieza",
                "¿puedo pagar con tarjeta?",
            ),
            (
                "lia",
                Vertical::Medical,
                "medicina general",
                "¿tengo que ir en ayunas?",
            ),
            (
                "lupita",
                Vertical::Restaurant,
                "mesa",
                "¿tienen estacionamiento?",
            ),
        ];
        let mut all = Vec::new();
        for (demo, (agent, vertical, service, question)) in ALL.iter().zip(asked) {
            let key = bootstrap::load_demo(&app.app, demo).await.unwrap();
            let client = app.stranger().bearer(&key);
            let first = async |path: &str| {
                let found = client.get(path).await.ok(200);
                found["data"][0]["name"].as_str().unwrap().to_owned()
            };
            all.push(Business {
                situation: first("/api/v1/response-templates").await,
                competitor: first("/api/v1/competitors").await,
                client,
                agent,
                vertical,
                service,
                question,
            });
        }
        Self { all, _app: app }
    }
}

/// Another tenant with things of its own.
pub(super) struct Foreign {
    pub(super) client: Client,
    pub(super) agent: &'static str,
    pub(super) slot: Value,
    pub(super) completed: Value,
    pub(super) attachment: Value,
}

/// The dental clinic with a customer who has been there, and the taquería beside it.
pub(super) struct World {
    pub(super) app: TestApp,
    pub(super) client: Client,
    pub(super) agent: &'static str,
    pub(super) lead: Value,
    pub(super) conversation: Value,
    /// Two times for a cleaning that are free.
    pub(super) slot: Value,
    pub(super) later_slot: Value,
    /// An appointment that took place and has earned nothing yet.
    pub(super) completed: Value,
    pub(super) attachment: Value,
    pub(super) competitor: Value,
    pub(super) product: Value,
    pub(super) reward: Value,
    pub(super) foreign: Foreign,
}

impl World {
    pub(super) async fn open(db: TestDatabase) -> Self {
        Self::open_with(db, |_| {}).await
    }

    pub(super) async fn open_with(db: TestDatabase, change: impl FnOnce(&mut Options)) -> Self {
        let app = TestApp::start_with(db, change).await;
        let mut clients = Vec::new();
        for demo in [&demo::DEMO, &ALL[2]] {
            let key = bootstrap::load_demo(&app.app, demo).await.unwrap();
            clients.push(app.stranger().bearer(&key));
        }
        let (other, client) = (clients.pop().unwrap(), clients.pop().unwrap());
        let root = app.super_admin().await.client.in_tenant(demo::DEMO.slug);
        let of_other = app.super_admin().await.client.in_tenant(ALL[2].slug);

        let (lead, conversation, attachment) = customer(&client).await;
        let (_, _, others) = customer(&other).await;
        let completed = past(&app, &client, &root, "maya", "limpieza", &lead).await;
        let theirs = past(&app, &other, &of_other, "lupita", "mesa", &json!(null)).await;
        let slots = free(&client, "maya", "limpieza").await;
        let tables = free(&other, "lupita", "mesa").await;
        let reward = cheapest_reward(&root).await;
        let given = json!({ "tokens": 100_000, "reason": "regalo" });
        let path = format!(
            "/api/v1/leads/{}/loyalty/adjustments",
            lead.as_str().unwrap()
        );
        root.post(&path, given).await.ok(201);
        let first = async |path: &str| root.get(path).await.ok(200)["data"][0]["name"].clone();
        Self {
            agent: "maya",
            competitor: first("/api/v1/competitors").await,
            product: first("/api/v1/menu-items").await,
            reward,
            lead,
            conversation,
            slot: slots[0]["slot_id"].clone(),
            later_slot: slots[19]["slot_id"].clone(),
            completed,
            attachment,
            foreign: Foreign {
                agent: "lupita",
                slot: tables[0]["slot_id"].clone(),
                completed: theirs,
                attachment: others,
                client: other,
            },
            client,
            app,
        }
    }

    /// Calls a tool in the customer's conversation.
    pub(super) async fn call(&self, name: &str, arguments: Value) -> Reply {
        let context = json!({ "conversation_id": self.conversation });
        self.post(name, json!({ "arguments": arguments, "context": context }))
            .await
    }

    pub(super) async fn post(&self, name: &str, body: Value) -> Reply {
        let path = format!("/api/v1/agents/{}/tools/{name}", self.agent);
        self.client.post(&path, body).await
    }
}

/// A lead with a conversation and a ticket in it.
async fn customer(client: &Client) -> (Value, Value, Value) {
    let lead = make_lead(client, "Rosa").await;
    let conversation = make_conversation(client, &lead).await;
    let ticket = ticket();
    let path = conversation_path(&conversation, "/attachments");
    let fields = [Field::file("ticket.pdf", &ticket)];
    let attached = client.form(Method::POST, &path, &fields).await.ok(201);
    (
        lead["id"].clone(),
        json!(id(&conversation)),
        attached["id"].clone(),
    )
}

/// A ticket as a PDF with text.
fn ticket() -> Vec<u8> {
    let lines = [
        "TAQUERIA EJEMPLO SA DE CV",
        "RFC: EKU9003173C9",
        "Folio: A-00123",
        "Fecha: 12/03/2026",
        "2 TACO AL PASTOR 50.00",
        "1 AGUA DE JAMAICA 25.00",
        "TOTAL $75.00",
    ];
    text_pdf(&lines)
}

async fn free(client: &Client, agent: &str, service: &str) -> Vec<Value> {
    let path = format!("/api/v1/agents/{agent}/tools/get_available_slots");
    let arguments = json!({ "service_name": service, "limit": 20 });
    let found = client
        .post(&path, json!({ "arguments": arguments }))
        .await
        .ok(200);
    found["result"]["slots"].as_array().unwrap().clone()
}

/// An appointment that took place, before there was a programme that gave anything for it.
async fn past(
    app: &TestApp,
    client: &Client,
    root: &Client,
    agent: &str,
    service: &str,
    lead: &Value,
) -> Value {
    let programme = "/api/v1/loyalty/programme";
    let usual = root.get(programme).await.ok(200);
    let mut idle = usual.clone();
    idle["active"] = json!(false);
    root.put(programme, idle).await.ok(200);
    let slot = free(client, agent, service).await[0].clone();
    let starts_at: Timestamp = slot["starts_at"].as_str().unwrap().parse().unwrap();
    let path = format!("/api/v1/agents/{agent}/tools/create_appointment");
    let arguments = json!({ "slot_id": slot["slot_id"], "service_name": service });
    let lead = if lead.is_null() {
        make_lead(client, "Ajena").await["id"].clone()
    } else {
        lead.clone()
    };
    let body = json!({ "arguments": arguments, "context": { "lead_id": lead } });
    let made = client.post(&path, body).await.ok(201);
    let id = made["result"]["appointment_id"].clone();
    let wait = starts_at.duration_since(app.now());
    app.clock.advance(wait.try_into().unwrap());
    let path = format!("/api/v1/appointments/{}/complete", id.as_str().unwrap());
    client.post(&path, json!({})).await.ok(200);
    root.put(programme, usual).await.ok(200);
    id
}

async fn cheapest_reward(root: &Client) -> Value {
    let all = root.get("/api/v1/rewards").await.ok(200);
    let all = all["data"].as_array().unwrap();
    let cheapest = all.iter().min_by_key(|reward| reward["tokens"].as_i64());
    cheapest.unwrap()["name"].clone()
}
