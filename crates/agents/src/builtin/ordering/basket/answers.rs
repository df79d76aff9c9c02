//! The answer to what was unclear. It may be divided, "dos de pastor y una de costilla", it may answer
//! several questions at once, and something else may be ordered along with it.

use super::super::super::folded::{folded, says};
use super::super::changes::{Change, Clause, number};
use super::edits::recount;
use super::parts::{Part, Share, kinds_of, of_each, own_words, parts_in, parts_of};
use super::{Basket, Heed, MOST_CLAUSES};
use quipu_core::ordering::{AskedItem, Line, Menu, MenuItem, match_item};

impl Basket {
    /// Tries a message as the answer to what was unclear, and says whether it was one.
    pub(super) fn clear_up(&mut self, text: &str, menu: &Menu) -> bool {
        let Some((change, line)) = self.unclear.first().cloned() else {
            return false;
        };
        match &line {
            // How many of it was asked, and is said now.
            Line::WrongQuantity {
                item: Some(item), ..
            } if bare_number(text).is_some() => {
                let asked = AskedItem {
                    name: item.name.clone(),
                    quantity: bare_number(text).map(i64::from),
                    ..AskedItem::default()
                };
                self.unclear.remove(0);
                self.apply(change, match_item(&asked, menu), menu);
                return true;
            }
            Line::Matched(_) | Line::Unavailable { .. } | Line::WrongQuantity { .. } => {
                // Whatever is said now stands in its place.
                self.unclear.remove(0);
                return false;
            }
            _ => {}
        }
        if self.divide_among(text, menu) {
            return true;
        }
        match &line {
            Line::MissingOption { .. } => self.choose_loosely(change, &line, text, menu),
            _ => self.agree(change, &line, text, menu),
        }
    }

    /// Gives each part of an answer to the first open question that it answers. `false` when no part
    /// answers any. What answers none is taken as ordered besides.
    fn divide_among(&mut self, text: &str, menu: &Menu) -> bool {
        let open: Vec<(Change, Line)> = self.unclear.clone();
        let mut parts: Vec<String> = parts_of(text);
        let mut answered = false;
        for (change, line) in &open {
            let Some(kinds) = kinds_of(line, menu) else {
                continue;
            };
            let own = own_words(line);
            let mut taken: Vec<Part> = Vec::new();
            // "Jamón y queso" may be one kind.
            let whole = parts_in(text, &kinds, &own);
            if parts.len() > 1 && matches!(whole.as_slice(), [part] if part.share == Share::Named) {
                parts.clear();
                taken = whole;
            }
            let mut left = Vec::new();
            for part in std::mem::take(&mut parts) {
                let found = parts_in(&part, &kinds, &own);
                if found.is_empty() {
                    left.push(part);
                }
                taken.extend(found);
            }
            parts = left;
            if taken.is_empty() {
                taken = of_each(text, &kinds, quantity_of(line));
                if !taken.is_empty() {
                    parts.clear();
                }
            }
            if !taken.is_empty() {
                answered = true;
                self.unclear
                    .retain(|known| known != &(*change, line.clone()));
                self.share_out(*change, line, taken, menu);
            }
        }
        if answered {
            for text in parts.into_iter().take(MOST_CLAUSES) {
                let clause = Clause {
                    text,
                    ..Clause::default()
                };
                self.take_clause(&clause, menu, Heed::Everything);
            }
        }
        answered
    }

    /// Orders so many of each kind. What is left of the number that was wanted is still to be asked.
    fn share_out(&mut self, change: Change, line: &Line, parts: Vec<Part>, menu: &Menu) {
        let wanted = quantity_of(line);
        let alone = parts.len() == 1;
        let even = wanted / u32::try_from(parts.len()).unwrap_or(1).max(1);
        let counted = |share: Share| match share {
            Share::Counted(count) => count,
            Share::Named if alone => wanted,
            Share::Named => 1,
            Share::Even => even.max(1),
            Share::Rest => 0,
        };
        let sum: u32 = parts.iter().map(|part| counted(part.share)).sum();
        let mut left = wanted.saturating_sub(sum);
        for part in parts {
            let count = match part.share {
                Share::Rest => std::mem::take(&mut left),
                share => counted(share),
            };
            if count > 0 {
                let chosen = of_kind(line, part.line, count, menu);
                self.apply(change, chosen, menu);
            }
        }
        if left > 0 {
            let mut open = line.clone();
            recount(&mut open, left);
            self.unclear.insert(0, (change, open));
        }
    }

    /// A choice that is named somewhere in a longer answer: "pues creo que la grande está bien".
    fn choose_loosely(&mut self, change: Change, line: &Line, text: &str, menu: &Menu) -> bool {
        let (Line::MissingOption { choices, .. }, Some(kinds)) = (line, kinds_of(line, menu))
        else {
            return false;
        };
        let words = folded(text);
        let said = |kind: &&MenuItem| {
            let mut names = kind.aliases.iter().chain([&kind.name]);
            names.any(|name| says(&words, &[&folded(name)]))
        };
        let mut named = kinds.items.iter().filter(said);
        // Where several are named, nobody can tell how many are wanted of each.
        let chosen = named.next().filter(|_| named.next().is_none());
        let chosen = chosen.map(|kind| kind.name.clone());
        let Some(chosen) = chosen.filter(|chosen| choices.contains(chosen)) else {
            return false;
        };
        self.unclear.remove(0);
        let asked = AskedItem {
            name: chosen,
            ..AskedItem::default()
        };
        let chosen = match_item(&asked, &kinds);
        self.apply(change, of_kind(line, chosen, quantity_of(line), menu), menu);
        true
    }

    /// A yes to the only thing that may have been meant. Whatever else is said stands in its place.
    fn agree(&mut self, change: Change, line: &Line, text: &str, menu: &Menu) -> bool {
        let agrees = says(
            &folded(text),
            &["si", "yes", "esa", "ese", "claro", "dale", "va"],
        );
        let names = super::edits::names(line);
        // A bare yes to one of several says nothing of which, and is asked again.
        let bare = folded(text).split(' ').count() <= 2;
        if agrees && bare && names.len() > 1 {
            return true;
        }
        self.unclear.remove(0);
        let ([name], true) = (names.as_slice(), agrees) else {
            return false;
        };
        let asked = AskedItem {
            name: (*name).to_owned(),
            ..AskedItem::default()
        };
        let chosen = match_item(&asked, menu);
        self.apply(change, of_kind(line, chosen, quantity_of(line), menu), menu);
        true
    }
}

pub(super) fn quantity_of(line: &Line) -> u32 {
    match line {
        Line::Ambiguous { quantity, .. }
        | Line::Unavailable { quantity, .. }
        | Line::Unknown { quantity, .. }
        | Line::MissingOption { quantity, .. } => *quantity,
        Line::Matched(line) => line.quantity,
        Line::WrongQuantity { .. } => 1,
    }
}

/// So many of what was unclear, now that its kind is known. What was said of it before still holds.
fn of_kind(open: &Line, kind: Line, count: u32, menu: &Menu) -> Line {
    let asked = match (open, &kind) {
        (
            Line::MissingOption {
                item,
                options,
                notes,
                ..
            },
            Line::Matched(chosen),
        ) => {
            let before = options.iter().map(|option| option.choice.clone());
            AskedItem {
                name: item.name.clone(),
                quantity: Some(count.into()),
                options: before.chain([chosen.item.name.clone()]).collect(),
                notes: notes.iter().chain(&chosen.notes).cloned().collect(),
            }
        }
        (Line::Ambiguous { notes, .. } | Line::Unknown { notes, .. }, Line::Matched(chosen)) => {
            let options = chosen.options.iter();
            AskedItem {
                name: chosen.item.id.clone(),
                quantity: Some(count.into()),
                options: options.map(|option| option.choice.clone()).collect(),
                notes: notes.iter().chain(&chosen.notes).cloned().collect(),
            }
        }
        _ => {
            let mut kind = kind;
            recount(&mut kind, count);
            return kind;
        }
    };
    match_item(&asked, menu)
}

/// A number that is all a text says, but for good manners.
fn bare_number(text: &str) -> Option<u32> {
    let words = folded(text);
    let mut numbers = words.split(' ').filter_map(number);
    let only = numbers.next().filter(|_| numbers.next().is_none());
    only.filter(|_| words.split(' ').count() <= 3)
}
