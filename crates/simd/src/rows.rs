//! What happens to the rows of numbers between two layers, written so that the compiler finds the
//! instructions by itself.

use crate::kernel::{across, compiled_for_each, larger, multiply_add};

compiled_for_each! {
    /// `x Φ(x)` in place, where Φ is the distribution of the standard normal: the exact GELU, to
    /// within 2e-6. Eight bits are made of it next, whose steps are thousands of times as large.
    pub gelu(values: &mut [f32]) = plain_gelu
}

compiled_for_each! {
    /// Makes of each row, `length` numbers of which the first `used` count, their shares of a whole,
    /// and tells how much the whole is. To divide what is made of a row costs less than to divide
    /// the row.
    pub shares(rows: &mut [f32], length: usize, used: usize, wholes: &mut [f32]) = plain_shares
}

compiled_for_each! {
    /// Adds to each row its counterpart, and brings the sum to mean zero and variance one, times the
    /// weights, plus the bias. A row is as long as the weights.
    pub add_and_normalise(rows: &mut [f32], added: &[f32], weights: &[f32], bias: &[f32]) = plain_add_and_normalise
}

const LANES: usize = 16;
/// Sums that are kept apart, so that none waits for another.
const APART: usize = 64;

/// eˣ of what is not above zero, by its series; everything under -87 is as good as nothing.
#[inline(always)]
fn exp<const FUSED: bool>(x: f32) -> f32 {
    // Added to a number smaller than 2²², it leaves the nearest whole number in the lowest bits.
    const ROUNDING: f32 = 12_582_912.0;
    // ln 2 in two parts, the first with zeros at the end so that its multiples are exact.
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let x = if x < -87.0 { -87.0 } else { x };
    let shifted = multiply_add::<FUSED>(x, std::f32::consts::LOG2_E, ROUNDING);
    let whole = shifted - ROUNDING;
    let rest = multiply_add::<FUSED>(whole, -LN_2_HIGH, x);
    let rest = multiply_add::<FUSED>(whole, -LN_2_LOW, rest);
    // The series of e to the power of what is left, which is at most half of ln 2.
    let mut sum = 1.0 / 720.0;
    for coefficient in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        sum = multiply_add::<FUSED>(sum, rest, coefficient);
    }
    // Two to the power of the whole part, by writing its exponent.
    let power = (shifted.to_bits() << 23).wrapping_add(127 << 23);
    sum * f32::from_bits(power)
}

#[inline(always)]
fn plain_gelu<const FUSED: bool>(values: &mut [f32]) {
    /// Beyond it the result is nothing, or all of the number, to within 2e-6.
    const END: f32 = 5.0;
    /// (Φ(x) - ½) / x by its Chebyshev series in x², brought to between -1 and 1, as a polynomial.
    const SERIES: [f32; 13] = [
        0.000_705_953,
        -0.001_674_031,
        0.001_462_631_6,
        -0.002_534_322_4,
        0.006_667_809,
        -0.011_299_743,
        0.016_287_07,
        -0.023_216_344,
        0.031_464_87,
        -0.040_450_71,
        0.051_518_943,
        -0.070_295_94,
        0.141_363_8,
    ];
    for value in values {
        let x = *value;
        let at = multiply_add::<FUSED>(x * x, 2.0 / (END * END), -1.0);
        let mut sum = SERIES[0];
        for coefficient in &SERIES[1..] {
            sum = multiply_add::<FUSED>(sum, at, *coefficient);
        }
        let inside = x * multiply_add::<FUSED>(x, sum, 0.5);
        let outside = if x < 0.0 { 0.0 } else { x };
        *value = if x.abs() > END { outside } else { inside };
    }
}

#[inline(always)]
fn plain_shares<const FUSED: bool>(
    rows: &mut [f32],
    length: usize,
    used: usize,
    wholes: &mut [f32],
) {
    if length == 0 {
        return;
    }
    for (row, whole) in rows.chunks_exact_mut(length).zip(wholes) {
        row[used..].fill(f32::NEG_INFINITY);
        let (chunks, rest) = row.as_chunks_mut::<LANES>();
        let mut most = [f32::NEG_INFINITY; LANES];
        for chunk in &*chunks {
            for (most, x) in most.iter_mut().zip(chunk) {
                *most = larger(*most, *x);
            }
        }
        let most = rest
            .iter()
            .fold(across(most, larger), |most, x| larger(most, *x));
        let mut sums = [0.0; LANES];
        for chunk in chunks {
            for (sum, x) in sums.iter_mut().zip(chunk) {
                *x = exp::<FUSED>(*x - most);
                *sum += *x;
            }
        }
        *whole = across(sums, |a, b| a + b);
        for x in rest {
            *x = exp::<FUSED>(*x - most);
            *whole += *x;
        }
    }
}

#[inline(always)]
fn plain_add_and_normalise<const FUSED: bool>(
    rows: &mut [f32],
    added: &[f32],
    weights: &[f32],
    bias: &[f32],
) {
    let length = weights.len();
    if length == 0 {
        return;
    }
    for (row, added) in rows
        .chunks_exact_mut(length)
        .zip(added.chunks_exact(length))
    {
        for (x, added) in row.iter_mut().zip(added) {
            *x += added;
        }
        let mean = sum(row) / length as f32;
        for x in row.iter_mut() {
            *x -= mean;
        }
        let variance = sum_of_squares::<FUSED>(row) / length as f32;
        let scale = 1.0 / (variance + 1e-12).sqrt();
        for ((x, weight), bias) in row.iter_mut().zip(weights).zip(bias) {
            *x = multiply_add::<FUSED>(*x * scale, *weight, *bias);
        }
    }
}

/// In sums kept apart, so that none waits for another.
#[inline(always)]
fn sum(values: &[f32]) -> f32 {
    let (chunks, rest) = values.as_chunks::<APART>();
    let mut sums = [0.0; APART];
    for chunk in chunks {
        for (sum, x) in sums.iter_mut().zip(chunk) {
            *sum += x;
        }
    }
    across(sums, |a, b| a + b) + rest.iter().sum::<f32>()
}

#[inline(always)]
fn sum_of_squares<const FUSED: bool>(values: &[f32]) -> f32 {
    let (chunks, rest) = values.as_chunks::<APART>();
    let mut sums = [0.0; APART];
    for chunk in chunks {
        for (sum, x) in sums.iter_mut().zip(chunk) {
            *sum = multiply_add::<FUSED>(*x, *x, *sum);
        }
    }
    across(sums, |a, b| a + b) + rest.iter().map(|x| x * x).sum::<f32>()
}

#[cfg(test)]
mod tests {
    use crate::Kernel;
    use proptest::collection::vec;
    use proptest::prelude::*;

    /// The error function by a series whose terms all have one sign, so that nothing cancels out.
    fn erf(x: f64) -> f64 {
        let mut term = x;
        let mut sum = x;
        for n in 1..300 {
            term *= 2.0 * x * x / f64::from(2 * n + 1);
            sum += term;
        }
        sum * (-x * x).exp() * 2.0 / std::f64::consts::PI.sqrt()
    }

    #[test]
    fn gelu_is_the_exact_one() {
        for kernel in Kernel::available() {
            let mut worst = 0.0_f64;
            let xs: Vec<f32> = (-80_000..80_000).map(|x| x as f32 / 10_000.0).collect();
            let mut found = xs.clone();
            kernel.gelu(&mut found);
            for (x, found) in xs.iter().zip(found) {
                let x = f64::from(*x);
                let exact = 0.5 * x * (1.0 + erf(x * std::f64::consts::FRAC_1_SQRT_2));
                worst = worst.max((f64::from(found) - exact).abs());
            }
            assert!(worst < 2e-6, "{}: {worst:e}", kernel.name());
            let mut ends = [-1e30, 1e30, f32::NEG_INFINITY, f32::INFINITY, -0.0];
            kernel.gelu(&mut ends);
            assert_eq!(ends[..], [0.0, 1e30, 0.0, f32::INFINITY, 0.0]);
            let mut unknown = [f32::NAN];
            kernel.gelu(&mut unknown);
            assert!(unknown[0].is_nan());
        }
    }

    proptest! {
        #[test]
        fn shares_are_those_of_each(
            values in vec(-30.0_f32..30.0, 1..100),
            unused in 0_usize..40,
        ) {
            let most = values.iter().fold(f32::NEG_INFINITY, |a, b| a.max(*b));
            let powers: Vec<f64> = values.iter().map(|x| f64::from(x - most).exp()).collect();
            let sum: f64 = powers.iter().sum();
            let length = values.len() + unused;
            // What is not used may hold anything.
            let mut row = values.clone();
            row.resize(length, 1e9);
            for kernel in Kernel::available() {
                let mut found = row.repeat(2);
                let mut wholes = [0.0; 2];
                kernel.shares(&mut found, length, values.len(), &mut wholes);
                for (row, whole) in found.chunks_exact(length).zip(wholes) {
                    for (found, power) in row.iter().zip(&powers) {
                        let share = f64::from(*found) / f64::from(whole);
                        prop_assert!((share - power / sum).abs() < 1e-6, "{}", kernel.name());
                    }
                }
            }
        }

        #[test]
        fn rows_are_added_and_normalised(
            length in 2_usize..100,
            numbers in vec(-3.0_f32..3.0, 800),
        ) {
            let (rows, rest) = numbers.split_at(2 * length);
            let (added, rest) = rest.split_at(2 * length);
            let (weights, rest) = rest.split_at(length);
            let bias = &rest[..length];
            for kernel in Kernel::available() {
                let mut found = rows.to_vec();
                kernel.add_and_normalise(&mut found, added, weights, bias);
                for row in 0..2 {
                    let at = row * length..(row + 1) * length;
                    let sums: Vec<f64> = rows[at.clone()]
                        .iter()
                        .zip(&added[at.clone()])
                        .map(|(a, b)| f64::from(a + b))
                        .collect();
                    let mean = sums.iter().sum::<f64>() / length as f64;
                    let variance = sums.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / length as f64;
                    for (i, found) in found[at].iter().enumerate() {
                        let exact = (sums[i] - mean) / (variance + 1e-12).sqrt()
                            * f64::from(weights[i])
                            + f64::from(bias[i]);
                        prop_assert!((f64::from(*found) - exact).abs() < 1e-3, "{}", kernel.name());
                    }
                }
            }
        }
    }
}
