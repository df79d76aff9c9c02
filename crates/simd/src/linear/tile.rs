//! The innermost part: the sums of a few rows of bytes with the weights of 64 outputs.

use super::Codes;
use std::ops::Range;

/// Inputs that are multiplied by one instruction.
pub(super) const STEP: usize = 4;
/// Outputs that are worked on together.
pub(super) const BLOCK_OUTPUTS: usize = 64;
/// Steps that the widest instruction takes. Coarse and fine steps have room for whole ones, so that
/// it never reads of another row or panel; what is not used is zero, and the others leave it out.
pub(super) const STEPS_AT_ONCE: usize = 16;

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

/// The most rows that a tile may take. Codes have room for whole tiles.
pub(super) const MOST_ROWS: usize = 32;

/// The sums of 64 outputs for each row of a tile.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct TileSums(pub(super) [[i32; BLOCK_OUTPUTS]; MOST_ROWS]);

/// The steps that are used, of codes and of blocks alike.
#[derive(Clone, Debug)]
pub(super) struct UsedSteps {
    pub(super) coarse: Range<usize>,
    pub(super) fine: Range<usize>,
    /// With those that are not.
    pub(super) room: usize,
}

impl UsedSteps {
    pub(super) fn new(wide: usize, inputs: usize) -> Self {
        let coarse = wide.div_ceil(STEP);
        let fine = inputs.div_ceil(STEP);
        let before = coarse.next_multiple_of(STEPS_AT_ONCE);
        Self {
            coarse: 0..coarse,
            fine: before..before + fine,
            room: before + fine.next_multiple_of(STEPS_AT_ONCE),
        }
    }
}

pub(super) trait Tile {
    /// How many rows it takes at most.
    const ROWS: usize;

    /// The sums of `rows` rows from `row` on. Those of the coarse steps count 256 times.
    fn sums(
        &self,
        codes: &Codes,
        row: usize,
        rows: usize,
        blocks: &[Block],
        steps: &UsedSteps,
        sums: &mut TileSums,
    );
}

/// The codes of all rows with twice their bits, for processors that multiply sixteen at once.
pub(super) struct Widened(Vec<i16>);

impl Widened {
    #[inline(always)]
    pub(super) fn new(codes: &Codes) -> Self {
        Self(codes.bytes().iter().map(|byte| i16::from(*byte)).collect())
    }

    /// Those of so many rows.
    #[inline(always)]
    pub(super) fn rows(&self, codes: &Codes, row: usize, rows: usize) -> &[i16] {
        &self.0[row * codes.stride()..][..rows * codes.stride()]
    }
}

/// In plain Rust.
pub(super) struct Portable(pub(super) Widened);

impl Tile for Portable {
    const ROWS: usize = 8;

    /// Puts the weights of an output side by side again, because that is the form in which
    /// compilers know the product of two rows on any processor.
    #[inline(always)]
    fn sums(
        &self,
        codes: &Codes,
        row: usize,
        rows: usize,
        blocks: &[Block],
        steps: &UsedSteps,
        sums: &mut TileSums,
    ) {
        let inputs = |of: &Range<usize>| of.start * STEP..of.end * STEP;
        let (coarse, fine) = (inputs(&steps.coarse), inputs(&steps.fine));
        let mut weights = vec![0; blocks.len() * STEP];
        let codes = self.0.rows(codes, row, rows);
        for output in 0..BLOCK_OUTPUTS {
            let (fours, _) = weights.as_chunks_mut::<STEP>();
            for (four, block) in fours.iter_mut().zip(blocks) {
                let (outputs, _) = block.0.as_chunks::<STEP>();
                *four = outputs[output].map(i16::from);
            }
            for (codes, sums) in codes.chunks_exact(weights.len()).zip(sums.0.iter_mut()) {
                sums[output] = (product(&codes[coarse.clone()], &weights[coarse.clone()]) << 8)
                    + product(&codes[fine.clone()], &weights[fine.clone()]);
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
