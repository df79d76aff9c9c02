//! Moving and cancelling what was booked.

use super::business::clinic;
use super::desk::Fake;
use super::stage::Stage;
use serde_json::json;

/// Tuesday morning.
const NOW: &str = "2026-06-09T10:15[America/Mexico_City]";

fn at_clinic() -> Stage {
    Stage::new(Fake::new(clinic(), NOW, 0))
}

/// A clinic whose customer has one appointment, or several.
fn with_appointments(starts: &[(&str, &str)]) -> Stage {
    let mut business = clinic();
    for (at, (service, start)) in starts.iter().enumerate() {
        let id = uuid::Uuid::from_u128(at as u128 + 1).to_string();
        let appointment = json!({
            "id": id, "service": service, "branch": "norte", "staff": "a", "start": start, "minutes": 30,
        });
        business["appointments"]
            .as_array_mut()
            .unwrap()
            .push(appointment);
    }
    Stage::new(Fake::new(business, NOW, 0)).known_as("Elena Ruiz")
}

#[tokio::test]
async fn an_appointment_is_moved_when_that_is_ordered_completely() {
    let mut stage = with_appointments(&[("Limpieza dental", "2026-06-10T17:00")]);
    let said = stage
        .says("tengo limpieza mañana a las 5 y no llego, pásamela al viernes a la misma hora")
        .await;
    assert!(
        said.contains("quedó cambiada") && said.contains("viernes 12 de junio a las 5:00 p. m."),
        "{said}"
    );
    let moved = stage.desk.called("reschedule_appointment");
    assert_eq!(moved.len(), 1);
    assert_eq!(
        (&moved[0]["date"], &moved[0]["time"]),
        (&json!("2026-06-12"), &json!("17:00"))
    );
    let said = stage.says("¿me cobran algo por cancelar?").await;
    assert!(said.contains("24 horas"), "{said}");
    assert!(stage.desk.called("cancel_appointment").is_empty());
}

#[tokio::test]
async fn a_vague_wish_to_move_is_confirmed_first() {
    let mut stage = with_appointments(&[("Limpieza dental", "2026-06-10T17:00")]);
    let said = stage.says("necesito reprogramar mi cita").await;
    assert!(said.contains("¿Para qué día"), "{said}");
    let said = stage.says("el viernes a las 12").await;
    assert!(said.contains("¿La cambio?"), "{said}");
    assert!(stage.desk.called("reschedule_appointment").is_empty());
    assert!(stage.says("sí").await.contains("quedó cambiada"));
}

#[tokio::test]
async fn cancelling_always_asks() {
    let mut stage = with_appointments(&[("Limpieza dental", "2026-06-10T17:00")]);
    let said = stage.says("cancela mi cita por favor").await;
    assert!(said.contains("¿Seguro"), "{said}");
    assert!(stage.desk.called("cancel_appointment").is_empty());
    let said = stage.says("sí").await;
    assert!(
        said.contains("quedó cancelada") && said.contains("miércoles 10 de junio"),
        "{said}"
    );
    let mut stage = with_appointments(&[("Limpieza dental", "2026-06-10T17:00")]);
    stage.says("quiero cancelar mi cita").await;
    let said = stage.says("no, mejor la dejo").await;
    assert!(said.contains("lo dejamos así"), "{said}");
    assert!(stage.desk.called("cancel_appointment").is_empty());
}

#[tokio::test]
async fn of_several_appointments_the_customer_says_which() {
    let mut stage = with_appointments(&[
        ("Limpieza dental", "2026-06-10T17:00"),
        ("Blanqueamiento", "2026-06-15T10:00"),
    ]);
    let said = stage.says("quiero cancelar mi cita").await;
    assert!(
        said.contains("varias citas") && said.contains("lunes 15 de junio"),
        "{said}"
    );
    let said = stage.says("la del blanqueamiento").await;
    assert!(said.contains("quedó cancelada: Blanqueamiento"), "{said}");
    let mut nothing = with_appointments(&[]);
    let said = nothing.says("quiero cancelar mi cita").await;
    assert!(
        said.contains("No encuentro ninguna cita") && said.contains("442 555 0101"),
        "{said}"
    );
    assert!(nothing.desk.called("cancel_appointment").is_empty());
}

#[tokio::test]
async fn what_was_made_last_is_what_is_cancelled() {
    let mut stage = at_clinic().known_as("Ana");
    stage
        .says("agéndame una limpieza mañana a las 11 de la mañana")
        .await;
    let said = stage.says("mejor cancélala").await;
    assert!(said.contains("cancelar tu cita"), "{said}");
    assert!(stage.says("sí").await.contains("quedó cancelada"));
}

#[tokio::test]
async fn another_time_right_after_a_booking_moves_it() {
    let mut stage = at_clinic().known_as("Ana");
    stage
        .says("agéndame una limpieza mañana a las 11 de la mañana")
        .await;
    assert_eq!(stage.desk.called("create_appointment").len(), 1);
    let said = stage.says("mejor el sábado a las 11").await;
    assert!(stage.desk.called("reschedule_appointment").is_empty());
    assert!(said.contains("sábado 13 de junio"), "{said}");
    stage.says("sí").await;
    let moved = stage.desk.called("reschedule_appointment");
    assert_eq!(moved[0]["date"], json!("2026-06-13"));
    assert_eq!(moved[0]["time"], json!("11:00"));
    assert_eq!(stage.desk.called("create_appointment").len(), 1);
}

#[tokio::test]
async fn of_several_appointments_the_one_that_is_named_is_moved() {
    for (asked, service) in [
        (
            "pasa la limpieza para el viernes a las 12",
            "Limpieza dental",
        ),
        ("la limpiesa mejor el viernes a las 12", "Limpieza dental"),
        (
            "pon el blanqueamiento el viernes a las 12",
            "Blanqueamiento",
        ),
        (
            "la del blanqueamiento recórrela al viernes a las 12",
            "Blanqueamiento",
        ),
        ("move the whitening to friday at 12", "Blanqueamiento"),
    ] {
        let mut stage = with_appointments(&[
            ("Limpieza dental", "2026-06-10T17:00"),
            ("Blanqueamiento", "2026-06-15T10:00"),
        ]);
        stage.says(asked).await;
        stage.says("sí").await;
        assert!(
            stage.desk.called("create_appointment").is_empty(),
            "{asked}"
        );
        let moved = stage.desk.called("reschedule_appointment");
        let id = if service == "Blanqueamiento" { 2 } else { 1 };
        let id = uuid::Uuid::from_u128(id).to_string();
        assert_eq!(moved[0]["appointment_id"], json!(id), "{asked}");
        assert_eq!(moved[0]["date"], json!("2026-06-12"), "{asked}");
    }
    // Who wants another one gets another one.
    let mut stage = with_appointments(&[("Limpieza dental", "2026-06-10T17:00")]);
    let said = stage.says("quiero otra limpieza el viernes a las 12").await;
    assert!(said.contains("¿La confirmo?"), "{said}");
    // And who asks what happens moves nothing.
    let said = stage.says("¿qué pasa si llego tarde el viernes?").await;
    assert!(!said.contains("cambi"), "{said}");
}

#[tokio::test]
async fn the_same_day_is_that_of_the_appointment_which_is_moved() {
    let mut stage = with_appointments(&[("Limpieza dental", "2026-06-11T17:00")]);
    stage
        .says("agéndame una valoración en Norte mañana a las 12")
        .await;
    assert_eq!(stage.desk.called("create_appointment").len(), 1);
    stage.says("la mía pásala a las 4 el mismo día").await;
    let said = stage.says("la limpieza").await;
    assert!(
        said.contains("jueves 11 de junio a las 4:00 p. m."),
        "{said}"
    );
    let mut stage = with_appointments(&[("Limpieza dental", "2026-06-11T17:00")]);
    let said = stage.says("la mía pásala a las 4 el mismo día").await;
    assert!(
        said.contains("jueves 11 de junio a las 4:00 p. m."),
        "{said}"
    );
}

#[tokio::test]
async fn what_is_not_booked_is_not_moved() {
    for asked in [
        "pásame el blanqueamiento al viernes a las 12",
        "cancela el blanqueamiento",
    ] {
        let mut stage = with_appointments(&[("Limpieza dental", "2026-06-11T17:00")]);
        let said = stage.says(asked).await;
        assert!(
            said.contains("De Blanqueamiento no veo ninguna cita")
                && said.contains("Limpieza dental"),
            "{asked}: {said}"
        );
        assert!(stage.says("no").await.contains("lo dejamos así"), "{asked}");
        assert!(stage.desk.called("reschedule_appointment").is_empty());
        assert!(stage.desk.called("cancel_appointment").is_empty());
    }
    let mut stage = with_appointments(&[("Limpieza dental", "2026-06-11T17:00")]);
    stage
        .says("pásame el blanqueamiento al viernes a las 12")
        .await;
    let said = stage.says("no, la limpieza").await;
    assert!(
        said.contains("Limpieza dental al viernes 12 de junio"),
        "{said}"
    );
}

#[tokio::test]
async fn the_one_that_is_named_by_its_hour_or_day_is_cancelled_after_a_yes() {
    let two = [
        ("Limpieza dental", "2026-06-11T09:00"),
        ("Valoración", "2026-06-12T17:00"),
    ];
    for (asked, service) in [
        ("cancela la de las 9", "Limpieza dental"),
        ("cancel the one at 9", "Limpieza dental"),
        ("quiero cancelar la cita de las 5 de la tarde", "Valoración"),
        ("cancela la del viernes", "Valoración"),
        ("quiero cancelar mi cita del jueves", "Limpieza dental"),
        ("cancel my appointment on Friday", "Valoración"),
    ] {
        let mut stage = with_appointments(&two);
        let said = stage.says(asked).await;
        let other = two.iter().find(|(other, _)| *other != service).unwrap().0;
        assert!(
            said.contains(service) && !said.contains(other),
            "{asked}: {said}"
        );
        assert!(
            stage.desk.called("cancel_appointment").is_empty(),
            "{asked}"
        );
        stage.says("sí").await;
        let cancelled = stage.desk.called("cancel_appointment");
        let place = if service == "Valoración" { 2 } else { 1 };
        let id = uuid::Uuid::from_u128(place).to_string();
        assert_eq!(cancelled[0]["appointment_id"], json!(id), "{asked}");
    }
    // What names none of them, or more than one, is asked about.
    for asked in [
        "cancela la de las 8",
        "cancela la del viernes a las 9",
        "cancela la de mañana",
    ] {
        let mut stage = with_appointments(&two);
        let said = stage.says(asked).await;
        assert!(said.contains("¿Cuál de ellas?"), "{asked}: {said}");
    }
    let mut stage = with_appointments(&[
        ("Limpieza dental", "2026-06-11T09:00"),
        ("Valoración", "2026-06-12T09:00"),
    ]);
    let said = stage.says("cancela la de las 9").await;
    assert!(said.contains("¿Cuál de ellas?"), "{said}");
}
