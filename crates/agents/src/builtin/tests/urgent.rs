//! Booking for whoever cannot wait.

use super::business::clinic;
use super::desk::Fake;
use super::stage::Stage;
use serde_json::json;

/// Tuesday morning.
const NOW: &str = "2026-06-09T10:15[America/Mexico_City]";

fn at_clinic() -> Stage {
    Stage::new(Fake::new(clinic(), NOW, 0))
}

#[tokio::test]
async fn who_cannot_wait_is_booked_for_that() {
    let mut stage = at_clinic().known_as("Pedro Solís");
    stage.says("me duele la muela desde hace dos días").await;
    let said = stage.says("mañana a las 9").await;
    assert!(
        said.contains("Consulta de urgencia") && said.contains("¿La confirmo?"),
        "{said}"
    );
}

#[tokio::test]
async fn a_name_is_no_symptom() {
    let mut stage = at_clinic().known_as("Ana");
    stage.says("quiero una limpieza mañana a las 11").await;
    for name in ["Mateo Ruiz", "Ana Guzmán"] {
        let said = stage.says(&format!("a nombre de {name}")).await;
        assert!(
            said.contains(name) && said.contains("¿La confirmo?"),
            "{said}"
        );
    }
    assert!(stage.desk.called("escalate_to_human").is_empty());
}

/// What hurts may sound like a service that is no help against it.
#[tokio::test]
async fn who_cannot_wait_is_booked_for_what_was_offered() {
    for (symptom, answer) in [
        ("me duele mucho la muela del juicio, no aguanto", "sí"),
        ("me duele mucho la muela del juicio", "sí, apártamelo"),
    ] {
        let mut business = clinic();
        let extraction = json!({ "id": "ext", "name": "Extracción de muela del juicio", "price": 900, "minutes": 60, "staff": ["b"] });
        let services = business["services"].as_array_mut().unwrap();
        services.push(extraction);
        let mut stage = Stage::new(Fake::new(business, NOW, 0)).known_as("Iván Soto");
        let said = stage.says(symptom).await;
        assert!(said.contains("Lo más pronto"), "{said}");
        let said = stage.says(answer).await;
        assert!(said.contains("Consulta de urgencia"), "{answer}: {said}");
        assert!(!said.contains("Extracción"), "{answer}: {said}");
        if !said.contains("quedó agendada") {
            let said = stage.says("sí, confirmo").await;
            assert!(said.contains("quedó agendada"), "{said}");
        }
        let made = stage.desk.called("create_appointment");
        assert!(made[0]["slot_id"].as_str().unwrap().ends_with("urgencia"));
    }
}

/// What is told on the way to an urgent visit does not lead back to its beginning.
#[tokio::test]
async fn an_urgent_visit_is_booked_to_its_end() {
    let mut stage = at_clinic();
    stage.says("me duele un montón la muela, no aguanto").await;
    let said = stage.says("soy Kevin Ramos 5512345678").await;
    assert!(
        said.contains("Consulta de urgencia") && said.contains("¿La confirmo?"),
        "{said}"
    );
    let said = stage.says("dni 40112233").await;
    assert!(
        said.contains("lo anoto") && said.contains("¿La confirmo?"),
        "{said}"
    );
    let said = stage.says("sí").await;
    assert!(said.contains("quedó agendada"), "{said}");
}

#[tokio::test]
async fn who_does_not_know_what_to_do_hears_it_again() {
    let mut stage = at_clinic().known_as("Pedro Solís");
    stage.says("se me cierra la garganta").await;
    let said = stage.says("¿qué hago?").await;
    assert!(said.contains("emergencia"), "{said}");
}

fn at_medical_centre(faqs: serde_json::Value) -> Stage {
    let mut business = super::clinic::medical();
    business["faqs"] = faqs;
    Stage::new(Fake::new(business, NOW, 0)).known_as("Elena Ruiz")
}

#[tokio::test]
async fn who_counts_weeks_and_bleeds_is_in_danger() {
    for asked in [
        "tengo 32 semanas de embarazo y no siento que se mueva el bebé",
        "tengo 37 semanas y me sale liquido",
        "tengo 40 semanas y contracciones cada 3 minutos",
        "34 semanas, dolor de cabeza fuerte y veo lucecitas",
        "mi hijo de 5 años se tragó una pila",
        "34 semanas y estoy sangrando",
        "tengo 20 semanas y me salio sangre",
        "im 30 weeks and bleeding",
    ] {
        let said = at_medical_centre(json!([])).says(asked).await;
        assert!(said.contains("emergenc"), "{asked}: {said}");
    }
    for asked in [
        "hace 15 semanas que me sale líquido de la encía",
        "hace 15 semanas que me sangra la encía",
        "llevo 12 semanas con brackets y sangran un poco las encías",
    ] {
        let said = at_clinic().says(asked).await;
        assert!(
            !said.contains("puede ser una emergencia"),
            "{asked}: {said}"
        );
    }
}

/// A booking is no answer to an emergency, and is made all the same.
#[tokio::test]
async fn the_warning_comes_before_a_booking() {
    let mut stage = at_medical_centre(json!([]));
    stage.says("34 semanas y estoy sangrando").await;
    let said = stage
        .says("quiero una cita de medicina general mañana a las 11")
        .await;
    assert!(
        said.contains("no esperes la cita") && said.contains("¿La confirmo?"),
        "{said}"
    );
    let said = stage.says("sí").await;
    assert!(
        said.contains("quedó agendada") && !said.contains("no esperes"),
        "once is enough: {said}"
    );
}

#[tokio::test]
async fn the_number_that_the_business_wrote_is_told() {
    let faqs = json!([
        { "q": "¿Cuál es el número de emergencias?", "a": "En una emergencia llame al 106 (SAMU)." },
        { "q": "¿Aceptan tarjeta?", "a": "Sí." },
    ]);
    let said = at_medical_centre(faqs)
        .says("no puedo respirar, me duele el pecho")
        .await;
    assert!(said.contains("106"), "{said}");
    let said = at_medical_centre(json!([]))
        .says("no puedo respirar, me duele el pecho")
        .await;
    assert!(
        said.contains("número de emergencias de tu localidad"),
        "{said}"
    );
}

#[tokio::test]
async fn whoever_is_asked_for_is_found_by_what_they_do() {
    for asked in [
        "do you have a pediatrician?",
        "how much is the pediatrician?",
        "cuanto cuesta la pediatra?",
        "I need an appointment with a pediatrician tomorrow at 11",
    ] {
        let said = at_medical_centre(json!([])).says(asked).await;
        assert!(said.contains("Consulta de pediatría"), "{asked}: {said}");
        assert!(!said.contains("general"), "{asked}: {said}");
    }
}

#[tokio::test]
async fn who_is_in_pain_gets_what_was_offered_and_not_what_pain_sounds_like() {
    let mut business = clinic();
    let mut service = business["services"][0].clone();
    service["name"] = json!("Extracción de muela del juicio");
    business["services"].as_array_mut().unwrap().push(service);
    let now = "2026-06-09T10:15[America/Mexico_City]";
    let at = || Stage::new(Fake::new(business.clone(), now, 0)).known_as("Elena Ruiz");
    let mut stage = at();
    stage.says("tengo dolor de muela, quiero cita").await;
    let said = stage.says("sí").await;
    assert!(said.contains("Consulta de urgencia el martes 9"), "{said}");
    // What broke it is nothing that is ordered.
    let said = at().says("se me rompió un diente comiendo pan").await;
    assert!(
        !said.contains("pedido") && !said.contains("pedir"),
        "{said}"
    );
}
