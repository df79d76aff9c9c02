//! `y = x Wᵀ + b` in whole numbers: weights of eight bits, and inputs brought to eight bits as they
//! come, each row with a scale of its own.
//!
//! One scale for a row is only good while no channel is far larger than the others. Transformers
//! have a few such channels, always the same. They are named when the weights are packed and get
//! sixteen bits, as a coarse and a fine byte: the coarse bytes are multiplied first, the sums grow
//! by eight bits, and the fine bytes of all channels are added. That costs one more input for each.

#[cfg(target_arch = "x86_64")]
mod amx;
mod codes;
mod tile;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(target_arch = "x86_64")]
pub(crate) use amx::is_there as amx_is_there;

pub use codes::Codes;

use crate::kernel::{Kernel, Level};
use std::iter::repeat_n;
use tile::{BLOCK_OUTPUTS, Block, MOST_ROWS, Portable, STEP, Tile, TileSums, UsedSteps, Widened};

/// The most wide channels, and the most inputs, with which no sum leaves 32 bits.
const MOST_WIDE: usize = 64;
const MOST_INPUTS: usize = 16_384;

/// The weights and bias of a layer, in the order in which they are multiplied.
#[derive(Debug)]
pub struct Linear {
    inputs: usize,
    outputs: usize,
    /// The channels that get a coarse byte.
    wide: Vec<usize>,
    /// 0 for a wide channel, 1 for another.
    narrow: Vec<f32>,
    steps: UsedSteps,
    /// For each 64 outputs, the weights of all steps.
    blocks: Vec<Block>,
    /// The sum of the weights of each output, which takes away what inputs grew by to lose their sign.
    sums: Vec<i32>,
    scales: Vec<f32>,
    bias: Vec<f32>,
}

impl Linear {
    /// `weights` has a row of `inputs` numbers for each output; a weight is the number times the
    /// scale of its row.
    ///
    /// # Panics
    /// When the sizes do not fit each other, or are beyond what is exact.
    #[must_use]
    pub fn pack(
        inputs: usize,
        weights: &[i8],
        scales: &[f32],
        bias: &[f32],
        wide: &[usize],
    ) -> Self {
        let outputs = scales.len();
        assert!(inputs > 0 && inputs <= MOST_INPUTS && wide.len() <= MOST_WIDE);
        assert!(weights.len() == inputs * outputs && bias.len() == outputs);
        let steps = UsedSteps::new(wide.len(), inputs);
        let panels = outputs.div_ceil(BLOCK_OUTPUTS);
        let mut blocks = vec![Block::default(); panels * steps.room];
        let mut sums = vec![0; panels * BLOCK_OUTPUTS];
        for (output, row) in weights.chunks_exact(inputs).enumerate() {
            let first = output / BLOCK_OUTPUTS * steps.room;
            let place = output % BLOCK_OUTPUTS * STEP;
            let panel = &mut blocks[first..first + steps.room];
            let (coarse, fine) = panel.split_at_mut(steps.fine.start);
            for (at, channel) in wide.iter().enumerate() {
                coarse[at / STEP].0[place + at % STEP] = row[*channel];
                sums[output] += i32::from(row[*channel]) << 8;
            }
            for (block, four) in fine.iter_mut().zip(row.chunks(STEP)) {
                block.0[place..place + four.len()].copy_from_slice(four);
            }
            sums[output] += row.iter().map(|w| i32::from(*w)).sum::<i32>();
        }
        let mut narrow = vec![1.0; inputs];
        for channel in wide {
            narrow[*channel] = 0.0;
        }
        let padded = |of: &[f32]| {
            let rest = repeat_n(0.0, sums.len() - outputs);
            of.iter().copied().chain(rest).collect()
        };
        Self {
            inputs,
            outputs,
            wide: wide.to_vec(),
            narrow,
            steps,
            blocks,
            scales: padded(scales),
            bias: padded(bias),
            sums,
        }
    }

    #[must_use]
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// The outputs for each row of inputs, one row after the other.
    ///
    /// # Panics
    /// When `codes` were made for another layer, or `out` is of another size.
    pub fn apply(&self, kernel: Kernel, codes: &Codes, out: &mut [f32]) {
        assert_eq!(
            codes.stride(),
            self.steps.room * STEP,
            "codes of another layer"
        );
        assert_eq!(codes.rows() * self.outputs, out.len(), "another size");
        match kernel.0 {
            // SAFETY: a kernel exists only where the processor has its instructions.
            #[cfg(target_arch = "x86_64")]
            Level::Amx => unsafe { x86::apply_amx(self, codes, out) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { x86::apply_avx512(self, codes, out) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::AvxVnni => unsafe { x86::apply_avx_vnni(self, codes, out) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { x86::apply_avx2(self, codes, out) },
            Level::Portable => self.apply_with(&Portable(Widened::new(codes)), codes, out),
        }
    }

    /// Goes through the outputs in panels of 64 and, for each, through all rows, so that the weights
    /// of a panel stay near while they are used.
    #[inline(always)]
    fn apply_with<T: Tile>(&self, tile: &T, codes: &Codes, out: &mut [f32]) {
        for (panel, blocks) in self.blocks.chunks_exact(self.steps.room).enumerate() {
            let first = panel * BLOCK_OUTPUTS;
            let end = self.outputs.min(first + BLOCK_OUTPUTS);
            let mut sums = TileSums([[0; BLOCK_OUTPUTS]; MOST_ROWS]);
            for row in (0..codes.rows()).step_by(T::ROWS) {
                let rows = T::ROWS.min(codes.rows() - row);
                tile.sums(codes, row, rows, blocks, &self.steps, &mut sums);
                for (row, sums) in (row..row + rows).zip(&sums.0) {
                    let from = row * self.outputs;
                    let out = &mut out[from + first..from + end];
                    self.finish(first, sums, codes.scales[row], codes.zeros[row], out);
                }
            }
        }
    }

    /// From whole numbers to real ones.
    #[inline(always)]
    fn finish(
        &self,
        first: usize,
        sums: &[i32; BLOCK_OUTPUTS],
        scale: f32,
        zero: i32,
        out: &mut [f32],
    ) {
        let weights = self.sums[first..][..out.len()].iter();
        let scales = self.scales[first..][..out.len()].iter();
        let bias = self.bias[first..][..out.len()].iter();
        let of_outputs = weights.zip(scales).zip(bias);
        for ((out, sum), ((weights, of_output), bias)) in out.iter_mut().zip(sums).zip(of_outputs) {
            *out = (sum - zero * weights) as f32 * (scale * of_output) + bias;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Numbers that look like chance and are the same each time.
    fn numbers(seed: u64) -> impl FnMut() -> u8 {
        let mut state = seed;
        move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 56) as u8
        }
    }

    struct Case {
        inputs: usize,
        weights: Vec<i8>,
        scales: Vec<f32>,
        bias: Vec<f32>,
        rows: Vec<f32>,
        wide: Vec<usize>,
    }

    fn case(rows: usize, inputs: usize, outputs: usize, wide: usize, seed: u64) -> Case {
        let mut next = numbers(seed);
        let mut real = move || f32::from(next().cast_signed()) / 64.0;
        let mut next = numbers(!seed);
        let wide: Vec<usize> = (0..inputs).step_by(inputs / 7 + 1).take(wide).collect();
        let mut case = Case {
            inputs,
            weights: (0..inputs * outputs)
                .map(|_| next().cast_signed())
                .collect(),
            scales: (0..outputs).map(|_| real() / 100.0).collect(),
            bias: (0..outputs).map(|_| real()).collect(),
            rows: (0..rows * inputs).map(|_| real()).collect(),
            wide,
        };
        for row in case.rows.chunks_exact_mut(inputs) {
            for channel in &case.wide {
                row[*channel] *= 50.0;
            }
        }
        case
    }

    fn exact(case: &Case) -> Vec<f64> {
        let of = |row: &[f32], output: usize| {
            let weights = &case.weights[output * case.inputs..][..case.inputs];
            let pairs = row.iter().zip(weights);
            let sum: f64 = pairs.map(|(x, w)| f64::from(*x) * f64::from(*w)).sum();
            sum * f64::from(case.scales[output]) + f64::from(case.bias[output])
        };
        let outputs = 0..case.scales.len();
        let rows = case.rows.chunks_exact(case.inputs);
        rows.flat_map(|row| outputs.clone().map(move |output| of(row, output)))
            .collect()
    }

    fn outputs(case: &Case, kernel: Kernel) -> Vec<f32> {
        outputs_by_way_of(&mut Codes::default(), case, kernel)
    }

    fn outputs_by_way_of(codes: &mut Codes, case: &Case, kernel: Kernel) -> Vec<f32> {
        let layer = Linear::pack(
            case.inputs,
            &case.weights,
            &case.scales,
            &case.bias,
            &case.wide,
        );
        layer.encode(kernel, &case.rows, codes);
        let mut out = vec![0.0; codes.rows() * layer.outputs()];
        layer.apply(kernel, codes, &mut out);
        out
    }

    fn check(case: &Case) {
        let exact = exact(case);
        let plain = outputs(case, Kernel::named("portable").unwrap());
        // An input is off by half a step at most; a step is a 255th of twice the largest narrow one.
        for (at, (found, exact)) in plain.iter().zip(&exact).enumerate() {
            let output = at % case.scales.len();
            let weights = &case.weights[output * case.inputs..][..case.inputs];
            let weights: f64 = weights.iter().map(|w| f64::from(*w).abs()).sum();
            let most = 0.01 * weights * f64::from(case.scales[output]).abs() + 1e-2;
            assert!((f64::from(*found) - exact).abs() <= most, "{found} {exact}");
        }
        for kernel in Kernel::available() {
            assert_eq!(outputs(case, kernel), plain, "{}", kernel.name());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn every_kernel_gives_the_same_and_near_the_exact_outputs(
            rows in 0_usize..20,
            inputs in 1_usize..200,
            outputs in 1_usize..150,
            wide in 0_usize..8,
            seed in any::<u64>(),
        ) {
            check(&case(rows, inputs, outputs, wide, seed));
        }
    }

    #[test]
    fn the_sizes_of_the_encoder_are_exact_too() {
        check(&case(13, 384, 1152, 8, 1));
        check(&case(7, 1536, 384, 0, 2));
    }

    #[test]
    fn the_largest_numbers_fit() {
        for wide in [vec![], (0..MOST_WIDE).collect::<Vec<_>>()] {
            let inputs = MOST_INPUTS;
            let mut rows = vec![1.0; inputs];
            for channel in &wide {
                rows[*channel] = 250.0;
            }
            check(&Case {
                inputs,
                weights: vec![i8::MIN; inputs * 3],
                scales: vec![0.001; 3],
                bias: vec![0.0; 3],
                rows,
                wide,
            });
        }
    }

    #[test]
    fn what_an_earlier_layer_left_in_the_codes_is_not_seen() {
        for kernel in Kernel::available() {
            let mut codes = Codes::default();
            for case in [
                case(40, 300, 70, 7, 1),
                case(3, 30, 5, 3, 2),
                case(17, 50, 65, 0, 3),
            ] {
                let found = outputs_by_way_of(&mut codes, &case, kernel);
                assert_eq!(found, outputs(&case, kernel), "{}", kernel.name());
            }
        }
    }

    #[test]
    fn rows_of_zeros_give_the_bias() {
        let mut case = case(2, 30, 5, 3, 9);
        case.rows.fill(0.0);
        for kernel in Kernel::available() {
            let found = outputs(&case, kernel);
            assert_eq!(found[..5], case.bias);
        }
    }
}
