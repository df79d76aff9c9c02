//! A model in memory: its tokenizer, its transformer and its pooling.

use super::encoder::Encoder;
use super::folder::Place;
use super::manifest::{Manifest, Pooling};
use candle_core::{DType, Device, Result as CandleResult, Tensor};
use candle_nn::VarBuilder;
use quipu_core::ports::Purpose;
use tokenizers::{Tokenizer, TruncationParams};

/// The largest vocabularies of many languages take some twenty megabytes.
const MOST_TOKENIZER_BYTES: u64 = 64 * 1024 * 1024;
/// No more than this is read of a text, however few tokens it makes.
const MOST_TEXT_BYTES: usize = 64 * 1024;
/// Tokens of a batch, padding included, which bound the memory that it takes.
const BATCH_TOKENS: usize = 4_096;

pub(super) struct Model {
    manifest: Manifest,
    tokenizer: Tokenizer,
    encoder: Encoder,
}

impl Model {
    /// Reads a model from its folder. The name may say how it was trained.
    pub(super) fn load(place: &Place, name: &str, most_bytes: u64) -> Result<Self, String> {
        let manifest = Manifest::read(place, name)?;
        let tokenizer = place.read("tokenizer.json", MOST_TOKENIZER_BYTES)?;
        let tokenizer = tokenizer.ok_or("there is no tokenizer.json")?;
        let mut tokenizer = Tokenizer::from_bytes(tokenizer).map_err(|e| e.to_string())?;
        let truncation = TruncationParams {
            max_length: manifest.most_tokens,
            ..TruncationParams::default()
        };
        tokenizer
            .with_padding(None)
            .with_truncation(Some(truncation))
            .map_err(|e| e.to_string())?;
        let weights = place.read("model.safetensors", most_bytes)?;
        let weights = weights.ok_or("there is no model.safetensors")?;
        let encoder = VarBuilder::from_buffered_safetensors(weights, DType::F32, &Device::Cpu)
            .and_then(|weights| Encoder::load(&weights, &manifest.config, manifest.family))
            .map_err(|e| e.to_string())?;
        Ok(Self {
            manifest,
            tokenizer,
            encoder,
        })
    }

    /// The tokens of each text.
    pub(super) fn tokens(
        &self,
        texts: &[String],
        purpose: Purpose,
    ) -> Result<Vec<Vec<u32>>, String> {
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
            Ok(ids)
        };
        texts.iter().map(read).collect()
    }

    /// One vector for each text of a batch, not scaled.
    pub(super) fn vectors(&self, batch: &[Vec<u32>]) -> Result<Vec<Vec<f32>>, String> {
        self.run(batch).map_err(|e| e.to_string())
    }

    fn run(&self, batch: &[Vec<u32>]) -> CandleResult<Vec<Vec<f32>>> {
        let longest = batch.iter().map(Vec::len).max().unwrap_or(0);
        let shape = (batch.len(), longest);
        let padded = |text: &Vec<u32>, fill: fn(u32) -> u32| {
            let mut row: Vec<u32> = text.iter().map(|id| fill(*id)).collect();
            // Whatever stands there is masked.
            row.resize(longest, 0);
            row
        };
        let ids: Vec<u32> = batch
            .iter()
            .flat_map(|text| padded(text, |id| id))
            .collect();
        let mask: Vec<u32> = batch.iter().flat_map(|text| padded(text, |_| 1)).collect();
        let ids = Tensor::from_vec(ids, shape, &Device::Cpu)?;
        let mask = Tensor::from_vec(mask, shape, &Device::Cpu)?;
        let hidden = self.encoder.forward(&ids, &mask)?;
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

/// Puts texts of about the same length together, so that little padding is worked on. Each batch
/// comes with the places of its texts.
pub(super) fn batches(texts: Vec<Vec<u32>>) -> Vec<(Vec<usize>, Vec<Vec<u32>>)> {
    let mut texts: Vec<(usize, Vec<u32>)> = texts.into_iter().enumerate().collect();
    texts.sort_by_key(|(_, text)| text.len());
    let mut batches: Vec<(Vec<usize>, Vec<Vec<u32>>)> = Vec::new();
    for (place, text) in texts {
        match batches.last_mut() {
            // They come by length, so this one is the longest so far.
            Some((places, batch)) if (batch.len() + 1) * text.len() <= BATCH_TOKENS => {
                places.push(place);
                batch.push(text);
            }
            _ => batches.push((vec![place], vec![text])),
        }
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_bounded_and_lose_nothing() {
        let lengths = [5000, 1, 1000, 2, 1000, 1000, 1000, 1000, 3];
        let found = batches(lengths.map(|length| vec![7; length]).to_vec());
        let sizes: Vec<usize> = found.iter().map(|(places, _)| places.len()).collect();
        assert_eq!(sizes, [4, 4, 1]);
        let mut places: Vec<usize> = Vec::new();
        for (places_of_batch, batch) in found {
            for (place, text) in places_of_batch.iter().zip(batch) {
                assert_eq!(text.len(), lengths[*place]);
            }
            places.extend(places_of_batch);
        }
        places.sort_unstable();
        assert_eq!(places, (0..9).collect::<Vec<_>>());
    }
}
