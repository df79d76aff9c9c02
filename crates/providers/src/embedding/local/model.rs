//! A model in memory: its tokenizer, its transformer and its pooling.

use super::manifest::{Manifest, Pooling};
use crate::local::{Load, Place, Tokens, Transformer, tokenizer};
use candle_core::{DType, Device, Result as CandleResult};
use candle_nn::VarBuilder;
use quipu_core::ports::Purpose;
use tokenizers::Tokenizer;

/// No more than this is read of a text, however few tokens it makes.
const MOST_TEXT_BYTES: usize = 64 * 1024;

pub(in crate::embedding) struct Model {
    manifest: Manifest,
    tokenizer: Tokenizer,
    transformer: Transformer,
}

impl Load for Model {
    fn load(place: &Place, name: &str, most_bytes: u64) -> Result<Self, String> {
        let manifest = Manifest::read(place, name)?;
        let tokenizer = tokenizer(place, manifest.most_tokens)?;
        let weights = place.read("model.safetensors", most_bytes)?;
        let weights = weights.ok_or("there is no model.safetensors")?;
        let transformer = VarBuilder::from_buffered_safetensors(weights, DType::F32, &Device::Cpu)
            .and_then(|weights| Transformer::load(&weights, &manifest.config, manifest.family))
            .map_err(|e| e.to_string())?;
        Ok(Self {
            manifest,
            tokenizer,
            transformer,
        })
    }
}

impl Model {
    /// The tokens of each text.
    pub(super) fn tokens(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Tokens>, String> {
        let prefix = match purpose {
            Purpose::Passage => &self.manifest.prefixes.passage,
            Purpose::Question => &self.manifest.prefixes.question,
        };
        let read = |text: &String| {
            let text = &text[..text.floor_char_boundary(MOST_TEXT_BYTES)];
            let mut text = format!("{prefix}{}", text.trim());
            if self.manifest.lower_case {
                text = text.to_lowercase();
            }
            let encoding = self.tokenizer.encode_fast(text, true);
            let ids = encoding.map_err(|e| e.to_string())?.get_ids().to_vec();
            if ids.is_empty() {
                return Err("its tokenizer makes nothing of a text".to_owned());
            }
            Ok(Tokens::single(ids))
        };
        texts.iter().map(read).collect()
    }

    /// One vector for each text of a batch, not scaled.
    pub(super) fn vectors(&self, batch: &[Tokens]) -> Result<Vec<Vec<f32>>, String> {
        self.run(batch).map_err(|e| e.to_string())
    }

    fn run(&self, batch: &[Tokens]) -> CandleResult<Vec<Vec<f32>>> {
        let (hidden, mask) = self.transformer.forward(batch)?;
        let pooled = match self.manifest.pooling {
            Pooling::First => hidden.narrow(1, 0, 1)?.squeeze(1)?,
            Pooling::Mean => {
                let mask = mask.to_dtype(DType::F32)?;
                let sum = hidden.broadcast_mul(&mask.unsqueeze(2)?)?.sum(1)?;
                sum.broadcast_div(&mask.sum_keepdim(1)?)?
            }
        };
        pooled.to_vec2()
    }
}
