//! What cannot be booked as it is wanted: at that branch, before a consultation, for so many.

use super::business::{clinic, taqueria};
use super::desk::Fake;
use super::stage::Stage;
use serde_json::{Value, json};

/// Tuesday morning.
const NOW: &str = "2026-06-09T10:15[America/Mexico_City]";

fn at(business: Value) -> Stage {
    Stage::new(Fake::new(business, NOW, 0)).known_as("Ana Gil")
}

#[tokio::test]
async fn the_branch_that_does_it_is_named() {
    for (asked, there, elsewhere) in [
        (
            "quiero ajuste de brackets en Norte mañana a las 11",
            "Norte",
            "Jardines",
        ),
        (
            "una limpieza en jardines mañana a las 11 porfa",
            "Jardines",
            "Norte",
        ),
        (
            "I'd like a cleaning at Jardines tomorrow at 11",
            "Jardines",
            "Norte",
        ),
    ] {
        let mut stage = at(clinic());
        let said = stage.says(asked).await;
        assert!(
            said.contains(there) && said.contains(elsewhere) && !said.contains("no se agenda"),
            "{asked}: {said}"
        );
        let said = stage
            .says(if asked.starts_with('I') { "yes" } else { "sí" })
            .await;
        assert!(
            said.contains(elsewhere) && said.contains("11:00 a"),
            "{asked}: {said}"
        );
    }
}

fn with_consultation() -> Value {
    let mut business = clinic();
    business["services"][3]["consultation"] = json!(true);
    business
}

#[tokio::test]
async fn a_consultation_comes_first() {
    let mut stage = at(with_consultation());
    let said = stage
        .says("quiero un blanqueamiento mañana a las 11 en Norte")
        .await;
    assert!(
        said.contains("primero va Valoración") && said.contains('?'),
        "{said}"
    );
    let said = stage.says("sí").await;
    assert!(said.contains("Sería Valoración el miércoles"), "{said}");
    stage.says("sí").await;
    let made = stage.desk.called("create_appointment");
    assert!(made[0]["slot_id"].as_str().unwrap().ends_with("Valoración"));
    // Who had it is booked, and who does not want it is not.
    let mut stage = at(with_consultation());
    stage.says("quiero un blanqueamiento").await;
    let said = stage.says("ya tuve mi valoración").await;
    assert!(said.contains("para Blanqueamiento"), "{said}");
    let mut stage = at(with_consultation());
    stage.says("quiero un blanqueamiento").await;
    let said = stage.says("no, gracias").await;
    assert!(said.contains("lo dejamos así"), "{said}");
}

#[tokio::test]
async fn who_are_too_many_for_a_table_hear_so() {
    let mut business = taqueria();
    business["seats"] = json!(8);
    let now = "2026-06-09T15:30[America/Mexico_City]";
    let mut stage = Stage::new(Fake::new(business, now, 0)).known_as("Ana Gil");
    let said = stage
        .says("quiero una mesa para 20 mañana a las 7 en la Roma")
        .await;
    assert!(
        said.contains("20 personas") && said.contains("una persona del equipo"),
        "{said}"
    );
    let said = stage.says("sí").await;
    assert!(said.contains("Ya avisé al equipo"), "{said}");
    let called = stage.desk.called("escalate_to_human");
    assert!(
        called[0]["reason"]
            .as_str()
            .unwrap()
            .contains("mesa para 20")
    );
    assert!(stage.desk.called("create_appointment").is_empty());
}
