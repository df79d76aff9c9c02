//! Two leads who are the same person.

use super::{found, lead_path};
use crate::harness::{
    CONVERSATIONS, LEADS, TestApp, all_pages, attach, conversation_path, id, make_conversation,
    make_lead, say,
};
use futures::future::join;
use quipu_core::access::Permission;
use quipu_testkit::{db_test, sqlite_test};
use serde_json::{Value, json};
use uuid::Uuid;

fn merge_path(lead: &Value) -> String {
    format!("{}/merge", lead_path(lead))
}

fn with(other: &Value) -> Value {
    json!({ "other_lead_id": other["id"] })
}

db_test! {
    async fn one_becomes_the_other_with_everything_of_theirs(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let client = tenant.admin.client.clone();
        let known = json!({
            "name": "Ana Quispe", "phone": "+51 987 654 321", "tags": ["vip"], "notes": "De tarde.",
            "temperature": "warm", "identities": [{ "channel": "whatsapp", "external_id": "51987654321" }],
        });
        let ana = client.post(LEADS, known).await.ok(201);
        let known = json!({
            "name": "anita.q", "email": "ana@correo.pe", "tags": ["nueva", "vip"], "notes": "Paga en efectivo.",
            "temperature": "hot", "identities": [{ "channel": "instagram", "external_id": "anita.q" }],
        });
        let anita = client.post(LEADS, known).await.ok(201);
        let talk = make_conversation(&client, &anita).await;
        // What a customer says, a program passes on.
        let program = app.program(&tenant, Permission::ALL).await;
        say(&program, &talk, "user", "Hola, soy Anita").await;
        attach(&client, &talk, "anita.png").await;
        let sent = json!({ "lead_id": anita["id"], "channel": "instagram" });
        let keyed = client.with("idempotency-key", "otra charla");
        let second = keyed.post(CONVERSATIONS, sent.clone()).await.ok(201);

        let asked = json!({ "other_lead_id": anita["id"], "take": ["temperature"] });
        let merged = client.post(&merge_path(&ana), asked.clone()).await.ok(200);
        let lead = &merged["lead"];
        assert_eq!((&lead["id"], &merged["merged_id"]), (&ana["id"], &anita["id"]));
        assert_eq!((&lead["name"], &lead["phone"]), (&ana["name"], &ana["phone"]));
        assert_eq!((&lead["email"], &lead["temperature"]), (&json!("ana@correo.pe"), &json!("hot")));
        assert_eq!(lead["tags"], json!(["nueva", "vip"]));
        assert_eq!(lead["notes"], "De tarde.\n\nPaga en efectivo.");
        assert_eq!(lead["identities"].as_array().unwrap().len(), 2);
        let moved = &merged["moved"];
        assert_eq!((&moved["conversations"], &moved["identities"]), (&json!(2), &json!(1)), "{moved}");
        assert_eq!(client.get(&lead_path(&ana)).await.ok(200), *lead);
        client.get(&lead_path(&anita)).await.refused(404, "NOT_FOUND");
        assert_eq!(found(&client, "q=correo.pe").await, [ana["id"].clone()]);
        assert_eq!(found(&client, "channel=instagram&external_id=anita.q").await, [ana["id"].clone()]);
        let talks = all_pages(&client, &format!("{CONVERSATIONS}?lead_id={}", id(&ana)), 1).await;
        assert_eq!(talks.len(), 2);
        let said = client.get(&conversation_path(&talk, "/messages")).await.ok(200);
        assert_eq!(said["data"][0]["text"], "Hola, soy Anita");

        // Whoever asks again is told the same, with a key or without one.
        assert_eq!(client.post(&merge_path(&ana), asked).await.ok(200), merged);
        assert_eq!(keyed.post(CONVERSATIONS, sent).await.ok(201), second);
        // Whom somebody was joined with is not there to be joined with others.
        let beto = make_lead(&client, "Beto").await;
        client.post(&merge_path(&beto), with(&anita)).await.refused(404, "NOT_FOUND");
        client.post(&merge_path(&anita), with(&beto)).await.refused(404, "NOT_FOUND");

        let log = client.get("/api/v1/audit-log?limit=200").await.ok(200).to_string();
        assert!(log.contains("lead.merge"), "{log}");
        for personal in ["correo.pe", "anita.q", "efectivo"] {
            assert!(!log.contains(personal), "{personal}");
        }

        // What came with the conversations of either goes with who stays, twice over.
        let merged = client.post(&merge_path(&beto), with(&ana)).await.ok(200);
        assert_eq!(merged["moved"]["lead_merges"], 1, "{merged}");
        assert_eq!(app.kept_files().len(), 1);
        let receipt = client.delete(&lead_path(&beto)).await.ok(200);
        assert_eq!(receipt["removed"]["files"], 1, "{receipt}");
        assert_eq!(receipt["removed"]["rows"]["lead_merges"], 2, "{receipt}");
        assert_eq!(receipt["complete"], true, "{receipt}");
        assert!(app.kept_files().is_empty());
        for conversation in [&talk, &second] {
            client.get(&conversation_path(conversation, "")).await.refused(404, "NOT_FOUND");
        }
    }

    async fn two_who_join_the_same_leads_the_other_way_round_leave_one(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("acme").await.admin.client;
        for round in 0..4 {
            let (ana, anita) = (make_lead(&client, "Ana").await, make_lead(&client, "Anita").await);
            for lead in [&ana, &anita] {
                make_conversation(&client, lead).await;
            }
            let (one, other) = join(
                client.post(&merge_path(&ana), with(&anita)),
                client.post(&merge_path(&anita), with(&ana)),
            )
            .await;
            let mut statuses = [one.status, other.status];
            statuses.sort_unstable();
            assert_eq!(statuses, [200, 404], "{one:?} {other:?}");
            let kept = all_pages(&client, LEADS, 100).await;
            assert_eq!(kept.len(), round + 1);
            let talks = all_pages(&client, &format!("{CONVERSATIONS}?lead_id={}", id(&kept[0])), 100).await;
            assert_eq!(talks.len(), 2);
        }
    }
}

sqlite_test! {
    async fn what_cannot_be_joined_changes_nothing(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("acme").await.admin.client;
        let neighbour = app.tenant("beta").await.admin.client;
        let (ana, theirs) = (make_lead(&client, "Ana").await, make_lead(&neighbour, "Beto").await);
        let error = client.post(&merge_path(&ana), with(&ana)).await.refused(422, "VALIDATION_FAILED");
        assert_eq!(error["details"]["fields"][0]["field"], "other_lead_id", "{error}");
        client.post(&merge_path(&ana), with(&theirs)).await.refused(404, "NOT_FOUND");
        client.post(&merge_path(&theirs), with(&ana)).await.refused(404, "NOT_FOUND");
        client.post(&merge_path(&ana), json!({ "other_lead_id": Uuid::now_v7() })).await.refused(404, "NOT_FOUND");
        for bad in [json!({}), json!({ "other_lead_id": 1 }), json!({ "other_lead_id": theirs["id"], "take": ["notes"] })] {
            client.post(&merge_path(&ana), bad).await.refused(400, "INVALID_JSON");
        }
        let identity = |n: usize| json!({ "channel": "web", "external_id": n.to_string() });
        let many = |from: usize| (from..from + 11).map(identity).collect::<Vec<_>>();
        let tags = |from: usize| (from..from + 26).map(|n| format!("t{n}")).collect::<Vec<_>>();
        let long = "a".repeat(2_500);
        let one = client.post(LEADS, json!({ "identities": many(0), "tags": tags(0), "notes": format!("{long}b") })).await.ok(201);
        let two = client.post(LEADS, json!({ "identities": many(50), "tags": tags(50), "notes": long })).await.ok(201);
        let error = client.post(&merge_path(&one), with(&two)).await.refused(422, "VALIDATION_FAILED");
        let fields: Vec<_> = error["details"]["fields"].as_array().unwrap().iter().map(|one| one["field"].clone()).collect();
        assert_eq!(fields, ["identities", "tags", "notes"], "{error}");
        for lead in [&one, &two] {
            assert_eq!(client.get(&lead_path(lead)).await.ok(200), *lead);
        }
        neighbour.get(&lead_path(&theirs)).await.ok(200);
    }
}
