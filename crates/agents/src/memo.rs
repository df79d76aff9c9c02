//! What was worked out for a text, kept for whoever meets the same text next: the passages and the
//! prompts of an agent come again turn after turn.

/// Reading a shorter text takes no longer than looking it up.
const SHORTEST: usize = 16;
/// Passages and prompts are shorter; what is kept of a longer text would take too much room.
const LONGEST: usize = 16 * 1024;

/// Results of a pure function of a text.
pub(crate) struct Memo<V>(quipu_core::memo::Memo<V>);

impl<V: Clone> Memo<V> {
    /// Everything is forgotten when there are more than so many.
    pub(crate) fn new(most: usize) -> Self {
        Self(quipu_core::memo::Memo::new(most))
    }

    pub(crate) fn of(&self, text: &str, work_out: impl FnOnce(&str) -> V) -> V {
        if !(SHORTEST..=LONGEST).contains(&text.len()) {
            return work_out(text);
        }
        self.0.of(text, || work_out(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn a_text_is_read_once_and_a_short_one_always() {
        let memo = Memo::new(2);
        let reads = Cell::new(0);
        let length = |text: &str| {
            memo.of(text, |text| {
                reads.set(reads.get() + 1);
                text.len()
            })
        };
        let long = "á".repeat(SHORTEST);
        for _ in 0..2 {
            assert_eq!(length(&long), long.len());
        }
        assert_eq!(reads.get(), 1);
        for _ in 0..2 {
            assert_eq!(length("corto"), 5);
        }
        assert_eq!(reads.get(), 3);
    }
}
