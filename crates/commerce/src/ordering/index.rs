//! A menu made ready for matching: its words, each kept once, and where they stand.

use super::menu::{Choice, Menu, MenuItem};
use super::tokens::{has_signs, name_words};
use super::words::{Distance, ENDING, Word, is_small, unit};
use std::collections::HashMap;

/// The place of a word in the vocabulary of a menu.
pub(super) type WordId = usize;

/// A name or an alias.
pub(super) struct Label {
    /// All its words in order, small ones too.
    pub(super) sequence: Vec<String>,
    /// The words that count.
    pub(super) words: Vec<WordId>,
    /// Numbers with the unit behind them, as in "2 L".
    pub(super) measures: Vec<(WordId, WordId)>,
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

impl Entry<'_> {
    /// All words that the entry may be known by.
    fn words(&self) -> impl Iterator<Item = WordId> {
        let choices = self.choices.iter().flat_map(|choice| &choice.labels);
        let labels = self.labels.iter().chain(choices);
        let words = labels.flat_map(|label| &label.words);
        words.chain(&self.category).copied()
    }
}

pub(super) struct Index<'a> {
    pub(super) entries: Vec<Entry<'a>>,
    vocabulary: Vec<Word>,
    ids: HashMap<String, WordId>,
    /// The entries that each word stands in, anywhere.
    places: Vec<Vec<usize>>,
    /// The labels that begin with each word, as entry and place.
    beginnings: HashMap<String, Vec<(usize, usize)>>,
}

/// A word that somebody said, and the words of the menu it may be.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub(super) folded: String,
    /// In the order of the words.
    near: Vec<(WordId, Distance)>,
}

impl Said {
    pub(super) fn distance(&self, known: WordId) -> Option<Distance> {
        let place = self.near.binary_search_by_key(&known, |(id, _)| *id);
        place.ok().map(|place| self.near[place].1)
    }
}

impl<'a> Index<'a> {
    pub(super) fn new(menu: &'a Menu) -> Self {
        let mut index = Self {
            entries: Vec::new(),
            vocabulary: Vec::new(),
            ids: HashMap::new(),
            places: Vec::new(),
            beginnings: HashMap::new(),
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
        index.places = vec![Vec::new(); index.vocabulary.len()];
        for (at, entry) in index.entries.iter().enumerate() {
            for (place, label) in entry.labels.iter().enumerate() {
                if let Some(first) = label.sequence.first() {
                    let labels = index.beginnings.entry(first.clone()).or_default();
                    labels.push((at, place));
                }
            }
            for word in entry.words() {
                let places = &mut index.places[word];
                if places.last() != Some(&at) {
                    places.push(at);
                }
            }
        }
        index
    }

    /// The entries that have all of the words, or may have: those of the rarest word.
    pub(super) fn having(&self, words: &[&Said]) -> Vec<usize> {
        let rarest = words.iter().min_by_key(|word| {
            let places = word.near.iter().map(|(id, _)| self.places[*id].len());
            places.sum::<usize>()
        });
        rarest.map_or_else(Vec::new, |word| self.having_any(&[word]))
    }

    /// The entries that have any of the words, in the order of the menu.
    pub(super) fn having_any(&self, words: &[&Said]) -> Vec<usize> {
        let near = words.iter().flat_map(|word| &word.near);
        let mut entries: Vec<usize> = near
            .flat_map(|(id, _)| self.places[*id].iter().copied())
            .collect();
        entries.sort_unstable();
        entries.dedup();
        entries
    }

    /// The labels whose first word this is, in singular or plural.
    pub(super) fn beginning_with(&self, said: &Said) -> Vec<&Label> {
        let forms = said.near.iter().filter(|(_, distance)| *distance <= ENDING);
        let forms = forms.map(|(id, _)| self.vocabulary[*id].folded.as_str());
        let others = forms.filter(|form| *form != said.folded);
        let words = std::iter::once(said.folded.as_str()).chain(others);
        let labels = words.filter_map(|word| self.beginnings.get(word)).flatten();
        labels
            .map(|(at, place)| &self.entries[*at].labels[*place])
            .collect()
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
        let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
        let mut measures = Vec::new();
        for pair in sequence.windows(2) {
            if is_number(&pair[0]) && unit(&pair[1]).is_some() {
                measures.push((self.id(&pair[0]), self.id(&pair[1])));
            }
        }
        Label {
            sequence,
            words,
            measures,
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
