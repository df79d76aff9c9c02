//! How each style sounds.

use super::business::clinic;
use super::desk::Fake;
use super::stage::Stage;
use crate::builtin::templates::Templates;
use quipu_core::agent::ResponseStyle;
use quipu_core::language::Language;
use std::collections::BTreeSet;
use std::fmt::Write as _;

const NOW: &str = "2026-06-09T10:15[America/Mexico_City]";

#[tokio::test]
async fn each_style_has_its_voice() {
    let mut heard = String::new();
    for style in ResponseStyle::ALL {
        let mut stage = Stage::new(Fake::new(clinic(), NOW, 0))
            .known_as("Rosa Méndez")
            .style(*style);
        writeln!(heard, "## {}", style.as_str()).unwrap();
        for text in [
            "hola",
            "quiero una limpieza mañana a las 5 de la tarde",
            "sí, confirmo",
        ] {
            writeln!(heard, "- {text}\n  {}", stage.says(text).await).unwrap();
        }
    }
    insta::assert_snapshot!(heard);
}

#[tokio::test]
async fn a_voice_says_no_signs() {
    let mut heard = String::new();
    let desk = Fake::new(clinic(), NOW, 0);
    let mut stage = Stage::new(desk).style(ResponseStyle::Casual).voice();
    for text in [
        "hola",
        "quiero una limpieza mañana en la tarde",
        "a las 5 y media",
        "Rosa Méndez",
        "sí",
    ] {
        let said = stage.says(text).await;
        assert!(!said.contains(':') || !said.contains("p. m."), "{said}");
        assert!(said.chars().all(|c| (c as u32) < 0x2190), "{said}");
        writeln!(heard, "- {text}\n  {said}").unwrap();
    }
    insta::assert_snapshot!(heard);
}

#[test]
fn both_languages_have_the_same_sentences_for_every_style() {
    let templates = Templates::get();
    let of = |language| {
        templates
            .keys(language)
            .into_iter()
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(of(Language::Es), of(Language::En));
    for key in of(Language::Es) {
        for language in [Language::Es, Language::En] {
            for style in ResponseStyle::ALL {
                assert!(
                    !templates.text(key, language, *style).is_empty(),
                    "{key} {language:?} {style:?}"
                );
            }
        }
    }
}
