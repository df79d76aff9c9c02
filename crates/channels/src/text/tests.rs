use super::*;
use crate::outbound::ChoiceOption;
use Channel::{Instagram, Messenger, Tiktok, Voice, Web, Whatsapp};
use proptest::prelude::*;

fn shown(text: &str, whatsapp: &str, plain: &str, voice: &str) {
    assert_eq!(for_channel(text, Whatsapp), whatsapp, "WhatsApp: {text}");
    for channel in [Messenger, Instagram, Tiktok] {
        assert_eq!(for_channel(text, channel), plain, "{channel:?}: {text}");
    }
    assert_eq!(for_channel(text, Voice), voice, "voice: {text}");
    assert_eq!(for_channel(text, Web), text);
}

#[test]
fn marks_are_those_of_the_channel() {
    for (text, whatsapp, plain) in [
        ("**Hola** Ana", "*Hola* Ana", "Hola Ana"),
        ("*Hola* _Ana_", "_Hola_ _Ana_", "Hola Ana"),
        ("__Hola__ ***Ana***", "*Hola* *_Ana_*", "Hola Ana"),
        ("**Hola *Ana***.", "*Hola* *_Ana_*.", "Hola Ana."),
        ("*a **b** c*", "_a_ *_b_* _c_", "a b c"),
        (
            "`SALUD10` y ``a`b``",
            "`SALUD10` y ```a`b```",
            "SALUD10 y a`b",
        ),
        (
            "**Precio:** S/ 120.00",
            "*Precio:* S/ 120.00",
            "Precio: S/ 120.00",
        ),
        // A mark beside a letter would be seen as a sign.
        ("**Precio:**S/ 120", "Precio:S/ 120", "Precio:S/ 120"),
        ("re**ser**va", "reserva", "reserva"),
        ("2*3 = 6 * 1", "2*3 = 6 * 1", "2*3 = 6 * 1"),
        ("** nada **", "∗∗ nada ∗∗", "** nada **"),
        ("**sin fin", "**sin fin", "**sin fin"),
        ("mi_archivo_2.pdf", "mi_archivo_2.pdf", "mi_archivo_2.pdf"),
        (r"\*no\*", "∗no∗", "*no*"),
        (
            "S/ 50* *Sujeto a stock",
            "S/ 50* *Sujeto a stock",
            "S/ 50* *Sujeto a stock",
        ),
        ("**a** (*) b (*)", "*a* (∗) b (∗)", "a (*) b (*)"),
        ("****", "", ""),
        ("😀**Oferta**😀", "😀*Oferta*😀", "😀Oferta😀"),
    ] {
        assert_eq!(for_channel(text, Whatsapp), whatsapp, "{text}");
        assert_eq!(for_channel(text, Messenger), plain, "{text}");
    }
}

#[test]
fn what_is_struck_out_is_not_said() {
    shown(
        "~~S/ 150~~ S/ 120",
        "~S/ 150~ S/ 120",
        "S/ 150 S/ 120",
        "S/ 120",
    );
    shown(
        "~30 min ~ 40",
        "~30 min ~ 40",
        "~30 min ~ 40",
        "~30 min ~ 40",
    );
}

#[test]
fn links_are_their_name_and_address() {
    shown(
        "Reserva [en la web](https://alba.pe/citas?a_b=1&c_d=2).",
        "Reserva en la web: https://alba.pe/citas?a_b=1&c_d=2.",
        "Reserva en la web: https://alba.pe/citas?a_b=1&c_d=2.",
        "Reserva en la web.",
    );
    shown(
        "**[Alba.pe](https://www.alba.pe/)**",
        "https://www.alba.pe/",
        "https://www.alba.pe/",
        "En nuestra página.",
    );
    shown(
        "**[La carta](https://alba.pe/c_1_2)**",
        "*La carta*: https://alba.pe/c_1_2",
        "La carta: https://alba.pe/c_1_2",
        "La carta",
    );
    shown(
        "Escribe a [ventas](mailto:ventas@alba.pe) o <https://alba.pe>",
        "Escribe a ventas: ventas@alba.pe o https://alba.pe",
        "Escribe a ventas: ventas@alba.pe o https://alba.pe",
        "Escribe a ventas: ventas@alba.pe o",
    );
    shown(
        "Mira aquí: https://alba.pe/a_b_c/*x*.",
        "Mira aquí: https://alba.pe/a_b_c/*x*.",
        "Mira aquí: https://alba.pe/a_b_c/*x*.",
        "Mira aquí:.",
    );
    // Within the page of somebody there is nothing to open, nor is a note a link.
    let (text, plain) = ("[Carta](/carta) [1] [x](javascript:y)", "Carta [1] x");
    shown(text, plain, plain, plain);
    let picture = "![Foto](https://alba.pe/f.jpg)";
    assert_eq!(
        for_channel(picture, Whatsapp),
        "Foto: https://alba.pe/f.jpg"
    );
}

#[test]
fn lists_and_headings_are_kept() {
    shown(
        "## **Horario** 2026\n\n\n* Lunes: 9 a 18;\n  - *Martes*\n• Sábado ✅\n\n1. Uno\n2) Dos\n---\n> Nota\nFin",
        "*Horario 2026*\n\n- Lunes: 9 a 18;\n  - _Martes_\n- Sábado ✅\n\n1. Uno\n2) Dos\n\n> Nota\nFin",
        "Horario 2026\n\n- Lunes: 9 a 18;\n  - Martes\n- Sábado ✅\n\n1. Uno\n2) Dos\n\nNota\nFin",
        "Horario 2026.\nLunes: 9 a 18.\nMartes.\nSábado.\n1. Uno.\n2) Dos.\nNota.\nFin",
    );
    shown(
        "#1 en ventas\n- 5",
        "#1 en ventas\n- 5",
        "#1 en ventas\n- 5",
        "#1 en ventas.\n5.",
    );
    shown(
        "uno<br>dos<BR />tres",
        "uno\ndos\ntres",
        "uno\ndos\ntres",
        "uno.\ndos.\ntres",
    );
    shown(
        "```json\n{\"a\": **1**}\n```",
        "```\n{\"a\": **1**}\n```",
        "{\"a\": **1**}",
        "{\"a\": 1}.",
    );
}

#[test]
fn rows_of_tables_are_lines() {
    shown(
        "Precios:\n| Servicio | Precio (USD) |\n|---|---:|\n\
         | **Limpieza** | 30 |\n| Blanqueo \\| láser | |\n\nGracias",
        "Precios:\n*Servicio: Precio (USD)*\n*Limpieza*: 30\nBlanqueo | láser\n\nGracias",
        "Precios:\nServicio: Precio (USD)\nLimpieza: 30\nBlanqueo | láser\n\nGracias",
        "Precios:\nServicio: Precio (USD).\nLimpieza: 30.\nBlanqueo | láser.\nGracias",
    );
    let three = "Plan | Precio | Días\n--- | --- | ---\nBase | S/ 10 | 30\nOro | | 90<br>";
    let lines = "Base: Precio S/ 10, Días 30\nOro: Días 90";
    assert_eq!(for_channel(three, Whatsapp), lines);
    assert_eq!(for_channel("a | b\nc | d", Whatsapp), "a | b\nc | d");
}

#[test]
fn what_is_said_has_no_signs() {
    for (text, said) in [
        ("¡Hola! 👋🏽 ¿Cómo estás? 😊", "¡Hola! ¿Cómo estás?"),
        ("👨‍👩‍👧 Familias ❤️ y 🇵🇪", "Familias y"),
        ("1️⃣ Limpieza\n2️⃣ Blanqueo", "1 Limpieza.\n2 Blanqueo"),
        ("S/ 120.00 (2*3) `X`", "S/ 120.00 (2*3) X"),
        ("Ver (https://alba.pe) ahora", "Ver ahora"),
        ("Más en www.alba.pe", "Más en"),
        ("😀", ""),
        ("", ""),
    ] {
        assert_eq!(for_channel(text, Voice), said, "{text}");
    }
}

fn is_within(bubble: &str, channel: Channel) -> bool {
    match channel {
        Whatsapp => bubble.chars().count() <= 4_096,
        Messenger => bubble.chars().count() <= 2_000,
        Instagram => bubble.len() <= 1_000,
        Tiktok => bubble.chars().count() <= 6_000,
        Voice | Web => true,
    }
}

fn solid(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[test]
fn what_fits_is_one_bubble() {
    for channel in Channel::ALL {
        assert_eq!(split(" Hola\n\nAna ", *channel).bubbles, ["Hola\n\nAna"]);
        assert_eq!(split(" \n", *channel), SplitText::default());
    }
    let most = "ñ".repeat(4_096);
    assert_eq!(split(&most, Whatsapp).bubbles.len(), 1);
    assert_eq!(split(&"ñ".repeat(501), Instagram).bubbles.len(), 2);
    assert_eq!(split(&"a ".repeat(50_000), Voice).bubbles.len(), 1);
}

#[test]
fn the_best_seam_is_taken() {
    let (a, b) = ("a".repeat(600), "b".repeat(600));
    for (text, bubbles) in [
        (format!("{a}\n\n{b}"), [a.clone(), b.clone()]),
        (format!("{a}.\nx {b}"), [format!("{a}."), format!("x {b}")]),
        (format!("{a}. X {b}"), [format!("{a}."), format!("X {b}")]),
        (format!("{a} av. X {b}"), [format!("{a} av. X"), b.clone()]),
        // A seam near the beginning leaves a bubble almost empty.
        (format!("H.\n\n{a} {b}"), [format!("H.\n\n{a}"), b.clone()]),
        (
            format!("{a}{b}"),
            [format!("{a}{}", "b".repeat(400)), "b".repeat(200)],
        ),
    ] {
        let parts = split(&text, Instagram);
        assert_eq!(parts.bubbles, bubbles);
        assert!(!parts.cut);
    }
}

#[test]
fn nothing_that_belongs_together_is_parted() {
    let address = format!("https://alba.pe/{}", "c".repeat(500));
    let text = format!("{} {address} fin", "a".repeat(600));
    let bubbles = split(&text, Instagram).bubbles;
    assert_eq!(bubbles[1], format!("{address} fin"));

    let bold = format!("*{} b*", "a b ".repeat(400));
    let text = format!("{}{bold}", "x y ".repeat(800));
    assert_eq!(split(&text, Whatsapp).bubbles[1], bold);

    // Longer than a bubble: each part is marked by itself.
    let bold = format!("*_{}_*", "aaaa ".repeat(1_000).trim_end());
    let parts = split(&bold, Whatsapp);
    assert_eq!(parts.bubbles.len(), 2);
    for bubble in &parts.bubbles {
        assert!(
            bubble.starts_with("*_a") && bubble.ends_with("_*"),
            "{bubble}"
        );
    }

    let family = "👨\u{200d}👩\u{200d}👧";
    for sign in [
        family,
        "🇵🇪",
        "👋🏽",
        "e\u{301}",
        "❤\u{fe0f}",
        "1\u{fe0f}\u{20e3}",
    ] {
        let text = format!("a{}", sign.repeat(400));
        for bubble in split(&text, Instagram).bubbles {
            let bubble = bubble.trim_start_matches('a').trim_end_matches('…');
            assert_eq!(bubble.replace(sign, ""), "", "{sign}");
        }
    }
}

#[test]
fn five_bubbles_are_the_most() {
    let parts = split(&"palabra ".repeat(2_000), Instagram);
    assert!(parts.cut);
    assert_eq!(parts.bubbles.len(), 5);
    assert!(parts.bubbles[4].ends_with("palabra…"));
    assert!(
        parts
            .bubbles
            .iter()
            .all(|bubble| is_within(bubble, Instagram))
    );
}

fn options(titles: &[&str]) -> Vec<ChoiceOption> {
    let option = |title: &&str| ChoiceOption {
        id: String::new(),
        title: (*title).to_owned(),
        description: title.starts_with('L').then(|| "S/ 120".to_owned()),
    };
    titles.iter().map(option).collect()
}

#[test]
fn choices_are_numbered_and_chosen() {
    let choices = options(&["Limpieza", "Evaluación", "10:00", "2 personas"]);
    let text = "¿Cuál?\n\n1. Limpieza: S/ 120\n2. Evaluación\n3. 10:00\n4. 2 personas";
    assert_eq!(numbered("¿Cuál? ", &choices), text);
    assert_eq!(numbered("Hola", &[]), "Hola");
    for (reply, choice) in [
        ("1", Some(0)),
        ("1.", Some(0)),
        ("1️⃣", Some(0)),
        ("La 2", Some(1)),
        ("opción 3", Some(2)),
        ("la opcion numero 3 por favor", Some(2)),
        ("#3", Some(2)),
        ("la segunda", Some(1)),
        ("el primero", Some(0)),
        ("opción dos", Some(1)),
        ("EVALUACION!", Some(1)),
        ("2. Evaluación", Some(1)),
        ("10:00", Some(2)),
        ("2 personas", Some(3)),
        // It may be how many persons.
        ("2", None),
        ("el 3", None),
        ("dos", None),
        ("la una", None),
        ("a las 3", None),
        ("3 cosas", None),
        ("0", None),
        ("5", None),
        ("99999999999999999999999", None),
        ("la", None),
        ("", None),
    ] {
        assert_eq!(chosen(reply, &choices), choice, "{reply}");
    }
    assert_eq!(chosen("a", &options(&["a", "A"])), None);
    assert_eq!(chosen("2", &options(&["a", "b"])), Some(1));
    assert_eq!(chosen("2", &options(&["2", "1"])), Some(0));
    assert_eq!(chosen("1", &[]), None);
    assert_eq!(chosen("", &options(&["!", "?"])), None);
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

proptest! {
    #[test]
    fn no_letter_is_lost(text in "[a-zñ *_~#>\\n\\\\`!.()-]{0,120}") {
        // What stands behind them is the name of a language.
        prop_assume!(!text.contains("```") && !text.contains("~~~"));
        for channel in [Whatsapp, Messenger] {
            let shown = for_channel(&text, channel);
            prop_assert_eq!(letters(&shown), letters(&text), "{}", shown);
        }
    }

    #[test]
    fn any_text_is_written(text in "([*_~`|#<>\\[\\]()\\\\\\n -]|https://a|www\\.|br|\\PC){0,80}") {
        for channel in Channel::ALL {
            let shown = for_channel(&text, *channel);
            prop_assert!(!shown.contains("\n\n\n") || *channel == Web);
            let parts = split(&shown, *channel);
            prop_assert!(parts.bubbles.len() <= 5 && !parts.bubbles.contains(&String::new()));
            let _ = chosen(&text, &options(&[&shown, "b"]));
        }
    }

    #[test]
    fn bubbles_hold_all(
        words in prop::collection::vec("[a-zñ.👨🇵😀*_\u{301}]{1,30}([ \\n]{1,2}|\\n\\n|\\. )", 0..250),
        long in 0..3_000_usize,
    ) {
        let text = format!("{}{}", words.concat(), "x".repeat(long));
        for channel in [Whatsapp, Messenger, Instagram, Tiktok] {
            let parts = split(&text, channel);
            for bubble in &parts.bubbles {
                prop_assert!(is_within(bubble, channel) && !bubble.trim().is_empty());
            }
            let joined = solid(&parts.bubbles.concat());
            let whole = solid(&text);
            if parts.cut {
                prop_assert!(joined.ends_with('…') && parts.bubbles.len() == 5);
            } else if channel == Whatsapp {
                // Marks that were closed and opened again are there once more.
                let mut rest = joined.chars();
                prop_assert!(whole.chars().all(|c| rest.any(|other| other == c)));
            } else {
                prop_assert_eq!(joined, whole);
            }
        }
    }
}
