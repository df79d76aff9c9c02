//! Conversations: what is said, what is only noted, and who answers.

use crate::harness::{
    CONVERSATIONS, Client, LEADS, TestApp, all_pages, conversation_path, id, make_agent,
    make_conversation, make_lead, say,
};
use quipu_app::conversations;
use quipu_core::access::{Permission, Role};
use quipu_core::conversation::HandoffMode;
use quipu_testkit::{db_test, sqlite_test};
use serde_json::{Value, json};
use std::time::Duration;
use uuid::Uuid;

async fn begun(client: &Client) -> Value {
    make_conversation(client, &make_lead(client, "Ana").await).await
}

async fn handoff(client: &Client, conversation: &Value) -> Value {
    let path = conversation_path(conversation, "");
    client.get(&path).await.ok(200)["handoff"].clone()
}

async fn history(client: &Client, conversation: &Value) -> Vec<(String, String)> {
    let path = conversation_path(conversation, "/history");
    let entries = client.get(&path).await.ok(200);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let entries = entries.as_array().unwrap().iter();
    entries
        .map(|entry| (text(&entry["action"]), text(&entry["actor"])))
        .collect()
}

fn texts(messages: &[Value]) -> Vec<&str> {
    messages
        .iter()
        .map(|message| message["text"].as_str().unwrap())
        .collect()
}

sqlite_test! {
    async fn a_conversation_goes_to_a_person_and_comes_back(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("acme").await;
        let ana = &tenant.admin;
        let eva = app.member(&tenant, Role::Member).await;
        let conversation = begun(&ana.client).await;
        assert_eq!(handoff(&ana.client, &conversation).await["mode"], "ai");
        let path = |event: &str| conversation_path(&conversation, &format!("/handoff/{event}"));
        let because = |reason: &str| json!({ "reason": reason });
        let (ana_name, eva_name) = (format!("user:{}", ana.id), format!("user:{}", eva.id));

        let error = ana.client.poke(&path("release")).await.refused(409, "HANDOFF_STATE");
        assert_eq!(error["details"]["mode"], "ai");
        let asked = ana.client.post(&path("request"), because("  Pide \"una persona\" 🙏 ")).await.ok(200);
        assert_eq!(asked["handoff"]["mode"], "pending_human");
        assert_eq!(asked["handoff"]["reason"], "Pide \"una persona\" 🙏");
        assert_eq!(asked["handoff"]["by"], ana_name);
        assert_eq!(asked["handoff"]["user_id"], Value::Null);
        // Asking again changes nothing, not even who asked.
        let again = eva.client.post(&path("request"), because("otra vez")).await.ok(200);
        assert_eq!(again["handoff"], asked["handoff"]);

        let taken = eva.client.poke(&path("take")).await.ok(200);
        assert_eq!(taken["handoff"]["mode"], "human");
        assert_eq!(taken["handoff"]["user_id"], eva.id.to_string());
        assert_eq!(taken["handoff"]["reason"], asked["handoff"]["reason"]);
        assert_eq!(taken["handoff"]["at"], json!(app.now()));
        ana.client.post(&path("request"), because("otra persona")).await.refused(409, "HANDOFF_STATE");
        eva.client.poke(&path("take")).await.ok(200);
        let over = ana.client.poke(&path("take")).await.ok(200);
        assert_eq!(over["handoff"]["user_id"], ana.id.to_string());
        let back = eva.client.poke(&path("release")).await.ok(200);
        assert_eq!(back["handoff"]["mode"], "ai");
        assert_eq!((&back["handoff"]["reason"], &back["handoff"]["user_id"]), (&Value::Null, &Value::Null));

        let expected = [
            ("handoff_requested", &ana_name), ("handoff_taken", &eva_name),
            ("handoff_taken", &ana_name), ("handoff_released", &eva_name),
        ];
        let expected = expected.map(|(action, actor)| (action.to_owned(), actor.clone()));
        assert_eq!(history(&ana.client, &conversation).await, expected);
        let log = all_pages(&ana.client, "/api/v1/audit-log", 100).await;
        let target = format!("conversation:{}", id(&conversation));
        let audited: Vec<_> = log
            .iter()
            .rev()
            .filter(|entry| entry["target"] == target && entry["action"] != "conversation.create")
            .map(|entry| (entry["action"].as_str().unwrap(), entry["actor"].as_str().unwrap()))
            .collect();
        assert_eq!(audited, [
            ("conversation.handoff_request", &*ana_name), ("conversation.handoff_take", &eva_name),
            ("conversation.handoff_take", &ana_name), ("conversation.handoff_release", &eva_name),
        ]);
    }

    async fn whoever_writes_to_the_customer_takes_over(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("acme").await;
        let ana = &tenant.admin;
        let eva = app.member(&tenant, Role::Member).await;
        for asked in [false, true] {
            let conversation = begun(&ana.client).await;
            if asked {
                let path = conversation_path(&conversation, "/handoff/request");
                ana.client.post(&path, json!({ "reason": "urgente" })).await.ok(200);
            }
            say(&eva.client, &conversation, "note", "ya la atiendo").await;
            assert_ne!(handoff(&ana.client, &conversation).await["mode"], "human", "a note is no answer");
            let message = say(&eva.client, &conversation, "human", "Buenas tardes").await;
            assert_eq!(message["author"], format!("user:{}", eva.id));
            let now = handoff(&ana.client, &conversation).await;
            assert_eq!((&now["mode"], &now["user_id"]), (&json!("human"), &json!(eva.id)));
            // Somebody else who writes as well does not take it away.
            say(&ana.client, &conversation, "human", "Hola").await;
            assert_eq!(handoff(&ana.client, &conversation).await, now);
            let taken = history(&ana.client, &conversation).await;
            assert_eq!(taken.iter().filter(|(action, _)| action == "handoff_taken").count(), 1);
        }
    }
}

db_test! {
    async fn an_agent_asks_for_a_person_inside_its_own_transaction(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let conversation = begun(client).await;
        let id = id(&conversation).parse().unwrap();
        let tx = app.app.store.begin(tenant.scope()).await.unwrap();
        let asked = conversations::request_handoff(&tx, id, "Dolor intenso", "agent:maya").await.unwrap();
        assert_eq!(asked.handoff.mode, HandoffMode::PendingHuman);
        drop(tx);
        assert_eq!(handoff(client, &conversation).await["mode"], "ai", "it was not committed");
        let tx = app.app.store.begin(tenant.scope()).await.unwrap();
        conversations::request_handoff(&tx, id, "Dolor intenso", "agent:maya").await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(handoff(client, &conversation).await["by"], "agent:maya");
        let waiting = client.get(&format!("{CONVERSATIONS}?handoff=pending_human")).await.ok(200);
        assert_eq!(waiting["data"][0]["id"], conversation["id"]);
    }
}

sqlite_test! {
    async fn notes_are_kept_apart(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let program = app.program(&tenant, &[Permission::CustomersRead, Permission::CustomersWrite]).await;
        let conversation = begun(client).await;
        say(client, &conversation, "note", "cliente difícil").await;
        let quiet = client.get(&conversation_path(&conversation, "")).await.ok(200);
        assert_eq!(quiet["last_message_at"], Value::Null, "a note is nothing the customer hears");
        for (role, text) in [("user", "hola"), ("assistant", "¿en qué le ayudo?"), ("note", "ojo"), ("user", "una cita")] {
            say(&program, &conversation, role, text).await;
        }
        let busy = client.get(&conversation_path(&conversation, "")).await.ok(200);
        assert_eq!(busy["last_message_at"], json!(app.now()));
        assert_eq!(busy["handoff"]["mode"], "ai");
        let path = conversation_path(&conversation, "/messages");
        // The clock stands still, and yet the order is that of the conversation.
        let said = all_pages(client, &path, 2).await;
        assert_eq!(texts(&said), ["una cita", "¿en qué le ayudo?", "hola"]);
        let listed = async |query: &str| {
            let listed = client.get(&format!("{path}?{query}")).await.ok(200);
            listed["data"].as_array().unwrap().clone()
        };
        assert_eq!(texts(&listed("include_notes=true").await), ["una cita", "ojo", "¿en qué le ayudo?", "hola", "cliente difícil"]);
        assert_eq!(texts(&listed("role=note").await), ["ojo", "cliente difícil"]);
        assert_eq!(texts(&listed("role=assistant").await), ["¿en qué le ayudo?"]);
        assert_eq!(texts(&listed("include_notes=false").await).len(), 3);
    }

    async fn who_may_say_what(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let program = app.program(&tenant, &[Permission::CustomersWrite]).await;
        let conversation = begun(client).await;
        let path = conversation_path(&conversation, "/messages");
        let body = |role: &str| json!({ "role": role, "text": "hola" });
        for (caller, roles) in [(client, &["user", "assistant", "system"][..]), (&program, &["system"][..])] {
            for role in roles {
                let error = caller.post(&path, body(role)).await.refused(422, "VALIDATION_FAILED");
                assert_eq!(error["details"]["fields"][0]["field"], "role", "{error}");
            }
        }
        let ok = "ñandú 🦙 \"comillas\" 'simples' \t\n<b>";
        let object = json!({ "channel_message_id": "wamid.1", "nested": [1, null, { "a": 2.5 }] });
        let good = json!({ "role": "human", "text": ok, "metadata": object });
        let message = program.post(&path, good).await.ok(201);
        assert_eq!((&message["text"], &message["metadata"]), (&json!(ok), &object));
        let plain = program.post(&path, json!({ "role": "note", "text": "x".repeat(20_000) })).await.ok(201);
        assert_eq!(plain["metadata"], json!({}));
        for bad in [
            json!({ "role": "human", "text": "" }),
            json!({ "role": "human", "text": " \n " }),
            json!({ "role": "human", "text": "x".repeat(20_001) }),
            json!({ "role": "human", "text": "hola", "metadata": [] }),
            json!({ "role": "human", "text": "hola", "metadata": "x" }),
            json!({ "role": "human", "text": "hola", "metadata": { "x": "y".repeat(10_000) } }),
        ] {
            program.post(&path, bad).await.refused(422, "VALIDATION_FAILED");
        }
        for bad in [json!({ "role": "boss", "text": "hola" }), json!({ "role": "human" }), json!({ "role": "human", "text": "hola", "author": "x" })] {
            program.post(&path, bad).await.refused(400, "INVALID_JSON");
        }
        let request = conversation_path(&conversation, "/handoff/request");
        client.poke(&conversation_path(&conversation, "/handoff/release")).await.ok(200);
        for bad in [json!({ "reason": "" }), json!({ "reason": "a\u{8}" }), json!({ "reason": "x".repeat(501) })] {
            client.post(&request, bad).await.refused(422, "VALIDATION_FAILED");
        }
        for bad in [json!({}), json!({ "reason": null }), json!({ "reason": "x", "mode": "human" })] {
            client.post(&request, bad).await.refused(400, "INVALID_JSON");
        }
        assert_eq!(handoff(client, &conversation).await["mode"], "ai");

        // Sent twice under one key, it is said once.
        let keyed = program.with("idempotency-key", "mensaje-1");
        let first = keyed.post(&path, body("user")).await.ok(201);
        assert_eq!(keyed.post(&path, body("user")).await.ok(201), first);
        assert_eq!(all_pages(client, &path, 100).await.len(), 2);
        let elsewhere = conversation_path(&begun(client).await, "/messages");
        keyed.post(&elsewhere, body("user")).await.refused(409, "IDEMPOTENCY_MISMATCH");
    }

    async fn conversations_are_begun_listed_closed_and_reopened(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let maya = make_agent(client, "Maya").await;
        let luna = make_agent(client, "Luna").await;
        let lead = make_lead(client, "Ana").await;
        let own = make_conversation(client, &lead).await;
        assert_eq!((&own["agent_id"], &own["status"], &own["channel"]), (&maya["id"], &json!("open"), &json!("whatsapp")));
        for agent in ["luna".to_owned(), id(&luna)] {
            let body = json!({ "lead_id": lead["id"], "agent": agent, "channel": "voice" });
            assert_eq!(client.post(CONVERSATIONS, body).await.ok(201)["agent_id"], luna["id"]);
        }
        let count = async |query: &str| {
            let listed = client.get(&format!("{CONVERSATIONS}?{query}")).await.ok(200);
            listed["data"].as_array().unwrap().len()
        };
        assert_eq!(count(&format!("lead_id={}", id(&lead))).await, 3);
        assert_eq!(count(&format!("agent_id={}", id(&luna))).await, 2);
        assert_eq!(count(&format!("lead_id={}", Uuid::now_v7())).await, 0);

        let path = conversation_path(&own, "");
        let closed = client.patch(&path, json!({ "status": "closed" })).await.ok(200);
        assert_eq!(closed["status"], "closed");
        client.patch(&path, json!({ "status": "closed" })).await.ok(200);
        assert_eq!((count("status=closed").await, count("status=open").await), (1, 2));
        say(client, &own, "note", "no volverá").await;
        assert_eq!(count("status=closed").await, 1);
        // Whoever writes again is heard again.
        let program = app.program(&tenant, &[Permission::CustomersWrite]).await;
        say(&program, &own, "user", "¿siguen ahí?").await;
        assert_eq!(count("status=closed").await, 0);
        client.patch(&path, json!({ "status": "closed" })).await.ok(200);
        client.patch(&path, json!({ "status": "open" })).await.ok(200);
        let actions: Vec<_> = history(client, &own).await.into_iter().map(|(action, _)| action).collect();
        assert_eq!(actions, ["closed", "reopened", "closed", "reopened"]);

        let neighbour = app.tenant("beta").await.admin.client;
        let theirs = make_lead(&neighbour, "Eva").await;
        make_agent(&neighbour, "Sol").await;
        for (lead, agent) in [(&theirs["id"], "maya"), (&json!(Uuid::now_v7()), "maya"), (&lead["id"], "sol"), (&lead["id"], "'; --")] {
            let body = json!({ "lead_id": lead, "agent": agent, "channel": "web" });
            client.post(CONVERSATIONS, body).await.refused(404, "NOT_FOUND");
        }
        for bad in [json!({ "lead_id": lead["id"] }), json!({ "lead_id": lead["id"], "channel": "fax" }), json!({ "lead_id": "ana", "channel": "web" })] {
            client.post(CONVERSATIONS, bad).await.refused(400, "INVALID_JSON");
        }
        let long = json!({ "lead_id": lead["id"], "channel": "web", "agent": "x".repeat(51) });
        client.post(CONVERSATIONS, long).await.refused(422, "VALIDATION_FAILED");
        client.patch(&path, json!({ "status": "archived" })).await.refused(400, "INVALID_JSON");
        for query in ["status=archived", "handoff=robot", "lead_id=ana", "otro=1"] {
            client.get(&format!("{CONVERSATIONS}?{query}")).await.refused(400, "INVALID_PARAMETER");
        }
    }
}

db_test! {
    async fn a_list_shows_with_whom_and_what_was_said_last(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let mut all = Vec::new();
        for name in ["Ana", "Eva", "Ivo"] {
            app.clock.advance(Duration::from_mins(1));
            all.push(make_conversation(client, &make_lead(client, name).await).await);
        }
        let lead = format!("{LEADS}/{}", all[0]["lead_id"].as_str().unwrap());
        client.patch(&lead, json!({ "temperature": "hot" })).await.ok(200);
        app.clock.advance(Duration::from_mins(1));
        let program = app.program(&tenant, &[Permission::CustomersWrite]).await;
        say(&program, &all[0], "user", &"muy ".repeat(100)).await;
        say(client, &all[1], "note", "solo nosotros").await;

        let by_activity = format!("{CONVERSATIONS}?sort=activity");
        let listed = client.get(&by_activity).await.ok(200);
        let names: Vec<&Value> = listed["data"].as_array().unwrap().iter().map(|row| &row["lead_name"]).collect();
        // A note is nothing that was said.
        assert_eq!(json!(names), json!(["Ana", "Ivo", "Eva"]));
        let ana = &listed["data"][0];
        assert_eq!((&ana["id"], &ana["lead_temperature"]), (&all[0]["id"], &json!("hot")));
        assert_eq!(ana["last_message"]["role"], "user");
        assert_eq!(ana["last_message"]["text"].as_str().unwrap().chars().count(), 200);
        assert_eq!(listed["data"][2]["last_message"], Value::Null);

        // Page by page it is the same, and the newest come first when nothing else is asked for.
        let mut cursor = String::new();
        for name in names {
            let page = client.get(&format!("{by_activity}&limit=1{cursor}")).await.ok(200);
            assert_eq!(&page["data"][0]["lead_name"], name);
            cursor = page["next_cursor"].as_str().map(|next| format!("&cursor={next}")).unwrap_or_default();
        }
        assert_eq!(cursor, "");
        let newest = all_pages(client, CONVERSATIONS, 2).await;
        let names: Vec<&Value> = newest.iter().map(|row| &row["lead_name"]).collect();
        assert_eq!(json!(names), json!(["Ivo", "Eva", "Ana"]));
        let web = client.get(&format!("{CONVERSATIONS}?channel=voice")).await.ok(200);
        assert_eq!(web["data"], json!([]));

        let named = client.get(&format!("{by_activity}&q=EV")).await.ok(200);
        assert_eq!((named["data"].as_array().unwrap().len(), &named["data"][0]["lead_name"]), (1, &json!("Eva")));
        client.get(&format!("{CONVERSATIONS}?q={}", "x".repeat(201))).await.refused(422, "VALIDATION_FAILED");

        // Another tenant's conversation is no place in this list.
        let neighbour = app.tenant("beta").await.admin.client;
        assert_eq!(neighbour.get(&format!("{CONVERSATIONS}?q=eva")).await.ok(200)["data"], json!([]));
        let theirs = make_conversation(&neighbour, &make_lead(&neighbour, "Zoe").await).await;
        let page = client.get(&format!("{by_activity}&cursor={}", id(&theirs))).await.ok(200);
        assert_eq!(page["data"], json!([]));
    }
}
