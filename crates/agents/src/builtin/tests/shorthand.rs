//! Orders as they are typed in a hurry: nothing that is said beside a dish is a part of its name.

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
async fn how_it_is_fetched_and_good_manners_are_no_part_of_a_dish() {
    for asked in [
        "4 tacos de pastor recoger en Roma xfa",
        "4 tacos de pastor pa llevar en roma plis",
        "4 tacos de pastor pa recoger en la roma pls",
        "xfa 4 tacos de pastor a recoger en Roma",
        "4 al pastor tacos pickup Roma plz",
    ] {
        let said = at_taqueria().says(asked).await;
        assert!(said.contains("4 Taco al pastor,"), "{asked}: {said}");
        let fetched = said.contains("para recoger en Roma") || said.contains("for pickup at Roma");
        assert!(fetched, "{asked}: {said}");
    }
    let said = at_taqueria()
        .says("4 tacos de pastor pa llevar en la roma 8 pm xfa")
        .await;
    assert!(
        said.contains("4 Taco al pastor,") && said.contains("8:00 p. m."),
        "{said}"
    );
}

/// A restaurant may have a workshop whose name has a sauce in it.
#[tokio::test]
async fn what_is_said_of_an_order_begins_no_booking() {
    let mut business = taqueria();
    business["services"] = json!([
        { "id": "taller", "name": "Taller de salsas", "price": 300, "minutes": 90, "staff": [] },
    ]);
    let mut stage = Stage::new(Fake::new(business, NOW, 0)).known_as("Ana Soto");
    stage.says("4 tacos de pastor para llevar en Roma").await;
    let said = stage.says("sin salsa plis").await;
    assert!(said.contains("4 Taco al pastor (sin salsa),"), "{said}");
    let said = stage.says("confirmar").await;
    assert!(said.contains("quedó registrado"), "{said}");
    let placed = &stage.desk.called("create_order")[0];
    assert_eq!(placed["items"][0]["notes"], json!("sin salsa"));
    for asked in ["cuantos pedidos tengo?", "how many orders do I have?"] {
        let said = stage.says(asked).await;
        assert!(said.contains('1') && !said.contains("pedir"), "{said}");
    }
}

#[tokio::test]
async fn nothing_is_ordered_at_a_clinic_by_a_guess() {
    let now = "2026-06-09T10:15[America/Mexico_City]";
    for asked in [
        "en chapinero mejor",
        "Me llamo Rosa Lima",
        "mejor en el sur",
    ] {
        let mut stage = Stage::new(Fake::new(clinic(), now, 0));
        let said = stage.says(asked).await;
        assert!(
            !said.contains("pedir") && !said.contains("carta"),
            "{asked}: {said}"
        );
    }
}
