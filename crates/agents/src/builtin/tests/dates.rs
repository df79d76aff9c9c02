//! Days that are named by half, and numbers that are none.

use super::business::{clinic, taqueria};
use super::desk::Fake;
use super::stage::Stage;
use serde_json::json;

/// Tuesday morning in November.
const NOVEMBER: &str = "2026-11-17T10:15[America/Mexico_City]";
/// Tuesday afternoon, when both branches are open.
const NOW: &str = "2026-06-09T15:30[America/Mexico_City]";

#[tokio::test]
async fn a_number_alone_is_a_day_of_the_month_that_is_spoken_of() {
    let at = || Stage::new(Fake::new(clinic(), NOVEMBER, 0)).known_as("Ana Soto");
    for (first, then, told) in [
        (
            "quiero una limpieza el 10 de diciembre a las 4",
            "mejor el 23",
            "23 de diciembre",
        ),
        (
            "quiero una limpieza el 10 de diciembre",
            "o el 21 a las 10",
            "21 de diciembre",
        ),
        (
            "no puedo el 10 de diciembre, quiero una limpieza el 21",
            "a las 4",
            "21 de diciembre",
        ),
        (
            "quiero una limpieza en diciembre",
            "el 23 a las 4",
            "23 de diciembre",
        ),
        (
            "quiero una limpieza para diciembre",
            "el martes a las 4",
            "1 de diciembre",
        ),
        // Without a month the next such day is meant.
        (
            "quiero una limpieza el 20",
            "mejor el 24 a las 4",
            "24 de noviembre",
        ),
        (
            "quiero una limpieza el 28 de noviembre a las 10",
            "mejor el 2",
            "2 de diciembre",
        ),
    ] {
        let mut stage = at();
        stage.says(first).await;
        let said = stage.says(then).await;
        assert!(said.contains(told), "{first} / {then}: {said}");
    }
    let mut stage = at();
    stage.says("a cleaning on december 10 at 4").await;
    let said = stage.says("actually make it the 23rd").await;
    assert!(said.contains("23 December"), "{said}");
}

#[tokio::test]
async fn a_street_that_is_called_after_a_day_is_no_day() {
    for (asked, address) in [
        (
            "4 tacos de pastor para las 8 a av 9 de julio 1230, Roma Norte, efectivo",
            "av 9 de julio 1230, Roma Norte",
        ),
        (
            "4 tacos de pastor para hoy a las 8 a la calle 5 de mayo 10, Roma Norte, en efectivo",
            "calle 5 de mayo 10, Roma Norte",
        ),
        (
            "4 tacos de pastor a las 8 pm a la cra 7 # 12-30, Roma Norte, efectivo",
            "cra 7 # 12-30, Roma Norte",
        ),
    ] {
        let mut stage = Stage::new(Fake::new(taqueria(), NOW, 0)).known_as("Ana Soto");
        let said = stage.says(asked).await;
        assert!(said.contains(address), "{asked}: {said}");
        stage.says("sí").await;
        let placed = &stage.desk.called("create_order")[0];
        assert_eq!(
            placed["scheduled_time"],
            json!("2026-06-09T20:00"),
            "{asked}"
        );
        assert_eq!(placed["delivery_address"], json!(address), "{asked}");
        assert_eq!(placed["items"][0]["quantity"], json!(4), "{asked}");
    }
}

#[tokio::test]
async fn the_day_that_is_meant_is_read_back() {
    for (talk, day) in [
        // The month is that of the day that was spoken of.
        (
            &["limpieza el 25 de diciembre", "el 26 a las 10"] as &[&str],
            "26 de diciembre a las 10:00 a. m.",
        ),
        (
            &["limpieza de hoy en ocho a las 10"],
            "16 de junio a las 10:00",
        ),
        (
            &["limpieza el 11 de julio a las 10, o si no el 14"],
            "11 de julio a las 10:00",
        ),
        (
            &["limpieza pasado mañana 6pm", "mejor 5"],
            "11 de junio a las 5:00 p. m.",
        ),
        (
            &["limpieza el jueves a las 4", "¿puedo cancelar?"],
            "11 de junio a las 4:00 p. m.",
        ),
        (&["limpieza cualquier día menos el jueves"], "¿Qué día"),
    ] {
        let mut stage = Stage::new(Fake::new(clinic(), NOW, 0)).known_as("Elena Ruiz");
        let mut said = String::new();
        for text in talk {
            said = stage.says(text).await;
        }
        assert!(said.contains(day), "{talk:?}: {said}");
    }
}
