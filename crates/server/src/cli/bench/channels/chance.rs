//! Chance that can be had again: the seed is printed.

use std::time::Duration;

/// Numbers by `SplitMix64`.
pub(super) struct Chance(u64);

impl Chance {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// One of their own for somebody else, so that tasks do not depend on each other's throws.
    pub(super) fn split(&mut self) -> Self {
        Self(self.next())
    }

    /// A number below `limit`, or 0 where that is none.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        let number = self.next() % (limit.max(1) as u64);
        usize::try_from(number).unwrap_or_default()
    }

    pub(super) fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// Up to so many milliseconds.
    pub(super) fn millis(&mut self, most: u64) -> Duration {
        Duration::from_millis(self.next() % (most + 1))
    }

    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_throws_the_same_and_nothing_is_lost() {
        let shuffled = |seed| {
            let mut items: Vec<usize> = (0..20).collect();
            Chance::new(seed).shuffle(&mut items);
            items
        };
        assert_eq!(shuffled(7), shuffled(7));
        assert_ne!(shuffled(7), shuffled(8));
        let mut sorted = shuffled(7);
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..20));
    }
}
