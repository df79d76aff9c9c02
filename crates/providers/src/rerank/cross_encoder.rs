//! Cross-encoders that this process runs itself: a transformer that reads the question and a
//! passage together and says with one number how well they fit.

use super::beginning;
use crate::local::{
    Config, Family, Load, LocalModels, Place, Tokens, Transformer, batches, blocking, json,
    lasting, tokenizer,
};
use async_trait::async_trait;
use candle_core::{DType, Device, Module, Result as CandleResult};
use candle_nn::ops::sigmoid;
use candle_nn::{Linear, VarBuilder, linear};
use quipu_core::ports::{RerankError, Reranked, Reranker};
use std::sync::Arc;
use tokenizers::Tokenizer;

/// The longest pair a model is given, in tokens, whatever it could bear: somebody waits.
const MOST_TOKENS: usize = 512;
/// What is read of a passage and of a question, however few tokens it makes.
const MOST_PASSAGE_BYTES: usize = 8 * 1024;
const MOST_QUESTION_BYTES: usize = 2 * 1024;

pub(super) struct CrossEncoder {
    tokenizer: Tokenizer,
    transformer: Transformer,
    /// Makes a vector of the whole pair out of that of its first token.
    dense: Linear,
    /// Makes a number of it.
    verdict: Linear,
    /// How many kinds of tokens it tells apart.
    kinds: u32,
}

impl Load for CrossEncoder {
    fn load(place: &Place, _: &str, most_bytes: u64) -> Result<Self, String> {
        let config: Config = json(place, "config.json")?.ok_or("there is no config.json")?;
        let family = config.family()?;
        let most_tokens = config.most_tokens(place, family, None)?.min(MOST_TOKENS);
        let tokenizer = tokenizer(place, most_tokens)?;
        let weights = place.read("model.safetensors", most_bytes)?;
        let weights = weights.ok_or("there is no model.safetensors")?;
        let weights = VarBuilder::from_buffered_safetensors(weights, DType::F32, &Device::Cpu)
            .map_err(|e| e.to_string())?;
        let transformer =
            Transformer::load(&weights, &config, family).map_err(|e| e.to_string())?;
        let (dense, verdict) = head(&weights, &config, family)
            .map_err(|e| format!("it does not judge a pair by one number: {e}"))?;
        Ok(Self {
            tokenizer,
            transformer,
            dense,
            verdict,
            kinds: u32::try_from(config.type_vocab_size).unwrap_or(u32::MAX),
        })
    }
}

fn head(
    weights: &VarBuilder<'_>,
    config: &Config,
    family: Family,
) -> CandleResult<(Linear, Linear)> {
    let classifier = weights.pp("classifier");
    let (dense, verdict) = match family {
        Family::Bert if weights.contains_tensor("pooler.dense.weight") => {
            (weights.pp("pooler.dense"), classifier)
        }
        Family::Bert => (weights.pp("bert.pooler.dense"), classifier),
        Family::Roberta { .. } => (classifier.pp("dense"), classifier.pp("out_proj")),
    };
    let hidden = config.hidden_size;
    Ok((linear(hidden, hidden, dense)?, linear(hidden, 1, verdict)?))
}

impl CrossEncoder {
    /// The tokens of the question with each passage. The longer of the two is cut first.
    fn tokens(&self, question: &str, passages: &[String]) -> Result<Vec<Tokens>, String> {
        let question = beginning(question, MOST_QUESTION_BYTES);
        let read = |passage: &String| {
            let pair = (question, beginning(passage, MOST_PASSAGE_BYTES));
            let encoding = self.tokenizer.encode_fast(pair, true);
            let encoding = encoding.map_err(|e| e.to_string())?;
            if encoding.get_ids().is_empty() {
                return Err("its tokenizer makes nothing of a text".to_owned());
            }
            let kinds = encoding.get_type_ids().iter();
            Ok(Tokens {
                ids: encoding.get_ids().to_vec(),
                // Some tokenizers tell kinds apart that their model does not.
                kinds: kinds.map(|&k| if k < self.kinds { k } else { 0 }).collect(),
            })
        };
        passages.iter().map(read).collect()
    }

    /// How well each pair of a batch fits, 0 to 1.
    fn relevances(&self, batch: &[Tokens]) -> Result<Vec<f32>, String> {
        let found = self.run(batch).map_err(|e| e.to_string())?;
        if !found.iter().all(|relevance| relevance.is_finite()) {
            return Err("a relevance that is no number".to_owned());
        }
        Ok(found)
    }

    fn run(&self, batch: &[Tokens]) -> CandleResult<Vec<f32>> {
        let (hidden, _) = self.transformer.forward(batch)?;
        let first = hidden.narrow(1, 0, 1)?.squeeze(1)?.contiguous()?;
        let pair = self.dense.forward(&first)?.tanh()?;
        // Some models were trained to give the bare number. It is a logit all the same.
        sigmoid(&self.verdict.forward(&pair)?)?
            .squeeze(1)?
            .to_vec1()
    }
}

pub(super) struct LocalReranker {
    models: Arc<LocalModels<CrossEncoder>>,
    model: String,
    name: String,
}

impl LocalReranker {
    pub(super) fn new(models: Arc<LocalModels<CrossEncoder>>, name: String) -> Self {
        Self {
            models,
            model: format!("local/{name}"),
            name,
        }
    }
}

#[async_trait]
impl Reranker for LocalReranker {
    fn model(&self) -> &str {
        &self.model
    }

    async fn rerank(&self, question: &str, passages: &[String]) -> Result<Reranked, RerankError> {
        let model = self.models.model(&self.name).await?;
        let failed = |why: String| RerankError::from(lasting(&self.name, &why));
        let (reader, question, words) = (model.clone(), question.to_owned(), passages.to_vec());
        let tokens = blocking(move || reader.tokens(&question, &words)).await?;
        let mut all = vec![0.0; passages.len()];
        for (places, batch) in batches(tokens.map_err(failed)?) {
            let turn = self.models.turn().await?;
            let model = model.clone();
            let found = blocking(move || {
                // Work that nobody waits for any more goes on to its end, and counts until then.
                let _turn = turn;
                model.relevances(&batch)
            });
            for (place, relevance) in places.into_iter().zip(found.await?.map_err(failed)?) {
                all[place] = relevance;
            }
        }
        Ok(Reranked::Relevances(all))
    }
}
