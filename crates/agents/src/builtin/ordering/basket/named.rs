//! What an unknown name may still be: nearly one of the menu, or no order at all.

use super::super::super::folded::{begins, folded};
use super::super::allergies::ALLERGIES;
use super::super::changes::{counts, number, without_openers};
use super::MOST_ITEMS;
use quipu_core::ordering::{AskedItem, Line, Menu, match_item, read_order};

/// A thing that comes near to one of the menu, and begins as it is called, is that one. The customer
/// hears its name before anything is placed.
pub(super) fn nearly_named(line: Line, menu: &Menu) -> Line {
    let Line::Unknown {
        said,
        near,
        quantity,
        ..
    } = &line
    else {
        return line;
    };
    let [only] = near.as_slice() else {
        return line;
    };
    let beginning = |text: &str| {
        let folded = folded(text);
        let first = folded.split(' ').find(|word| word.chars().count() > 3);
        first.map(|word| word.chars().take(4).collect::<String>())
    };
    if beginning(said).is_none() || beginning(said) != beginning(&only.name) {
        return line;
    }
    let asked = AskedItem {
        name: only.name.clone(),
        quantity: Some((*quantity).into()),
        ..AskedItem::default()
    };
    match_item(&asked, menu)
}

/// Whether an unknown thing was not ordered but only said: nothing counts it or asks for it, and it
/// does not stand in a row with things that are ordered.
pub(super) fn is_chatter(line: &Line, text: &str, ordered: bool) -> bool {
    const ASKS: &[&str] = &[
        "quier", "quisier", "dam", "das", "mand", "pon", "trae", "pid", "regal", "unos", "unas",
        "want", "get", "order", "media", "some", "have",
    ];
    let Line::Unknown { said, near, .. } = line else {
        return false;
    };
    let (text, said) = (folded(text), folded(said));
    // "Quiero hacer un pedido" orders nothing yet.
    let announces = [
        "hacer",
        "realizar",
        "levantar",
        "confirmar",
        "place",
        "make",
        "start",
        "confirm",
    ];
    let first = said.split(' ').next().unwrap_or_default();
    if begins(&said, ALLERGIES) || is_age(&said) || announces.contains(&first) {
        return true;
    }
    let before = text.find(&said).map_or("", |at| &text[..at]);
    let last = before.split_whitespace().next_back().unwrap_or_default();
    let asked = ASKS.iter().any(|start| last.starts_with(start)) || number(last).is_some();
    let joined = ordered && matches!(last, "y" | "e" | "and") && is_thing(&said);
    near.is_empty() && !asked && !joined
}

/// Whether what a number counts are years.
fn is_age(said: &str) -> bool {
    let first = said.split(' ').next().unwrap_or_default();
    matches!(first, "año" | "años" | "añitos" | "years" | "year")
}

/// Whether a few words may be the name of a thing: none of them says who, how or where to.
fn is_thing(words: &str) -> bool {
    const TALK: &[&str] = &[
        "soy",
        "me",
        "lo",
        "la",
        "los",
        "las",
        "les",
        "le",
        "es",
        "son",
        "pago",
        "pagar",
        "paga",
        "te",
        "se",
        "nos",
        "que",
        "para",
        "por",
        "a",
        "en",
        "con",
        "sin",
        "ya",
        "listo",
        "gracias",
        "mi",
        "mis",
        "todo",
        "eso",
        "nada",
        "si",
        "no",
        "cuanto",
        "cuando",
        "donde",
        "como",
        "hay",
        "tienen",
        "i",
        "it",
        "my",
        "the",
        "is",
        "to",
        "for",
        "in",
        "at",
        "pay",
        "thanks",
        "that",
        "all",
        "please",
        "favor",
        "quiero",
        "efectivo",
        "tarjeta",
        "transferencia",
        "cash",
        "card",
        "rapido",
        "pronto",
        "hoy",
        "tu",
        "su",
        "ah",
        "aqui",
        "envio",
        "recojo",
        "paso",
        "voy",
        "delivery",
        "pickup",
        "domicilio",
        "recoger",
        "llevar",
        "servilletas",
        "cubiertos",
    ];
    let few = words.split(' ').count() <= 3;
    few && !words.split(' ').any(|word| TALK.contains(&word))
}

/// The things that a text names, one by one where there are several.
pub(super) fn things<'t>(text: &'t str, menu: &Menu) -> Vec<&'t str> {
    if read_order(text, menu).len() < 2 {
        return vec![text];
    }
    let parts = text.split(',').flat_map(|part| part.split(" y "));
    let parts = parts.flat_map(|part| part.split(" and "));
    let parts = parts.filter(|part| !folded(part).is_empty());
    parts.take(MOST_ITEMS).collect()
}

/// Whether a message only says what is left out: "sin cebolla".
pub(super) fn is_note(text: &str) -> bool {
    let words = folded(without_openers(text));
    let mut words = words.split(' ');
    let without = matches!(words.next(), Some("sin" | "without"));
    without && (1..=3).contains(&words.count()) && !counts(text)
}
