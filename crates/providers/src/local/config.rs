//! What the description of a transformer says about it, whatever it is used for.

use super::folder::Place;
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A description is no larger.
const MOST_BYTES: u64 = 4 * 1024 * 1024;
/// The longest text a model is given, in tokens, whatever it could bear: what attention takes
/// grows with the square of it.
const MOST_TOKENS: usize = 2_048;

/// The `config.json` of a transformer.
#[derive(Debug, Deserialize)]
pub(crate) struct Config {
    model_type: String,
    pub(crate) vocab_size: usize,
    pub(crate) hidden_size: usize,
    pub(crate) num_hidden_layers: usize,
    pub(crate) num_attention_heads: usize,
    pub(crate) intermediate_size: usize,
    pub(crate) max_position_embeddings: usize,
    #[serde(default = "two")]
    pub(crate) type_vocab_size: usize,
    #[serde(default = "tiny")]
    pub(crate) layer_norm_eps: f64,
    #[serde(default = "gelu")]
    pub(crate) hidden_act: String,
    position_embedding_type: Option<String>,
    pad_token_id: Option<u32>,
    #[serde(rename = "_name_or_path")]
    pub(crate) origin: Option<String>,
}

const fn two() -> usize {
    2
}

const fn tiny() -> f64 {
    1e-12
}

fn gelu() -> String {
    "gelu".to_owned()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Bert,
    /// Like BERT, but that its positions are counted from behind the id of the padding.
    Roberta {
        padding: u32,
    },
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct TokenizerConfig {
    /// A number beyond all bounds where there is no bound.
    model_max_length: Option<f64>,
}

impl Config {
    /// How it counts positions, if it is of a kind that is run here.
    pub(crate) fn family(&self) -> Result<Family, String> {
        let known = self.position_embedding_type.as_deref();
        if known.is_some_and(|kind| kind != "absolute") {
            return Err("its positions are of a kind that is not known".to_owned());
        }
        if self.num_attention_heads == 0
            || !self.hidden_size.is_multiple_of(self.num_attention_heads)
        {
            return Err("its heads do not share its width".to_owned());
        }
        match self.model_type.as_str() {
            "bert" => Ok(Family::Bert),
            "xlm-roberta" | "roberta" | "camembert" => Ok(Family::Roberta {
                padding: self.pad_token_id.unwrap_or(1),
            }),
            other => Err(format!("models of the kind {other:?} are not run here")),
        }
    }

    /// How many tokens of a text it reads: as many as are stated, with the model or with its
    /// tokenizer, as far as it has positions for them.
    pub(crate) fn most_tokens(
        &self,
        place: &Place,
        family: Family,
        stated: Option<usize>,
    ) -> Result<usize, String> {
        let positions = match family {
            Family::Bert => self.max_position_embeddings,
            Family::Roberta { padding } => self
                .max_position_embeddings
                .saturating_sub(usize::try_from(padding).unwrap_or(0) + 1),
        };
        // Newer files have it with the tokenizer.
        let tokenizer: TokenizerConfig = json(place, "tokenizer_config.json")?.unwrap_or_default();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the cast saturates, and less than nothing is refused below like nothing"
        )]
        let longest = tokenizer.model_max_length.map(|length| length as usize);
        let most_tokens = stated
            .or(longest)
            .unwrap_or(positions)
            .min(positions)
            .min(MOST_TOKENS);
        if most_tokens < 3 {
            return Err("it reads no text of any length".to_owned());
        }
        Ok(most_tokens)
    }
}

pub(crate) fn json<T: DeserializeOwned>(place: &Place, name: &str) -> Result<Option<T>, String> {
    let Some(bytes) = place.read(name, MOST_BYTES)? else {
        return Ok(None);
    };
    let read = serde_json::from_slice(&bytes);
    read.map(Some).map_err(|e| format!("{name}: {e}"))
}
