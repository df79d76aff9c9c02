//! A question that is open is answered by what has the form of its answer.

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
async fn a_name_with_papers_and_telephone_is_the_name() {
    for (said, name) in [
        (
            "soy Rosa Quispe, dni 45678912, cel 987654321",
            "Rosa Quispe",
        ),
        ("rosa quispe dni 45678912 cel 987654321", "Rosa Quispe"),
        ("Omar", "Omar"),
        ("mónica terán", "Mónica Terán"),
    ] {
        let mut stage = at_clinic();
        stage.says("quiero una limpieza mañana a las 12").await;
        let answer = stage.says(said).await;
        assert!(
            answer.contains(name) && answer.contains("¿La confirmo?"),
            "{said}: {answer}"
        );
        assert!(stage.desk.called("escalate_to_human").is_empty(), "{said}");
        assert!(stage.desk.called("create_order").is_empty(), "{said}");
    }
}

#[tokio::test]
async fn the_number_of_a_paper_is_no_telephone() {
    let mut stage = at_clinic();
    stage.says("quiero una limpieza mañana a las 12").await;
    stage
        .says("soy Rosa Quispe, dni 45678912, cel 987654321")
        .await;
    let kept = stage.desk.called("update_lead_info");
    assert_eq!(
        kept,
        [json!({ "name": "Rosa Quispe", "phone": "987654321" })]
    );
}

#[tokio::test]
async fn who_asks_for_a_person_is_not_taken_for_a_name() {
    let mut stage = at_clinic();
    stage.says("quiero una limpieza mañana a las 12").await;
    let said = stage.says("quiero hablar con un asesor").await;
    assert!(said.contains("avisé al equipo"), "{said}");
}

#[tokio::test]
async fn one_of_the_times_offered_is_pointed_at() {
    for (wish, pick, minute) in [
        ("quiero una limpieza el jueves", "la más temprano", 540),
        ("quiero una limpieza el jueves", "la primera", 540),
        (
            "quiero una limpieza el jueves",
            "la primera que tengas porfa",
            540,
        ),
        ("quiero una limpieza el jueves", "la última", 1110),
        ("quiero una limpieza el jueves", "cualquiera", 540),
        ("quiero una limpieza el jueves", "me da igual", 540),
        ("I'd like a cleaning on Thursday", "the first one", 540),
        ("I'd like a cleaning on Thursday", "the last one", 1110),
    ] {
        let mut stage = at_clinic().known_as("Ana Ruiz");
        stage.says(wish).await;
        let said = stage.says(pick).await;
        assert!(
            said.contains("¿La confirmo?") || said.contains("Shall I confirm"),
            "{pick}: {said}"
        );
        stage.says("sí").await;
        let made = stage.desk.called("create_appointment");
        let slot = made[0]["slot_id"].as_str().unwrap();
        assert!(
            slot.starts_with(&format!("2026-06-11|{minute}|")),
            "{pick}: {slot}"
        );
    }
}

#[tokio::test]
async fn the_week_that_was_said_before_holds() {
    let mut stage = at_clinic().known_as("Ana Ruiz");
    stage.says("quiero agendar una limpieza").await;
    stage.says("la semana que viene").await;
    let said = stage.says("el jueves a la tarde").await;
    assert!(
        said.contains("jueves 18 de junio") && !said.contains("12:00"),
        "{said}"
    );
}

/// More is free in the morning than the tool tells of at once.
#[tokio::test]
async fn the_part_of_the_day_that_is_asked_for_is_looked_for() {
    let mut business = clinic();
    for number in 0..8 {
        let id = format!("nueva-{number}");
        let person = json!({
            "id": id, "name": format!("Dra. Nueva {number}"), "role": "higienista", "branch": "norte", "days": "mon-sat",
        });
        business["staff"].as_array_mut().unwrap().push(person);
        let does = business["services"][0]["staff"].as_array_mut().unwrap();
        does.push(json!(id));
    }
    let mut stage = Stage::new(Fake::new(business, NOW, 0)).known_as("Ana Ruiz");
    let said = stage
        .says("quiero una limpieza el viernes en la tarde")
        .await;
    assert!(
        said.contains("p. m.") && !said.contains("a. m.") && !said.contains("no tengo lugar"),
        "{said}"
    );
}

#[tokio::test]
async fn a_service_that_is_wanted_is_booked_and_no_complaint() {
    for wish in ["quiero un blanqueamiento", "necesito una limpieza"] {
        let mut stage = at_clinic();
        let said = stage.says(wish).await;
        assert!(said.contains("¿Qué día"), "{wish}: {said}");
        assert!(stage.desk.called("escalate_to_human").is_empty(), "{wish}");
    }
}
