//! Who cannot come, which of several appointments is meant, and questions that book nothing.

use super::business::clinic;
use super::desk::Fake;
use super::stage::Stage;
use serde_json::json;

/// Tuesday morning.
const NOW: &str = "2026-06-09T10:15[America/Mexico_City]";

/// A clinic whose customer has two appointments at two branches.
fn with_two() -> Stage {
    let mut business = clinic();
    for (at, (service, start, branch, staff)) in [
        ("Limpieza dental", "2026-06-10T17:00", "norte", "a"),
        ("Ajuste de brackets", "2026-06-15T10:00", "jardines", "b"),
    ]
    .iter()
    .enumerate()
    {
        let id = uuid::Uuid::from_u128(at as u128 + 1).to_string();
        let own = json!({
            "id": id, "service": service, "branch": branch, "staff": staff, "start": start, "minutes": 30,
        });
        business["appointments"].as_array_mut().unwrap().push(own);
    }
    Stage::new(Fake::new(business, NOW, 0)).known_as("Elena Ruiz")
}

async fn with_one() -> Stage {
    let mut stage = Stage::new(Fake::new(clinic(), NOW, 0)).known_as("Elena Ruiz");
    stage.says("quiero una limpieza el jueves a las 4").await;
    stage.says("sí").await;
    stage
}

#[tokio::test]
async fn who_cannot_come_is_asked_whether_to_cancel() {
    for asked in [
        "no voy a poder ir",
        "al final no puedo ir el jueves",
        "no podré asistir a mi cita",
        "I won't be able to make it",
        "perdón, no voy a poder",
    ] {
        let mut stage = with_one().await;
        let said = stage.says(asked).await;
        assert!(
            said.contains("cancelar tu cita") || said.contains("cancel your appointment"),
            "{asked}: {said}"
        );
        assert!(stage.desk.called("cancel_appointment").is_empty());
        stage.says("sí").await;
        assert_eq!(stage.desk.called("cancel_appointment").len(), 1, "{asked}");
    }
    let mut stage = with_one().await;
    let said = stage
        .says("no puedo ir el jueves, mejor el viernes a las 5")
        .await;
    assert!(
        said.contains("viernes 12 de junio a las 5:00 p. m.") && said.contains("¿La cambio?"),
        "{said}"
    );
    for asked in [
        "no puedo llegar a las 4, ¿puede ser a las 5?",
        "I can't make it at 4, what about 5pm?",
    ] {
        let mut stage = with_one().await;
        let said = stage.says(asked).await;
        assert!(
            said.contains("5:00 p") && !said.contains("cancel"),
            "{asked}: {said}"
        );
    }
    let mut stage = with_two();
    let said = stage.says("el lunes no puedo ir").await;
    assert!(
        said.contains("cancelar tu cita de Ajuste de brackets"),
        "{said}"
    );
    let mut stage = with_one().await;
    let said = stage.says("perfect, I will be able to make it").await;
    assert!(!said.contains("cancel"), "{said}");
    // On the way to a booking it is a day that does not suit.
    let mut stage = Stage::new(Fake::new(clinic(), NOW, 0)).known_as("Elena Ruiz");
    stage.says("quiero una limpieza").await;
    let said = stage.says("el jueves no puedo ir").await;
    assert!(said.contains("¿Qué día"), "{said}");
}

#[tokio::test]
async fn the_second_of_several_keeps_its_day_and_branch() {
    for messages in [
        &["cambia la segunda a las 12"][..],
        &["cambia la de brackets a las 12"],
        &["quiero cambiar mi cita", "la segunda", "a las 12"],
        &["quiero cambiar mi cita", "la última", "a las 12"],
        &["move the second one to 12 pm"],
    ] {
        let mut stage = with_two();
        for message in messages {
            stage.says(message).await;
        }
        stage.says("sí").await;
        let moved = &stage.desk.called("reschedule_appointment")[0];
        let id = uuid::Uuid::from_u128(2).to_string();
        assert_eq!(moved["appointment_id"], json!(id), "{messages:?}");
        assert_eq!(moved["date"], json!("2026-06-15"), "{messages:?}");
        assert_eq!(moved["time"], json!("12:00"), "{messages:?}");
        let slot = moved["slot_id"].as_str().unwrap();
        assert!(slot.contains("jardines"), "{messages:?}: {slot}");
    }
}

#[tokio::test]
async fn what_to_bring_is_a_question() {
    let mut business = clinic();
    business["faqs"] = json!([{ "q": "¿Qué llevo a la cita?", "a": "Solo una identificación." }]);
    for asked in [
        "que llevo a la cita",
        "¿qué debo llevar a la cita?",
        "what should I bring to the appointment",
    ] {
        let mut stage = Stage::new(Fake::new(business.clone(), NOW, 0)).known_as("Elena Ruiz");
        let said = stage.says(asked).await;
        assert!(!said.contains("¿Para qué servicio"), "{asked}: {said}");
        assert!(!said.contains("Which service"), "{asked}: {said}");
    }
    let mut stage = with_one().await;
    let said = stage.says("que llevo a la cita").await;
    assert!(!said.contains("¿Para qué servicio"), "{said}");
}

/// A person was called, and whatever is asked meanwhile is answered.
#[tokio::test]
async fn questions_after_a_person_was_called_are_answered() {
    let mut stage = Stage::new(Fake::new(clinic(), NOW, 0)).known_as("Elena Ruiz");
    stage.says("quiero hablar con una persona").await;
    let said = stage.says("¿cuánto cuesta la limpieza?").await;
    assert!(said.contains("$650"), "{said}");
    let said = stage.says("¿a qué hora abren mañana?").await;
    assert!(said.contains("9:00 a. m."), "{said}");
    assert_eq!(stage.desk.called("escalate_to_human").len(), 1);
}
