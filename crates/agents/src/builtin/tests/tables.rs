//! Tables of a place that is open in the evening.

use super::business::{tacos, taqueria};
use super::desk::Fake;
use super::stage::Stage;
use crate::supervisor::Awaiting;
use serde_json::json;

/// Tuesday afternoon.
const NOW: &str = "2026-06-09T15:30[America/Mexico_City]";

fn at_taqueria(now: &str) -> Stage {
    Stage::new(Fake::new(taqueria(), now, 0)).known_as("Ana Soto")
}

fn at_tacos() -> Stage {
    Stage::new(Fake::new(tacos(), NOW, 0)).known_as("Ana Soto")
}

#[tokio::test]
async fn a_table_at_eight_is_for_the_evening() {
    // At eight nothing is free any more, and nobody meant the morning.
    let mut stage = at_taqueria("2026-06-09T20:10[America/Mexico_City]");
    let said = stage.says("mesa para 4 hoy a las 8 en la Roma").await;
    assert!(
        said.contains("8:00 p. m. no tengo lugar") && said.contains("8:30 p. m."),
        "{said}"
    );
    // On a day that has no hours of its own the evening is meant as well.
    let mut stage = at_taqueria(NOW);
    let said = stage
        .says("a table for 4 tomorrow at 8 in Roma, please")
        .await;
    assert!(said.contains("at 8:00 pm"), "{said}");
    // An order for eight is for the evening too.
    let mut stage = at_taqueria(NOW);
    let said = stage
        .says("4 tacos al pastor para llevar en Roma para las 8")
        .await;
    assert!(said.contains("8:00 p. m."), "{said}");
}

#[tokio::test]
async fn a_table_is_moved_after_a_yes_and_told_when_asked() {
    let mut stage = at_taqueria(NOW);
    stage
        .says("quiero una mesa para 4 mañana a las 7 en la Roma")
        .await;
    stage.says("sí").await;
    let said = stage.says("cámbiala a las 8").await;
    assert!(
        said.contains("8:00 p. m.") && said.contains("¿La cambio?"),
        "{said}"
    );
    assert!(stage.desk.called("reschedule_appointment").is_empty());
    let said = stage.says("no, mejor a las 9").await;
    assert!(
        said.contains("9:00 p. m.") && said.contains("¿La cambio?"),
        "{said}"
    );
    stage.says("no, a las 8").await;
    let said = stage.says("sí").await;
    assert!(said.contains("quedó cambiada: tu mesa"), "{said}");
    let moved = &stage.desk.called("reschedule_appointment")[0];
    assert_eq!(moved["time"], json!("20:00"));
    for asked in [
        "¿a qué hora quedó?",
        "¿a qué hora quedó la mesa?",
        "what time is it again?",
    ] {
        let said = stage.says(asked).await;
        assert!(said.contains("8:00 p"), "{asked}: {said}");
    }
}

#[tokio::test]
async fn a_table_needs_to_know_for_how_many() {
    let now = "2026-06-12T14:00[America/Monterrey]";
    let mut stage = Stage::new(Fake::new(tacos(), now, 0)).known_as("Nora");
    let said = stage
        .says("quiero reservar una mesa para mañana a las 8 de la noche")
        .await;
    assert!(said.contains("¿Para cuántas personas"), "{said}");
    let said = stage.says("somos 6").await;
    assert!(
        said.contains("6 personas") && said.contains("8:00 p. m."),
        "{said}"
    );
    assert!(
        stage
            .says("sí, confirma")
            .await
            .contains("mesa quedó reservada")
    );
    assert_eq!(
        stage.desk.called("create_appointment")[0]["party_size"],
        json!(6)
    );
}

#[tokio::test]
async fn a_restaurant_books_tables_for_so_many_and_its_services_by_name() {
    let mut business = super::business::kitchen();
    business["services"] = json!([
        { "id": "mesa", "name": "Reserva de mesa", "price": 0, "minutes": 90, "staff": [] },
        { "id": "taller", "name": "Taller de salsas", "price": 300, "minutes": 90, "staff": [] },
    ]);
    let now = "2026-06-12T13:00[America/Mexico_City]";
    let mut stage = Stage::new(Fake::new(business, now, 0)).known_as("Inés");
    let said = stage.says("quiero una mesa para mañana").await;
    assert!(said.contains("personas"), "{said}");
    let mut stage = Stage::new(Fake::new(
        stage.desk.business.lock().unwrap().clone(),
        now,
        0,
    ));
    let said = stage
        .says("quiero reservar en el taller de salsas mañana a las 5 de la tarde")
        .await;
    assert!(!said.contains("personas"), "{said}");
}

#[tokio::test]
async fn tables_that_are_kept_are_told() {
    let mut stage = at_taqueria(NOW);
    for asked in ["¿qué reservas tengo?", "que mesas tengo"] {
        let said = stage.says(asked).await;
        assert!(said.contains("ninguna reserva"), "{asked}: {said}");
    }
    stage
        .says("quiero una mesa para 4 mañana a las 7 en la Roma")
        .await;
    stage.says("sí").await;
    for asked in [
        "¿qué reservas tengo?",
        "que mesas tengo",
        "¿tengo mesa para mañana?",
        "what reservations do I have?",
    ] {
        let said = stage.says(asked).await;
        assert!(
            said.contains("4 p") && said.contains("7:00 p") && !said.contains('?'),
            "{asked}: {said}"
        );
    }
    let said = stage.says("¿tengo que reservar mesa para 2?").await;
    assert!(!said.contains("7:00 p. m."), "{said}");
}

#[tokio::test]
async fn another_hour_moves_the_table_and_keeps_no_second_one() {
    for between in ["gracias", "¿qué reservas tengo?", "¿aceptan tarjeta?"] {
        for asked in [
            "mejor a las 9",
            "¿puede ser a las 9?",
            "siempre va a ser a las 9",
        ] {
            let mut stage = at_taqueria(NOW);
            stage
                .says("quiero una mesa para 4 mañana a las 7 en la Roma")
                .await;
            stage.says("sí").await;
            stage.says(between).await;
            let said = stage.says(asked).await;
            assert!(said.contains("¿La cambio?"), "{between} / {asked}: {said}");
            stage.says("sí").await;
            assert_eq!(stage.desk.called("create_appointment").len(), 1);
            let moved = stage.desk.called("reschedule_appointment");
            assert_eq!(moved[0]["time"], json!("21:00"), "{between} / {asked}");
        }
    }
    // Another one is another one.
    let mut stage = at_taqueria(NOW);
    stage
        .says("quiero una mesa para 4 mañana a las 7 en la Roma")
        .await;
    stage.says("sí").await;
    let said = stage
        .says("otra mesa para 2 el viernes a las 9 en la Roma, mejor en terraza")
        .await;
    assert!(said.contains("2 personas"), "{said}");
}

#[tokio::test]
async fn how_many_come_is_no_hour_and_is_changed_by_a_person() {
    for asked in ["y somos 6", "seremos 6", "vamos a ser 6", "we will be 6"] {
        let mut stage = at_taqueria(NOW);
        stage
            .says("quiero una mesa para 4 mañana a las 7 en la Roma")
            .await;
        stage.says("sí").await;
        stage.says("cámbiala al viernes").await;
        let said = stage.says(asked).await;
        assert!(said.contains("6 p"), "{asked}: {said}");
        assert!(!said.contains("¿La cambio?"), "{asked}: {said}");
        let said = stage.says("a las 8").await;
        assert!(said.contains("8:00 p"), "{asked}: {said}");
        stage.says("sí").await;
        let moved = stage.desk.called("reschedule_appointment");
        assert_eq!(moved[0]["time"], json!("20:00"), "{asked}");
        let told = stage.desk.called("escalate_to_human");
        assert!(
            told[0]["reason"].as_str().unwrap().contains("6 p"),
            "{asked}"
        );
    }
    let mut stage = at_taqueria(NOW);
    stage
        .says("quiero una mesa para 4 mañana a las 7 en la Roma")
        .await;
    stage.says("sí").await;
    let said = stage.says("a las 9 y seremos 6").await;
    assert!(
        said.contains("9:00 p. m.") && said.contains("¿La cambio?"),
        "{said}"
    );
    // Where nothing but the number changes, nothing is moved.
    let mut stage = at_taqueria(NOW);
    stage
        .says("quiero una mesa para 4 mañana a las 7 en la Roma")
        .await;
    stage.says("sí").await;
    stage.says("quiero cambiar mi reserva").await;
    let said = stage.says("y seremos 6").await;
    assert!(
        said.contains("6 personas") && said.contains("una persona seguirá"),
        "{said}"
    );
    assert!(stage.desk.called("reschedule_appointment").is_empty());
}

#[tokio::test]
async fn only_what_is_free_is_offered_in_the_place_of_a_table() {
    let mut stage = at_taqueria(NOW);
    stage
        .says("quiero una mesa para 4 mañana a las 7 en la Roma")
        .await;
    stage.says("sí").await;
    // Nobody is there at nine in the morning.
    let said = stage.says("cámbiala a las 9 de la mañana").await;
    assert!(
        !said.contains("¿La cambio?") && said.contains("no tengo lugar"),
        "{said}"
    );
}

#[tokio::test]
async fn another_number_of_people_keeps_the_day_and_the_hour() {
    for asked in ["no, somos 4", "no, seremos 4", "no, we are 4"] {
        let mut stage = at_taqueria(NOW);
        stage.says("mesa para 2 mañana a las 8 en Roma").await;
        let said = stage.says(asked).await;
        assert!(
            said.contains("4 p") && said.contains("8:00 p"),
            "{asked}: {said}"
        );
        stage.says("sí").await;
        let made = &stage.desk.called("create_appointment")[0];
        assert_eq!(made["party_size"], json!(4), "{asked}");
    }
}

#[tokio::test]
async fn a_bare_number_is_the_hour_that_was_asked_for() {
    let mut stage = at_taqueria(NOW);
    stage.says("mesa para 7 mañana en la Roma").await;
    // Nobody is there at noon.
    let said = stage.says("12").await;
    assert!(said.contains("12:00 p. m. no tengo lugar"), "{said}");
    let said = stage.says("2").await;
    assert!(said.contains("2:00 p. m."), "{said}");
}

#[tokio::test]
async fn whoever_writes_is_counted_too() {
    for (asked, people) in [
        (
            "mesa para mí y 5 amigos el viernes a las 8 en Roma",
            "6 personas",
        ),
        (
            "mesa para dos parejas el viernes a las 8 en Roma",
            "4 personas",
        ),
        (
            "a table for me and 3 friends on friday at 8 in Roma",
            "4 people",
        ),
        (
            "mesa para 5 amigos el viernes a las 8 en Roma",
            "5 personas",
        ),
    ] {
        let said = at_taqueria(NOW).says(asked).await;
        assert!(said.contains(people), "{asked}: {said}");
    }
}

#[tokio::test]
async fn a_number_that_is_preferred_counts_people_or_is_asked_about() {
    const FIRST: &str = "quiero una mesa para 5 el sábado a las 8";
    for (then, told) in [
        (&["mejor 7", "personas"][..], ["7 personas", "8:00 p. m."]),
        (&["no, mejor 7", "7 personas"], ["7 personas", "8:00 p. m."]),
        (&["mejor siete", "la hora"], ["5 personas", "7:00 p. m."]),
        (&["mejor 7", "a las 7"], ["5 personas", "7:00 p. m."]),
        (&["mejor 7", "mejor a las 9"], ["5 personas", "9:00 p. m."]),
        (&["que sean 7"], ["7 personas", "8:00 p. m."]),
        (&["mejor 15"], ["15 personas", "8:00 p. m."]),
        (&["mejor 5"], ["5 personas", "5:00 p. m."]),
    ] {
        let mut stage = at_tacos();
        stage.says(FIRST).await;
        let mut said = String::new();
        for text in then {
            said = stage.says(text).await;
        }
        for told in told {
            assert!(said.contains(told), "{then:?}: {said}");
        }
        assert_eq!(stage.reply().awaiting, Some(Awaiting::Confirmation));
        assert!(stage.desk.called("create_appointment").is_empty());
    }
    // What may be both is asked about, and neither a yes nor a question settles it.
    let mut stage = at_tacos();
    stage.says(FIRST).await;
    for text in ["mejor 7", "sí", "¿tienen salsa sin picante?", "7"] {
        let said = stage.says(text).await;
        assert!(
            said.contains("7 personas") && said.contains("la hora"),
            "{text}: {said}"
        );
        assert!(stage.desk.called("create_appointment").is_empty());
    }
    // Before there is an hour, or asked how many come, nothing else is counted.
    let mut stage = at_tacos();
    stage.says("quiero una mesa para 5").await;
    stage.says("mejor 7").await;
    let said = stage.says("el sábado a las 8").await;
    assert!(said.contains("7 personas"), "{said}");
}
