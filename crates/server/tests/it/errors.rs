//! Whatever goes wrong is told in one shape, in the reader's language, and harms nothing.

use crate::harness::{
    Client, Field, Ids, KBS, Reply, TestApp, add_text, ask, completed, document_path, documented,
    documents_path, fresh, id, kb_path, make_agent, make_kb, make_personal_kb, operations, teach,
    teach_file, written,
};
use async_trait::async_trait;
use quipu_core::access::{Permission, Role};
use quipu_core::ports::{Reply as Answer, ReplyRequest, Responder, ResponderError};
use quipu_core::text::visible;
use quipu_testkit::{TestDatabase, db_test, sqlite_test};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use uuid::Uuid;

const AGENTS: &str = "/api/v1/agents";

/// What people send to see whether something breaks.
const HOSTILE: [&str; 9] = [
    "'; DROP TABLE agents; --",
    "\" OR \"1\"=\"1",
    "1) UNION SELECT * FROM users --",
    "../../etc/passwd",
    "%s%n{0}${jndi:ldap://x}",
    "<script>alert(1)</script>",
    "\\u0000\\",
    "🦙 ñandú \u{202e}",
    "$1 ?1 :tenant",
];

sqlite_test! {
    async fn messages_read_well_in_both_languages(db) {
        let cases = Cases::new(db).await;
        let mut told = BTreeMap::new();
        for (name, client, method, path, body) in cases.list() {
            let mut messages = BTreeMap::new();
            let mut last = Value::Null;
            for language in ["es", "en"] {
                let client = client.with("accept-language", language);
                let request = client.request(method.clone(), &path);
                let reply = Reply::of(match body.clone() {
                    Body::Nothing => request,
                    Body::Json(value) => request.json(&value),
                    Body::Raw(kind, text) => request.header("content-type", kind).body(text),
                    Body::Form(fields) => {
                        let fields: Vec<_> = fields
                            .into_iter()
                            .map(|(name, filename, value)| Field { name, filename, value: value.as_bytes() })
                            .collect();
                        let (kind, body) = written(&fields);
                        request.header("content-type", kind).body(body)
                    }
                })
                .await;
                last = reply.refused(reply.status, &reply.code());
                assert!(
                    !last["message"].as_str().unwrap().contains('{'),
                    "{name}: {last}"
                );
                assert!((400..500).contains(&reply.status), "{name}: {}", reply.text);
                assert_eq!(reply.header("content-language"), language, "{name}");
                messages.insert(language, without_ids(last["message"].as_str().unwrap()));
                last["status"] = json!(reply.status);
            }
            let details: Value = without_ids(&last["details"].to_string()).parse().unwrap();
            told.insert(
                name,
                json!({
                    "status": last["status"], "code": last["code"], "details": details,
                    "es": messages["es"], "en": messages["en"],
                }),
            );
        }
        insta::assert_json_snapshot!("messages", told);
    }

    async fn bodies_that_cannot_be_read_are_refused(db) {
        let app = TestApp::start_with(db, |options| {
            options.config.server.max_body_bytes = 10_000;
        })
        .await;
        let client = app.tenant("acme").await.admin.client;
        let send = async |kind: &str, body: Vec<u8>| {
            let request = client
                .request(Method::POST, AGENTS)
                .header("content-type", kind);
            Reply::of(request.body(body)).await
        };
        let json = "application/json";
        for body in [
            &b""[..],
            b"{",
            b"[]",
            b"null",
            b"\"texto\"",
            b"{\"name\":\"\xff\"}",
            b"{\"name\":7}",
            b"{\"name\":\"A\"} y algo",
            b"{\"name\":\"A\",\"name\":\"B\"}",
            b"{\"name\":\"A\",\"x\":1}",
            b"{\"name\":\"a\nb\"}",
            b"{\"name\":\"\\ud800\"}",
            b"{\"name\":\"a\\u0000b\"}",
            b"\xef\xbb\xbf{}",
        ] {
            send(json, body.to_vec()).await.refused(400, "INVALID_JSON");
        }
        let deep = "[".repeat(4000) + &"]".repeat(4000);
        send(json, deep.into_bytes())
            .await
            .refused(400, "INVALID_JSON");
        for kind in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data",
            "json",
        ] {
            let reply = send(kind, b"{\"name\":\"A\"}".to_vec()).await;
            reply.refused(415, "UNSUPPORTED_MEDIA_TYPE");
        }
        // What is changed in part may be called so; what is made is no patch.
        let patch = "application/merge-patch+json";
        let reply = send(patch, b"{\"name\":\"A\"}".to_vec()).await;
        reply.refused(415, "UNSUPPORTED_MEDIA_TYPE");
        let request = client.request(Method::PATCH, &format!("{AGENTS}/nadie"));
        let request = request.header("content-type", patch).body("{\"name\":\"A\"}");
        Reply::of(request).await.refused(404, "NOT_FOUND");
        // Nobody takes for plain what says it is compressed.
        let request = client.request(Method::POST, AGENTS);
        let request = request.header("content-type", json).body("{\"name\":\"A\"}");
        let request = request.header("content-encoding", "gzip");
        Reply::of(request).await.refused(415, "UNSUPPORTED_MEDIA_TYPE");
        let large = format!("{{\"name\":\"{}\"}}", "a".repeat(10_000));
        let error = send(json, large.into_bytes())
            .await
            .refused(413, "BODY_TOO_LARGE");
        assert_eq!(error["details"]["max_bytes"], 10_000);
        assert!(
            error["message"].as_str().unwrap().contains("10000"),
            "{error}"
        );
        let kind = "Application/JSON; charset=utf-8";
        send(kind, b"{\"name\":\"A\"}".to_vec()).await.ok(201);
        assert_eq!(
            client.get(AGENTS).await.ok(200)["data"]
                .as_array()
                .unwrap()
                .len(),
            1
        );
        // A text that speaks of NUL is no NUL.
        let body = json!({ "name": "Con \\u0000 escrito" });
        assert_eq!(
            client.post(AGENTS, body).await.ok(201)["name"],
            "Con \\u0000 escrito"
        );
    }
}

db_test! {
    async fn no_text_of_any_body_can_hold_a_nul(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let agent = make_agent(&tenant.admin.client, "Uno").await;
        let root = app.super_admin().await.client;
        let client = root.in_tenant("acme").with("x-n8n-secret", "x");
        let mut ids = Ids::of_nothing();
        ids.agent = id(&agent);
        ids.tenant = tenant.id.to_string();
        let mut tried = 0;
        let mut known = operations();
        for operation in documented() {
            let Some(known) = known.remove(operation.id.as_str()) else {
                continue;
            };
            for body in known.body.json().into_iter().flat_map(with_a_nul) {
                let path = operation.path_to(&ids);
                let reply = client
                    .send(operation.method.clone(), &path, Some(&body))
                    .await;
                assert!((400..500).contains(&reply.status), "{body}: {}", reply.text);
                tried += 1;
            }
        }
        assert!(tried > 15, "only {tried}");
    }
}

sqlite_test! {
    async fn paths_and_queries_are_only_text(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let root = app.super_admin().await.client.in_tenant("acme");
        make_agent(client, "Uno").await;
        for hostile in HOSTILE.iter().copied().chain(["a\0b", "\0", "\u{7f}"]) {
            let text = encode(hostile);
            for path in [
                format!("{AGENTS}/{text}"),
                format!("{AGENTS}/{text}/knowledge"),
                format!("{AGENTS}/{text}/knowledge/stats"),
                format!("{AGENTS}/uno/knowledge/{text}"),
                format!("{AGENTS}?cursor={text}"),
                format!("{AGENTS}?limit={text}"),
                format!("{AGENTS}?{text}=1"),
                format!("/api/v1/jobs?status={text}"),
                format!("/api/v1/jobs/{text}"),
                format!("/api/v1/members/{text}"),
                format!("/api/v1/tenants/{text}"),
            ] {
                let reply = root.get(&path).await;
                assert!([400, 404].contains(&reply.status), "{path}: {}", reply.text);
                reply.refused(reply.status, &reply.code());
            }
            for path in [
                format!("/api/v1/plans/{text}"),
                format!("/api/v1/secrets/{text}"),
            ] {
                let reply = root.delete(&path).await;
                assert!([400, 404].contains(&reply.status), "{path}: {}", reply.text);
            }
            let reply = root
                .put(&format!("/api/v1/secrets/{text}"), json!({ "value": "x" }))
                .await;
            assert!([400, 422].contains(&reply.status), "{}", reply.text);
        }
        for path in ["/api/v1/agents/%ff", "/api/v1/agents/%c3%28"] {
            client.get(path).await.refused(400, "INVALID_PARAMETER");
        }
        let long = "a".repeat(301);
        client
            .get(&format!("{AGENTS}/{long}"))
            .await
            .refused(400, "INVALID_PARAMETER");
        assert_eq!(
            client.get(AGENTS).await.ok(200)["data"]
                .as_array()
                .unwrap()
                .len(),
            1
        );
    }
}

db_test! {
    async fn hostile_texts_are_kept_as_they_are_read(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        for hostile in HOSTILE {
            let slug = format!("agente-{}", fresh());
            let body = json!({ "name": hostile, "slug": slug, "company_name": hostile });
            // What turns the direction of writing is no part of a name.
            let name = visible(hostile).trim().to_owned();
            assert_eq!(client.post(AGENTS, body).await.ok(201)["name"], name);
            assert_eq!(
                client.get(&format!("{AGENTS}/{slug}")).await.ok(200)["name"],
                name
            );
            let document = teach(client, &slug, hostile, &format!("{hostile} es un texto.")).await;
            assert_eq!(document["title"], name);
            ask(client, &slug, hostile).await;
            let body = json!({ "email": hostile, "password": hostile });
            app.stranger()
                .post("/api/v1/auth/login", body)
                .await
                .refused(401, "BAD_CREDENTIALS");
            let stranger = app.stranger().with("x-n8n-secret", "x");
            let body = json!({ "agentId": hostile, "projectId": hostile, "query": hostile });
            stranger
                .post("/api/rag/search", body)
                .await
                .refused(401, "UNAUTHENTICATED");
            let escaped = encode(hostile);
            let keyed = client
                .with("idempotency-key", &escaped)
                .with("x-request-id", &escaped);
            keyed.get(AGENTS).await.ok(200);
        }
        let listed = client.get(&format!("{AGENTS}?limit=200")).await.ok(200);
        assert_eq!(listed["data"].as_array().unwrap().len(), HOSTILE.len());
    }
}

sqlite_test! {
    async fn pages_are_bounded_and_cursors_checked(db) {
        let app = TestApp::start(db).await;
        let client = app.tenant("acme").await.admin.client;
        for list in [
            AGENTS,
            "/api/v1/jobs",
            "/api/v1/members",
            "/api/v1/audit-log",
            "/api/v1/usage/credits",
        ] {
            for (query, status, code) in [
                ("limit=0", 422, "VALIDATION_FAILED"),
                ("limit=201", 422, "VALIDATION_FAILED"),
                ("limit=abc", 400, "INVALID_PARAMETER"),
                ("limit=-1", 400, "INVALID_PARAMETER"),
                ("limit=1e3", 400, "INVALID_PARAMETER"),
                ("limit=99999999999999999999999", 400, "INVALID_PARAMETER"),
                ("limit=1&limit=2", 400, "INVALID_PARAMETER"),
                ("cursor=abc", 400, "INVALID_CURSOR"),
                ("cursor=", 400, "INVALID_CURSOR"),
                ("offset=3", 400, "INVALID_PARAMETER"),
            ] {
                client
                    .get(&format!("{list}?{query}"))
                    .await
                    .refused(status, code);
            }
            client.get(&format!("{list}?limit=200")).await.ok(200);
            // A cursor of somewhere else is harmless.
            client
                .get(&format!("{list}?limit=1&cursor={}", Uuid::now_v7()))
                .await
                .ok(200);
        }
    }

    async fn messages_name_the_field_and_are_in_one_language(db) {
        let app = TestApp::start(db).await;
        let client = app.tenant("clinica").await.admin.client;
        let english = ["invalid", "expected", "Failed", "parse", "holds", "digit", "field"];
        let told = |error: &Value, words: &str| {
            let message = error["message"].as_str().unwrap();
            assert!(message.contains(words), "{message}");
            for word in english {
                assert!(!message.contains(word), "{message}");
            }
        };
        for (body, words) in [
            (json!({ "name": "a", "duration_minutes": 1_000_000_000 }), "duration_minutes: hay un valor que no sirve: se espera un número entero de 0 a 65535"),
            (json!({ "name": "a", "price_min": { "amount": 1.5, "currency": "PEN" } }), "price_min.amount: hay un valor que no sirve: se espera un número entero"),
            (json!({ "name": "a\u{0}b" }), "un texto contiene un carácter nulo"),
        ] {
            told(&client.post("/api/v1/services", body).await.refused(400, "INVALID_JSON"), words);
        }
        let made = client.post("/api/v1/services", json!({ "name": "Limpieza" })).await.ok(201);
        let path = format!("/api/v1/services/{}", made["id"].as_str().unwrap());
        let error = client.patch(&path, json!({ "duration_minutes": 1.5 })).await.refused(400, "INVALID_JSON");
        told(&error, "duration_minutes: hay un valor que no sirve");
        assert_eq!(error["details"]["field"], "duration_minutes");
        for (query, words) in [
            ("members?limit=abc", "limit: no es un número entero"),
            ("members?limit=99999999999999999999999", "limit: es un número fuera de rango"),
            ("members?offset=3", "offset no se conoce"),
            ("members?cursor=%00", "un valor contiene un carácter nulo"),
            ("availability?service_id=x", "service_id: no es un identificador"),
            ("invoice-requests?status=x", "x no se conoce"),
            ("services/x", "identificador"),
        ] {
            let error = client.get(&format!("/api/v1/{query}")).await;
            told(&error.refused(400, "INVALID_PARAMETER"), words);
        }
    }

    async fn what_is_not_there_is_refused_in_our_shape(db) {
        let app = TestApp::start(db).await;
        let stranger = app.stranger();
        for path in [
            "/api",
            "/api/v1",
            "/api/v1/nada",
            "/favicon.ico",
            "/api/v1/agents/",
            "/.env",
        ] {
            stranger.get(path).await.refused(404, "ROUTE_NOT_FOUND");
        }
        for (method, path) in [
            (Method::PATCH, "/healthz"),
            (Method::DELETE, AGENTS),
            (Method::PUT, "/api/v1/auth/login"),
            (Method::GET, "/api/v1/auth/login"),
            (Method::TRACE, AGENTS),
        ] {
            let reply = stranger.send(method, path, None).await;
            reply.refused(405, "METHOD_NOT_ALLOWED");
            assert!(!reply.header("allow").is_empty());
        }
        // Clients tidy paths up before they send them; an attacker does not.
        for path in [
            "/../../etc/passwd",
            "/api/v1/agents/../../../etc/passwd",
            "/docs/../../etc/passwd",
        ] {
            let text = raw(
                &app,
                &format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"),
            )
            .await;
            assert!(
                text.starts_with("HTTP/1.1 40") && !text.contains("root:"),
                "{text}"
            );
        }
    }

    async fn a_request_id_is_kept_when_it_is_harmless(db) {
        let app = TestApp::start(db).await;
        for good in ["abc-123_X.9", "a", &"z".repeat(64)] {
            let reply = app.stranger().with("x-request-id", good).get(AGENTS).await;
            assert_eq!(reply.refused(401, "UNAUTHENTICATED")["request_id"], *good);
            let reply = app
                .stranger()
                .with("x-request-id", good)
                .get("/healthz")
                .await;
            assert_eq!(reply.header("x-request-id"), good);
        }
        for bad in ["", " ", "a b", "<script>", "a\"b", "a/b", &"z".repeat(65)] {
            let reply = app.stranger().with("x-request-id", bad).get(AGENTS).await;
            let error = reply.refused(401, "UNAUTHENTICATED");
            let made = error["request_id"].as_str().unwrap();
            assert!(Uuid::try_parse(made).is_ok(), "{bad:?} → {made}");
        }
        // It leads to the audit entry of what the request did.
        let admin = app.tenant("acme").await.admin.client;
        let body = json!({ "name": "Uno" });
        admin
            .with("x-request-id", "mi-peticion")
            .post(AGENTS, body)
            .await
            .ok(201);
        let log = admin.get("/api/v1/audit-log").await.ok(200);
        assert_eq!(log["data"][0]["request_id"], "mi-peticion");
    }

    async fn headers_of_ours_are_checked(db) {
        let app = TestApp::start(db).await;
        let client = app.tenant("acme").await.admin.client;
        for header in ["x-quipu-tenant", "idempotency-key"] {
            for bad in ["", &"a".repeat(201), "\u{e1}"] {
                let reply = client
                    .with(header, bad)
                    .post(AGENTS, json!({ "name": "A" }))
                    .await;
                let error = reply.refused(400, "INVALID_HEADER");
                let named = error["details"]["header"].as_str().unwrap();
                assert!(named.eq_ignore_ascii_case(header));
            }
        }
    }

    async fn a_request_that_takes_too_long_is_stopped(db) {
        let app = TestApp::start_with(db, |options| {
            options.config.server.request_timeout_seconds = 5;
            options.responder = Some(Arc::new(Asleep));
        })
        .await;
        let client = app.tenant("acme").await.admin.client;
        make_agent(&client, "Uno").await;
        teach(&client, "uno", "Wifi", "El wifi de la sala se llama Colibrí.").await;
        let asked = "¿Cómo se llama el wifi de la sala?";
        let body = json!({ "messages": [{ "role": "user", "content": asked }] });
        let reply = client.post("/api/agents/uno/chat", body).await;
        reply.refused(503, "TIMEOUT");
        assert_eq!(reply.header("retry-after"), "1");
        client.get(AGENTS).await.ok(200);
    }

    async fn a_responder_that_fails_is_admitted_not_hidden(db) {
        let app = TestApp::start_with(db, |options| {
            options.responder = Some(Arc::new(Broken));
        })
        .await;
        let client = app.tenant("acme").await.admin.client;
        make_agent(&client, "Uno").await;
        teach(&client, "uno", "Wifi", "El wifi de la sala se llama Colibrí.").await;
        let answer = ask(&client, "uno", "¿Cómo se llama el wifi de la sala?").await;
        assert_eq!(answer["degraded"], true);
        assert_eq!(answer["grounded"], false);
        let text = answer["message"]["content"].as_str().unwrap();
        assert!(text.starts_with("Disculpa"), "{text}");
        assert!(!answer.to_string().contains("sk-privado"), "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn more_connections_than_allowed_wait_for_their_turn() {
    let app = TestApp::start_with(TestDatabase::sqlite(), |options| {
        options.config.server.max_connections = 1;
    })
    .await;
    let address = app.url.trim_start_matches("http://");
    let idle = TcpStream::connect(address).await.unwrap();
    let client = app.stranger();
    let asked = client.get("/healthz");
    tokio::pin!(asked);
    let soon = tokio::time::timeout(Duration::from_millis(300), &mut asked).await;
    assert!(soon.is_err(), "the second connection was served at once");
    drop(idle);
    asked.await.ok(200);
}

/// SQLite is a file beside the process and does not go away.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_database_goes_away_and_comes_back() {
    let Some(db) = TestDatabase::postgres().await else {
        return;
    };
    let app = TestApp::start_with(db, |options| {
        options.config.database.acquire_timeout_seconds = 2;
        options.workers = false;
    })
    .await;
    let client = app.tenant("acme").await.admin.client;
    make_agent(&client, "Uno").await;
    let waiting = add_text(&client, "uno", "Horario", "Abrimos a las nueve.").await;
    app.start_workers();
    completed(&client, "uno", &waiting).await;

    app.db.set_reachable(false).await;
    for attempt in 0..3 {
        for (client, path) in [
            (&client, AGENTS),
            (&client, "/api/v1/usage"),
            (&app.stranger(), "/readyz"),
        ] {
            let reply = client.get(path).await;
            assert_eq!(reply.status, 503, "{attempt} {path}: {}", reply.text);
            let error = reply.refused(503, "DATABASE_UNAVAILABLE");
            let message = error["message"].as_str().unwrap();
            assert!(
                message.starts_with("La base de datos no responde"),
                "{message}"
            );
            assert!(!reply.text.contains("postgres"), "{}", reply.text);
        }
        let body = json!({ "name": "Perdido" });
        let reply = client.post(AGENTS, body).await;
        reply.refused(503, "DATABASE_UNAVAILABLE");
        let login = json!({ "email": "ana@prueba.test", "password": "no importa" });
        let reply = app.stranger().post("/api/v1/auth/login", login).await;
        reply.refused(503, "DATABASE_UNAVAILABLE");
        assert_eq!(app.stranger().get("/healthz").await.text, "ok");
        app.stranger().get("/metrics").await.ok(200);
    }

    app.db.set_reachable(true).await;
    app.stranger().get("/readyz").await.ok(200);
    assert_eq!(
        client.get(AGENTS).await.ok(200)["data"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    // The workers have come back too.
    teach(&client, "uno", "Precios", "La limpieza cuesta 120 soles.").await;
    let answer = ask(&client, "uno", "¿Cuánto cuesta la limpieza?").await;
    assert!(answer.to_string().contains("120 soles"), "{answer}");
}

/// Never answers.
struct Asleep;

#[async_trait]
impl Responder for Asleep {
    fn name(&self) -> &'static str {
        "asleep"
    }

    async fn reply(&self, _: &ReplyRequest) -> Result<Answer, ResponderError> {
        tokio::time::sleep(Duration::from_mins(10)).await;
        Err(ResponderError::Transient("awake at last".to_owned()))
    }
}

/// Always fails, and says more than customers should hear.
struct Broken;

#[async_trait]
impl Responder for Broken {
    fn name(&self) -> &'static str {
        "broken"
    }

    async fn reply(&self, _: &ReplyRequest) -> Result<Answer, ResponderError> {
        Err(ResponderError::Permanent("bad key sk-privado".to_owned()))
    }
}

#[derive(Clone)]
enum Body {
    Nothing,
    Json(Value),
    Raw(&'static str, &'static str),
    Form(Vec<(&'static str, Option<&'static str>, &'static str)>),
}

/// A place in which every refusal of the list can be met.
struct Cases {
    app: TestApp,
    admin: Client,
    member: Client,
    program: Client,
    root: Client,
    root_id: String,
    admin_id: String,
    /// In a tenant whose plan has no room left.
    cramped: Client,
    /// In a tenant whose plan has no agents.
    without_agents: Client,
    job: String,
    /// A knowledge base, an archived one, one for the admin alone, and one of an agent.
    kb: Value,
    archived: Value,
    personal: Value,
    agents: Value,
    /// A document in the first.
    document: Value,
}

impl Cases {
    async fn new(db: TestDatabase) -> Self {
        let app = TestApp::start(db).await;
        app.plan("apretado", |limits| {
            limits.max_agents = Some(1);
            limits.max_kb_bytes = Some(100);
            limits.monthly_credits = 0;
        })
        .await;
        let tenant = app.tenant("acme").await;
        let admin = tenant.admin.client.clone();
        let uno = make_agent(&admin, "Uno").await;
        teach(&admin, "uno", "Horario", "Abrimos a las nueve.").await;
        let kb = make_kb(&admin, "Base").await;
        let document = teach_file(&admin, &kb, "nota.txt", b"Cerramos a las seis.").await;
        let archived = make_kb(&admin, "Antigua").await;
        let archive = json!({ "status": "archived" });
        admin.patch(&kb_path(&archived), archive).await.ok(200);
        make_agent(&admin, "Apagado").await;
        let path = format!("{AGENTS}/apagado");
        admin
            .patch(&path, json!({ "enabled": false }))
            .await
            .ok(200);
        let keyed = admin.with("idempotency-key", "clave-1");
        keyed.post(AGENTS, json!({ "name": "Dos" })).await.ok(201);
        let jobs = admin.get("/api/v1/jobs").await.ok(200);
        let cramped = app.tenant_on("chico", "apretado").await.admin.client;
        make_agent(&cramped, "Solo").await;
        app.plan("sin-agentes", |limits| limits.ai_agents_enabled = false)
            .await;
        let without_agents = app.tenant_on("mudo", "sin-agentes").await.admin.client;
        let root = app.super_admin().await;
        Self {
            member: app.member(&tenant, Role::Member).await.client,
            program: app.program(&tenant, &[Permission::Chat]).await,
            root: root.client,
            root_id: root.id.to_string(),
            admin_id: tenant.admin.id.to_string(),
            job: succeeded(&jobs),
            personal: make_personal_kb(&admin, "Mía").await,
            agents: json!({ "id": uno["knowledge_base_id"] }),
            kb,
            archived,
            document,
            admin,
            cramped,
            without_agents,
            app,
        }
    }

    #[rustfmt::skip]
    fn list(&self) -> Vec<(&'static str, Client, Method, String, Body)> {
        use Body::{Form, Json, Nothing, Raw};
        let (get, post, patch, delete) = (Method::GET, Method::POST, Method::PATCH, Method::DELETE);
        let agents = || AGENTS.to_owned();
        let texts = |agent: &str| format!("{AGENTS}/{agent}/knowledge");
        let chat = |agent: &str| format!("/api/agents/{agent}/chat");
        let files = |kb: &Value| documents_path(kb);
        let one = document_path(&self.kb, &self.document);
        let question = Json(json!({ "messages": [{ "role": "user", "content": "hola" }] }));
        let admin = || self.admin.clone();
        let stranger = self.app.stranger();
        let cookie = format!("quipu_session={}", self.admin.token());
        let browser = stranger.with("cookie", &cookie).with("sec-fetch-site", "cross-site");
        vec![
            ("a credential is missing", stranger.clone(), get.clone(), agents(), Nothing),
            ("the password is wrong", stranger.clone(), post.clone(), "/api/v1/auth/login".into(),
                Json(json!({ "email": "nadie@prueba.test", "password": "no es esta" }))),
            ("the one-time token is not valid", stranger.clone(), post.clone(), "/api/v1/auth/password/reset".into(),
                Json(json!({ "reset_token": "qr_x", "password": "una frase larga" }))),
            ("the request comes from another site", browser, post.clone(), agents(), Json(json!({ "name": "A" }))),
            ("the permission is missing", self.member.clone(), post.clone(), agents(), Json(json!({ "name": "A" }))),
            ("only for the platform", admin(), get.clone(), "/api/v1/tenants".into(), Nothing),
            ("only for people", self.program.clone(), get.clone(), "/api/v1/auth/me".into(), Nothing),
            ("the tenant is not named", self.root.clone(), get.clone(), agents(), Nothing),
            ("a header is not valid", admin().with("x-quipu-tenant", ""), get.clone(), agents(), Nothing),
            ("there is no such agent", admin(), get.clone(), format!("{AGENTS}/nadie"), Nothing),
            ("there is no such route", stranger.clone(), get.clone(), "/nada".into(), Nothing),
            ("the method is not allowed", stranger, delete.clone(), agents(), Nothing),
            ("a path parameter is not valid", admin(), get.clone(), "/api/v1/jobs/abc".into(), Nothing),
            ("a query parameter is not valid", admin(), get.clone(), format!("{AGENTS}?limit=abc"), Nothing),
            ("the cursor is not valid", admin(), get.clone(), format!("{AGENTS}?cursor=abc"), Nothing),
            ("the limit is out of range", admin(), get.clone(), format!("{AGENTS}?limit=201"), Nothing),
            ("a field is unknown", admin(), post.clone(), agents(), Json(json!({ "name": "A", "color": "rojo" }))),
            ("a field has the wrong type", admin(), post.clone(), agents(), Json(json!({ "name": 7 }))),
            ("a field is missing", admin(), post.clone(), agents(), Json(json!({}))),
            ("the body is not JSON", admin(), post.clone(), agents(), Raw("application/json", "{")),
            ("the content type is wrong", admin(), post.clone(), agents(), Raw("text/plain", "{}")),
            ("several fields need correcting", admin(), post.clone(), agents(),
                Json(json!({ "name": " ", "slug": "Ab--c", "company_name": "a\u{7}b" }))),
            ("a person's data need correcting", admin(), post.clone(), "/api/v1/members".into(),
                Json(json!({ "email": "ana@", "name": "a".repeat(101), "role": "member" }))),
            ("a tenant's data need correcting", admin(), patch.clone(), "/api/v1/tenant".into(),
                Json(json!({ "locale": "español", "time_zone": "Lima" }))),
            ("the conversation is empty", admin(), post.clone(), chat("uno"), Json(json!({ "messages": [] }))),
            ("the slug is taken", admin(), post.clone(), agents(), Json(json!({ "name": "Uno" }))),
            ("the text is there already", admin(), post.clone(), texts("uno"),
                Json(json!({ "content": "Abrimos a las nueve." }))),
            ("the last admin", admin(), delete.clone(), format!("/api/v1/members/{}", self.admin_id), Nothing),
            ("oneself", self.root.clone(), patch, format!("/api/v1/users/{}", self.root_id),
                Json(json!({ "status": "suspended" }))),
            ("the address has an account", admin(), post.clone(), "/api/v1/members".into(),
                Json(json!({ "email": "admin@chico.test", "name": "Ana", "role": "member" }))),
            ("the agent is disabled", admin(), post.clone(), chat("apagado"), question.clone()),
            ("the job has ended", admin(), post.clone(), format!("/api/v1/jobs/{}/cancel", self.job), Nothing),
            ("the plan is in use", self.root.clone(), delete.clone(), "/api/v1/plans/enterprise".into(), Nothing),
            ("the key was used for something else", admin().with("idempotency-key", "clave-1"), post.clone(), agents(),
                Json(json!({ "name": "Tres" }))),
            ("a plan's limit", self.cramped.clone(), post.clone(), agents(), Json(json!({ "name": "Otro" }))),
            ("a plan's size", self.cramped.clone(), post.clone(), texts("solo"), Json(json!({ "content": "a".repeat(101) }))),
            ("no credits", self.cramped.clone(), post.clone(), texts("solo"), Json(json!({ "content": "hola" }))),
            ("there is no such knowledge base", admin(), get.clone(), format!("{KBS}/{}", Uuid::now_v7()), Nothing),
            ("there is no such chunk", admin(), get.clone(), format!("{one}/chunks/{}", Uuid::now_v7()), Nothing),
            ("the form has no file", admin(), post.clone(), files(&self.kb), Form(vec![("title", None, "Nada")])),
            ("the form has a field that is not known", admin(), post.clone(), files(&self.kb), Form(vec![("color", None, "rojo")])),
            ("the file is empty", admin(), post.clone(), files(&self.kb), Form(vec![("file", Some("nada.txt"), "")])),
            ("the file is of no known type", admin(), post.clone(), files(&self.kb), Form(vec![("file", Some("foto.png"), "\u{0}\u{1}\u{2}\u{0}")])),
            ("the file is there already", admin(), post.clone(), files(&self.kb), Form(vec![("file", Some("otra.txt"), "Cerramos a las seis.")])),
            ("the knowledge base is archived", admin(), post.clone(), files(&self.archived), Form(vec![("file", Some("a.txt"), "Hola.")])),
            ("the knowledge base is an agent's own", admin(), delete.clone(), kb_path(&self.agents), Nothing),
            ("the agent allows none of one's own", admin(), post.clone(), format!("{}/assignments", kb_path(&self.personal)), Json(json!({ "agent": "uno" }))),
            ("a program has none of its own", self.program.clone(), post.clone(), KBS.into(), Json(json!({ "name": "Mía", "scope": "personal" }))),
            ("the document is not being processed", admin(), post.clone(), format!("{one}/cancel"), Nothing),
            ("the plan has no agents", self.without_agents.clone(), post, agents(), Json(json!({ "name": "A" }))),
        ]
    }
}

/// A job that has ended.
fn succeeded(jobs: &Value) -> String {
    let jobs = jobs["data"].as_array().unwrap();
    id(jobs
        .iter()
        .find(|job| job["status"] == "succeeded")
        .unwrap())
}

/// The body with a NUL in one of its texts, for each of them in turn.
fn with_a_nul(body: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    match body {
        Value::String(text) => found.push(json!(format!("{text}\0"))),
        Value::Object(fields) => {
            for (name, value) in fields {
                for changed in with_a_nul(value) {
                    let mut body = body.clone();
                    body[name] = changed;
                    found.push(body);
                }
            }
        }
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                for changed in with_a_nul(item) {
                    let mut body = body.clone();
                    body[i] = changed;
                    found.push(body);
                }
            }
        }
        _ => {}
    }
    found
}

/// Every byte but plain letters and digits as `%xx`.
fn encode(text: &str) -> String {
    text.bytes()
        .map(|byte| {
            if byte.is_ascii_alphanumeric() {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02x}")
            }
        })
        .collect()
}

/// Ids differ from run to run.
fn without_ids(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if rest
            .get(..36)
            .is_some_and(|id| Uuid::try_parse(id).is_ok() && id.contains('-'))
        {
            out.push_str("[id]");
            rest = &rest[36..];
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

async fn raw(app: &TestApp, request: &str) -> String {
    let address = app.url.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}
