//! What a transformer learned, read from its files.

use crate::bundled::files;
use crate::bundled::table::{DIMENSIONS, Table, bytes};
use quipu_simd::Linear;
use safetensors::{Dtype, SafeTensors};

pub(super) const LAYERS: usize = 6;
pub(super) const HEADS: usize = 12;
pub(super) const HEAD: usize = DIMENSIONS / HEADS;
/// One over the root of the size of a head.
const SHRINK: f32 = 0.176_776_7;
pub(super) const HIDDEN: usize = 1536;
/// What stands behind is not seen.
pub(crate) const MOST_TOKENS: usize = 256;

/// Channels that are many times as large as the others in every text and after every layer. With
/// eight bits for all, they would leave too few to the others: the cosine to exact vectors would
/// fall from 0.9998 to 0.9993 on average, and to 0.997 for some texts.
const WIDE: [usize; 8] = [63, 99, 127, 157, 223, 238, 267, 338];

pub(crate) struct Transformer {
    pub(super) tokens: Table,
    pub(super) positions: Vec<f32>,
    /// What is added to the tokens of the first part of a text and to those of the second. A model
    /// that knows one part only has it in its positions already.
    pub(super) parts: Option<[Vec<f32>; 2]>,
    pub(super) norm: Norm,
    pub(super) layers: Vec<Layer>,
}

pub(super) struct Layer {
    /// Queries, keys and values at once; the queries are already shrunk by the size of a head.
    pub(super) attention: Linear,
    pub(super) joined: Linear,
    pub(super) joined_norm: Norm,
    pub(super) up: Linear,
    pub(super) down: Linear,
    pub(super) down_norm: Norm,
}

pub(super) struct Norm {
    pub(super) weights: Vec<f32>,
    pub(super) bias: Vec<f32>,
}

impl Transformer {
    /// The one in this file, with the table of tokens that all of them share.
    pub(crate) fn read(file: &SafeTensors<'_>) -> Result<Self, String> {
        let layers = (0..LAYERS).map(|layer| Layer::read(file, &format!("l{layer}")));
        let parts = match file.tensor("typ") {
            Ok(_) => {
                let mut first = floats(file, "typ", 2 * DIMENSIONS)?;
                let second = first.split_off(DIMENSIONS);
                Some([first, second])
            }
            Err(_) => None,
        };
        Ok(Self {
            tokens: Table::read(files::TOKENS, "emb")?,
            positions: floats(file, "pos", MOST_TOKENS * DIMENSIONS)?,
            parts,
            norm: Norm::read(file, "ln0")?,
            layers: layers.collect::<Result<_, _>>()?,
        })
    }
}

impl Layer {
    fn read(file: &SafeTensors<'_>, layer: &str) -> Result<Self, String> {
        let part = |name: &str, inputs, outputs| {
            Matrix::read(file, &format!("{layer}.{name}"), inputs, outputs)
        };
        let norm = |name: &str| Norm::read(file, &format!("{layer}.{name}"));
        let mut attention = part("q", DIMENSIONS, DIMENSIONS)?;
        for value in attention.scales.iter_mut().chain(&mut attention.bias) {
            *value *= SHRINK;
        }
        for name in ["k", "v"] {
            let more = part(name, DIMENSIONS, DIMENSIONS)?;
            attention.weights.extend(more.weights);
            attention.scales.extend(more.scales);
            attention.bias.extend(more.bias);
        }
        Ok(Self {
            attention: attention.pack(&WIDE),
            joined: part("o", DIMENSIONS, DIMENSIONS)?.pack(&[]),
            joined_norm: norm("ln1")?,
            up: part("f1", DIMENSIONS, HIDDEN)?.pack(&WIDE),
            down: part("f2", HIDDEN, DIMENSIONS)?.pack(&[]),
            down_norm: norm("ln2")?,
        })
    }
}

/// The weights of a layer before they are packed.
pub(super) struct Matrix {
    pub(super) inputs: usize,
    pub(super) weights: Vec<i8>,
    pub(super) scales: Vec<f32>,
    pub(super) bias: Vec<f32>,
}

impl Matrix {
    pub(super) fn read(
        file: &SafeTensors<'_>,
        name: &str,
        inputs: usize,
        outputs: usize,
    ) -> Result<Self, String> {
        let weights = bytes(file, &format!("{name}.weight.q"), Dtype::I8)?;
        if weights.len() != inputs * outputs {
            return Err(format!("{name} has {} weights", weights.len()));
        }
        Ok(Self {
            inputs,
            weights: weights.iter().map(|byte| byte.cast_signed()).collect(),
            scales: floats(file, &format!("{name}.weight.s"), outputs)?,
            bias: floats(file, &format!("{name}.bias"), outputs)?,
        })
    }

    fn pack(self, wide: &[usize]) -> Linear {
        Linear::pack(self.inputs, &self.weights, &self.scales, &self.bias, wide)
    }
}

impl Norm {
    pub(super) fn read(file: &SafeTensors<'_>, name: &str) -> Result<Self, String> {
        Ok(Self {
            weights: floats(file, &format!("{name}.weight"), DIMENSIONS)?,
            bias: floats(file, &format!("{name}.bias"), DIMENSIONS)?,
        })
    }
}

/// So many numbers that the file has under a name.
pub(crate) fn floats(
    file: &SafeTensors<'_>,
    name: &str,
    number: usize,
) -> Result<Vec<f32>, String> {
    let (values, _) = bytes(file, name, Dtype::F32)?.as_chunks::<4>();
    if values.len() != number {
        return Err(format!("{name} has {} numbers", values.len()));
    }
    Ok(values
        .iter()
        .map(|value| f32::from_le_bytes(*value))
        .collect())
}
