//! The same sums with the instructions of newer processors.
//!
//! There are no closures in here: what the standard library calls is not compiled for the processor,
//! and each call of a closure would carry all sums through memory.

use super::amx::MatrixTile;
use super::tile::{BLOCK_OUTPUTS, Block, STEP, Tile, TileSums, UsedSteps, Widened};
use super::{Codes, Linear};
use std::arch::x86_64::{
    __m128i, __m256i, __m512i, _mm_load_si128, _mm256_add_epi32, _mm256_cvtepi8_epi16,
    _mm256_dpbusd_avx_epi32, _mm256_hadd_epi32, _mm256_load_si256, _mm256_madd_epi16,
    _mm256_permute4x64_epi64, _mm256_set1_epi32, _mm256_set1_epi64x, _mm256_setzero_si256,
    _mm256_slli_epi32, _mm256_storeu_si256, _mm512_dpbusd_epi32, _mm512_load_si512,
    _mm512_set1_epi32, _mm512_setzero_si512, _mm512_slli_epi32, _mm512_storeu_si512,
};

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma")]
pub(super) fn apply_avx512(layer: &Linear, codes: &Codes, out: &mut [f32]) {
    layer.apply_with(&Avx512, codes, out);
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]
pub(super) fn apply_amx(layer: &Linear, codes: &Codes, out: &mut [f32]) {
    // SAFETY: a kernel exists only where the processor has its instructions and the system lets us
    // use the registers.
    let tiles = unsafe { MatrixTile::open() };
    layer.apply_with(&tiles, codes, out);
}

#[target_feature(enable = "avxvnni,avx2,fma")]
pub(super) fn apply_avx_vnni(layer: &Linear, codes: &Codes, out: &mut [f32]) {
    layer.apply_with(&AvxVnni, codes, out);
}

#[target_feature(enable = "avx2,fma")]
pub(super) fn apply_avx2(layer: &Linear, codes: &Codes, out: &mut [f32]) {
    layer.apply_with(&Avx2(Widened::new(codes)), codes, out);
}

/// Calls the tile made for exactly so many rows, because sums only stay in registers when their
/// number is known.
macro_rules! for_rows {
    ($rows:expr, $tile:ident, $arguments:tt, [$($number:literal)*]) => {
        match $rows {
            // SAFETY: only the functions at the top use the tile, and they are compiled for it.
            $($number => unsafe { $tile::<$number> $arguments },)*
            rows => unreachable!("{rows} rows"),
        }
    };
}

struct Avx512;

impl Tile for Avx512 {
    const ROWS: usize = 6;

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
        let codes = &codes.bytes()[row * codes.stride()..][..rows * codes.stride()];
        for_rows!(rows, avx512, (codes, blocks, steps, sums), [1 2 3 4 5 6]);
    }
}

#[target_feature(enable = "avx512f,avx512vnni")]
fn avx512<const ROWS: usize>(
    codes: &[u8],
    blocks: &[Block],
    steps: &UsedSteps,
    out: &mut TileSums,
) {
    let stride = blocks.len() * STEP;
    assert!(codes.len() == ROWS * stride && blocks.len() == steps.room);
    let mut sums = [[_mm512_setzero_si512(); 4]; ROWS];
    for steps in [&steps.coarse, &steps.fine] {
        for sum in sums.as_flattened_mut() {
            *sum = _mm512_slli_epi32::<8>(*sum);
        }
        for step in steps.clone() {
            let block = &blocks[step];
            let mut weights = [_mm512_setzero_si512(); 4];
            for (part, weights) in weights.iter_mut().enumerate() {
                // SAFETY: a block is four times 64 bytes and aligned to 64.
                *weights = unsafe { _mm512_load_si512(block.0.as_ptr().add(64 * part).cast()) };
            }
            for (row, sums) in sums.iter_mut().enumerate() {
                // SAFETY: each row has four bytes for each block, as asserted.
                let inputs = unsafe {
                    let at = codes.as_ptr().add(row * stride + step * STEP);
                    _mm512_set1_epi32(at.cast::<i32>().read_unaligned())
                };
                for (sum, weights) in sums.iter_mut().zip(weights) {
                    *sum = _mm512_dpbusd_epi32(*sum, inputs, weights);
                }
            }
        }
    }
    for (out, sums) in out.0.iter_mut().zip(sums) {
        for (out, sum) in out.as_chunks_mut::<16>().0.iter_mut().zip(sums) {
            // SAFETY: `out` is sixteen numbers of 32 bits.
            unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast::<__m512i>(), sum) };
        }
    }
}

struct AvxVnni;

impl Tile for AvxVnni {
    const ROWS: usize = 6;

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
        let codes = &codes.bytes()[row * codes.stride()..][..rows * codes.stride()];
        for first in (0..BLOCK_OUTPUTS).step_by(16) {
            for_rows!(rows, avx_vnni, (codes, blocks, steps, first, sums), [1 2 3 4 5 6]);
        }
    }
}

/// Sixteen outputs from `first` on: sixteen registers hold the sums of no more.
#[target_feature(enable = "avx2,avxvnni")]
fn avx_vnni<const ROWS: usize>(
    codes: &[u8],
    blocks: &[Block],
    steps: &UsedSteps,
    first: usize,
    out: &mut TileSums,
) {
    let stride = blocks.len() * STEP;
    assert!(codes.len() == ROWS * stride && blocks.len() == steps.room);
    assert!(first.is_multiple_of(16) && first < BLOCK_OUTPUTS);
    let mut sums = [[_mm256_setzero_si256(); 2]; ROWS];
    for steps in [&steps.coarse, &steps.fine] {
        for sum in sums.as_flattened_mut() {
            *sum = _mm256_slli_epi32::<8>(*sum);
        }
        for step in steps.clone() {
            let block = &blocks[step];
            let mut weights = [_mm256_setzero_si256(); 2];
            for (part, weights) in weights.iter_mut().enumerate() {
                // SAFETY: sixteen outputs are 64 bytes of the block, aligned to 64, and `first` is one
                // of its four quarters.
                *weights = unsafe {
                    let at = block.0.as_ptr().add(first * STEP + 32 * part);
                    _mm256_load_si256(at.cast())
                };
            }
            for (row, sums) in sums.iter_mut().enumerate() {
                // SAFETY: each row has four bytes for each block, as asserted.
                let inputs = unsafe {
                    let at = codes.as_ptr().add(row * stride + step * STEP);
                    _mm256_set1_epi32(at.cast::<i32>().read_unaligned())
                };
                for (sum, weights) in sums.iter_mut().zip(weights) {
                    *sum = _mm256_dpbusd_avx_epi32(*sum, inputs, weights);
                }
            }
        }
    }
    for (out, sums) in out.0.iter_mut().zip(sums) {
        let (eights, _) = out[first..first + 16].as_chunks_mut::<8>();
        for (out, sum) in eights.iter_mut().zip(sums) {
            // SAFETY: `out` is eight numbers of 32 bits.
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast::<__m256i>(), sum) };
        }
    }
}

/// Without a dot product of bytes, the pairs of sixteen bits are the next best: the instruction for
/// bytes cuts off sums that leave sixteen bits.
struct Avx2(Widened);

impl Tile for Avx2 {
    const ROWS: usize = 3;

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
        let codes = self.0.rows(codes, row, rows);
        for first in (0..BLOCK_OUTPUTS).step_by(16) {
            for_rows!(rows, avx2, (codes, blocks, steps, first, sums), [1 2 3]);
        }
    }
}

#[target_feature(enable = "avx2")]
fn avx2<const ROWS: usize>(
    codes: &[i16],
    blocks: &[Block],
    steps: &UsedSteps,
    first: usize,
    out: &mut TileSums,
) {
    let stride = blocks.len() * STEP;
    assert!(codes.len() == ROWS * stride && blocks.len() == steps.room);
    assert!(first.is_multiple_of(16) && first < BLOCK_OUTPUTS);
    // Each register has two halves of the sum of each of four outputs.
    let mut sums = [[_mm256_setzero_si256(); 4]; ROWS];
    for steps in [&steps.coarse, &steps.fine] {
        for sum in sums.as_flattened_mut() {
            *sum = _mm256_slli_epi32::<8>(*sum);
        }
        for step in steps.clone() {
            let block = &blocks[step];
            for part in 0..4 {
                // SAFETY: sixteen outputs are 64 bytes of the block, aligned to 64, and `first` is one
                // of its four quarters.
                let weights = unsafe {
                    let at = block.0.as_ptr().add(first * STEP + 16 * part);
                    _mm256_cvtepi8_epi16(_mm_load_si128(at.cast::<__m128i>()))
                };
                for (row, sums) in sums.iter_mut().enumerate() {
                    // SAFETY: each row has four numbers for each block, as asserted.
                    let inputs = unsafe {
                        let at = codes.as_ptr().add(row * stride + step * STEP);
                        _mm256_set1_epi64x(at.cast::<i64>().read_unaligned())
                    };
                    sums[part] = _mm256_add_epi32(sums[part], _mm256_madd_epi16(inputs, weights));
                }
            }
        }
    }
    for (out, sums) in out.0.iter_mut().zip(sums) {
        let (eights, _) = out[first..first + 16].as_chunks_mut::<8>();
        for (out, pair) in eights.iter_mut().zip(sums.as_chunks::<2>().0) {
            // Adding neighbours leaves the outputs as 0 1 4 5 2 3 6 7.
            let sum =
                _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_hadd_epi32(pair[0], pair[1]));
            // SAFETY: `out` is eight numbers of 32 bits.
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast::<__m256i>(), sum) };
        }
    }
}
