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

pub(super) type Sums = [[i32; BLOCK_OUTPUTS]; 8];

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

/// In plain Rust.
pub(super) struct Portable;

impl Tile for Portable {
    const ROWS: usize = 2;

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
        for (row, sums) in (row..row + rows).zip(sums) {
            *sums = [0; BLOCK_OUTPUTS];
            let (inputs, _) = codes.row(row).as_chunks::<STEP>();
            add_products(&inputs[..coarse], &blocks[..coarse], sums);
            for sum in sums.iter_mut() {
                *sum <<= 8;
            }
            add_products(&inputs[coarse..], &blocks[coarse..], sums);
        }
    }
}

#[inline(always)]
fn add_products(inputs: &[[u8; STEP]], blocks: &[Block], sums: &mut [i32; BLOCK_OUTPUTS]) {
    for (inputs, block) in inputs.iter().zip(blocks) {
        let inputs = inputs.map(i16::from);
        let (weights, _) = block.0.as_chunks::<STEP>();
        for (sum, weights) in sums.iter_mut().zip(weights) {
            for (input, weight) in inputs.iter().zip(weights) {
                // A byte times a byte with a sign fits sixteen bits.
                *sum += i32::from(input * i16::from(*weight));
            }
        }
    }
}
