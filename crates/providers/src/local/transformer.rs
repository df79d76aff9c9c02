//! The transformer itself: BERT, and `RoBERTa` in any language, which differ in how they count
//! positions.

use super::batch::{Padded, Tokens};
use super::config::{Config, Family};
use candle_core::{DType, Module, Result, Tensor};
use candle_nn::ops::softmax_last_dim;
use candle_nn::{Embedding, LayerNorm, Linear, VarBuilder, embedding, linear};

pub(crate) struct Transformer {
    words: Embedding,
    positions: Embedding,
    kinds: Embedding,
    norm: LayerNorm,
    layers: Vec<Layer>,
    family: Family,
}

struct Layer {
    heads: usize,
    query: Linear,
    key: Linear,
    value: Linear,
    output: Linear,
    attention_norm: LayerNorm,
    up: Linear,
    down: Linear,
    norm: LayerNorm,
    activation: Activation,
}

type Activation = fn(&Tensor) -> Result<Tensor>;

impl Transformer {
    pub(crate) fn load(weights: &VarBuilder<'_>, config: &Config, family: Family) -> Result<Self> {
        let weights = ["", "bert", "roberta"]
            .into_iter()
            .map(|prefix| match prefix {
                "" => weights.clone(),
                prefix => weights.pp(prefix),
            })
            .find(|part| part.contains_tensor("embeddings.word_embeddings.weight"))
            .ok_or_else(|| candle_core::Error::Msg("there are no words in it".to_owned()))?;
        let table = weights.pp("embeddings");
        let hidden = config.hidden_size;
        let rows = |count: usize, name: &str| embedding(count, hidden, table.pp(name));
        let layers = (0..config.num_hidden_layers)
            .map(|number| Layer::load(&weights.pp(format!("encoder.layer.{number}")), config));
        Ok(Self {
            words: rows(config.vocab_size, "word_embeddings")?,
            positions: rows(config.max_position_embeddings, "position_embeddings")?,
            kinds: rows(config.type_vocab_size, "token_type_embeddings")?,
            norm: norm(&table, config)?,
            layers: layers.collect::<Result<_>>()?,
            family,
        })
    }

    /// The vectors of all tokens of a batch (text, token, number), and what is 1 for tokens and 0
    /// for padding, which stands at the end.
    pub(crate) fn forward(&self, batch: &[Tokens]) -> Result<(Tensor, Tensor)> {
        let Padded { ids, kinds, mask } = Padded::new(batch)?;
        let (texts, tokens) = ids.dims2()?;
        let counted = Tensor::arange(0, u32::try_from(tokens)?, ids.device())?;
        let counted = counted.unsqueeze(0)?.broadcast_as((texts, tokens))?;
        let positions = match self.family {
            Family::Bert => counted.contiguous()?,
            // Padding has the position of the padding, and the first token the one after it.
            Family::Roberta { padding } => {
                let counted = ((counted + 1.0)? * &mask)?;
                (counted + f64::from(padding))?
            }
        };
        let mut hidden = self
            .words
            .forward(&ids)?
            .add(&self.positions.forward(&positions)?)?
            .add(&self.kinds.forward(&kinds)?)?;
        hidden = self.norm.forward(&hidden)?;
        // Nobody looks at padding: what is added there outweighs any score.
        let shut = (1.0 - mask.to_dtype(DType::F32)?)?;
        let shut = (shut * f64::from(f32::MIN))?.reshape((texts, 1, 1, tokens))?;
        for layer in &self.layers {
            hidden = layer.forward(&hidden, &shut)?;
        }
        Ok((hidden, mask))
    }
}

impl Layer {
    fn load(weights: &VarBuilder<'_>, config: &Config) -> Result<Self> {
        let (hidden, wide) = (config.hidden_size, config.intermediate_size);
        let square = |name: &str| linear(hidden, hidden, weights.pp(name));
        Ok(Self {
            heads: config.num_attention_heads,
            query: square("attention.self.query")?,
            key: square("attention.self.key")?,
            value: square("attention.self.value")?,
            output: square("attention.output.dense")?,
            attention_norm: norm(&weights.pp("attention.output"), config)?,
            up: linear(hidden, wide, weights.pp("intermediate.dense"))?,
            down: linear(wide, hidden, weights.pp("output.dense"))?,
            norm: norm(&weights.pp("output"), config)?,
            activation: activation(&config.hidden_act)?,
        })
    }

    fn forward(&self, hidden: &Tensor, shut: &Tensor) -> Result<Tensor> {
        let attended = self.output.forward(&self.attend(hidden, shut)?)?;
        let hidden = self.attention_norm.forward(&(attended + hidden)?)?;
        let wide = (self.activation)(&self.up.forward(&hidden)?)?;
        self.norm.forward(&(self.down.forward(&wide)? + hidden)?)
    }

    fn attend(&self, hidden: &Tensor, shut: &Tensor) -> Result<Tensor> {
        let (texts, tokens, width) = hidden.dims3()?;
        let each = width / self.heads;
        let split = |part: &Linear| {
            let shape = (texts, tokens, self.heads, each);
            let part = part.forward(hidden)?.reshape(shape)?;
            part.transpose(1, 2)?.contiguous()
        };
        let (query, key, value) = (split(&self.query)?, split(&self.key)?, split(&self.value)?);
        #[expect(clippy::cast_precision_loss, reason = "no head is that wide")]
        let scale = (each as f64).sqrt();
        let scores = (query.matmul(&key.transpose(2, 3)?.contiguous()?)? / scale)?;
        let weights = softmax_last_dim(&scores.broadcast_add(shut)?)?;
        let mixed = weights.matmul(&value)?.transpose(1, 2)?.contiguous()?;
        mixed.reshape((texts, tokens, width))
    }
}

/// The norm of a part, under either of the names that its numbers have had.
fn norm(part: &VarBuilder<'_>, config: &Config) -> Result<LayerNorm> {
    let numbers = part.pp("LayerNorm");
    let (weight, bias) = if numbers.contains_tensor("weight") {
        ("weight", "bias")
    } else {
        ("gamma", "beta")
    };
    Ok(LayerNorm::new(
        numbers.get(config.hidden_size, weight)?,
        numbers.get(config.hidden_size, bias)?,
        config.layer_norm_eps,
    ))
}

fn activation(name: &str) -> Result<Activation> {
    match name {
        "gelu" => Ok(Tensor::gelu_erf),
        "gelu_new" | "gelu_pytorch_tanh" => Ok(Tensor::gelu),
        "relu" => Ok(Tensor::relu),
        other => Err(candle_core::Error::Msg(format!(
            "the activation {other:?} is not known"
        ))),
    }
}
