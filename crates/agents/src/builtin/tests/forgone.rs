//! What is switched off is neither done nor promised.

use super::business::{clinic, taqueria};
use super::desk::Fake;
use super::stage::Stage;
use serde_json::{Value, json};

/// Tuesday morning.
const NOW: &str = "2026-06-09T10:15[America/Mexico_City]";

/// A workshop that has nothing but what it wrote down.
fn workshop() -> Value {
    json!({
        "name": "Taller La Cadena",
        "phone": "01 555 0404",
        "vertical": "general",
        "timezone": "America/Lima",
        "currency": "PEN",
        "branches": [],
        "staff": [],
        "services": [],
        "policies": [],
        "appointments": [],
        "faqs": [
            { "q": "¿Recogen la bicicleta a domicilio?",
              "a": "Recogemos tu bicicleta en Surco y Miraflores por S/ 20." },
            { "q": "¿Puedo cancelar la cita?",
              "a": "Puedes cancelar tu cita sin costo hasta 4 horas antes." },
            { "q": "¿Cobran extra por un pedido urgente para hoy?",
              "a": "El pedido urgente para hoy tiene un recargo del 40 %." },
        ],
    })
}

fn at(business: Value, off: &[&str]) -> Stage {
    Stage::new(Fake::new(business, NOW, 0)).without(off)
}

#[tokio::test]
async fn an_agent_without_bookings_says_so_and_offers_a_person() {
    let mut stage = at(clinic(), &["create_appointment"]);
    let said = stage
        .says("quiero agendar una limpieza para mañana a las 12")
        .await;
    assert!(said.contains("no agendo citas"), "{said}");
    assert!(
        said.contains("442 555 0101") && said.contains("¿Quieres que le avise"),
        "{said}"
    );
    let said = stage.says("sí, por favor").await;
    assert_eq!(stage.desk.called("escalate_to_human").len(), 1, "{said}");
    assert!(stage.desk.called("create_appointment").is_empty());
    // Nor is a time offered to whoever only asks what it costs.
    let mut stage = at(clinic(), &["create_appointment"]);
    let said = stage.says("¿cuánto cuesta la limpieza?").await;
    assert!(said.contains("$650") && !said.contains("horario"), "{said}");
}

#[tokio::test]
async fn what_a_booking_needs_takes_it_along() {
    let mut stage = at(clinic(), &["get_available_slots"]);
    let said = stage.says("quiero agendar una limpieza").await;
    assert!(said.contains("no agendo citas"), "{said}");
    assert!(stage.desk.called("get_available_slots").is_empty());
}

#[tokio::test]
async fn each_change_is_declined_by_itself() {
    for (off, says, told) in [
        (
            "reschedule_appointment",
            "quiero cambiar mi cita",
            "no cambio citas",
        ),
        (
            "cancel_appointment",
            "quiero cancelar mi cita",
            "no cancelo citas",
        ),
        (
            "request_invoice",
            "necesito factura de mi compra",
            "no tramito facturas",
        ),
    ] {
        let mut stage = at(clinic(), &[off]);
        let said = stage.says(says).await;
        assert!(said.contains(told), "{off}: {said}");
        assert!(stage.desk.called(off).is_empty());
    }
}

#[tokio::test]
async fn an_agent_without_orders_shows_the_menu_and_takes_none() {
    let mut stage = at(taqueria(), &["create_order"]);
    let said = stage
        .says("quiero pedir 3 tacos al pastor para llevar")
        .await;
    assert!(said.contains("no tomo pedidos"), "{said}");
    assert!(stage.desk.called("create_order").is_empty());
    let said = stage.says("¿qué tienen en el menú?").await;
    assert!(!stage.desk.called("get_menu").is_empty(), "{said}");
}

#[tokio::test]
async fn what_is_not_looked_up_is_not_known() {
    let mut stage = at(
        clinic(),
        &["get_service_info", "list_services", "get_service_catalog"],
    );
    let said = stage.says("¿cuánto cuesta la limpieza?").await;
    assert!(!said.contains("$650"), "{said}");
    assert!(!said.contains("no pude consultarlo"), "{said}");
    for tool in ["get_service_info", "list_services", "get_service_catalog"] {
        assert!(stage.desk.called(tool).is_empty(), "{tool}");
    }
}

#[tokio::test]
async fn who_has_no_menu_and_no_services_answers_from_what_is_written() {
    let mut desk = Fake::new(workshop(), NOW, 0);
    desk.has_customer = false;
    let mut stage = Stage::new(desk);
    for (asked, told) in [
        ("me cobran extra por un pedido urgente para hoy?", "40 %"),
        ("quiero pedir que recojan la bicicleta en surco", "S/ 20"),
        ("puedo cancelar la cita?", "4 horas"),
    ] {
        let said = stage.says(asked).await;
        assert!(said.contains(told), "{asked}: {said}");
        assert!(!said.contains("gustaría pedir"), "{asked}: {said}");
    }
    let said = stage.says("quiero pedir una pizza de pepperoni").await;
    assert!(said.contains("no tomo pedidos"), "{said}");
}

#[tokio::test]
async fn a_question_about_what_is_switched_off_is_answered() {
    let mut stage = at(workshop(), &["create_order", "create_appointment"]);
    let said = stage
        .says("¿cobran extra por un pedido urgente para hoy?")
        .await;
    assert!(said.contains("40 %"), "{said}");
}
