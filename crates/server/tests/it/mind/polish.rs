//! The personality of an agent in its model's own words.

use crate::harness::{Client, TestApp, ask, eventually, id};
use quipu_testkit::model::{Asked, Dialect, ScriptedModel, Step};
use quipu_testkit::sqlite_test;
use serde_json::{Value, json};
use std::time::Duration;

const BETTER: &str = "## Nuestra voz\n\
    Hablas como quien recibe a la gente en la puerta de su propia casa: con una sonrisa, sin prisa y sin rodeos.\n\
    - Escuchas primero y contestas después, con frases cortas y palabras de todos los días.\n\
    - Tratas de usted a quien te trata de usted, y de tú a quien te tutea.\n\
    - Si no sabes algo, lo dices con sencillez y ofreces a una persona del equipo.\n\
    - Nunca presionas: explicas lo que hay, dejas que la gente decida y propones el siguiente paso.\n\
    - Cuando alguien está preocupado, reconoces lo que siente antes de dar cualquier explicación.\n\
    - Agradeces la paciencia, te despides con calidez y no repites lo que ya dijiste.\n\
    ## Para qué estás\n\
    - Resuelves dudas, orientas y acompañas hasta que la persona tiene lo que vino a buscar.\n\
    - Lo que no te toca lo pasas a quien sí le toca, sin dejar a nadie esperando.";

fn polishes(asked: &Asked) -> bool {
    asked.system().starts_with("Eres editor")
}

fn answers(asked: &Asked) -> bool {
    !polishes(asked)
}

async fn make(client: &Client, model: &ScriptedModel, polish: bool) -> String {
    let config = json!({ "provider": "openai_compatible", "model": "m", "base_url": model.base(Dialect::Openai) });
    let body = json!({ "name": "Maya", "settings": { "model": config, "polish": polish } });
    id(&client.post("/api/v1/agents", body).await.ok(201))
}

async fn state(client: &Client, agent: &str) -> Value {
    let listed = client
        .get(&format!("/api/v1/agents/{agent}/prompts"))
        .await
        .ok(200);
    listed["data"][0].clone()
}

/// What the model was told when it answered last.
fn told(model: &ScriptedModel) -> String {
    let asked = model.requests().into_iter().rfind(answers);
    asked.unwrap().system()
}

fn polished(model: &ScriptedModel) -> usize {
    model
        .requests()
        .iter()
        .filter(|asked| polishes(asked))
        .count()
}

sqlite_test! {
    async fn a_personality_is_polished_once_and_used_while_nothing_changes(db) {
        let recited = "Mis reglas: hablas como quien recibe a la gente en la puerta de su propia casa.";
        let dear = format!("{BETTER}\n- La limpieza cuesta $450.");
        let model = ScriptedModel::start([
            Step::says(BETTER).when(polishes).using(500, 0, 200),
            Step::says(recited).when(answers),
            Step::says("Con gusto le ayudo.").when(answers).always(),
            Step::says(&dear).when(polishes).after(Duration::from_millis(1_500)),
        ]).await;
        let host = model.host();
        let app = TestApp::start_with(db, |options| options.config.models.allow_hosts = vec![host]).await;
        let client = app.tenant("clinica").await.admin.client;
        let other = app.tenant("otra").await.admin.client;
        let agent = make(&client, &model, true).await;
        let theirs = make(&other, &model, false).await;
        let kept = eventually("better words", async || {
            let state = state(&client, &agent).await;
            state["polished"].is_string().then_some(state)
        })
        .await;
        assert_eq!((&kept["polished"], &kept["refused"], &kept["medium"]), (&json!(BETTER), &Value::Null, &json!("messaging")));
        let usage = client.get("/api/v1/usage").await.ok(200);
        assert_eq!((&usage["counters"]["input_tokens"], &usage["counters"]["output_tokens"]), (&json!(500), &json!(200)), "{usage}");

        // It is told, beside what the program relies on, and not recited.
        let question = "¿Qué me recomiendan para la sensibilidad?";
        let answer = ask(&client, &agent, question).await.to_string();
        assert!(answer.contains("Con gusto le ayudo.") && !answer.contains("propia casa"), "{answer}");
        let said = told(&model);
        assert!(said.contains("recibe a la gente en la puerta"), "{said}");
        assert!(!said.contains("## Cómo hablas"), "{said}");
        for kept in ["## Cómo llega lo que dices", "[TEMPERATURA: HOT]", "# SEGURIDAD"] {
            assert!(said.contains(kept), "{said}");
        }
        // Nobody else has it, and nobody else sees it.
        ask(&other, &theirs, question).await;
        assert!(told(&model).contains("## Cómo hablas"));
        assert_eq!(state(&other, &theirs).await["polished"], Value::Null);
        other.get(&format!("/api/v1/agents/{agent}/prompts")).await.refused(404, "NOT_FOUND");
        assert_eq!(polished(&model), 1, "it is asked for once");

        // What is saved anew is told in plain words until it is polished again; a price is not taken.
        let path = format!("/api/v1/agents/{agent}");
        client.patch(&path, json!({ "settings": { "max_sentences": 2 } })).await.ok(200);
        ask(&client, &agent, question).await;
        assert!(told(&model).contains("## Cómo hablas"), "{}", told(&model));
        let refused = eventually("a refusal", async || {
            let state = state(&client, &agent).await;
            state["refused"].is_string().then_some(state)
        })
        .await;
        assert_eq!((&refused["refused"], &refused["polished"]), (&json!("facts"), &Value::Null));
        ask(&client, &agent, question).await;
        assert!(told(&model).contains("## Cómo hablas"), "{}", told(&model));
        assert_eq!(polished(&model), 2);
        // Saving the same again asks for nothing, and switched off there is nothing to see.
        client.patch(&path, json!({ "name": "Maya" })).await.ok(200);
        client.patch(&path, json!({ "settings": { "polish": false } })).await.ok(200);
        assert_eq!(state(&client, &agent).await["refused"], Value::Null);
        assert_eq!(polished(&model), 2);
    }
}
