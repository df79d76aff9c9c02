//! Things of an order that were not clear, and what the customer says when asked.

use super::PolicyRun;
use super::basket::{is_counted, matched};
use super::basket_edit::{BasketEdit, edit};
use super::several::clauses;
use crate::read::folded_words;
use crate::state::OrderGoal;
use quipu_commerce::ordering::{
    AskedItem, ItemReference, Line, Menu, OrderLine, match_item, read_order,
};
use quipu_core::text::fold;

impl PolicyRun<'_> {
    /// Takes the answer to what was asked about an unclear thing, and tells what else the message may order:
    /// "mixto. y 4 cocas".
    pub(super) fn clear_up(&self, goal: &mut OrderGoal, menu: &Menu, text: &str) -> String {
        let Some(first) = goal.unclear.first().cloned() else {
            return text.to_owned();
        };
        let parts = clauses(text);
        let answer = parts
            .iter()
            .enumerate()
            .find_map(|(at, part)| Some((at, self.cleared(&first, menu, part)?)));
        let (answer, line) = match answer {
            Some((at, line)) => (Some(at), Some(line)),
            // What is not said in one part of it may be said in all of it.
            None => (None, self.cleared(&first, menu, &self.heard.text)),
        };
        let refused = self.heard.says("takes_away") || self.consent == crate::read::Consent::No;
        if let Some(line) = &line {
            goal.unclear.remove(0);
            edit(goal, BasketEdit::PutIn, line, true);
        } else if refused {
            goal.unclear.remove(0);
        } else {
            return text.to_owned();
        }
        // Only what is counted is surely more than the answer.
        let rest = parts.iter().enumerate();
        let rest = rest.filter(|(at, part)| answer.is_some_and(|it| it != *at) && is_counted(part));
        let rest: Vec<&str> = rest.map(|(_, part)| part.as_str()).collect();
        rest.join(", ")
    }

    /// The line of an order that a text makes of an unclear one.
    fn cleared(&self, unclear: &Line, menu: &Menu, text: &str) -> Option<OrderLine> {
        match unclear {
            Line::Ambiguous {
                candidates,
                quantity,
                notes,
                ..
            } => named_among(text, menu, candidates, (*quantity, notes)),
            Line::MissingOption {
                item,
                choices,
                quantity,
                options,
                notes,
                ..
            } => {
                let words = fold(text);
                let chosen = choices.iter().filter(|choice| {
                    let choice = fold(choice);
                    words.contains(&choice)
                        || choice.split(' ').any(|word| {
                            word.chars().count() > 3
                                && folded_words(text).iter().any(|it| it == word)
                        })
                });
                let before = options.iter().map(|option| option.choice.clone());
                let asked = AskedItem {
                    name: item.id.clone(),
                    quantity: Some(i64::from(*quantity)),
                    notes: notes.clone(),
                    options: before.chain(chosen.cloned()).collect(),
                };
                match match_item(&asked, menu) {
                    Line::Matched(line) => Some(line),
                    _ => None,
                }
            }
            Line::Unknown {
                near,
                quantity,
                notes,
                ..
            } => {
                let first = near
                    .first()
                    .filter(|_| self.consent == crate::read::Consent::Yes);
                let first = first.and_then(|item| matched(item.id.clone(), *quantity, notes, menu));
                first.or_else(|| named_among(text, menu, near, (*quantity, notes)))
            }
            Line::WrongQuantity {
                item: Some(item), ..
            } => {
                let asked = AskedItem {
                    name: item.id.clone(),
                    quantity: quipu_language::token::cut(text)
                        .iter()
                        .find_map(quipu_language::token::Token::number)
                        .map(|number| number / 100),
                    ..AskedItem::default()
                };
                match (asked.quantity, match_item(&asked, menu)) {
                    (Some(_), Line::Matched(line)) => Some(line),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The thing among some of the menu that a message names, as many as it says or as were said before.
fn named_among(
    text: &str,
    menu: &Menu,
    candidates: &[ItemReference],
    (quantity, notes): (u32, &[String]),
) -> Option<OrderLine> {
    let items = menu.items.iter();
    let items = items.filter(|item| candidates.iter().any(|it| it.id == item.id));
    let among = Menu {
        currency: menu.currency,
        items: items.cloned().collect(),
    };
    let read = read_order(text, &among);
    let line = read.iter().find_map(Line::matched)?;
    Some(OrderLine {
        quantity: if is_counted(text) {
            line.quantity
        } else {
            quantity
        },
        notes: notes.iter().chain(&line.notes).cloned().collect(),
        ..line.clone()
    })
}
