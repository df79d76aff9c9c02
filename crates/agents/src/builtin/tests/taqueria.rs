//! What becomes of the words of an order: lines, choices, a branch, a question back.

use super::business::taqueria;
use super::desk::Fake;
use super::stage::Stage;
use serde_json::json;

/// Tuesday afternoon, when both branches are open.
const NOW: &str = "2026-06-09T15:30[America/Mexico_City]";

fn at_taqueria() -> Stage {
    Stage::new(Fake::new(taqueria(), NOW, 0)).known_as("Ana Soto")
}

#[tokio::test]
async fn what_stands_behind_how_it_is_handed_over_is_ordered_too() {
    let mut stage = at_taqueria();
    let said = stage
        .says("2 gringas de pastor para llevar Roma y un agua de horchata grande")
        .await;
    for told in [
        "2 Gringa (Pastor)",
        "1 Agua de horchata (Grande)",
        "en Roma",
        "$224",
    ] {
        assert!(said.contains(told), "{told}: {said}");
    }
    stage.says("sí").await;
    let placed = &stage.desk.called("create_order")[0];
    assert_eq!(placed["branch_name"], json!("Roma"));
    assert_eq!(placed["items"].as_array().unwrap().len(), 2);

    let mut stage = at_taqueria();
    let said = stage
        .says("3 tacos al pastor para recoger en la sucursal Centro con queso, y una coca")
        .await;
    for told in [
        "3 Taco al pastor (Queso)",
        "1 Refresco de cola",
        "en Centro",
        "$155",
    ] {
        assert!(said.contains(told), "{told}: {said}");
    }
    let mut stage = at_taqueria();
    let said = stage
        .says("hi, I'd like two gringas with bistec to go from Roma and a coca please")
        .await;
    assert!(
        said.contains("2 Gringa (Bistec)") && said.contains("1 Refresco de cola"),
        "{said}"
    );
}
