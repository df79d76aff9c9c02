//! Things to tap: up to three buttons, a list of up to ten, or lines of text with numbers.

use crate::outbound::ChoiceOption;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::fmt::Write;

/// The bounds of WhatsApp, in characters.
const MOST_BUTTONS: usize = 3;
const MOST_ROWS: usize = 10;
const LONGEST_BUTTON: usize = 20;
const LONGEST_ROW: usize = 24;
const LONGEST_DESCRIPTION: usize = 72;
const LONGEST_ID: usize = 200;
const LONGEST_BUTTON_BODY: usize = 1_024;
const LONGEST_LIST_BODY: usize = 4_096;

/// The interactive part of a message, or nothing where WhatsApp takes none like it.
pub(super) fn interactive(text: &str, button: &str, options: &[ChoiceOption]) -> Option<Value> {
    if !can_be_tapped(text, options) {
        return None;
    }
    let (kind, action) = if are_buttons(text, options) {
        ("button", buttons(options))
    } else {
        ("list", list(button, options)?)
    };
    let body = json!({ "text": text });
    Some(json!({ "type": kind, "body": body, "action": action }))
}

/// The options as lines of text.
pub(super) fn numbered(text: &str, options: &[ChoiceOption]) -> String {
    let mut lines = text.trim_end().to_owned();
    for (index, option) in options.iter().enumerate() {
        let gap = if index == 0 { "\n\n" } else { "\n" };
        // Writing to a string cannot fail.
        let _ = write!(lines, "{gap}{}. {}", index + 1, one_line(&option.title));
        if let Some(description) = option.description.as_deref() {
            let _ = write!(lines, " ({})", one_line(description));
        }
    }
    lines
}

fn can_be_tapped(text: &str, options: &[ChoiceOption]) -> bool {
    let ids: HashSet<_> = options.iter().map(|option| option.id.as_str()).collect();
    let is_whole = |option: &ChoiceOption| {
        let id = option.id.chars().count();
        (1..=LONGEST_ID).contains(&id) && !option.title.trim().is_empty()
    };
    (1..=MOST_ROWS).contains(&options.len())
        && ids.len() == options.len()
        && options.iter().all(is_whole)
        && !text.trim().is_empty()
        && text.chars().count() <= LONGEST_LIST_BODY
}

/// WhatsApp refuses two buttons with the same words.
fn are_buttons(text: &str, options: &[ChoiceOption]) -> bool {
    let titles: Vec<_> = options
        .iter()
        .map(|option| one_line(&option.title))
        .collect();
    let distinct: HashSet<_> = titles.iter().collect();
    options.len() <= MOST_BUTTONS
        && distinct.len() == titles.len()
        && titles
            .iter()
            .all(|title| title.chars().count() <= LONGEST_BUTTON)
        && options.iter().all(|option| option.description.is_none())
        && text.chars().count() <= LONGEST_BUTTON_BODY
}

fn buttons(options: &[ChoiceOption]) -> Value {
    let buttons: Vec<_> = options
        .iter()
        .map(|option| {
            let reply = json!({ "id": option.id, "title": one_line(&option.title) });
            json!({ "type": "reply", "reply": reply })
        })
        .collect();
    json!({ "buttons": buttons })
}

fn list(button: &str, options: &[ChoiceOption]) -> Option<Value> {
    let button = cut(&one_line(button), LONGEST_BUTTON);
    let rows: Vec<_> = options.iter().map(row).collect();
    (!button.is_empty()).then(|| json!({ "button": button, "sections": [{ "rows": rows }] }))
}

/// A title that is cut stands whole in the description, where nothing else stands there.
fn row(option: &ChoiceOption) -> Value {
    let whole = one_line(&option.title);
    let title = cut(&whole, LONGEST_ROW);
    let description = match option.description.as_deref().map(one_line) {
        Some(description) if !description.is_empty() => Some(description),
        _ if title != whole => Some(whole),
        _ => None,
    };
    let mut row = json!({ "id": option.id, "title": title });
    if let Some(description) = description {
        row["description"] = cut(&description, LONGEST_DESCRIPTION).into();
    }
    row
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Cuts at the end of a word, unless a single word takes most of the room.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most - 1).collect();
    let ends_word = text.chars().nth(most - 1).is_some_and(char::is_whitespace);
    let words = kept
        .rfind(char::is_whitespace)
        .filter(|end| !ends_word && *end > kept.len() / 2);
    let kept = words.map_or(kept.as_str(), |end| &kept[..end]);
    let is_loose = |sign: char| sign.is_whitespace() || matches!(sign, ',' | ';' | ':' | '-');
    format!("{}…", kept.trim_end_matches(is_loose))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(id: &str, title: &str) -> ChoiceOption {
        ChoiceOption {
            id: id.to_owned(),
            title: title.to_owned(),
            description: None,
        }
    }

    #[test]
    fn a_few_short_options_are_buttons() {
        let options = [option("yes", "Sí, confirmo"), option("no", "No")];
        let interactive = interactive("¿Confirmas?", "Ver", &options).unwrap();
        let expected = json!({
            "type": "button",
            "body": { "text": "¿Confirmas?" },
            "action": { "buttons": [
                { "type": "reply", "reply": { "id": "yes", "title": "Sí, confirmo" } },
                { "type": "reply", "reply": { "id": "no", "title": "No" } },
            ] },
        });
        assert_eq!(interactive, expected);
    }

    #[test]
    fn what_is_too_much_for_buttons_is_a_list() {
        let short = ["uno", "dos", "tres"].map(|title| option(title, title));
        let kind = |text: &str, options: &[ChoiceOption]| {
            interactive(text, "Ver horarios", options).map(|value| value["type"].clone())
        };
        assert_eq!(kind("¿Cuál?", &short), Some("button".into()));
        assert_eq!(kind(&"a".repeat(1_025), &short), Some("list".into()));
        let four: Vec<_> = (1..=4).map(|n| option(&n.to_string(), "igual")).collect();
        assert_eq!(kind("¿Cuál?", &four), Some("list".into()));
        assert_eq!(kind("¿Cuál?", &four[..2]), Some("list".into()));
        let mut described = short.clone();
        described[0].description = Some("con descripción".to_owned());
        assert_eq!(kind("¿Cuál?", &described), Some("list".into()));
    }

    #[test]
    fn long_words_of_a_list_are_cut_at_a_word() {
        let mut options = vec![option("1", "Limpieza dental profunda con ultrasonido")];
        options.push(option("2", "Sábado, 12 de diciembre de 2026"));
        options[1].description = Some("palabra ".repeat(20));
        let button = "Ver todos los tratamientos";
        let list = interactive("¿Cuál?", button, &options).unwrap();
        assert_eq!(list["action"]["button"], "Ver todos los…");
        let rows = &list["action"]["sections"][0]["rows"];
        assert_eq!(rows[0]["title"], "Limpieza dental…");
        assert_eq!(
            rows[0]["description"],
            "Limpieza dental profunda con ultrasonido"
        );
        assert_eq!(rows[1]["title"], "Sábado, 12 de diciembre…");
        let description = rows[1]["description"].as_str().unwrap();
        assert!(description.chars().count() <= 72 && description.ends_with("palabra…"));
    }

    #[test]
    fn what_cannot_be_tapped_is_written() {
        let eleven: Vec<_> = (1..=11).map(|n| option(&n.to_string(), "uno")).collect();
        let twice = [option("1", "uno"), option("1", "dos")];
        let long_id = [option(&"1".repeat(201), "uno")];
        for options in [&eleven[..], &twice, &long_id, &[]] {
            assert_eq!(interactive("¿Cuál?", "Ver", options), None);
        }
        assert_eq!(interactive(" ", "Ver", &twice[..1]), None);
        assert_eq!(interactive(&"a".repeat(4_097), "Ver", &twice[..1]), None);
        let mut two = [option("1", "Mañana"), option("2", "Tarde")];
        two[1].description = Some("desde\nlas 3".to_owned());
        let written = numbered("¿Cuándo?", &two);
        assert_eq!(written, "¿Cuándo?\n\n1. Mañana\n2. Tarde (desde las 3)");
    }

    #[test]
    fn a_cut_keeps_within_its_room() {
        assert_eq!(cut("veinte signos justos", 20), "veinte signos justos");
        assert_eq!(
            cut("otorrinolaringología pediátrica", 20),
            "otorrinolaringologí…"
        );
        assert_eq!(cut("ñandú ñandú ñandú", 12), "ñandú ñandú…");
        for most in 1..30 {
            assert!(cut("corte de cabello, barba y tinte", most).chars().count() <= most);
        }
    }
}
