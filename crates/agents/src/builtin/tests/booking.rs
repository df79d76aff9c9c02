//! Booking, over several turns.

use super::business::clinic;
use super::desk::Fake;
use super::stage::Stage;
use crate::supervisor::Awaiting;
use quipu_core::agent::{AssistantType, Intent};
use quipu_core::lead::Temperature;
use serde_json::json;

/// Tuesday morning.
const NOW: &str = "2026-06-09T10:15[America/Mexico_City]";

fn at_clinic() -> Stage {
    Stage::new(Fake::new(clinic(), NOW, 0))
}

#[tokio::test]
async fn a_booking_asks_one_thing_at_a_time() {
    let mut stage = at_clinic();
    let said = stage.says("hola, quiero agendar una limpieza").await;
    assert!(said.contains("¿Qué día"), "{said}");
    assert_eq!(stage.reply().awaiting, Some(Awaiting::Day));
    let said = stage.says("el jueves en la tarde").await;
    assert!(
        said.contains("jueves 11 de junio") && said.contains("1:00 p. m."),
        "{said}"
    );
    assert!(!said.contains("12:00"), "noon is no afternoon: {said}");
    assert!(said.matches("p. m.").count() <= 4, "{said}");
    assert_eq!(stage.reply().awaiting, Some(Awaiting::Time));
    let said = stage.says("a las 5").await;
    assert!(said.contains("nombre"), "{said}");
    assert!(stage.desk.called("create_appointment").is_empty());
    let said = stage.says("Rosa Méndez").await;
    for told in [
        "Limpieza dental",
        "jueves 11 de junio",
        "5:00 p. m.",
        "Norte",
        "$650",
        "Rosa Méndez",
    ] {
        assert!(said.contains(told), "{told}: {said}");
    }
    assert_eq!(stage.reply().awaiting, Some(Awaiting::Confirmation));
    assert!(stage.desk.called("create_appointment").is_empty());
    let said = stage.says("sí").await;
    assert!(said.contains("quedó agendada"), "{said}");
    assert_eq!(stage.reply().temperature, Temperature::Hot);
    let made = stage.desk.called("create_appointment");
    assert_eq!(made.len(), 1);
    assert_eq!(made[0]["customer_name"], json!("Rosa Méndez"));
    assert!(
        made[0]["slot_id"]
            .as_str()
            .unwrap()
            .starts_with("2026-06-11|1020|norte|a|")
    );
    assert_eq!(
        stage.desk.called("update_lead_info"),
        [json!({ "name": "Rosa Méndez" })]
    );
}

#[tokio::test]
async fn what_is_done_is_done_and_a_new_matter_begins_afresh() {
    let mut stage = at_clinic().known_as("Rosa Méndez");
    stage
        .says("agéndame una limpieza mañana a las 11 de la mañana")
        .await;
    assert_eq!(stage.desk.called("create_appointment").len(), 1);
    let said = stage
        .says("ahora quiero una cita para ajuste de brackets")
        .await;
    assert!(
        said.contains("¿Qué día") && said.contains("Ajuste de brackets"),
        "{said}"
    );
    let said = stage.says("gracias, hasta luego").await;
    assert!(!said.contains("quedó"), "{said}");
    assert_eq!(stage.desk.called("create_appointment").len(), 1);
}

#[tokio::test]
async fn a_taken_time_is_answered_with_others() {
    let mut business = clinic();
    let taken = json!({ "staff": "a", "start": "2026-06-10T16:00", "minutes": 60, "mine": false });
    business["appointments"].as_array_mut().unwrap().push(taken);
    let mut stage = Stage::new(Fake::new(business, NOW, 0)).known_as("Iván Soto");
    let said = stage
        .says("quiero una limpieza mañana a las 4 de la tarde")
        .await;
    assert!(said.contains("4:00 p. m. no tengo lugar"), "{said}");
    assert!(
        said.contains("3:30 p. m.") && said.contains("5:00 p. m."),
        "{said}"
    );
    let said = stage.says("entonces a las 5").await;
    assert!(said.contains("¿La confirmo?"), "{said}");
    let said = stage.says("no, mejor a las 6").await;
    assert!(
        said.contains("6:00 p. m.") && said.contains("¿La confirmo?"),
        "{said}"
    );
    assert!(stage.desk.called("create_appointment").is_empty());
    assert!(
        stage
            .says("ahora sí, confirmo")
            .await
            .contains("quedó agendada")
    );
    let made = stage.desk.called("create_appointment");
    assert!(
        made[0]["slot_id"]
            .as_str()
            .unwrap()
            .starts_with("2026-06-10|1080|")
    );
}

/// More is free in a day than the tool tells of at once.
#[tokio::test]
async fn the_end_of_a_long_day_is_found() {
    let mut business = clinic();
    for number in 0..6 {
        let id = format!("nueva-{number}");
        let person = json!({
            "id": id, "name": format!("Dra. Nueva {number}"), "role": "higienista", "branch": "norte", "days": "mon-sat",
        });
        business["staff"].as_array_mut().unwrap().push(person);
        let does = business["services"][0]["staff"].as_array_mut().unwrap();
        does.push(json!(id));
    }
    let mut stage = Stage::new(Fake::new(business, NOW, 0)).known_as("Iván Soto");
    let said = stage.says("quiero una limpieza mañana a las 6").await;
    assert!(
        said.contains("6:00 p. m.") && said.contains("¿La confirmo?"),
        "{said}"
    );
}

#[tokio::test]
async fn a_time_that_is_taken_meanwhile_is_not_promised() {
    let mut stage = at_clinic().known_as("Iván Soto");
    stage.says("quiero una limpieza mañana a las 12").await;
    let taken = json!({ "staff": "a", "start": "2026-06-10T12:00", "minutes": 30, "mine": false });
    stage.desk.business.lock().unwrap()["appointments"]
        .as_array_mut()
        .unwrap()
        .push(taken);
    let said = stage.says("sí, confirmo").await;
    assert!(
        said.contains("no tengo lugar") && !said.contains("quedó agendada"),
        "{said}"
    );
}

#[tokio::test]
async fn a_branch_is_asked_for_where_it_matters() {
    let mut stage = at_clinic().known_as("Iván Soto");
    let said = stage.says("quiero una valoración mañana a las 11").await;
    assert!(said.contains("Jardines o Norte"), "{said}");
    assert_eq!(stage.reply().awaiting, Some(Awaiting::Branch));
    let said = stage.says("en jardines").await;
    assert!(
        said.contains("Jardines") && said.contains("¿La confirmo?"),
        "{said}"
    );
    assert!(said.contains("sin costo"), "{said}");
}

#[tokio::test]
async fn an_unknown_service_is_answered_with_those_there_are() {
    let mut stage = at_clinic();
    let said = stage.says("quiero agendar una cita").await;
    assert!(
        said.contains("¿Para qué servicio") && said.contains("Blanqueamiento"),
        "{said}"
    );
    let said = stage.says("masaje relajante").await;
    assert!(said.contains("Limpieza dental"), "{said}");
    let said = stage.says("blanqueamiento entonces").await;
    assert!(said.contains("¿Qué día"), "{said}");
}

#[tokio::test]
async fn a_question_in_between_is_answered_and_the_booking_goes_on() {
    let mut stage = at_clinic();
    stage.says("quiero agendar una limpieza").await;
    let said = stage.says("¿aceptan tarjeta?").await;
    assert!(said.contains("Visa") && said.contains("¿Qué día"), "{said}");
    assert_eq!(stage.reply().awaiting, Some(Awaiting::Day));
}

#[tokio::test]
async fn nobody_books_without_a_name_and_a_number() {
    let mut desk = Fake::new(clinic(), NOW, 0);
    desk.has_customer = false;
    let mut stage = Stage::new(desk);
    assert!(
        stage
            .says("¿cuánto cuesta la limpieza?")
            .await
            .contains("$650")
    );
    let said = stage.says("quiero una limpieza mañana a las 12").await;
    assert!(
        said.contains("nombre") && said.contains("teléfono"),
        "{said}"
    );
    let said = stage.says("Laura Gil").await;
    assert!(said.contains("teléfono"), "{said}");
    let said = stage.says("442 123 4567").await;
    assert!(
        said.contains("¿La confirmo?") && said.contains("Laura Gil"),
        "{said}"
    );
    assert!(stage.desk.called("update_lead_info").is_empty());
}

#[tokio::test]
async fn an_agent_that_only_informs_books_nothing() {
    let mut stage = at_clinic().kind(AssistantType::InfoOnly);
    let said = stage
        .says("quiero agendar una limpieza para mañana a las 12")
        .await;
    assert!(
        said.contains("442 555 0101") && said.contains("no agendo"),
        "{said}"
    );
    assert!(stage.says("¿cuánto cuesta?").await.contains("$650"));
    let mut stage = at_clinic().kind(AssistantType::OrdersOnly);
    assert!(
        stage
            .says("quiero agendar una limpieza")
            .await
            .contains("no agendo")
    );
    let mut stage = at_clinic().kind(AssistantType::LeadCapture);
    let said = stage.says("quiero agendar una limpieza").await;
    assert!(
        said.contains("nombre") && said.contains("teléfono o correo"),
        "{said}"
    );
    let said = stage.says("soy Laura Gil, laura@correo.mx").await;
    assert!(said.contains("Ya anoté tus datos"), "{said}");
    assert_eq!(
        stage.desk.called("update_lead_info")[0],
        json!({ "name": "Laura Gil", "email": "laura@correo.mx" })
    );
}

#[tokio::test]
async fn english_is_answered_in_english() {
    let mut stage = at_clinic();
    let said = stage
        .says("hi, I would like to book a cleaning tomorrow at 5 pm")
        .await;
    assert!(said.contains("In whose name"), "{said}");
    let said = stage.says("Mary Stone").await;
    assert!(
        said.contains("5:00 pm") && said.contains("Wednesday 10 June"),
        "{said}"
    );
    let said = stage.says("yes please").await;
    assert!(said.contains("Your appointment is booked"), "{said}");
    assert_eq!(stage.reply().intent, Intent::Booking);
}

#[tokio::test]
async fn two_questions_are_both_answered() {
    let mut stage = at_clinic();
    let said = stage
        .says("¿cuánto cuesta el blanqueamiento y a qué hora abren mañana?")
        .await;
    assert!(
        said.contains("$2,900") && said.contains("9:00 a. m."),
        "{said}"
    );
}

#[tokio::test]
async fn a_bare_yes_to_several_times_is_confirmed_before_it_is_booked() {
    let mut stage = at_clinic().known_as("Ana");
    stage
        .says("quiero una limpieza lo más pronto posible")
        .await;
    let said = stage.says("sí, confirmo").await;
    assert!(said.contains("¿La confirmo?"), "{said}");
    assert!(stage.desk.called("create_appointment").is_empty());
}

/// An address of mail between the question and the yes is no complaint.
#[tokio::test]
async fn a_yes_answers_what_was_asked_whatever_was_told_meanwhile() {
    let mut stage = at_clinic();
    stage.says("una limpieza mañana a las 12").await;
    stage.says("Rosa Mar, 5512345678").await;
    let said = stage.says("mi correo es r@x.pe").await;
    assert!(said.contains("¿La confirmo?"), "{said}");
    let said = stage.says("sí").await;
    assert!(said.contains("quedó agendada"), "{said}");
}

#[tokio::test]
async fn who_asks_what_they_have_books_nothing() {
    for asked in ["¿qué citas tengo?", "tengo cita?", "¿sigue en pie mi cita?"] {
        let mut stage = at_clinic().known_as("Iván Soto");
        let said = stage.says(asked).await;
        assert!(!said.contains("servicio"), "{asked}: {said}");
        assert_eq!(stage.desk.called("get_appointments").len(), 1, "{asked}");
    }
}

#[tokio::test]
async fn a_branch_is_no_name_of_a_customer() {
    let mut stage = at_clinic();
    stage
        .says("quiero una valoración mañana a las 11 en Norte")
        .await;
    for said in ["Jardines", "mucho gusto"] {
        let told = stage.says(said).await;
        assert!(!told.contains("a nombre de Jardines"), "{told}");
        assert!(!told.contains("Gusto"), "{told}");
    }
    assert!(stage.desk.called("update_lead_info").is_empty());
}
