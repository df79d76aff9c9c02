//! The demo page answers what people ask a dental clinic in a chat, and admits what it does not
//! say. These are the first questions a new user tries.

use async_trait::async_trait;
use quipu_agents::{Answer, TurnInput, answer, search_text};
use quipu_core::knowledge::{Chunk, DocumentSource, KbScope, ReadableKb};
use quipu_core::language::Language;
use quipu_core::ports::{ChunkSource, Speaker, Turn};
use quipu_core::retrieval::RetrievalScope;
use quipu_core::{AgentId, ChunkId, DocumentId, KnowledgeBaseId, Result, TenantId, Timestamp};
use quipu_knowledge::{DEFAULT_THRESHOLD, DEFAULT_TOP_K, Query, chunk, retrieve};
use quipu_providers::BuiltinResponder;

const PAGE: &str = include_str!("../../demo/clinica-dental-sonrisa.md");
const COMPANY: &str = "Clínica Dental Sonrisa";
const AGENT: &str = "Maya";
const NOW: Timestamp = Timestamp::UNIX_EPOCH;

struct Page(Vec<Chunk>);

#[async_trait]
impl ChunkSource for Page {
    async fn chunks(&self, _: &RetrievalScope) -> Result<Vec<Chunk>> {
        Ok(self.0.clone())
    }
}

fn demo() -> (Page, RetrievalScope) {
    let kb = ReadableKb {
        id: KnowledgeBaseId::generate(NOW),
        name: COMPANY.to_owned(),
        scope: KbScope::Agent,
        language: Language::Es,
        priority: 0,
        search_weight: 1.0,
    };
    let document_id = DocumentId::generate(NOW);
    let chunks = chunk(PAGE)
        .into_iter()
        .map(|draft| Chunk {
            id: ChunkId::generate(NOW),
            knowledge_base_id: kb.id,
            document_id,
            document_title: Some(COMPANY.to_owned()),
            source: DocumentSource::Manual,
            index: draft.index,
            content: draft.content,
            start_char: draft.start_char,
            end_char: draft.end_char,
            page_number: None,
        })
        .collect();
    let (tenant, agent) = (TenantId::generate(NOW), AgentId::generate(NOW));
    (
        Page(chunks),
        RetrievalScope::grant(tenant, agent, None, vec![kb]),
    )
}

/// What the agent answers to the last of the customer's messages.
async fn ask(customer: &[&str]) -> Answer {
    let (page, scope) = demo();
    let mut messages = Vec::new();
    for text in customer {
        if !messages.is_empty() {
            messages.push(Turn {
                speaker: Speaker::Agent,
                text: "Claro.".to_owned(),
            });
        }
        messages.push(Turn {
            speaker: Speaker::Customer,
            text: (*text).to_owned(),
        });
    }
    let search = search_text(&messages, AGENT, COMPANY, Language::Es);
    let query = Query {
        text: search.text,
        context: search.context,
        language: search.language,
        top_k: DEFAULT_TOP_K,
        threshold: DEFAULT_THRESHOLD,
    };
    let found = retrieve(&page, &scope, &query).await.unwrap();
    let turn = TurnInput {
        agent_name: AGENT.to_owned(),
        company_name: COMPANY.to_owned(),
        default_language: Language::Es,
        messages,
        passages: found.passages,
    };
    answer(&BuiltinResponder, turn).await.unwrap()
}

/// Checks that each question is answered with a fact, and that the fact is cited where it stands.
async fn each_contains(questions: &[(&[&str], &str)]) {
    let page: Vec<char> = PAGE.chars().collect();
    for (question, fact) in questions {
        let answer = ask(question).await;
        assert!(
            answer.text.contains(fact),
            "{question:?} should say {fact:?}: {}",
            answer.text
        );
        assert!(
            answer.grounded && answer.text.contains("[1]"),
            "{question:?}: {}",
            answer.text
        );
        for citation in &answer.citations {
            let at = |position: i32| usize::try_from(position).unwrap();
            let quoted = &page[at(citation.start_char)..at(citation.end_char)];
            assert_eq!(quoted.iter().collect::<String>(), citation.quote);
        }
    }
}

#[tokio::test]
async fn colloquial_questions_are_answered_from_the_page() {
    each_contains(&[
        (&["¿a cómo la limpieza?"], "S/ 120"),
        (&["cuanto cuesta el blanqueamiento"], "S/ 490"),
        (
            &["hola buenas tardes, quisiera saber el precio de la ortodoncia xfa"],
            "S/ 1,200",
        ),
        (&["cuanto cobran x una endodoncia"], "S/ 450"),
        (&["cuánto vale sacarse una muela"], "Extracción"),
        (
            &["hola maya! una consulta, cuánto está el implante?"],
            "S/ 3,200",
        ),
        (&["blanquemiento precio"], "S/ 490"),
        (&["atienden los sabados?"], "2:00 p. m."),
        (
            &["q horario tienen"],
            "Lunes a viernes: de 9:00 a. m. a 8:00 p. m.",
        ),
        (&["q horario tienen"], "Domingos y feriados: cerrado"),
        (&["a q hora cierran los viernes"], "8:00 p. m."),
        (&["abren los domingos?"], "cerrado"),
        (&["dónde están ubicados"], "Los Jazmines 245"),
        (&["alguna referencia para llegar?"], "parque Las Palomas"),
        (&["me pasas tu wsp"], "900 000 123"),
        (&["cómo agendo un turno?"], "reservar tu cita"),
        (&["aceptan yape?"], "Yape"),
        (&["puedo pagar en cuotas"], "cuotas sin intereses"),
        (&["dan factura?"], "factura"),
        (&["trabajan con seguro rimac?"], "Rímac"),
        (&["si cancelo me cobran?"], "S/ 30"),
        (&["qué pasa si llego tarde?"], "15 minutos"),
        (
            &["me duele la muela, atienden emergencias?"],
            "Atendemos urgencias",
        ),
        (
            &["tienen estacionamiento"],
            "cuatro estacionamientos gratuitos",
        ),
        (&["hay donde dejar el carro?"], "estacionamientos"),
        (&["atienden niños"], "desde los 2 años"),
        (
            &["se puede hacer blanqueamiento en el embarazo?"],
            "Durante el embarazo no",
        ),
        (&["qué tengo que llevar a mi primera cita?"], "trae tu DNI"),
        (&["cuánto dura el blanqueamiento?"], "60 minutos"),
        (&["tienen garantía las resinas?"], "un año de garantía"),
    ])
    .await;
}

#[tokio::test]
async fn english_questions_quote_the_spanish_page() {
    each_contains(&[
        (&["how much is a cleaning?"], "S/ 120"),
        (&["where are you located?"], "Los Jazmines 245"),
        (&["do you accept credit cards?"], "tarjetas de crédito"),
        (&["are you open on sundays?"], "cerrado"),
        (&["do you see kids?"], "desde los 2 años"),
        (&["is there parking?"], "estacionamientos gratuitos"),
    ])
    .await;
    assert!(
        ask(&["how much is a cleaning?"])
            .await
            .text
            .contains("in Spanish")
    );
}

#[tokio::test]
async fn follow_ups_and_double_questions_are_understood() {
    each_contains(&[
        (&["a qué hora atienden?", "¿y los sábados?"], "2:00 p. m."),
        (&["hacen blanqueamiento?", "y cuánto cuesta?"], "S/ 490"),
        (
            &["cuánto cuesta la consulta?", "gracias", "y para niños?"],
            "S/ 60",
        ),
        (&["¿Cuánto cuesta la limpieza? ¿Aceptan Plin?"], "S/ 120"),
        (&["¿Cuánto cuesta la limpieza? ¿Aceptan Plin?"], "Plin"),
    ])
    .await;
}

#[tokio::test]
async fn what_the_page_does_not_say_is_not_answered() {
    for question in [
        "¿venden zapatos?",
        "¿quién ganó el mundial?",
        "hacen cirugía de rodilla?",
        "cuánto cuesta un corte de pelo",
        "tienen wifi?",
        "cuánto cuesta un lifting facial",
        "a cuánto está el dólar",
        "hacen tatuajes los sábados?",
        "tienen sede en arequipa?",
        "aceptan bitcoin?",
        "cuánto está la limpieza de alfombras",
        "me pueden arreglar la laptop",
    ] {
        let answer = ask(&[question]).await;
        let honest = format!("No tengo esa información de {COMPANY}");
        assert!(
            answer.text.starts_with(&honest),
            "{question}: {}",
            answer.text
        );
        assert!(
            answer.citations.is_empty() && !answer.grounded,
            "{question}"
        );
    }
    let answer = ask(&["do you sell shoes?"]).await;
    assert!(
        answer.text.starts_with("I don't have that information"),
        "{}",
        answer.text
    );
}

#[tokio::test]
async fn small_talk_is_answered_by_name_and_without_sources() {
    for (message, reply) in [
        (
            "hola, buenos días",
            "¡Hola! Soy Maya, de Clínica Dental Sonrisa.",
        ),
        ("hi", "Hello! I'm Maya, from Clínica Dental Sonrisa."),
        ("muchas gracias", "¡Con gusto!"),
    ] {
        let answer = ask(&[message]).await;
        assert!(answer.text.starts_with(reply), "{message}: {}", answer.text);
        assert!(answer.citations.is_empty() && !answer.degraded);
    }
}
