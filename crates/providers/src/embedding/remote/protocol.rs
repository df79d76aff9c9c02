//! What providers are sent and what they answer.

use quipu_core::ports::Purpose;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::embedding) enum Protocol {
    Openai,
    Cohere,
    /// OpenAI's, spoken by somebody else.
    Custom,
}

/// The vectors of an answer in the order of the texts, as they came.
pub(super) struct Read {
    pub(super) vectors: Vec<Vec<f32>>,
    pub(super) tokens: Option<u64>,
}

impl Protocol {
    /// What comes behind the base address.
    pub(in crate::embedding) const fn path(self) -> &'static str {
        match self {
            Self::Openai | Self::Custom => "embeddings",
            Self::Cohere => "embed",
        }
    }

    pub(super) fn body(
        self,
        model: &str,
        dimensions: usize,
        texts: &[&str],
        purpose: Purpose,
    ) -> Value {
        match self {
            Self::Openai | Self::Custom => {
                let mut body = json!({
                    "model": model,
                    "input": texts,
                    "encoding_format": "float",
                });
                // Gateways put their own name before the model's. Other models refuse to be told.
                let name = model.rsplit('/').next().unwrap_or(model);
                if name.starts_with("text-embedding-3-") {
                    body["dimensions"] = dimensions.into();
                }
                body
            }
            Self::Cohere => {
                let mut body = json!({
                    "model": model,
                    "texts": texts,
                    "input_type": match purpose {
                        Purpose::Passage => "search_document",
                        Purpose::Question => "search_query",
                    },
                    "embedding_types": ["float"],
                });
                if model.starts_with("embed-v4") {
                    body["output_dimension"] = dimensions.into();
                }
                body
            }
        }
    }

    pub(super) fn read(self, body: &[u8]) -> Result<Read, String> {
        match self {
            Self::Openai | Self::Custom => openai(body),
            Self::Cohere => cohere(body),
        }
    }
}

#[derive(Deserialize)]
struct OpenaiAnswer {
    data: Vec<OpenaiVector>,
    usage: Option<OpenaiUsage>,
}

#[derive(Deserialize)]
struct OpenaiVector {
    index: Option<usize>,
    embedding: Vec<f32>,
}

#[derive(Deserialize)]
struct OpenaiUsage {
    total_tokens: Option<u64>,
    prompt_tokens: Option<u64>,
}

fn openai(body: &[u8]) -> Result<Read, String> {
    let answer: OpenaiAnswer = serde_json::from_slice(body).map_err(|e| e.to_string())?;
    let mut placed: Vec<Option<Vec<f32>>> = vec![None; answer.data.len()];
    for (at, vector) in answer.data.into_iter().enumerate() {
        let index = vector.index.unwrap_or(at);
        let place = placed
            .get_mut(index)
            .ok_or_else(|| format!("a vector with the index {index}"))?;
        if place.replace(vector.embedding).is_some() {
            return Err(format!("two vectors with the index {index}"));
        }
    }
    Ok(Read {
        vectors: placed.into_iter().flatten().collect(),
        tokens: answer
            .usage
            .and_then(|usage| usage.total_tokens.or(usage.prompt_tokens)),
    })
}

#[derive(Deserialize)]
struct CohereAnswer {
    embeddings: CohereVectors,
    meta: Option<CohereMeta>,
}

#[derive(Deserialize)]
struct CohereVectors {
    float: Vec<Vec<f32>>,
}

#[derive(Deserialize)]
struct CohereMeta {
    billed_units: Option<CohereUnits>,
}

#[derive(Deserialize)]
struct CohereUnits {
    /// A number with a fraction in the documentation.
    input_tokens: Option<f64>,
}

fn cohere(body: &[u8]) -> Result<Read, String> {
    let answer: CohereAnswer = serde_json::from_slice(body).map_err(|e| e.to_string())?;
    let tokens = answer
        .meta
        .and_then(|meta| meta.billed_units)
        .and_then(|units| units.input_tokens);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast saturates, and a count below zero is none"
    )]
    Ok(Read {
        vectors: answer.embeddings.float,
        tokens: tokens.map(|tokens| tokens as u64),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_that_can_are_told_the_length() {
        for (protocol, model, field) in [
            (Protocol::Openai, "text-embedding-3-small", "dimensions"),
            (
                Protocol::Custom,
                "openai/text-embedding-3-large",
                "dimensions",
            ),
            (Protocol::Cohere, "embed-v4.0", "output_dimension"),
        ] {
            let body = protocol.body(model, 256, &["a"], Purpose::Passage);
            assert_eq!(body[field], 256, "{model}");
        }
        for (protocol, model) in [
            (Protocol::Openai, "text-embedding-ada-002"),
            (Protocol::Custom, "nomic-embed-text"),
            (Protocol::Cohere, "embed-multilingual-v3.0"),
        ] {
            let body = protocol.body(model, 256, &["a"], Purpose::Passage);
            assert_eq!(body.get("dimensions"), None, "{model}");
            assert_eq!(body.get("output_dimension"), None, "{model}");
        }
    }

    #[test]
    fn vectors_stand_where_their_index_says() {
        let read = |body: &str| Protocol::Openai.read(body.as_bytes());
        let answer = r#"{"data": [{"index": 1, "embedding": [1]}, {"index": 0, "embedding": [0]}],
            "usage": {"prompt_tokens": 3, "total_tokens": 4}}"#;
        let found = read(answer).unwrap();
        assert_eq!(
            (found.vectors, found.tokens),
            (vec![vec![0.0], vec![1.0]], Some(4))
        );
        let bare = read(r#"{"data": [{"embedding": [0]}, {"embedding": [1]}]}"#).unwrap();
        assert_eq!(
            (bare.vectors, bare.tokens),
            (vec![vec![0.0], vec![1.0]], None)
        );
        for wrong in [
            r#"{"data": [{"index": 1, "embedding": [1]}]}"#,
            r#"{"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}]}"#,
            r#"{"data": [{"index": 0, "embedding": [null]}]}"#,
            r#"{"data": [{"index": 0, "embedding": [NaN]}]}"#,
            r#"{"data": [{"index": 0, "embedding": "AACAPw=="}]}"#,
            r#"{"error": "overloaded"}"#,
            "",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
