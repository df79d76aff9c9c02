//! A turn from end to end, with a responder that says what the test tells it to.

use async_trait::async_trait;
use quipu_agents::{Answer, TurnInput, answer};
use quipu_core::knowledge::DocumentSource;
use quipu_core::language::Language;
use quipu_core::ports::{Reply, ReplyPart, ReplyRequest, Responder, ResponderError, Speaker, Turn};
use quipu_core::retrieval::Passage;
use quipu_core::{ChunkId, DocumentId, ErrorCode, KnowledgeBaseId, Timestamp};
use std::sync::Mutex;

const DOCUMENT: &str =
    "Bienvenidos. Años de experiencia. La limpieza cuesta S/ 120. Aceptamos Yape.";

struct Fake {
    reply: Result<Vec<ReplyPart>, ResponderError>,
    seen: Mutex<Option<ReplyRequest>>,
}

impl Fake {
    fn saying(parts: &[(&str, Option<(usize, &str)>)]) -> Self {
        let part = |(text, source): &(&str, Option<(usize, &str)>)| ReplyPart {
            text: (*text).to_owned(),
            source: source.map(|(index, quote)| (index, quote.to_owned())),
        };
        Self {
            reply: Ok(parts.iter().map(part).collect()),
            seen: Mutex::new(None),
        }
    }

    fn failing(error: ResponderError) -> Self {
        Self {
            reply: Err(error),
            seen: Mutex::new(None),
        }
    }
}

#[async_trait]
impl Responder for Fake {
    fn name(&self) -> &'static str {
        "fake"
    }

    async fn reply(&self, request: &ReplyRequest) -> Result<Reply, ResponderError> {
        *self.seen.lock().unwrap() = Some(request.clone());
        self.reply.clone().map(|parts| Reply { parts })
    }
}

/// The second half of the document, as a chunk that begins at its 34th character.
fn passage() -> Passage {
    let epoch = Timestamp::UNIX_EPOCH;
    Passage {
        chunk_id: ChunkId::generate(epoch),
        document_id: DocumentId::generate(epoch),
        knowledge_base_id: KnowledgeBaseId::generate(epoch),
        title: Some("Precios".to_owned()),
        source: DocumentSource::Manual,
        content: DOCUMENT.chars().skip(13).collect(),
        start_char: 13,
        end_char: i32::try_from(DOCUMENT.chars().count()).unwrap(),
        page_number: None,
        similarity: 0.9,
        metadata: serde_json::json!({}),
        raw: quipu_core::retrieval::RawScores::default(),
    }
}

fn customer(text: &str) -> Turn {
    Turn {
        speaker: Speaker::Customer,
        text: text.to_owned(),
    }
}

fn input(messages: Vec<Turn>) -> TurnInput {
    TurnInput {
        agent_name: "Maya".to_owned(),
        company_name: "Clínica Sol".to_owned(),
        default_language: Language::Es,
        messages,
        passages: vec![passage()],
    }
}

async fn ask(responder: &Fake, question: &str) -> Answer {
    answer(responder, input(vec![customer(question)]))
        .await
        .unwrap()
}

#[tokio::test]
async fn quotes_are_numbered_and_point_into_the_document() {
    let fake = Fake::saying(&[
        ("Claro:", None),
        (
            "La limpieza cuesta S/ 120.",
            Some((0, "La limpieza cuesta S/ 120.")),
        ),
        ("Aceptamos Yape.", Some((0, "Aceptamos Yape."))),
        ("Repito, S/ 120.", Some((0, "La limpieza cuesta S/ 120."))),
    ]);
    let answer = ask(&fake, "¿a cómo la limpieza?").await;
    assert_eq!(
        answer.text,
        "Claro: La limpieza cuesta S/ 120. [1] Aceptamos Yape. [2] Repito, S/ 120. [1]"
    );
    assert_eq!(answer.parts.concat(), answer.text);
    assert_eq!(answer.parts.len(), 4);
    assert!(answer.grounded && !answer.degraded);
    assert_eq!(
        (answer.responder.as_str(), answer.language),
        ("fake", Language::Es)
    );
    assert_eq!(answer.citations.len(), 2);
    let chars: Vec<char> = DOCUMENT.chars().collect();
    for citation in &answer.citations {
        let range = usize::try_from(citation.start_char).unwrap()
            ..usize::try_from(citation.end_char).unwrap();
        assert_eq!(chars[range].iter().collect::<String>(), citation.quote);
        assert_eq!(citation.title.as_deref(), Some("Precios"));
    }
}

#[tokio::test]
async fn lists_start_on_their_own_line() {
    let fake = Fake::saying(&[
        ("Toma nota:", None),
        ("Horario:\n- Lunes", Some((0, "Aceptamos Yape."))),
        ("Eso es todo.", None),
    ]);
    assert_eq!(
        ask(&fake, "hola").await.text,
        "Toma nota:\nHorario:\n- Lunes [1]\nEso es todo."
    );
}

#[tokio::test]
async fn an_invented_quote_costs_the_whole_answer() {
    for source in [
        (0, "La limpieza cuesta S/ 90."),
        (7, "Aceptamos Yape."),
        (0, " "),
    ] {
        let fake = Fake::saying(&[
            ("Aceptamos Yape.", Some((0, "Aceptamos Yape."))),
            ("S/ 90", Some(source)),
        ]);
        let answer = ask(&fake, "¿a cómo la limpieza?").await;
        assert!(
            answer
                .text
                .starts_with("No tengo esa información de Clínica Sol"),
            "{source:?}: {}",
            answer.text
        );
        assert!(!answer.grounded && answer.citations.is_empty() && !answer.degraded);
    }
    let silent = ask(&Fake::saying(&[]), "¿a cómo la limpieza?").await;
    assert!(silent.text.starts_with("No tengo esa información"));
}

#[tokio::test]
async fn a_failing_responder_is_owned_up_to() {
    for error in [
        ResponderError::Transient("503".to_owned()),
        ResponderError::Permanent("401".to_owned()),
    ] {
        let answer = ask(&Fake::failing(error), "how much is it?").await;
        assert!(answer.degraded && !answer.grounded);
        assert!(
            answer.text.starts_with("Sorry") && !answer.text.contains("50"),
            "{}",
            answer.text
        );
        assert_eq!(answer.language, Language::En);
    }
}

#[tokio::test]
async fn the_responder_sees_the_last_messages_and_the_question_apart() {
    let fake = Fake::saying(&[("Sí.", None)]);
    let messages = (0..20).map(|i| customer(&format!("mensaje {i}"))).collect();
    answer(&fake, input(messages)).await.unwrap();
    let seen = fake.seen.lock().unwrap().clone().unwrap();
    assert_eq!(seen.question, "mensaje 19");
    let history: Vec<_> = seen.history.iter().map(|turn| turn.text.as_str()).collect();
    assert_eq!(
        (history.len(), history[0], history[7]),
        (8, "mensaje 11", "mensaje 18")
    );
    assert_eq!(seen.passages.len(), 1);
}

#[tokio::test]
async fn a_conversation_must_end_with_the_customer() {
    let agent = Turn {
        speaker: Speaker::Agent,
        text: "Hola".to_owned(),
    };
    for messages in [vec![], vec![customer("hola"), agent]] {
        let error = answer(&Fake::saying(&[]), input(messages))
            .await
            .unwrap_err();
        assert_eq!(error.code(), ErrorCode::ValidationFailed);
    }
}
