//! Drafts made into the lines that are answered with.

use super::drafts::{Draft, Reader};
use super::index::{Entry, Said};
use super::line::{ItemReference, Line};
use super::matching::{self, Found};
use super::options::{Wanted, Wish, add_note, choices_in, wishes};

const MOST_CANDIDATES: usize = 5;

impl<'a> Reader<'_, 'a, '_> {
    pub(super) fn lines(mut self) -> Vec<Line> {
        self.share_out();
        let drafts = self.drafts.iter().enumerate();
        let drafts = drafts.filter(|(_, draft)| !draft.withdrawn);
        let drafts = drafts.filter(|(at, draft)| {
            let is_heading = match (draft.heads, draft.quantity) {
                (Some(_), None) => true,
                (Some(kinds), Some(quantity)) => quantity == Ok(kinds),
                // "Mi pedido:" says nothing about the menu.
                (None, _) => {
                    let more = *at + 1 < self.drafts.len();
                    draft.colon && more && draft.found == Found::Nothing && draft.quantity.is_none()
                }
            };
            !is_heading
        });
        drafts
            .map(|(_, draft)| self.line(draft, &[], &[]))
            .collect()
    }

    pub(super) fn line(&self, draft: &Draft, options: &[Wish<'_>], notes: &[String]) -> Line {
        let entry = match draft.found {
            Found::One(entry) => Some(&self.index.entries[entry]),
            _ => None,
        };
        let said = self.utterance.text_of(&draft.name);
        let quantity = match draft.quantity.unwrap_or(Ok(1)) {
            Ok(quantity) => quantity,
            Err(problem) => {
                let tails = draft.tails.iter().flatten();
                let all: Vec<usize> = draft.name.iter().chain(tails).copied().collect();
                return Line::WrongQuantity {
                    said: self.utterance.text_of(&all),
                    item: entry.map(|entry| entry.item.into()),
                    problem,
                };
            }
        };
        let tails = draft.tails.iter();
        let wishes = tails.flat_map(|tail| wishes(self.utterance, entry, tail));
        if let Some(entry) = entry {
            return self
                .wanted(draft, entry, quantity, wishes, options, notes)
                .into_line();
        }
        let mut kept = Vec::new();
        for text in wishes
            .map(|wish| wish.text)
            .chain(options.iter().map(|wish| wish.text.clone()))
        {
            add_note(&mut kept, &text);
        }
        for note in notes {
            add_note(&mut kept, note);
        }
        match &draft.found {
            Found::Several(entries) => self.several(said, entries, quantity, kept),
            _ => Line::Unknown {
                near: matching::near(self.index, &self.utterance.words(&draft.name)),
                said,
                quantity,
                notes: kept,
            },
        }
    }

    fn wanted<'e, 'w>(
        &self,
        draft: &Draft,
        entry: &'e Entry<'a>,
        quantity: u32,
        wishes: impl Iterator<Item = Wish<'w>>,
        options: &[Wish<'_>],
        notes: &[String],
    ) -> Wanted<'a, 'e> {
        let mut wanted = Wanted {
            entry,
            quantity,
            chosen: Vec::new(),
            notes: Vec::new(),
        };
        if !draft.by_id {
            let name: Vec<usize> = draft.kind_of.iter().chain(&draft.name).copied().collect();
            let name: Vec<&Said> = self.utterance.words(&name);
            let beyond = matching::beyond_the_name(entry, &name);
            wanted.chosen.extend(choices_in(entry, &beyond).0);
        }
        for wish in wishes {
            wanted.add(&wish);
        }
        for wish in options {
            wanted.add(wish);
        }
        for note in notes {
            add_note(&mut wanted.notes, note);
        }
        wanted
    }

    /// Offers what can be had; where nothing can, the customer hears that.
    fn several(&self, said: String, entries: &[usize], quantity: u32, notes: Vec<String>) -> Line {
        let items = entries.iter().map(|entry| self.index.entries[*entry].item);
        let available: Vec<ItemReference> = items
            .clone()
            .filter(|item| item.available)
            .take(MOST_CANDIDATES)
            .map(ItemReference::from)
            .collect();
        match items.map(ItemReference::from).next() {
            Some(item) if available.is_empty() => Line::Unavailable { item, quantity },
            _ => Line::Ambiguous {
                said,
                candidates: available,
                quantity,
                notes,
            },
        }
    }
}
