//! What was asked in vain, and what becomes of it.

use crate::harness::{
    Client, Tenant, TestApp, a_turn, a_turn_with, ask, eventually, id, keep_turn, make_agent,
    make_conversation,
};
use futures::future::join_all;
use quipu_core::access::Permission;
use quipu_core::turn::NewTurn;
use quipu_testkit::{db_test, sqlite_test};
use serde_json::{Value, json};

const GAPS: &str = "/api/v1/gaps";

async fn listed(client: &Client, query: &str) -> Vec<Value> {
    let found = client.get(&format!("{GAPS}{query}")).await.ok(200);
    found["data"].as_array().unwrap().clone()
}

/// Asks something that nobody knows, for nobody in particular.
async fn in_vain(app: &TestApp, tenant: &Tenant, agent: &Value, question: &str) -> String {
    let turn = NewTurn {
        grounded: false,
        ..a_turn(app, agent, question)
    };
    keep_turn(app, tenant, &turn).await
}

db_test! {
    async fn questions_that_ask_for_the_same_are_one_gap(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("clinica").await;
        let client = &tenant.admin.client;
        let agent = make_agent(client, "Maya").await;
        let first = in_vain(&app, &tenant, &agent, "¿Tienen estacionamiento?").await;
        in_vain(&app, &tenant, &agent, "¿Aceptan mascotas?").await;
        in_vain(&app, &tenant, &agent, "hola, tienen estacionamiento para clientes?").await;
        in_vain(&app, &tenant, &agent, "gracias").await;
        // What was answered is no gap, unless somebody says that it did not help.
        let answered = keep_turn(&app, &tenant, &a_turn(&app, &agent, "¿Hay wifi en la sala?")).await;

        let gaps = listed(client, "").await;
        assert_eq!(gaps.len(), 2, "{gaps:?}");
        assert_eq!((&gaps[0]["asked"], &gaps[1]["asked"]), (&json!(2), &json!(1)));
        assert_eq!(gaps[0]["id"], first.as_str());
        assert_eq!(gaps[0]["status"], "open");
        assert_eq!(gaps[1]["question"], "¿Aceptan mascotas?");

        let path = format!("/api/v1/turns/{answered}/feedback");
        client.put(&path, json!({ "helpful": false })).await.ok(200);
        let gaps = listed(client, "").await;
        let disliked = gaps.iter().find(|gap| gap["id"] == answered.as_str()).unwrap();
        assert_eq!(disliked["questions"][0]["reason"], "unhelpful");
    }

    async fn a_gap_is_answered_and_agents_know_it_then(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("clinica").await;
        let client = &tenant.admin.client;
        let agent = make_agent(client, "Maya").await;
        let first = in_vain(&app, &tenant, &agent, "¿Tienen estacionamiento?").await;
        let second = in_vain(&app, &tenant, &agent, "tienen estacionamiento para clientes?").await;
        let told = json!({
            "question": "¿Tienen estacionamiento?",
            "answer": "Sí, el estacionamiento violeta queda frente a la clínica.",
        });
        let path = format!("{GAPS}/{second}/answer");
        client.post(&path, json!({ "question": " ", "answer": "" })).await.refused(422, "VALIDATION_FAILED");
        let gap = client.post(&path, told.clone()).await.ok(200);
        assert_eq!((&gap["status"], &gap["id"]), (&json!("answered"), &json!(first)));
        let faq = gap["faq_id"].as_str().unwrap();
        let faq = client.get(&format!("/api/v1/faqs/{faq}")).await.ok(200);
        assert_eq!(faq["answer"], told["answer"]);
        assert_eq!(listed(client, "?status=open").await, Vec::<Value>::new());
        // One that is answered twice is answered better, and no question has two answers.
        let better = json!({
            "question": "¿Tienen estacionamiento?",
            "answer": "Sí, el estacionamiento violeta queda frente a la clínica y es gratis.",
        });
        let again = client.post(&path, better.clone()).await.ok(200);
        assert_eq!(again["faq_id"], gap["faq_id"]);
        let faq = client.get(&format!("/api/v1/faqs/{}", again["faq_id"].as_str().unwrap())).await.ok(200);
        assert_eq!(faq["answer"], better["answer"]);
        let other = in_vain(&app, &tenant, &agent, "¿Aceptan mascotas?").await;
        client.post(&format!("{GAPS}/{other}/answer"), told).await.refused(409, "ALREADY_EXISTS");
        client.poke(&format!("{GAPS}/{other}/dismiss")).await.ok(200);

        eventually("the agent knows it", async || {
            let answer = ask(client, &id(&agent), "¿Tienen estacionamiento?").await;
            let told = answer["message"]["content"].as_str().unwrap().contains("violeta");
            (answer["grounded"] == true && told).then_some(())
        }).await;

        // It is one again when it is asked in vain once agents know the answer, which stays known.
        app.clock.advance(std::time::Duration::from_mins(1));
        in_vain(&app, &tenant, &agent, "¿Tienen estacionamiento?").await;
        assert_eq!(listed(client, "?status=open").await, Vec::<Value>::new());
        app.clock.advance(std::time::Duration::from_mins(5));
        in_vain(&app, &tenant, &agent, "estacionamiento tienen??").await;
        let open = listed(client, "?status=open").await;
        assert_eq!((open.len(), &open[0]["asked"]), (1, &json!(1)), "{open:?}");
        assert_eq!(open[0]["faq_id"], gap["faq_id"]);
    }

    async fn of_two_who_answer_a_gap_at_once_one_says_it_better(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("clinica").await;
        let client = &tenant.admin.client;
        let agent = make_agent(client, "Maya").await;
        let turn = in_vain(&app, &tenant, &agent, "¿Tienen estacionamiento?").await;
        let path = format!("{GAPS}/{turn}/answer");
        let answers = (0..4).map(|n| {
            let told = json!({ "question": format!("¿Hay estacionamiento? ({n})"), "answer": format!("Sí, {n}.") });
            client.post(&path, told)
        });
        for answered in join_all(answers).await {
            answered.ok(200);
        }
        // Nor does it become two when the decision is taken back in between.
        for taken_back in ["reopen", "dismiss", "reopen"] {
            client.poke(&format!("{GAPS}/{turn}/{taken_back}")).await.ok(200);
            let told = json!({ "question": format!("¿Hay estacionamiento? ({taken_back})"), "answer": "Sí." });
            client.post(&path, told).await.ok(200);
        }
        let faqs = client.get("/api/v1/faqs").await.ok(200);
        assert_eq!(faqs["data"].as_array().unwrap().len(), 1, "{faqs}");
    }

    async fn what_nobody_wants_answered_is_let_be_until_somebody_does(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("clinica").await;
        let client = &tenant.admin.client;
        let agent = make_agent(client, "Maya").await;
        let turn = in_vain(&app, &tenant, &agent, "¿Venden autos usados?").await;
        client.poke(&format!("{GAPS}/{turn}/dismiss")).await.ok(200);
        app.clock.advance(std::time::Duration::from_mins(1));
        in_vain(&app, &tenant, &agent, "¿Venden autos usados?").await;
        assert_eq!(listed(client, "?status=open").await, Vec::<Value>::new());
        assert_eq!(listed(client, "?status=dismissed").await[0]["asked"], 2);
        client.poke(&format!("{GAPS}/{turn}/reopen")).await.ok(200);
        assert_eq!(listed(client, "?status=open").await[0]["asked"], 2);
        let nobody = uuid::Uuid::now_v7();
        client.poke(&format!("{GAPS}/{nobody}/dismiss")).await.refused(404, "NOT_FOUND");
    }

    async fn gaps_are_for_who_may_see_customers_and_decided_by_who_may_write(db) {
        let app = TestApp::start(db).await;
        let (tenant, other) = (app.tenant("clinica").await, app.tenant("otra").await);
        let client = &tenant.admin.client;
        let agent = make_agent(client, "Maya").await;
        let lead = client.post("/api/v1/leads", json!({ "name": "Ana Quispe" })).await.ok(201);
        let conversation = make_conversation(client, &lead).await;
        let asked = NewTurn { grounded: false, ..a_turn_with(&app, &agent, &conversation) };
        let turn = keep_turn(&app, &tenant, &asked).await;
        let reader = app.program(&tenant, &[Permission::CustomersRead]).await;
        assert_eq!(listed(&reader, "").await[0]["customers"], 1);
        reader.poke(&format!("{GAPS}/{turn}/dismiss")).await.refused(403, "FORBIDDEN");
        let chatter = app.program(&tenant, &[Permission::Chat, Permission::BusinessWrite]).await;
        chatter.get(GAPS).await.refused(403, "FORBIDDEN");
        chatter.poke(&format!("{GAPS}/{turn}/dismiss")).await.refused(403, "FORBIDDEN");
        assert_eq!(listed(&other.admin.client, "").await, Vec::<Value>::new());
        other.admin.client.poke(&format!("{GAPS}/{turn}/dismiss")).await.refused(404, "NOT_FOUND");
        // Who is forgotten takes their questions along.
        client.delete(&format!("/api/v1/leads/{}", id(&lead))).await;
        assert_eq!(listed(client, "").await, Vec::<Value>::new());
    }
}

sqlite_test! {
    async fn a_gap_is_decided_about_however_much_was_asked_since(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("clinica").await;
        let client = &tenant.admin.client;
        let agent = make_agent(client, "Maya").await;
        let old = in_vain(&app, &tenant, &agent, "¿Tienen estacionamiento?").await;
        let until = app.now() + std::time::Duration::from_secs(1);
        app.clock.advance(std::time::Duration::from_mins(1));
        let tx = app.app.store.begin(tenant.scope()).await.unwrap();
        for _ in 0..2_000 {
            let turn = NewTurn { grounded: false, ..a_turn(&app, &agent, "¿Venden autos usados?") };
            tx.turns().insert(&turn).await.unwrap();
        }
        tx.commit().await.unwrap();
        let early = format!("?to={until}");
        assert_eq!(listed(client, &early).await[0]["id"], old.as_str());
        let gap = client.poke(&format!("{GAPS}/{old}/dismiss")).await.ok(200);
        assert_eq!((&gap["id"], &gap["status"], &gap["asked"]), (&json!(old), &json!("dismissed"), &json!(1)));
        assert_eq!(listed(client, &early).await[0]["status"], "dismissed");
        let gap = client.poke(&format!("{GAPS}/{old}/reopen")).await.ok(200);
        assert_eq!((&gap["status"], &gap["decided_by"]), (&json!("open"), &Value::Null));
    }
}
