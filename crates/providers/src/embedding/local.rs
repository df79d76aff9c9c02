//! Sentence transformers that this process runs itself.

mod download;
mod encoder;
mod folder;
mod manifest;
mod model;

use super::recent::Recent;
use super::settings::LocalSettings;
use super::vectors;
use async_trait::async_trait;
use model::Model;
use quipu_core::ports::{EmbedError, Embedded, Embedder, Purpose};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Mutex as AsyncMutex, Semaphore};

/// The models that are in memory, which all tenants share: they hold nothing of anybody's.
pub(super) struct LocalModels {
    settings: LocalSettings,
    loaded: Mutex<Recent<String, Arc<Model>>>,
    /// Held while a model is read, so that two who ask for it do not read it twice.
    reading: AsyncMutex<()>,
    /// Held while a model is fetched, for the same reason.
    fetching: AsyncMutex<()>,
    work: Arc<Semaphore>,
}

impl LocalModels {
    pub(super) fn new(settings: LocalSettings) -> Self {
        Self {
            loaded: Mutex::new(Recent::new(settings.kept_models.max(1))),
            reading: AsyncMutex::new(()),
            fetching: AsyncMutex::new(()),
            work: Arc::new(Semaphore::new(settings.concurrent_batches.max(1))),
            settings,
        }
    }

    async fn model(&self, name: &str) -> Result<Arc<Model>, EmbedError> {
        if let Some(model) = self.loaded().get(name) {
            return Ok(model.clone());
        }
        let place = self.place(name).await?;
        let _only_one = self.reading.lock().await;
        if let Some(model) = self.loaded().get(name) {
            return Ok(model.clone());
        }
        let (named, most_bytes) = (name.to_owned(), self.settings.most_bytes);
        let model = blocking(move || Model::load(&place, &named, most_bytes)).await?;
        let model = Arc::new(model.map_err(|why| lasting(name, &why))?);
        self.loaded().insert(name.to_owned(), model.clone());
        Ok(model)
    }

    fn loaded(&self) -> MutexGuard<'_, Recent<String, Arc<Model>>> {
        // At worst a model is missing after a panic, and then it is read again.
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The folder of a model, which is fetched if it is not there and may be.
    async fn place(&self, name: &str) -> Result<folder::Place, EmbedError> {
        let root = self.settings.models_dir.clone();
        let root = root.ok_or_else(|| lasting(name, "there is no folder for models"))?;
        if let Some(place) = find(&root, name).await? {
            return Ok(place);
        }
        if !self.settings.download {
            return Err(lasting(name, "it is not in the folder for models"));
        }
        let _only_one = self.fetching.lock().await;
        if let Some(place) = find(&root, name).await? {
            return Ok(place);
        }
        download::fetch(&self.settings, &root, name).await?;
        let place = find(&root, name).await?;
        place.ok_or_else(|| lasting(name, "it was fetched and is not there"))
    }
}

async fn find(root: &Path, name: &str) -> Result<Option<folder::Place>, EmbedError> {
    let (root, named): (PathBuf, String) = (root.to_owned(), name.to_owned());
    let found = blocking(move || folder::find(&root, &named)).await?;
    found.map_err(|e| lasting(name, &e.to_string()))
}

fn lasting(name: &str, why: &str) -> EmbedError {
    EmbedError::Permanent(format!("local/{name}: {why}"))
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, EmbedError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|e| EmbedError::Transient(e.to_string()))
}

pub(super) struct LocalEmbedder {
    models: Arc<LocalModels>,
    /// The name under which the vectors are kept.
    model: String,
    name: String,
    dimensions: usize,
}

impl LocalEmbedder {
    pub(super) fn new(
        models: Arc<LocalModels>,
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
        let count = tokens.iter().map(|text| text.len() as u64).sum();
        let mut vectors = vec![Vec::new(); texts.len()];
        for (places, batch) in model::batches(tokens) {
            let turn = self.models.work.clone().acquire_owned();
            let turn = turn
                .await
                .map_err(|e| EmbedError::Transient(e.to_string()))?;
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
