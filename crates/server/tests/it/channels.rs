//! Channels: a real server of ours, and stand-ins for the servers of the channels, which are strict about
//! what they are sent.

mod conversation;
mod deliveries;
mod handoff;
mod n8n;
mod others;
mod refusals;
mod voice;
mod web_chat;

use crate::harness::{Client, TestApp, eventually};
use quipu_app::bootstrap;
use quipu_core::Clock;
use quipu_server::demo::DEMO;
use quipu_simulator::{
    CustomerWrites, Delivered, SimulatedAccount, SimulatedChannel, SimulatedCustomer,
    SimulatedMessage, Simulator,
};
use quipu_testkit::TestDatabase;
use serde_json::{Value, json};
use std::net::{Ipv4Addr, SocketAddr};
use std::time::SystemTime;

/// How others reach the server, as the configuration says. Nobody does.
pub(crate) const PUBLIC_URL: &str = "http://quipu.example";

/// The dental clinic of the demo, with an account at a channel.
pub(crate) struct ChannelLine {
    pub(crate) app: TestApp,
    pub(crate) simulator: Simulator,
    /// Whoever runs the clinic.
    pub(crate) admin: Client,
    pub(crate) connection: String,
    pub(crate) account: SimulatedAccount,
}

impl ChannelLine {
    pub(crate) async fn open(db: TestDatabase) -> Self {
        Self::open_on(db, SimulatedChannel::Whatsapp).await
    }

    pub(crate) async fn open_on(db: TestDatabase, channel: SimulatedChannel) -> Self {
        let bind = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let clock = std::sync::Arc::new(std::sync::OnceLock::new());
        let told = clock.clone();
        let simulator = Simulator::start_with_clock(bind, move || {
            told.get().map_or(
                SystemTime::UNIX_EPOCH,
                |clock: &std::sync::Arc<dyn Clock>| SystemTime::from(clock.now()),
            )
        });
        let simulator = simulator.await.unwrap();
        let url = simulator.url();
        let app = TestApp::start_with(db, |options| {
            let channels = &mut options.config.channels;
            channels.graph_url.clone_from(&url);
            channels.instagram_url.clone_from(&url);
            channels.tiktok_url.clone_from(&url);
            channels.vapi_url.clone_from(&url);
            PUBLIC_URL.clone_into(&mut options.config.server.public_url);
            // The stand-in of n8n is on this machine.
            options.config.fetch.allow_networks = vec!["127.0.0.0/8".to_owned()];
        })
        .await;
        let at: std::sync::Arc<dyn Clock> = app.clock.clone();
        assert!(clock.set(at).is_ok());
        bootstrap::load_demo(&app.app, &DEMO).await.unwrap();
        let admin = app.super_admin().await.client.in_tenant(DEMO.slug);
        let (connection, account) =
            connect(&app, &admin, &simulator, channel, "106540352242922").await;
        Self {
            app,
            simulator,
            admin,
            connection,
            account,
        }
    }

    /// Writes as a customer, and waits for what the business answers.
    pub(crate) async fn says(&self, customer: &SimulatedCustomer, text: &str) -> String {
        self.writes(customer, CustomerWrites::text(text)).await
    }

    pub(crate) async fn writes(
        &self,
        customer: &SimulatedCustomer,
        content: CustomerWrites,
    ) -> String {
        let before = self.sent_to(customer).len();
        self.deliver(customer, content).await;
        let answer = eventually("an answer", async || {
            let sent = self.sent_to(customer);
            sent.get(before).cloned()
        });
        answer.await.text.unwrap_or_default()
    }

    /// Writes as a customer, and waits until the delivery was acknowledged.
    pub(crate) async fn deliver(
        &self,
        customer: &SimulatedCustomer,
        content: CustomerWrites,
    ) -> Delivered {
        let account = &self.account.account_id;
        let delivered = self.simulator.write(account, customer, content).await;
        delivered.unwrap()
    }

    /// What the business has sent to somebody.
    pub(crate) fn sent_to(&self, customer: &SimulatedCustomer) -> Vec<SimulatedMessage> {
        let sent = self.simulator.sent(&self.account.account_id);
        sent.into_iter()
            .filter(|message| message.customer_id == customer.id)
            .collect()
    }

    /// The conversation with whoever wrote last.
    pub(crate) async fn conversation(&self) -> Value {
        let list = self.admin.get("/api/v1/conversations?sort=activity").await;
        list.ok(200)["data"][0].clone()
    }

    /// Waits until no job of the channels is left that could run now.
    pub(crate) async fn rest(&self) {
        eventually("rest", async || {
            let jobs = self.admin.get("/api/v1/jobs?limit=200").await.ok(200);
            let jobs = jobs["data"].as_array().unwrap().clone();
            let now = self.app.now().to_string();
            let is_live = |job: &Value| {
                let kind = job["kind"].as_str().unwrap();
                let live = matches!(job["status"].as_str(), Some("queued" | "running"));
                live && matches!(kind, "answer_contact" | "send_messages")
                    && job["run_at"].as_str().unwrap() <= now.as_str()
            };
            (!jobs.iter().any(is_live)).then_some(())
        })
        .await;
    }
}

/// Connects an account of the tenant at a stand-in.
pub(crate) async fn connect(
    app: &TestApp,
    admin: &Client,
    simulator: &Simulator,
    channel: SimulatedChannel,
    id: &str,
) -> (String, SimulatedAccount) {
    let mut account = SimulatedAccount::new(channel, id, "http://127.0.0.1:9");
    let name = serde_json::to_value(channel).unwrap();
    let body = json!({
        "channel": name,
        "name": format!("Canal {id}"),
        "account_id": account.account_id,
        "parent_id": account.parent_id,
        "token": account.token,
        "app_secret": account.app_secret,
        "settings": { "debounce_ms": 0 },
    });
    let connected = admin.post("/api/v1/channels", body).await.ok(201);
    let path = connected["webhook"]["path"].as_str().unwrap();
    account.webhook_url = format!("{}{path}", app.url);
    account.verify_token = connected["webhook"]["verify_token"]
        .as_str()
        .unwrap()
        .to_owned();
    simulator.connect(account.clone());
    (connected["id"].as_str().unwrap().to_owned(), account)
}

pub(crate) fn rosa() -> SimulatedCustomer {
    SimulatedCustomer::new("51987654321", "Rosa Quispe")
}
