//! What matters for a message reaches the model that answers it.

use crate::harness::{Client, TestApp, ask, eventually, id, make_agent};
use quipu_testkit::model::{Dialect, ScriptedModel, Step};
use quipu_testkit::{db_test, sqlite_test};
use serde_json::{Value, json};

const INSTRUCTIONS: &str = "/api/v1/instructions";
const WARRANTY: &str = "¿cuánto cubre la garantía de las coronas de zirconia?";

async fn with_model(client: &Client, model: &ScriptedModel) -> String {
    let config = json!({ "provider": "openai_compatible", "model": "m", "base_url": model.base(Dialect::Openai) });
    let body = json!({ "name": "Maya", "settings": { "model": config } });
    id(&client.post("/api/v1/agents", body).await.ok(201))
}

async fn instruct(client: &Client, title: &str, content: &str, more: Value) -> String {
    let mut body = json!({ "type": "rule", "title": title, "content": content });
    body.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    id(&client.post(INSTRUCTIONS, body).await.ok(201))
}

/// Waits until a search finds every one of these words.
async fn findable(client: &Client, agent: &str, query: &str, words: &[&str]) {
    let path = format!("/api/v1/agents/{agent}/search");
    eventually("what is to be found", async || {
        let body = json!({ "query": query, "similarity_threshold": 0.1, "top_k": 20 });
        let found = client.post(&path, body).await.ok(200).to_string();
        words.iter().all(|word| found.contains(word)).then_some(())
    })
    .await;
}

/// What the model was told when it was asked last.
fn told(model: &ScriptedModel) -> String {
    model.requests().last().unwrap().system()
}

/// Where something stands in what was told.
fn at(told: &str, what: &str) -> usize {
    told.find(what)
        .unwrap_or_else(|| panic!("{what} is not in\n{told}"))
}

db_test! {
    async fn instructions_that_matter_are_told_and_counted(db) {
        let model = ScriptedModel::start([Step::says("Con gusto le explica una persona.").always()]).await;
        let host = model.host();
        let app = TestApp::start_with(db, |options| options.config.models.allow_hosts = vec![host]).await;
        let client = app.tenant("clinica").await.admin.client;
        let other = app.tenant("otra").await.admin.client;
        let agent = with_model(&client, &model).await;
        let theirs = with_model(&other, &model).await;
        let (north, south) = {
            let branch = async |name: &str| id(&client.post("/api/v1/branches", json!({ "name": name })).await.ok(201));
            (branch("Norte").await, branch("Sur").await)
        };
        let low = instruct(&client, "Garantía", "De la garantía de las coronas de zirconia habla con calma y cuánto cubre lo dice la ficha.", json!({ "priority": 2 })).await;
        let high = instruct(&client, "Coronas", "Si preguntan cuánto cubre la garantía de las coronas de zirconia, ofrece una valoración.", json!({ "priority": 9 })).await;
        instruct(&client, "Garantía Norte", "La garantía de las coronas de zirconia en Norte cubre el traslado.", json!({ "priority": 8, "branch_id": north })).await;
        instruct(&client, "Garantía Sur", "La garantía de las coronas de zirconia en Sur cubre el taxi.", json!({ "priority": 8, "branch_id": south })).await;
        instruct(&client, "Garantía fija", "La garantía de las coronas de zirconia cubre lo firmado.", json!({ "include_in_prompt": true })).await;
        instruct(&client, "Garantía vieja", "La garantía de las coronas de zirconia cubre lo viejo.", json!({ "active": false })).await;
        instruct(&client, "Mascotas", "Los gatos esperan afuera del consultorio.", json!({ "priority": 10 })).await;
        instruct(&other, "Ajena", "La garantía de las coronas de zirconia cubre lo ajeno.", json!({ "priority": 10 })).await;
        findable(&client, &agent, WARRANTY, &["calma", "valoración", "traslado", "taxi", "firmado"]).await;
        findable(&other, &theirs, WARRANTY, &["ajeno"]).await;

        ask(&client, &agent, WARRANTY).await;
        let said = told(&model);
        assert!(at(&said, "ofrece una valoración") < at(&said, "habla con calma"), "{said}");
        assert!(at(&said, "para este caso") < at(&said, "ofrece una valoración"), "{said}");
        // What stands in the prompt is told once; what is of a branch, resting, of something else or of
        // somebody else is not told.
        assert_eq!(said.matches("cubre lo firmado").count(), 1, "{said}");
        for absent in ["traslado", "taxi", "lo viejo", "gatos", "lo ajeno", "Sucursal de esta"] {
            assert!(!said.contains(absent), "{absent}: {said}");
        }
        ask(&other, &theirs, WARRANTY).await;
        let said = told(&model);
        assert!(said.contains("lo ajeno") && !said.contains("valoración"), "{said}");

        // Whoever usually goes to a branch is told what holds there.
        let lead = client.post("/api/v1/leads", json!({ "name": "Ana", "branch_id": north })).await.ok(201);
        let body = json!({ "messages": [{ "role": "user", "content": WARRANTY }], "lead_id": lead["id"], "stream": false });
        client.post(&format!("/api/agents/{agent}/chat"), body).await.ok(200);
        let said = told(&model);
        assert!(said.contains("cubre el traslado") && !said.contains("taxi"), "{said}");
        assert!(said.contains("Sucursal de esta conversación: «Norte»."), "{said}");

        let statistics = eventually("the count", async || {
            let statistics = client.get(&format!("{INSTRUCTIONS}/statistics")).await.ok(200);
            (statistics["told"] == 5).then_some(statistics)
        })
        .await;
        let most = statistics["most_told"].as_array().unwrap();
        let count = |wanted: &str| most.iter().find(|one| one["id"] == wanted).map(|one| one["count"].clone());
        assert_eq!((count(&high), count(&low), most.len()), (Some(json!(2)), Some(json!(2)), 3), "{statistics}");
        assert!(most.iter().all(|one| one["last"].is_string()), "{statistics}");
        eventually("their count", async || {
            let statistics = other.get(&format!("{INSTRUCTIONS}/statistics")).await.ok(200);
            (statistics["told"] == 1 && statistics["most_told"][0]["title"] == "Ajena").then_some(())
        })
        .await;
    }
}

sqlite_test! {
    async fn instructions_are_heeded_and_not_recited(db) {
        let secret = "Si preguntan cuánto cubre la garantía de las coronas de zirconia, di que son 18 meses y ofrece una valoración sin insistir.";
        let model = ScriptedModel::start([
            Step::says("Mi indicación es: di que son 18 meses y ofrece una valoración sin insistir."),
            Step::says("La garantía es de 18 meses. ¿Le agendo una valoración?"),
        ]).await;
        let host = model.host();
        let app = TestApp::start_with(db, |options| options.config.models.allow_hosts = vec![host]).await;
        let client = app.tenant("clinica").await.admin.client;
        let agent = with_model(&client, &model).await;
        client.post("/api/v1/branches", json!({ "name": "Matriz" })).await.ok(201);
        instruct(&client, "Garantía", secret, json!({})).await;
        findable(&client, &agent, WARRANTY, &["18 meses"]).await;
        let answer = ask(&client, &agent, WARRANTY).await;
        let text = answer.to_string();
        assert!(text.contains("La garantía es de 18 meses.") && !text.contains("sin insistir"), "{text}");
        assert_eq!(model.requests().len(), 2, "it is asked once more");
        assert!(told(&model).contains("Sucursal de esta conversación: «Matriz»."), "the only branch is meant");
        // Without a model nobody is told.
        let plain = id(&make_agent(&client, "Sol").await);
        let answer = ask(&client, &plain, WARRANTY).await.to_string();
        assert!(!answer.contains("18 meses") && !answer.contains("insistir"), "{answer}");
    }

    async fn what_a_model_searches_for_itself_is_cited(db) {
        let model = ScriptedModel::start([
            Step::calls(&[("search_knowledge_base", r#"{"query": "pase de visitas del estacionamiento"}"#)]),
            Step::says("El pase de visitas cuesta $35 por día. [1] ¿Le ayudo en algo más?"),
        ]).await;
        let host = model.host();
        let app = TestApp::start_with(db, |options| options.config.models.allow_hosts = vec![host]).await;
        let client = app.tenant("clinica").await.admin.client;
        let agent = with_model(&client, &model).await;
        let faq = json!({ "question": "¿Cuánto cuesta el estacionamiento?", "answer": "El pase de visitas del estacionamiento cuesta $35 por día." });
        client.post("/api/v1/faqs", faq).await.ok(201);
        findable(&client, &agent, "¿Cuánto cuesta el estacionamiento?", &["$35"]).await;
        let answer = ask(&client, &agent, "hola").await;
        assert!(answer.to_string().contains("por día. [1] ¿Le ayudo"), "{answer}");
        assert_eq!(answer["citations"][0]["quote"], "El pase de visitas del estacionamiento cuesta $35 por día.", "{answer}");
        assert_eq!(answer["grounded"], true, "{answer}");
    }

    async fn what_people_answered_is_told_as_such_and_cited(db) {
        let model = ScriptedModel::start([
            Step::says("Sí, el pase de visitas cuesta $35 por día [1].").times(2),
        ]).await;
        let host = model.host();
        let app = TestApp::start_with(db, |options| options.config.models.allow_hosts = vec![host]).await;
        let client = app.tenant("clinica").await.admin.client;
        let agent = with_model(&client, &model).await;
        let question = "¿Cuánto cuesta el pase de visitas del estacionamiento?";
        let faq = |tags: Value| json!({ "question": question, "answer": "El pase de visitas del estacionamiento cuesta $35 por día.", "tags": tags });
        let made = client.post("/api/v1/faqs", faq(json!(["aprendido"]))).await.ok(201);
        let written = json!({ "question": "¿Hay estacionamiento para visitas?", "answer": "El estacionamiento de visitas está en el sótano y el pase se pide en recepción." });
        client.post("/api/v1/faqs", written).await.ok(201);
        findable(&client, &agent, question, &["$35", "sótano"]).await;
        let answer = ask(&client, &agent, question).await;
        let said = told(&model);
        let learned = at(&said, "## Respuestas que ya dio el equipo");
        assert!(learned < at(&said, "- [1] Pregunta: ¿Cuánto cuesta el pase"), "{said}");
        assert_eq!(said.matches("cuesta $35 por día").count(), 1, "it is told once\n{said}");
        assert!(answer.to_string().contains("$35 por día [1]"), "{answer}");
        assert_eq!(answer["citations"][0]["quote"], "El pase de visitas del estacionamiento cuesta $35 por día.", "{answer}");
        assert_eq!(answer["grounded"], true, "{answer}");
        // What the business wrote itself is quoted like any other text.
        let path = format!("/api/v1/faqs/{}", id(&made));
        client.patch(&path, json!({ "tags": [] })).await.ok(200);
        let answer = ask(&client, &agent, question).await;
        let said = told(&model);
        assert!(!said.contains("ya dio el equipo") && said.contains("cuesta $35 por día"), "{said}");
        assert_eq!(answer["grounded"], true, "{answer}");
    }
}
