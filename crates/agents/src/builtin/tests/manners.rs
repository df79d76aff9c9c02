//! Who is speaking, invoices of other countries, and answers that would be about something else.

use super::business::{clinic, tacos};
use super::desk::Fake;
use super::stage::Stage;
use serde_json::{Value, json};

const NOW: &str = "2026-06-09T10:15[America/Mexico_City]";

fn at(business: Value) -> Stage {
    Stage::new(Fake::new(business, NOW, 0)).known_as("Ana Ruiz")
}

#[tokio::test]
async fn the_agent_says_that_it_is_a_program() {
    for (asked, told) in [
        ("¿eres un robot?", "asistente virtual"),
        ("¿estoy hablando con una persona?", "asistente virtual"),
        ("are you a bot?", "virtual assistant"),
        ("am I talking to a human?", "virtual assistant"),
    ] {
        let mut stage = at(clinic());
        let said = stage.says(asked).await;
        assert!(
            said.contains(told) && !said.contains("Lamento"),
            "{asked}: {said}"
        );
        assert!(stage.desk.called("escalate_to_human").is_empty(), "{asked}");
    }
}

#[tokio::test]
async fn who_owns_the_place_is_a_question_and_no_complaint() {
    let mut stage = at(clinic());
    let said = stage.says("¿quién es el dueño?").await;
    assert!(
        said.contains("No tengo esa información") && !said.contains("Lamento"),
        "{said}"
    );
    let said = stage.says("quiero hablar con una persona").await;
    assert!(
        said.contains("una persona seguirá") && !said.contains("Lamento"),
        "{said}"
    );
}

#[tokio::test]
async fn an_invoice_is_asked_for_as_the_country_has_it() {
    let mut business = clinic();
    business["currency"] = json!("PEN");
    let mut stage = at(business);
    let said = stage.says("necesito factura por favor").await;
    assert!(
        said.contains("RUC") && said.contains("avisé al equipo"),
        "{said}"
    );
    assert!(!said.contains("RFC") && !said.contains("CFDI"), "{said}");
    assert_eq!(stage.desk.called("escalate_to_human").len(), 1);
}

#[tokio::test]
async fn a_question_amid_an_invoice_is_answered() {
    let mut stage = at(clinic());
    stage
        .says("necesito factura de mi ticket folio A-2041")
        .await;
    let said = stage.says("¿a qué hora abren mañana?").await;
    assert!(
        said.contains("9:00 a. m.") && said.contains("RFC"),
        "{said}"
    );
    let said = stage
        .says("mi RFC es VECJ880326XK4, razón social Juana Vega Cruz, régimen 612")
        .await;
    assert!(
        said.contains("uso del CFDI") && !said.contains("RFC,"),
        "{said}"
    );
    let said = stage.says("mejor no, gracias").await;
    assert!(said.contains("lo dejamos así"), "{said}");
}

#[tokio::test]
async fn two_prices_are_both_told() {
    let mut business = clinic();
    business["services"][3]["note"] = json!("se descuenta de tu primera sesión");
    let said = at(business.clone())
        .says("¿cuánto cuesta la limpieza y el blanqueamiento?")
        .await;
    assert!(said.contains("$650") && said.contains("$2,900"), "{said}");
    let mut eating = Stage::new(Fake::new(tacos(), NOW, 0));
    let said = eating.says("¿cuánto cuesta el volcán y la horchata?").await;
    assert!(
        said.contains("$52") && said.contains("$35") && !said.contains("Depende"),
        "{said}"
    );
    let said = at(business).says("¿cuánto cuesta el blanqueamiento?").await;
    assert!(said.contains("MXN. Se descuenta"), "{said}");
}

#[tokio::test]
async fn a_feast_is_one_day() {
    let mut business = clinic();
    for branch in business["branches"].as_array_mut().unwrap() {
        branch["exceptions"] = json!([
            { "from": "2026-12-25", "label": "Navidad", "intervals": [] },
            { "from": "2026-07-28", "label": "Fiestas Patrias", "intervals": [] },
        ]);
    }
    for (asked, told) in [
        ("¿abren en navidad?", "25 de diciembre"),
        ("¿abren en fiestas patrias?", "28 de julio"),
    ] {
        let said = at(business.clone()).says(asked).await;
        assert!(
            said.contains(told) && said.contains("cerrado"),
            "{asked}: {said}"
        );
        assert!(!said.contains("lunes a viernes"), "{asked}: {said}");
    }
}

#[tokio::test]
async fn one_of_the_staff_has_hours_of_their_own() {
    let mut business = clinic();
    business["staff"][0]["operating_hours"] =
        json!({ "tuesday": [{ "from": "09:00", "to": "13:00" }] });
    let said = at(business).says("¿qué días atiende la Dra. Ferrer?").await;
    assert!(
        said.contains("Lucía Ferrer") && said.contains("martes"),
        "{said}"
    );
}

#[tokio::test]
async fn what_answers_something_else_is_no_answer() {
    let mut business = clinic();
    business["vertical"] = json!("medical");
    business["faqs"] = json!([
        { "q": "¿Atienden con seguro?", "a": "Sí, trabajamos con Pacífico y Mapfre." },
        { "q": "¿Duele el blanqueamiento?", "a": "Puede haber sensibilidad por un día." },
    ]);
    let said = at(business.clone())
        .says("¿cuántos mg de ibuprofeno puedo tomar?")
        .await;
    assert!(said.contains("No puedo dar diagnósticos"), "{said}");
    let mut stage = at(business.clone());
    let said = stage.says("¿atienden con seguro Rímac?").await;
    assert!(said.contains("No tengo esa información"), "{said}");
    let said = at(business.clone())
        .says("¿atienden con seguro Mapfre?")
        .await;
    assert!(said.contains("Mapfre"), "{said}");
    let mut stage = at(business);
    stage.says("¿cuánto cuesta la limpieza?").await;
    let said = stage.says("¿y duele?").await;
    assert!(!said.contains("sensibilidad"), "{said}");
}

#[tokio::test]
async fn tags_of_a_text_do_not_reach_the_customer() {
    let mut business = clinic();
    business["faqs"] = json!([{
        "q": "¿Hay estacionamiento?",
        "a": "Sí, <b>diez lugares</b><script>alert(1)</script>.",
    }]);
    let said = at(business).says("¿hay estacionamiento?").await;
    assert!(
        said.contains("diez lugares") && !said.contains('<'),
        "{said}"
    );
}

#[tokio::test]
async fn words_of_the_business_are_announced_to_who_speaks_another_language() {
    let said = at(clinic())
        .says("how much do you charge for cancelling?")
        .await;
    assert!(
        said.contains("in Spanish:") && said.contains("24 horas"),
        "{said}"
    );
    let said = at(clinic()).says("¿cuánto cobran por cancelar?").await;
    assert!(
        said.contains("24 horas") && !said.contains("en inglés"),
        "{said}"
    );
}
