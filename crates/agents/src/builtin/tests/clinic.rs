//! What a clinic is told and asked besides times: telephones, orders of a doctor, complaints, how long
//! something takes.

use super::business::clinic;
use super::desk::Fake;
use super::stage::Stage;
use serde_json::{Value, json};

/// Tuesday morning.
const NOW: &str = "2026-06-09T10:15[America/Mexico_City]";

fn at(business: Value) -> Stage {
    Stage::new(Fake::new(business, NOW, 0)).known_as("Elena Ruiz")
}

/// A clinic that vaccinates.
pub(super) fn medical() -> Value {
    let mut business = clinic();
    business["vertical"] = json!("medical");
    business["services"] = json!([
        { "id": "gen", "name": "Consulta de medicina general", "price": 500, "minutes": 30, "staff": ["a"] },
        { "id": "ped", "name": "Consulta de pediatría", "price": 500, "minutes": 30, "staff": ["a"] },
        { "id": "flu", "name": "Vacuna contra la influenza", "aliases": ["vacuna de la gripa"], "price": 400, "minutes": 10, "staff": ["a"] },
        { "id": "hpv", "name": "Vacuna contra el VPH", "aliases": ["papiloma"], "price": 900, "minutes": 10, "staff": ["a"] },
    ]);
    business["faqs"] = json!([
        { "q": "¿Me puedo vacunar con gripa?", "a": "Si es una gripa sin fiebre, sí." },
        { "q": "¿Necesito orden médica para un examen?", "a": "Para los exámenes básicos no hace falta." },
    ]);
    business
}

#[tokio::test]
async fn nobody_gets_the_number_of_somebody_of_the_team() {
    for asked in [
        "dame el celular de la Dra. Ferrer",
        "¿me pasas el whatsapp de Lucía Ferrer?",
        "I need Dr. Arce's phone number",
    ] {
        let mut stage = at(clinic());
        let said = stage.says(asked).await;
        let refused = said.contains("no los comparto") || said.contains("I don't share");
        assert!(refused && said.contains("442 555 0101"), "{asked}: {said}");
    }
    for asked in ["¿cuál es su teléfono?", "dame el teléfono de la clínica"] {
        let said = at(clinic()).says(asked).await;
        assert!(said.contains("442 555 0101"), "{asked}: {said}");
    }
    // A number that is given is noted, whatever it sounds like.
    let said = at(clinic()).says("mi celular es 4421234567").await;
    assert!(said.contains("lo anoto"), "{said}");
    // Whose number is asked for on the way is not who shall attend.
    let mut stage = at(clinic());
    stage.says("quiero una limpieza el jueves a las 4").await;
    let said = stage.says("¿me das el número del Dr. Arce?").await;
    assert!(
        said.contains("no los comparto") && said.contains("¿La confirmo?"),
        "{said}"
    );
    let said = stage.says("sí").await;
    assert!(said.contains("quedó agendada"), "{said}");
}

#[tokio::test]
async fn an_order_of_a_doctor_is_no_order() {
    for asked in [
        "necesito una orden médica",
        "¿me pueden dar la orden médica para los exámenes?",
    ] {
        let said = at(medical()).says(asked).await;
        assert!(
            !said.contains("pedir") && !said.contains("pedido"),
            "{said}"
        );
        assert!(said.contains("exámenes básicos"), "{said}");
    }
}

#[tokio::test]
async fn what_somebody_has_is_no_vaccine_against_it() {
    let said = at(medical()).says("tengo gripa").await;
    assert!(said.contains("diagnósticos"), "{said}");
    for asked in ["quiero cita por gripa", "necesito una cita, tengo gripe"] {
        let said = at(medical()).says(asked).await;
        assert!(said.contains("¿Para qué servicio"), "{asked}: {said}");
    }
    let mut stage = at(medical());
    stage.says("quiero la vacuna de la gripa").await;
    let said = stage.says("tengo gripa").await;
    assert!(!said.contains("VPH"), "{said}");
    // Who names the vaccine gets that one, and not those that are vaccines as well.
    for asked in [
        "quiero la vacuna de la gripa",
        "¿cuánto cuesta la vacuna de la gripa?",
    ] {
        let said = at(medical()).says(asked).await;
        assert!(
            said.contains("influenza") && !said.contains("VPH"),
            "{asked}: {said}"
        );
    }
}

#[tokio::test]
async fn what_is_on_offer_is_told_when_it_is_booked() {
    let mut business = clinic();
    business["services"][0]["promotion"] =
        json!({ "text": "Limpieza con pulido incluido.", "price": 499 });
    let mut stage = at(business);
    let said = stage.says("quiero una limpieza el jueves a las 4").await;
    assert!(
        said.contains("pulido incluido") && said.contains("Norte con Dra. Lucía Ferrer, $499"),
        "{said}"
    );
    assert!(!said.contains("$650"), "{said}");
    assert!(stage.says("sí").await.contains("quedó agendada"));
}

#[tokio::test]
async fn how_long_it_takes_is_told_and_nothing_of_another_service() {
    let mut business = clinic();
    business["faqs"] = json!([{ "q": "¿Duele la limpieza dental?", "a": "Casi nunca." }]);
    let said = at(business.clone())
        .says("¿cuánto demora el blanqueamiento? ¿duele?")
        .await;
    assert!(
        said.contains("60 minutos") && said.contains("no tengo información"),
        "{said}"
    );
    assert!(!said.contains("Casi nunca"), "{said}");
    let said = at(business.clone())
        .says("¿cuánto dura la limpieza? ¿duele?")
        .await;
    assert!(
        said.contains("30 minutos") && said.contains("Casi nunca"),
        "{said}"
    );
    let said = at(business).says("how long does the cleaning take?").await;
    assert!(said.contains("30 minutes"), "{said}");
}

#[tokio::test]
async fn what_is_asked_after_a_booking_is_about_it() {
    let mut business = clinic();
    business["faqs"] = json!([
        { "q": "¿Cuánto dura la consulta?", "a": "Veinte minutos." },
        { "q": "¿Cuánto cobran por cancelar?", "a": "Nada." },
        { "q": "¿Dónde queda el estacionamiento?", "a": "En la esquina." },
    ]);
    let mut stage = at(business);
    stage
        .says("agéndame una limpieza mañana a las 11 de la mañana")
        .await;
    for (asked, told) in [
        ("¿cuánto me cobran?", "$650"),
        ("cuanto sale", "$650"),
        ("gracias! cuanto es?", "$650"),
        ("¿y cuánto dura?", "30 minutos"),
        ("con quien es?", "Dra. Lucía Ferrer"),
        ("¿dónde es?", "Av. Tecnológico 210"),
        ("how much is it?", "$650"),
        ("who will see me?", "Dra. Lucía Ferrer"),
        ("cuanto dura y cuanto cuesta?", "$650"),
    ] {
        let said = stage.says(asked).await;
        assert!(said.contains(told), "{asked}: {said}");
        assert!(!said.contains("Jardines"), "{asked}: {said}");
        assert!(
            !said.contains("Nada.") && !said.contains("esquina"),
            "{asked}: {said}"
        );
    }
    // Whatever else is named is meant.
    let said = stage.says("¿cuánto cuesta el blanqueamiento?").await;
    assert!(said.contains("$2,900"), "{said}");
    let said = stage.says("¿y cuánto dura?").await;
    assert!(!said.contains("Limpieza"), "{said}");
}

#[tokio::test]
async fn what_is_on_offer_is_told_when_asked() {
    let mut business = clinic();
    business["services"][0]["promotion"] =
        json!({ "text": "Limpieza con pulido incluido.", "price": 499 });
    for asked in [
        "¿qué promociones hay?",
        "tienen alguna promo o descuento este mes?",
        "any deals right now?",
    ] {
        let said = at(business.clone()).says(asked).await;
        assert!(
            said.contains("pulido incluido") && said.contains("$499"),
            "{asked}: {said}"
        );
    }
    let said = at(clinic()).says("¿qué promociones hay?").await;
    assert!(said.contains("No tengo esa información"), "{said}");
    let said = at(clinic()).says("¿cómo gano puntos?").await;
    assert!(said.starts_with("Tus puntos se juntan"), "{said}");
}
