//! What happens to the rows of numbers between two layers, written so that the compiler finds the
//! instructions by itself.

use crate::kernel::{compiled_for_each, multiply_add};

compiled_for_each! {
    /// `x Φ(x)` in place, where Φ is the distribution of the standard normal: the exact GELU, to
    /// within 4e-7 of numbers up to 2 and 2e-7 of their size beyond.
    pub gelu(values: &mut [f32]) = plain_gelu
}

compiled_for_each! {
    /// Makes positive numbers of the values that sum to one.
    pub softmax(values: &mut [f32]) = plain_softmax
}

compiled_for_each! {
    /// Adds to each row its counterpart, and brings the sum to mean zero and variance one, times the
    /// weights, plus the bias. A row is as long as the weights.
    pub add_and_normalise(rows: &mut [f32], added: &[f32], weights: &[f32], bias: &[f32]) = plain_add_and_normalise
}

const LANES: usize = 16;

/// eˣ by its series; everything under -87 is as good as nothing.
#[inline(always)]
fn exp<const FUSED: bool>(x: f32) -> f32 {
    // Added to a number smaller than 2²², it leaves the nearest whole number in the lowest bits.
    const ROUNDING: f32 = 12_582_912.0;
    // ln 2 in two parts, the first with zeros at the end so that its multiples are exact.
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let x = if x < -87.0 { -87.0 } else { x };
    let x = if x > 88.0 { 88.0 } else { x };
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
    for value in values {
        // Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26: the error function to
        // within 1.5e-7.
        const P: f32 = 0.327_591_1;
        const A: [f32; 5] = [
            1.061_405_4,
            -1.453_152,
            1.421_413_7,
            -0.284_496_74,
            0.254_829_6,
        ];
        let x = *value;
        let z = x.abs() * std::f32::consts::FRAC_1_SQRT_2;
        let t = 1.0 / multiply_add::<FUSED>(P, z, 1.0);
        let mut tail = A[0];
        for a in &A[1..] {
            tail = multiply_add::<FUSED>(tail, t, *a);
        }
        // Half of what is left of the distribution beyond |x|.
        let tail = 0.5 * tail * t * exp::<FUSED>(-z * z);
        *value = x * if x < 0.0 { tail } else { 1.0 - tail };
    }
}

#[inline(always)]
fn plain_softmax<const FUSED: bool>(values: &mut [f32]) {
    let (chunks, rest) = values.as_chunks::<LANES>();
    let mut most = [f32::NEG_INFINITY; LANES];
    for chunk in chunks {
        for (most, x) in most.iter_mut().zip(chunk) {
            *most = if *x > *most { *x } else { *most };
        }
    }
    let most = most
        .iter()
        .chain(rest)
        .fold(f32::NEG_INFINITY, |a, b| a.max(*b));
    for value in values.iter_mut() {
        *value = exp::<FUSED>(*value - most);
    }
    let one = 1.0 / sum(values);
    for value in values {
        *value *= one;
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
    let (chunks, rest) = values.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for chunk in chunks {
        for (sum, x) in sums.iter_mut().zip(chunk) {
            *sum += x;
        }
    }
    sums.iter().chain(rest).sum()
}

#[inline(always)]
fn sum_of_squares<const FUSED: bool>(values: &[f32]) -> f32 {
    let (chunks, rest) = values.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for chunk in chunks {
        for (sum, x) in sums.iter_mut().zip(chunk) {
            *sum = multiply_add::<FUSED>(*x, *x, *sum);
        }
    }
    sums.iter().sum::<f32>() + rest.iter().map(|x| x * x).sum::<f32>()
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
                worst = worst.max((f64::from(found) - exact).abs() / x.abs().max(2.0));
            }
            assert!(worst < 2e-7, "{}: {worst:e}", kernel.name());
            let mut ends = [-1e30, 1e30, f32::NEG_INFINITY, -0.0];
            kernel.gelu(&mut ends);
            assert_eq!(ends[..2], [-0.0, 1e30]);
        }
    }

    proptest! {
        #[test]
        fn softmax_is_the_share_of_each(values in vec(-30.0_f32..30.0, 0..100)) {
            let most = values.iter().fold(f32::NEG_INFINITY, |a, b| a.max(*b));
            let powers: Vec<f64> = values.iter().map(|x| f64::from(x - most).exp()).collect();
            let sum: f64 = powers.iter().sum();
            for kernel in Kernel::available() {
                let mut found = values.clone();
                kernel.softmax(&mut found);
                for (found, power) in found.iter().zip(&powers) {
                    prop_assert!((f64::from(*found) - power / sum).abs() < 1e-6, "{}", kernel.name());
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
