//! Others than the customer: whose appointment is meant, and several people in one wish.

use super::business::clinic;
use super::desk::Fake;
use super::stage::Stage;
use serde_json::json;

/// Tuesday morning.
const NOW: &str = "2026-06-09T10:15[America/Mexico_City]";

async fn booked() -> Stage {
    let mut stage = Stage::new(Fake::new(clinic(), NOW, 0)).known_as("Elena Ruiz");
    stage.says("quiero una limpieza el jueves a las 4").await;
    stage.says("sí").await;
    assert_eq!(stage.desk.called("create_appointment").len(), 1);
    stage
}

#[tokio::test]
async fn nobody_loses_an_appointment_for_that_of_somebody_else() {
    for (asked, person) in [
        ("cancela la de mi mamá", "mamá"),
        ("la cita de mi hijo, cancélala", "hijo"),
        ("cancel my son's appointment", "son"),
    ] {
        let mut stage = booked().await;
        let said = stage.says(asked).await;
        assert!(said.contains(person) && said.contains('?'), "{said}");
        let said = stage.says("no").await;
        assert!(
            said.contains("no cambio nada") || said.contains("change nothing"),
            "{said}"
        );
        assert!(stage.desk.called("cancel_appointment").is_empty());
    }
    // A question in between settles nothing.
    let mut stage = booked().await;
    stage.says("cancela la de mi mamá").await;
    let said = stage.says("¿cuánto dura la limpieza?").await;
    assert!(
        said.contains("30 minutos") && said.contains("¿Es esa la de tu mamá?"),
        "{said}"
    );
    // Why somebody cannot come says nothing of whose it is.
    let mut stage = booked().await;
    let said = stage.says("cancela mi cita, mi hijo está enfermo").await;
    assert!(said.contains("¿Seguro"), "{said}");
    let mut stage = booked().await;
    stage
        .says("cambia la cita de mi mamá al viernes a las 5")
        .await;
    assert!(stage.desk.called("reschedule_appointment").is_empty());
    let said = stage.says("sí, esa").await;
    assert!(
        said.contains("viernes 12 de junio a las 5:00 p. m.") && said.contains("¿La cambio?"),
        "{said}"
    );
}

/// Who cannot come says no to nothing that was asked.
#[tokio::test]
async fn who_cannot_come_cancels_after_a_yes() {
    for asked in ["ya no voy a poder, cancélala", "I can't make it, cancel it"] {
        let mut stage = booked().await;
        let said = stage.says(asked).await;
        assert!(
            said.contains("cancelar tu cita") || said.contains("cancel your appointment"),
            "{asked}: {said}"
        );
        assert!(stage.desk.called("cancel_appointment").is_empty());
        stage.says("sí").await;
        assert_eq!(stage.desk.called("cancel_appointment").len(), 1);
    }
    let mut stage = booked().await;
    let said = stage.says("no canceles mi cita").await;
    assert!(!said.contains("¿Seguro"), "{said}");
}

#[tokio::test]
async fn the_same_day_is_that_of_the_appointment() {
    let mut stage = booked().await;
    let said = stage.says("mejor el mismo día en la mañana").await;
    assert!(
        said.contains("jueves 11 de junio") && said.contains("a. m."),
        "{said}"
    );
}

#[tokio::test]
async fn several_people_are_booked_one_after_the_other() {
    let mut stage = Stage::new(Fake::new(clinic(), NOW, 0)).known_as("Elena Ruiz");
    let said = stage
        .says("una limpieza para mí y una para mi esposo el jueves a las 4")
        .await;
    assert!(
        said.contains("varias citas") && said.contains("de una en una"),
        "{said}"
    );
    let said = stage.says("sí").await;
    assert!(
        said.contains("quedó agendada") && said.contains("Falta la otra cita"),
        "{said}"
    );
    let said = stage
        .says("el mismo día a las 5, a nombre de Luis Soto")
        .await;
    for told in [
        "Limpieza",
        "jueves 11 de junio a las 5:00 p. m.",
        "Luis Soto",
    ] {
        assert!(said.contains(told), "{told}: {said}");
    }
    let said = stage.says("sí").await;
    assert!(said.contains("quedó agendada"), "{said}");
    assert!(!said.contains("Falta la otra"), "{said}");
    let made = stage.desk.called("create_appointment");
    assert_eq!(made.len(), 2);
    assert_eq!(made[1]["customer_name"], json!("Luis Soto"));

    let mut stage = Stage::new(Fake::new(clinic(), NOW, 0)).known_as("Elena Ruiz");
    let said = stage.says("quiero cita para mis dos hijos").await;
    assert!(said.contains("varias citas"), "{said}");
    let said = stage.says("una limpieza").await;
    assert!(!said.contains("varias citas"), "once is enough: {said}");
    let mut stage = Stage::new(Fake::new(clinic(), NOW, 0)).known_as("Elena Ruiz");
    let said = stage
        .says("I need a cleaning appointment for me and one for my husband")
        .await;
    assert!(said.contains("one at a time"), "{said}");
}
