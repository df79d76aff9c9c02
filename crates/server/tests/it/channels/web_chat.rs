//! The chat on the site of a business, as pages of another origin and their visitors have it.

use crate::harness::{Client, Reply, TestApp};
use flate2::Compression;
use flate2::write::GzEncoder;
use futures::future::join_all;
use quipu_app::bootstrap;
use quipu_server::demo::DEMO;
use quipu_testkit::{TestDatabase, db_test, sqlite_test};
use reqwest::Method;
use serde_json::{Value, json};
use std::io::Write;
use std::time::Duration;

const SITE: &str = "https://clinica.example";
const CHANNELS: &str = "/api/v1/channels";
const PRICE: &str = "cuánto cuesta la limpieza dental?";

/// The dental clinic of the demo, with a chat on its site.
struct SiteLine {
    app: TestApp,
    /// Whoever runs the clinic.
    admin: Client,
    connection: String,
}

/// Somebody on the site, with the session that their browser keeps.
struct Visitor {
    client: Client,
    path: String,
    token: String,
}

fn settings() -> Value {
    json!({ "web": {
        "allowed_origins": [SITE],
        "title": "Clínica Sonrisa",
        "greeting": "¡Hola!",
        "accent": "#0b7285",
        "language": "es",
    }})
}

fn site(name: &str) -> Value {
    json!({ "channel": "web", "name": "El sitio", "account_id": name, "settings": settings() })
}

impl SiteLine {
    async fn open(db: TestDatabase) -> Self {
        Self::of(TestApp::start(db).await).await
    }

    async fn of(app: TestApp) -> Self {
        bootstrap::load_demo(&app.app, &DEMO).await.unwrap();
        let admin = app.super_admin().await.client.in_tenant(DEMO.slug);
        let connected = admin.post(CHANNELS, site("clinica.example")).await.ok(201);
        assert!(!connected.to_string().contains("qw_"), "{connected}");
        let connection = connected["id"].as_str().unwrap().to_owned();
        let path = format!("/api/web-chat/{connection}");
        assert_eq!(connected["webhook"]["path"], json!(path));
        Self {
            app,
            admin,
            connection,
        }
    }

    fn path(&self, what: &str) -> String {
        format!("/api/web-chat/{}/{what}", self.connection)
    }

    /// A page of some origin.
    fn page(&self, origin: &str) -> Client {
        self.app.stranger().with("origin", origin)
    }

    async fn session(&self, token: Option<&str>) -> Value {
        let body = json!({ "token": token });
        let page = self.page(SITE);
        page.post(&self.path("session"), body).await.ok(200)
    }

    async fn visitor(&self) -> Visitor {
        let session = self.session(None).await;
        self.known(session["token"].as_str().unwrap())
    }

    fn known(&self, token: &str) -> Visitor {
        Visitor {
            client: self.page(SITE).bearer(token),
            path: self.path("messages"),
            token: token.to_owned(),
        }
    }

    async fn change(&self, change: Value) -> Reply {
        let path = format!("{CHANNELS}/{}", self.connection);
        self.admin.patch(&path, change).await
    }

    async fn conversations(&self) -> Vec<Value> {
        let list = self.admin.get("/api/v1/conversations").await.ok(200);
        list["data"].as_array().unwrap().clone()
    }
}

impl Visitor {
    async fn send(&self, text: &str) -> Reply {
        self.client.post(&self.path, json!({ "text": text })).await
    }

    /// Says something, and returns the parts of the answer and how it ended.
    async fn says(&self, text: &str) -> (Vec<String>, Value) {
        parts(&self.send(text).await)
    }

    async fn history(&self) -> Value {
        self.client.get(&self.path).await.ok(200)
    }

    async fn messages(&self) -> Vec<Value> {
        self.history().await["messages"].as_array().unwrap().clone()
    }
}

/// The events of an answer: the parts of its text, and the last one.
fn parts(reply: &Reply) -> (Vec<String>, Value) {
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert!(
        reply
            .header("content-type")
            .starts_with("text/event-stream")
    );
    let mut parts = Vec::new();
    let mut done = None;
    for block in reply.text.split("\n\n") {
        let field = |name: &str| {
            let mut lines = block.lines();
            lines.find_map(|line| line.strip_prefix(name).map(str::trim_start))
        };
        let (Some(event), Some(data)) = (field("event:"), field("data:")) else {
            continue;
        };
        let data: Value = serde_json::from_str(data).unwrap();
        assert!(
            done.is_none(),
            "something comes after the end: {}",
            reply.text
        );
        match event {
            "delta" => parts.push(data["text"].as_str().unwrap().to_owned()),
            "done" => done = Some(data),
            other => panic!("{other}: {data}"),
        }
    }
    (parts, done.expect("the answer ends"))
}

async fn preflight(page: &Client, path: &str) -> Reply {
    let page = page.with("access-control-request-method", "POST").with(
        "access-control-request-headers",
        "authorization,content-type",
    );
    page.send(Method::OPTIONS, path, None).await
}

const ALLOWED: &str = "access-control-allow-origin";

db_test! {
    async fn a_visitor_is_answered_as_on_any_channel(db) {
        let line = SiteLine::open(db).await;
        let session = line.session(None).await;
        assert_eq!(session["expires_in"], 30 * 24 * 3600);
        assert_eq!(session["settings"]["title"], "Clínica Sonrisa");
        assert_eq!(session["settings"]["accent"], "#0b7285");
        let visitor = line.known(session["token"].as_str().unwrap());
        assert!(line.conversations().await.is_empty(), "who only looks leaves nothing");
        assert!(visitor.messages().await.is_empty());

        let reply = visitor.send(PRICE).await;
        assert_eq!(reply.header(ALLOWED), SITE);
        let (heard, done) = parts(&reply);
        assert!(done["text"].as_str().unwrap().contains("S/"), "{done}");
        assert_eq!(json!(heard.concat().trim_end()), done["text"]);
        assert_eq!(done["handoff"], "ai");
        let kept = visitor.messages().await;
        assert_eq!(kept.len(), 2, "{kept:?}");
        assert_eq!((&kept[0]["role"], &kept[0]["id"]), (&json!("user"), &done["question_id"]));
        assert_eq!((&kept[1]["role"], &kept[1]["id"]), (&json!("assistant"), &done["message_id"]));
        assert!(kept[1].get("author").is_none() && kept[1].get("metadata").is_none());

        let (_, offered) = visitor.says("quiero una cita para limpieza dental mañana en Miraflores").await;
        assert!(!offered["choices"].as_array().unwrap().is_empty(), "nothing to tap: {offered}");
        let last = visitor.messages().await.pop().unwrap();
        assert_eq!(last["choices"], offered["choices"]);

        let conversations = line.conversations().await;
        assert_eq!(conversations.len(), 1);
        assert_eq!(conversations[0]["channel"], "web");
        let leads = line.admin.get("/api/v1/leads").await.ok(200);
        assert_eq!(leads["data"].as_array().unwrap().len(), 1);
        let path = format!("/api/v1/conversations/{}/channel", conversations[0]["id"].as_str().unwrap());
        assert_eq!(line.admin.get(&path).await.ok(200)["open"], true);
    }

    async fn a_session_goes_on_and_another_visitor_sees_nothing_of_it(db) {
        let line = SiteLine::open(db).await;
        let visitor = line.visitor().await;
        visitor.says("hola").await;
        let kept = visitor.messages().await;
        let again = line.session(Some(&visitor.token)).await;
        let again = line.known(again["token"].as_str().unwrap());
        assert_eq!(again.messages().await, kept);
        assert!(line.visitor().await.messages().await.is_empty());
        // Only what came after what they know.
        let after = format!("{}?after={}", visitor.path, kept[0]["id"].as_str().unwrap());
        let news = again.client.get(&after).await.ok(200);
        assert_eq!(news["messages"], json!(kept[1..]));
        // Used after more than a day, it is renewed.
        assert!(again.history().await["token"].is_null());
        line.app.clock.advance(Duration::from_hours(25));
        let renewed = again.history().await["token"].as_str().unwrap().to_owned();
        line.app.clock.advance(Duration::from_hours(24 * 29));
        again.client.get(&again.path).await.refused(401, "UNAUTHENTICATED");
        assert_eq!(line.known(&renewed).messages().await, kept);
        // One that has expired is another visitor's.
        let other = line.session(Some(&visitor.token)).await;
        assert!(line.known(other["token"].as_str().unwrap()).messages().await.is_empty());
    }

    async fn no_session_is_forged_or_used_elsewhere(db) {
        let line = SiteLine::open(db).await;
        let visitor = line.visitor().await;
        visitor.says("hola").await;
        let mut forged = visitor.token.clone();
        let last = forged.pop().unwrap();
        forged.push(if last == '0' { '1' } else { '0' });
        for wrong in [&*forged, "qw_", "nada", &visitor.token.replace("qw_", "qs_")] {
            let page = line.page(SITE).bearer(wrong);
            page.get(&visitor.path).await.refused(401, "UNAUTHENTICATED");
            let said = page.post(&visitor.path, json!({ "text": "hola" })).await;
            said.refused(401, "UNAUTHENTICATED");
        }
        line.page(SITE).get(&visitor.path).await.refused(401, "UNAUTHENTICATED");

        // Another site of the same business, and the site of another business.
        let second = line.admin.post(CHANNELS, site("otro.example")).await.ok(201);
        let other = line.app.tenant("otra").await;
        let foreign = other.admin.client.post(CHANNELS, site("clinica.example")).await.ok(201);
        for connection in [&second, &foreign] {
            let id = connection["id"].as_str().unwrap();
            let path = format!("/api/web-chat/{id}/messages");
            visitor.client.get(&path).await.refused(401, "UNAUTHENTICATED");
            let said = visitor.client.post(&path, json!({ "text": "hola" })).await;
            said.refused(401, "UNAUTHENTICATED");
        }
        let leads = other.admin.client.get("/api/v1/leads").await.ok(200);
        assert!(leads["data"].as_array().unwrap().is_empty(), "{leads}");
        let path = format!("{CHANNELS}/{}", foreign["id"].as_str().unwrap());
        line.admin.get(&path).await.refused(404, "NOT_FOUND");
        // A person who is signed in is no visitor.
        let person = line.admin.with("origin", SITE);
        person.get(&visitor.path).await.refused(401, "UNAUTHENTICATED");
        assert_eq!(visitor.messages().await.len(), 2);
    }

    async fn a_person_takes_over_and_their_words_arrive(db) {
        let line = SiteLine::open(db).await;
        let visitor = line.visitor().await;
        visitor.says("hola").await;
        let id = line.conversations().await[0]["id"].as_str().unwrap().to_owned();
        let path = format!("/api/v1/conversations/{id}");
        line.admin.poke(&format!("{path}/handoff/take")).await.ok(200);
        let (heard, done) = visitor.says(PRICE).await;
        assert!(heard.is_empty(), "the agent talks over a person: {heard:?}");
        assert_eq!((&done["handoff"], &done["message_id"]), (&json!("human"), &Value::Null));
        let messages = format!("{path}/messages");
        for (role, text) in [("note", "es una clienta de años"), ("human", "Le escribe **Carla**")] {
            let body = json!({ "role": role, "text": text });
            line.admin.post(&messages, body).await.ok(201);
        }
        let history = visitor.history().await;
        assert_eq!(history["handoff"], "human");
        let kept = history["messages"].as_array().unwrap();
        assert_eq!(kept.last().unwrap()["text"], "Le escribe **Carla**");
        assert_eq!(kept.last().unwrap()["role"], "human");
        assert!(!history.to_string().contains("de años"), "{history}");
        assert!(kept.iter().any(|message| message["text"] == PRICE), "{history}");
        line.admin.poke(&format!("{path}/handoff/release")).await.ok(200);
        let (_, done) = visitor.says(PRICE).await;
        assert!(done["text"].as_str().unwrap().contains("S/"), "{done}");
    }

    async fn what_is_sent_again_is_stored_once(db) {
        let line = SiteLine::open(db).await;
        let visitor = line.visitor().await;
        let keyed = visitor.client.with("idempotency-key", "mensaje-1");
        let send = async || keyed.post(&visitor.path, json!({ "text": PRICE })).await;
        let (_, first) = parts(&send().await);
        let (heard, again) = parts(&send().await);
        assert_eq!(again["question_id"], first["question_id"]);
        assert!(heard.is_empty() && again["message_id"].is_null(), "{again}");
        let kept = visitor.messages().await;
        assert_eq!(kept.len(), 2, "{kept:?}");
        assert_eq!((&kept[0]["key"], &kept[1]["key"]), (&json!("mensaje-1"), &Value::Null));
        // The same key of somebody else is another message.
        let other = line.visitor().await;
        let keyed = other.client.with("idempotency-key", "mensaje-1");
        let (_, done) = parts(&keyed.post(&other.path, json!({ "text": PRICE })).await);
        assert_ne!(done["question_id"], first["question_id"]);
        assert!(done["message_id"].is_string(), "{done}");
    }

    async fn first_messages_at_once_begin_one_conversation(db) {
        let line = SiteLine::open(db).await;
        let visitor = line.visitor().await;
        let texts = ["hola", "una consulta", "a qué hora abren?"];
        let replies = join_all(texts.iter().map(|text| visitor.send(text))).await;
        assert!(replies.iter().all(|reply| reply.status == 200), "{replies:?}");
        assert_eq!(line.conversations().await.len(), 1);
        let said = visitor.messages().await;
        let own = said.iter().filter(|message| message["role"] == "user");
        assert_eq!(own.count(), 3);
    }

    async fn only_pages_of_the_sites_are_served(db) {
        let panel = "https://panel.example.com";
        let app = TestApp::start_with(db, |options| {
            options.config.server.cors_origins = vec![panel.to_owned()];
        });
        let line = SiteLine::of(app.await).await;
        let session = line.path("session");
        let visitor = line.visitor().await;
        for other in ["https://malo.example", "null", "http://clinica.example", panel] {
            let page = line.page(other);
            let refused = page.post(&session, json!({})).await;
            refused.refused(403, "ORIGIN_NOT_ALLOWED");
            assert_eq!(refused.header(ALLOWED), "");
            assert!(refused.header("vary").contains("origin"), "{}", refused.header("vary"));
            let page = page.bearer(&visitor.token);
            page.get(&visitor.path).await.refused(403, "ORIGIN_NOT_ALLOWED");
            let said = page.post(&visitor.path, json!({ "text": "hola" })).await;
            said.refused(403, "ORIGIN_NOT_ALLOWED");
            let asked = preflight(&page, &visitor.path).await;
            assert_eq!((asked.status, asked.header(ALLOWED)), (403, ""));
        }
        let nobody = line.app.stranger();
        nobody.post(&session, json!({})).await.refused(403, "ORIGIN_NOT_ALLOWED");
        for path in [&session, &visitor.path] {
            let asked = preflight(&line.page(SITE), path).await;
            assert_eq!((asked.status, asked.header(ALLOWED)), (204, SITE));
            assert_eq!(asked.header("access-control-allow-credentials"), "");
            assert!(asked.header("access-control-allow-headers").contains("idempotency-key"));
        }
        // A refusal can be read by the page it is meant for.
        let wrong = line.page(SITE).post(&session, json!({ "x": 1 })).await;
        wrong.refused(400, "INVALID_JSON");
        assert_eq!(wrong.header(ALLOWED), SITE);
        // Sites come and go.
        let mut moved = settings();
        moved["web"]["allowed_origins"] = json!(["http://localhost:3000"]);
        line.change(json!({ "settings": moved })).await.ok(200);
        line.page(SITE).post(&session, json!({})).await.refused(403, "ORIGIN_NOT_ALLOWED");
        line.page("http://localhost:3000").post(&session, json!({})).await.ok(200);
        let gone = format!("/api/web-chat/{}/session", uuid::Uuid::now_v7());
        line.page(SITE).post(&gone, json!({})).await.refused(404, "NOT_FOUND");
    }

    async fn who_writes_too_often_waits(db) {
        let line = SiteLine::open(db).await;
        // Nobody answers, so that it goes quickly.
        line.change(json!({ "status": "paused" })).await.ok(200);
        let visitor = line.visitor().await;
        let mut taken = 0;
        let refused = loop {
            let reply = visitor.send("hola").await;
            if reply.status != 200 {
                break reply;
            }
            assert_eq!(parts(&reply).1["handoff"], "human");
            taken += 1;
            assert!(taken < 60, "there is no end to it");
        };
        assert!(taken >= 20, "only {taken}");
        refused.refused(429, "VISITOR_LIMITED");
        assert!(refused.header("retry-after").parse::<u64>().unwrap() >= 1);
        assert_eq!(refused.header(ALLOWED), SITE);
        assert!(refused.header("access-control-expose-headers").contains("retry-after"));
        let other = line.visitor().await;
        other.says("hola").await;
    }
}

sqlite_test! {
    async fn what_a_visitor_sends_is_bounded(db) {
        let line = SiteLine::open(db).await;
        let visitor = line.visitor().await;
        for text in ["", "  ", &"a".repeat(2_001)] {
            visitor.send(text).await.refused(422, "VALIDATION_FAILED");
        }
        let large = visitor.send(&"a".repeat(20_000)).await;
        assert_eq!(large.refused(413, "BODY_TOO_LARGE")["details"]["max_bytes"], 16_384);
        let more = json!({ "text": "hola", "role": "assistant" });
        visitor.client.post(&visitor.path, more).await.refused(400, "INVALID_JSON");
        assert!(visitor.messages().await.is_empty());
    }

    async fn a_site_is_connected_by_its_origins_alone(db) {
        let line = SiteLine::open(db).await;
        let connect = async |change: fn(&mut Value)| {
            let mut body = site("otro.example");
            change(&mut body);
            line.admin.post(CHANNELS, body).await
        };
        let wrong: [fn(&mut Value); 6] = [
            |body| body["settings"]["web"] = Value::Null,
            |body| body["settings"]["web"]["allowed_origins"] = json!([]),
            |body| body["settings"]["web"]["allowed_origins"] = json!(["http://otro.example"]),
            |body| body["settings"]["web"]["accent"] = json!("red"),
            |body| body["app_secret"] = json!("uno que se adivina"),
            // Another channel has an account that a key opens, and no site.
            |body| body["channel"] = json!("whatsapp"),
        ];
        for change in wrong {
            connect(change).await.refused(422, "VALIDATION_FAILED");
        }
        let secret = line.change(json!({ "app_secret": "uno que se adivina" })).await;
        secret.refused(422, "VALIDATION_FAILED");
        line.change(json!({ "settings": {} })).await.refused(422, "VALIDATION_FAILED");
        let same = line.admin.post(CHANNELS, site("clinica.example")).await;
        same.refused(409, "ALREADY_EXISTS");
    }

    async fn the_script_is_small_and_for_every_site(db) {
        let app = TestApp::start(db).await;
        let page = app.stranger().with("origin", SITE);
        let path = "/widget/quipu-chat.js";
        let script = page.get(path).await;
        assert_eq!(script.status, 200);
        assert!(script.header("content-type").starts_with("text/javascript"));
        assert_eq!(script.header(ALLOWED), "*");
        assert_eq!(script.header("cross-origin-resource-policy"), "cross-origin");
        assert!(script.header("cache-control").contains("max-age=3600"));
        let tag = script.header("etag").to_owned();
        assert_eq!(page.with("if-none-match", &tag).get(path).await.status, 304);
        for unsafe_word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "document.cookie"] {
            assert!(!script.text.contains(unsafe_word), "{unsafe_word}");
        }
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(script.text.as_bytes()).unwrap();
        let size = packed.finish().unwrap().len();
        assert!(size <= 25_000, "{size} bytes");
        page.get("/widget/nada.js").await.refused(404, "ROUTE_NOT_FOUND");
    }
}
