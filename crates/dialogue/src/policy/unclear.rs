//! Things of an order that were not clear, and what the customer says when asked.

use super::PolicyRun;
use super::basket::{is_counted, matched};
use super::basket_edit::{BasketEdit, edit};
use crate::read::folded_words;
use crate::state::OrderGoal;
use quipu_commerce::ordering::{
    AskedItem, ItemReference, Line, Menu, OrderLine, match_item, read_order,
};
use quipu_core::text::fold;

impl PolicyRun<'_> {
    /// Takes the answer to what was asked about an unclear thing.
    pub(super) fn clear_up(&self, goal: &mut OrderGoal, menu: &Menu) {
        let Some(first) = goal.unclear.first().cloned() else {
            return;
        };
        let text = &self.heard.text;
        let cleared = match &first {
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
        };
        if let Some(line) = cleared {
            goal.unclear.remove(0);
            edit(goal, BasketEdit::PutIn, &line, true);
        } else if self.heard.says("takes_away") || self.consent == crate::read::Consent::No {
            goal.unclear.remove(0);
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
