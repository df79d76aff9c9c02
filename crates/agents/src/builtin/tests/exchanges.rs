//! One thing in the place of another while an order is being taken.

use super::business::taqueria;
use super::desk::Fake;
use super::stage::Stage;
use serde_json::json;

/// Tuesday afternoon, when both branches are open.
const NOW: &str = "2026-06-09T15:30[America/Mexico_City]";

fn at_taqueria() -> Stage {
    let mut business = taqueria();
    for (id, name) in [("t11", "costilla"), ("t12", "lengua")] {
        let taco =
            json!({ "id": id, "name": format!("Taco de {name}"), "price": 33, "aliases": [name] });
        business["menu"].as_array_mut().unwrap().push(taco);
    }
    Stage::new(Fake::new(business, NOW, 0)).known_as("Ana Soto")
}

#[tokio::test]
async fn something_else_comes_in_the_place_of_what_is_named() {
    for (asked, told) in [
        (
            "cambia los de bistec por costilla",
            "3 Taco al pastor y 2 Taco de costilla",
        ),
        (
            "en lugar de bistec que sean de lengua",
            "3 Taco al pastor y 2 Taco de lengua",
        ),
        (
            "en vez de los de bistec ponme de lengua",
            "3 Taco al pastor y 2 Taco de lengua",
        ),
        (
            "los de bistec mejor de lengua",
            "3 Taco al pastor y 2 Taco de lengua",
        ),
        ("mejor de lengua", "3 Taco al pastor y 2 Taco de lengua"),
        (
            "los de pastor que sean de costilla",
            "2 Taco de bistec y 3 Taco de costilla",
        ),
        (
            "en vez de los de bistec quiero 2 gringas de pastor",
            "3 Taco al pastor y 2 Gringa (Pastor)",
        ),
        (
            "instead of beef make it lengua",
            "3 Taco al pastor and 2 Taco de lengua",
        ),
        (
            "ya no de bistec, mejor de costilla",
            "3 Taco al pastor y 2 Taco de costilla",
        ),
        (
            "los de bistec cámbiamelos a lengua",
            "3 Taco al pastor y 2 Taco de lengua",
        ),
        (
            "2 de los de pastor que sean de lengua",
            "1 Taco al pastor, 2 Taco de bistec y 2 Taco de lengua",
        ),
        (
            "can you swap the beef for lengua",
            "3 Taco al pastor and 2 Taco de lengua",
        ),
        // What is better without something is no other thing.
        (
            "los de bistec mejor sin cebolla",
            "3 Taco al pastor y 2 Taco de bistec (sin cebolla)",
        ),
    ] {
        let mut stage = at_taqueria();
        stage
            .says("3 tacos de pastor y 2 de bistec para llevar en Roma")
            .await;
        let said = stage.says(asked).await;
        assert!(said.contains(told), "{asked}: {said}");
        assert!(
            said.contains("confirm") || said.contains("place it"),
            "{said}"
        );
    }
    for (first, asked, told) in [
        (
            "2 gringas de pastor para llevar en Roma",
            "mejor de bistec",
            "2 Gringa (Bistec)",
        ),
        (
            "3 gringas de pastor para llevar en Roma",
            "mejor una de bistec",
            "2 Gringa (Pastor) y 1 Gringa (Bistec)",
        ),
        (
            "2 horchatas grandes y 3 de pastor para llevar en Roma",
            "las horchatas mejor chicas",
            "2 Agua de horchata (Chica) y 3 Taco al pastor",
        ),
        (
            "hola",
            "quiero 3 de pastor en lugar de bistec, para llevar en Roma",
            "3 Taco al pastor",
        ),
        (
            "3 de pastor para llevar en Roma",
            "mejor para mañana a las 3",
            "3 Taco al pastor, para recoger en Roma, para el miércoles 10 de junio a las 3:00 p. m.",
        ),
    ] {
        let mut stage = at_taqueria();
        stage.says(first).await;
        let said = stage.says(asked).await;
        assert!(said.contains(told), "{asked}: {said}");
    }
}

#[tokio::test]
async fn what_they_shall_not_have_is_noted_of_all() {
    for asked in [
        "que no lleven verdura",
        "que no tengan verdura",
        "no les pongas verdura",
    ] {
        let mut stage = at_taqueria();
        stage
            .says("3 tacos de pastor, 2 de bistec y una coca para llevar en Roma")
            .await;
        let said = stage.says(asked).await;
        assert!(
            said.contains("3 Taco al pastor (sin verdura), 2 Taco de bistec (sin verdura) y 1 Refresco de cola,"),
            "{asked}: {said}"
        );
        assert!(said.contains("para recoger"), "{asked}: {said}");
    }
}

#[tokio::test]
async fn what_they_shall_have_is_noted() {
    for (asked, told) in [
        ("que lleven mucha salsa", "4 Taco al pastor (mucha salsa)"),
        ("1 sin nada xfa", "1 Taco al pastor (sin nada)"),
    ] {
        let mut stage = at_taqueria();
        stage.says("4 tacos de pastor para llevar en Roma").await;
        let said = stage.says(asked).await;
        assert!(said.contains(told), "{asked}: {said}");
        assert!(said.contains("para recoger"), "{asked}: {said}");
    }
}

/// Nobody can tell which one a yes means.
#[tokio::test]
async fn a_yes_to_one_of_several_is_asked_again() {
    let mut stage = at_taqueria();
    let asked = stage
        .says("4 tacos de pastor y 2 tortas para llevar en Roma")
        .await;
    assert!(asked.contains("Torta ahogada"), "{asked}");
    let said = stage.says("si").await;
    assert!(
        said.contains("4 Taco al pastor") && said.contains("Torta ahogada"),
        "{said}"
    );
    let said = stage.says("de milanesa").await;
    assert!(
        said.contains("4 Taco al pastor y 2 Torta de milanesa"),
        "{said}"
    );
}
