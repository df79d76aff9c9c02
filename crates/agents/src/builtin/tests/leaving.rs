//! Ways out of whatever is being settled.

use super::business::{clinic, kitchen};
use super::desk::Fake;
use super::stage::Stage;
use quipu_core::agent::ResponseStyle;

const NOON: &str = "2026-06-12T13:00[America/Mexico_City]";
const WAYS: &[&str] = &[
    "olvídalo",
    "ya no quiero nada",
    "mejor no, gracias",
    "no gracias",
    "déjalo",
    "never mind",
    "forget it, thanks",
    "cancel that",
    "adiós",
    "ok bye",
];

fn wrote(stage: &Stage) -> usize {
    let written = [
        "create_order",
        "create_appointment",
        "request_invoice",
        "redeem_reward",
        "cancel_order",
        "cancel_appointment",
    ];
    written
        .iter()
        .map(|tool| stage.desk.called(tool).len())
        .sum()
}

fn is_left(said: &str) -> bool {
    said.contains("lo dejamos así") || said.contains("leave it at that")
}

#[tokio::test]
async fn whatever_is_open_can_be_left() {
    for way in WAYS {
        for begun in [
            &["2 quesadillas"][..],
            &["2 quesadillas a domicilio"],
            &["2 quesadillas para recoger en la Roma"],
            &["quiero una mesa para mañana"],
            &["necesito factura"],
        ] {
            let mut stage = Stage::new(Fake::new(kitchen(), NOON, 0)).known_as("Inés");
            for text in begun {
                stage.says(text).await;
            }
            let said = stage.says(way).await;
            assert!(is_left(&said), "{begun:?} {way}: {said}");
            assert_eq!(stage.reply().awaiting, None, "{said}");
            assert_eq!(wrote(&stage), 0);
            // Nothing of it is left over.
            let said = stage.says("un café para recoger en la Roma").await;
            assert!(
                said.contains("1 Café de olla") && !said.contains("Quesadilla"),
                "{begun:?} {way}: {said}"
            );
        }
        let mut stage = Stage::new(Fake::new(clinic(), NOON, 60)).known_as("Inés");
        stage.says("quiero una limpieza el martes a las 12").await;
        let said = stage.says(way).await;
        assert!(is_left(&said), "{way}: {said}");
        assert_eq!(wrote(&stage), 0);
        stage.says("quiero canjear mis puntos").await;
        let said = stage.says(way).await;
        assert!(is_left(&said), "{way}: {said}");
        assert_eq!(wrote(&stage), 0);
    }
}

#[tokio::test]
async fn what_was_made_is_cancelled_and_not_left() {
    let mut stage = Stage::new(Fake::new(clinic(), NOON, 0)).known_as("Inés Vera");
    stage.says("quiero una limpieza el martes a las 12").await;
    stage.says("sí, confirmo").await;
    assert_eq!(stage.desk.called("create_appointment").len(), 1);
    let said = stage.says("mejor cancélala").await;
    assert!(said.contains("¿Seguro"), "{said}");
    let mut stage = Stage::new(Fake::new(kitchen(), NOON, 0)).known_as("Inés");
    stage.says("2 quesadillas para recoger en la Roma").await;
    stage.says("sí").await;
    let said = stage.says("cancela mi pedido").await;
    assert!(said.contains("¿Seguro"), "{said}");
    assert!(stage.says("sí").await.contains("cancelado"));
}

#[tokio::test]
async fn leaving_one_thing_out_is_not_leaving() {
    let mut stage = Stage::new(Fake::new(kitchen(), NOON, 0)).known_as("Inés");
    stage.says("2 quesadillas y una horchata").await;
    let said = stage.says("ya no quiero la horchata").await;
    assert!(!is_left(&said) && said.contains("2 Quesadilla"), "{said}");
    // A yes with a farewell is a yes.
    stage.says("para recoger en la Roma").await;
    stage.says("sí, gracias, bye").await;
    assert_eq!(stage.desk.called("create_order").len(), 1);
}

#[tokio::test]
async fn each_style_leaves_in_its_own_words() {
    let mut said = Vec::new();
    for style in ResponseStyle::ALL {
        let desk = Fake::new(kitchen(), NOON, 0);
        let mut stage = Stage::new(desk).known_as("Inés").style(*style);
        stage.says("2 quesadillas").await;
        said.push(stage.says("olvídalo").await);
    }
    said.dedup();
    assert!(said.len() > 2, "{said:?}");
}
