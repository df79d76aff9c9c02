//! Orders that are told in portions: halves, so many of each, some in another way, and what is changed when the
//! order is read back.

use super::business::taqueria;
use super::desk::Fake;
use super::stage::Stage;
use serde_json::{Value, json};

/// Tuesday afternoon, when both branches are open.
const NOW: &str = "2026-06-09T15:30[America/Mexico_City]";

/// The taquería with more kinds of tacos, and dishes that are called like what others are made with.
fn with_more_dishes() -> Value {
    let extra = |units: i64| json!({ "amount": units * 100, "currency": "MXN" });
    let extras = json!([{ "name": "Extras", "max": 3, "choices": [
        { "name": "Queso", "aliases": ["con queso", "cheese"], "extra": extra(12) },
        { "name": "Guacamole", "aliases": ["con guacamole"], "extra": extra(15) },
    ]}]);
    let filling = json!([{ "name": "Relleno", "required": true, "min": 1, "max": 1, "choices": [
        { "name": "Hongos", "extra": extra(0) },
        { "name": "Flor de calabaza", "aliases": ["flor"], "extra": extra(0) },
    ]}]);
    let mut business = taqueria();
    business["delivery"]["min_order"] = json!(0);
    let menu = business["menu"].as_array_mut().unwrap();
    menu[0]["options"] = extras.clone();
    menu[1]["options"] = extras.clone();
    menu[8]["aliases"] = json!(["coca", "refresco"]);
    menu[9]["aliases"] = json!(["cerveza", "chela", "clara"]);
    for more in [
        json!({ "id": "p1", "name": "Taco de suadero", "price": 30, "aliases": ["suadero"], "options": extras }),
        json!({ "id": "p2", "name": "Taco de lengua", "price": 48, "aliases": ["lengua"] }),
        json!({ "id": "p3", "name": "Taco de pollo", "price": 30, "aliases": ["pollo"], "options": extras }),
        json!({ "id": "p4", "name": "Taco de pescado", "price": 42, "aliases": ["pescado"] }),
        json!({ "id": "p5", "name": "Cebollitas cambray", "price": 38, "aliases": ["cebollitas", "cebollas asadas"] }),
        json!({ "id": "p6", "name": "Guacamole con totopos", "price": 98, "aliases": ["guacamole"] }),
        json!({ "id": "p7", "name": "Cerveza oscura", "price": 55, "aliases": ["oscura", "chela oscura"], "category": "Cervezas" }),
        json!({ "id": "p8", "name": "Refresco de toronja", "price": 35, "aliases": ["toronja"] }),
        json!({ "id": "p9", "name": "Flan de la casa", "price": 58, "aliases": ["flan"] }),
        json!({ "id": "p10", "name": "Café de olla", "price": 38, "aliases": ["café"] }),
        json!({ "id": "p11", "name": "Quesadilla", "price": 52, "options": filling }),
    ] {
        menu.push(more);
    }
    business
}

fn at_taqueria() -> Stage {
    Stage::new(Fake::new(with_more_dishes(), NOW, 0)).known_as("Ana Soto")
}

/// What is noted after a message that orders something.
async fn noted(asked: &str) -> String {
    at_taqueria().says(asked).await
}

#[tokio::test]
async fn what_is_left_off_is_no_dish() {
    for (asked, told) in [
        (
            "10 de pastor 3 sin cebolla 2 sin cilantro",
            "5 Taco al pastor, 3 Taco al pastor (sin cebolla) y 2 Taco al pastor (sin cilantro).",
        ),
        (
            "4 de pastor y 4 de suadero, 2 de cada uno sin cebolla",
            "2 Taco al pastor, 2 Taco de suadero, 2 Taco al pastor (sin cebolla) y 2 Taco de suadero (sin cebolla).",
        ),
        (
            "8 de bistec 2 sin cebolla y una coca",
            "6 Taco de bistec, 2 Taco de bistec (sin cebolla) y 1 Refresco de cola.",
        ),
    ] {
        let said = noted(asked).await;
        assert!(said.contains(told), "{asked}: {said}");
    }
}

#[tokio::test]
async fn a_filling_that_the_menu_lacks_is_asked_about() {
    for asked in ["cinco de asada", "3 tacos al pastor y 2 de asada"] {
        let said = noted(asked).await;
        assert!(
            said.contains("No encuentro «asada»") && !said.contains("5 Cebollitas"),
            "{asked}: {said}"
        );
    }
    // What a name joins with "de" is still enough to name it.
    let said = noted("dos de milanesa y 3 de lengua").await;
    assert!(
        said.contains("2 Torta de milanesa y 3 Taco de lengua"),
        "{said}"
    );
}

#[tokio::test]
async fn halves_are_numbers() {
    for (asked, told) in [
        (
            "6 tacos al pastor, la mitad sin piña y la otra mitad con queso",
            "3 Taco al pastor (Queso) y 3 Taco al pastor (sin piña).",
        ),
        (
            "10 tacos, la mitad de pastor y la otra mitad de bistec",
            "5 Taco al pastor y 5 Taco de bistec.",
        ),
        (
            "6 tacos mitad pastor y mitad suadero",
            "3 Taco al pastor y 3 Taco de suadero.",
        ),
        (
            "6 tacos de pastor y 2 cocas, la mitad de los tacos sin piña",
            "3 Taco al pastor, 2 Refresco de cola y 3 Taco al pastor (sin piña).",
        ),
        (
            "8 tacos: 3 de pastor y el resto de suadero",
            "3 Taco al pastor y 5 Taco de suadero.",
        ),
    ] {
        let said = noted(asked).await;
        assert!(said.contains(told), "{asked}: {said}");
    }
    let said = noted("6 tacos al pastor, half of them without pineapple").await;
    assert!(
        said.contains("3 Taco al pastor y 3 Taco al pastor (without pineapple)"),
        "{said}"
    );
    let mut stage = at_taqueria();
    stage.says("6 tacos al pastor").await;
    let said = stage.says("a la mitad ponles queso").await;
    assert!(
        said.contains("3 Taco al pastor y 3 Taco al pastor (Queso)"),
        "{said}"
    );
}

#[tokio::test]
async fn some_of_a_kind_are_wanted_in_another_way() {
    for (asked, told) in [
        (
            "4 gringas, 2 de pastor y 2 de bistec, una de las de pastor sin piña",
            "1 Gringa (Pastor), 2 Gringa (Bistec) y 1 Gringa (Pastor, sin piña).",
        ),
        (
            "4 tacos de pastor, 2 cocas una sin hielo y otra normal",
            "4 Taco al pastor, 1 Refresco de cola y 1 Refresco de cola (sin hielo).",
        ),
        (
            "3 tacos de pollo y 3 de pastor, los de pollo con guacamole",
            "3 Taco de pollo (Guacamole) y 3 Taco al pastor.",
        ),
        (
            "6 tacos, 3 de pastor, 3 de bistec, los de pastor sin piña y los de bistec con queso",
            "3 Taco al pastor (sin piña) y 3 Taco de bistec (Queso).",
        ),
        (
            "5 tacos de suadero, 2 bien doraditos y los demas normales",
            "3 Taco de suadero y 2 Taco de suadero (bien doraditos).",
        ),
        (
            "2 de pastor y 2 de suadero, estos ultimos con queso",
            "2 Taco al pastor y 2 Taco de suadero (Queso).",
        ),
        (
            "3 tacos de bistec con queso, 2 sin queso y 1 con guacamole",
            "1 Taco de bistec (Queso, Guacamole) y 2 Taco de bistec.",
        ),
    ] {
        let said = noted(asked).await;
        assert!(said.contains(told), "{asked}: {said}");
    }
    let said = noted("3 al pastor tacos with no onion and cheese on one of them").await;
    assert!(
        said.contains("2 Taco al pastor (with no onion)")
            && said.contains("1 Taco al pastor (Queso"),
        "{said}"
    );
}

#[tokio::test]
async fn a_number_and_its_parts_are_divided() {
    for (asked, told) in [
        (
            "4 chelas, 2 claras 2 oscuras",
            "2 Cerveza clara y 2 Cerveza oscura.",
        ),
        (
            "2 refrescos, 1 toronja y 1 d cola",
            "1 Refresco de toronja y 1 Refresco de cola.",
        ),
        (
            "4 tacos al pastor, 2 tacos de bistec y 2 de suadero",
            "4 Taco al pastor, 2 Taco de bistec y 2 Taco de suadero.",
        ),
        (
            "5 aguas de horchata, 2 chicas y 3 grandes",
            "2 Agua de horchata (Chica) y 3 Agua de horchata (Grande).",
        ),
        (
            "4 gringas, 2 pastor y 2 bistec",
            "2 Gringa (Pastor) y 2 Gringa (Bistec).",
        ),
        (
            "3 de cada uno: pastor, suadero y lengua",
            "3 Taco al pastor, 3 Taco de suadero y 3 Taco de lengua.",
        ),
        (
            "una docena de tacos, 4 de cada uno: pastor, suadero y lengua",
            "4 Taco al pastor, 4 Taco de suadero y 4 Taco de lengua.",
        ),
    ] {
        let said = noted(asked).await;
        assert!(said.contains(told), "{asked}: {said}");
    }
    let mut stage = at_taqueria();
    stage.says("3 para recoger a las 6").await;
    let said = stage.says("de pastor").await;
    assert!(said.contains("3 Taco al pastor"), "{said}");
}

#[tokio::test]
async fn what_is_changed_when_it_is_read_back_is_read_back_again() {
    for (first, then, told) in [
        (
            "3 tacos al pastor para llevar en Roma",
            "si pero no los de pastor, de bistec",
            ": 3 Taco de bistec,",
        ),
        (
            "3 tacos al pastor para llevar en Roma",
            "dice que 4",
            ": 4 Taco al pastor,",
        ),
        (
            "6 tacos al pastor para llevar en Roma",
            "que 2 sean de bistec y el resto de pastor",
            ": 4 Taco al pastor y 2 Taco de bistec,",
        ),
        (
            "2 gringas de pastor para llevar en Roma",
            "que 1 sea de bistec",
            ": 1 Gringa (Pastor) y 1 Gringa (Bistec),",
        ),
        (
            "4 tacos al pastor para llevar en Roma",
            "espera, quita la piña de 2",
            ": 2 Taco al pastor y 2 Taco al pastor (sin piña),",
        ),
        (
            "4 tacos al pastor para llevar en Roma",
            "sure, but no onions",
            ": 4 Taco al pastor (without onions),",
        ),
        (
            "4 tacos al pastor to go from Roma",
            "swap two of them for suadero",
            ": 2 Taco al pastor and 2 Taco de suadero,",
        ),
        (
            "5 tacos al pastor to go from Roma",
            "yes but make two of them suadero",
            ": 3 Taco al pastor and 2 Taco de suadero,",
        ),
        (
            "2 tacos al pastor y un flan para llevar en Roma",
            "quita todo menos el flan y agrega un cafe",
            ": 1 Flan de la casa y 1 Café de olla,",
        ),
        (
            "4 tacos al pastor y 3 cocas para llevar en Roma",
            "quitale la cebolla a 2",
            ": 2 Taco al pastor, 3 Refresco de cola y 2 Taco al pastor (sin cebolla),",
        ),
        (
            "4 tacos al pastor to go from Roma",
            "yes please, without pineapple on two of them",
            ": 2 Taco al pastor and 2 Taco al pastor (without pineapple),",
        ),
        (
            "4 tacos al pastor para llevar en Roma",
            "si pero la mitad de suadero",
            ": 2 Taco al pastor y 2 Taco de suadero,",
        ),
        (
            "4 tacos al pastor para llevar en Roma",
            "si pero 5",
            ": 5 Taco al pastor,",
        ),
        (
            "4 tacos al pastor para llevar en Roma",
            "perfecto, y los quiero en la Centro",
            ": 4 Taco al pastor, para recoger en Centro",
        ),
        (
            "4 tacos al pastor para llevar en Roma",
            "sí, pero que vengan como la otra vez",
            ": 4 Taco al pastor,",
        ),
    ] {
        let mut stage = at_taqueria();
        stage.says(first).await;
        let said = stage.says(then).await;
        assert!(said.contains(told), "{then}: {said}");
        assert!(stage.desk.called("create_order").is_empty(), "{then}");
    }
    let mut stage = at_taqueria();
    stage.says("4 tacos al pastor para llevar en Roma").await;
    stage
        .says("mejor mandalos a Calle Tabasco 200, Roma Norte")
        .await;
    let said = stage.says("en efectivo").await;
    assert!(
        said.contains("a domicilio a Calle Tabasco 200, Roma Norte"),
        "{said}"
    );
}

#[tokio::test]
async fn what_somebody_must_not_eat_is_not_ordered_by_that() {
    let mut stage = at_taqueria();
    stage
        .says("quiero pedir 3 tacos de bistec, soy alergico a los mariscos y al pescado")
        .await;
    let said = stage.says("¿cuánto llevo?").await;
    assert!(said.contains("Llevas: 3 Taco de bistec; total"), "{said}");
    let mut stage = at_taqueria();
    stage
        .says("mi hijo es alergico a los mariscos y al pescado: quiero 3 tacos de pollo")
        .await;
    let said = stage.says("¿cuánto llevo?").await;
    assert!(said.contains("Llevas: 3 Taco de pollo; total"), "{said}");
}

#[tokio::test]
async fn an_order_is_placed_as_it_was_read_back() {
    let mut stage = at_taqueria();
    stage
        .says("una quesadilla de flor y una quesadilla de hongos para llevar en Roma")
        .await;
    let said = stage.says("sí").await;
    assert!(
        said.contains("1 Quesadilla (Flor de calabaza) y 1 Quesadilla (Hongos)"),
        "{said}"
    );
    let mut stage = at_taqueria();
    stage.says("4 tacos al pastor a domicilio").await;
    let said = stage
        .says("calle Orizaba 120 depto 5, Roma Norte, hoy a las 5 pm, pago en efectivo")
        .await;
    assert!(said.contains("a las 5:00 p. m."), "{said}");
    stage.says("sí").await;
    let placed = &stage.desk.called("create_order")[0];
    assert_eq!(
        placed["delivery_address"],
        json!("calle Orizaba 120 depto 5, Roma Norte")
    );
    assert_eq!(placed["scheduled_time"], json!("2026-06-09T17:00"));
}
