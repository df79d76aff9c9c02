//! What sounds like an alarm and is none, and what is one although something else is asked with it.

use super::business::{clinic, taqueria};
use super::clinic::medical;
use super::desk::Fake;
use super::stage::Stage;
use serde_json::{Value, json};

/// Tuesday morning.
const NOW: &str = "2026-06-09T10:15[America/Mexico_City]";

fn at(business: Value) -> Stage {
    Stage::new(Fake::new(business, NOW, 0)).known_as("Elena Ruiz")
}

#[tokio::test]
async fn what_is_denied_or_a_way_of_speaking_alarms_nobody() {
    for (business, asked) in [
        (
            medical(),
            "no tengo ni dolor en el pecho ni fiebre, solo quiero un chequeo",
        ),
        (
            medical(),
            "quiero una cita de medicina general, ni dolor en el pecho ni fiebre, solo control",
        ),
        (medical(), "no chest pain, no fever, just want a checkup"),
        (medical(), "tienen sala de espera sin aire acondicionado?"),
        (
            medical(),
            "me quedé sin aire acondicionado jaja. quiero una cita el jueves a las 4",
        ),
        (medical(), "me da un infarto con esos precios jaja"),
        (clinic(), "me mata el precio, ¿no hay algo más barato?"),
        (clinic(), "me muero por un blanqueamiento"),
        (taqueria(), "me muero de hambre"),
    ] {
        let mut stage = at(business);
        let said = stage.says(asked).await;
        assert!(
            !said.contains("emergenc") && !said.contains("urgencias"),
            "{asked}: {said}"
        );
        assert!(stage.desk.called("escalate_to_human").is_empty(), "{asked}");
    }
    // What is not denied is heard.
    for asked in [
        "no fiebre pero me duele mucho el pecho",
        "me muero del dolor de pecho",
        "me quedé sin aire",
    ] {
        let mut stage = at(medical());
        let said = stage.says(asked).await;
        assert!(said.contains("emergencia"), "{asked}: {said}");
    }
}

#[tokio::test]
async fn a_name_that_sounds_like_an_alarm_is_a_name() {
    for answer in [
        "Dolores Pecho",
        "soy Dolores Pecho",
        "a nombre de Dolores Pecho",
    ] {
        let mut stage = Stage::new(Fake::new(medical(), NOW, 0));
        stage
            .says("quiero una cita de medicina general el jueves a las 4")
            .await;
        let said = stage.says(answer).await;
        assert!(
            said.contains("a nombre de Dolores Pecho") && said.contains("¿La confirmo?"),
            "{answer}: {said}"
        );
        assert!(stage.desk.called("escalate_to_human").is_empty());
    }
    let mut stage = Stage::new(Fake::new(medical(), NOW, 0));
    stage
        .says("quiero una cita de medicina general el jueves a las 4")
        .await;
    let said = stage.says("dolor de pecho").await;
    assert!(said.contains("emergencia"), "{said}");
}

#[tokio::test]
async fn a_lost_tooth_comes_before_what_it_costs() {
    let mut stage = at(clinic());
    stage.says("se me cayó un diente de un golpe").await;
    for asked in ["¿cuánto cuesta?", "y cuanto me cobran"] {
        let said = stage.says(asked).await;
        assert!(
            said.contains("urgencias") && said.contains("Consulta de urgencia cuesta $750"),
            "{asked}: {said}"
        );
        assert!(said.contains("¿Te lo aparto?"), "{asked}: {said}");
        assert!(!said.contains("Blanqueamiento"), "{asked}: {said}");
    }
    let said = stage.says("sí").await;
    assert!(said.contains("Consulta de urgencia"), "{said}");
    let mut stage = at(clinic());
    let said = stage
        .says("mi hijo se tumbó un diente completo jugando, ¿cuánto cuesta?")
        .await;
    assert!(
        said.starts_with("Esto puede ser una emergencia") && said.contains("$750"),
        "{said}"
    );
    // A tooth that was lost long ago can wait.
    let said = at(clinic())
        .says("perdí un diente hace 2 años, ¿cuánto cuesta la valoración?")
        .await;
    assert!(!said.contains("emergencia"), "{said}");
}

#[tokio::test]
async fn who_had_a_fever_is_booked_for_the_same_day() {
    let mut stage = at(medical());
    stage.says("ayer tuve fiebre de 39").await;
    stage
        .says("quiero cita hoy a las 5 con medicina general")
        .await;
    let said = stage.says("sí").await;
    assert!(said.contains("quedó agendada"), "{said}");
    assert!(
        said.contains("martes 9 de junio a las 5:00 p. m."),
        "{said}"
    );
}

#[tokio::test]
async fn whether_emergencies_are_seen_is_a_question_about_the_business() {
    let mut business = clinic();
    business["faqs"] = json!([{ "q": "¿Atienden urgencias?", "a": "Sí, de lunes a sábado." }]);
    for asked in ["¿atienden urgencias?", "tienen urgencias?"] {
        let mut stage = at(business.clone());
        let said = stage.says(asked).await;
        assert!(said.contains("de lunes a sábado"), "{asked}: {said}");
        assert!(stage.desk.called("escalate_to_human").is_empty());
    }
    let mut stage = at(clinic());
    stage.says("¿atienden urgencias?").await;
    assert!(stage.desk.called("escalate_to_human").is_empty());
}
