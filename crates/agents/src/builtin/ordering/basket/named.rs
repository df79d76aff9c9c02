//! What an unknown name may still be: nearly one of the menu, or no order at all.

use super::super::super::folded::{begins, folded, says};
use super::super::super::lists::{Words, list};
use super::super::allergies::ALLERGIES;
use super::super::changes::{counts, number, without_openers};
use super::MOST_ITEMS;
use quipu_core::ordering::{AskedItem, Line, Menu, match_item, read_order};
use std::sync::LazyLock;

const DATA: &str = include_str!("../../../../data/builtin/chatter.txt");
/// How words begin that ask for what stands behind them.
static ASKS: Words = LazyLock::new(|| list(DATA, "asks"));
/// Words that say who, how or where to, and name no thing.
static TALK: Words = LazyLock::new(|| list(DATA, "talk"));

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
    // What is wanted without something is never that something.
    if says(&folded(said), &["sin", "without", "no"]) {
        return line;
    }
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
