//! The demo page answers what people ask a dental clinic in a chat, and admits what it does not
//! say. These are the first questions a new user tries.

use crate::harness::{Client, TestApp, eventually, id, teach};
use quipu_testkit::TestDatabase;
use serde_json::{Value, json};

const PAGE: &str = include_str!("../../demo/clinica-dental-sonrisa.md");
const COMPANY: &str = "Clínica Dental Sonrisa";

/// The clinic's agent, which has read the page.
struct Demo {
    _app: TestApp,
    client: Client,
    agent: String,
}

impl Demo {
    /// When the agent searches by what it read the page with at first, or by the better vectors
    /// that are made after it.
    async fn start(encoded: bool) -> Self {
        let app = TestApp::start(TestDatabase::sqlite()).await;
        let client = app.tenant("sonrisa").await.admin.client;
        let body = json!({ "name": "Maya", "company_name": COMPANY, "language": "es" });
        let agent = client.post("/api/v1/agents", body).await.ok(201);
        let kb = format!(
            "/api/v1/knowledge-bases/{}",
            agent["knowledge_base_id"].as_str().unwrap()
        );
        if !encoded {
            let body = json!({ "embedding_config": { "model": "quipu-es-en/static" } });
            client.patch(&kb, body).await.ok(200);
        }
        let agent = id(&agent);
        teach(&client, &agent, COMPANY, PAGE).await;
        if encoded {
            eventually("the page to be encoded", async || {
                let kb = client.get(&kb).await.ok(200);
                (kb["searched_with"]["model"] == "quipu-es-en/encoder").then_some(())
            })
            .await;
        }
        Self {
            _app: app,
            client,
            agent,
        }
    }

    /// What the agent answers to the last of the customer's messages.
    async fn ask(&self, customer: &[&str]) -> Value {
        let mut messages = Vec::new();
        for text in customer {
            if !messages.is_empty() {
                messages.push(json!({ "role": "assistant", "content": "Claro." }));
            }
            messages.push(json!({ "role": "user", "content": text }));
        }
        let path = format!("/api/agents/{}/chat", self.agent);
        let body = json!({ "messages": messages, "stream": false });
        self.client.post(&path, body).await.ok(200)
    }
}

fn text(answer: &Value) -> &str {
    answer["message"]["content"].as_str().unwrap_or_default()
}

/// Checks that each question is answered with a fact, and that the fact is cited where it stands,
/// however the page is searched.
async fn each_contains(questions: &[(&[&str], &str)]) {
    let page: Vec<char> = PAGE.chars().collect();
    let mut wrong = Vec::new();
    for encoded in [false, true] {
        let demo = Demo::start(encoded).await;
        for (question, fact) in questions {
            let answer = demo.ask(question).await;
            let grounded = answer["grounded"] == true && text(&answer).contains("[1]");
            if !grounded || !text(&answer).contains(fact) {
                wrong.push(format!(
                    "{encoded} {question:?} should say {fact:?}: {}",
                    text(&answer)
                ));
            }
            for citation in answer["citations"].as_array().unwrap() {
                let at = |key: &str| usize::try_from(citation[key].as_u64().unwrap()).unwrap();
                let quoted = &page[at("start_char")..at("end_char")];
                assert_eq!(
                    quoted.iter().collect::<String>(),
                    citation["quote"].as_str().unwrap()
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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
        (&["cómo hago para sacar una cita?"], "reservar tu cita"),
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
    let demo = Demo::start(false).await;
    let answer = demo.ask(&["how much is a cleaning?"]).await;
    assert!(text(&answer).contains("in Spanish"));
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
    let questions = [
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
    ];
    let honest = format!("No tengo esa información de {COMPANY}");
    let mut wrong = Vec::new();
    for encoded in [false, true] {
        let demo = Demo::start(encoded).await;
        for question in questions {
            let answer = demo.ask(&[question]).await;
            if !text(&answer).starts_with(&honest) || answer["grounded"] == true {
                wrong.push(format!("{encoded} {question}: {}", text(&answer)));
            }
        }
        let answer = demo.ask(&["do you sell shoes?"]).await;
        assert!(
            text(&answer).starts_with("I don't have that information"),
            "{answer}"
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn small_talk_is_answered_by_name_and_without_sources() {
    let demo = Demo::start(false).await;
    for (message, reply) in [
        (
            "hola, buenos días",
            "¡Hola! Soy Maya, de Clínica Dental Sonrisa.",
        ),
        ("hi", "Hello! I'm Maya from Clínica Dental Sonrisa."),
        ("muchas gracias", "¡Con gusto!"),
    ] {
        let answer = demo.ask(&[message]).await;
        assert!(text(&answer).starts_with(reply), "{message}: {answer}");
        assert_eq!(
            (&answer["citations"], &answer["degraded"]),
            (&json!([]), &json!(false))
        );
    }
}
