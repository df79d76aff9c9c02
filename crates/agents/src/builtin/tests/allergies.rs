//! Allergies that are told with an order: whoever cooks reads them, and nobody takes them for a reaction.

use super::business::{clinic, taqueria};
use super::desk::Fake;
use super::stage::Stage;
use serde_json::json;

/// Tuesday afternoon, when both branches are open.
const NOW: &str = "2026-06-09T15:30[America/Mexico_City]";

fn at_taqueria() -> Stage {
    Stage::new(Fake::new(taqueria(), NOW, 0)).known_as("Ana Soto")
}

#[tokio::test]
async fn an_allergy_told_with_an_order_is_read_by_the_kitchen() {
    for (messages, note) in [
        (
            &["4 tacos de pastor para llevar en Roma, soy alérgico al cilantro"][..],
            "soy alérgico al cilantro",
        ),
        (
            &[
                "3 tacos de bistec y una coca para llevar en Roma",
                "mi hija es alergica a los lacteos",
            ],
            "mi hija es alergica a los lacteos",
        ),
        (
            &[
                "3 tacos de bistec para llevar en Roma",
                "pongan en la nota que soy alergico a la nuez",
            ],
            "soy alergico a la nuez",
        ),
        (
            &["3 tacos de bistec para llevar en Roma", "soy celiaca"],
            "soy celiaca",
        ),
        (
            &["3 beef tacos to go from Roma, I'm allergic to onions"],
            "I'm allergic to onions",
        ),
    ] {
        let mut stage = at_taqueria();
        let mut said = String::new();
        for message in messages {
            said = stage.says(message).await;
        }
        assert!(said.contains(note) && said.contains("total"), "{said}");
        assert!(!said.contains("urgencias"), "{said}");
        assert!(!said.contains("No tengo esa información"), "{said}");
        stage.says("sí").await;
        let placed = &stage.desk.called("create_order")[0];
        assert_eq!(placed["notes"], json!(note));
        assert!(stage.desk.called("escalate_to_human").is_empty());
    }
}

#[tokio::test]
async fn no_allergy_is_noted_that_nobody_has() {
    for message in [
        "no soy alérgico a nada",
        "¿es bueno para alérgicos?",
        "sin cebolla",
    ] {
        let mut stage = at_taqueria();
        stage.says("4 tacos de pastor para llevar en Roma").await;
        stage.says(message).await;
        stage.says("sí").await;
        let placed = stage.desk.called("create_order");
        assert_eq!(placed[0]["notes"], json!(null), "{message}");
    }
}

/// What is happening already is another matter.
#[tokio::test]
async fn a_reaction_is_no_note() {
    let mut stage = at_taqueria();
    let said = stage
        .says("soy alérgica a la nuez y se me está cerrando la garganta, no puedo respirar")
        .await;
    assert!(said.contains("emergenc"), "{said}");
}

/// Whoever treats somebody reads it too, and the appointment stays where it was.
#[tokio::test]
async fn an_allergy_told_on_the_way_to_a_booking_is_noted() {
    let now = "2026-06-09T10:15[America/Mexico_City]";
    for asked in ["soy alérgica a la penicilina", "I'm allergic to penicillin"] {
        let mut stage = Stage::new(Fake::new(clinic(), now, 0)).known_as("Ana Soto");
        stage.says("quiero una limpieza el jueves a las 4").await;
        let said = stage.says(asked).await;
        assert!(
            said.contains("11") && said.contains("4:00 p"),
            "{asked}: {said}"
        );
        stage.says("sí").await;
        let made = &stage.desk.called("create_appointment")[0];
        assert_eq!(made["notes"], json!(asked));
        assert!(made["slot_id"].as_str().unwrap().contains("2026-06-11|960"));
        assert!(stage.desk.called("escalate_to_human").is_empty());
    }
}
