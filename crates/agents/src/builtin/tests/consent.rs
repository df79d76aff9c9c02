//! What is a yes, and what only sounds like one: nothing is stored or called off without it.

use super::business::{clinic, taqueria};
use super::desk::Fake;
use super::stage::Stage;
use serde_json::json;

/// Tuesday afternoon, when everything is open.
const NOW: &str = "2026-06-09T15:30[America/Mexico_City]";

/// None of these says yes to what is to be stored.
const NO_YES: &[&str] = &[
    "claro que no",
    "ok no",
    "bueno no",
    "dale, no",
    "por supuesto que no",
    "of course not",
    "sure, but not today",
    "ya fue, olvidalo",
    "va de nuez, no",
    "okey dejame ver",
    "ok déjame pensarlo",
    "ok wait",
    "si, pero todavía no",
    "y si llueve?",
    "y si llego tarde?",
    "y si pido 10?",
    "si cancelo me cobran?",
    "si quiero cambiar la hora",
    "ok pero espera",
    "solo si me hacen descuento",
    "sí, si me hacen descuento",
    "yes if you give me a discount",
];

#[tokio::test]
async fn nothing_is_ordered_without_a_yes() {
    let mut stored = Vec::new();
    for asked in NO_YES {
        let mut stage = Stage::new(Fake::new(taqueria(), NOW, 0)).known_as("Ana Soto");
        stage.says("4 tacos al pastor para llevar en Roma").await;
        let said = stage.says(asked).await;
        if !stage.desk.called("create_order").is_empty() {
            stored.push((asked, said));
        }
    }
    assert!(stored.is_empty(), "{stored:#?}");
}

#[tokio::test]
async fn nothing_is_booked_without_a_yes() {
    let mut stored = Vec::new();
    for asked in NO_YES {
        let mut stage = Stage::new(Fake::new(clinic(), NOW, 0)).known_as("Elena Ruiz");
        stage.says("quiero una limpieza el jueves a las 4").await;
        let said = stage.says(asked).await;
        if !stage.desk.called("create_appointment").is_empty() {
            stored.push((asked, said));
        }
    }
    assert!(stored.is_empty(), "{stored:#?}");
}

#[tokio::test]
async fn nothing_is_called_off_without_a_yes() {
    let mut called_off = Vec::new();
    for asked in [
        "claro que no",
        "ok no",
        "bueno no",
        "dale, no",
        "y si la muevo?",
        "si la cancelo pierdo algo?",
        "sí, cancela solo si me devuelven",
        "of course not",
    ] {
        let mut stage = Stage::new(Fake::new(clinic(), NOW, 0)).known_as("Elena Ruiz");
        stage.says("quiero una limpieza el jueves a las 4").await;
        stage.says("sí").await;
        stage.says("quiero cancelar mi cita").await;
        let said = stage.says(asked).await;
        if !stage.desk.called("cancel_appointment").is_empty() {
            called_off.push((asked, said));
        }

        let mut stage = Stage::new(Fake::new(taqueria(), NOW, 0)).known_as("Ana Soto");
        stage.says("4 tacos al pastor para llevar en Roma").await;
        stage.says("sí").await;
        stage.says("cancela mi pedido").await;
        let said = stage.says(asked).await;
        if !stage.desk.called("cancel_order").is_empty() {
            called_off.push((asked, said));
        }
    }
    assert!(called_off.is_empty(), "{called_off:#?}");
}

#[tokio::test]
async fn a_yes_is_one_in_many_words() {
    let mut lost = Vec::new();
    for asked in [
        "sí",
        "si por favor",
        "claro que sí",
        "ok gracias",
        "dale, perfecto",
        "si, no hay problema",
        "si nomás eso",
        "sí, así está bien",
        "yes please",
        "sure, no problem",
        "listo, confirmado",
        "ya pues",
        "sí quiero",
        "sí, gracias, nos vemos",
        "ok me parece bien",
    ] {
        let mut stage = Stage::new(Fake::new(taqueria(), NOW, 0)).known_as("Ana Soto");
        stage.says("4 tacos al pastor para llevar en Roma").await;
        let said = stage.says(asked).await;
        if stage.desk.called("create_order").len() != 1 {
            lost.push((asked, said));
        }
        let mut stage = Stage::new(Fake::new(clinic(), NOW, 0)).known_as("Elena Ruiz");
        stage.says("quiero una limpieza el jueves a las 4").await;
        let said = stage.says(asked).await;
        if stage.desk.called("create_appointment").len() != 1 {
            lost.push((asked, said));
        }
    }
    assert!(lost.is_empty(), "{lost:#?}");
}

#[tokio::test]
async fn what_was_read_back_is_stored_whatever_was_asked_in_between() {
    let faq = json!({ "q": "¿Hay estacionamiento?", "a": "Hay valet de jueves a sábado; cuesta $60 por las primeras dos horas." });
    let mut business = taqueria();
    business["faqs"].as_array_mut().unwrap().push(faq);
    for asked in [
        "hay estacionamiento?",
        "¿qué horario tienen?",
        "what are your hours?",
    ] {
        let mut stage = Stage::new(Fake::new(business.clone(), NOW, 0)).known_as("Ana Soto");
        let before = stage.says("mesa para 4 el viernes a las 8 en Roma").await;
        let said = stage.says(asked).await;
        stage.says("sí").await;
        let booked = stage.desk.called("create_appointment");
        let when = booked.first().map(ToString::to_string).unwrap_or_default();
        assert!(
            when.contains("2026-06-12|1200"),
            "{before} {asked} {said} {when}"
        );

        let mut stage = Stage::new(Fake::new(business.clone(), NOW, 0)).known_as("Ana Soto");
        stage.says("4 tacos al pastor para llevar en Roma").await;
        stage.says(asked).await;
        stage.says("sí").await;
        let ordered = stage.desk.called("create_order");
        assert!(ordered[0]["scheduled_at"].is_null(), "{asked} {ordered:?}");
    }
}

#[tokio::test]
async fn the_same_is_not_booked_twice() {
    let mut business = clinic();
    // Somebody else is free then too.
    business["services"][0]["staff"] = json!(["a", "c"]);
    business["staff"][2]["branch"] = json!("norte");
    let mut stage = Stage::new(Fake::new(business, NOW, 0)).known_as("Elena Ruiz");
    stage.says("limpieza el jueves a las 4").await;
    stage.says("sí").await;
    let said = stage.says("limpieza el jueves a las 4").await;
    assert!(said.contains("ya la tienes"), "{said}");
    stage.says("sí").await;
    assert_eq!(stage.desk.called("create_appointment").len(), 1);
    let said = stage
        .says("limpieza el jueves a las 4 para mi esposo")
        .await;
    assert!(said.contains("confirmo"), "{said}");
}

#[tokio::test]
async fn an_order_that_is_refused_keeps_its_hour() {
    let morning = "2026-06-09T10:15[America/Mexico_City]";
    let mut stage = Stage::new(Fake::new(taqueria(), morning, 0)).known_as("Ana Soto");
    let said = stage
        .says("4 tacos al pastor para llevar en Roma a las 3 pm")
        .await;
    assert!(said.contains("3:00 p. m."), "{said}");
    let said = stage.says("claro que no").await;
    assert!(
        !said.contains("programado") && said.contains("lo dejamos"),
        "{said}"
    );
    assert!(stage.desk.called("create_order").is_empty());
}

#[tokio::test]
async fn an_answer_chooses_among_what_was_told() {
    let mut business = clinic();
    for (at, name) in ["Consulta general", "Teleconsulta general"]
        .iter()
        .enumerate()
    {
        business["services"][at]["name"] = json!(name);
    }
    let mut stage = Stage::new(Fake::new(business, NOW, 0)).known_as("Elena Ruiz");
    let said = stage.says("una cita general para el jueves a las 4").await;
    assert!(said.contains("Teleconsulta general"), "{said}");
    let said = stage.says("consulta").await;
    assert!(said.contains("Sería Consulta general"), "{said}");
}
