//! Whatever customers write, in whatever order: no answer states what nobody looked up, shows a
//! template or a code, or is missing. Each turn of the stage checks that.

use super::business::{clinic, tacos};
use super::desk::Fake;
use super::stage::Stage;
use proptest::prelude::*;
use quipu_core::agent::{AssistantType, ResponseStyle};
use serde_json::Value;

const SAID: &[&str] = &[
    "hola",
    "quiero una limpieza mañana a las 4",
    "el viernes en la tarde",
    "a las 5 y media",
    "sí",
    "no",
    "sí, confirmo",
    "Rosa Méndez, 442 123 4567",
    "mejor el lunes a las 11",
    "¿cuánto cuesta el blanqueamiento?",
    "cancela mi cita",
    "pásame la cita al jueves a las 10",
    "mándame 4 de pastor y 2 volcanes",
    "calle Hidalgo 512, Obispado, efectivo",
    "quítale un volcán",
    "para recoger",
    "¿cómo va mi pedido?",
    "cancela el pedido",
    "¿cuántos puntos tengo?",
    "quiero canjear un premio",
    "mesa para 5 el sábado a las 8 de la noche",
    "somos 7",
    "¿dónde están?",
    "¿a qué hora abren mañana?",
    "¿aceptan tarjeta?",
    "necesito factura, folio 77",
    "me duele muchísimo la muela y tengo fiebre",
    "quiero hablar con una persona",
    "gracias",
    "how much is it? can I come tomorrow at 3 pm?",
    "la segunda",
    "¿venden cohetes a la luna por 900 pesos?",
    "ok lo pienso",
    "🙂🙂",
    "12",
];

fn play(business: Value, turns: &[usize], broken: bool, kind: AssistantType, style: ResponseStyle) {
    let mut desk = Fake::new(business, "2026-06-09T14:15[America/Mexico_City]", 60);
    desk.broken = broken;
    let mut stage = Stage::new(desk).kind(kind).style(style);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    for turn in turns {
        let said = runtime.block_on(stage.says(SAID[*turn]));
        assert!(said.chars().any(char::is_alphabetic), "{turn}: {said}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn answers_state_only_what_was_looked_up(
        turns in proptest::collection::vec(0..SAID.len(), 1..7),
        eats in any::<bool>(),
        kind in 0..AssistantType::ALL.len(),
        style in 0..ResponseStyle::ALL.len(),
    ) {
        let business = if eats { tacos() } else { clinic() };
        play(business, &turns, false, AssistantType::ALL[kind], ResponseStyle::ALL[style]);
    }
}

#[test]
fn a_desk_that_is_down_is_owned_up_to() {
    for turn in 0..SAID.len() {
        for business in [clinic(), tacos()] {
            play(
                business,
                &[turn],
                true,
                AssistantType::Full,
                ResponseStyle::Profesional,
            );
        }
    }
}
