//! What customers have already: moving it, cancelling it, asking when it is, and what nothing changes.

use super::business::{clinic, tacos};
use super::desk::Fake;
use super::stage::Stage;
use serde_json::{Value, json};

/// Tuesday morning.
const NOW: &str = "2026-06-09T10:15[America/Mexico_City]";

fn appointment(number: u128, service: &str, staff: &str, start: &str) -> Value {
    json!({
        "id": uuid::Uuid::from_u128(number).to_string(), "service": service, "branch": "norte",
        "staff": staff, "start": start, "minutes": 30,
    })
}

/// A clinic where the customer has these, made elsewhere.
fn with(appointments: &[Value]) -> Stage {
    let mut business = clinic();
    business["appointments"] = json!(appointments);
    Stage::new(Fake::new(business, NOW, 0)).known_as("Elena Ruiz")
}

#[tokio::test]
async fn an_appointment_made_elsewhere_is_found_and_moved() {
    let mut stage = with(&[appointment(1, "Limpieza dental", "a", "2026-06-12T17:00")]);
    let said = stage.says("necesito cambiar mi cita").await;
    assert!(said.contains("¿Para qué día"), "{said}");
    let said = stage.says("el lunes a las 10").await;
    assert!(
        said.contains("Limpieza dental") && said.contains("¿La cambio?"),
        "{said}"
    );
    assert!(stage.says("sí").await.contains("quedó cambiada"));
    let asked = stage.desk.called("get_available_slots");
    assert!(
        asked
            .iter()
            .all(|asked| asked["service_name"] == json!("Limpieza dental")),
        "{asked:?}"
    );
}

#[tokio::test]
async fn nothing_is_moved_where_there_is_nothing() {
    let mut stage = with(&[]);
    let said = stage
        .says("quiero reprogramar mi cita para el viernes a las 10")
        .await;
    assert!(
        said.contains("No encuentro ninguna cita") && !said.contains("Pasaría"),
        "{said}"
    );
    assert!(stage.desk.called("reschedule_appointment").is_empty());
}

#[tokio::test]
async fn the_day_that_it_has_now_only_says_which_it_is() {
    let mut stage = with(&[appointment(1, "Limpieza dental", "a", "2026-06-12T17:00")]);
    let said = stage.says("quiero mover mi cita del viernes").await;
    assert!(said.contains("¿Para qué día"), "{said}");
    let said = stage.says("al lunes a la misma hora").await;
    assert!(
        said.contains("lunes 15 de junio") && said.contains("5:00 p. m."),
        "{said}"
    );
}

#[tokio::test]
async fn whoever_is_free_attends_unless_somebody_is_asked_for() {
    let mut business = clinic();
    business["services"][0]["staff"] = json!(["a", "d"]);
    business["staff"].as_array_mut().unwrap().push(json!({
        "id": "d", "name": "Dr. Hugo Lira", "role": "higienista", "branch": "norte", "days": "mon-sat",
    }));
    // Dra. Ferrer is busy then, and Dr. Lira is not.
    business["appointments"] = json!([
        appointment(1, "Limpieza dental", "a", "2026-06-12T17:00"),
        { "staff": "a", "start": "2026-06-15T10:00", "minutes": 30, "mine": false },
    ]);
    let mut stage = Stage::new(Fake::new(business, NOW, 0)).known_as("Elena Ruiz");
    let said = stage.says("pásame la cita al lunes a las 10").await;
    assert!(
        said.contains("quedó cambiada") && said.contains("Hugo Lira"),
        "{said}"
    );
}

#[tokio::test]
async fn customers_are_told_when_their_appointment_is() {
    for (asked, told) in [
        (
            "¿cuándo es mi cita?",
            "viernes 12 de junio a las 5:00 p. m.",
        ),
        ("¿a qué hora tengo mi cita?", "5:00 p. m."),
        ("when is my appointment?", "Friday 12 June"),
    ] {
        let mut stage = with(&[appointment(1, "Limpieza dental", "a", "2026-06-12T17:00")]);
        let said = stage.says(asked).await;
        assert!(said.contains(told), "{asked}: {said}");
    }
    let mut several = with(&[
        appointment(1, "Limpieza dental", "a", "2026-06-12T17:00"),
        appointment(2, "Blanqueamiento", "a", "2026-06-15T10:00"),
    ]);
    let said = several.says("¿cuándo son mis citas?").await;
    assert!(
        said.contains("12 de junio") && said.contains("Blanqueamiento"),
        "{said}"
    );
    let said = with(&[]).says("¿cuándo es mi cita?").await;
    assert!(
        said.contains("No encuentro ninguna") && said.contains("442 555 0101"),
        "{said}"
    );
}

#[tokio::test]
async fn cancelling_says_what_would_be_cancelled() {
    let mut stage = with(&[appointment(1, "Limpieza dental", "a", "2026-06-12T17:00")]);
    let said = stage.says("cancela mi cita").await;
    assert!(
        said.contains("¿Seguro") && said.contains("viernes 12 de junio"),
        "{said}"
    );
    assert!(stage.says("sí").await.contains("quedó cancelada"));
}

#[tokio::test]
async fn another_number_of_people_is_for_a_person_to_change() {
    let now = "2026-06-12T14:00[America/Monterrey]";
    let book = "quiero reservar una mesa para 4 mañana a las 8 de la noche";
    let mut stage = Stage::new(Fake::new(tacos(), now, 0)).known_as("Nora");
    stage.says(book).await;
    // Before the yes it is only another wish.
    let said = stage.says("mejor somos 6").await;
    assert!(
        said.contains("6 personas") && said.contains("¿La confirmo?"),
        "{said}"
    );
    stage.says("sí").await;
    assert_eq!(stage.desk.called("create_appointment").len(), 1);
    let said = stage.says("mejor somos 8").await;
    assert!(
        said.contains("8 personas") && said.contains("avisé al equipo"),
        "{said}"
    );
    assert_eq!(stage.desk.called("create_appointment").len(), 1);
    assert_eq!(stage.desk.called("escalate_to_human").len(), 1);
}

#[tokio::test]
async fn who_may_not_have_a_service_is_not_booked_for_it() {
    let mut stage = with(&[]);
    let said = stage
        .says("estoy embarazada y quiero un blanqueamiento el jueves a las 10")
        .await;
    assert!(
        said.contains("durante el embarazo") && said.contains("una persona del equipo"),
        "{said}"
    );
    let said = stage.says("sí, por favor").await;
    assert!(said.contains("avisé al equipo"), "{said}");
    assert!(stage.desk.called("create_appointment").is_empty());
    // What is not excluded can still be booked.
    let mut stage = with(&[]);
    stage.says("estoy embarazada").await;
    let said = stage.says("quiero una limpieza el jueves a las 10").await;
    assert!(said.contains("¿La confirmo?"), "{said}");
}

#[tokio::test]
async fn what_the_service_itself_says_excludes_too() {
    let mut business = clinic();
    business["services"][0]["description"] =
        json!("Con ultrasonido. No apto para personas con marcapasos.");
    let mut stage = Stage::new(Fake::new(business, NOW, 0)).known_as("Elena Ruiz");
    stage.says("quiero una limpieza").await;
    let said = stage.says("el jueves a las 10, pero uso marcapasos").await;
    assert!(
        said.contains("No apto para personas con marcapasos"),
        "{said}"
    );
    assert!(stage.desk.called("create_appointment").is_empty());
}
