//! What was worked out for a text, kept for whoever meets the same text next: the passages and the
//! prompts of an agent come again turn after turn.

use quipu_core::quick::QuickMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};

/// Reading a shorter text takes no longer than looking it up.
const SHORTEST: usize = 128;
/// Passages and prompts are shorter; what is kept of a longer text would take too much room.
const LONGEST: usize = 16 * 1024;

/// Results of a pure function of a text. A text is known by its length and a hash that nobody outside
/// the process can aim at.
pub(crate) struct Memo<V> {
    most: usize,
    hasher: RandomState,
    known: Mutex<QuickMap<(usize, u64), V>>,
}

impl<V: Clone> Memo<V> {
    /// Everything is forgotten when there are more than so many.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            most,
            hasher: RandomState::new(),
            known: Mutex::default(),
        }
    }

    pub(crate) fn of(&self, text: &str, work_out: impl FnOnce(&str) -> V) -> V {
        if !(SHORTEST..=LONGEST).contains(&text.len()) {
            return work_out(text);
        }
        let key = (text.len(), self.hasher.hash_one(text));
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = known().get(&key) {
            return value.clone();
        }
        // Others go on meanwhile, and at worst work the same out.
        let value = work_out(text);
        let mut known = known();
        if known.len() >= self.most {
            known.clear();
        }
        known.insert(key, value.clone());
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn a_text_is_read_once_and_another_one_again() {
        let memo = Memo::new(2);
        let reads = Cell::new(0);
        let length = |text: &str| {
            memo.of(text, |text| {
                reads.set(reads.get() + 1);
                text.len()
            })
        };
        let texts: Vec<String> = (0..3).map(|n| "á".repeat(SHORTEST + n)).collect();
        for text in &texts[..2] {
            assert_eq!(length(text), text.len());
            assert_eq!(length(text), text.len());
        }
        assert_eq!(reads.get(), 2);
        // The third does not fit beside the others, which are forgotten.
        assert_eq!(length(&texts[2]), texts[2].len());
        assert_eq!(length(&texts[0]), texts[0].len());
        assert_eq!(reads.get(), 4);
        for _ in 0..2 {
            assert_eq!(length("corto"), 5);
        }
        assert_eq!(reads.get(), 6);
    }
}
