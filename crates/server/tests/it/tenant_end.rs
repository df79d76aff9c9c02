//! What a tenant takes away with it, and its end by its own admin.

use crate::harness::{
    Client, KBS, TestApp, id, make_agent, make_conversation, make_kb, make_lead, make_personal_kb,
    teach_file,
};
use flate2::read::GzDecoder;
use quipu_core::access::{Permission, Role};
use quipu_testkit::{db_test, sqlite_test};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Read;
use std::time::Duration;

const EXPORT: &str = "/api/v1/tenant/export";
const DELETION: &str = "/api/v1/tenant/deletion";

/// The files of an archive by their names, read as the format `ustar` has them.
async fn archive(client: &Client) -> BTreeMap<String, Vec<u8>> {
    let answer = client.request(Method::GET, EXPORT).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    let disposition = answer.headers()["content-disposition"]
        .to_str()
        .unwrap()
        .to_owned();
    assert!(disposition.contains(".tar.gz"), "{disposition}");
    let packed = answer.bytes().await.unwrap();
    let mut tar = Vec::new();
    GzDecoder::new(packed.as_ref())
        .read_to_end(&mut tar)
        .unwrap();
    let text = |field: &[u8]| {
        let end = field
            .iter()
            .position(|byte| *byte == 0)
            .unwrap_or(field.len());
        String::from_utf8(field[..end].to_vec()).unwrap()
    };
    let mut files = BTreeMap::new();
    let mut at = 0;
    while tar[at] != 0 {
        let header = &tar[at..at + 512];
        let (name, folder) = (text(&header[..100]), text(&header[345..500]));
        let size = usize::from_str_radix(&text(&header[124..136]), 8).unwrap();
        let path = if folder.is_empty() {
            name
        } else {
            format!("{folder}/{name}")
        };
        files.insert(path, tar[at + 512..at + 512 + size].to_vec());
        at += 512 + size.div_ceil(512) * 512;
    }
    assert_eq!(tar.len(), at + 1024);
    files
}

fn lines(files: &BTreeMap<String, Vec<u8>>, name: &str) -> Vec<Value> {
    let text = std::str::from_utf8(&files[name]).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

db_test! {
    async fn an_admin_takes_everything_away_but_what_is_secret_or_somebodys_own(db) {
        let app = TestApp::start(db).await;
        let (tenant, other) = (app.tenant("zafiro").await, app.tenant("topacio").await);
        let client = &tenant.admin.client;
        make_agent(client, "Maya").await;
        let kb = make_kb(client, "Manual").await;
        let document = teach_file(client, &kb, "llaves.txt", b"La llave azul abre la puerta.").await;
        let lead = make_lead(client, "Ana Zafiro").await;
        make_conversation(client, &lead).await;
        let key = app.api_key(&tenant, Permission::ALL).await;
        let member = app.member(&tenant, Role::Member).await;
        let diary = make_personal_kb(&member.client, "Diario ocelote").await;
        teach_file(&member.client, &diary, "ocelote.txt", b"Mi ocelote duerme.").await;
        make_lead(&other.admin.client, "Eva Topacio").await;
        // Last, since knowledge of whoever has such a key is embedded by that provider.
        let secret = json!({ "value": "sk-no-debe-salir-de-aqui" });
        client.put("/api/v1/secrets/openai_api_key", secret).await.ok(200);

        let files = archive(client).await;
        let about: Value = serde_json::from_slice(&files["export.json"]).unwrap();
        assert_eq!(about["tenant"]["slug"], "zafiro");
        let leads = lines(&files, "leads.jsonl");
        assert_eq!((leads.len(), &leads[0]["name"]), (1, &json!("Ana Zafiro")));
        assert_eq!(lines(&files, "members.jsonl").len(), 2);
        assert_eq!(lines(&files, "conversations.jsonl").len(), 1);
        let original = format!("files/documents/{}/llaves.txt", id(&document));
        assert_eq!(files[&original], b"La llave azul abre la puerta.");
        let all: Vec<u8> = files.values().flatten().copied().collect();
        let all = String::from_utf8_lossy(&all).into_owned();
        for hidden in ["no-debe-salir", key.as_str(), "ocelote", "Eva Topacio", "key_hash", "password_hash", "sealed"] {
            assert!(!all.contains(hidden), "{hidden} is in the archive");
        }
        assert!(files.keys().all(|name| !name.contains("ocelote")), "{:?}", files.keys());
        // Whose own it is takes it along, if they may take anything.
        let log = client.get("/api/v1/audit-log?limit=200").await.ok(200);
        let actions = log["data"].as_array().unwrap().iter().map(|entry| &entry["action"]);
        assert_eq!(actions.filter(|action| **action == "tenant.export").count(), 1);
        let manager = app.member(&tenant, Role::Manager).await;
        for refused in [&member.client, &manager.client] {
            let error = refused.get(EXPORT).await.refused(403, "FORBIDDEN");
            assert_eq!(error["details"]["permission"], "tenant:write");
        }
        let program = app.program(&tenant, &[Permission::TenantWrite]).await;
        program.get(EXPORT).await.refused(403, "FORBIDDEN");
    }

    async fn an_admin_ends_the_tenant_by_its_name_and_sees_the_receipt(db) {
        let app = TestApp::start(db).await;
        let (tenant, other) = (app.tenant("zafiro").await, app.tenant("topacio").await);
        let client = &tenant.admin.client;
        for client in [client, &other.admin.client] {
            let kb = make_kb(client, "Manual").await;
            teach_file(client, &kb, "llaves.txt", b"La llave azul abre la puerta.").await;
            make_lead(client, "Ana").await;
        }
        let name = client.get("/api/v1/tenant").await.ok(200)["name"].clone();
        let before = client.get(DELETION).await.ok(200);
        assert_eq!((&before["rows"]["leads"], &before["files"]), (&json!(1), &json!(1)), "{before}");
        let end = json!({ "name": name });
        client.post(DELETION, json!({ "name": "Otra" })).await.refused(422, "VALIDATION_FAILED");
        // What a key could do by mistake or in a wrong hand does not come back.
        let program = app.program(&tenant, Permission::ALL).await;
        program.post(DELETION, end.clone()).await.refused(403, "PERSON_REQUIRED");
        let manager = app.member(&tenant, Role::Manager).await;
        manager.client.post(DELETION, end.clone()).await.refused(403, "FORBIDDEN");
        let receipt = client.post(DELETION, end.clone()).await.ok(200);
        assert_eq!(receipt["complete"], true, "{receipt}");
        assert_eq!(receipt["removed"]["rows"]["leads"], before["rows"]["leads"], "{receipt}");
        assert_eq!(receipt["removed"]["files"], 1, "{receipt}");
        client.post(DELETION, end).await.refused(400, "TENANT_REQUIRED");
        let me = client.get("/api/v1/auth/me").await.ok(200);
        assert_eq!(me["tenants"], json!([]));
        // The platform keeps the receipt, and the neighbour keeps what is theirs.
        let root = app.super_admin().await.client;
        let kept = root.get("/api/v1/deletion-receipts").await.ok(200);
        assert_eq!(kept["data"][0]["receipt"]["target"], receipt["target"], "{kept}");
        let theirs = other.admin.client.get(KBS).await.ok(200);
        assert!(!theirs["data"].as_array().unwrap().is_empty());
        assert_eq!(other.admin.client.get(DELETION).await.ok(200)["files"], 1);
    }
}

sqlite_test! {
    async fn somebody_says_once_which_language_they_read(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let language = async |client: &Client| client.get("/api/v1/auth/me").await.ok(200)["user"]["language"].clone();
        assert_eq!(language(client).await, Value::Null);
        let told = client.patch("/api/v1/auth/me", json!({ "language": "en" })).await.ok(200);
        assert_eq!(told["user"]["language"], "en");
        assert_eq!(language(&app.sign_in(tenant.admin.id).await).await, "en");
        client.patch("/api/v1/auth/me", json!({ "language": "fr" })).await.refused(400, "INVALID_JSON");
        let program = app.program(&tenant, Permission::ALL).await;
        program.patch("/api/v1/auth/me", json!({ "language": "en" })).await.refused(403, "PERSON_REQUIRED");
    }

    async fn the_audit_log_is_looked_through_by_who_what_and_when(db) {
        let app = TestApp::start(db).await;
        let (tenant, other) = (app.tenant("acme").await, app.tenant("otra").await);
        let client = &tenant.admin.client;
        let manager = app.member(&tenant, Role::Manager).await;
        let agent = make_agent(client, "Maya").await;
        make_lead(&manager.client, "Ana").await;
        make_lead(&other.admin.client, "Eva").await;
        let actions = async |query: String| {
            let log = client.get(&format!("/api/v1/audit-log?{query}")).await.ok(200);
            let entries = log["data"].as_array().unwrap().iter();
            entries.map(|entry| entry["action"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(actions("about=lead".to_owned()).await, ["lead.create"]);
        assert_eq!(actions(format!("actor=user:{}", manager.id)).await, ["lead.create"]);
        assert_eq!(actions(format!("target=agent:{}", id(&agent))).await, ["agent.create"]);
        assert!(actions(format!("to={}", app.now() - Duration::from_hours(1))).await.is_empty());
        assert!(actions(format!("actor=user:{}", other.admin.id)).await.is_empty());
        client.get("/api/v1/audit-log?who=ana").await.refused(400, "INVALID_PARAMETER");
    }

    async fn no_page_of_a_list_is_larger_than_a_screen_can_wait_for(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let long = "Lo que dice la respuesta. ".repeat(150);
        for number in 0..90 {
            let faq = json!({ "question": format!("¿Pregunta {number}?"), "answer": long });
            client.post("/api/v1/faqs", faq).await.ok(201);
        }
        let (mut seen, mut cursor, mut pages) = (0, String::new(), 0);
        loop {
            let page = client.get(&format!("/api/v1/faqs?limit=200{cursor}")).await;
            assert!(page.text.len() <= 200_000, "{} bytes", page.text.len());
            let page = page.ok(200);
            seen += page["data"].as_array().unwrap().len();
            pages += 1;
            let Some(next) = page["next_cursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        assert_eq!(seen, 90);
        assert!(pages > 1, "the answers were not large enough to see anything");
    }
}
