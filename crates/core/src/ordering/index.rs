//! A menu made ready for matching: its words, each kept once, and where they stand.

use super::menu::{Choice, Menu, MenuItem};
use super::tokens::{has_signs, name_words};
use super::words::{Distance, ENDING, Word, is_small};
use std::collections::HashMap;

/// The place of a word in the vocabulary of a menu.
pub(super) type WordId = usize;

/// A name or an alias.
pub(super) struct Label {
    /// All its words in order, small ones too.
    pub(super) sequence: Vec<String>,
    /// The words that count.
    pub(super) words: Vec<WordId>,
    /// Whether it is written so on the menu.
    pub(super) spelled: bool,
    /// Whether it has a comma or another sign between its words.
    pub(super) has_signs: bool,
}

/// A choice of an item, with the words it is known by.
pub(super) struct ChoiceEntry<'a> {
    pub(super) group: usize,
    pub(super) choice: &'a Choice,
    pub(super) labels: Vec<Label>,
}

pub(super) struct Entry<'a> {
    pub(super) item: &'a MenuItem,
    pub(super) labels: Vec<Label>,
    pub(super) category: Vec<WordId>,
    pub(super) choices: Vec<ChoiceEntry<'a>>,
}

pub(super) struct Index<'a> {
    pub(super) entries: Vec<Entry<'a>>,
    vocabulary: Vec<Word>,
    ids: HashMap<String, WordId>,
}

/// A word that somebody said, and the words of the menu it may be.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub(super) folded: String,
    near: HashMap<WordId, Distance>,
}

impl Said {
    pub(super) fn distance(&self, known: WordId) -> Option<Distance> {
        self.near.get(&known).copied()
    }
}

impl<'a> Index<'a> {
    pub(super) fn new(menu: &'a Menu) -> Self {
        let mut index = Self {
            entries: Vec::new(),
            vocabulary: Vec::new(),
            ids: HashMap::new(),
        };
        for item in &menu.items {
            let labels = index.labels(&item.name, &item.aliases);
            let category = item.category.as_deref().unwrap_or_default();
            let category = index.label(name_words(category)).words;
            let mut choices = Vec::new();
            for (group, options) in item.options.iter().enumerate() {
                for choice in &options.choices {
                    choices.push(ChoiceEntry {
                        group,
                        choice,
                        labels: index.labels(&choice.name, &choice.aliases),
                    });
                }
            }
            index.entries.push(Entry {
                item,
                labels,
                category,
                choices,
            });
        }
        index
    }

    /// Whether a word that somebody said is this word of the menu, in singular or plural.
    pub(super) fn is_form_of(&self, said: &Said, known: &str) -> bool {
        let distance = self.ids.get(known).and_then(|id| said.distance(*id));
        said.folded == known || distance.is_some_and(|distance| distance <= ENDING)
    }

    /// Finds the words of the menu that a word may be.
    pub(super) fn said(&self, folded: &str) -> Said {
        let word = Word::new(folded);
        let distance = word.distances();
        let near = self.vocabulary.iter().enumerate();
        let near = near.filter_map(|(id, known)| Some((id, distance(known)?)));
        Said {
            folded: folded.to_owned(),
            near: near.collect(),
        }
    }

    fn labels(&mut self, name: &str, aliases: &[String]) -> Vec<Label> {
        let names = std::iter::once(name).chain(aliases.iter().map(String::as_str));
        let mut labels = Vec::new();
        for name in names {
            let words = name_words(name);
            // "Coca-Cola" is typed as one word too.
            if let [first, second, rest @ ..] = words.as_slice()
                && [first, second].iter().all(|word| is_joinable(word))
            {
                let mut joined = vec![format!("{first}{second}")];
                joined.extend(rest.iter().cloned());
                labels.push(Label {
                    spelled: false,
                    has_signs: has_signs(name),
                    ..self.label(joined)
                });
            }
            labels.push(Label {
                has_signs: has_signs(name),
                ..self.label(words)
            });
        }
        labels.retain(|label| !label.sequence.is_empty());
        labels
    }

    fn label(&mut self, sequence: Vec<String>) -> Label {
        let counts = |word: &&String| !is_small(word);
        // A name of small words alone is known by them.
        let all_small = !sequence.iter().any(|word| counts(&word));
        let words = sequence.iter().filter(|word| all_small || counts(word));
        let words = words.map(|word| self.id(word)).collect();
        Label {
            sequence,
            words,
            spelled: true,
            has_signs: false,
        }
    }

    fn id(&mut self, word: &str) -> WordId {
        if let Some(id) = self.ids.get(word) {
            return *id;
        }
        let id = self.vocabulary.len();
        self.vocabulary.push(Word::new(word));
        self.ids.insert(word.to_owned(), id);
        id
    }
}

pub(super) fn is_joinable(word: &str) -> bool {
    !is_small(word) && word.chars().all(char::is_alphabetic)
}
