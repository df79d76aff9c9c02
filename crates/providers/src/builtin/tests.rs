use super::*;
use quipu_core::chunking::ChunkPages;
use quipu_core::knowledge::DocumentSource;
use quipu_core::ports::Turn;
use quipu_core::retrieval::Passage;
use quipu_core::{ChunkId, DocumentId, KnowledgeBaseId, Timestamp};

const PAGE: &str = "## Horario\n- Lunes a viernes: de 9:00 a 18:00\n- Sábados: de 9:00 a 13:00\n- Domingos: cerrado\n\n\
    ## Precios\n- Limpieza: S/ 120, dura 45 minutos\n- **Corona**: S/ 900\n\n\
    ## Dirección\nEstamos en la Av. Los Pinos 12, Lima. El local tiene rampa.\n\n\
    ## Pagos\nAceptamos Yape y tarjeta.";

pub(super) fn passage(content: &str) -> Passage {
    let epoch = Timestamp::UNIX_EPOCH;
    Passage {
        chunk_id: ChunkId::generate(epoch),
        document_id: DocumentId::generate(epoch),
        knowledge_base_id: KnowledgeBaseId::generate(epoch),
        title: None,
        source: DocumentSource::Manual,
        content: content.to_owned(),
        start_char: 0,
        end_char: i32::try_from(content.chars().count()).unwrap(),
        page_number: None,
        pages: ChunkPages::default(),
        headings: Vec::new(),
        source_url: None,
        file_type: None,
        similarity: 1.0,
        metadata: serde_json::json!({}),
        business: None,
        raw: quipu_core::retrieval::RawScores::default(),
    }
}

fn request(question: &str, passages: Vec<Passage>) -> ReplyRequest {
    ReplyRequest {
        agent_name: "Maya".to_owned(),
        company_name: "Clínica Sol".to_owned(),
        language: Language::guess(question).unwrap_or_default(),
        question: question.to_owned(),
        history: Vec::new(),
        passages,
    }
}

async fn ask(question: &str) -> Vec<ReplyPart> {
    answer(&request(question, vec![passage(PAGE)])).await
}

async fn answer(request: &ReplyRequest) -> Vec<ReplyPart> {
    let parts = BuiltinResponder::default()
        .reply(request)
        .await
        .unwrap()
        .parts;
    for part in &parts {
        if let Some((index, quote)) = &part.source {
            assert!(
                request.passages[*index].content.contains(quote.as_str()),
                "invented: {quote}"
            );
        }
    }
    parts
}

#[tokio::test]
async fn it_quotes_the_line_that_answers() {
    let parts = ask("¿a cómo la limpieza?").await;
    assert_eq!(parts.len(), 1);
    assert_eq!(parts[0].text, "Limpieza: S/ 120, dura 45 minutos");
    assert_eq!(
        parts[0].source,
        Some((0, "Limpieza: S/ 120, dura 45 minutos".to_owned()))
    );
}

#[tokio::test]
async fn a_list_comes_whole_with_its_heading() {
    let parts = ask("q horario tienen").await;
    assert_eq!(parts.len(), 1);
    assert_eq!(
        parts[0].text,
        "Horario:\n- Lunes a viernes: de 9:00 a 18:00\n- Sábados: de 9:00 a 13:00\n- Domingos: cerrado"
    );
    assert!(
        parts[0]
            .source
            .as_ref()
            .unwrap()
            .1
            .starts_with("Horario\n- Lunes")
    );
}

#[tokio::test]
async fn one_line_of_a_list_can_be_enough() {
    let parts = ask("atienden los sabados?").await;
    assert_eq!(parts.len(), 1);
    assert_eq!(parts[0].text, "Sábados: de 9:00 a 13:00");
}

#[tokio::test]
async fn markdown_marks_are_not_shown_but_the_quote_is_verbatim() {
    let parts = ask("cuánto cuesta la corona").await;
    assert_eq!(parts[0].text, "Corona: S/ 900");
    assert_eq!(parts[0].source, Some((0, "**Corona**: S/ 900".to_owned())));
}

#[tokio::test]
async fn tags_are_not_shown() {
    let page = "La limpieza <b>cuesta</b> S/ 120<script>alert(1)</script>.";
    let parts = answer(&request("¿cuánto cuesta la limpieza?", vec![passage(page)])).await;
    let text = parts[0].text.as_str();
    assert!(
        text.contains("cuesta S/ 120") && !text.contains('<'),
        "{text}"
    );
}

#[tokio::test]
async fn several_questions_get_several_quotes() {
    let parts = ask("¿Cuánto cuesta la limpieza? ¿Aceptan Yape?").await;
    let texts: Vec<&str> = parts.iter().map(|p| p.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "Limpieza: S/ 120, dura 45 minutos",
            "Aceptamos Yape y tarjeta."
        ]
    );
    let half = ask("¿Venden zapatos? ¿Aceptan Yape?").await;
    assert_eq!(half[0].text, "Aceptamos Yape y tarjeta.");
    assert!(half[1].text.contains("no tengo información") && half[1].source.is_none());
}

#[tokio::test]
async fn what_is_not_there_is_not_answered() {
    for question in [
        "¿venden zapatos?",
        "¿quién ganó el mundial?",
        "cuánto cuesta un corte de pelo",
    ] {
        let parts = ask(question).await;
        assert_eq!(parts.len(), 1, "{question}: {parts:?}");
        assert!(
            parts[0].source.is_none() && parts[0].text.contains("Clínica Sol"),
            "{parts:?}"
        );
        assert!(parts[0].text.starts_with("No tengo esa información"));
    }
    let none = answer(&request("do you have parking?", vec![])).await;
    assert!(
        none[0]
            .text
            .starts_with("I don't have that information about Clínica Sol")
    );
}

#[tokio::test]
async fn greetings_and_thanks_need_no_source() {
    let hello = ask("Holaa, buenos días").await;
    assert_eq!(
        hello[0].text,
        "¡Hola! Soy Maya, de Clínica Sol. ¿En qué te puedo ayudar?"
    );
    assert_eq!(
        ask("hi").await[0].text,
        "Hello! I'm Maya, from Clínica Sol. How can I help you?"
    );
    assert!(
        ask("muchas graciasss").await[0]
            .text
            .starts_with("¡Con gusto!")
    );
    assert!(
        ask("chau, hasta luego").await[0]
            .text
            .starts_with("¡Hasta luego!")
    );
    assert!(
        ask("hola maya, a cómo la limpieza").await[0]
            .source
            .is_some(),
        "a greeting with a question"
    );
}

#[tokio::test]
async fn a_short_question_leans_on_the_one_before() {
    let mut follow_up = request("¿y cuánto cuesta?", vec![passage(PAGE)]);
    follow_up.history = vec![
        Turn {
            speaker: Speaker::Customer,
            text: "¿hacen coronas?".to_owned(),
        },
        Turn {
            speaker: Speaker::Agent,
            text: "Sí, la limpieza también.".to_owned(),
        },
    ];
    assert_eq!(answer(&follow_up).await[0].text, "Corona: S/ 900");
}

#[tokio::test]
async fn a_quote_in_another_language_is_introduced() {
    let parts = ask("how much is a cleaning?").await;
    assert_eq!(parts.len(), 2);
    assert_eq!(parts[0].source, None);
    assert!(parts[0].text.contains("in Spanish"));
    assert!(parts[1].text.contains("S/ 120"));
}

#[tokio::test]
async fn long_lists_are_cut_where_a_reader_would_stop() {
    let lines: Vec<String> = (0..30)
        .map(|i| format!("- Plato número {i}: $ 50"))
        .collect();
    let page = format!("## Menú\n{}", lines.join("\n"));
    let parts = answer(&request("qué menú tienen", vec![passage(&page)])).await;
    assert_eq!(
        parts[0].text.lines().count(),
        9,
        "the heading and eight lines"
    );
}

#[tokio::test]
async fn two_places_may_answer_one_question() {
    let parts = ask("cuál es la dirección y aceptan yape").await;
    let text: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
    assert_eq!(text.len(), 2, "{text:?}");
    assert!(
        text[0].starts_with("Estamos en la Av. Los Pinos 12, Lima."),
        "{text:?}"
    );
    assert!(text.contains(&"Aceptamos Yape y tarjeta."), "{text:?}");
}

#[tokio::test]
async fn what_a_line_begins_with_is_told() {
    let page = "En el embarazo no tomamos radiografías. Radiografía panorámica a S/ 70.";
    let parts = answer(&request("¿sacan radiografías?", vec![passage(page)])).await;
    let text = parts[0].text.as_str();
    assert!(text.ends_with("Radiografía panorámica a S/ 70."), "{text}");
}

#[tokio::test]
async fn a_question_is_never_quoted_and_answers_no_other() {
    let page = "¿Duele la limpieza? Casi nunca, y usamos gel.\n\n\
        ¿Cada cuánto me hago una limpieza?\nCada seis meses.";
    let asked = async |question: &str| {
        let request = request(question, vec![passage(page)]);
        answer(&request).await
    };
    let parts = asked("¿duele la limpieza?").await;
    assert_eq!(parts[0].text, "Casi nunca, y usamos gel.");
    assert!(parts[0].source.is_some());
    let parts = asked("¿la limpieza la hace el doctor Salas?").await;
    assert!(parts.iter().all(|part| part.source.is_none()), "{parts:?}");
}

#[tokio::test]
async fn what_the_title_says_need_not_be_said_again() {
    let mut late = passage("Si llegas más de 15 minutos tarde, quizá tengamos que mover la hora.");
    late.title = Some("Cambios de cita".to_owned());
    let parts = answer(&request("¿qué pasa si llego tarde a mi cita?", vec![late])).await;
    assert!(
        parts[0].text.starts_with("Si llegas más de 15"),
        "{parts:?}"
    );
}

#[tokio::test]
async fn a_yes_to_another_question_is_told_with_that_question() {
    let page = "¿Necesito ir en ayunas a una extracción? No, con anestesia local es mejor que hayas comido algo \
        ligero una o dos horas antes.";
    let asked = async |question: &str| answer(&request(question, vec![passage(page)])).await;
    let other = asked("¿puedo comer algo antes de la extracción?").await;
    assert!(
        other[0]
            .text
            .starts_with("¿Necesito ir en ayunas a una extracción? No"),
        "{other:?}"
    );
    let same = asked("¿necesito ir en ayunas a la extracción?").await;
    assert!(same[0].text.starts_with("No, con anestesia"), "{same:?}");
}

#[tokio::test]
async fn words_that_are_there_by_chance_answer_nothing() {
    let page = "## Conducto\nCon la anestesia no debe doler; después puede quedar una molestia al morder.\n\n\
        ## Garantía\nCubre rehacer el trabajo sin costo; no cubre golpes.";
    for question in ["¿entonces cómo queda?", "¿cuánto cubre el seguro?"] {
        let parts = answer(&request(question, vec![passage(page)])).await;
        assert!(
            parts.iter().all(|part| part.source.is_none()),
            "{question} {parts:?}"
        );
    }
}
