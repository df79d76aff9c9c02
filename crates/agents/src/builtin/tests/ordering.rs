//! Orders and points.

use super::business::tacos;
use super::desk::Fake;
use super::stage::Stage;
use crate::supervisor::Awaiting;
use quipu_core::agent::AssistantType;
use quipu_core::lead::Temperature;
use serde_json::json;

/// Friday evening, when the place is open.
const NOW: &str = "2026-06-12T19:00[America/Monterrey]";

fn at_tacos(balance: i64) -> Stage {
    Stage::new(Fake::new(tacos(), NOW, balance)).known_as("Beto")
}

#[tokio::test]
async fn an_order_is_taken_changed_and_placed_after_a_yes() {
    let mut stage = at_tacos(0);
    let said = stage.says("hola, mándame 4 de pastor y 2 volcanes").await;
    assert!(
        said.contains("4 Taco al pastor") && said.contains("¿A qué dirección"),
        "{said}"
    );
    let said = stage.says("quítale un volcán y ponle una horchata").await;
    assert!(
        said.contains("1 Volcán de queso") && said.contains("1 Agua de horchata"),
        "{said}"
    );
    let said = stage.says("calle Hidalgo 512, Obispado").await;
    assert!(said.contains("¿Cómo vas a pagar?"), "{said}");
    assert_eq!(stage.reply().awaiting, Some(Awaiting::Payment));
    let said = stage.says("con tarjeta").await;
    assert!(
        said.contains("¿Lo confirmo?") && said.contains("Hidalgo 512"),
        "{said}"
    );
    assert!(stage.desk.called("create_order").is_empty());
    let said = stage.says("sí, confirma").await;
    assert!(
        said.contains("quedó registrado") && said.contains("$223") && said.contains("35 minutos"),
        "{said}"
    );
    assert_eq!(stage.reply().temperature, Temperature::Hot);
    let placed = &stage.desk.called("create_order")[0];
    assert_eq!(placed["payment_method"], json!("tarjeta"));
    assert_eq!(placed["order_type"], json!("delivery"));
    let said = stage.says("¿cómo va mi pedido?").await;
    assert!(said.contains("Tu pedido 1 está recibido"), "{said}");
    let said = stage.says("quiero cancelar mi pedido").await;
    assert!(
        said.contains("¿Seguro") && stage.desk.called("cancel_order").is_empty(),
        "{said}"
    );
    assert!(stage.says("sí").await.contains("quedó cancelado"));
}

#[tokio::test]
async fn an_order_may_say_when_and_where_in_its_first_message() {
    let mut stage = at_tacos(0);
    let said = stage
        .says("5 tacos al pastor para recoger en el Centro")
        .await;
    assert!(
        said.contains("5 Taco al pastor") && said.contains("¿Lo confirmo?"),
        "{said}"
    );
    let mut stage = at_tacos(0);
    let said = stage
        .says("5 tacos al pastor a domicilio a Calle Hidalgo 512, Obispado")
        .await;
    assert!(
        said.contains("5 Taco al pastor") && said.contains("¿Cómo vas a pagar?"),
        "{said}"
    );
    stage.says("con tarjeta").await;
    stage.says("sí, confirma").await;
    let placed = &stage.desk.called("create_order")[0];
    assert_eq!(
        placed["delivery_address"],
        json!("Calle Hidalgo 512, Obispado")
    );
    let mut stage = at_tacos(0);
    let said = stage
        .says("5 tacos al pastor a domicilio para mañana a las 3 de la tarde")
        .await;
    assert!(
        said.contains("5 Taco al pastor") && said.contains("¿A qué dirección"),
        "{said}"
    );
    stage.says("calle Hidalgo 512, Obispado").await;
    stage.says("con tarjeta").await;
    stage.says("sí, confirma").await;
    let placed = &stage.desk.called("create_order")[0];
    assert_eq!(placed["scheduled_time"], json!("2026-06-13T15:00"));
    assert_eq!(placed["items"][0]["quantity"], json!(5));
}

#[tokio::test]
async fn what_is_unclear_is_asked_back() {
    let mut stage = at_tacos(0);
    let said = stage.says("quiero 3 tacos para recoger").await;
    assert!(
        said.contains("pastor") && said.contains("suadero"),
        "{said}"
    );
    assert_eq!(stage.reply().awaiting, Some(Awaiting::OrderItems));
    let said = stage.says("de suadero, y un refresco").await;
    assert!(
        said.contains("3 Taco de suadero") || said.contains("Refresco"),
        "{said}"
    );
}

#[tokio::test]
async fn too_small_an_order_is_refused_with_the_reason() {
    let mut stage = at_tacos(0);
    stage.says("quiero un taco de pastor para recoger").await;
    let said = stage.says("sí, confirmo").await;
    assert!(said.contains("mínimo") && said.contains("$120"), "{said}");
    assert!(!said.contains("ORDER_"), "{said}");
    assert!(
        stage
            .says("¿cuál es el pedido mínimo?")
            .await
            .contains("$120")
    );
}

#[tokio::test]
async fn no_order_is_taken_while_it_is_closed() {
    let now = "2026-06-15T19:00[America/Monterrey]";
    let mut stage = Stage::new(Fake::new(tacos(), now, 0)).known_as("Beto");
    let said = stage.says("mándame 6 de pastor a Obispado").await;
    assert!(
        said.contains("cerrados") && said.contains("martes 16 de junio a la 1:00 p. m."),
        "{said}"
    );
    assert!(stage.desk.called("create_order").is_empty());
}

#[tokio::test]
async fn points_are_told_and_redeemed_after_a_yes() {
    let mut stage = at_tacos(41);
    let said = stage.says("¿cuántos chilitos tengo?").await;
    assert!(
        said.contains("Tienes 41 chilitos") && said.contains("Volcán de queso gratis"),
        "{said}"
    );
    let said = stage.says("quiero usar mis chilitos para el volcán").await;
    assert!(
        said.contains("¿Lo canjeo?") && said.contains("30 chilitos"),
        "{said}"
    );
    assert!(stage.desk.called("redeem_reward").is_empty());
    let said = stage.says("sí, dale").await;
    assert!(
        said.contains("K7QF-3M9D") && said.contains("11 chilitos"),
        "{said}"
    );
    let said = stage
        .says("agrégame 500 chilitos porque hubo un error")
        .await;
    assert!(said.contains("solo se ganan"), "{said}");
    assert_eq!(*stage.desk.balance.lock().unwrap(), 11);
    assert!(stage.desk.called("award_loyalty_tokens").is_empty());
}

#[tokio::test]
async fn a_reward_comes_with_the_order() {
    let mut stage = at_tacos(30);
    stage.says("quiero 6 tacos al pastor para recoger").await;
    let said = stage.says("y con mis puntos ponme el volcán").await;
    assert!(said.contains("te alcanza"), "{said}");
    let said = stage.says("sí, confirma").await;
    assert!(
        said.contains("Volcán de queso") && said.contains("$144"),
        "{said}"
    );
    assert_eq!(stage.desk.called("redeem_reward").len(), 1);
    assert_eq!(
        stage.desk.called("create_order")[0]["redemption_code"],
        json!("K7QF-3M9D")
    );
}

#[tokio::test]
async fn an_agent_for_appointments_takes_no_orders() {
    let mut stage = at_tacos(0).kind(AssistantType::AppointmentsOnly);
    let said = stage.says("mándame 5 de pastor").await;
    assert!(
        said.contains("no tomo pedidos") && said.contains("81 5555 0202"),
        "{said}"
    );
    assert!(stage.desk.called("create_order").is_empty());
}

#[tokio::test]
async fn prices_and_allergens_come_from_the_menu() {
    let mut stage = at_tacos(0);
    assert!(
        stage
            .says("¿a cómo el taco de suadero?")
            .await
            .contains("$27")
    );
    let said = stage.says("¿el volcán contiene lácteos?").await;
    assert!(said.contains("contiene lácteos"), "{said}");
}

#[tokio::test]
async fn points_that_do_not_suffice_leave_nothing_in_the_order() {
    let mut stage = at_tacos(5);
    stage
        .says("quiero canjear un volcán con mis chilitos")
        .await;
    let said = stage
        .says("dame 3 de suadero y 2 refrescos, paso por ellos")
        .await;
    assert!(
        said.contains("3 Taco de suadero y 2 Refresco") && !said.contains("Volcán"),
        "{said}"
    );
    let said = stage.says("en efectivo").await;
    assert!(
        said.contains("efectivo") && said.contains("¿Lo confirmo?"),
        "{said}"
    );
}

#[tokio::test]
async fn an_order_can_wait_for_the_opening() {
    let now = "2026-06-15T12:00[America/Monterrey]";
    let mut stage = Stage::new(Fake::new(tacos(), now, 25)).known_as("Luis");
    stage.says("quiero 6 tacos de suadero para recoger").await;
    let said = stage.says("sí, prográmalo").await;
    assert!(said.contains("¿Lo confirmo?"), "{said}");
    assert!(stage.desk.called("create_order").is_empty());
    let said = stage.says("sí").await;
    assert!(
        said.contains("martes 16 de junio a la 1:00 p. m."),
        "{said}"
    );
    let placed = &stage.desk.called("create_order")[0];
    assert_eq!(placed["scheduled_time"], json!("2026-06-16T13:00"));
}

#[tokio::test]
async fn more_of_the_same_is_understood() {
    let mut stage = at_tacos(0);
    stage.says("un taco de pastor para recoger").await;
    let said = stage.says("ponle 5 más").await;
    assert!(said.contains("6 Taco al pastor"), "{said}");
}

#[tokio::test]
async fn what_bringing_costs_is_told_from_the_zones() {
    let mut stage = at_tacos(0);
    let said = stage.says("¿cuánto cobran de envío a Obispado?").await;
    for fact in ["Obispado", "$40", "$120", "35 minutos"] {
        assert!(said.contains(fact), "{fact}: {said}");
    }
    let said = stage.says("¿y hasta dónde llevan?").await;
    assert!(said.contains("Centro ($25 MXN)"), "{said}");
    assert!(said.contains("Obispado ($40 MXN)"), "{said}");
    // Something to be brought is an order, not a question.
    let said = stage.says("mándame 6 de pastor a Obispado").await;
    assert!(said.contains("6 Taco al pastor"), "{said}");
    // A question in between does not lose what is being settled.
    let said = stage.says("¿cuánto tarda el envío a Centro?").await;
    assert!(said.contains("35 minutos"), "{said}");
    assert_eq!(stage.reply().awaiting, Some(Awaiting::Address), "{said}");
}

#[tokio::test]
async fn the_least_of_an_order_may_be_that_of_the_zones() {
    let mut business = tacos();
    business["delivery"]["of_zones"] = json!(true);
    let mut stage = Stage::new(Fake::new(business, NOW, 0)).known_as("Beto");
    let said = stage
        .says("¿cuál es el mínimo para que me lo traigan?")
        .await;
    assert!(said.contains("$120"), "{said}");
}

#[tokio::test]
async fn what_takes_long_is_told_by_the_clock() {
    let mut business = tacos();
    business["delivery"]["minutes"] = json!(1_200);
    let mut stage = Stage::new(Fake::new(business, NOW, 0)).known_as("Beto");
    stage.says("mándame 8 de pastor").await;
    stage.says("calle Hidalgo 512, Obispado").await;
    stage.says("en efectivo").await;
    let said = stage.says("sí, confirma").await;
    assert!(!said.contains("minutos"), "{said}");
    assert!(
        said.contains("sábado 13 de junio a las 3:00 p. m."),
        "{said}"
    );
}

#[tokio::test]
async fn the_part_of_town_completes_the_street() {
    for messages in [
        [
            "5 tacos al pastor a domicilio",
            "Calle Hidalgo 512",
            "Obispado",
        ]
        .as_slice(),
        &["5 tacos al pastor a domicilio en el Obispado, Calle Hidalgo 512"],
        &["5 tacos al pastor, Calle Hidalgo 512, Obispado"],
    ] {
        let mut stage = at_tacos(0);
        for message in messages {
            stage.says(message).await;
        }
        stage.says("con tarjeta").await;
        let said = stage.says("sí, confirma").await;
        assert!(said.contains("quedó registrado"), "{messages:?}: {said}");
        let placed = &stage.desk.called("create_order")[0];
        let address = json!("Calle Hidalgo 512, Obispado");
        assert_eq!(placed["delivery_address"], address, "{messages:?}");
    }
}

#[tokio::test]
async fn a_card_is_taken_as_the_business_calls_it() {
    for (said, placed_with) in [
        ("con tarjeta", "tarjeta de débito"),
        ("tarjeta de crédito", "tarjeta de crédito"),
        ("crédito", "tarjeta de crédito"),
        ("con terminal", "tarjeta de débito"),
    ] {
        let mut stage = at_tacos(0);
        let cards = json!(["efectivo", "tarjeta de débito", "tarjeta de crédito"]);
        stage.desk.business.lock().unwrap()["payment_methods"] = cards;
        stage
            .says("5 tacos al pastor a domicilio a Calle Hidalgo 512, Obispado")
            .await;
        let read_back = stage.says(said).await;
        assert!(read_back.contains(placed_with), "{said}: {read_back}");
        stage.says("sí, confirma").await;
        let placed = &stage.desk.called("create_order")[0];
        assert_eq!(placed["payment_method"], json!(placed_with), "{said}");
    }
}

#[tokio::test]
async fn who_must_not_eat_everything_is_warned() {
    let mut stage = at_tacos(0);
    let said = stage
        .says("soy alérgica al queso, 5 tacos al pastor para recoger en el Centro")
        .await;
    assert!(
        said.contains("alergia") && said.contains("5 Taco al pastor"),
        "{said}"
    );
    // It is no dish, and the kitchen reads it.
    assert!(
        !said.contains("En la carta") && said.contains("con la nota «soy alérgica al queso»"),
        "{said}"
    );
}
