//! Answers to what has to be chosen: so many of one kind, so many of another.

use super::business::taqueria;
use super::desk::Fake;
use super::stage::Stage;

/// Tuesday afternoon, when both branches are open.
const NOW: &str = "2026-06-09T15:30[America/Mexico_City]";

fn at_taqueria() -> Stage {
    Stage::new(Fake::new(taqueria(), NOW, 0)).known_as("Ana Soto")
}

/// What is said after an order and the answer to what was asked about it.
async fn answered(order: &str, answer: &str) -> String {
    let mut stage = at_taqueria();
    let said = stage.says(order).await;
    assert!(said.contains('?'), "{order}: {said}");
    stage.says(answer).await
}

#[tokio::test]
async fn an_answer_may_divide_what_was_asked_about() {
    for (order, answer, told) in [
        (
            "quiero 3 gringas para llevar en Roma",
            "dos de pastor y una de bistec",
            "2 Gringa (Pastor) y 1 Gringa (Bistec)",
        ),
        (
            "quiero 3 gringas para llevar en Roma",
            "1 bistek, las demás de pastor",
            "1 Gringa (Bistec) y 2 Gringa (Pastor)",
        ),
        (
            "4 gringas para llevar en Roma",
            "mitad pastor y mitad bistec",
            "2 Gringa (Pastor) y 2 Gringa (Bistec)",
        ),
        (
            "quiero 3 tacos para llevar en Roma",
            "2 de pastor y 1 de tripa",
            "2 Taco al pastor y 1 Taco de tripa",
        ),
        (
            "I want 3 gringas to go from Roma",
            "two pastor and one steak",
            "2 Gringa (Pastor) and 1 Gringa (Bistec)",
        ),
        (
            "3 gringas y 2 horchatas para llevar en Roma",
            "todas de pastor, una chica y una grande",
            "3 Gringa (Pastor), 1 Agua de horchata (Chica) y 1 Agua de horchata (Grande)",
        ),
        (
            "2 gringas para llevar en Roma",
            "una de pastor sin cebolla y una de bistec",
            "1 Gringa (Pastor, sin cebolla) y 1 Gringa (Bistec)",
        ),
        (
            "5 gringas para llevar en Roma",
            "tres pastor dos bistec",
            "3 Gringa (Pastor) y 2 Gringa (Bistec)",
        ),
        (
            "2 horchatas para llevar en Roma y 2 tacos de tripa",
            "una de cada una",
            "1 Agua de horchata (Chica) y 1 Agua de horchata (Grande)",
        ),
        (
            "2 gringas para llevar en Roma",
            "las dos de pastor",
            "2 Gringa (Pastor), para recoger en Roma, en unos",
        ),
        (
            "2 gringas para llevar en Roma",
            "de pastor y una coca",
            "2 Gringa (Pastor) y 1 Refresco de cola",
        ),
    ] {
        let said = answered(order, answer).await;
        assert!(
            said.contains(told) && said.contains("total $"),
            "{order} / {answer}: {said}"
        );
    }
}

#[tokio::test]
async fn what_an_answer_leaves_open_is_asked_again() {
    let mut stage = at_taqueria();
    stage.says("3 gringas para llevar en Roma").await;
    let said = stage.says("dos de pastor").await;
    assert!(
        said.contains("2 Gringa (Pastor)") && said.contains("qué carne"),
        "{said}"
    );
    let said = stage.says("la otra de bistec").await;
    assert!(
        said.contains("2 Gringa (Pastor) y 1 Gringa (Bistec)"),
        "{said}"
    );
}

#[tokio::test]
async fn what_was_said_of_a_thing_holds_after_its_kind_is_chosen() {
    let said = answered("2 gringas sin cebolla para llevar en Roma", "de pastor").await;
    assert!(said.contains("2 Gringa (Pastor, sin cebolla)"), "{said}");
}
