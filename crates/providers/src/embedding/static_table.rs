//! A table with a row per token: the vector of a text is the sum of the rows of its tokens. It
//! knows neither order nor context, and takes microseconds.

use super::vectors::normalise;
use crate::bundled::{self, DIMENSIONS, SPECIAL, Table, WordPiece};
use async_trait::async_trait;
use quipu_core::ports::{EmbedError, Embedded, Embedder, Purpose};
use std::sync::OnceLock;

/// Name and version of the model. Another table or tokenizer needs another version, because
/// stored vectors would no longer be comparable.
const MODEL: &str = "quipu-es-en/static@2";
/// What follows adds nothing to a sum over so many words.
const MOST_TOKENS: usize = 2_000;
/// Even without a single token in it, no more than this is read of a text.
const MOST_BYTES: usize = 64 * 1024;
/// What a customer asks is shorter.
const SHORT_BYTES: usize = 4_000;

/// The bundled model. Its tokenizer is read when the first text comes, not before.
#[derive(Clone, Copy, Debug, Default)]
pub struct StaticEmbedder;

impl StaticEmbedder {
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

#[async_trait]
impl Embedder for StaticEmbedder {
    fn model(&self) -> &str {
        MODEL
    }

    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    async fn embed(&self, texts: &[String], _: Purpose) -> Result<Embedded, EmbedError> {
        let vectors = if let Some(model) = Model::if_read().filter(|_| are_short(texts)) {
            texts.iter().map(|text| model.vector(text)).collect()
        } else {
            let texts = texts.to_vec();
            let vectors = tokio::task::spawn_blocking(move || {
                let model = Model::bundled()?;
                Ok::<_, String>(texts.iter().map(|text| model.vector(text)).collect())
            });
            vectors
                .await
                .map_err(|e| EmbedError::Transient(e.to_string()))?
                .map_err(EmbedError::Permanent)?
        };
        Ok(Embedded {
            vectors,
            tokens: None,
        })
    }
}

/// Whether the vectors are there sooner than another thread would have begun to make them.
fn are_short(texts: &[String]) -> bool {
    texts.iter().map(String::len).sum::<usize>() <= SHORT_BYTES
}

struct Model {
    words: &'static WordPiece,
    table: Table,
}

static BUNDLED: OnceLock<Result<Model, String>> = OnceLock::new();

impl Model {
    /// The model, where somebody has read it already.
    fn if_read() -> Option<&'static Self> {
        BUNDLED.get()?.as_ref().ok()
    }

    fn bundled() -> Result<&'static Self, String> {
        BUNDLED
            .get_or_init(|| {
                let words = bundled::words()?;
                let table = Table::read(bundled::STATIC_TABLE, "table")?;
                Ok(Self { words, table })
            })
            .as_ref()
            .map_err(Clone::clone)
    }

    fn vector(&self, text: &str) -> Vec<f32> {
        let text = &text[..text.floor_char_boundary(MOST_BYTES)];
        let mut sum = vec![0.0; DIMENSIONS];
        for id in self.words.ids(text, MOST_TOKENS) {
            let id = usize::from(id);
            if id >= SPECIAL.len() {
                self.table.add(id, &mut sum);
            }
        }
        normalise(&mut sum);
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Deserialize)]
    struct Golden {
        text: String,
        /// Between the marks that the encoder wants.
        ids: Vec<u16>,
        #[serde(rename = "static")]
        vector: Vec<f32>,
    }

    fn golden() -> Vec<Golden> {
        serde_json::from_str(include_str!("golden.json")).unwrap()
    }

    async fn embed(texts: &[String]) -> Vec<Vec<f32>> {
        let embedded = StaticEmbedder.embed(texts, Purpose::Passage).await;
        embedded.unwrap().vectors
    }

    fn dot(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    #[tokio::test]
    async fn ids_and_vectors_are_the_published_ones() {
        let golden = golden();
        assert_eq!(golden.len(), 20);
        let texts: Vec<String> = golden.iter().map(|case| case.text.clone()).collect();
        let vectors = embed(&texts).await;
        let words = bundled::words().unwrap();
        for (case, vector) in golden.iter().zip(&vectors) {
            let ids = &case.ids[1..case.ids.len() - 1];
            assert_eq!(words.ids(&case.text, 1000), ids, "{}", case.text);
            assert_eq!(vector.len(), StaticEmbedder.dimensions());
            let known = ids.iter().any(|id| *id > 3);
            let length = dot(vector, vector).sqrt();
            assert!(
                (length - f32::from(u8::from(known))).abs() < 1e-4,
                "{length}"
            );
            for (found, expected) in vector.iter().zip(&case.vector) {
                assert!((found - expected).abs() < 1e-4, "{}", case.text);
            }
        }
    }

    #[tokio::test]
    async fn nearer_in_meaning_is_nearer() {
        let texts = [
            "¿Puedo llevar a mi perro?",
            "Se admiten mascotas en la terraza.",
            "El envío tarda tres días.",
            "",
            "𝟙𝟚𝟛 \u{0}",
        ];
        let vectors = embed(&texts.map(str::to_owned)).await;
        assert!(dot(&vectors[0], &vectors[1]) > dot(&vectors[0], &vectors[2]) + 0.1);
        assert_eq!(vectors[3], [0.0; DIMENSIONS]);
        assert_eq!(vectors[4].len(), DIMENSIONS);
    }

    #[tokio::test]
    async fn only_the_beginning_of_a_long_text_counts() {
        let beginning = "Abrimos de lunes a sábado. ".repeat(400);
        let texts = [
            format!("{beginning} perro"),
            format!("{beginning} gato"),
            " ".repeat(MOST_BYTES) + "gato",
        ];
        let vectors = embed(&texts).await;
        assert_eq!(vectors[0], vectors[1]);
        assert_eq!(vectors[2], [0.0; DIMENSIONS]);
    }
}
