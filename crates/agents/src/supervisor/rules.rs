//! The rules under `data/supervisor`: read once, and found in messages.

mod table;
#[cfg(test)]
mod tests;

use super::context::Context;
use super::phrase::{Message, Phrase, Second};
use super::vocabulary::{Vocabulary, WordId};
use super::words::Word;
use quipu_core::agent::{Intent, Vertical};
use quipu_core::language::Language;
use std::collections::HashMap;

const TABLES: &[&str] = &[
    include_str!("../../data/supervisor/lists.txt"),
    include_str!("../../data/supervisor/greeting.txt"),
    include_str!("../../data/supervisor/pricing.txt"),
    include_str!("../../data/supervisor/booking.txt"),
    include_str!("../../data/supervisor/ordering.txt"),
    include_str!("../../data/supervisor/location.txt"),
    include_str!("../../data/supervisor/hours.txt"),
    include_str!("../../data/supervisor/faq.txt"),
    include_str!("../../data/supervisor/urgent.txt"),
    include_str!("../../data/supervisor/loyalty.txt"),
    include_str!("../../data/supervisor/escalation.txt"),
    include_str!("../../data/supervisor/general.txt"),
    include_str!("../../data/supervisor/replies.txt"),
];

/// The list of words that may stand around a message without being part of it.
const MANNERS: &str = "manners";

/// What a phrase stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Meaning {
    Intent(Intent),
    /// An invoice for tax.
    Invoicing,
    Yes,
    No,
    /// The words behind it are what the customer does not want: "no quiero …".
    Refusal,
    /// A day, an hour or another number.
    When,
}

/// A phrase with what it stands for and where it counts.
#[derive(Clone, Debug)]
struct Rule {
    phrase: Phrase,
    written: &'static str,
    meaning: Meaning,
    weight: f32,
    /// Empty when it counts for every kind of business.
    verticals: Vec<Vertical>,
    language: Option<Language>,
}

/// A rule that a message fulfils.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) meaning: Meaning,
    pub(super) weight: f32,
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) written: &'static str,
}

/// For each word of the rules, the lists it is on. The model reads a word by its lists too, so that
/// what it learned of one dish it knows of all.
pub(super) type Lists = Vec<Vec<u16>>;

#[derive(Debug, Default)]
pub(super) struct Rules {
    vocabulary: Vocabulary,
    named: HashMap<String, Vec<WordId>>,
    lists: Lists,
    all: Vec<Rule>,
    /// For each word, the rules that can begin with it, and what must follow in them.
    by_first: Vec<Vec<(Second, usize)>>,
    manners: Vec<bool>,
    /// What could not be read, for tests: a table that says nonsense must not be shipped.
    problems: Vec<String>,
}

impl Rules {
    pub(super) fn compiled() -> Self {
        Self::read(TABLES)
    }

    fn read(tables: &[&'static str]) -> Self {
        let mut rules = Self::default();
        for table in tables {
            table::read(table, &mut rules);
        }
        rules.index();
        rules
    }

    fn index(&mut self) {
        let words = self.vocabulary.len();
        self.by_first = vec![Vec::new(); words];
        self.lists = vec![Vec::new(); words];
        self.manners = vec![false; words];
        for (at, rule) in self.all.iter().enumerate() {
            let second = Second::of(&rule.phrase);
            for &id in rule.phrase.places.iter().take(1).flat_map(|p| &p.any_of) {
                self.by_first[id as usize].push((second, at));
            }
        }
        let mut names: Vec<&String> = self.named.keys().collect();
        names.sort_unstable();
        for (number, name) in (0_u16..).zip(names) {
            for &id in &self.named[name] {
                if name == MANNERS {
                    self.manners[id as usize] = true;
                } else {
                    self.lists[id as usize].push(number);
                }
            }
        }
    }

    pub(super) fn lists(&self) -> &Lists {
        &self.lists
    }

    /// The ids of a list, by its name. Nothing is on a list that does not exist.
    pub(super) fn list(&self, name: &str) -> &[WordId] {
        self.named.get(name).map_or(&[], Vec::as_slice)
    }

    /// Looks the words of a message up.
    pub(super) fn look_up<'a>(&self, words: &'a [Word]) -> Message<'a> {
        let mut message = Message {
            words,
            ids: Vec::with_capacity(words.len() * 2),
            ends: Vec::with_capacity(words.len()),
            content: (0, words.len()),
        };
        for word in words {
            self.vocabulary.look_up(&word.text, &mut message.ids);
            message.ends.push(message.ids.len());
        }
        let polite = |word: &usize| {
            let ids = message.ids_of(*word);
            ids.iter().any(|&id| self.manners[id as usize])
        };
        let first = (0..words.len()).find(|word| !polite(word));
        let last = (0..words.len()).rev().find(|word| !polite(word));
        message.content = match (first, last) {
            (Some(first), Some(last)) => (first, last + 1),
            _ => (words.len(), words.len()),
        };
        message
    }

    /// Every rule that a message fulfils, in the order of the message.
    pub(super) fn find(&self, message: &Message<'_>, context: Context) -> Vec<Found> {
        let mut found: Vec<Found> = Vec::new();
        for start in 0..message.words.len() {
            let behind = message.behind(start);
            for &id in message.ids_of(start) {
                for (second, at) in &self.by_first[id as usize] {
                    if !second.may_follow(&behind) {
                        continue;
                    }
                    let rule = &self.all[*at];
                    if !rule.counts(context) {
                        continue;
                    }
                    if let Some(last) = rule.phrase.find(start, message) {
                        let again = found
                            .iter()
                            .rev()
                            .take_while(|f| f.first == start)
                            .any(|f| f.written == rule.written && f.meaning == rule.meaning);
                        if !again {
                            found.push(Found {
                                meaning: rule.meaning,
                                weight: rule.weight,
                                first: start,
                                last,
                                written: rule.written,
                            });
                        }
                    }
                }
            }
        }
        found
    }
}

impl Rule {
    fn counts(&self, context: Context) -> bool {
        (self.verticals.is_empty() || self.verticals.contains(&context.vertical))
            && self
                .language
                .is_none_or(|language| language == context.language)
    }
}
