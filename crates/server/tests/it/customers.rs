//! Leads: who they are, how channels know them, and that nothing of them stays when they go.

mod attachments;
mod conversations;
mod identities;
mod merging;
mod temperature;

use crate::harness::{
    CONVERSATIONS, Client, LEADS, TestApp, all_pages, attach, conversation_path, id, make_agent,
    make_conversation, make_lead, open_every_day, say,
};
use futures::future::join_all;
use quipu_app::{Actor, RequestInfo, leads};
use quipu_core::access::{Permission, Principal};
use quipu_core::lead::{Channel, Identity};
use quipu_testkit::{db_test, sqlite_test};
use serde_json::{Value, json};
use uuid::Uuid;

fn lead_path(lead: &Value) -> String {
    format!("{LEADS}/{}", id(lead))
}

async fn found(client: &Client, query: &str) -> Vec<Value> {
    let listed = client.get(&format!("{LEADS}?{query}")).await.ok(200);
    let data = listed["data"].as_array().unwrap();
    data.iter().map(|lead| lead["id"].clone()).collect()
}

sqlite_test! {
    async fn a_lead_is_made_found_changed_and_emptied(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("acme").await.admin.client;
        let agent = make_agent(&client, "Maya").await;
        let body = json!({
            "name": "  Ana \"La Rápida\" O'Higgins 🦷 ", "email": "Ana@Correo.PE", "phone": " +51 987 654 321",
            "temperature": "hot", "tags": ["VIP", "vip", "ortodoncia"], "notes": "Prefiere\nlas tardes.",
            "identities": [{ "channel": "whatsapp", "external_id": "51987654321" }],
        });
        let lead = client.post(LEADS, body).await.ok(201);
        assert_eq!(lead["name"], "Ana \"La Rápida\" O'Higgins 🦷");
        assert_eq!(lead["email"], "ana@correo.pe");
        assert_eq!(lead["phone"], "+51 987 654 321");
        assert_eq!(lead["tags"], json!(["ortodoncia", "vip"]));
        assert_eq!(lead["agent_id"], agent["id"], "the active agent attends to whoever is new");
        assert_eq!(lead["token_balance"], 0);
        assert_eq!(client.get(&lead_path(&lead)).await.ok(200), lead);
        let other = make_lead(&client, "Beto").await;

        let agent_id = id(&agent);
        for query in [
            "q=rapida", "q=ANA%40correo", "q=987654", "q=o'higgins", "temperature=hot",
            "channel=whatsapp&external_id=51987654321", &format!("q=ana&agent_id={agent_id}"),
        ] {
            assert_eq!(found(&client, query).await, [lead["id"].clone()], "{query}");
        }
        let all = json!([other["id"], lead["id"]]);
        assert_eq!(json!(found(&client, &format!("agent_id={agent_id}")).await), all);
        assert_eq!(all_pages(&client, LEADS, 1).await.len(), 2);
        for query in ["q=%25", "q=carlos", "temperature=cold", "channel=web&external_id=51987654321"] {
            assert!(found(&client, query).await.is_empty(), "{query}");
        }

        // What is left out stays, what is null is emptied.
        let body = json!({ "phone": null, "notes": null, "temperature": "cold" });
        let changed = client.patch(&lead_path(&lead), body).await.ok(200);
        assert_eq!((&changed["phone"], &changed["notes"]), (&Value::Null, &Value::Null));
        assert_eq!((&changed["name"], &changed["temperature"]), (&lead["name"], &json!("cold")));
        assert_eq!(changed["identities"], lead["identities"]);
        assert!(found(&client, "q=987654").await.is_empty());
        let body = json!({ "name": null, "email": null, "temperature": null, "tags": null, "agent_id": null, "branch_id": null });
        let emptied = client.patch(&lead_path(&lead), body).await.ok(200);
        for field in ["name", "email", "temperature", "agent_id", "branch_id"] {
            assert_eq!(emptied[field], Value::Null, "{field}");
        }
        assert_eq!(emptied["tags"], json!([]));
        assert_eq!(client.patch(&lead_path(&lead), json!({})).await.ok(200)["tags"], json!([]));

        // The audit log says what was changed, and not to what.
        let log = client.get("/api/v1/audit-log?limit=200").await.ok(200).to_string();
        assert!(log.contains("lead.update"), "{log}");
        for personal in ["correo.pe", "987 654", "Higgins", "tardes"] {
            assert!(!log.contains(personal), "{personal}");
        }
    }
}

db_test! {
    async fn one_identity_is_one_lead_however_many_come_at_once(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let agent = make_agent(client, "Maya").await;
        let first = json!({ "channel": "whatsapp", "external_id": "51900000001" });
        let second = json!({ "channel": "web", "external_id": "cookie-1" });
        let replies = join_all((0..8).map(|n| {
            // In either order: two that note the same must not wait for each other.
            let both = if n % 2 == 0 { json!([first, second]) } else { json!([second, first]) };
            client.post(LEADS, json!({ "name": format!("Ana {n}"), "identities": both }))
        }))
        .await;
        let made: Vec<_> = replies.iter().filter(|reply| reply.status == 201).collect();
        assert_eq!(made.len(), 1, "{replies:?}");
        let lead = made[0].json();
        for reply in replies.iter().filter(|reply| reply.status != 201) {
            let error = reply.refused(409, "ALREADY_EXISTS");
            assert_eq!(error["details"]["lead_id"], lead["id"], "{error}");
        }
        assert_eq!(all_pages(client, LEADS, 100).await.len(), 1);

        let identity = Identity { channel: Channel::Whatsapp, external_id: "51900000002".to_owned() };
        let slug = Some(tenant.slug.as_str());
        let system = Actor::enter(&app.app, Principal::System, slug, RequestInfo::default()).await.unwrap();
        let met = join_all((0..8).map(|_| leads::for_identity(&app.app, &system, &identity))).await;
        let met: Vec<_> = met.into_iter().map(Result::unwrap).collect();
        assert!(met.iter().all(|lead| lead.id == met[0].id), "{met:?}");
        assert_eq!(json!(met[0].agent_id), agent["id"]);
        assert_eq!(met[0].identities, std::slice::from_ref(&identity));
        assert_eq!(all_pages(client, LEADS, 100).await.len(), 2);
        let again = leads::for_identity(&app.app, &system, &identity).await.unwrap();
        assert_eq!(again, met[0]);

        // Whoever was deleted is met anew, and another tenant knows nobody of them.
        client.delete(&format!("{LEADS}/{}", met[0].id)).await.ok(200);
        let anew = leads::for_identity(&app.app, &system, &identity).await.unwrap();
        assert_ne!(anew.id, met[0].id);
        let neighbour = app.tenant("beta").await.admin.client;
        let same = json!({ "identities": [first, second] });
        neighbour.post(LEADS, same).await.ok(201);
    }
}

sqlite_test! {
    async fn bad_leads_are_refused_and_change_nothing(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("acme").await.admin.client;
        let neighbour = app.tenant("beta").await.admin.client;
        let theirs = make_agent(&neighbour, "Luna").await;
        let identity = |text: &str| json!({ "channel": "web", "external_id": text });
        let many: Vec<_> = (0..21).map(|n| identity(&n.to_string())).collect();
        let lead = make_lead(&client, "Ana").await;
        let before = client.get(&lead_path(&lead)).await.ok(200);
        for (bad, field) in [
            (json!({ "name": "" }), "name"),
            (json!({ "name": " \t " }), "name"),
            (json!({ "name": "a\u{7}b" }), "name"),
            (json!({ "name": "a\nb" }), "name"),
            (json!({ "name": "a".repeat(201) }), "name"),
            (json!({ "email": "nadie" }), "email"),
            (json!({ "email": format!("{}@x.pe", "a".repeat(300)) }), "email"),
            (json!({ "phone": "mañana" }), "phone"),
            (json!({ "phone": "1".repeat(41) }), "phone"),
            (json!({ "notes": "a".repeat(5001) }), "notes"),
            (json!({ "tags": vec!["x"; 51] }), "tags"),
            (json!({ "tags": ["a".repeat(51)] }), "tags"),
        ] {
            for reply in [client.post(LEADS, bad.clone()).await, client.patch(&lead_path(&lead), bad.clone()).await] {
                let error = reply.refused(422, "VALIDATION_FAILED");
                assert_eq!(error["details"]["fields"][0]["field"], field, "{error}");
            }
        }
        for bad in [
            json!({ "identities": many }),
            json!({ "identities": [identity("x"), identity(" x ")] }),
            json!({ "identities": [identity("")] }),
            json!({ "identities": [identity(&"x".repeat(201))] }),
            json!({ "identities": [identity("a\u{1}b")] }),
        ] {
            client.post(LEADS, bad).await.refused(422, "VALIDATION_FAILED");
        }
        for bad in [
            json!({ "temperature": "tibio" }), json!({ "token_balance": 5 }), json!({ "tags": "vip" }),
            json!({ "identities": [{ "channel": "fax", "external_id": "1" }] }), json!({ "agent_id": "maya" }),
        ] {
            client.post(LEADS, bad.clone()).await.refused(400, "INVALID_JSON");
            client.patch(&lead_path(&lead), bad).await.refused(400, "INVALID_JSON");
        }
        for foreign in [
            json!({ "agent_id": theirs["id"] }), json!({ "agent_id": Uuid::now_v7() }), json!({ "branch_id": Uuid::now_v7() }),
        ] {
            client.post(LEADS, foreign.clone()).await.refused(404, "NOT_FOUND");
            client.patch(&lead_path(&lead), foreign).await.refused(404, "NOT_FOUND");
        }
        let long = format!("q={}", "a".repeat(201));
        for query in ["q=", "channel=web", "external_id=1", "limit=0", "limit=201", &long] {
            client.get(&format!("{LEADS}?{query}")).await.refused(422, "VALIDATION_FAILED");
        }
        for query in ["temperature=tibio", "agent_id=maya", "otro=1", "q=%00"] {
            client.get(&format!("{LEADS}?{query}")).await.refused(400, "INVALID_PARAMETER");
        }
        assert_eq!(client.get(&lead_path(&lead)).await.ok(200), before);
        assert_eq!(all_pages(&client, LEADS, 100).await.len(), 1);
    }
}

db_test! {
    async fn nothing_of_a_deleted_lead_is_left(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let stays = make_conversation(client, &make_lead(client, "Beto").await).await;
        attach(client, &stays, "queda.png").await;
        let body = json!({ "name": "Zoraida", "identities": [{ "channel": "web", "external_id": "zoraida-1" }] });
        let lead = client.post(LEADS, body.clone()).await.ok(201);
        let mut conversations = Vec::new();
        for n in 0..2 {
            let conversation = make_conversation(client, &lead).await;
            say(client, &conversation, "human", &format!("Hola Zoraida {n}")).await;
            say(client, &conversation, "note", "Zoraida debe dos cuotas").await;
            attach(client, &conversation, "zoraida.png").await;
            conversations.push(conversation);
        }
        let reason = json!({ "reason": "Zoraida quiere una persona" });
        let released = conversation_path(&conversations[0], "/handoff/release");
        client.poke(&released).await.ok(200);
        client.post(&conversation_path(&conversations[0], "/handoff/request"), reason).await.ok(200);
        assert_eq!(app.kept_files().len(), 3);

        let receipt = client.delete(&lead_path(&lead)).await.ok(200);
        let rows = &receipt["removed"]["rows"];
        assert_eq!((&rows["leads"], &rows["conversations"]), (&json!(1), &json!(2)), "{receipt}");
        assert_eq!((&rows["messages"], &rows["attachments"]), (&json!(4), &json!(2)), "{receipt}");
        assert_eq!(receipt["removed"]["files"], 2, "{receipt}");
        assert_eq!(receipt["complete"], true, "{receipt}");
        assert_eq!(receipt["target"], format!("lead:{}", id(&lead)));
        assert_eq!(app.kept_files().len(), 1);
        client.get(&lead_path(&lead)).await.refused(404, "NOT_FOUND");
        client.delete(&lead_path(&lead)).await.refused(404, "NOT_FOUND");
        for conversation in &conversations {
            for rest in ["", "/messages", "/history", "/attachments"] {
                client.get(&conversation_path(conversation, rest)).await.refused(404, "NOT_FOUND");
            }
        }
        let tx = app.app.store.read(tenant.scope()).await.unwrap();
        for conversation in &conversations {
            let id: Uuid = id(conversation).parse().unwrap();
            let history = tx.history().of(quipu_core::history::Subject::Conversation, id).await.unwrap();
            assert!(history.is_empty(), "{history:?}");
        }
        let log = client.get("/api/v1/audit-log?limit=200").await.ok(200);
        assert!(!log.to_string().contains("Zoraida"), "{log}");
        let listed = client.get(&conversation_path(&stays, "/attachments")).await.ok(200);
        assert_eq!(listed["data"].as_array().unwrap().len(), 1);
        // The channel may know somebody so again.
        client.post(LEADS, body).await.ok(201);

        let root = app.super_admin().await.client;
        let receipt = root.delete(&format!("/api/v1/tenants/{}", tenant.id)).await.ok(200);
        assert_eq!(receipt["removed"]["rows"]["leads"], 2, "{receipt}");
        assert_eq!(receipt["complete"], true, "{receipt}");
        assert!(app.kept_files().is_empty());
    }

    async fn leads_outlive_their_agent_and_their_branch(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("acme").await.admin.client;
        let agent = make_agent(&client, "Maya").await;
        let lead = make_lead(&client, "Ana").await;
        let conversation = make_conversation(&client, &lead).await;
        assert_eq!((&lead["agent_id"], &conversation["agent_id"]), (&agent["id"], &agent["id"]));
        client.delete("/api/v1/agents/maya").await.ok(200);
        let lead = client.get(&lead_path(&lead)).await.ok(200);
        let conversation = client.get(&conversation_path(&conversation, "")).await.ok(200);
        assert_eq!((&lead["agent_id"], &conversation["agent_id"]), (&Value::Null, &Value::Null));
        let body = json!({ "name": "Centro", "city": "Lima", "hours": open_every_day(&[("09:00", "13:00")]) });
        let branch = client.post("/api/v1/branches", body).await.ok(201);
        client.patch(&lead_path(&lead), json!({ "branch_id": branch["id"] })).await.ok(200);
        client.delete(&format!("/api/v1/branches/{}", id(&branch))).await.ok(204);
        assert_eq!(client.get(&lead_path(&lead)).await.ok(200)["branch_id"], Value::Null);
        // There is nobody to answer yet, and that is no reason to turn anybody away.
        let alone = make_conversation(&client, &lead).await;
        assert_eq!(alone["agent_id"], Value::Null);
    }
}

sqlite_test! {
    async fn reading_and_writing_are_two_permissions(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("acme").await;
        let lead = make_lead(&tenant.admin.client, "Ana").await;
        let reader = app.program(&tenant, &[Permission::CustomersRead]).await;
        reader.get(&lead_path(&lead)).await.ok(200);
        reader.delete(&lead_path(&lead)).await.refused(403, "FORBIDDEN");
        let writer = app.program(&tenant, &[Permission::CustomersWrite]).await;
        writer.get(CONVERSATIONS).await.refused(403, "FORBIDDEN");
        make_conversation(&writer, &lead).await;
    }
}
