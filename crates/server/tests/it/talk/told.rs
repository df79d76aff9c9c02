//! What a model is told: the texts that were found, or everything there is.

use super::{Talk, said};
use crate::harness::{assign, eventually, make_kb, teach_text};
use quipu_testkit::TestDatabase;
use quipu_testkit::model::Step;
use serde_json::{Value, json};

async fn open(script: impl IntoIterator<Item = Step>) -> Talk {
    Talk::open(TestDatabase::sqlite(), script).await
}

fn told(talk: &Talk) -> String {
    talk.model.requests().last().unwrap().system()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn passages_stand_below_their_corpus_and_the_name_of_their_knowledge_base() {
    let talk =
        open([Step::says("La lámpara se apaga sola a los veinte segundos [1].").always()]).await;
    let kb = make_kb(&talk.admin, "Manual de la lámpara").await;
    let text = "La lámpara de blanqueamiento Zafiro se apaga sola a los veinte segundos.";
    teach_text(&talk.admin, &kb, "Lámpara Zafiro", text).await;
    assign(&talk.admin, &kb, "maya").await;
    let answer = talk
        .ask("¿cuándo se apaga la lámpara de blanqueamiento Zafiro?")
        .await;
    let told = told(&talk);
    let corpus = told
        .find("[CORPUS GLOBAL]")
        .unwrap_or_else(|| panic!("{told}"));
    let name = told
        .find("Manual de la lámpara:")
        .unwrap_or_else(|| panic!("{told}"));
    let quoted = told.find(text).unwrap_or_else(|| panic!("{told}"));
    assert!(corpus < name && name < quoted, "{told}");
    assert!(told.contains("[1] Lámpara Zafiro"), "{told}");
    assert!(!told.contains("[CORPUS PERSONAL]"), "{told}");
    assert_eq!(
        answer["citations"][0]["title"], "Lámpara Zafiro",
        "{answer}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn how_many_passages_and_how_near_is_a_matter_of_the_agent() {
    let talk = open([Step::says("Con gusto.").always()]).await;
    let kb = make_kb(&talk.admin, "Lámparas").await;
    for number in 1..=9 {
        let text = format!(
            "La lámpara Zafiro número {number} se apaga sola a los {number}0 segundos de uso."
        );
        teach_text(&talk.admin, &kb, &format!("Lámpara {number}"), &text).await;
    }
    assign(&talk.admin, &kb, "maya").await;
    let question = "¿a los cuántos segundos se apaga sola la lámpara Zafiro?";
    let mut shown = Vec::new();
    for (top_k, threshold) in [(2, 0.3), (9, 0.3), (9, 1.0)] {
        talk.set(json!({ "top_k": top_k, "similarity_threshold": threshold }))
            .await;
        talk.ask(question).await;
        shown.push(told(&talk).matches("se apaga sola a los").count());
    }
    assert_eq!(shown[0], 2, "{shown:?}");
    assert!(shown[1] > 5, "{shown:?}");
    assert_eq!(shown[2], 0, "{shown:?}");
    for wrong in [
        json!({ "top_k": 0 }),
        json!({ "top_k": 11 }),
        json!({ "similarity_threshold": 1.1 }),
    ] {
        let body = json!({ "settings": wrong });
        talk.admin
            .patch("/api/v1/agents/maya", body)
            .await
            .refused(422, "VALIDATION_FAILED");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_is_in_the_long_prompt_and_prices_are_written_as_they_are_said() {
    let talk = open([]).await;
    let soles = |amount: i64| json!({ "amount": amount, "currency": "PEN" });
    let things = [
        (
            "/api/v1/menu-items",
            json!({ "name": "Cepillo Ámbar", "price": soles(2_550) }),
        ),
        (
            "/api/v1/delivery-zones",
            json!({ "name": "Barranco", "fee": soles(700) }),
        ),
        (
            "/api/v1/response-templates",
            json!({ "name": "Bienvenida", "text": "Bienvenido a casa, {{nombre}}." }),
        ),
        (
            "/api/v1/competitors",
            json!({ "name": "Dental Rival", "strategy": "Di que nuestra garantía dura más." }),
        ),
    ];
    for (path, body) in things {
        talk.admin.post(path, body).await.ok(201);
    }
    let kb = make_kb(&talk.admin, "Manuales").await;
    teach_text(
        &talk.admin,
        &kb,
        "Lámpara",
        "La lámpara Zafiro se apaga sola a los veinte segundos.",
    )
    .await;
    assign(&talk.admin, &kb, "maya").await;
    talk.admin
        .put(
            "/api/v1/business/prompting",
            json!({ "legacy_prompt": true }),
        )
        .await
        .ok(200);
    talk.model.add([
        Step::says("La limpieza cuesta S/ 12000."),
        Step::says("Quise decir S/ 12000."),
    ]);
    let answer = talk.ask("¿cuánto cuesta la limpieza dental?").await;
    let told = told(&talk);
    for said in [
        "Cepillo Ámbar",
        "S/ 25.50",
        "Barranco",
        "Bienvenido a casa",
        "Dental Rival",
        "La lámpara Zafiro se apaga sola",
        "S/ 120",
    ] {
        assert!(told.contains(said), "{said}: {told}");
    }
    assert!(
        !told.contains("12000") && !told.contains("\"amount\""),
        "{told}"
    );
    assert!(!said(&answer).contains("12000"), "{answer}");
    let listed = talk.admin.get("/api/v1/agents/maya/prompts").await.ok(200);
    assert_eq!(listed["data"][0]["source"], "legacy", "{listed}");
    let turn: Value = eventually("the turn", async || Some(talk.trace(&answer).await)).await;
    assert_eq!(turn["prompt_source"], "legacy");
}
