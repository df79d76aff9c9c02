//! What was worked out once, kept for whoever asks the same next.

use crate::quick::QuickMap;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Results of a pure function, known by a hash of what it was asked that nobody outside the process
/// can aim at.
#[derive(Debug)]
pub struct Memo<V> {
    most: usize,
    hasher: RandomState,
    known: Mutex<QuickMap<u64, V>>,
}

impl<V: Clone> Memo<V> {
    /// Everything is forgotten when there are more than so many.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self {
            most,
            hasher: RandomState::new(),
            known: Mutex::default(),
        }
    }

    pub fn of<Q: Hash + ?Sized>(&self, asked: &Q, work_out: impl FnOnce() -> V) -> V {
        if let Some(value) = self.get(asked) {
            return value;
        }
        // Others go on meanwhile, and at worst work the same out.
        let value = work_out();
        self.insert(asked, value.clone());
        value
    }

    pub fn get<Q: Hash + ?Sized>(&self, asked: &Q) -> Option<V> {
        let key = self.hasher.hash_one(asked);
        self.known().get(&key).cloned()
    }

    pub fn insert<Q: Hash + ?Sized>(&self, asked: &Q, value: V) {
        let key = self.hasher.hash_one(asked);
        let mut known = self.known();
        if known.len() >= self.most {
            known.clear();
        }
        known.insert(key, value);
    }

    fn known(&self) -> MutexGuard<'_, QuickMap<u64, V>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn the_same_is_worked_out_once_and_something_else_again() {
        let memo = Memo::new(2);
        let worked = Cell::new(0);
        let length = |text: &str| {
            memo.of(text, || {
                worked.set(worked.get() + 1);
                text.len()
            })
        };
        for text in ["uno", "cuatro"] {
            assert_eq!(length(text), text.len());
            assert_eq!(length(text), text.len());
        }
        assert_eq!(worked.get(), 2);
        // The third does not fit beside the others, which are forgotten.
        assert_eq!((length("siete"), length("uno")), (5, 3));
        assert_eq!(worked.get(), 4);
    }
}
