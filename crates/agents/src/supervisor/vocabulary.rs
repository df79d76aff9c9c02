//! The words that rules are made of, by number, and which of them a typed word is.

use super::words::normalise;
use quipu_core::quick::QuickMap;

/// The fewest letters that a beginning ("agend*") may have.
const MIN_BEGINNING: usize = 3;

/// Kinds of words that are told by their form and not by a list.
const NUMBER: &str = "{num}";
const CLOCK: &str = "{clock}";

/// The number of a word of the rules.
pub(super) type WordId = u32;

#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    ids: QuickMap<String, WordId>,
    beginnings: QuickMap<String, WordId>,
    /// How many bytes the longest beginning has.
    longest: usize,
    count: WordId,
}

impl Vocabulary {
    /// The number of a word of the rules: "cita", "agend*", "{num}". `None` if it is no word.
    pub(super) fn add(&mut self, word: &str) -> Option<WordId> {
        let next = self.count;
        let (map, text) = if [NUMBER, CLOCK].contains(&word) {
            (&mut self.ids, word.to_owned())
        } else if let Some(beginning) = word.strip_suffix('*') {
            let beginning = normalise(beginning)?;
            if beginning.chars().count() < MIN_BEGINNING {
                return None;
            }
            self.longest = self.longest.max(beginning.len());
            (&mut self.beginnings, beginning)
        } else if word.chars().any(char::is_alphanumeric) {
            (&mut self.ids, normalise(word)?)
        } else {
            (&mut self.ids, word.to_owned())
        };
        let id = *map.entry(text).or_insert(next);
        if id == next {
            self.count += 1;
        }
        Some(id)
    }

    pub(super) fn len(&self) -> usize {
        self.count as usize
    }

    /// Every word of the rules that a word of a message is.
    pub(super) fn look_up(&self, word: &str, found: &mut Vec<WordId>) {
        found.extend(self.ids.get(word));
        let ends = word.char_indices().map(|(at, _)| at).skip(MIN_BEGINNING);
        let ends = ends.chain([word.len()]);
        for end in ends.take_while(|end| *end <= self.longest) {
            found.extend(self.beginnings.get(&word[..end]));
        }
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            let form = if is_clock(word) { CLOCK } else { NUMBER };
            found.extend(self.ids.get(form));
        }
    }
}

/// `5pm`, `17:30`, `18h`.
fn is_clock(word: &str) -> bool {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix(':') {
        Some(minutes) => minutes.starts_with(|c: char| c.is_ascii_digit()),
        None => matches!(rest, "am" | "pm" | "h" | "hs" | "hrs"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_whole_by_its_beginning_and_by_its_form() {
        let mut vocabulary = Vocabulary::default();
        let cita = vocabulary.add("Cita").unwrap();
        let agend = vocabulary.add("agend*").unwrap();
        let number = vocabulary.add("{num}").unwrap();
        let clock = vocabulary.add("{clock}").unwrap();
        assert_eq!(vocabulary.add("cita"), Some(cita));
        assert_eq!(vocabulary.add("ag*"), None);
        let found = |word| {
            let mut found = Vec::new();
            vocabulary.look_up(word, &mut found);
            found
        };
        assert_eq!(found("cita"), [cita]);
        assert!(found("citas").is_empty());
        assert_eq!(found("agendar"), [agend]);
        assert_eq!(found("agend"), [agend]);
        assert_eq!(found("4"), [number]);
        assert_eq!(found("17:30"), [clock]);
        assert_eq!(found("5pm"), [clock]);
        assert_eq!(vocabulary.len(), 4);
    }
}
