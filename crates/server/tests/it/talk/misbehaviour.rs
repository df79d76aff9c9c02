//! What a customer sees when a model does what it should not.

use super::{Talk, said, steps};
use quipu_testkit::model::Step;
use quipu_testkit::sqlite_test;
use serde_json::{Value, json};

const PRICE: &str = "¿cuánto cuesta la limpieza dental?";
/// No price of the clinic.
const INVENTED: [&str; 2] = ["83", "86"];

/// Everything that the customer got, whatever event it was in.
async fn streamed(talk: &Talk, text: &str, protocol: &str) -> String {
    let body = json!({
        "messages": [{ "role": "user", "content": text }],
        "protocol": protocol,
    });
    let path = "/api/agents/maya/chat";
    let request = talk.client.request(reqwest::Method::POST, path).json(&body);
    request.send().await.unwrap().text().await.unwrap()
}

fn is_clean(text: &str) -> bool {
    INVENTED
        .iter()
        .all(|price| !text.contains(&format!("S/ {price}")))
}

sqlite_test! {
    async fn an_invented_price_never_reaches_the_customer(db) {
        // It invents one price, is told so, and invents another.
        let script = [
            Step::pieces(&["¡Hola! La limpieza cuesta S/ 8", "3. ", "¿Te agendo?"]),
            Step::says("Perdón: la limpieza cuesta S/ 86."),
        ];
        let talk = Talk::open(db, script).await;
        let answer = talk.ask(PRICE).await;
        assert!(is_clean(&answer.to_string()), "{answer}");
        // The product itself knows the price.
        assert!(said(&answer).contains("S/ 120"), "{answer}");
        assert_eq!(answer["degraded"], true);
        let asked = talk.model.requests();
        assert_eq!(asked.len(), 2);
        assert!(asked[1].body.to_string().contains("83"), "it was told what was wrong");
        let turn = talk.trace(&answer).await;
        let held: Vec<&Value> = steps(&turn, "check").iter().map(|step| &step["details"]["again"]).collect();
        assert_eq!(held, [true, false], "{turn}");
        assert_eq!(steps(&turn, "fallback")[0]["details"]["why"], "held");
        // Nor in what is kept of the conversation, and in no stream.
        let path = format!("/api/v1/conversations/{}/messages", answer["conversation_id"].as_str().unwrap());
        let kept = talk.admin.get(&path).await.ok(200);
        assert!(is_clean(&kept.to_string()), "{kept}");
        for protocol in ["quipu", "ui_message_stream"] {
            talk.model.add([
                Step::pieces(&["La limpieza está a S/", " 83 soles."]),
                Step::says("Son S/ 86."),
            ]);
            let events = streamed(&talk, PRICE, protocol).await;
            assert!(is_clean(&events) && events.contains("S/ 120"), "{events}");
        }
    }

    async fn a_price_that_a_tool_gave_is_told(db) {
        let script = [
            Step::calls(&[("get_service_info", r#"{"service_name":"limpieza"}"#)]),
            Step::says("La {{tool.get_service_info.name}} cuesta {{tool.get_service_info.price_range}}."),
        ];
        let talk = Talk::open(db, script).await;
        let answer = talk.ask(PRICE).await;
        let turn = talk.trace(&answer).await;
        assert_eq!(answer["model"], "openai_compatible/modelo", "{turn}");
        assert_eq!(answer["degraded"], false);
        assert!(said(&answer).contains("S/ 120"), "{answer}");
        assert_eq!(steps(&turn, "tool")[0]["details"]["tool"], "get_service_info");
        assert_eq!(turn["prompt_source"], "minimal");
    }

    async fn whatever_a_model_does_there_is_an_answer(db) {
        let talk = Talk::open(db, []).await;
        let endless = |n: usize| {
            let arguments = json!({ "service_name": format!("servicio {n}") }).to_string();
            Step::calls(&[("get_service_info", &arguments)])
        };
        let cases: Vec<(&str, Vec<Step>)> = vec![
            ("nothing, twice", vec![Step::pieces(&[]), Step::pieces(&[])]),
            ("tools without end", (0..20).map(endless).collect()),
            ("a refusal", vec![Step::refuses(), Step::refuses()]),
            ("half a stream", vec![Step::hangs_up(&["La limp"]); 6]),
            ("no JSON at all", vec![Step::raw(200, "<html>") ; 6]),
            ("a key that is not known", vec![Step::status(401, "invalid_api_key")]),
        ];
        for (case, script) in cases {
            talk.model.add(script);
            let answer = talk.ask(PRICE).await;
            assert_eq!(answer["degraded"], true, "{case}: {answer}");
            assert!(said(&answer).contains("S/ 120"), "{case}: {answer}");
            let turn = talk.trace(&answer).await;
            assert_eq!(steps(&turn, "fallback").len(), 1, "{case}: {turn}");
            let _ = talk.model.clear();
        }
        // A fresh model, because the one before is left alone after so many failures.
        talk.set(json!({ "model": { "model": "otro" } })).await;
        // Mended by itself: arguments that are no JSON, and tools that do not exist.
        talk.model.add([
            Step::calls(&[("get_service_info", "{\"service_name\": \"limpieza\",}"), ("teleport", "{}")]),
            Step::says("Cuesta {{tool.get_service_info.price_range}}."),
        ]);
        let answer = talk.ask(PRICE).await;
        assert_eq!((answer["degraded"].clone(), said(&answer)), (json!(false), "Cuesta S/ 120."), "{answer}");
        let turn = talk.trace(&answer).await;
        let errors: Vec<&Value> = steps(&turn, "tool").iter().map(|step| &step["details"]["error"]).collect();
        assert!(errors.contains(&&json!("UNKNOWN_TOOL")), "{turn}");
    }

    async fn nobody_reads_a_hundred_thousand_tokens(db) {
        let talk = Talk::open(db, [Step::tokens(100_000)]).await;
        let answer = talk.ask("cuéntame de la clínica").await;
        assert!(said(&answer).split_whitespace().count() <= 220, "{}", said(&answer).len());
        crate::harness::eventually("the rest to be left", async || {
            (talk.model.open_answers() == 0).then_some(())
        })
        .await;
    }
}
