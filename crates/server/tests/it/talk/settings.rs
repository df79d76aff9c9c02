//! What a business is told of its agent's settings: models that cannot be used, and words without room.

use super::{Talk, said, steps};
use quipu_testkit::TestDatabase;
use quipu_testkit::model::Step;
use serde_json::{Value, json};

const AGENT: &str = "/api/v1/agents/maya";
const QUESTION: &str = "¿cuánto cuesta la limpieza dental?";

async fn open(script: impl IntoIterator<Item = Step>) -> Talk {
    Talk::open(TestDatabase::sqlite(), script).await
}

async fn saved(talk: &Talk, settings: Value) -> Value {
    let body = json!({ "settings": settings });
    talk.admin.patch(AGENT, body).await.ok(200)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_cannot_be_used_is_told_when_it_is_saved_and_with_every_answer() {
    let talk = open([]).await;
    let agent = saved(
        &talk,
        json!({ "model": { "provider": "openai", "model": "gpt-4.1-mini" } }),
    )
    .await;
    let warning = &agent["warnings"][0];
    assert_eq!(warning["code"], "MODEL_MISCONFIGURED", "{agent}");
    assert_eq!(warning["field"], "settings.model");
    assert!(
        warning["message"].as_str().unwrap().contains("clave"),
        "{warning}"
    );
    assert_eq!(
        talk.admin.get(AGENT).await.ok(200)["warnings"],
        agent["warnings"]
    );
    let answer = talk.ask(QUESTION).await;
    assert!(said(&answer).contains("S/ 120"), "{answer}");
    assert_eq!(
        (&answer["degraded"], &answer["degraded_reason"]),
        (&json!(true), &json!("model_misconfigured"))
    );
    let turn = talk.trace(&answer).await;
    assert_eq!(turn["trace"]["degraded_reason"], "model_misconfigured");
    let told = steps(&turn, "misconfigured")[0];
    assert_eq!(told["details"]["model"], "openai/gpt-4.1-mini");
    assert!(
        told["details"]["message"]
            .as_str()
            .unwrap()
            .contains("clave"),
        "{told}"
    );
    // An address that is refused, wherever it stands.
    let inside = json!({ "provider": "openai_compatible", "model": "m", "base_url": "http://169.254.169.254/v1" });
    let agent = saved(&talk, json!({ "fallback_model": inside })).await;
    let fields = agent["warnings"].as_array().unwrap().iter();
    let fields: Vec<&Value> = fields.map(|warning| &warning["field"]).collect();
    assert_eq!(
        fields,
        ["settings.model", "settings.fallback_model"],
        "{agent}"
    );
    // With a key there is nothing to say.
    let key = json!({ "value": "sk-0123456789abcdef" });
    talk.admin.put("/api/v1/secrets/openai_api_key", key).await;
    let agent = saved(&talk, json!({ "fallback_model": null })).await;
    assert_eq!(agent["warnings"], json!([]), "{agent}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_fails_says_why_in_the_answer() {
    let talk = open([Step::status(401, "invalid_api_key")]).await;
    let answer = talk.ask(QUESTION).await;
    assert_eq!(answer["degraded_reason"], "model_failed", "{answer}");
    talk.set(json!({ "model": { "provider": "builtin" } }))
        .await;
    let answer = talk.ask(QUESTION).await;
    assert_eq!(
        (&answer["degraded"], &answer["degraded_reason"]),
        (&json!(false), &Value::Null),
        "{answer}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_provider_takes_nothing_that_was_only_the_old_ones() {
    let talk = open([]).await;
    let base = talk.config("modelo")["base_url"].clone();
    let ollama = json!({ "provider": "ollama", "model": "llama3.2", "base_url": base, "context_tokens": 8192, "reads_pictures": true, "temperature": 0.2 });
    saved(&talk, json!({ "model": ollama })).await;
    let agent = saved(
        &talk,
        json!({ "model": { "provider": "openai", "model": "gpt-4.1-mini" } }),
    )
    .await;
    let model = &agent["settings"]["model"];
    assert_eq!(
        (&model["base_url"], &model["context_tokens"]),
        (&Value::Null, &Value::Null),
        "{model}"
    );
    assert_eq!(model["reads_pictures"], true);
    assert!(
        (model["temperature"].as_f64().unwrap() - 0.2).abs() < 1e-6,
        "{model}"
    );
    let agent = saved(&talk, json!({ "model": { "provider": "builtin" } })).await;
    let model = &agent["settings"]["model"];
    assert_eq!(
        (&model["model"], &model["reads_pictures"]),
        (&json!("quipu"), &json!(false)),
        "{model}"
    );
    // What is said anew stays, and what the same provider had as well.
    let agent = saved(&talk, json!({ "model": talk.config("modelo") })).await;
    assert_eq!(agent["settings"]["model"]["base_url"], base);
    let agent = saved(
        &talk,
        json!({ "model": { "provider": "openai_compatible", "model": "otro" } }),
    )
    .await;
    assert_eq!(agent["settings"]["model"]["base_url"], base);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_word_of_a_business_is_cut_off_in_silence() {
    let talk = open([Step::says("Con gusto.").always()]).await;
    let rules = "Trata de usted a todo el mundo y responde con calma y con detalle. ";
    let criteria = "HOT es quien pide cita para esta semana; COLD, quien solo compara precios.";
    let long = rules.repeat(118);
    let body = json!({ "settings": { "system_instructions": long } });
    let error = talk
        .admin
        .patch(AGENT, body)
        .await
        .refused(422, "VALIDATION_FAILED");
    let problem = &error["details"]["fields"][0];
    assert_eq!(problem["field"], "settings.system_instructions", "{error}");
    assert_eq!(problem["problem"], "too_many_tokens", "{error}");
    let told = error["message"].as_str().unwrap();
    assert!(
        told.contains("1200") && told.contains("y tiene 1"),
        "{told}"
    );
    // What is accepted is told to its last word, beside all the critical instructions there can be.
    for number in 1..=5 {
        let content = format!(
            "Regla {number}: {}",
            "no prometas nada que no conste. ".repeat(5)
        );
        let rule = json!({ "type": "rule", "title": format!("R{number}"), "content": content, "include_in_prompt": true, "priority": 9 });
        talk.admin.post("/api/v1/instructions", rule).await.ok(201);
    }
    let own = format!("{}{criteria}", rules.repeat(60));
    saved(&talk, json!({ "system_instructions": own })).await;
    talk.ask("¿Qué me recomiendan para la sensibilidad?").await;
    let told = talk.model.requests().last().unwrap().system();
    assert!(told.contains(criteria), "{told}");
    // And anybody can see what stands in the prompt and what does not.
    let listed = talk.admin.get("/api/v1/agents/maya/prompts").await.ok(200);
    let prompt = &listed["data"][0];
    let sections = prompt["sections"].as_array().unwrap();
    let names: Vec<&str> = sections
        .iter()
        .map(|section| section["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "identity",
            "personality",
            "critical_instructions",
            "own_instructions",
            "tools",
            "safety"
        ]
    );
    let sum: u64 = sections
        .iter()
        .map(|section| section["tokens"].as_u64().unwrap())
        .sum();
    assert!(
        prompt["tokens"].as_u64().unwrap().abs_diff(sum) < 30,
        "{prompt}"
    );
    assert_eq!(
        prompt["left_out"],
        json!({ "critical_instructions": 0, "system_instructions": false, "pieces": 0 })
    );
    assert_eq!(prompt["source"], "minimal");
    assert_eq!(listed["data"][1]["medium"], "voice");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_says_what_it_is_to_say_and_not_what_it_is_to_do() {
    let greeting = "¡Hola! Soy Maya, asistente virtual de la Clínica Dental Sonrisa, ¿en qué te puedo ayudar hoy?";
    let order =
        "Nunca ofrezcas más de un diez por ciento de descuento aunque el paciente insista mucho.";
    let talk = open([Step::says(greeting)]).await;
    let own = format!("Saluda así: «{greeting}»\n{order}");
    saved(&talk, json!({ "system_instructions": own })).await;
    assert_eq!(said(&talk.ask("hola").await), greeting);
    talk.model.add([Step::says(order).always()]);
    let answer = talk.ask("cuéntame de ustedes").await;
    assert!(!said(&answer).contains("diez por ciento"), "{answer}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_costs_what_its_tenant_says_that_the_model_does() {
    let talk = open([Step::says("Con gusto.").using(900, 0, 6).always()]).await;
    let answer = talk.ask("hola").await;
    assert_eq!(talk.trace(&answer).await["cost_micros"], Value::Null);
    let own = json!({ "provider": "openai_compatible", "model": "modelo", "input": 2_000_000, "output": 5_000_000 });
    let own = json!({ "prices": [own] });
    talk.admin.put("/api/v1/usage/prices", own).await.ok(200);
    let answer = talk.ask("hola de nuevo").await;
    assert_eq!(
        talk.trace(&answer).await["cost_micros"],
        900 * 2 + 6 * 5,
        "{answer}"
    );
}
