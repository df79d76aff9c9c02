//! Words that were typed by ear or with a slip of the finger, put right.
//!
//! Only a word that the list under `data/supervisor/spelling.txt` does not know is changed, and only
//! into one that begins with the same letter or is read out alike. The list is looked up by sound
//! and by what is left when one letter is taken out, so that no word is compared with all of it.

use quipu_core::analysis::{one_letter_apart, sound};
use quipu_core::quick::{QuickMap, QuickSet};

/// Shorter words are too close to each other for a misspelling to be told from another word.
const MISSPELLED_LETTERS: usize = 5;
/// Words of fewer letters that sound alike are different words too often.
const SOUND_LETTERS: usize = 4;
/// Longer runs of letters are no word that anybody looks up.
const MAX_LETTERS: usize = 24;

#[derive(Debug, Default)]
pub(super) struct Spelling {
    known: QuickSet<String>,
    by_sound: QuickMap<String, String>,
    by_gap: QuickMap<String, Vec<String>>,
}

impl Spelling {
    pub(super) fn compiled() -> Self {
        Self::read(include_str!("../../data/supervisor/spelling.txt"))
    }

    fn read(data: &str) -> Self {
        let mut spelling = Self::default();
        let lines = data.lines().filter(|line| !line.starts_with('#'));
        for word in lines.flat_map(str::split_whitespace) {
            let Some(word) = super::words::normalise(word) else {
                continue;
            };
            let letters = word.chars().count();
            if letters >= SOUND_LETTERS {
                let heard = spelling.by_sound.entry(sound(&word));
                heard.or_insert_with(|| word.clone());
            }
            if letters >= MISSPELLED_LETTERS {
                each_gap(&word, |gap| {
                    let words = spelling.by_gap.entry(gap.to_owned()).or_default();
                    words.push(word.clone());
                    false
                });
            }
            spelling.known.insert(word);
        }
        spelling
    }

    /// What a folded word was meant to be. `None` when it is right as it is or nothing is near.
    pub(super) fn right(&self, word: &str) -> Option<&str> {
        let letters = word.chars().count();
        if !(SOUND_LETTERS..=MAX_LETTERS).contains(&letters)
            || self.known.contains(word)
            || word.contains(|c: char| c.is_ascii_digit())
        {
            return None;
        }
        if let Some(meant) = self.by_sound.get(&sound(word)) {
            return Some(meant);
        }
        if letters < MISSPELLED_LETTERS {
            return None;
        }
        let first = word.chars().next();
        let mut found = None;
        each_gap(word, |gap| {
            let near = self.by_gap.get(gap).into_iter().flatten();
            let mut near = near.filter(|meant| meant.chars().next() == first);
            found = near.find(|meant| one_letter_apart(word, meant));
            found.is_some()
        });
        found.map(String::as_str)
    }
}

/// Calls with the word itself and then with what is left of it when one letter is taken out, until it
/// is told that this will do.
fn each_gap(word: &str, mut will_do: impl FnMut(&str) -> bool) {
    if will_do(word) {
        return;
    }
    let mut left = String::with_capacity(word.len());
    for (at, c) in word.char_indices() {
        left.clear();
        left.push_str(&word[..at]);
        left.push_str(&word[at + c.len_utf8()..]);
        if will_do(&left) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_and_words_by_ear_are_put_right() {
        let spelling = Spelling::read("# words\npedido horario cerca abren\nperdido");
        assert_eq!(spelling.right("peddo"), Some("pedido"));
        assert_eq!(spelling.right("hroario"), Some("horario"));
        assert_eq!(spelling.right("orario"), Some("horario"));
        assert_eq!(spelling.right("avren"), Some("abren"));
        assert_eq!(spelling.right("serca"), Some("cerca"));
        assert_eq!(spelling.right("perdido"), None, "is a word itself");
        assert_eq!(spelling.right("medido"), None, "begins otherwise");
        assert_eq!(spelling.right("ped"), None);
        assert_eq!(spelling.right(&"h".repeat(500)), None);
    }
}
