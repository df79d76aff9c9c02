//! What happens, told to a business's own programs: signed, in order, and again where it was not taken.

use crate::harness::{
    Client, LEADS, Tenant, TestApp, eventually, id, make_conversation, make_lead, say,
};
use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use quipu_channels::signature::{WebhookHeaders, is_webhook_signature};
use quipu_testkit::{TestDatabase, db_test, sqlite_test};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::TcpListener;

const ENDPOINTS: &str = "/api/v1/event-endpoints";

/// A program that is told something.
#[derive(Clone, Default)]
struct Receiver {
    address: String,
    told: Arc<Mutex<Vec<Told>>>,
    /// What it answers next; afterwards it takes everything.
    answers: Arc<Mutex<VecDeque<u16>>>,
}

#[derive(Clone)]
struct Told {
    headers: WebhookHeaders,
    raw: Vec<u8>,
    body: Value,
}

impl Receiver {
    async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let receiver = Self {
            address: format!("http://{}/eventos", listener.local_addr().unwrap()),
            ..Self::default()
        };
        let (told, answers) = (receiver.told.clone(), receiver.answers.clone());
        let take = move |headers: HeaderMap, body: Bytes| {
            let header = |name: &str| headers[name].to_str().unwrap().to_owned();
            told.lock().unwrap().push(Told {
                headers: WebhookHeaders {
                    id: header("webhook-id"),
                    timestamp: header("webhook-timestamp").parse().unwrap(),
                    signature: header("webhook-signature"),
                },
                body: serde_json::from_slice(&body).unwrap(),
                raw: body.to_vec(),
            });
            let answer = answers.lock().unwrap().pop_front().unwrap_or(200);
            async move { (StatusCode::from_u16(answer).unwrap(), "no es para nosotros") }
        };
        let router = Router::new().route("/eventos", post(take));
        tokio::spawn(async move { axum::serve(listener, router).await });
        receiver
    }

    fn answer(&self, statuses: &[u16]) {
        self.answers.lock().unwrap().extend(statuses);
    }

    fn told(&self) -> Vec<Told> {
        self.told.lock().unwrap().clone()
    }

    /// The names of the leads it was told of, each time it was.
    fn names(&self) -> Vec<String> {
        let name = |told: Told| told.body["data"]["name"].as_str().map(str::to_owned);
        self.told().into_iter().filter_map(name).collect()
    }

    async fn has_been_told(&self, times: usize) -> Vec<Told> {
        eventually("an event", async || {
            let told = self.told();
            (told.len() >= times).then_some(told)
        })
        .await
    }
}

/// A server that posts to this machine too.
async fn reachable(db: TestDatabase) -> TestApp {
    TestApp::start_with(db, |options| {
        options.config.fetch.allow_networks = vec!["127.0.0.0/8".to_owned()];
    })
    .await
}

/// Has a receiver told of some kinds. Returns the path of the endpoint and its secret.
async fn connect(client: &Client, receiver: &Receiver, kinds: &[&str]) -> (String, String) {
    let body = json!({ "url": receiver.address, "kinds": kinds });
    let made = client.post(ENDPOINTS, body).await.ok(201);
    let secret = made["secret"].as_str().unwrap().to_owned();
    (format!("{ENDPOINTS}/{}", id(&made)), secret)
}

async fn deliveries(client: &Client, endpoint: &str) -> Vec<Value> {
    let listed = client.get(&format!("{endpoint}/deliveries")).await.ok(200);
    listed["data"].as_array().unwrap().clone()
}

/// Waits until the latest delivery is in a state after so many attempts.
async fn came_to(client: &Client, endpoint: &str, state: &str, attempts: u64) -> Value {
    eventually("an attempt", async || {
        let all = deliveries(client, endpoint).await;
        let last = all.into_iter().next()?;
        let is_there = last["state"] == state && last["attempts"] == attempts;
        is_there.then_some(last)
    })
    .await
}

/// Waits until something was tried so often.
async fn was_tried(client: &Client, endpoint: &str, attempts: u64) {
    eventually("another attempt", async || {
        let all = deliveries(client, endpoint).await;
        let tried = |delivery: &Value| delivery["attempts"] == attempts;
        all.iter().any(tried).then_some(())
    })
    .await;
}

fn is_signed(app: &TestApp, secret: &str, told: &Told) -> bool {
    is_webhook_signature(secret, &told.headers, app.now(), &told.raw)
}

db_test! {
    async fn what_happens_is_told_and_signed(db) {
        let app = reachable(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let receiver = Receiver::open().await;
        let (endpoint, secret) = connect(client, &receiver, &[]).await;
        assert!(secret.starts_with("whsec_"), "{secret}");
        let lead = make_lead(client, "Ana").await;
        let conversation = make_conversation(client, &lead).await;
        say(client, &conversation, "note", "nadie debe leer esto fuera").await;
        say(client, &conversation, "human", "Hola, Ana").await;
        let told = receiver.has_been_told(2).await;
        let kinds: Vec<&str> = told.iter().map(|told| told.body["type"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["lead.created", "message.sent"]);
        assert_eq!(told[0].body["data"]["lead_id"], lead["id"]);
        assert_eq!(told[0].body["data"]["name"], "Ana");
        assert_eq!(told[0].body["timestamp"], json!(app.now()));
        assert_eq!(told[1].body["data"]["text"], "Hola, Ana");
        assert_eq!(told[1].body["data"]["conversation_id"], conversation["id"]);
        for told in &told {
            assert!(is_signed(&app, &secret, told), "{:?}", told.headers);
            assert!(!is_signed(&app, "whsec_b3Ry", told));
        }
        let sent = came_to(client, &endpoint, "sent", 1).await;
        assert_eq!(sent["last_status"], 200);
        assert_eq!(sent["event_id"], told[1].headers.id);
        // The secret is told once.
        let again = client.get(&endpoint).await.ok(200);
        assert!(again["secret"].is_null() && again["fault"].is_null(), "{again}");
    }

    async fn what_is_not_taken_comes_again_and_nothing_overtakes_it(db) {
        let app = reachable(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let receiver = Receiver::open().await;
        receiver.answer(&[500, 503]);
        let (endpoint, secret) = connect(client, &receiver, &["lead.created"]).await;
        make_lead(client, "Ana").await;
        came_to(client, &endpoint, "waiting", 1).await;
        make_lead(client, "Beto").await;
        let fault = client.get(&endpoint).await.ok(200)["fault"].clone();
        assert_eq!((&fault["status"], &fault["error"]), (&json!(500), &json!("no es para nosotros")));
        app.clock.advance(Duration::from_secs(10));
        was_tried(client, &endpoint, 2).await;
        app.clock.advance(Duration::from_secs(10));
        receiver.has_been_told(4).await;
        assert_eq!(receiver.names(), ["Ana", "Ana", "Ana", "Beto"]);
        let told = receiver.told();
        assert_eq!(told[0].headers.id, told[2].headers.id, "the same event has one id");
        assert_ne!(told[0].headers.timestamp, told[2].headers.timestamp);
        assert!(is_signed(&app, &secret, &told[2]));
        came_to(client, &endpoint, "sent", 1).await;
        assert!(client.get(&endpoint).await.ok(200)["fault"].is_null());
    }

    async fn what_is_never_taken_is_given_up_and_can_be_sent_again(db) {
        let app = reachable(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let receiver = Receiver::open().await;
        receiver.answer(&[503; 12]);
        let (endpoint, _) = connect(client, &receiver, &["lead.created"]).await;
        make_lead(client, "Ana").await;
        for attempt in 1..12 {
            came_to(client, &endpoint, "waiting", attempt).await;
            // The pause doubles, and chance adds up to a quarter.
            app.clock.advance(Duration::from_secs((1 << (attempt - 1)) * 5 / 4 + 1));
        }
        let dead = came_to(client, &endpoint, "dead", 12).await;
        assert_eq!((&dead["last_status"], &dead["last_error"]), (&json!(503), &json!("no es para nosotros")));
        let listed = client.get(&format!("{endpoint}/deliveries?state=dead")).await.ok(200);
        assert_eq!(listed["data"].as_array().unwrap().len(), 1);
        app.clock.advance(Duration::from_hours(2));
        assert_eq!(receiver.told().len(), 12, "it was sent again by itself");
        let path = format!("{endpoint}/deliveries/{}/replay", dead["id"].as_str().unwrap());
        client.poke(&path).await.ok(200);
        let told = receiver.has_been_told(13).await;
        assert_eq!(told[0].headers.id, told[12].headers.id);
        came_to(client, &endpoint, "sent", 1).await;
    }

    async fn who_does_not_want_one_event_gets_the_others(db) {
        let app = reachable(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let receiver = Receiver::open().await;
        receiver.answer(&[422]);
        connect(client, &receiver, &["lead.created"]).await;
        for name in ["Ana", "Beto"] {
            make_lead(client, name).await;
        }
        receiver.has_been_told(2).await;
        assert_eq!(receiver.names(), ["Ana", "Beto"]);
        app.clock.advance(Duration::from_secs(10));
        receiver.has_been_told(3).await;
        assert_eq!(receiver.names(), ["Ana", "Beto", "Ana"]);
    }

    async fn each_tenant_is_told_of_its_own(db) {
        let app = reachable(db).await;
        let (one, two) = (app.tenant("acme").await, app.tenant("beta").await);
        let (mine, theirs) = (Receiver::open().await, Receiver::open().await);
        let (endpoint, secret) = connect(&one.admin.client, &mine, &[]).await;
        let (_, other) = connect(&two.admin.client, &theirs, &[]).await;
        make_lead(&one.admin.client, "Ana").await;
        make_lead(&two.admin.client, "Beto").await;
        let (mine_told, theirs_told) = (mine.has_been_told(1).await, theirs.has_been_told(1).await);
        assert_eq!((mine.names(), theirs.names()), (vec!["Ana".to_owned()], vec!["Beto".to_owned()]));
        assert!(is_signed(&app, &secret, &mine_told[0]) && !is_signed(&app, &other, &mine_told[0]));
        assert!(is_signed(&app, &other, &theirs_told[0]));
        for (method, path) in [("get", endpoint.clone()), ("poke", format!("{endpoint}/test"))] {
            let client = &two.admin.client;
            let reply = if method == "get" { client.get(&path).await } else { client.poke(&path).await };
            reply.refused(404, "NOT_FOUND");
        }
    }

    async fn a_customer_who_is_deleted_is_in_no_event(db) {
        let app = reachable(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let receiver = Receiver::open().await;
        receiver.answer(&[500]);
        let (endpoint, _) = connect(client, &receiver, &[]).await;
        let lead = make_lead(client, "Ana").await;
        came_to(client, &endpoint, "waiting", 1).await;
        let receipt = client.delete(&format!("{LEADS}/{}", id(&lead))).await.ok(200);
        assert_eq!(receipt["removed"]["rows"]["events"], 1, "{receipt}");
        assert_eq!(receipt["remaining"]["rows"]["events"], 0, "{receipt}");
        assert!(deliveries(client, &endpoint).await.is_empty());
    }
}

async fn ping(client: &Client, endpoint: &str) -> Value {
    client.poke(&format!("{endpoint}/test")).await.ok(200)
}

sqlite_test! {
    async fn an_address_is_tried_and_one_that_is_not_active_waits(db) {
        let app = reachable(db).await;
        let tenant: Tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let receiver = Receiver::open().await;
        let (endpoint, secret) = connect(client, &receiver, &["order.created"]).await;
        let tried = ping(client, &endpoint).await;
        assert_eq!((&tried["kind"], &tried["state"]), (&json!("ping"), &json!("waiting")));
        let told = receiver.has_been_told(1).await;
        assert_eq!(told[0].body["type"], "ping");
        assert!(is_signed(&app, &secret, &told[0]));
        make_lead(client, "Ana").await;
        client.patch(&endpoint, json!({ "active": false, "kinds": [] })).await.ok(200);
        make_lead(client, "Beto").await;
        ping(client, &endpoint).await;
        client.patch(&endpoint, json!({ "active": true })).await.ok(200);
        let told = receiver.has_been_told(2).await;
        assert_eq!(told[1].body["type"], "ping");
        make_lead(client, "Carla").await;
        receiver.has_been_told(3).await;
        assert_eq!(receiver.names(), ["Carla"]);
        client.delete(&endpoint).await.ok(204);
        client.get(&endpoint).await.refused(404, "NOT_FOUND");
    }

    async fn nothing_is_posted_into_the_house(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        for inside in ["http://127.0.0.1/", "http://[::1]/", "http://169.254.169.254/", "ftp://crm.example/", "crm"] {
            let error = client.post(ENDPOINTS, json!({ "url": inside })).await;
            let error = error.refused(422, "VALIDATION_FAILED");
            assert!(error.to_string().contains("not_public"), "{inside}: {error}");
        }
        let body = json!({ "url": "https://crm.example/", "kinds": ["ping"] });
        client.post(ENDPOINTS, body).await.refused(422, "VALIDATION_FAILED");
    }

    async fn where_an_answer_leads_nobody_is_followed(db) {
        let app = reachable(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let receiver = Receiver::open().await;
        receiver.answer(&[307]);
        let (endpoint, _) = connect(client, &receiver, &["lead.created"]).await;
        make_lead(client, "Ana").await;
        let waiting = came_to(client, &endpoint, "waiting", 1).await;
        assert_eq!(waiting["last_status"], 307);
        assert_eq!(receiver.told().len(), 1);
    }
}
