//! From text to the terms that search compares.
//!
//! Documents become plain [`terms`]. Questions become a [`Question`]: the ideas they are made of,
//! each with the terms that would express it. Only questions are widened by synonyms, so that a
//! document is never found for words it does not contain and a quote always shows why it was
//! found.

pub mod bm25;
mod frame;
mod lexicon;
mod markers;
mod message;
mod numbers;
mod question;
mod spelling;
mod stem;

pub use frame::without_frame;
pub use message::{questions, without_names, written_out};
pub use question::{Concept, Question, Unknown, Vocabulary, meant_by};
pub use spelling::{one_letter_apart, sound};
pub use spelling::{plain_forms, sounds_like};

use crate::language::Language;
use crate::text;
use lexicon::Lexicon;
use std::collections::HashMap;

/// The terms of a document: the stems of its words without those that say nothing, in order, and
/// then the markers of the amounts, times and numbers it contains.
#[must_use]
pub fn terms(text: &str, language: Language) -> Vec<String> {
    TermReader::new(language).read(text)
}

/// Reads the terms of many texts of one language. It remembers the words it has seen, since texts
/// repeat themselves and stemming is what reading costs.
pub struct TermReader<'a> {
    language: Language,
    seen: HashMap<&'a str, Option<String>>,
}

impl<'a> TermReader<'a> {
    #[must_use]
    pub fn new(language: Language) -> Self {
        Self {
            language,
            seen: HashMap::new(),
        }
    }

    /// The [`terms`] of one text.
    pub fn read(&mut self, text: &'a str) -> Vec<String> {
        let language = self.language;
        let mut terms: Vec<String> = text::words(text)
            .filter_map(|word| {
                let term = self
                    .seen
                    .entry(word)
                    .or_insert_with(|| term(word, language));
                term.clone()
            })
            .collect();
        terms.extend(markers::markers(text).into_iter().map(str::to_owned));
        terms
    }
}

/// A word as it was typed, folded and spelled out. `None` when nothing is left of it.
#[must_use]
pub fn normalise(word: &str) -> Option<String> {
    Lexicon::get().normalise(word)
}

/// Whether a normalised word is one of those that say nothing about what is being asked.
#[must_use]
pub fn is_small_word(word: &str) -> bool {
    Lexicon::get().is_stop(word)
}

/// The term of a word of a document, unless it says nothing.
fn term(word: &str, language: Language) -> Option<String> {
    let lexicon = Lexicon::get();
    let word = lexicon.normalise(word)?;
    (!lexicon.is_stop(&word)).then(|| lexicon.stem(&word, language))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_lose_their_small_words_and_gain_markers() {
        assert_eq!(
            terms("La limpieza dental cuesta S/ 120.", Language::Es),
            ["limpiec", "dental", "cost", "s", "120", "#dinero"]
        );
        assert_eq!(
            terms("The cleaning of the teeth", Language::En),
            ["clean", "tooth"]
        );
    }
}
