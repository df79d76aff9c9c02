//! Chance that repeats itself, so that what was made once need not be kept.

pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, which must not be 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end.max(1) as u64).unwrap_or(0)
    }

    /// One of these, which must not be none.
    pub(crate) fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// From 0 up to, but not including, 1.
    pub(crate) fn share(&mut self) -> f64 {
        let bytes = self.next().to_le_bytes();
        f64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
            / (f64::from(u32::MAX) + 1.0)
    }

    /// Around zero, and the less likely the farther from it.
    pub(crate) fn part(&mut self) -> f32 {
        let bytes = self.next().to_le_bytes();
        bytes[..4]
            .iter()
            .map(|&byte| f32::from(byte) / 256.0 - 0.498)
            .sum()
    }
}
