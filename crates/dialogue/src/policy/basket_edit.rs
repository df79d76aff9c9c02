//! What a clause does to the lines of an order.

use crate::state::{BasketLine, OrderGoal};
use quipu_commerce::ordering::OrderLine;

/// How many wishes about one line are kept.
pub(super) const MOST_NOTES: usize = 8;

/// What a clause does to the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BasketEdit {
    PutIn,
    TakeAway,
    /// So many there shall be.
    Count,
}

pub(super) fn choices(line: &OrderLine) -> Vec<String> {
    let options = line.options.iter();
    options.map(|option| option.choice.clone()).collect()
}

/// Does to the order what a clause says of one thing.
pub(super) fn edit(goal: &mut OrderGoal, edit: BasketEdit, line: &OrderLine, counted: bool) {
    let options = choices(line);
    let same_item = |known: &BasketLine| known.item == line.item.id;
    let same =
        |known: &BasketLine| same_item(known) && (options.is_empty() || known.options == options);
    let found = goal.lines.iter().position(same);
    let lines_of_it = goal.lines.iter().filter(|known| same_item(known)).count();
    // The only line of a thing is the one whose way is put right.
    let found = match edit {
        BasketEdit::Count if found.is_none() && lines_of_it == 1 => {
            goal.lines.iter().position(same_item)
        }
        _ => found,
    };
    match (edit, found) {
        (BasketEdit::TakeAway, Some(at)) => {
            let left = goal.lines[at].quantity.saturating_sub(line.quantity);
            if counted && left > 0 {
                goal.lines[at].quantity = left;
            } else {
                goal.lines.remove(at);
            }
        }
        (BasketEdit::TakeAway, None) => {}
        (BasketEdit::Count, Some(at)) => {
            let known = &mut goal.lines[at];
            let a_part = counted && known.quantity > line.quantity && !line.notes.is_empty();
            if a_part && known.notes != line.notes {
                // "Uno de los campechanos va sin cebolla": the others stay as they are.
                known.quantity -= line.quantity;
                let options = if options.is_empty() {
                    known.options.clone()
                } else {
                    options
                };
                goal.lines.insert(at + 1, new_line(line, options));
                return;
            }
            if counted {
                known.quantity = line.quantity;
            }
            if !options.is_empty() {
                known.options = options;
            }
            add_notes(known, &line.notes);
        }
        // "A los campechanos sin cebolla" says how those are wanted that there are.
        (BasketEdit::PutIn, Some(_)) if !counted && !line.notes.is_empty() => {
            for known in goal.lines.iter_mut().filter(|known| same_item(known)) {
                add_notes(known, &line.notes);
            }
        }
        (BasketEdit::PutIn, Some(at))
            if line.notes.is_empty() || goal.lines[at].notes == line.notes =>
        {
            let known = &mut goal.lines[at];
            known.quantity = known.quantity.saturating_add(line.quantity);
        }
        (BasketEdit::Count, None) | (BasketEdit::PutIn, _) => {
            goal.lines.push(new_line(line, options));
        }
    }
}

pub(super) fn new_line(line: &OrderLine, options: Vec<String>) -> BasketLine {
    BasketLine {
        item: line.item.id.clone(),
        quantity: line.quantity,
        options,
        notes: line.notes.clone(),
    }
}

fn add_notes(line: &mut BasketLine, notes: &[String]) {
    for note in notes {
        if line.notes.len() < MOST_NOTES && !line.notes.contains(note) {
            line.notes.push(note.clone());
        }
    }
}

/// Makes one line of those of a thing, where a message speaks of all of them at once.
pub(super) fn join_lines(goal: &mut OrderGoal, line: &OrderLine) {
    let of_it = |known: &&BasketLine| known.item == line.item.id;
    let all: u32 = goal
        .lines
        .iter()
        .filter(of_it)
        .map(|known| known.quantity)
        .sum();
    if all != line.quantity || goal.lines.iter().filter(of_it).count() < 2 {
        return;
    }
    let mut first = true;
    goal.lines.retain_mut(|known| {
        if known.item != line.item.id {
            return true;
        }
        known.quantity = all;
        known.notes.clear();
        std::mem::take(&mut first)
    });
}
