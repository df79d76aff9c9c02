//! What an answer claims to have been done, or to be on offer, must have happened or be there.

use super::stage::{Clinic, Scripted, ask, calls, input, passage, says};
use quipu_core::agent::Grounding;
use serde_json::json;

/// Whether a model that says nothing else is believed.
async fn believed(text: &str, desk: &Clinic) -> bool {
    let model = Scripted::new(vec![says(text)]);
    let (answer, _) = ask(input(&["cuéntame, por favor"]), &model, desk).await;
    assert_eq!(answer.degraded, !answer.text.starts_with(text), "{text}");
    !answer.degraded
}

#[tokio::test]
async fn what_nobody_did_is_not_told_as_done() {
    for text in [
        "Tu cita quedó agendada para mañana.",
        "Listo, tu cita ya fue cancelada.",
        "Tu pedido quedó registrado.",
        "Ya avisé a una persona del equipo.",
        "He reprogramado tu cita.",
        "Your appointment has been booked.",
        "I've cancelled your appointment.",
        "I have notified a member of our team.",
        "Mañana tenemos espacio.",
        "Tenemos promoción de 2x1.",
        "Hoy tienes 50 % de descuento.",
        "Te atiende la doctora Paredes.",
    ] {
        assert!(!believed(text, &Clinic::default()).await, "{text}");
    }
}

#[tokio::test]
async fn questions_offers_and_conditions_claim_nothing() {
    for text in [
        "¿Quieres que agende tu cita?",
        "Para cancelar tu cita necesito tu nombre.",
        "Cuando quede agendada te aviso.",
        "Puedo avisar a una persona del equipo.",
        "Would you like me to book your appointment?",
        "Tu cita aún no está agendada.",
    ] {
        assert!(believed(text, &Clinic::default()).await, "{text}");
    }
    let policy = "Las citas canceladas con menos de un día de aviso se cobran completas.";
    let desk = Clinic {
        passages: vec![passage(policy)],
        ..Clinic::default()
    };
    assert!(believed(policy, &desk).await);
}

#[tokio::test]
async fn what_a_tool_did_may_be_told() {
    let booking = r#"{"date": "2026-03-18", "time": "17:00"}"#;
    for (tool, arguments, text, fits) in [
        (
            "create_appointment",
            booking,
            "Tu cita quedó agendada.",
            true,
        ),
        (
            "create_appointment",
            booking,
            "Tu cita quedó cancelada.",
            false,
        ),
        (
            "create_appointment",
            booking,
            "Tu pedido quedó registrado.",
            false,
        ),
        (
            "escalate_to_human",
            r#"{"reason": "queja"}"#,
            "Ya avisé a una persona del equipo.",
            true,
        ),
        (
            "escalate_to_human",
            r#"{"reason": "queja"}"#,
            "Tu cita quedó agendada.",
            false,
        ),
    ] {
        let model = Scripted::new(vec![calls(&[(tool, arguments)]), says(text)]);
        let (answer, _) = ask(
            input(&["sí, agéndame mañana a las 5 pm una limpieza"]),
            &model,
            &Clinic::default(),
        )
        .await;
        assert_eq!(!answer.degraded, fits, "{tool}: {text} -> {}", answer.text);
    }
}

#[tokio::test]
async fn a_price_is_that_of_its_own_service() {
    let desk = Clinic {
        answers: vec![(
            "list_services",
            json!({"services": [
                {"name": "Limpieza dental", "price_range": "S/ 120"},
                {"name": "Ortodoncia", "price_range": "S/ 900"},
            ]}),
        )],
        ..Clinic::default()
    };
    for (text, fits) in [
        ("La limpieza dental cuesta S/ 120.", true),
        ("La ortodoncia cuesta S/ 120.", false),
        ("El blanqueamiento cuesta S/ 120.", false),
    ] {
        let model = Scripted::new(vec![calls(&[("list_services", "{}")]), says(text)]);
        let (answer, _) = ask(
            input(&["¿qué servicios tienen y cuánto cuestan?"]),
            &model,
            &desk,
        )
        .await;
        assert_eq!(!answer.degraded, fits, "{text} -> {}", answer.text);
    }
}

#[tokio::test]
async fn an_open_agent_knows_the_world_and_invents_no_business() {
    for (text, fits) in [
        ("En general, el 70 % del cuerpo es agua.", true),
        ("Hoy tienes 50 % de descuento.", false),
        ("La limpieza cuesta S/ 95.", false),
        ("Tu cita quedó agendada.", false),
    ] {
        let model = Scripted::new(vec![says(text)]);
        let mut turn = input(&["cuéntame, por favor"]);
        turn.setting.grounding = Grounding::Open;
        let (answer, _) = ask(turn, &model, &Clinic::default()).await;
        assert_eq!(!answer.degraded, fits, "{text} -> {}", answer.text);
    }
}
