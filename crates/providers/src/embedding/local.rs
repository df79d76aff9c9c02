//! Sentence transformers that this process runs itself.

mod manifest;
mod model;

use super::vectors;
use crate::local::{LocalModels, batches, blocking, lasting};
use async_trait::async_trait;
pub(super) use model::Model;
use quipu_core::ports::{EmbedError, Embedded, Embedder, Purpose};
use std::sync::Arc;

pub(super) struct LocalEmbedder {
    models: Arc<LocalModels<Model>>,
    /// The name under which the vectors are kept.
    model: String,
    name: String,
    dimensions: usize,
}

impl LocalEmbedder {
    pub(super) fn new(
        models: Arc<LocalModels<Model>>,
        model: String,
        name: String,
        dimensions: usize,
    ) -> Self {
        Self {
            models,
            model,
            name,
            dimensions,
        }
    }
}

#[async_trait]
impl Embedder for LocalEmbedder {
    fn model(&self) -> &str {
        &self.model
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Embedded, EmbedError> {
        let model = self.models.model(&self.name).await?;
        let (reader, words) = (model.clone(), texts.to_vec());
        let tokens = blocking(move || reader.tokens(&words, purpose)).await?;
        let tokens = tokens.map_err(|why| lasting(&self.name, &why))?;
        let count = tokens.iter().map(|text| text.ids.len() as u64).sum();
        let mut vectors = vec![Vec::new(); texts.len()];
        for (places, batch) in batches(tokens) {
            let turn = self.models.turn().await?;
            let model = model.clone();
            let found = blocking(move || {
                // Work that nobody waits for any more goes on to its end, and counts until then.
                let _turn = turn;
                model.vectors(&batch)
            });
            let found = found.await?.map_err(|why| lasting(&self.name, &why))?;
            for (at, vector) in places.into_iter().zip(found) {
                vectors[at] = vector;
            }
        }
        // What has no word in it means nothing, whatever the model makes of its empty frame.
        for (vector, text) in vectors.iter_mut().zip(texts) {
            if text.trim().is_empty() {
                vector.fill(0.0);
            }
        }
        let vectors = vectors::checked(vectors, texts.len(), self.dimensions)
            .map_err(|why| lasting(&self.name, &why))?;
        Ok(Embedded {
            vectors,
            tokens: Some(count),
        })
    }
}
