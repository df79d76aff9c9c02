//! A server that is killed again and again while people write: what was acknowledged is there,
//! once and whole.

use crate::client::{Client, text};
use crate::dice::Dice;
use crate::home::Home;
use crate::size::thorough;
use crate::tenant::{all, until_idle};
use futures::future::join_all;
use quipu_app::App;
use quipu_core::audit::AuditEntry;
use quipu_core::plan::CreditEntry;
use quipu_core::tenancy::TenantScope;
use quipu_testkit::db_test;
use reqwest::{Method, StatusCode};
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

const KILLS: usize = 50;
const WRITERS: usize = 4;
/// Requests that are sent once more to the server that survived.
const REPEATED: usize = 100;

db_test! {
    async fn what_was_acknowledged_is_there_once(db) {
        let mut dice = Dice::new();
        let home = Home::new(db.url())
            .await
            .without_demo()
            .set("QUIPU_JOBS__LEASE_SECONDS", 1)
            .set("QUIPU_JOBS__MAX_ATTEMPTS", 100);
        let started = Instant::now();
        let mut server = home.start_server().ready().await;
        let mut client = Client::first_sign_in(&server).await;
        let tenant = client.make_tenant("tenant").await;

        let (publish, address) = watch::channel(server.address.clone());
        let stop = CancellationToken::new();
        let writers: Vec<_> = (0..WRITERS)
            .map(|number| Writer {
                number,
                client: client.clone(),
                address: address.clone(),
                dice: dice.split(),
                written: Vec::new(),
                retries: 0,
                repeats: 0,
            })
            .map(|writer| tokio::spawn(writer.run(stop.clone())))
            .collect();
        let kills = thorough(KILLS);
        for kill in 1..=kills {
            tokio::time::sleep(dice.millis(50, 500)).await;
            server.process.kill().await;
            if kill % 5 == 0 {
                // Now and then it does not even get to its feet.
                let starting = home.start_server();
                tokio::time::sleep(dice.millis(0, 200)).await;
                starting.kill().await;
            }
            server = home.start_server().ready().await;
            publish.send_replace(server.address.clone());
        }
        stop.cancel();
        let mut written = Vec::new();
        let (mut retries, mut repeats) = (0, 0);
        for writer in join_all(writers).await {
            let writer = writer.unwrap();
            written.extend(writer.written);
            retries += writer.retries;
            repeats += writer.repeats;
        }
        assert!(retries > 0, "no request met a server that was gone");

        client.address = server.address.clone();
        let app = home.app().await;
        until_idle(&app.store).await;
        for _ in 0..REPEATED {
            let before: &Written = &written[dice.below(written.len())];
            let again = before.request.send(&client).await.expect("an answer");
            before.assert_same(&again);
        }
        check(&client, &app, tenant, &written).await;

        server.process.ask_to_stop();
        let status = server.process.ended().await;
        assert!(status.success(), "{status}:\n{}", home.log());
        home.assert_no_panic();
        println!(
            "{} acknowledged writes under {kills} kills, {retries} requests cut off, {repeats} \
             repeated; {:?}",
            written.len(),
            started.elapsed()
        );
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Agent,
    Text,
    Secret,
    ApiKey,
}

/// A request that can be sent again: its key, or its nature, makes it happen once.
struct Request {
    kind: Kind,
    method: Method,
    path: String,
    body: Value,
    key: Option<String>,
}

impl Request {
    async fn send(&self, client: &Client) -> Option<(StatusCode, Value)> {
        let key = self.key.as_deref();
        client
            .send(self.method.clone(), &self.path, Some(&self.body), key)
            .await
    }
}

/// A request that was acknowledged, and with what.
struct Written {
    request: Request,
    answer: Value,
}

impl Written {
    /// Another answer to the same request tells of the same thing.
    fn assert_same(&self, (status, again): &(StatusCode, Value)) {
        assert!(status.is_success(), "{status} {again}");
        let of = if self.request.kind == Kind::Secret {
            "name"
        } else {
            "id"
        };
        assert!(self.answer[of].is_string(), "{}", self.answer);
        assert_eq!(self.answer[of], again[of]);
    }
}

struct Writer {
    number: usize,
    client: Client,
    address: watch::Receiver<String>,
    dice: Dice,
    written: Vec<Written>,
    retries: usize,
    repeats: usize,
}

impl Writer {
    /// Writes until told to stop. The last request too is sent until it is acknowledged, so that
    /// in the end everything that was asked for has been promised.
    async fn run(mut self, stop: CancellationToken) -> Self {
        while !stop.is_cancelled() {
            let request = self.next_request();
            let (_, answer) = self.until_acknowledged(&request).await;
            let written = Written { request, answer };
            if self.dice.below(4) == 0 {
                let again = self.until_acknowledged(&written.request).await;
                written.assert_same(&again);
                self.repeats += 1;
            }
            self.written.push(written);
        }
        self
    }

    fn next_request(&mut self) -> Request {
        let name = format!("w{}n{}", self.number, self.written.len());
        let agents: Vec<&Value> = self
            .written
            .iter()
            .filter(|written| written.request.kind == Kind::Agent)
            .map(|written| &written.answer["slug"])
            .collect();
        let kind = match self.dice.below(8) {
            _ if agents.is_empty() => Kind::Agent,
            0 => Kind::Agent,
            1 => Kind::Secret,
            2 => Kind::ApiKey,
            _ => Kind::Text,
        };
        let (method, path, body) = match kind {
            Kind::Agent => {
                let body = json!({ "name": name, "slug": name });
                (Method::POST, "/api/v1/agents".to_owned(), body)
            }
            Kind::Text => {
                let agent = text(agents[self.dice.below(agents.len())]);
                let path = format!("/api/v1/agents/{agent}/knowledge");
                (
                    Method::POST,
                    path,
                    json!({ "title": name, "content": content(&name) }),
                )
            }
            Kind::Secret => {
                let path = format!("/api/v1/secrets/{name}");
                (Method::PUT, path, json!({ "value": secret(&name) }))
            }
            Kind::ApiKey => {
                let body = json!({ "name": name, "scopes": ["chat"] });
                (Method::POST, "/api/v1/api-keys".to_owned(), body)
            }
        };
        Request {
            kind,
            key: (kind != Kind::Secret).then(|| format!("key-{name}")),
            method,
            path,
            body,
        }
    }

    async fn until_acknowledged(&mut self, request: &Request) -> (StatusCode, Value) {
        let patience = Instant::now() + crate::home::PATIENCE;
        loop {
            self.client.address.clone_from(&self.address.borrow());
            match request.send(&self.client).await {
                Some((status, answer)) if status.is_success() => return (status, answer),
                None | Some((StatusCode::SERVICE_UNAVAILABLE, _)) => self.retries += 1,
                Some((status, answer)) => {
                    panic!("{} {}: {status} {answer}", request.method, request.path)
                }
            }
            assert!(Instant::now() < patience, "nobody answers");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

/// Fits into the preview, so that a listing shows all of it.
fn content(name: &str) -> String {
    format!("El servicio {name} cuesta S/ 120.")
}

fn secret(name: &str) -> String {
    format!("the secret of {name}")
}

/// What is there is what was acknowledged, no more and no less, and all of it is whole.
async fn check(client: &Client, app: &App, tenant: TenantScope, written: &[Written]) {
    let of = |kind| {
        written
            .iter()
            .filter(move |written| written.request.kind == kind)
    };
    let field = |kind, field| -> Vec<String> {
        sorted(
            of(kind)
                .map(|written| text(&written.answer[field]))
                .collect(),
        )
    };

    let agents = client.all("/api/v1/agents").await;
    assert_eq!(fields(&agents, "id"), field(Kind::Agent, "id"));
    assert_eq!(fields(&agents, "slug"), field(Kind::Agent, "slug"));
    let mut documents = BTreeMap::new();
    for agent in &agents {
        let path = format!("/api/v1/agents/{}/knowledge", text(&agent["slug"]));
        let stats = client.get(&format!("{path}/stats")).await;
        let known = client.all(&path).await;
        assert_eq!(stats["documents"], known.len());
        assert_eq!(stats["chunks"], known.len(), "each text is one chunk");
        for document in known {
            assert_eq!(document["status"], "completed", "{document}");
            assert_eq!(
                text(&document["preview"]),
                content(&text(&document["title"]))
            );
            assert_eq!(document["knowledge_base_id"], agent["knowledge_base_id"]);
            documents.insert(text(&document["id"]), document);
        }
    }
    let ids: Vec<String> = documents.keys().cloned().collect();
    assert_eq!(ids, field(Kind::Text, "id"));
    let keys = client.all("/api/v1/api-keys").await;
    assert_eq!(fields(&keys, "id"), field(Kind::ApiKey, "id"));
    let secrets = client.get("/api/v1/secrets").await;
    let names = fields(secrets.as_array().unwrap(), "name");
    assert_eq!(names, field(Kind::Secret, "name"));
    let platform = app.store.platform_read().await.unwrap();
    for name in names {
        let id = tenant.tenant_id();
        let sealed = platform.credentials().find_sealed_secret(id, &name).await;
        let (sealed, _) = sealed.unwrap().unwrap();
        let opened = app.vault.open(id, &name, &sealed).unwrap();
        assert_eq!(opened.expose_secret(), secret(&name));
    }

    // What goes along with a write went along with each, once.
    let tx = app.store.read(tenant).await.unwrap();
    let credits = all(
        async |page| tx.credits().list(page).await,
        |entry: &CreditEntry| entry.id.uuid(),
    )
    .await;
    let paid: Vec<String> = credits
        .into_iter()
        .filter(|entry| entry.reason == "process_document")
        .map(|entry| entry.reference)
        .collect();
    assert_eq!(sorted(paid), ids);
    let audit = all(
        async |page| {
            tx.audit()
                .list(&quipu_store::tenant::AuditFilter::default(), page)
                .await
        },
        |entry: &AuditEntry| entry.id.uuid(),
    )
    .await;
    for (action, kind) in [
        ("agent.create", Kind::Agent),
        ("knowledge.add", Kind::Text),
        ("api_key.create", Kind::ApiKey),
    ] {
        let entries = audit.iter().filter(|entry| entry.action == action);
        let targets: BTreeSet<&str> = entries.clone().map(|entry| entry.target.as_str()).collect();
        assert_eq!(entries.count(), of(kind).count(), "{action}");
        assert_eq!(targets.len(), of(kind).count(), "{action}");
    }
}

fn fields(entries: &[Value], field: &str) -> Vec<String> {
    sorted(entries.iter().map(|entry| text(&entry[field])).collect())
}

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort();
    texts
}
