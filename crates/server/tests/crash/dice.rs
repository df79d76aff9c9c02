use std::time::Duration;

/// Chance that can be had again: the seed is printed, and a failing test shows what was printed.
/// `QUIPU_TEST_SEED` sets it.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new() -> Self {
        let seed = match std::env::var("QUIPU_TEST_SEED") {
            Ok(text) => text.parse().expect("QUIPU_TEST_SEED is a number"),
            Err(_) => getrandom::u64().expect("random bytes"),
        };
        println!("QUIPU_TEST_SEED={seed}");
        Self(seed)
    }

    /// Dice of their own for somebody else, so that tasks do not depend on each other's throws.
    pub(crate) fn split(&mut self) -> Self {
        Self(self.next())
    }

    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit).expect("a small number");
        usize::try_from(self.next() % limit).expect("a small number")
    }

    pub(crate) fn millis(&mut self, from: usize, to: usize) -> Duration {
        let millis = from + self.below(to - from);
        Duration::from_millis(u64::try_from(millis).expect("a small number"))
    }

    /// `SplitMix64`.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
