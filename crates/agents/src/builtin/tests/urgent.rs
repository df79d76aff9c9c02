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
