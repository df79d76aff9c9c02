//! Rows of real numbers as bytes.

use super::Linear;
use super::tile::{MOST_ROWS, STEP, STEPS_AT_ONCE};
use crate::kernel::{across, compiled_for_each, larger, smaller};
use std::slice::{from_raw_parts, from_raw_parts_mut};

/// The inputs of one layer. Kept and filled again, they need no new memory.
#[derive(Clone, Debug, Default)]
pub struct Codes {
    /// Without a sign: the whole number of an input and the zero of its row.
    lines: Vec<CodeLine>,
    /// Lines of a row.
    stride: usize,
    /// What one is worth, for each row.
    pub(super) scales: Vec<f32>,
    pub(super) zeros: Vec<i32>,
}

/// Bytes that begin where a line of the cache does: a register of a kilobyte that is filled from
/// anywhere else takes six times as long.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct CodeLine([u8; LINE]);

const LINE: usize = STEP * STEPS_AT_ONCE;

impl Codes {
    pub(super) fn rows(&self) -> usize {
        self.scales.len()
    }

    /// Bytes from one row to the next.
    pub(super) fn stride(&self) -> usize {
        self.stride * LINE
    }

    /// The rows, and those of zeros that fill the last tile.
    pub(super) fn bytes(&self) -> &[u8] {
        // SAFETY: a line is its bytes, with nothing in between.
        unsafe { from_raw_parts(self.lines.as_ptr().cast(), self.lines.len() * LINE) }
    }
}

fn lines_mut(lines: &mut [CodeLine]) -> &mut [u8] {
    // SAFETY: as above.
    unsafe { from_raw_parts_mut(lines.as_mut_ptr().cast(), lines.len() * LINE) }
}

impl Linear {
    /// Brings rows of inputs to the bytes that [`Linear::apply`] takes.
    ///
    /// # Panics
    /// When the last row is not complete.
    pub fn encode(&self, kernel: crate::Kernel, rows: &[f32], codes: &mut Codes) {
        assert!(rows.len().is_multiple_of(self.inputs), "half a row");
        let number = rows.len() / self.inputs;
        codes.stride = self.steps.room / STEPS_AT_ONCE;
        // What an earlier layer left in the room that is not used meets weights of zero.
        let room = number.next_multiple_of(MOST_ROWS);
        codes.lines.resize(room * codes.stride, CodeLine([0; LINE]));
        codes.scales.resize(number, 0.0);
        codes.zeros.resize(number, 0);
        let bytes = lines_mut(&mut codes.lines).chunks_exact_mut(codes.stride * LINE);
        let scales = codes.scales.iter_mut().zip(&mut codes.zeros);
        for ((row, bytes), (scale, zero)) in rows.chunks_exact(self.inputs).zip(bytes).zip(scales) {
            let (coarse, fine) = bytes.split_at_mut(self.steps.fine.start * STEP);
            let fine = &mut fine[..self.inputs];
            if self.wide.is_empty() {
                (*scale, *zero) = kernel.encode_narrow(row, fine);
            } else {
                let wide = self.wide.iter().map(|channel| row[*channel].abs());
                let least = wide.fold(0.0, f32::max) / WIDEST;
                *zero = MIDDLE;
                *scale = kernel.encode_fine(row, &self.narrow, least, fine);
                for (channel, coarse) in self.wide.iter().zip(coarse) {
                    (*coarse, fine[*channel]) = coarse_and_fine(row[*channel], *scale);
                }
            }
        }
    }
}

compiled_for_each! {
    /// Spreads the row over all 256 values; gives the scale and which value is zero.
    encode_narrow(row: &[f32], bytes: &mut [u8]) -> (f32, i32) = plain_narrow
}

compiled_for_each! {
    /// Spreads the channels that count over the values to both sides of the middle, with the scale
    /// given or a larger one; gives the scale.
    encode_fine(row: &[f32], counts: &[f32], least: f32, bytes: &mut [u8]) -> f32 = plain_fine
}

/// The byte that is zero when both signs get as much room.
const MIDDLE: i32 = 128;
/// The largest whole number of a wide channel.
const WIDEST: f32 = 127.0 * 256.0 + 127.0;
/// Added to a number smaller than 2²², it leaves the nearest whole number in the lowest bits.
const ROUNDING: f32 = 12_582_912.0;
const LANES: usize = 64;

#[inline(always)]
fn rounded(x: f32) -> i32 {
    (x + ROUNDING)
        .to_bits()
        .wrapping_sub(ROUNDING.to_bits())
        .cast_signed()
}

#[inline(always)]
fn plain_narrow<const FUSED: bool>(row: &[f32], bytes: &mut [u8]) -> (f32, i32) {
    let (chunks, rest) = row.as_chunks::<LANES>();
    let mut least = [0.0_f32; LANES];
    let mut most = [0.0_f32; LANES];
    for chunk in chunks {
        for ((least, most), x) in least.iter_mut().zip(&mut most).zip(chunk) {
            *least = if *x < *least { *x } else { *least };
            *most = if *x > *most { *x } else { *most };
        }
    }
    let least = rest
        .iter()
        .fold(across(least, smaller), |a, b| smaller(a, *b));
    let most = rest.iter().fold(across(most, larger), |a, b| larger(a, *b));
    let inverse = inverse(most - least, 255.0);
    let zero = rounded(-least * inverse);
    for (byte, x) in bytes.iter_mut().zip(row) {
        *byte = (rounded(x * inverse) + zero).clamp(0, 255) as u8;
    }
    ((most - least) / 255.0, zero)
}

#[inline(always)]
fn plain_fine<const FUSED: bool>(row: &[f32], counts: &[f32], least: f32, bytes: &mut [u8]) -> f32 {
    let (chunks, rest) = row.as_chunks::<LANES>();
    let (count_chunks, rest_counts) = counts.as_chunks::<LANES>();
    let mut most = [0.0_f32; LANES];
    for (chunk, counts) in chunks.iter().zip(count_chunks) {
        for ((most, x), counts) in most.iter_mut().zip(chunk).zip(counts) {
            let size = (x * counts).abs();
            *most = if size > *most { size } else { *most };
        }
    }
    let rest = rest
        .iter()
        .zip(rest_counts)
        .map(|(x, counts)| (x * counts).abs());
    let most = rest.fold(across(most, larger), larger);
    let most = most.max(least * 127.0);
    let inverse = inverse(most, 127.0);
    for (byte, x) in bytes.iter_mut().zip(row) {
        *byte = (rounded(x * inverse) + MIDDLE).clamp(0, 255) as u8;
    }
    most / 127.0
}

/// How many steps there are in one, when `range` has so many; none in a range of nothing.
#[inline(always)]
fn inverse(range: f32, steps: f32) -> f32 {
    if range > 0.0 { steps / range } else { 0.0 }
}

/// A number as 256 times the first byte and the second, both counted from the middle.
fn coarse_and_fine(x: f32, scale: f32) -> (u8, u8) {
    // A cast to a whole number ends at the largest one, and turns no number into zero.
    let whole = if scale > 0.0 {
        (x / scale).round()
    } else {
        0.0
    };
    let whole = (whole as i32).clamp(-(WIDEST as i32), WIDEST as i32);
    let coarse = (whole + MIDDLE) >> 8;
    let fine = whole - (coarse << 8);
    ((coarse + MIDDLE) as u8, (fine + MIDDLE) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coarse_and_fine_give_the_number_back() {
        for x in [
            0.0, 1.0, -1.0, 127.0, 128.0, -128.0, -129.0, 5000.4, -32639.0, 32639.0,
        ] {
            let (coarse, fine) = coarse_and_fine(x, 1.0);
            let back = (i32::from(coarse) - MIDDLE) * 256 + i32::from(fine) - MIDDLE;
            assert_eq!(back, x.round() as i32);
        }
        assert_eq!(coarse_and_fine(f32::NAN, 1.0), (128, 128));
        assert_eq!(coarse_and_fine(1e30, 1.0), (255, 255));
        assert_eq!(coarse_and_fine(-1e30, 1.0).0, 1);
    }
}
