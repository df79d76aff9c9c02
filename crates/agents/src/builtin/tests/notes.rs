//! How the things of an order are wanted: nothing of that is dropped, and nothing of the menu becomes a
//! note.

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
async fn what_is_wanted_of_all_is_noted_of_all() {
    for (asked, told) in [
        (
            "4 tacos al pastor y 2 de bistec, todos sin cilantro, para llevar en Roma",
            "4 Taco al pastor (sin cilantro) y 2 Taco de bistec (sin cilantro)",
        ),
        (
            "4 tacos al pastor, 2 de bistec y una coca para llevar en Roma, todos sin cebolla",
            "4 Taco al pastor (sin cebolla), 2 Taco de bistec (sin cebolla) y 1 Refresco de cola,",
        ),
        (
            "4 tacos al pastor to go from Roma, all without onion",
            "4 Taco al pastor (without onion)",
        ),
    ] {
        let said = at_taqueria().says(asked).await;
        assert!(said.contains(told), "{asked}: {said}");
    }
    let mut stage = at_taqueria();
    stage
        .says("4 tacos al pastor y una torta ahogada para llevar en Roma")
        .await;
    let said = stage.says("todos los tacos con todo porfa").await;
    assert!(said.contains("4 Taco al pastor (con todo"), "{said}");
    assert!(said.contains("1 Torta ahogada,"), "{said}");
}

#[tokio::test]
async fn how_something_is_wanted_is_noted_or_chosen() {
    for (asked, told) in [
        ("en tortilla de harina", "(en tortilla de harina)"),
        ("q sean en tortilla de maiz", "(en tortilla de maiz)"),
        ("con queso y doble tortilla", "(Queso, doble tortilla)"),
        ("que vengan bien doraditos", "(bien doraditos)"),
        ("on flour tortillas", "(on flour tortillas)"),
        (
            "sin cebolla y una coca",
            "(sin cebolla) y 1 Refresco de cola",
        ),
    ] {
        let mut stage = at_taqueria();
        stage.says("4 tacos al pastor para llevar en Roma").await;
        let said = stage.says(asked).await;
        let told = format!("4 Taco al pastor {told}");
        let told = told.replace(
            " y ",
            if said.contains(" and ") {
                " and "
            } else {
                " y "
            },
        );
        assert!(said.contains(&told), "{asked}: {said}");
    }
    let mut stage = at_taqueria();
    let said = stage
        .says("4 tacos al pastor con queso y doble tortilla para llevar en Roma")
        .await;
    assert!(
        said.contains("4 Taco al pastor (Queso, doble tortilla)") && said.contains("$160"),
        "{said}"
    );
    stage.says("sí").await;
    let placed = &stage.desk.called("create_order")[0];
    assert_eq!(placed["items"][0]["options"], json!(["Queso"]));
    assert_eq!(placed["items"][0]["notes"], json!("doble tortilla"));
    // What food is wanted without is no wish for a drink.
    let mut stage = at_taqueria();
    stage
        .says("4 tacos al pastor y una coca para llevar en Roma")
        .await;
    let said = stage.says("sin cilantro").await;
    assert!(said.contains("4 Taco al pastor (sin cilantro)"), "{said}");
}

#[tokio::test]
async fn some_may_be_wanted_one_way_and_some_another() {
    for (asked, told) in [
        (
            "6 tacos al pastor: 3 con todo y 3 sin cebolla, para llevar en Roma",
            [
                "3 Taco al pastor (con todo)",
                "3 Taco al pastor (sin cebolla)",
            ],
        ),
        (
            "4 tacos al pastor, 2 con queso y 2 sin cilantro, para llevar en Roma",
            [
                "2 Taco al pastor (Queso)",
                "2 Taco al pastor (sin cilantro)",
            ],
        ),
    ] {
        let said = at_taqueria().says(asked).await;
        for told in told {
            assert!(said.contains(told), "{asked}: {said}");
        }
    }
    let mut stage = at_taqueria();
    stage.says("4 tacos al pastor para llevar en Roma").await;
    let said = stage.says("1 con queso y 1 sin cebolla").await;
    for told in [
        "2 Taco al pastor,",
        "1 Taco al pastor (Queso)",
        "1 Taco al pastor (sin cebolla)",
    ] {
        assert!(said.contains(told), "{said}");
    }
}

#[tokio::test]
async fn what_the_menu_has_is_no_note() {
    let mut business = taqueria();
    let guacamole = json!({ "id": "t11", "name": "Guacamole", "price": 60 });
    business["menu"].as_array_mut().unwrap().push(guacamole);
    let stage = || Stage::new(Fake::new(business.clone(), NOW, 0)).known_as("Ana Soto");
    for asked in [
        "4 tacos al pastor con guacamole para llevar en Roma",
        "4 tacos al pastor con un guacamole para llevar en Roma",
        "4 tacos al pastor con guacamole y sin cebolla para llevar en Roma",
    ] {
        let said = stage().says(asked).await;
        assert!(said.contains("1 Guacamole"), "{asked}: {said}");
    }
    let mut stage = stage();
    stage.says("4 tacos al pastor para llevar en Roma").await;
    let said = stage.says("con guacamole").await;
    assert!(said.contains("1 Guacamole"), "{said}");
}

#[tokio::test]
async fn how_it_is_served_is_no_place() {
    let mut stage = at_taqueria();
    stage
        .says("4 tacos al pastor en tortilla de harina a domicilio")
        .await;
    let said = stage.says("Calle Durango 120, Roma Norte").await;
    assert!(said.contains("pagar"), "{said}");
    let said = stage.says("efectivo").await;
    assert!(said.contains("a Calle Durango 120, Roma Norte,"), "{said}");
}

#[tokio::test]
async fn what_is_ordered_behind_a_wish_for_some_is_ordered() {
    for (asked, told) in [
        (
            "5 tacos al pastor, 2 con todo y 3 sin piña y 2 tortas ahogadas, para llevar en Roma",
            ["(sin piña)", "(con todo)", "2 Torta ahogada"],
        ),
        (
            "4 tacos de bistec, dos sin cebolla y dos sin cilantro y una coca, para llevar en Roma",
            [
                "2 Taco de bistec (sin cebolla)",
                "2 Taco de bistec (sin cilantro)",
                "1 Refresco",
            ],
        ),
        (
            "4 al pastor tacos, 2 with no onion, and 2 cokes, to go from Roma",
            [
                "2 Taco al pastor (with no onion)",
                "2 Taco al pastor",
                "2 Refresco",
            ],
        ),
    ] {
        let said = at_taqueria().says(asked).await;
        for told in told {
            assert!(said.contains(told), "{asked}: {told}: {said}");
        }
    }
}

#[tokio::test]
async fn so_many_and_no_more_is_the_number_of_all() {
    for (asked, told) in [
        (
            "solo 2 de bistec mejor",
            "3 Taco al pastor y 2 Taco de bistec",
        ),
        (
            "sólo 2 tacos de bistec",
            "3 Taco al pastor y 2 Taco de bistec",
        ),
        (
            "nada más, mañana 5pm",
            "3 Taco al pastor y 3 Taco de bistec",
        ),
    ] {
        let mut stage = at_taqueria();
        stage
            .says("3 tacos al pastor y 3 de bistec para llevar en Roma")
            .await;
        let said = stage.says(asked).await;
        assert!(said.contains(told), "{asked}: {said}");
    }
    let mut stage = at_taqueria();
    stage
        .says("5 tacos al pastor, 2 con todo y 3 sin piña, para llevar en Roma")
        .await;
    let said = stage.says("mejor que sean 4 al pastor").await;
    // Four in all, the latest taken away first.
    assert!(said.contains("total $112"), "{said}");
}
