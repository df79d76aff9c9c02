//! A yes that wants it otherwise: it books nothing, and what is wanted is read back.

use super::business::clinic;
use super::desk::Fake;
use super::stage::Stage;
use crate::supervisor::Awaiting;
use serde_json::{Value, json};

/// Tuesday morning.
const NOW: &str = "2026-06-09T10:15[America/Mexico_City]";

fn at(business: Value) -> Stage {
    Stage::new(Fake::new(business, NOW, 0)).known_as("Rosa Méndez")
}

/// The clinic, where others clean teeth as well.
fn with_others(names: &[&str]) -> Value {
    let mut business = clinic();
    for (at, name) in names.iter().enumerate() {
        let id = format!("other-{at}");
        let person = json!({ "id": id, "name": name, "role": "odontología general", "branch": "norte", "days": "mon-sat" });
        business["staff"].as_array_mut().unwrap().push(person);
        let does = business["services"][0]["staff"].as_array_mut().unwrap();
        does.push(json!(id));
    }
    business
}

#[tokio::test]
async fn another_person_is_offered_and_read_back() {
    for (first, then) in [
        (
            "quiero una limpieza el jueves a las 5",
            "sí, pero con otra doctora",
        ),
        (
            "quiero una limpieza el jueves a las 5",
            "si con otro doctor",
        ),
        (
            "quiero una limpieza el jueves a las 5",
            "no, con otra doctora",
        ),
        (
            "quiero una limpieza el jueves a las 5",
            "¿puede ser con otra doctora?",
        ),
        (
            "I want a cleaning on Thursday at 5 pm",
            "yes but with another doctor",
        ),
    ] {
        let mut stage = at(with_others(&["Dr. Hugo Salas"]));
        let said = stage.says(first).await;
        assert!(said.contains("Lucía Ferrer"), "{said}");
        let said = stage.says(then).await;
        assert!(
            said.contains("Hugo Salas") && !said.contains("Lucía Ferrer"),
            "{then}: {said}"
        );
        assert!(said.contains("5:00"), "{then}: {said}");
        assert_eq!(stage.reply().awaiting, Some(Awaiting::Confirmation));
        assert!(stage.desk.called("create_appointment").is_empty());
        let said = stage.says("sí").await;
        assert!(said.contains("Hugo Salas"), "{then}: {said}");
        assert_eq!(stage.desk.called("create_appointment").len(), 1);
    }
    // Who asks for a woman is offered one where there is one.
    let mut stage = at(with_others(&["Dr. Hugo Salas", "Dra. Irene Paz"]));
    stage.says("quiero una limpieza el jueves a las 5").await;
    let said = stage.says("sí, pero con otra doctora").await;
    assert!(said.contains("Irene Paz"), "{said}");
    let said = stage.says("mejor con la doctora Ferrer").await;
    assert!(said.contains("Lucía Ferrer"), "{said}");
}

#[tokio::test]
async fn that_nobody_else_does_it_is_told() {
    for (first, then, told) in [
        (
            "quiero una limpieza el jueves a las 5",
            "sí, pero con otra doctora",
            "no veo a nadie más",
        ),
        (
            "quiero una limpieza el jueves a las 5",
            "si pero con otro doctor",
            "no veo a nadie más",
        ),
        (
            "I want a cleaning on Thursday at 5 pm",
            "yes but with another doctor",
            "nobody else",
        ),
    ] {
        let mut stage = at(clinic());
        stage.says(first).await;
        let said = stage.says(then).await;
        assert!(
            said.contains(told) && said.contains("Lucía Ferrer") && said.contains("5:00"),
            "{then}: {said}"
        );
        assert!(stage.desk.called("create_appointment").is_empty());
        stage.says("sí").await;
        assert_eq!(stage.desk.called("create_appointment").len(), 1);
    }
    let mut stage = at(clinic());
    stage
        .says("quiero una valoración el jueves a las 11 en Norte")
        .await;
    let said = stage.says("sí, pero con otra doctora").await;
    assert!(
        said.contains("Norte") && said.contains("pero sí en Jardines"),
        "{said}"
    );
    let said = stage.says("sí").await;
    assert!(
        said.contains("Jardines con Dra. Paula Ortiz") && said.contains("¿La confirmo?"),
        "{said}"
    );
    assert!(stage.desk.called("create_appointment").is_empty());
}

#[tokio::test]
async fn a_yes_to_another_day_books_nothing_today() {
    for (first, then, later) in [
        (
            "quiero una limpieza hoy a las 5",
            "sí pero que no sea hoy",
            "mañana",
        ),
        (
            "quiero una limpieza hoy a las 5",
            "sí, hoy no puedo",
            "el miércoles",
        ),
        (
            "I want a cleaning today at 5 pm",
            "yes but not today",
            "tomorrow",
        ),
    ] {
        let mut stage = at(clinic());
        stage.says(first).await;
        assert_eq!(stage.reply().awaiting, Some(Awaiting::Confirmation));
        let said = stage.says(then).await;
        assert_eq!(
            stage.reply().awaiting,
            Some(Awaiting::Day),
            "{then}: {said}"
        );
        assert!(stage.desk.called("create_appointment").is_empty());
        let said = stage.says(later).await;
        assert!(
            said.contains("10") && said.contains("5:00"),
            "{later}: {said}"
        );
        assert!(stage.desk.called("create_appointment").is_empty());
        stage.says("sí").await;
        let made = stage.desk.called("create_appointment");
        let slot = made[0]["slot_id"].as_str().unwrap();
        assert!(slot.starts_with("2026-06-10|1020|"), "{slot}");
    }
    // Nor is today offered to whoever takes the first there is.
    let mut stage = at(clinic());
    stage.says("quiero una limpieza hoy a las 5").await;
    stage.says("sí pero que no sea hoy").await;
    let said = stage.says("lo antes posible").await;
    assert!(
        said.contains("10 de junio") && !said.contains("9 de junio"),
        "{said}"
    );
}

#[tokio::test]
async fn not_this_friday_is_the_next_one() {
    for then in [
        "no el viernes de esta semana, el otro",
        "no este viernes, el siguiente",
    ] {
        let mut stage = at(clinic());
        stage.says("quiero una limpieza").await;
        let said = stage.says(then).await;
        assert!(said.contains("viernes 19 de junio"), "{then}: {said}");
    }
}
