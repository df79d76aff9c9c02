//! An order that was placed: what is asked of it, and what is to be changed of it.

use super::business::{clinic, taqueria};
use super::desk::Fake;
use super::stage::Stage;
use serde_json::json;

/// Tuesday afternoon, when both branches are open.
const NOW: &str = "2026-06-09T15:30[America/Mexico_City]";

async fn ordered() -> Stage {
    let mut stage = Stage::new(Fake::new(taqueria(), NOW, 0)).known_as("Ana Soto");
    stage.says("4 tacos al pastor para llevar en Roma").await;
    let said = stage.says("sí").await;
    assert!(said.contains("quedó registrado"), "{said}");
    stage
}

#[tokio::test]
async fn what_is_asked_after_an_order_is_about_it() {
    let mut stage = ordered().await;
    for asked in [
        "¿ya pedí?",
        "¿en qué va mi pedido?",
        "sí quedó mi pedido?",
        "ya quedo registrado?",
        "is my order in?",
        "did my order go through?",
    ] {
        let said = stage.says(asked).await;
        assert!(
            said.contains("pedido 1 está") || said.contains("order 1 is"),
            "{asked}: {said}"
        );
    }
    let said = stage.says("cancela mi pedido").await;
    assert!(said.contains("¿Seguro"), "{said}");
    let said = stage.says("sí").await;
    assert!(said.contains("pedido 1 quedó cancelado"), "{said}");
}

#[tokio::test]
async fn what_is_sent_is_not_changed_silently() {
    for asked in [
        "agrégale una coca",
        "me agregas 2 cocas porfa?",
        "quítale un taco",
        "mejor que sean 5",
        "mejor sin cebolla",
        "ponle también una horchata",
        "add a coke please",
    ] {
        let mut stage = ordered().await;
        let said = stage.says(asked).await;
        let sent = said.contains("ya quedó enviado") || said.contains("already been sent");
        assert!(sent && said.contains(" 1 "), "{asked}: {said}");
        stage.says("sí").await;
        let called = stage.desk.called("escalate_to_human");
        let why = called[0]["reason"].as_str().unwrap();
        assert!(why.contains(asked), "{why}");
        assert_eq!(stage.desk.called("create_order").len(), 1, "{asked}");
    }
}

#[tokio::test]
async fn another_order_is_said_to_be_one() {
    let mut stage = ordered().await;
    stage.says("agrégale 3 cocas").await;
    let said = stage.says("hazlo como pedido aparte").await;
    assert!(
        said.contains("por separado") && said.contains("3 Refresco de cola"),
        "{said}"
    );
    stage.says("para recoger en Roma").await;
    stage.says("sí").await;
    let placed = stage.desk.called("create_order");
    assert_eq!(placed[1]["items"].as_array().unwrap().len(), 1);
    // What was not wanted apart is no part of it.
    let mut stage = ordered().await;
    stage.says("agrégale 3 cocas").await;
    let said = stage
        .says("no, quiero otro pedido: 3 tacos de bistec para llevar en Roma")
        .await;
    assert!(said.contains("por separado"), "{said}");
    let mut stage = ordered().await;
    let said = stage
        .says("quiero 3 tacos de bistec para llevar en Roma")
        .await;
    assert!(
        said.contains("por separado") && said.contains("3 Taco de bistec"),
        "{said}"
    );
    let said = stage.says("con tarjeta").await;
    assert!(!said.contains("por separado"), "once is enough: {said}");
}

#[tokio::test]
async fn the_offer_of_a_person_outlives_a_name() {
    for name in ["soy Ana Gil", "Ana Gil", "Ana Gil, 4421234567"] {
        let now = "2026-06-09T10:15[America/Mexico_City]";
        let mut stage = Stage::new(Fake::new(clinic(), now, 0));
        let said = stage
            .says("quiero un blanqueamiento, estoy embarazada")
            .await;
        assert!(said.contains("una persona del equipo?"), "{said}");
        let said = stage.says(name).await;
        assert!(
            said.contains("lo anoto") && said.contains("persona del equipo"),
            "{name}: {said}"
        );
        let said = stage.says("sí").await;
        assert!(said.contains("Ya avisé al equipo"), "{name}: {said}");
        let called = stage.desk.called("escalate_to_human");
        assert_ne!(
            called[0]["reason"],
            json!("El cliente pide una persona: sí")
        );
    }
}
