//! A business: it receives what the channels deliver and checks that it is signed, and it sends.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::get;
use hmac::{Hmac, KeyInit, Mac};
use quipu_simulator::{
    CustomerWrites, Delivered, SimulatedAccount, SimulatedChannel, SimulatedCustomer, Simulator,
};
use serde_json::Value;
use sha2::Sha256;
use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};
use tokio::net::TcpListener;

pub(crate) const NOW_SECONDS: u64 = 1_795_000_000;

/// A delivery as it came.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Vec<u8>,
    pub(crate) body: Value,
}

struct Desk {
    received: Mutex<Vec<Received>>,
    /// What is answered, and how often first with status 503.
    answer: Mutex<(u16, String, usize)>,
    verify_token: String,
}

pub(crate) struct Business {
    pub(crate) simulator: Simulator,
    pub(crate) account: SimulatedAccount,
    pub(crate) http: reqwest::Client,
    desk: Arc<Desk>,
}

pub(crate) fn rosa() -> SimulatedCustomer {
    SimulatedCustomer::new("51987654321", "Rosa Ñáñez")
}

impl Business {
    /// A business with an account that it is connected with.
    pub(crate) async fn open(channel: SimulatedChannel) -> Self {
        let mut account = SimulatedAccount::new(channel, "106540352242922", "");
        let desk = Arc::new(Desk {
            received: Mutex::default(),
            answer: Mutex::new((200, String::new(), 0)),
            verify_token: account.verify_token.clone(),
        });
        let router = Router::new()
            .route("/webhook", get(challenge).post(receive))
            .with_state(Arc::clone(&desk));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        account.webhook_url = format!("http://{}/webhook", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        let clock = || UNIX_EPOCH + Duration::from_secs(NOW_SECONDS);
        let bind = "127.0.0.1:0".parse().unwrap();
        let simulator = Simulator::start_with_clock(bind, clock).await.unwrap();
        simulator.connect(account.clone());
        Self {
            simulator,
            account,
            http: reqwest::Client::new(),
            desk,
        }
    }

    pub(crate) fn answers(&self, status: u16, body: &str) {
        *self.desk.answer.lock().unwrap() = (status, body.to_owned(), 0);
    }

    /// Is not there for some deliveries.
    pub(crate) fn stumbles(&self, times: usize) {
        self.desk.answer.lock().unwrap().2 = times;
    }

    /// What arrived since this was last asked, once nothing is on its way any more.
    pub(crate) async fn received(&self) -> Vec<Received> {
        self.simulator.settle().await;
        std::mem::take(&mut *self.desk.received.lock().unwrap())
    }

    /// The bodies of what arrived.
    pub(crate) async fn bodies(&self) -> Vec<Value> {
        self.received()
            .await
            .into_iter()
            .map(|received| received.body)
            .collect()
    }

    pub(crate) async fn write(
        &self,
        from: &SimulatedCustomer,
        content: CustomerWrites,
    ) -> Delivered {
        self.simulator
            .write(&self.account.account_id, from, content)
            .await
            .unwrap()
    }

    /// Whoever has written can be answered; what was delivered of it is forgotten.
    pub(crate) async fn greeted_by(&self, customer: &SimulatedCustomer) -> String {
        let delivered = self.write(customer, CustomerWrites::text("hola")).await;
        self.received().await;
        delivered.message_id
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}/{path}", self.simulator.url())
    }

    /// Posts to Graph with the token of the account.
    pub(crate) async fn send(&self, body: &Value) -> (u16, Value) {
        let path = format!("v26.0/{}/messages", self.account.account_id);
        let request = self
            .http
            .post(self.url(&path))
            .bearer_auth(&self.account.token);
        told(request.json(body).send().await.unwrap()).await
    }

    pub(crate) async fn graph(&self, path: &str) -> (u16, Value) {
        let request = self
            .http
            .get(self.url(path))
            .bearer_auth(&self.account.token);
        told(request.send().await.unwrap()).await
    }
}

pub(crate) async fn told(response: reqwest::Response) -> (u16, Value) {
    let status = response.status().as_u16();
    (status, response.json().await.unwrap_or_default())
}

/// The code of an error of Graph.
pub(crate) fn code(answer: &(u16, Value)) -> i64 {
    answer.1["error"]["code"].as_i64().unwrap_or_default()
}

/// HMAC-SHA256 in hexadecimal.
pub(crate) fn hmac(key: &str, parts: &[&[u8]]) -> String {
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(key.as_bytes()).unwrap();
    for part in parts {
        mac.update(part);
    }
    hex::encode(mac.finalize().into_bytes())
}

async fn receive(
    State(desk): State<Arc<Desk>>,
    headers: HeaderMap,
    bytes: Bytes,
) -> (StatusCode, String) {
    {
        let mut answer = desk.answer.lock().unwrap();
        if answer.2 > 0 {
            answer.2 -= 1;
            return (StatusCode::SERVICE_UNAVAILABLE, String::new());
        }
    }
    desk.received.lock().unwrap().push(Received {
        headers,
        body: serde_json::from_slice(&bytes).unwrap(),
        bytes: bytes.to_vec(),
    });
    let (status, body, _) = desk.answer.lock().unwrap().clone();
    (StatusCode::from_u16(status).unwrap(), body)
}

async fn challenge(
    State(desk): State<Arc<Desk>>,
    RawQuery(query): RawQuery,
) -> (StatusCode, String) {
    let query = query.unwrap_or_default();
    let pairs: Vec<(String, String)> = url::form_urlencoded::parse(query.as_bytes())
        .into_owned()
        .collect();
    let value = |name: &str| {
        let pair = pairs.iter().find(|(key, _)| key == name);
        pair.map(|(_, value)| value.clone()).unwrap_or_default()
    };
    if value("hub.mode") == "subscribe" && value("hub.verify_token") == desk.verify_token {
        (StatusCode::OK, value("hub.challenge"))
    } else {
        (StatusCode::FORBIDDEN, String::new())
    }
}
