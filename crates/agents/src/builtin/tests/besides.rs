//! Questions in the middle of something, which is kept while they are answered.

use super::business::{clinic, kitchen, taqueria};
use super::desk::Fake;
use super::stage::Stage;
use crate::supervisor::Awaiting;
use quipu_core::reading::Act;
use serde_json::{Value, json};

const AFTERNOON: &str = "2026-06-12T15:30[America/Mexico_City]";
const NIGHT: &str = "2026-06-12T23:30[America/Mexico_City]";

#[tokio::test]
async fn the_smallest_order_is_told_and_the_order_is_kept() {
    let mut stage = Stage::new(Fake::new(taqueria(), AFTERNOON, 0)).known_as("Inés");
    stage.says("2 tacos de bistec y una coca a domicilio").await;
    let said = stage.says("cual es el pedido minimo?").await;
    assert!(
        said.contains("$80") && said.contains("2 Taco de bistec") && said.contains("dirección"),
        "{said}"
    );
    assert_eq!(stage.reply().awaiting, Some(Awaiting::Address), "{said}");
    stage.says("Calle Olmo 12, Condesa").await;
    stage.says("tarjeta").await;
    let said = stage.says("¿y cuánto es el mínimo?").await;
    assert!(said.contains("$80") && said.contains("$133"), "{said}");
    assert!(stage.desk.called("create_order").is_empty(), "{said}");
    stage.says("sí").await;
    assert_eq!(stage.desk.called("create_order").len(), 1);
}

#[tokio::test]
async fn the_smallest_order_is_told_while_it_is_closed() {
    let mut stage = Stage::new(Fake::new(taqueria(), NIGHT, 0)).known_as("Inés");
    stage.says("2 tacos de bistec y una coca a domicilio").await;
    let said = stage.says("cual es el pedido minimo?").await;
    assert!(
        said.contains("$80") && said.contains("2 Taco de bistec") && said.contains("programo"),
        "{said}"
    );
    let said = stage.says("sí, prográmalo").await;
    assert!(said.contains("dirección"), "{said}");
    let mut stage = Stage::new(Fake::new(kitchen(), NIGHT, 0)).known_as("Inés");
    stage.says("2 quesadillas para recoger en la Roma").await;
    stage.says("what is the minimum order?").await;
    let said = stage.says("sí").await;
    assert!(said.contains("$90") && said.contains("sábado 13"), "{said}");
}

/// Tuesday morning.
const MORNING: &str = "2026-06-09T10:15[America/Mexico_City]";

#[tokio::test]
async fn until_when_it_can_be_cancelled_is_told_and_the_booking_kept() {
    for (first, then) in [
        (
            "quiero una limpieza el jueves a las 5",
            "si no puedo ir, ¿hasta cuándo puedo cancelar?",
        ),
        (
            "quiero una limpieza el jueves a las 5",
            "si no puedo ir hasta cuando puedo cancelar",
        ),
        (
            "quiero una limpieza el jueves a las 5",
            "y si no puedo ir, puedo cancelar?",
        ),
        (
            "quiero una limpieza el jueves a las 5",
            "si por algo no puedo ir, ¿con cuánta anticipación puedo cancelar?",
        ),
        (
            "I want a cleaning on Thursday at 5 pm",
            "if I can't make it, until when can I cancel?",
        ),
    ] {
        let mut stage = Stage::new(Fake::new(clinic(), MORNING, 0)).known_as("Rosa Méndez");
        stage.says(first).await;
        let said = stage.says(then).await;
        assert!(
            said.contains("24 horas antes") && said.contains("11") && said.contains("5:00"),
            "{then}: {said}"
        );
        assert_eq!(stage.reply().awaiting, Some(Awaiting::Confirmation));
        assert!(stage.desk.called("create_appointment").is_empty());
        stage.says("sí").await;
        assert_eq!(stage.desk.called("create_appointment").len(), 1);
        // Nor does it call off what is booked.
        let said = stage.says(then).await;
        assert!(
            said.contains("24 horas antes") && !said.contains("¿Seguro"),
            "{then}: {said}"
        );
        assert!(stage.desk.called("cancel_appointment").is_empty());
    }
    // What nobody wrote down is not invented.
    let mut business = clinic();
    business["policies"] = json!([]);
    let mut stage = Stage::new(Fake::new(business, MORNING, 0)).known_as("Rosa Méndez");
    stage.says("quiero una limpieza").await;
    let said = stage
        .says("si no puedo ir, ¿hasta cuándo puedo cancelar?")
        .await;
    assert!(
        said.contains("No tengo esa información") && said.contains("¿Qué día"),
        "{said}"
    );
}

#[tokio::test]
async fn who_attends_on_a_day_is_told_by_what_is_written() {
    let mut business = clinic();
    let day = |name: &str| json!({ name: [{ "from": "09:00", "to": "13:00" }] });
    business["staff"][0]["operating_hours"] = day("tuesday");
    business["staff"][1]["operating_hours"] = day("saturday");
    let at = |business: &Value| Stage::new(Fake::new(business.clone(), MORNING, 0));
    for (asked, told, other) in [
        (
            "¿qué doctores atienden los martes?",
            "Lucía Ferrer",
            "Tomás Arce",
        ),
        ("quién atiende el sábado?", "Tomás Arce", "Lucía Ferrer"),
        (
            "which doctors work on Tuesdays?",
            "Lucía Ferrer",
            "Tomás Arce",
        ),
    ] {
        let said = at(&business).says(asked).await;
        assert!(said.contains(told) && !said.contains(other), "{said}");
        // Of whom nothing is written, nothing is said but that.
        let unknown = said.contains("No tengo escrito") || said.contains("no record");
        assert!(unknown && said.contains("Paula Ortiz"), "{said}");
        assert!(!said.contains("abrimos"), "{said}");
    }
    business["staff"][2]["operating_hours"] = day("monday");
    let said = at(&business).says("¿quién atiende los miércoles?").await;
    assert!(said.contains("no veo a nadie"), "{said}");
    // Where nothing is written of anybody, a time is looked for instead.
    let said = at(&clinic()).says("¿quién atiende el sábado?").await;
    assert!(
        said.contains("No tengo escrito") && said.contains("busque un horario"),
        "{said}"
    );
    let said = at(&clinic()).says("¿quién atiende los domingos?").await;
    assert!(said.contains("cerrado"), "{said}");
    // And the day that is asked about is no day to come on.
    let mut stage = at(&clinic()).known_as("Rosa Méndez");
    stage.says("quiero una limpieza el jueves a las 5").await;
    let said = stage.says("¿quién atiende el sábado?").await;
    assert!(
        said.contains("No tengo escrito") && said.contains("jueves 11 de junio"),
        "{said}"
    );
    assert!(stage.desk.called("create_appointment").is_empty());
}

#[tokio::test]
async fn what_is_written_down_is_told_and_the_booking_goes_on() {
    let ask = "a nombre de Rosa Díaz. aceptan tarjeta?";
    let mut stage = Stage::new(Fake::new(
        clinic(),
        "2026-06-09T10:15[America/Mexico_City]",
        0,
    ));
    stage.says("quiero una limpieza mañana a las 12").await;
    let said = stage.says_doing(ask, &[Act::Provide, Act::Ask]).await;
    assert!(said.contains("Visa"), "{said}");
    assert!(
        said.contains("Rosa Díaz") && said.contains("¿La confirmo?"),
        "{said}"
    );
}

#[tokio::test]
async fn a_yes_that_goes_on_to_something_else_calls_nobody() {
    let desk = Fake::new(clinic(), "2026-06-09T10:15[America/Mexico_City]", 0);
    let mut stage = Stage::new(desk).without(&["create_appointment"]);
    let said = stage.says("quiero agendar una limpieza").await;
    assert!(said.contains("¿Quieres que le avise"), "{said}");
    let wish = "va, entonces cancela la cita que tengo";
    stage.says_doing(wish, &[Act::Affirm, Act::Cancel]).await;
    assert!(stage.desk.called("escalate_to_human").is_empty());
    // One that does not, calls.
    stage.says("quiero agendar una limpieza").await;
    stage.says_doing("va, por favor", &[Act::Affirm]).await;
    assert_eq!(stage.desk.called("escalate_to_human").len(), 1);
}
