//! From text to the terms that search compares.
//!
//! Documents become plain [`terms`]. Questions become a [`Question`]: the ideas they are made of,
//! each with the terms that would express it. Only questions are widened by synonyms, so that a
//! document is never found for words it does not contain and a quote always shows why it was
//! found.

mod lexicon;
mod markers;
mod question;
mod stem;

pub use question::{Concept, Question};

use crate::language::Language;
use crate::text;
use lexicon::Lexicon;

/// The terms of a document: the stems of its words without those that say nothing, in order, and
/// then the markers of the amounts, times and numbers it contains.
#[must_use]
pub fn terms(text: &str, language: Language) -> Vec<String> {
    let lexicon = Lexicon::get();
    text::words(text)
        .filter_map(|word| lexicon.normalise(word))
        .filter(|word| !lexicon.is_stop(word))
        .map(|word| stem::stem(&word, language))
        .chain(markers::markers(text).into_iter().map(str::to_owned))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_lose_their_small_words_and_gain_markers() {
        assert_eq!(
            terms("La limpieza dental cuesta S/ 120.", Language::Es),
            ["limpiez", "dental", "cuest", "s", "120", "#dinero"]
        );
        assert_eq!(terms("The cleaning of the teeth", Language::En), ["clean", "teeth"]);
    }
}
