//! What changes is told at once to whoever looks at it, and to nobody else.

use crate::harness::{
    Client, LEADS, TestApp, eventually, id, kb_path, make_agent, make_conversation, make_kb,
    make_lead, say,
};
use quipu_core::access::{Permission, Role};
use quipu_testkit::{db_test, sqlite_test};
use reqwest::{Method, Response};
use serde_json::{Value, json};
use std::time::Duration;

/// What somebody hears.
struct HeardChanges {
    response: Response,
    text: String,
}

impl HeardChanges {
    async fn listen(client: &Client) -> Self {
        let request = client.request(Method::GET, "/api/v1/events");
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        let mut changes = Self {
            response,
            text: String::new(),
        };
        let (event, _) = changes.next(30_000).await.expect("the beginning");
        assert_eq!(event, "ready");
        changes
    }

    /// The next event within so many milliseconds.
    async fn next(&mut self, within: u64) -> Option<(String, Value)> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let field = |name: &str| {
                    let line = block.lines().find_map(|line| line.strip_prefix(name));
                    line.map(|value| value.trim().to_owned())
                };
                let told = field("event:").zip(field("data:"));
                self.text = rest.to_owned();
                if let Some((event, data)) = told {
                    return Some((event, serde_json::from_str(&data).unwrap()));
                }
                continue;
            }
            let piece = self.response.chunk();
            let piece = tokio::time::timeout(Duration::from_millis(within), piece).await;
            let piece = piece.ok()?.ok()??;
            self.text.push_str(std::str::from_utf8(&piece).unwrap());
        }
    }

    /// Waits until this change is told; anything else is passed over.
    async fn hears(&mut self, kind: &str, id: &Value) {
        let wanted = json!({ "kind": kind, "id": id });
        loop {
            let (event, told) = self.next(30_000).await.expect("a change");
            assert_eq!(event, "changed");
            if told == wanted {
                return;
            }
        }
    }

    /// Everything that is told until nothing comes any more.
    async fn rest(&mut self) -> Vec<String> {
        let mut kinds = Vec::new();
        while let Some((_, told)) = self.next(1_500).await {
            kinds.push(told["kind"].as_str().unwrap_or_default().to_owned());
        }
        kinds
    }
}

db_test! {
    async fn a_change_is_told_to_who_may_read_it(db) {
        let app = TestApp::start(db).await;
        let (acme, other) = (app.tenant("acme").await, app.tenant("otra").await);
        let admin = &acme.admin.client;
        let member = app.member(&acme, Role::Member).await;
        let key = app.api_key(&acme, &[Permission::KnowledgeRead]).await;
        let key = app.stranger().bearer(&key);
        let mut member_hears = HeardChanges::listen(&member.client).await;
        let mut key_hears = HeardChanges::listen(&key).await;
        let mut other_hears = HeardChanges::listen(&other.admin.client).await;

        let lead = make_lead(admin, "Ana").await;
        member_hears.hears("lead", &lead["id"]).await;
        let conversation = make_conversation(admin, &lead).await;
        say(admin, &conversation, "note", "llamó ayer").await;
        member_hears.hears("conversation", &conversation["id"]).await;
        let kb = admin.post("/api/v1/knowledge-bases", json!({ "name": "Manual" })).await.ok(201);
        key_hears.hears("knowledge_base", &kb["id"]).await;
        let agent = make_agent(admin, "Lía").await;
        member_hears.rest().await;
        let draft = format!("/api/v1/agents/{}/draft", id(&agent));
        admin.put(&draft, json!({ "name": "Lea" })).await.ok(200);
        member_hears.hears("agent", &agent["id"]).await;
        let path = format!("{LEADS}/{}", id(&lead));
        admin.delete(&path).await.ok(200);
        member_hears.hears("lead", &lead["id"]).await;

        // Of one's own knowledge nobody else hears, and of another tenant nobody at all.
        member_hears.rest().await;
        let own = json!({ "name": "Mis notas", "scope": "personal" });
        let own = admin.post("/api/v1/knowledge-bases", own).await.ok(201);
        let text = json!({ "title": "Secreto", "content": "La caja es puma-22." });
        let documents = format!("/api/v1/knowledge-bases/{}/documents/text", id(&own));
        admin.post(&documents, text).await.ok(202);
        admin.delete(&format!("/api/v1/knowledge-bases/{}", id(&own))).await.ok(200);
        assert_eq!(member_hears.rest().await, [""; 0]);
        let of_customers = |kind: &String| !["knowledge_base", "document"].contains(&kind.as_str());
        assert!(!key_hears.rest().await.iter().any(of_customers));
        assert_eq!(other_hears.rest().await, [""; 0]);
    }

    async fn it_does_not_matter_who_talks_to_which_process(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let there = app.another_server().await.bearer(tenant.admin.client.token());
        let mut hears = HeardChanges::listen(&tenant.admin.client).await;
        let lead = make_lead(&there, "Eva").await;
        hears.hears("lead", &lead["id"]).await;
    }

    async fn a_tenant_goes_with_all_that_was_noted(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        make_agent(&tenant.admin.client, "lia").await;
        make_lead(&tenant.admin.client, "Ana").await;
        let root = app.super_admin().await;
        root.client.delete(&format!("/api/v1/tenants/{}", tenant.id)).await.ok(200);
        let tx = app.platform().await;
        let left = tx.live_events().after(0, 1_000).await.unwrap();
        assert!(left.iter().all(|event| event.tenant != tenant.id), "{left:?}");
    }
}

sqlite_test! {
    async fn who_may_no_longer_listen_is_sent_away(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let member = app.member(&tenant, Role::Member).await;
        let mut hears = HeardChanges::listen(&member.client).await;
        let path = format!("/api/v1/members/{}", member.id);
        tenant.admin.client.delete(&path).await.ok(204);
        let ended = tokio::time::timeout(Duration::from_secs(20), async {
            while hears.response.chunk().await.ok().flatten().is_some() {}
        });
        ended.await.expect("the end");
    }
}

sqlite_test! {
    async fn the_reading_of_a_website_is_told(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let admin = &tenant.admin.client;
        let kb = make_kb(admin, "Sitio").await;
        let mut heard = HeardChanges::listen(admin).await;
        // Nobody may go there: it fails at once.
        let site = json!({ "address": "http://127.0.0.1/" });
        let site = admin.post(&format!("{}/websites", kb_path(&kb)), site).await.ok(202);
        heard.hears("website", &site["id"]).await;
        eventually("the end of the reading", async || {
            let now = admin.get(&format!("/api/v1/websites/{}", id(&site))).await.ok(200);
            (now["status"] == "failed").then_some(())
        })
        .await;
        heard.rest().await;
        // Changes of what people decide are told as well.
        let path = format!("/api/v1/websites/{}", id(&site));
        admin.patch(&path, json!({ "refresh": "daily" })).await.ok(200);
        heard.hears("website", &site["id"]).await;
    }
}
