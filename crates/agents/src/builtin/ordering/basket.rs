//! What is in an order, read from everything the customer said about it.

use super::super::folded::{folded, says};
use crate::facts::token::{Token, cut};
use quipu_core::language::Language;
use quipu_core::ordering::{AskedItem, Line, MAX_QUANTITY, Menu, match_item, read_order};

/// As many things as the tool takes.
const MOST_ITEMS: usize = 50;

/// One thing of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Item {
    pub(in super::super) name: String,
    pub(in super::super) quantity: u32,
    pub(in super::super) options: Vec<String>,
    pub(in super::super) notes: Vec<String>,
}

/// What was understood, and what still has to be asked.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Basket {
    pub(in super::super) items: Vec<Item>,
    unclear: Vec<Line>,
}

/// What a part of a message does with the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Add,
    Remove,
    /// So many and no more.
    Set,
}

const REMOVE: &[&str] = &[
    "quita",
    "quitale",
    "quitame",
    "quitar",
    "elimina",
    "eliminale",
    "borra",
    "borrale",
    "saca",
    "sacale",
    "remove",
    "drop",
    "without",
    "menos",
];
const ADD: &[&str] = &[
    "pon", "ponle", "ponme", "agrega", "agregale", "agregame", "añade", "añadele", "suma",
    "sumale", "mete", "metele", "tambien", "add", "plus", "mas",
];
const SET: &[&str] = &["mejor", "sean", "dejalo", "dejala", "instead", "make"];

impl Basket {
    /// Takes in a message. `answer` says that it answers what was unclear; `only_changes` that
    /// something else was asked, so that only what is plainly a change counts.
    pub(in super::super) fn take(
        &mut self,
        text: &str,
        menu: &Menu,
        answer: bool,
        only_changes: bool,
    ) {
        if answer && self.clear_up(text, menu) {
            return;
        }
        let parts = parts(text);
        if only_changes && parts.iter().all(|(change, _)| change.is_none()) {
            return;
        }
        for (change, part) in parts {
            if only_changes && change.is_none() {
                continue;
            }
            let lines = read_order(&part, menu);
            if let Some(change) = change
                && !lines.iter().any(|line| line.matched().is_some())
                && self.count_last(change, &part)
            {
                continue;
            }
            for line in lines.into_iter().filter(|line| !is_chatter(line, &part)) {
                self.apply(change.unwrap_or(Change::Add), line, only_changes, menu);
            }
        }
        self.items.truncate(MOST_ITEMS);
        self.unclear.truncate(MOST_ITEMS);
    }

    fn apply(&mut self, change: Change, line: Line, only_known: bool, menu: &Menu) {
        let line = nearly_named(line, menu);
        let Line::Matched(line) = line else {
            // Nothing that cannot be found in the order has to be taken out of it.
            let asks = change == Change::Add && !only_known;
            let known = self.unclear.iter().any(|known| known == &line);
            if asks && !known {
                self.unclear.push(line);
            }
            return;
        };
        let name = line.item.name.clone();
        let options: Vec<String> = line
            .options
            .iter()
            .map(|option| option.choice.clone())
            .collect();
        let at = self.items.iter().position(|item| item.name == name);
        match (change, at) {
            (Change::Remove, Some(at)) => {
                let item = &mut self.items[at];
                item.quantity = item.quantity.saturating_sub(line.quantity);
                if item.quantity == 0 {
                    self.items.remove(at);
                }
            }
            (Change::Remove, None) => {}
            (Change::Set, Some(at)) => self.items[at].quantity = line.quantity,
            (Change::Add, Some(at)) if self.items[at].options == options => {
                let item = &mut self.items[at];
                item.quantity = item.quantity.saturating_add(line.quantity).min(99);
                item.notes.extend(line.notes);
            }
            (Change::Add | Change::Set, _) => self.items.push(Item {
                name,
                quantity: line.quantity,
                options,
                notes: line.notes,
            }),
        }
    }

    /// "Ponle 5 más" is about what was ordered last.
    fn count_last(&mut self, change: Change, part: &str) -> bool {
        let numbers: Vec<i64> = cut(part).iter().filter_map(Token::number).collect();
        let words = folded(part).split(' ').count();
        let ([number], Some(last), 1..=2) = (numbers.as_slice(), self.items.last_mut(), words)
        else {
            return false;
        };
        let number = u32::try_from(number / 100).unwrap_or(0);
        last.quantity = match change {
            Change::Add => last.quantity.saturating_add(number),
            Change::Remove => last.quantity.saturating_sub(number),
            Change::Set => number,
        }
        .clamp(1, MAX_QUANTITY);
        true
    }

    /// Tries a message as the answer to the first thing that was unclear.
    fn clear_up(&mut self, text: &str, menu: &Menu) -> bool {
        let Some(line) = self.unclear.first().cloned() else {
            return false;
        };
        let (names, quantity): (Vec<String>, u32) = match &line {
            Line::Ambiguous {
                candidates,
                quantity,
                ..
            } => (
                candidates.iter().map(|item| item.name.clone()).collect(),
                *quantity,
            ),
            Line::Unknown { near, quantity, .. } => (
                near.iter().map(|item| item.name.clone()).collect(),
                *quantity,
            ),
            Line::MissingOption {
                item,
                quantity,
                options,
                choices,
                ..
            } => {
                let mut options: Vec<String> =
                    options.iter().map(|option| option.choice.clone()).collect();
                let words = folded(text);
                let chosen = choices
                    .iter()
                    .find(|choice| says(&words, &[&folded(choice)]));
                let Some(chosen) = chosen else {
                    return false;
                };
                options.push(chosen.clone());
                let asked = AskedItem {
                    name: item.name.clone(),
                    quantity: Some((*quantity).into()),
                    options,
                    ..AskedItem::default()
                };
                self.unclear.remove(0);
                self.apply(Change::Add, match_item(&asked, menu), false, menu);
                return true;
            }
            Line::Matched(_) | Line::Unavailable { .. } | Line::WrongQuantity { .. } => {
                // Whatever is said now stands in its place.
                self.unclear.remove(0);
                return false;
            }
        };
        let mut read = read_order(text, menu);
        let is_known = |line: &Line| {
            line.matched()
                .is_some_and(|line| names.contains(&line.item.name))
        };
        let known = read.iter().position(is_known).map(|at| read.remove(at));
        let known = known.as_ref().and_then(Line::matched);
        let agrees = says(
            &folded(text),
            &["si", "yes", "esa", "ese", "claro", "dale", "va"],
        );
        let yes = names.len() == 1 && agrees;
        let name = known.map(|line| line.item.name.clone());
        let name = name.or_else(|| names.first().filter(|_| yes).cloned());
        self.unclear.remove(0);
        let Some(name) = name else {
            return false;
        };
        let said = known.map_or(1, |line| line.quantity);
        let asked = AskedItem {
            name,
            quantity: Some(quantity.max(said).into()),
            ..AskedItem::default()
        };
        self.apply(Change::Add, match_item(&asked, menu), false, menu);
        // Something else may have been ordered along with the answer.
        for line in read.into_iter().filter(|line| line.matched().is_some()) {
            self.apply(Change::Add, line, true, menu);
        }
        true
    }

    /// What has to be asked before the order can be taken.
    pub(in super::super) fn question(&self, language: Language) -> Option<String> {
        let questions: Vec<String> = self
            .unclear
            .iter()
            .take(2)
            .filter_map(|line| line.question(language))
            .collect();
        (!questions.is_empty()).then(|| questions.join(" "))
    }

    pub(in super::super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

/// A thing that comes near to one of the menu, and begins as it is called, is that one. The customer
/// hears its name before anything is placed.
fn nearly_named(line: Line, menu: &Menu) -> Line {
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

/// Whether an unknown thing was not ordered but only said: nothing counts it or asks for it.
fn is_chatter(line: &Line, text: &str) -> bool {
    const ASKS: &[&str] = &[
        "quier", "quisier", "dam", "das", "mand", "pon", "trae", "pid", "regal", "un", "una",
        "unos", "unas", "want", "get", "order", "dos", "tres", "cuatro", "cinco", "seis", "diez",
        "media",
    ];
    let Line::Unknown { said, near, .. } = line else {
        return false;
    };
    let (text, said) = (folded(text), folded(said));
    let before = text.find(&said).map_or("", |at| &text[..at]);
    let asked = before.split_whitespace().next_back().is_some_and(|word| {
        ASKS.iter().any(|start| word.starts_with(start)) || word.parse::<u32>().is_ok()
    });
    near.is_empty() && !asked
}

/// Cuts a message where it changes what was ordered: "quítale una gringa y ponle una de jamaica".
fn parts(text: &str) -> Vec<(Option<Change>, String)> {
    let mut parts: Vec<(Option<Change>, String)> = vec![(None, String::new())];
    for word in text.split_inclusive(char::is_whitespace) {
        let plain = folded(word);
        let is = |words: &[&str]| words.contains(&plain.as_str());
        let change = if is(REMOVE) {
            Some(Change::Remove)
        } else if is(ADD) {
            Some(Change::Add)
        } else if is(SET) {
            Some(Change::Set)
        } else {
            None
        };
        match change {
            Some(change) => parts.push((Some(change), String::new())),
            None => {
                if let Some((_, part)) = parts.last_mut() {
                    part.push_str(word);
                }
            }
        }
    }
    parts.retain(|(change, part)| change.is_some() || !part.trim().is_empty());
    parts
}
