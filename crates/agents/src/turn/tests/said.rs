//! What of a model's words reaches the customer, and with which sources.

use super::stage::{Clinic, Scripted, ask, calls, input, passage, says};
use quipu_core::chat::{ChatEvent, ChatMessage, FinishReason};
use serde_json::json;

const COLOUR: &str = "El color de la tapa es violeta. El envase es de vidrio.";

fn found(content: &str) -> Clinic {
    Clinic {
        passages: vec![passage(content)],
        ..Clinic::default()
    }
}

/// A model that writes all of it at once.
#[expect(
    clippy::unnecessary_wraps,
    reason = "a round that fails has the same type"
)]
fn at_once(text: &str) -> std::result::Result<super::stage::Events, quipu_core::chat::ChatError> {
    Ok(vec![
        Ok(ChatEvent::TextDelta(text.to_owned())),
        super::stage::finished(FinishReason::Stop),
    ])
}

#[tokio::test]
async fn a_source_behind_the_full_stop_is_a_source() {
    for text in [
        "El color de la tapa es violeta. [1]",
        "El color de la tapa es violeta [1].",
        "El color de la tapa es violeta.\n[1]\n¿Algo más?",
        "El color de la tapa es violeta. [1] El envase es de vidrio. [1]",
    ] {
        for script in [says(text), at_once(text)] {
            let model = Scripted::new(vec![script]);
            let (answer, _) = ask(
                input(&["¿de qué color es la tapa?"]),
                &model,
                &found(COLOUR),
            )
            .await;
            let quotes: Vec<&str> = answer.citations.iter().map(|c| c.quote.as_str()).collect();
            assert_eq!(
                quotes.first(),
                Some(&"El color de la tapa es violeta."),
                "{text}"
            );
            assert!(answer.grounded, "{text}");
            if text.ends_with("vidrio. [1]") {
                assert_eq!(quotes.get(1), Some(&"El envase es de vidrio."), "{text}");
                assert!(
                    answer
                        .text
                        .ends_with("violeta. [1] El envase es de vidrio. [2]"),
                    "{}",
                    answer.text
                );
            } else {
                assert_eq!(answer.text, text);
            }
        }
    }
}

#[tokio::test]
async fn a_mark_that_names_nothing_leaves_no_trace() {
    let model = Scripted::new(vec![says(
        "La tapa es violeta. [9] El envase es de vidrio [1].",
    )]);
    let (answer, _) = ask(
        input(&["¿de qué color es la tapa?"]),
        &model,
        &found(COLOUR),
    )
    .await;
    assert_eq!(
        answer.text,
        "La tapa es violeta. El envase es de vidrio [1]."
    );
}

#[tokio::test]
async fn what_a_model_searches_for_itself_can_be_cited() {
    let mut desk = found(COLOUR);
    let result = |content: &str| {
        let passage = passage(content);
        json!({
            "title": "Manual", "content": content, "chunk_id": passage.chunk_id,
            "document_id": passage.document_id, "knowledge_base_id": passage.knowledge_base_id,
            "start_char": 100, "end_char": 140, "page_number": 7, "relevance_score": 0.8,
        })
    };
    let results = [
        result("La garantía dura dos años."),
        result("Se envía a todo el país."),
    ];
    desk.answers = vec![(
        "search_knowledge_base",
        json!({ "results": results, "degraded": false }),
    )];
    let model = Scripted::new(vec![
        calls(&[("search_knowledge_base", r#"{"query": "garantía"}"#)]),
        says("La tapa es violeta. [1] La garantía dura dos años. [2] ¿Algo más?"),
    ]);
    let (answer, _) = ask(input(&["¿y la garantía?"]), &model, &desk).await;
    assert_eq!(answer.citations.len(), 2, "{}", answer.text);
    let cited = &answer.citations[1];
    assert_eq!(cited.quote, "La garantía dura dos años.");
    assert_eq!((cited.start_char, cited.page_number), (100, Some(7)));
    // The model is told the number, and nothing that only the program needs.
    let ChatMessage::ToolResult { content, .. } =
        model.requests()[1].messages.last().unwrap().clone()
    else {
        panic!("a result was expected");
    };
    assert!(
        content.contains(r#""cite_as":"[2]""#) && content.contains(r#""cite_as":"[3]""#),
        "{content}"
    );
    assert!(!content.contains("chunk_id"), "{content}");
}

#[tokio::test]
async fn nobody_reads_what_a_model_thinks() {
    for text in [
        "<think>El cliente pregunta. Uso get_menu.</think>Con gusto te ayudo.",
        "<thinking>Mmm.\nVeamos.</thinking>\n\nCon gusto te ayudo.",
        "Con gusto te ayudo.\n<think>No sé qué más decir. Tal vez",
    ] {
        let letters: Vec<_> = text
            .chars()
            .map(|c| Ok(ChatEvent::TextDelta(c.to_string())))
            .collect();
        let mut letters: super::stage::Events = letters;
        letters.push(super::stage::finished(FinishReason::Stop));
        for script in [says(text), at_once(text), Ok(letters)] {
            let model = Scripted::new(vec![script]);
            let (answer, _) =
                ask(input(&["cuéntame de ustedes"]), &model, &Clinic::default()).await;
            assert_eq!(answer.text, "Con gusto te ayudo.", "{text}");
        }
    }
}

#[tokio::test]
async fn nobody_reads_the_name_of_a_tool() {
    for name in [
        "create_order",
        "search_knowledge_base",
        "hand_off_to_specialist",
        "get\\_available\\_slots",
        "`get-menu`",
        "getServiceInfo",
    ] {
        let model = Scripted::new(vec![
            says(&format!("Voy a usar {name} para ayudarte con eso.")),
            says("Con gusto te ayudo."),
        ]);
        let (answer, _) = ask(input(&["cuéntame de ustedes"]), &model, &Clinic::default()).await;
        assert_eq!(answer.text, "Con gusto te ayudo.", "{name}");
    }
}

#[tokio::test]
async fn no_sentence_is_sent_twice() {
    let secret = "Eres Maya, la asistente de Sonrisa, y hablas con calidez y brevedad siempre.";
    let model = Scripted::new(vec![says(&format!("¡Hola! {secret}"))]);
    let (answer, _) = ask(input(&["hola"]), &model, &Clinic::default()).await;
    assert_eq!(answer.text.matches("¡Hola!").count(), 1, "{}", answer.text);
    assert!(answer.text.len() > "¡Hola!".len(), "{}", answer.text);
    let model = Scripted::new(vec![says(
        "Abrimos pronto. Te esperamos. Abrimos pronto. Ven.",
    )]);
    let (answer, _) = ask(input(&["cuéntame de ustedes"]), &model, &Clinic::default()).await;
    assert_eq!(answer.text, "Abrimos pronto. Te esperamos. Ven.");
}

#[tokio::test]
async fn who_is_in_danger_is_told_so_in_whichever_words() {
    let told = "Con dolor de pecho, falta de aire, desmayo o sangrado que no para, llama a emergencias ya.";
    let model = Scripted::new(vec![says(told)]);
    let mut turn = input(&["cuéntame de ustedes"]);
    turn.prompt.secret = format!("- {told}");
    let (answer, _) = ask(turn, &model, &Clinic::default()).await;
    assert_eq!(answer.text, told);
}

#[tokio::test]
async fn what_a_tool_tells_the_agent_alone_is_not_recited() {
    let strategy =
        "Di que nuestra corona de zirconia dura más y ofrece una valoración sin insistir.";
    let found = json!({ "title": "Rival", "content": strategy, "category": "competitor" });
    for (tool, arguments, told) in [
        (
            "get_competitor_strategy",
            r#"{"competitor_name": "Rival"}"#,
            json!({ "name": "Rival", "strategy": strategy }),
        ),
        (
            "search_knowledge_base",
            r#"{"query": "Rival", "category": "competitors"}"#,
            json!({ "results": [found], "degraded": false }),
        ),
    ] {
        let model = Scripted::new(vec![
            calls(&[(tool, arguments)]),
            says(strategy),
            says("Con gusto te ayudo."),
        ]);
        let desk = Clinic {
            answers: vec![(tool, told)],
            ..Clinic::default()
        };
        let (answer, _) = ask(input(&["cuéntame de ustedes"]), &model, &desk).await;
        assert_eq!(desk.called(), [tool]);
        assert_eq!(answer.text, "Con gusto te ayudo.", "{tool}");
    }
}
