//! Closed classes of words, from a data file: what says yes, what takes back, what asks for a price. Open
//! classes have no list; a new word for a thing is an example for the reader.

use quipu_core::text::{fold, words};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The words of a text, folded.
pub(crate) fn folded_words(text: &str) -> Vec<String> {
    words(text).map(fold).collect()
}

/// Words and phrases of one list. `*` at the end of a word stands for any ending, `^` before a phrase for
/// the beginning of the message, and `..` inside of it for up to three words.
#[derive(Debug, Default)]
pub(crate) struct WordList {
    phrases: Vec<ListedPhrase>,
}

#[derive(Debug)]
struct ListedPhrase {
    first: bool,
    words: Vec<ListedWord>,
}

#[derive(Debug)]
enum ListedWord {
    Exactly(String),
    Beginning(String),
    Gap,
}

/// How many words a gap takes at most.
const GAP: usize = 3;

static LISTS: LazyLock<HashMap<String, WordList>> = LazyLock::new(|| {
    let file: HashMap<String, Vec<String>> = toml::from_str(include_str!("../../data/words.toml"))
        .expect("a test reads the file, which is a part of the program");
    let lists = file.into_iter();
    lists
        .map(|(name, phrases)| (name, WordList::read(&phrases)))
        .collect()
});

static NOTHING: WordList = WordList {
    phrases: Vec::new(),
};

impl WordList {
    /// The list of this name.
    pub(crate) fn get(name: &str) -> &'static Self {
        let found = LISTS.get(name);
        debug_assert!(found.is_some(), "there is no list {name}");
        found.unwrap_or(&NOTHING)
    }

    fn read(phrases: &[String]) -> Self {
        let phrases = phrases.iter().map(|phrase| {
            let (first, phrase) = match phrase.strip_prefix("^ ") {
                Some(rest) => (true, rest),
                None => (false, phrase.as_str()),
            };
            let words = phrase.split(' ').map(|word| {
                if word == ".." {
                    return ListedWord::Gap;
                }
                match word.strip_suffix('*') {
                    Some(beginning) => ListedWord::Beginning(beginning.to_owned()),
                    None => ListedWord::Exactly(word.to_owned()),
                }
            });
            ListedPhrase {
                first,
                words: words.collect(),
            }
        });
        Self {
            phrases: phrases.collect(),
        }
    }

    /// Whether one of the phrases stands in these words.
    pub(crate) fn is_in<S: AsRef<str>>(&self, words: &[S]) -> bool {
        self.find(words).is_some()
    }

    /// Whether a word is one of the list by itself.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.phrases
            .iter()
            .any(|phrase| phrase.words.len() == 1 && phrase.length_at(&[word]) == Some(1))
    }

    /// Where the first phrase that stands in these words begins, and how many words it takes there.
    pub(crate) fn find<S: AsRef<str>>(&self, words: &[S]) -> Option<(usize, usize)> {
        (0..words.len()).find_map(|at| {
            let here = self
                .phrases
                .iter()
                .filter(|phrase| !phrase.first || at == 0);
            let longest = here
                .filter_map(|phrase| phrase.length_at(&words[at..]))
                .max();
            longest.map(|length| (at, length))
        })
    }

    /// The words without the phrases of this list.
    pub(crate) fn taken_out<S: AsRef<str>>(&self, words: &[S]) -> Vec<String> {
        let mut kept: Vec<String> = words.iter().map(|word| word.as_ref().to_owned()).collect();
        while let Some((at, length)) = self.find(&kept) {
            kept.drain(at..at + length.max(1));
        }
        kept
    }
}

impl ListedPhrase {
    /// How many words the phrase takes where these begin.
    fn length_at<S: AsRef<str>>(&self, words: &[S]) -> Option<usize> {
        let mut at = 0;
        let mut gap = 0;
        for wanted in &self.words {
            let fits = |word: &S| match wanted {
                ListedWord::Exactly(known) => word.as_ref() == known,
                ListedWord::Beginning(known) => word.as_ref().starts_with(known.as_str()),
                ListedWord::Gap => false,
            };
            if matches!(wanted, ListedWord::Gap) {
                gap = GAP;
                continue;
            }
            let reach = words.get(at..words.len().min(at + gap + 1))?;
            at += 1 + reach.iter().position(fits)?;
            gap = 0;
        }
        Some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_is_written_folded() {
        for list in LISTS.values() {
            assert!(!list.phrases.is_empty());
            for phrase in &list.phrases {
                for word in &phrase.words {
                    if let ListedWord::Exactly(word) | ListedWord::Beginning(word) = word {
                        assert_eq!(*word, fold(word));
                        assert!(!word.contains([',', '\'']), "{word}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_phrase_may_have_endings_and_gaps() {
        let list = WordList::read(&["cuanto .. cuest*".to_owned(), "^ no".to_owned()]);
        let says = |text: &str| list.is_in(&folded_words(text));
        assert!(says("¿cuánto me cuesta?"));
        assert!(says("no quiero"));
        assert!(!says("ya no"));
        assert!(!says("cuánto"));
    }
}
