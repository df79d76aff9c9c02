//! The parts of an answer to what has to be chosen, each with its kind and how many of it.

use super::super::super::folded::{folded, says};
use super::super::super::lists::{Words, list};
use super::super::changes::counts;
use super::edits::names;
use quipu_core::ordering::{AskedItem, Line, Menu, MenuItem, match_item, read_order};
use std::sync::LazyLock;

const DATA: &str = include_str!("../../../../data/builtin/shares.txt");
/// What is left when the others are counted.
static REST: Words = LazyLock::new(|| list(DATA, "rest"));
/// What divides evenly.
static HALVES: Words = LazyLock::new(|| list(DATA, "halves"));
/// What takes every kind.
static EACH: Words = LazyLock::new(|| list(DATA, "each"));
/// What stands around a kind without naming it.
static AROUND: Words = LazyLock::new(|| list(DATA, "around"));

/// A part of an answer: what it chose, and of how many.
pub(super) struct Part {
    pub(super) line: Line,
    pub(super) share: Share,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Share {
    Counted(u32),
    /// Nothing counts it.
    Named,
    /// Whatever the counted ones leave.
    Rest,
    /// As many as of the others.
    Even,
}

/// What can be answered to a question, as a menu of its own: the choices of a thing, or the things that
/// may have been meant. Read so, an answer may be written with slips.
pub(super) fn kinds_of(line: &Line, menu: &Menu) -> Option<Menu> {
    let items: Vec<MenuItem> = match line {
        Line::MissingOption { item, choices, .. } => {
            let known = menu.items.iter().find(|known| known.name == item.name)?;
            let known = known.options.iter().flat_map(|group| &group.choices);
            let known = known.filter(|choice| choices.contains(&choice.name));
            let kinds = known.map(|choice| MenuItem {
                id: choice.name.clone(),
                name: choice.name.clone(),
                aliases: choice.aliases.clone(),
                category: None,
                price: choice.extra,
                available: choice.available,
                options: Vec::new(),
            });
            kinds.collect()
        }
        Line::Ambiguous { .. } | Line::Unknown { .. } => {
            let names = names(line);
            let meant = |item: &&MenuItem| names.contains(&item.name.as_str());
            menu.items.iter().filter(meant).cloned().collect()
        }
        _ => return None,
    };
    let currency = menu.currency;
    (!items.is_empty()).then_some(Menu { currency, items })
}

/// The words for the thing itself, which an answer may repeat: "dos gringas de pastor".
pub(super) fn own_words(line: &Line) -> Vec<String> {
    match line {
        Line::MissingOption { item, .. } => {
            let name = folded(&item.name);
            name.split(' ').map(str::to_owned).collect()
        }
        _ => Vec::new(),
    }
}

/// The parts of an answer, cut at its signs and its "y".
pub(super) fn parts_of(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for word in text.split_whitespace() {
        let joins = matches!(folded(word).as_str(), "y" | "e" | "and");
        let part = parts.last_mut().expect("there is a part from the start");
        if joins {
            parts.push(String::new());
            continue;
        }
        part.push_str(word);
        part.push(' ');
        if word.ends_with([',', ';', '.']) {
            parts.push(String::new());
        }
    }
    parts.retain(|part| !folded(part).is_empty());
    parts
}

/// The kinds that a part of an answer names, when it names nothing else: "tres pastor dos bistec" has two.
pub(super) fn parts_in(part: &str, kinds: &Menu, own: &[String]) -> Vec<Part> {
    let named = kinds.items.iter().flat_map(|kind| {
        let names = kind.aliases.iter().chain([&kind.name]);
        names.map(|name| folded(name))
    });
    let named: Vec<String> = named.collect();
    let in_name = |word: &str| named.iter().any(|name| says(name, &[word]));
    let is_own = |word: &str| {
        let plural = |own: &String| {
            word == own
                || word
                    .strip_prefix(own.as_str())
                    .is_some_and(|end| matches!(end, "s" | "es"))
        };
        own.iter().any(plural)
    };
    let plain = folded(part);
    let around = |word: &str| {
        AROUND.contains(&word) || REST.contains(&word) || HALVES.contains(&word) || is_own(word)
    };
    let kept = plain
        .split(' ')
        .filter(|word| in_name(word) || !around(word));
    let kept = kept.collect::<Vec<_>>().join(" ");
    let read = read_order(&kept, kinds);
    let several = read.len() > 1;
    // A number may be a part of the name: "de 1 litro".
    let beside = plain.split(' ').filter(|word| !in_name(word));
    let beside = beside.collect::<Vec<_>>().join(" ");
    let share = |count: u32| {
        if says(&plain, &REST) && !several {
            Share::Rest
        } else if says(&plain, &HALVES) {
            Share::Even
        } else if counts(&beside) || count > 1 {
            Share::Counted(count)
        } else {
            Share::Named
        }
    };
    let found = read.into_iter().map(|line| {
        let count = match &line {
            Line::Matched(line) => line.quantity,
            Line::MissingOption { quantity, .. } => *quantity,
            _ => return None,
        };
        let share = share(count);
        Some(Part { line, share })
    });
    found.collect::<Option<Vec<Part>>>().unwrap_or_default()
}

/// One of each kind, or as many of one as of the other: "mitad y mitad", "uno de cada". Empty when the text
/// says no such thing.
pub(super) fn of_each(text: &str, kinds: &Menu, wanted: u32) -> Vec<Part> {
    let words = folded(text);
    let count = u32::try_from(kinds.items.len()).unwrap_or(0);
    let halves = says(&words, &HALVES) && count == 2;
    let each = says(&words, &EACH) && count > 0 && wanted.is_multiple_of(count);
    if !halves && !each {
        return Vec::new();
    }
    kinds.items.iter().map(|kind| even(kind, kinds)).collect()
}

fn even(kind: &MenuItem, kinds: &Menu) -> Part {
    let asked = AskedItem {
        name: kind.id.clone(),
        ..AskedItem::default()
    };
    Part {
        line: match_item(&asked, kinds),
        share: Share::Even,
    }
}
