//! Reading a conversation back.

use super::business::clinic;
use super::desk::Fake;
use super::stage::Stage;
use crate::builtin::templates::{Templates, fill};
use crate::builtin::{context, transcript};
use crate::supervisor::Awaiting;
use quipu_core::agent::{Intent, ResponseStyle};
use quipu_core::language::Language;
use quipu_core::ports::{Speaker, Turn};

const NOW: &str = "2026-06-09T10:15[America/Mexico_City]";

fn turn(speaker: Speaker, text: &str) -> Turn {
    Turn {
        speaker,
        text: text.to_owned(),
    }
}

#[test]
fn what_ends_a_matter_is_recognised_in_every_style() {
    let templates = Templates::get();
    let filling = [
        ("service", "Corte"),
        ("day", "lunes 5 de mayo"),
        ("time", "a las 5:00 p. m."),
        ("party", "4 personas"),
        ("number", "7"),
        ("items", "2 Tacos"),
        ("total", "$50"),
        ("minutes", "20"),
        ("reward", "Café"),
        ("code", "K7QF-3M9D"),
        ("balance", "3"),
        ("tokens", "puntos"),
        ("folio", "A1"),
        ("email", "a@b.mx"),
        ("times", "5:00 p. m."),
        ("how", "para recoger"),
        ("list", "A y B"),
        ("options", "el lunes"),
    ];
    let keys = templates.keys(Language::Es).into_iter();
    for key in keys.filter(|key| {
        ["done.", "confirm.", "ask.", "offer."]
            .iter()
            .any(|start| key.starts_with(start))
    }) {
        for language in [Language::Es, Language::En] {
            for style in ResponseStyle::ALL {
                let said = fill(templates.text(key, language, *style), &filling);
                let known = templates.recognise(&said);
                assert!(
                    known.iter().any(|known| known.key == key),
                    "{key}: {said} {known:?}"
                );
                let awaited = known.iter().rev().find_map(|known| known.awaits);
                assert_eq!(awaited, templates.awaits(key), "{key}: {said} {known:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_client_that_sends_everything_is_served_alike() {
    let mut stage = Stage::new(Fake::new(clinic(), NOW, 0));
    stage.says("quiero una limpieza mañana a las 12").await;
    stage.says("Rosa Méndez").await;
    let mut other = Stage::new(Fake::new(clinic(), NOW, 0));
    other.messages = stage.messages.clone();
    assert_eq!(stage.says("sí").await, other.says("sí").await);
    assert_eq!(other.desk.called("create_appointment").len(), 1);
}

#[test]
fn questions_in_other_words_are_read_too() {
    let stage = Stage::new(Fake::new(clinic(), NOW, 0));
    for (asked, awaiting) in [
        (
            "Perfecto. ¿Me dices tu nombre completo?",
            Some(Awaiting::Name),
        ),
        ("¿Qué fecha prefieres?", Some(Awaiting::Day)),
        ("¿A qué hora te conviene?", Some(Awaiting::Time)),
        ("¿Confirmas tu asistencia?", Some(Awaiting::Confirmation)),
        ("Te esperamos en la clínica.", None),
    ] {
        let messages = [
            turn(Speaker::Customer, "quiero una cita"),
            turn(Speaker::Agent, asked),
        ];
        let found = context(&stage.setting, &messages);
        assert_eq!(found.awaiting, awaiting, "{asked}");
        assert_eq!(found.last_intent, Some(Intent::Booking));
    }
}

#[test]
fn a_long_conversation_is_read_in_part() {
    let stage = Stage::new(Fake::new(clinic(), NOW, 0));
    let mut messages = vec![turn(Speaker::Customer, "quiero agendar una limpieza")];
    messages.extend((0..200).map(|_| turn(Speaker::Customer, "hola")));
    let read = transcript::read(&stage.setting, &messages, None);
    assert!(read.heard.len() <= 60 && read.goal.is_none());
}

#[test]
fn a_long_message_is_read_in_part() {
    let stage = Stage::new(Fake::new(clinic(), NOW, 0));
    let asked = "¿Me dices tu nombre completo?";
    let awaiting = |first: String| {
        let messages = [turn(Speaker::Customer, &first), turn(Speaker::Agent, asked)];
        context(&stage.setting, &messages).last_intent
    };
    let long = "á ".repeat(2_100);
    assert_eq!(
        awaiting(format!("quiero una cita {long}")),
        Some(Intent::Booking)
    );
    assert_ne!(
        awaiting(format!("{long} quiero una cita")),
        Some(Intent::Booking)
    );
}
