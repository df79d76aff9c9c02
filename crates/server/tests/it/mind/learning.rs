//! What agents learn from people.

use crate::harness::{
    Client, TestApp, conversation_path, eventually, id, make_agent, make_conversation, say,
};
use quipu_core::access::Permission;
use quipu_testkit::sqlite_test;
use serde_json::{Value, json};
use uuid::Uuid;

const LEARNED: &str = "/api/v1/learned-answers";

async fn listed(client: &Client, query: &str) -> Vec<Value> {
    let found = client.get(&format!("{LEARNED}{query}")).await.ok(200);
    found["data"].as_array().unwrap().clone()
}

async fn release(client: &Client, conversation: &Value) {
    let path = conversation_path(conversation, "/handoff/release");
    client.poke(&path).await.ok(200);
}

sqlite_test! {
    async fn what_a_person_answered_is_proposed_and_learned(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("clinica").await;
        let client = &tenant.admin.client;
        let agent = make_agent(client, "Maya").await;
        let program = app.program(&tenant, &[Permission::CustomersWrite]).await;
        let lead = client.post("/api/v1/leads", json!({ "name": "Ana Quispe", "phone": "+51 987 654 321" })).await.ok(201);
        let conversation = make_conversation(client, &lead).await;
        say(&program, &conversation, "user", "Hola buenas tardes").await;
        say(&program, &conversation, "user", "¿Puedo llevar a mi perro guía? Soy Ana, llámenme al 987 654 321").await;
        say(&program, &conversation, "assistant", "Le comunico con una persona.").await;
        say(client, &conversation, "note", "cliente frecuente, tratar bien").await;
        say(client, &conversation, "human", "Claro que sí, Ana. Los perros guía entran a toda la clínica; escriba a citas@clinica.pe").await;
        say(&program, &conversation, "user", "gracias").await;
        assert_eq!(listed(client, "").await, Vec::<Value>::new());
        release(client, &conversation).await;
        let proposed = listed(client, "?status=proposed").await;
        assert_eq!(proposed.len(), 1, "{proposed:?}");
        let text = format!("{} {}", proposed[0]["question"], proposed[0]["answer"]);
        assert_eq!(proposed[0]["question"], "¿Puedo llevar a mi perro guía? Soy [nombre], llámenme al [número]");
        assert_eq!(proposed[0]["answer"], "Claro que sí, [nombre]. Los perros guía entran a toda la clínica; escriba a [correo]");
        for private in ["987", "Quispe", "Ana", "citas@"] {
            assert!(!text.contains(private), "{text}");
        }
        assert_eq!(proposed[0]["conversation_id"], conversation["id"]);
        assert_eq!(proposed[0]["agent_id"], agent["id"]);

        // The same is not proposed twice, and what comes later is.
        say(&program, &conversation, "user", "¿Tienen rampa para sillas de ruedas?").await;
        say(client, &conversation, "human", "Sí, hay rampa en la entrada.").await;
        release(client, &conversation).await;
        let proposed = listed(client, "").await;
        assert_eq!(proposed.len(), 2, "{proposed:?}");
        let (ramp, dog) = (id(&proposed[0]), id(&proposed[1]));

        let approve = format!("{LEARNED}/{dog}/approve");
        client.post(&approve, json!({ "question": " " })).await.refused(422, "VALIDATION_FAILED");
        client.post(&approve, json!({ "answer": "x".repeat(4_001) })).await.refused(422, "VALIDATION_FAILED");
        let better = json!({ "question": "¿Aceptan perros guía?", "answer": "Sí, los perros guía entran a toda la clínica." });
        let approved = client.post(&approve, better).await.ok(200);
        assert_eq!((&approved["status"], &approved["question"]), (&json!("approved"), &json!("¿Aceptan perros guía?")));
        assert_eq!(approved["decided_by"], format!("user:{}", tenant.admin.id));
        let faq = client.get(&format!("/api/v1/faqs/{}", approved["faq_id"].as_str().unwrap())).await.ok(200);
        assert_eq!((&faq["answer"], &faq["tags"]), (&json!("Sí, los perros guía entran a toda la clínica."), &json!(["aprendido"])));
        client.post(&approve, json!({})).await.refused(409, "LEARNED_ANSWER_STATE");
        client.poke(&format!("{LEARNED}/{dog}/reject")).await.refused(409, "LEARNED_ANSWER_STATE");
        let rejected = client.poke(&format!("{LEARNED}/{ramp}/reject")).await.ok(200);
        assert_eq!((&rejected["status"], &rejected["faq_id"]), (&json!("rejected"), &Value::Null));
        assert_eq!(listed(client, "?status=proposed").await.len(), 0);
        assert_eq!(listed(client, "?status=rejected").await.len(), 1);

        // Every agent finds it from now on.
        let path = format!("/api/v1/agents/{}/search", id(&agent));
        eventually("the lesson", async || {
            let body = json!({ "query": "¿puedo entrar con un perro guía?", "similarity_threshold": 0.3 });
            let found = client.post(&path, body).await.ok(200);
            found["chunks"].to_string().contains("toda la clínica").then_some(())
        })
        .await;
        client.get(&format!("{LEARNED}?status=maybe")).await.refused(400, "INVALID_PARAMETER");
        client.post(&format!("{LEARNED}/{}/approve", Uuid::now_v7()), json!({})).await.refused(404, "NOT_FOUND");
    }

    async fn only_what_a_person_answered_is_proposed(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("clinica").await;
        let client = &tenant.admin.client;
        let program = app.program(&tenant, &[Permission::CustomersWrite]).await;
        let lead = client.post("/api/v1/leads", json!({ "name": "Eva" })).await.ok(201);
        let conversation = make_conversation(client, &lead).await;
        // A person was asked for, and the agent went on without one.
        say(&program, &conversation, "user", "¿Cuánto cuesta una corona dental?").await;
        let request = conversation_path(&conversation, "/handoff/request");
        client.post(&request, json!({ "reason": "precio" })).await.ok(200);
        release(client, &conversation).await;
        // A person took over and said nothing worth knowing.
        client.poke(&conversation_path(&conversation, "/handoff/take")).await.ok(200);
        say(client, &conversation, "human", "Buenas tardes").await;
        release(client, &conversation).await;
        assert_eq!(listed(client, "").await, Vec::<Value>::new());
        // Of many answers five are proposed.
        for number in 0..8 {
            say(&program, &conversation, "user", &format!("¿Qué pasa con la pregunta {number}?")).await;
            say(client, &conversation, "human", &format!("Pasa lo que dice la respuesta {number}.")).await;
        }
        release(client, &conversation).await;
        assert_eq!(listed(client, "").await.len(), 5);
        // The question is taken already: the proposal waits for other words.
        let taken = &listed(client, "").await[0];
        let faq = json!({ "question": taken["question"], "answer": "Otra." });
        client.post("/api/v1/faqs", faq).await.ok(201);
        let approve = format!("{LEARNED}/{}/approve", id(taken));
        client.post(&approve, json!({})).await.refused(409, "ALREADY_EXISTS");
        assert_eq!(listed(client, "?status=proposed").await.len(), 5);
        client.post(&approve, json!({ "question": "¿Y la otra pregunta?" })).await.ok(200);
        // What was learned from a customer and not approved goes with them.
        client.delete(&format!("/api/v1/leads/{}", id(&lead))).await.ok(200);
        assert_eq!(listed(client, "").await, Vec::<Value>::new());
    }

    async fn what_a_person_answered_is_proposed_when_the_conversation_is_closed(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("clinica").await;
        let client = &tenant.admin.client;
        let program = app.program(&tenant, &[Permission::CustomersWrite]).await;
        let lead = client.post("/api/v1/leads", json!({ "name": "Eva" })).await.ok(201);
        let conversation = make_conversation(client, &lead).await;
        let path = conversation_path(&conversation, "");
        let close = async || client.patch(&path, json!({ "status": "closed" })).await.ok(200);
        // An agent that answered by itself learns nothing from that.
        say(&program, &conversation, "user", "¿Tienen rampa para sillas de ruedas?").await;
        say(&program, &conversation, "assistant", "No lo sé.").await;
        close().await;
        assert_eq!(listed(client, "").await, Vec::<Value>::new());
        say(&program, &conversation, "user", "¿Tienen rampa para sillas de ruedas?").await;
        say(client, &conversation, "human", "Sí, hay rampa en la entrada.").await;
        close().await;
        let proposed = listed(client, "").await;
        assert_eq!(proposed.len(), 1, "{proposed:?}");
        assert_eq!(proposed[0]["answer"], "Sí, hay rampa en la entrada.");
        // To give it back afterwards, or to close it again, proposes nothing twice.
        release(client, &conversation).await;
        client.patch(&path, json!({ "status": "open" })).await.ok(200);
        close().await;
        assert_eq!(listed(client, "").await.len(), 1);
    }
}
