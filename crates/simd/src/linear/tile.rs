//! The innermost part: the sums of a few rows of bytes with the weights of 64 outputs.

use super::Codes;

/// Inputs that are multiplied by one instruction.
pub(super) const STEP: usize = 4;
/// Outputs that are worked on together.
pub(super) const BLOCK_OUTPUTS: usize = 64;

/// The weights of 64 outputs for one step: four of the first output, four of the second, and so on.
/// It begins where a line of the cache does, so that no load touches two.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Block(pub(super) [i8; STEP * BLOCK_OUTPUTS]);

impl Default for Block {
    fn default() -> Self {
        Self([0; STEP * BLOCK_OUTPUTS])
    }
}

/// The most rows that a tile may take.
pub(super) const MOST_ROWS: usize = 8;
pub(super) type Sums = [[i32; BLOCK_OUTPUTS]; MOST_ROWS];

pub(super) trait Tile {
    /// How many rows it takes at most.
    const ROWS: usize;

    /// The sums of `rows` rows from `row` on. Those of the first `coarse` steps count 256 times.
    fn sums(
        &self,
        codes: &Codes,
        row: usize,
        rows: usize,
        blocks: &[Block],
        coarse: usize,
        sums: &mut Sums,
    );
}

/// The codes of all rows with twice their bits, for processors that multiply sixteen at once.
pub(super) struct Widened(Vec<i16>);

impl Widened {
    #[inline(always)]
    pub(super) fn new(codes: &Codes) -> Self {
        Self(codes.bytes.iter().map(|byte| i16::from(*byte)).collect())
    }

    /// Those of so many rows.
    #[inline(always)]
    pub(super) fn rows(&self, codes: &Codes, row: usize, rows: usize) -> &[i16] {
        &self.0[row * codes.stride..][..rows * codes.stride]
    }
}

/// In plain Rust.
pub(super) struct Portable(pub(super) Widened);

impl Tile for Portable {
    const ROWS: usize = MOST_ROWS;

    /// Puts the weights of an output side by side again, because that is the form in which
    /// compilers know the product of two rows on any processor.
    #[inline(always)]
    fn sums(
        &self,
        codes: &Codes,
        row: usize,
        rows: usize,
        blocks: &[Block],
        coarse: usize,
        sums: &mut Sums,
    ) {
        let mut weights = vec![0; blocks.len() * STEP];
        let codes = self.0.rows(codes, row, rows);
        for output in 0..BLOCK_OUTPUTS {
            let (fours, _) = weights.as_chunks_mut::<STEP>();
            for (four, block) in fours.iter_mut().zip(blocks) {
                let (outputs, _) = block.0.as_chunks::<STEP>();
                *four = outputs[output].map(i16::from);
            }
            let (coarse_weights, fine_weights) = weights.split_at(coarse * STEP);
            for (codes, sums) in codes.chunks_exact(weights.len()).zip(sums.iter_mut()) {
                let (coarse_codes, fine_codes) = codes.split_at(coarse * STEP);
                sums[output] = (product(coarse_codes, coarse_weights) << 8)
                    + product(fine_codes, fine_weights);
            }
        }
    }
}

#[inline(always)]
fn product(codes: &[i16], weights: &[i16]) -> i32 {
    let pairs = codes.iter().zip(weights);
    // Added without a check, which would keep the compiler from adding many at once. Layers are
    // bounded so that no sum leaves 32 bits.
    pairs.fold(0, |sum, (code, weight)| {
        i32::wrapping_add(sum, i32::from(*code) * i32::from(*weight))
    })
}
