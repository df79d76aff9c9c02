//! From what a customer or a model says to lines of an order.

use super::drafts::{Attempt, Draft, MOST_LINES, Reader};
use super::index::Index;
use super::line::Line;
use super::matching::Found;
use super::menu::Menu;
use super::options::Wish;
use super::pieces::{Utterance, pieces};
use super::quantity;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How much of a message is read. A customer who writes more has ordered by then.
const MAX_CHARS: usize = 2000;
const LONGEST_OPTION: usize = 200;

/// One thing as a model asks for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AskedItem {
    /// What the customer calls it, or the id of an item.
    #[schema(max_length = 200)]
    pub name: String,
    /// One when absent.
    pub quantity: Option<i64>,
    #[schema(max_items = 8)]
    pub notes: Vec<String>,
    /// Choices by name; one that the item does not have becomes a note.
    #[schema(max_items = 20)]
    pub options: Vec<String>,
}

/// Reads an order as a customer writes it, in one line or several. The lines come in the order in
/// which they were said, at most fifty of them; what is not about ordering anything leaves none.
#[must_use]
pub fn read_order(text: &str, menu: &Menu) -> Vec<Line> {
    let start: String = text.chars().take(MAX_CHARS).collect();
    let index = Index::new(menu);
    let utterance = Utterance::new(&start, &index);
    let mut reader = Reader::new(&index, &utterance);
    for piece in pieces(&utterance, &index) {
        reader.take(piece);
    }
    reader.lines()
}

/// Finds one thing by its name or id. A number inside the name is a part of it.
#[must_use]
pub fn match_item(asked: &AskedItem, menu: &Menu) -> Line {
    match_in(&Index::new(menu), asked, menu)
}

/// The same for several things, which costs less than one by one.
#[must_use]
pub fn match_items(asked: &[AskedItem], menu: &Menu) -> Vec<Line> {
    let index = Index::new(menu);
    let lines = asked.iter().map(|item| match_in(&index, item, menu));
    lines.collect()
}

fn match_in(index: &Index<'_>, asked: &AskedItem, menu: &Menu) -> Line {
    let name: String = asked.name.trim().chars().take(MAX_CHARS).collect();
    let utterance = Utterance::new(&name, index);
    let reader = Reader::new(index, &utterance);
    let positions = utterance.positions();
    let by_id = menu.items.iter().position(|item| item.id == name);
    let attempt = match by_id {
        Some(entry) => Attempt {
            found: Found::One(entry),
            name: positions.len(),
        },
        None => reader.attempt(&positions),
    };
    let draft = Draft {
        quantity: Some(quantity::checked(asked.quantity.unwrap_or(1))),
        name: positions[..attempt.name].to_vec(),
        tails: vec![positions[attempt.name..].to_vec()],
        found: attempt.found,
        by_id: by_id.is_some(),
        ..Draft::default()
    };
    let options = asked.options.iter().take(MOST_LINES);
    let options: Vec<String> = options
        .map(|text| text.chars().take(LONGEST_OPTION).collect())
        .collect();
    let read: Vec<_> = options
        .iter()
        .map(|text| Utterance::new(text, index))
        .collect();
    let options = options.iter().zip(&read).map(|(text, utterance)| Wish {
        text: text.clone(),
        words: utterance.words(&utterance.positions()),
    });
    reader.line(&draft, &options.collect::<Vec<_>>(), &asked.notes)
}
