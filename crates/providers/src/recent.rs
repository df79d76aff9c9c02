//! A map that keeps what was used last.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

/// Holds at most so many entries; a new one takes the place of the one that was not asked for
/// longest. Finding that one looks at all of them, which a few thousand bear.
pub(crate) struct Recent<K, V> {
    most: usize,
    turn: u64,
    entries: HashMap<K, (u64, V)>,
}

impl<K: Eq + Hash + Clone, V> Recent<K, V> {
    pub(crate) fn new(most: usize) -> Self {
        Self {
            most,
            turn: 0,
            entries: HashMap::new(),
        }
    }

    pub(crate) fn get<Q: Eq + Hash + ?Sized>(&mut self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.turn += 1;
        let (used, value) = self.entries.get_mut(key)?;
        *used = self.turn;
        Some(value)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.entries.iter().map(|(key, (_, value))| (key, value))
    }

    pub(crate) fn insert(&mut self, key: K, value: V) {
        if self.most == 0 {
            return;
        }
        self.turn += 1;
        if self.entries.len() >= self.most && !self.entries.contains_key(&key) {
            let oldest = self.entries.iter().min_by_key(|(_, (used, _))| *used);
            if let Some(oldest) = oldest.map(|(key, _)| key.clone()) {
                self.entries.remove(&oldest);
            }
        }
        self.entries.insert(key, (self.turn, value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_asked_for_longest_goes_first() {
        let mut recent = Recent::new(2);
        recent.insert("a", 1);
        recent.insert("b", 2);
        assert_eq!(recent.get("a"), Some(&1));
        recent.insert("c", 3);
        assert_eq!(recent.get("b"), None);
        assert_eq!(recent.get("a"), Some(&1));
        recent.insert("c", 4);
        assert_eq!(recent.get("a"), Some(&1));
        assert_eq!(recent.entries.len(), 2);
        assert_eq!(recent.get("c"), Some(&4));
    }

    #[test]
    fn no_room_keeps_nothing() {
        let mut recent = Recent::new(0);
        recent.insert("a", 1);
        assert_eq!(recent.get("a"), None);
    }
}
