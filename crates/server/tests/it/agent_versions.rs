//! Drafts of agents, publishing them, and going back.

use crate::harness::{Client, TestApp, all_pages, ask, id, make_agent};
use futures::future::join_all;
use quipu_core::access::{Permission, Role};
use quipu_testkit::{db_test, sqlite_test};
use serde_json::{Value, json};

const AGENT: &str = "/api/v1/agents/maya";
const DRAFT: &str = "/api/v1/agents/maya/draft";
const PUBLISH: &str = "/api/v1/agents/maya/draft/publish";
const VERSIONS: &str = "/api/v1/agents/maya/versions";

async fn numbers(client: &Client) -> Vec<u64> {
    let listed = all_pages(client, VERSIONS, 3).await;
    let numbers = listed.iter().map(|version| version["number"].as_u64());
    numbers.map(Option::unwrap).collect()
}

/// The fields of a difference, with what they were and are.
fn fields(difference: &Value) -> Vec<(&str, &Value, &Value)> {
    let fields = difference["data"].as_array().unwrap().iter();
    let told = fields.map(|field| {
        let path = field["path"].as_str().unwrap();
        (path, &field["before"], &field["after"])
    });
    told.collect()
}

db_test! {
    async fn a_draft_changes_nothing_before_it_is_published(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let made = make_agent(client, "Maya").await;
        assert_eq!((&made["version"], &made["draft"]), (&json!(1), &Value::Null), "{made}");
        client.get(DRAFT).await.refused(404, "NOT_FOUND");
        client.delete(DRAFT).await.refused(404, "NOT_FOUND");
        client.post(PUBLISH, json!({})).await.refused(404, "NOT_FOUND");

        let body = json!({
            "name": "Lucía",
            "settings": { "max_words": 60, "similarity_threshold": 0.55, "system_instructions": "Saluda.\nSé breve." },
            "revision": null,
        });
        let draft = client.put(DRAFT, body).await.ok(200);
        assert_eq!((&draft["based_on"], &draft["live_version"]), (&json!(1), &json!(1)));
        assert_eq!((&draft["outdated"], &draft["warnings"]), (&json!(false), &json!([])));
        assert_eq!(draft["configuration"]["name"], "Lucía");
        assert_eq!(draft["configuration"]["settings"]["max_words"], 60);
        assert_eq!(client.get(DRAFT).await.ok(200), draft);

        let live = client.get(AGENT).await.ok(200);
        assert_eq!((&live["name"], &live["settings"]["max_words"]), (&json!("Maya"), &json!(120)));
        assert_eq!(live["draft"]["revision"], draft["revision"]);
        assert_eq!(numbers(client).await, [1]);
        let difference = client.get(&format!("{DRAFT}/difference")).await.ok(200);
        let told = fields(&difference);
        assert!(told.contains(&("name", &json!("Maya"), &json!("Lucía"))), "{difference}");
        assert!(told.contains(&("settings.max_words", &json!(120), &json!(60))), "{difference}");
        assert!(told.contains(&("settings.similarity_threshold", &json!(0.7), &json!(0.55))), "{difference}");
        assert_eq!(told.len(), 4, "{difference}");
        let lines = difference["data"].as_array().unwrap().iter();
        let lines = lines.map(|field| &field["lines"]).find(|lines| !lines.as_array().unwrap().is_empty());
        assert_eq!(lines.unwrap()[0], json!({ "change": "added", "text": "Saluda." }));

        // What is left out stays as the draft has it.
        let draft = client.put(DRAFT, json!({ "settings": { "max_words": 70 } })).await.ok(200);
        assert_eq!(draft["configuration"]["name"], "Lucía");

        let note = json!({ "note": "Más breve", "revision": draft["revision"] });
        let published = client.post(PUBLISH, note).await.ok(201);
        assert_eq!((&published["name"], &published["version"]), (&json!("Lucía"), &json!(2)));
        assert_eq!((&published["settings"]["max_words"], &published["draft"]), (&json!(70), &Value::Null));
        assert_eq!((&published["slug"], &published["enabled"]), (&json!("maya"), &json!(true)));
        client.get(DRAFT).await.refused(404, "NOT_FOUND");
        let listed = client.get(VERSIONS).await.ok(200);
        let newest = &listed["data"][0];
        assert_eq!((&newest["origin"], &newest["note"]), (&json!("published"), &json!("Más breve")));
        assert_eq!(newest["made_by"], json!(format!("user:{}", tenant.admin.id)));
        let live = |number: usize| &listed["data"][number]["live"];
        assert_eq!((live(0), live(1)), (&json!(true), &json!(false)));
        let log = client.get("/api/v1/audit-log?limit=200").await.ok(200);
        let entries = log["data"].as_array().unwrap().iter();
        let done: Vec<&str> = entries.map(|entry| entry["action"].as_str().unwrap()).collect();
        assert!(done.contains(&"agent.publish") && done.contains(&"agent.draft.save"), "{done:?}");
    }

    async fn changes_at_once_are_versions_however_many_come_together(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        make_agent(client, "Maya").await;
        let changes = (1..=6).map(|n| {
            let body = json!({ "settings": { "max_sentences": n } });
            async move { client.patch(AGENT, body).await.status }
        });
        let statuses = join_all(changes).await;
        assert!(statuses.iter().all(|status| *status == 200), "{statuses:?}");
        let noted = numbers(client).await;
        // Three sentences are the default: whether that was a change depends on what came before.
        assert!(noted == [7, 6, 5, 4, 3, 2, 1] || noted == [6, 5, 4, 3, 2, 1], "{noted:?}");
        let live = client.get(AGENT).await.ok(200);
        let newest = client.get(&format!("{VERSIONS}/{}", noted[0])).await.ok(200);
        assert_eq!(newest["configuration"]["settings"], live["settings"]);
        // What does not change how it answers is no version.
        client.patch(AGENT, json!({ "enabled": false })).await.ok(200);
        client.patch(AGENT, json!({ "settings": {} })).await.ok(200);
        client.patch(AGENT, json!({ "slug": "maya" })).await.ok(200);
        assert_eq!(numbers(client).await, noted);
    }
}

sqlite_test! {
    async fn what_is_live_is_not_undone_unseen(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        make_agent(client, "Maya").await;
        client.put(DRAFT, json!({ "settings": { "memory": 4 } })).await.ok(200);
        client.patch(AGENT, json!({ "company_name": "Sonrisa Nueva" })).await.ok(200);
        let draft = client.get(DRAFT).await.ok(200);
        assert_eq!((&draft["outdated"], &draft["live_version"]), (&json!(true), &json!(2)));
        assert_eq!(client.get(AGENT).await.ok(200)["draft"]["outdated"], true);
        let error = client.post(PUBLISH, json!({})).await.refused(409, "LIVE_CHANGED");
        assert_eq!(error["details"], json!({ "based_on": 1, "live_version": 2 }));
        assert_eq!(client.get(AGENT).await.ok(200)["settings"]["memory"], 8);
        // The difference tells what would be undone.
        let difference = client.get(&format!("{DRAFT}/difference")).await.ok(200);
        let undone = json!("Sonrisa Nueva");
        assert!(fields(&difference).iter().any(|(path, before, _)| (*path, *before) == ("company_name", &undone)));
        let published = client.post(PUBLISH, json!({ "force": true })).await.ok(201);
        assert_eq!((&published["settings"]["memory"], &published["version"]), (&json!(4), &json!(3)));
        assert_ne!(published["company_name"], undone);
    }

    async fn nobody_loses_what_they_wrote_into_a_draft(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let (ana, eva) = (&tenant.admin.client, app.member(&tenant, Role::Manager).await.client);
        make_agent(ana, "Maya").await;
        let seen = ana.put(DRAFT, json!({ "name": "Ana", "revision": null })).await.ok(200)["revision"].clone();
        // Whoever did not know of it is told, and so is whoever knew it as it was.
        eva.put(DRAFT, json!({ "name": "Eva", "revision": null })).await.refused(409, "DRAFT_CHANGED");
        let changed = eva.put(DRAFT, json!({ "name": "Eva", "revision": seen })).await.ok(200);
        ana.put(DRAFT, json!({ "name": "Ana", "revision": seen })).await.refused(409, "DRAFT_CHANGED");
        ana.post(PUBLISH, json!({ "revision": seen })).await.refused(409, "DRAFT_CHANGED");
        assert_eq!(ana.get(DRAFT).await.ok(200)["configuration"]["name"], "Eva");
        eva.delete(DRAFT).await.ok(204);
        let gone = &changed["revision"];
        ana.put(DRAFT, json!({ "name": "Ana", "revision": gone })).await.refused(409, "DRAFT_CHANGED");
    }

    async fn a_draft_is_held_to_the_rules_of_agents(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        make_agent(client, "Maya").await;
        for (wrong, field) in [
            (json!({ "name": " " }), "name"),
            (json!({ "settings": { "max_words": 500 } }), "settings.max_words"),
            (json!({ "settings": { "system_instructions": "x9-".repeat(2_600) } }), "settings.system_instructions"),
        ] {
            let error = client.put(DRAFT, wrong).await.refused(422, "VALIDATION_FAILED");
            assert_eq!(error["details"]["fields"][0]["field"], field, "{error}");
        }
        for wrong in [json!({ "slug": "otra" }), json!({ "enabled": false }), json!({ "settings": { "nada": 1 } })] {
            client.put(DRAFT, wrong).await.refused(400, "INVALID_JSON");
        }
        client.get(DRAFT).await.refused(404, "NOT_FOUND");
        let key = json!({ "settings": { "model": { "provider": "openai", "model": "gpt-4.1-mini" } } });
        let draft = client.put(DRAFT, key).await.ok(200);
        assert_eq!(draft["warnings"][0]["field"], "settings.model", "{draft}");
        assert_eq!(client.get(AGENT).await.ok(200)["warnings"], json!([]));
        let long = json!({ "note": "x".repeat(501) });
        client.post(PUBLISH, long).await.refused(422, "VALIDATION_FAILED");
    }

    async fn an_older_version_comes_back_as_a_new_one(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        make_agent(client, "Maya").await;
        let openai = json!({ "provider": "openai", "model": "gpt-4.1-mini" });
        client.patch(AGENT, json!({ "settings": { "model": openai } })).await.ok(200);
        client.patch(AGENT, json!({ "name": "Lucía", "slug": "lucia", "settings": { "model": null } })).await.ok(200);
        let restore = |number: u32| format!("/api/v1/agents/lucia/versions/{number}/restore");
        let body = json!({ "note": "Volvemos" });
        let first = client.post(&restore(1), body.clone()).await.ok(201);
        assert_eq!((&first["name"], &first["version"]), (&json!("Maya"), &json!(4)));
        // Where it is found does not move.
        assert_eq!((&first["slug"], &first["warnings"]), (&json!("lucia"), &json!([])));
        let newest = client.get("/api/v1/agents/lucia/versions/4").await.ok(200);
        assert_eq!((&newest["origin"], &newest["restored_from"]), (&json!("restored"), &json!(1)));
        assert_eq!((&newest["note"], &newest["live"]), (&json!("Volvemos"), &json!(true)));
        // The key of that model is not there.
        let second = client.post(&restore(2), json!({})).await.ok(201);
        assert_eq!(second["warnings"][0]["code"], "MODEL_MISCONFIGURED", "{second}");
        client.post(&restore(99), json!({})).await.refused(404, "NOT_FOUND");
        client.post(&restore(0), json!({})).await.refused(404, "NOT_FOUND");
    }

    async fn going_back_leaves_it_as_it_is_whether_drafts_are_rehearsed(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        make_agent(client, "Maya").await;
        for (gate, version) in [(true, 1), (false, 2)] {
            client.patch(AGENT, json!({ "settings": { "rehearse_before_publishing": gate } })).await.ok(200);
            let path = format!("{VERSIONS}/{version}/restore");
            let live = client.post(&path, json!({})).await.ok(201);
            assert_eq!(live["settings"]["rehearse_before_publishing"], gate, "{live}");
            let noted = client.get(&format!("{VERSIONS}/{}", live["version"])).await.ok(200);
            assert_eq!(noted["configuration"]["settings"], live["settings"]);
        }
    }

    async fn any_two_states_are_compared(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        make_agent(client, "Maya").await;
        client.patch(AGENT, json!({ "name": "Dos" })).await.ok(200);
        client.patch(AGENT, json!({ "name": "Tres" })).await.ok(200);
        client.put(DRAFT, json!({ "name": "Cuatro" })).await.ok(200);
        for (number, against, before, after) in [
            (1, "", "Maya", "Tres"),
            (1, "?against=live", "Maya", "Tres"),
            (1, "?against=2", "Maya", "Dos"),
            (3, "?against=1", "Tres", "Maya"),
            (2, "?against=draft", "Dos", "Cuatro"),
        ] {
            let path = format!("{VERSIONS}/{number}/difference{against}");
            let told = client.get(&path).await.ok(200);
            assert_eq!(fields(&told), [("name", &json!(before), &json!(after))], "{path}");
        }
        let same = client.get(&format!("{VERSIONS}/3/difference")).await.ok(200);
        assert_eq!(same["data"], json!([]));
        for (against, status, code) in [
            ("ayer", 400, "INVALID_PARAMETER"),
            ("-1", 400, "INVALID_PARAMETER"),
            ("77", 404, "NOT_FOUND"),
        ] {
            client.get(&format!("{VERSIONS}/1/difference?against={against}")).await.refused(status, code);
        }
    }

    async fn a_request_that_is_sent_again_publishes_once(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        make_agent(client, "Maya").await;
        client.put(DRAFT, json!({ "name": "Lucía" })).await.ok(200);
        let twice = client.with("idempotency-key", "publicar-1");
        let first = twice.post(PUBLISH, json!({})).await.ok(201);
        client.put(DRAFT, json!({ "name": "Otra" })).await.ok(200);
        let again = twice.post(PUBLISH, json!({})).await.ok(201);
        assert_eq!((&again["name"], &again["id"]), (&first["name"], &first["id"]));
        assert_eq!(numbers(client).await, [2, 1]);
        let back = client.with("idempotency-key", "volver-1");
        let path = format!("{VERSIONS}/1/restore");
        back.post(&path, json!({})).await.ok(201);
        back.post(&path, json!({})).await.ok(201);
        assert_eq!(numbers(client).await, [3, 2, 1]);
        twice.post(&path, json!({})).await.refused(409, "IDEMPOTENCY_MISMATCH");
    }

    async fn who_only_reads_agents_hears_nothing_of_drafts(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        make_agent(client, "Maya").await;
        let tried = json!({ "name": "corto", "percent": 10, "system_instructions": "Di el secreto zorro." });
        let settings = json!({ "system_instructions": "El margen es del 40 %.", "experiment": tried });
        client.patch(AGENT, json!({ "settings": settings })).await.ok(200);
        client.put(DRAFT, json!({ "name": "Lucía" })).await.ok(200);
        let reader = app.program(&tenant, &[Permission::AgentsRead]).await;
        let seen = reader.get(AGENT).await.ok(200);
        assert_eq!((&seen["draft"], &seen["version"]), (&Value::Null, &Value::Null));
        assert_eq!(seen["settings"]["experiment"]["system_instructions"], Value::Null, "{seen}");
        reader.get(DRAFT).await.refused(403, "FORBIDDEN");
        // Whoever changes agents and may not read what is internal is not told it by a difference.
        let writer = app.program(&tenant, &[Permission::AgentsWrite]).await;
        for path in [DRAFT.to_owned(), format!("{VERSIONS}/2"), format!("{VERSIONS}/1/difference")] {
            let told = writer.get(&path).await.ok(200).to_string();
            assert!(!told.contains("margen") && !told.contains("zorro"), "{path}: {told}");
        }
        let told = client.get(&format!("{VERSIONS}/1/difference")).await.ok(200).to_string();
        assert!(told.contains("margen") && told.contains("zorro"), "{told}");
    }

    async fn a_draft_can_be_talked_to_before_anybody_else_does(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        make_agent(client, "Maya").await;
        let question = |more: Value| {
            let mut body = json!({ "messages": [{ "role": "user", "content": "hola" }], "stream": false });
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            body
        };
        let chat = "/api/agents/maya/chat";
        let said = |answer: &Value| answer["message"]["content"].as_str().unwrap().to_owned();
        let draft = json!({ "draft": true });
        client.post(chat, question(draft.clone())).await.refused(404, "NOT_FOUND");
        client.put(DRAFT, json!({ "name": "Lucía" })).await.ok(200);
        let live = said(&client.post(chat, question(json!({}))).await.ok(200));
        let tried = said(&client.post(chat, question(draft.clone())).await.ok(200));
        assert!(live.contains("Maya") && tried.contains("Lucía"), "{live} / {tried}");
        let member = app.member(&tenant, Role::Member).await.client;
        member.post(chat, question(draft)).await.refused(403, "FORBIDDEN");
        let customer = json!({ "draft": true, "user": "visitante-1" });
        client.post(chat, question(customer)).await.refused(422, "VALIDATION_FAILED");
    }

    async fn an_agent_without_versions_is_noted_before_it_is_changed(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let agent = make_agent(client, "Maya").await;
        // As a program that knows nothing of versions would leave it.
        let tx = app.app.store.begin(tenant.scope()).await.unwrap();
        let change = quipu_core::agent::AgentChange {
            name: Some("Desde fuera".to_owned()),
            ..Default::default()
        };
        tx.agents().update(id(&agent).parse().unwrap(), &change).await.unwrap();
        tx.commit().await.unwrap();
        client.patch(AGENT, json!({ "name": "Lucía" })).await.ok(200);
        assert_eq!(numbers(client).await, [3, 2, 1]);
        let second = client.get(&format!("{VERSIONS}/2")).await.ok(200);
        assert_eq!(second["configuration"]["name"], "Desde fuera");
        assert_eq!((&second["made_by"], &second["origin"]), (&Value::Null, &json!("changed")));
        assert!(ask(client, "maya", "hola").await["grounded"].is_boolean());
        client.delete(AGENT).await.ok(200);
        client.get(VERSIONS).await.refused(404, "NOT_FOUND");
    }
}
