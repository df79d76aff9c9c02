//! Orders that are put right before they are placed.

use super::business::kitchen;
use super::desk::Fake;
use super::stage::Stage;
use crate::supervisor::Awaiting;
use serde_json::{Value, json};

const NOON: &str = "2026-06-12T13:00[America/Mexico_City]";
const NIGHT: &str = "2026-06-12T23:30[America/Mexico_City]";

fn at_kitchen() -> Stage {
    Stage::new(Fake::new(kitchen(), NOON, 0)).known_as("Inés")
}

async fn after(first: &str, then: &str) -> String {
    let mut stage = at_kitchen();
    stage.says(first).await;
    stage.says(then).await
}

#[tokio::test]
async fn things_are_taken_out_in_many_words() {
    let first = "2 tacos al pastor, una quesadilla y dos cocas, para recoger en la Roma";
    for (then, left) in [
        (
            "quita una coca",
            "2 Taco al pastor, 1 Quesadilla de queso y 1 Refresco",
        ),
        ("sin las cocas", "2 Taco al pastor y 1 Quesadilla de queso"),
        (
            "ya no quiero la quesadilla",
            "2 Taco al pastor y 2 Refresco de cola",
        ),
        (
            "mejor sin la quesadilla",
            "2 Taco al pastor y 2 Refresco de cola",
        ),
        (
            "remove one coke please",
            "2 Taco al pastor, 1 Quesadilla de queso and 1 Refresco",
        ),
        (
            "I don't want the quesadilla",
            "2 Taco al pastor and 2 Refresco de cola",
        ),
    ] {
        let said = after(first, then).await;
        assert!(said.contains(left), "{then}: {said}");
    }
}

#[tokio::test]
async fn the_thing_that_is_named_is_counted_anew() {
    let first = "2 tacos al pastor, una quesadilla y una coca, para recoger en la Roma";
    for (then, left) in [
        (
            "que sean tres cocas",
            "2 Taco al pastor, 1 Quesadilla de queso y 3 Refresco",
        ),
        (
            "mejor 4 tacos",
            "4 Taco al pastor, 1 Quesadilla de queso y 1 Refresco",
        ),
        (
            "make it four tacos",
            "4 Taco al pastor, 1 Quesadilla de queso and 1 Refresco",
        ),
        (
            "cambia la quesadilla por un café",
            "2 Taco al pastor, 1 Refresco de cola y 1 Café",
        ),
        (
            "un café en vez de la coca",
            "2 Taco al pastor, 1 Quesadilla de queso y 1 Café",
        ),
    ] {
        let said = after(first, then).await;
        assert!(said.contains(left), "{then}: {said}");
    }
}

#[tokio::test]
async fn a_kind_of_which_there_are_several_is_asked_for() {
    let mut stage = at_kitchen();
    stage
        .says("2 tacos al pastor y 1 taco de bistec, para recoger en la Roma")
        .await;
    let said = stage.says("mejor 5 tacos").await;
    assert!(said.contains("bistec") && said.contains("¿Cuál"), "{said}");
    let said = stage.says("los de bistec").await;
    assert!(
        said.contains("2 Taco al pastor y 5 Taco de bistec"),
        "{said}"
    );
}

#[tokio::test]
async fn more_comes_along_and_is_not_taken_for_a_note() {
    let first = "2 tacos al pastor para recoger en la Roma";
    for then in ["y también una coca", "con una coca", "una coca más"] {
        let said = after(first, then).await;
        assert!(
            said.contains("2 Taco al pastor y 1 Refresco de cola"),
            "{then}: {said}"
        );
    }
    let mut stage = at_kitchen();
    let said = stage.says("2 tacos al pastor con una coca").await;
    assert!(
        said.contains("2 Taco al pastor y 1 Refresco de cola"),
        "{said}"
    );
    // Asked for the address, it is still no address.
    let said = stage.says("a domicilio").await;
    assert_eq!(stage.reply().awaiting, Some(Awaiting::Address), "{said}");
    let said = stage.says("con un café").await;
    assert!(
        said.contains("1 Café de olla") && said.contains("dirección"),
        "{said}"
    );
}

#[tokio::test]
async fn some_of_several_are_wanted_in_another_way() {
    let mut stage = at_kitchen();
    stage.says("3 tacos al pastor a domicilio").await;
    let said = stage.says("uno de los tacos sin cebolla").await;
    assert!(
        said.contains("2 Taco al pastor y 1 Taco al pastor (sin cebolla)"),
        "{said}"
    );
    assert_eq!(stage.reply().awaiting, Some(Awaiting::Address), "{said}");
    let said = stage.says("quita la cebolla").await;
    assert!(!said.contains("No encuentro"), "{said}");
    stage.says("calle Olmo 12, Narvarte").await;
    stage.says("tarjeta").await;
    stage.says("sí").await;
    let placed = &stage.desk.called("create_order")[0]["items"];
    assert_eq!(placed[0]["quantity"], json!(2));
    assert_eq!(placed[1]["notes"], json!("sin cebolla"));
}

#[tokio::test]
async fn english_words_find_things_of_a_spanish_menu() {
    let mut stage = at_kitchen();
    let said = stage
        .says("hi, I'd like two cokes, a cheese quesadilla and three steak tacos for pickup")
        .await;
    for thing in [
        "2 Refresco de cola",
        "1 Quesadilla de queso",
        "3 Taco de bistec",
    ] {
        assert!(said.contains(thing), "{thing}: {said}");
    }
}

#[tokio::test]
async fn a_thing_that_is_nearly_named_is_asked_about_in_english_too() {
    let mut business = kitchen();
    business["menu"][2]["name"] = json!("Quesadilla");
    let mut stage = Stage::new(Fake::new(business, NOON, 0)).known_as("Inés");
    let said = stage.says("two cokes and a chicken quesadilla").await;
    assert!(
        said.contains("2 Refresco de cola") && said.contains("Quesadilla"),
        "{said}"
    );
    stage.says("yes").await;
    let said = stage.says("pickup at Roma").await;
    assert!(said.contains("1 Quesadilla"), "{said}");
    let said = stage.says("make it three cokes").await;
    assert!(
        said.starts_with("Your order would be: 3 Refresco"),
        "{said}"
    );
}

#[tokio::test]
async fn a_note_goes_to_the_thing_that_it_names() {
    let first = "3 tacos al pastor y 2 quesadillas para recoger en la Roma";
    for (then, note) in [
        ("los tacos sin cilantro", "3 Taco al pastor (sin cilantro)"),
        (
            "sin cilantro los de pastor",
            "3 Taco al pastor (sin cilantro)",
        ),
        (
            "quítale la cebolla a los tacos",
            "3 Taco al pastor (sin cebolla)",
        ),
        ("no onions on the tacos", "3 Taco al pastor (no onions)"),
        ("sin salsa por favor", "2 Quesadilla de queso (sin salsa"),
    ] {
        let said = after(first, then).await;
        assert!(said.contains(note), "{then}: {said}");
    }
}

#[tokio::test]
async fn what_the_menu_does_not_have_is_told_and_the_rest_is_kept() {
    for first in ["2 tacos al pastor y una pizza", "2 tacos al pastor y sushi"] {
        let said = at_kitchen().says(first).await;
        let thing = first.rsplit(' ').next().unwrap();
        assert!(
            said.contains(&format!("«{thing}»")) && said.contains("2 Taco al pastor"),
            "{said}"
        );
        assert!(said.contains("¿Es para recoger"), "{said}");
    }
    let mut stage = at_kitchen();
    let said = stage.says("2 tacos al pastor y una horchata").await;
    assert!(
        said.contains("2 Taco al pastor") && said.contains("Grande"),
        "{said}"
    );
    let said = stage.says("grande").await;
    assert!(said.contains("1 Agua de horchata (Grande)"), "{said}");
    // What was not clear can be left out instead.
    let mut stage = at_kitchen();
    stage.says("2 tacos al pastor y una horchata").await;
    let said = stage.says("ya no quiero la horchata").await;
    assert!(
        said.contains("2 Taco al pastor. ¿Es para recoger"),
        "{said}"
    );
}

#[tokio::test]
async fn the_end_of_the_list_is_no_yes() {
    let mut stage = at_kitchen();
    let said = stage.says("2 quesadillas y un café, eso es todo").await;
    assert_eq!(
        stage.reply().awaiting,
        Some(Awaiting::DeliveryOrPickup),
        "{said}"
    );
    stage.says("a domicilio a calle Olmo 12, Narvarte").await;
    let said = stage.says("nada más").await;
    assert_eq!(stage.reply().awaiting, Some(Awaiting::Payment), "{said}");
    let said = stage.says("efectivo, a nombre de Olga Ruiz").await;
    for part in [
        "$167",
        "envío de $45",
        "calle Olmo 12",
        "40 minutos",
        "Olga Ruiz",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    for then in ["eso es todo", "that's all", "no, nada más"] {
        let said = stage.says(then).await;
        assert!(
            stage.desk.called("create_order").is_empty(),
            "{then}: {said}"
        );
        assert_eq!(
            stage.reply().awaiting,
            Some(Awaiting::Confirmation),
            "{said}"
        );
    }
    stage.says("sí, eso es todo").await;
    let placed = &stage.desk.called("create_order")[0];
    assert_eq!(placed["customer_name"], json!("Olga Ruiz"));
}

#[tokio::test]
async fn the_branch_and_the_moment_are_read_back() {
    let mut stage = at_kitchen();
    let said = stage.says("una coca para recoger en la roma").await;
    for part in [
        "1 Refresco de cola",
        "para recoger en Roma",
        "20 minutos",
        "$28",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    stage.says("sí").await;
    let placed = &stage.desk.called("create_order")[0];
    assert_eq!(placed["branch_name"], json!("Roma"));
    assert_eq!(placed["order_type"], json!("pickup"));
}

#[tokio::test]
async fn a_place_that_nothing_is_brought_to_is_told_at_once() {
    for first in [
        "mándame 3 tacos al pastor a Tepito",
        "3 tacos al pastor a domicilio a calle Olmo 12, Tepito",
    ] {
        let mut stage = at_kitchen();
        let said = stage.says(first).await;
        assert!(
            said.contains("no llegamos a Tepito") && said.contains("recogerlo"),
            "{said}"
        );
        let said = stage.says("sí, paso por ellos en la Roma").await;
        assert!(said.contains("para recoger en Roma"), "{said}");
        let mut stage = at_kitchen();
        stage.says(first).await;
        let said = stage.says("mejor a calle Pino 4, Narvarte").await;
        assert!(
            said.contains("3 Taco al pastor") && said.contains("pagar"),
            "{said}"
        );
    }
    // A street alone says nothing about the part of town.
    let mut stage = at_kitchen();
    stage.says("3 tacos al pastor a domicilio").await;
    let said = stage.says("calle Olmo 12").await;
    assert!(said.contains("zona"), "{said}");
    assert!(stage.says("Narvarte").await.contains("pagar"));
}

#[tokio::test]
async fn closed_is_said_once() {
    let mut stage = Stage::new(Fake::new(kitchen(), NIGHT, 0)).known_as("Inés");
    let first = stage.says("2 quesadillas para recoger en la Roma").await;
    assert!(
        first.contains("cerrados") && first.contains("10:00 a. m."),
        "{first}"
    );
    let second = stage.says("y también un café").await;
    assert!(
        !second.contains("cerrados") && second.contains("1 Café") && second.contains("10:00 a. m."),
        "{second}"
    );
    let said = stage.says("sí, prográmalo").await;
    assert!(
        said.contains("para el sábado 13 de junio a las 10:00 a. m.") && said.contains("$122"),
        "{said}"
    );
    let mut stage = Stage::new(Fake::new(kitchen(), NIGHT, 0)).known_as("Inés");
    stage.says("2 quesadillas para recoger en la Roma").await;
    let said = stage.says("mejor mañana a las 2 de la tarde").await;
    assert!(
        said.contains("para el sábado 13 de junio a las 2:00 p. m."),
        "{said}"
    );
}

#[tokio::test]
async fn the_order_that_was_placed_is_asked_about() {
    let mut stage = at_kitchen();
    stage.says("2 quesadillas para recoger en la Roma").await;
    stage.says("sí").await;
    for asked in [
        "¿cuánto fue?",
        "oye y cuánto es en total?",
        "how much was it?",
    ] {
        let said = stage.says(asked).await;
        assert!(said.contains("$90"), "{asked}: {said}");
    }
    for asked in ["¿ya mero está?", "how long?", "¿y en cuánto tiempo está?"] {
        let said = stage.says(asked).await;
        assert!(
            said.contains("recibido") || said.contains("received"),
            "{asked}: {said}"
        );
    }
    let orders: Vec<Value> = stage.desk.called("create_order");
    assert_eq!(orders.len(), 1);
}

#[tokio::test]
async fn a_yes_with_a_change_is_read_back_again() {
    let mut stage = at_kitchen();
    stage
        .says("2 quesadillas y una coca para recoger en la Roma")
        .await;
    let said = stage.says("sí, pero quita la coca").await;
    assert!(stage.desk.called("create_order").is_empty(), "{said}");
    assert!(said.contains("$90") && !said.contains("Refresco"), "{said}");
    stage.says("sí").await;
    assert_eq!(stage.desk.called("create_order").len(), 1);
}

#[tokio::test]
async fn several_corrections_of_one_message_all_count() {
    let said = after(
        "3 tacos al pastor y 2 cocas, para recoger en la Roma",
        "no perdón, que sean 4 tacos al pastor y quita las cocas, mejor 2 quesadillas",
    )
    .await;
    assert!(
        said.contains("4 Taco al pastor y 2 Quesadilla de queso"),
        "{said}"
    );
}

#[tokio::test]
async fn what_is_left_out_orders_nothing() {
    let mut stage = at_kitchen();
    stage.says("quiero pedir algo para llevar").await;
    let said = stage.says("sin queso").await;
    assert!(!said.contains("Quesadilla"), "{said}");
}

#[tokio::test]
async fn a_number_that_is_preferred_is_no_hour_of_an_order_without_one() {
    let said = after("2 quesadillas para recoger en la Roma", "mejor 3").await;
    assert!(
        said.contains("3 Quesadilla de queso") && !said.contains("3:00"),
        "{said}"
    );
}
