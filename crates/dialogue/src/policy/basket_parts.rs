//! Parts of an order that a message speaks of without naming them, and what comes in the place of others.

use super::PolicyRun;
use super::basket::{EditClause, is_counted};
use super::basket_edit::{BasketEdit, choices, new_line};
use crate::read::{WordList, folded_words};
use crate::state::{BasketLine, OrderGoal};
use quipu_commerce::ordering::{Line, Menu, OrderLine, read_order};

impl PolicyRun<'_> {
    /// What comes for something else, as many and of the kind that it comes for: "2 de suadero por bistec".
    pub(super) fn in_its_place(&self, goal: &OrderGoal, gone: &str, come: &str) -> String {
        let Some(menu) = &self.business.menu else {
            return come.to_owned();
        };
        let read = read_order(gone, menu);
        let Some(before) = read.iter().find_map(Line::matched) else {
            return come.to_owned();
        };
        let known = goal.lines.iter().find(|line| line.item == before.item.id);
        let many = match known {
            Some(line) if !is_counted(gone) => line.quantity,
            _ => before.quantity,
        };
        let counted = |text: String| {
            if is_counted(come) {
                text
            } else {
                format!("{many} {text}")
            }
        };
        let kind = before.item.name.split(' ').next().unwrap_or_default();
        let ways = [
            counted(come.to_owned()),
            counted(format!("{kind} de {come}")),
            counted(format!("{kind} {come}")),
        ];
        let clear = |text: &&String| {
            let lines = read_order(text, menu);
            matches!(lines.as_slice(), [Line::Matched(_)])
        };
        let found = ways.iter().find(clear).unwrap_or(&ways[0]);
        found.clone()
    }

    /// Takes away one of what the message speaks of, where it does not say what: "la tripa está dos veces, quita una".
    pub(super) fn take_one_of_it(&self, goal: &mut OrderGoal, clause: &EditClause) {
        let spoken_of = self.dishes_named(&self.heard.text);
        let [dish] = spoken_of.as_slice() else { return };
        let item = dish.to_string();
        let bare = clause.edit == BasketEdit::TakeAway && is_counted(&clause.text);
        let known: Vec<usize> = (0..goal.lines.len())
            .filter(|at| goal.lines[*at].item == item)
            .collect();
        let Some(last) = known.last().copied().filter(|_| bare) else {
            return;
        };
        if known.len() > 1 || goal.lines[last].quantity < 2 {
            goal.lines.remove(last);
        } else {
            goal.lines[last].quantity -= 1;
        }
    }
}

/// The clause with the thing that its numbers share out, where it names none: "2 normales y 1 sin cebolla".
pub(super) fn with_thing(goal: &OrderGoal, menu: &Menu, clause: &EditClause) -> String {
    let text = clause.text.trim();
    let Some(last) = goal.lines.last() else {
        return text.to_owned();
    };
    let names_one = |text: &str| {
        let lines = read_order(text, menu);
        lines
            .iter()
            .any(|line| !matches!(line, Line::Unknown { .. }))
    };
    let counted = text.split(' ').next().is_some_and(is_counted);
    if clause.edit == BasketEdit::TakeAway || !counted || names_one(text) {
        return text.to_owned();
    }
    let same = goal.lines.iter().filter(|line| line.item == last.item);
    let many: u32 = same.map(|line| line.quantity).sum();
    let name = menu.items.iter().find(|item| item.id == last.item);
    let name = name.map_or("", |item| item.name.as_str());
    let whole = format!("{many} {name}, {text}");
    let lines = read_order(&whole, menu);
    let shared = lines.len() > 1 && lines.iter().all(|line| line.matched().is_some());
    if shared { whole } else { text.to_owned() }
}

/// Puts the lines of one thing in the place of those that there are, where a message says anew how many are wanted
/// in which way.
pub(super) fn replaces(goal: &mut OrderGoal, clause: &EditClause, lines: &[Line]) -> bool {
    let matched: Vec<&OrderLine> = lines.iter().filter_map(Line::matched).collect();
    let [first, _, ..] = matched.as_slice() else {
        return false;
    };
    let one =
        lines.len() == matched.len() && matched.iter().all(|line| line.item.id == first.item.id);
    let known = |line: &BasketLine| line.item == first.item.id;
    let at = goal.lines.iter().position(known);
    let (Some(at), true) = (at, one && clause.edit != BasketEdit::TakeAway) else {
        return false;
    };
    let before = goal.lines[at].options.clone();
    goal.lines.retain(|line| !known(line));
    for (more, line) in matched.iter().enumerate() {
        let options: Vec<String> = choices(line);
        let options = if options.is_empty() {
            before.clone()
        } else {
            options
        };
        let at = (at + more).min(goal.lines.len());
        goal.lines.insert(at, new_line(line, options));
    }
    true
}

/// Takes away all of a kind that is in the order: "ya no las aguas". `false` where nothing of it is.
pub(super) fn take_kind(goal: &mut OrderGoal, menu: &Menu, clause: &EditClause) -> bool {
    if clause.edit != BasketEdit::TakeAway || is_counted(&clause.text) {
        return false;
    }
    let bare = |word: &str| word.trim_end_matches('s').to_owned();
    let said: Vec<String> = folded_words(&clause.text)
        .iter()
        .filter(|word| !WordList::get("small_words").has(word))
        .map(|word| bare(word))
        .collect();
    let named = |line: &BasketLine| {
        let item = menu.items.iter().find(|item| item.id == line.item);
        let words = item
            .map(|item| folded_words(&item.name))
            .unwrap_or_default();
        words.iter().any(|word| said.contains(&bare(word)))
    };
    let before = goal.lines.len();
    goal.lines.retain(|line| !named(line));
    goal.lines.len() < before
}
