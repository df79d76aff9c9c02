//! The same model in real numbers, written for the eye: what the quick one is held against.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "sizes are small, and the result is of 32 bits like the model"
)]

use super::weights::{HEAD, HEADS, HIDDEN, LAYERS, Matrix, Norm};
use crate::bundled::files;
use crate::bundled::table::{DIMENSIONS, Table};
use quipu_simd::dot;
use safetensors::SafeTensors;

pub(crate) type Rows = Vec<Vec<f32>>;

pub(crate) struct Reference<'f> {
    file: &'f SafeTensors<'static>,
    tokens: Table,
}

impl<'f> Reference<'f> {
    pub(crate) fn new(file: &'f SafeTensors<'static>) -> Self {
        let tokens = Table::read(files::TOKENS, "emb").unwrap();
        Self { file, tokens }
    }

    /// The rows of all texts in two parts, all at once so that each layer is read only once.
    pub(crate) fn rows(&self, texts: &[[Vec<u16>; 2]]) -> Vec<Rows> {
        let numbers = |name: &str| -> Vec<f32> {
            let found = self.file.tensor(name).ok();
            let bytes = found
                .iter()
                .flat_map(|tensor| tensor.data().as_chunks::<4>().0);
            bytes.map(|x| f32::from_le_bytes(*x)).collect()
        };
        let (positions, parts) = (numbers("pos"), numbers("typ"));
        let mut texts: Vec<Rows> = texts
            .iter()
            .map(|[first, second]| {
                let ids = first.iter().chain(second).enumerate();
                let rows = ids.map(|(at, id)| {
                    let part = usize::from(at >= first.len());
                    let mut row = positions[at * DIMENSIONS..][..DIMENSIONS].to_vec();
                    if !parts.is_empty() {
                        row = added(&row, &parts[part * DIMENSIONS..][..DIMENSIONS]);
                    }
                    self.tokens.add(usize::from(*id), &mut row);
                    row
                });
                self.norm("ln0", rows.collect())
            })
            .collect();
        for layer in 0..LAYERS {
            self.layer(layer, &mut texts);
        }
        texts
    }

    fn layer(&self, layer: usize, texts: &mut [Rows]) {
        let name = |part: &str| format!("l{layer}.{part}");
        let [q, k, v, o] =
            ["q", "k", "v", "o"].map(|p| self.linear(&name(p), DIMENSIONS, DIMENSIONS));
        let up = self.linear(&name("f1"), DIMENSIONS, HIDDEN);
        let down = self.linear(&name("f2"), HIDDEN, DIMENSIONS);
        for text in texts {
            let attended = attention(&q.apply(text), &k.apply(text), &v.apply(text));
            let sums = text
                .iter()
                .zip(o.apply(&attended))
                .map(|(a, b)| added(a, &b));
            *text = self.norm(&name("ln1"), sums.collect());
            let mut hidden = up.apply(text);
            for x in hidden.iter_mut().flatten() {
                *x = gelu(f64::from(*x)) as f32;
            }
            let sums = text
                .iter()
                .zip(down.apply(&hidden))
                .map(|(a, b)| added(a, &b));
            *text = self.norm(&name("ln2"), sums.collect());
        }
    }

    fn linear(&self, name: &str, inputs: usize, outputs: usize) -> Linear {
        let matrix = Matrix::read(self.file, name, inputs, outputs).unwrap();
        let rows = matrix.weights.chunks_exact(inputs).zip(&matrix.scales);
        Linear {
            weights: rows
                .map(|(row, scale)| row.iter().map(|w| f32::from(*w) * scale).collect())
                .collect(),
            bias: matrix.bias,
        }
    }

    fn norm(&self, name: &str, mut rows: Rows) -> Rows {
        let norm = Norm::read(self.file, name).unwrap();
        for row in &mut rows {
            let mean = row.iter().sum::<f32>() / DIMENSIONS as f32;
            let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f32>() / DIMENSIONS as f32;
            for ((x, weight), bias) in row.iter_mut().zip(&norm.weights).zip(&norm.bias) {
                *x = (*x - mean) / (variance + 1e-12).sqrt() * weight + bias;
            }
        }
        rows
    }
}

struct Linear {
    weights: Rows,
    bias: Vec<f32>,
}

impl Linear {
    fn apply(&self, rows: &Rows) -> Rows {
        let outputs = || self.weights.iter().zip(&self.bias);
        rows.iter()
            .map(|row| outputs().map(|(w, b)| dot(row, w) + b).collect())
            .collect()
    }
}

fn attention(q: &Rows, k: &Rows, v: &Rows) -> Rows {
    let mut out = vec![vec![0.0; DIMENSIONS]; q.len()];
    for head in 0..HEADS {
        let part = head * HEAD..(head + 1) * HEAD;
        for (q, out) in q.iter().zip(&mut out) {
            let scores = k.iter().map(|k| dot(&q[part.clone()], &k[part.clone()]));
            let powers: Vec<f32> = scores.map(|s| (s / (HEAD as f32).sqrt()).exp()).collect();
            let sum: f32 = powers.iter().sum();
            for (power, v) in powers.iter().zip(v) {
                for (out, v) in out[part.clone()].iter_mut().zip(&v[part.clone()]) {
                    *out += power / sum * v;
                }
            }
        }
    }
    out
}

/// With the error function by its series.
fn gelu(x: f64) -> f64 {
    if x.abs() > 9.0 {
        return x.max(0.0);
    }
    let z = x * std::f64::consts::FRAC_1_SQRT_2;
    let (mut term, mut sum) = (z, z);
    for n in 1..200 {
        term *= 2.0 * z * z / f64::from(2 * n + 1);
        sum += term;
        if term.abs() < 1e-15 {
            break;
        }
    }
    0.5 * x * (1.0 + sum * (-z * z).exp() * std::f64::consts::FRAC_2_SQRT_PI)
}

pub(crate) fn added(a: &[f32], b: &[f32]) -> Vec<f32> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}
