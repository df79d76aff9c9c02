//! Models that this process runs itself: where they lie, how they are fetched, and which of them
//! are in memory. What a model is for is up to whoever asks for it.

mod batch;
mod config;
mod download;
mod folder;
mod transformer;

use crate::embedding::LocalSettings;
use crate::recent::Recent;
pub(crate) use batch::{Tokens, batches};
pub(crate) use config::{Config, Family, json};
pub(crate) use folder::{Place, is_plain};
use quipu_core::ports::EmbedError;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokenizers::{Tokenizer, TruncationParams};
use tokio::sync::{Mutex as AsyncMutex, OwnedSemaphorePermit, Semaphore};
pub(crate) use transformer::Transformer;

/// The largest vocabularies of many languages take some twenty megabytes.
const MOST_TOKENIZER_BYTES: u64 = 64 * 1024 * 1024;

/// A kind of model that lies in a folder.
pub(crate) trait Load: Sized + Send + Sync + 'static {
    /// Reads a model from its folder. The name may say how it was trained.
    fn load(place: &Place, name: &str, most_bytes: u64) -> Result<Self, String>;
}

/// The models of one kind that are in memory, which all tenants share: they hold nothing of
/// anybody's.
pub(crate) struct LocalModels<M> {
    settings: LocalSettings,
    loaded: Mutex<Recent<String, Arc<M>>>,
    /// Held while a model is read, so that two who ask for it do not read it twice.
    reading: AsyncMutex<()>,
    /// Held while a model is fetched, for the same reason.
    fetching: AsyncMutex<()>,
    work: Arc<Semaphore>,
}

impl<M: Load> LocalModels<M> {
    pub(crate) fn new(settings: LocalSettings) -> Self {
        Self {
            loaded: Mutex::new(Recent::new(settings.kept_models.max(1))),
            reading: AsyncMutex::new(()),
            fetching: AsyncMutex::new(()),
            work: Arc::new(Semaphore::new(settings.concurrent_batches.max(1))),
            settings,
        }
    }

    /// A model, which is read if it is not in memory. Whoever asks may give up before a large one is
    /// read, or even fetched: that goes on, so that the next one finds it.
    pub(crate) async fn model(self: &Arc<Self>, name: &str) -> Result<Arc<M>, EmbedError> {
        if let Some(model) = self.loaded().get(name) {
            return Ok(model.clone());
        }
        let (models, name) = (Arc::clone(self), name.to_owned());
        let read = tokio::spawn(async move { models.read(&name).await });
        read.await
            .map_err(|e| EmbedError::Transient(e.to_string()))?
    }

    async fn read(&self, name: &str) -> Result<Arc<M>, EmbedError> {
        let place = self.place(name).await?;
        let _only_one = self.reading.lock().await;
        if let Some(model) = self.loaded().get(name) {
            return Ok(model.clone());
        }
        let (named, most_bytes) = (name.to_owned(), self.settings.most_bytes);
        let model = blocking(move || M::load(&place, &named, most_bytes)).await?;
        let model = Arc::new(model.map_err(|why| lasting(name, &why))?);
        self.loaded().insert(name.to_owned(), model.clone());
        Ok(model)
    }

    /// Leave to work on one batch.
    pub(crate) async fn turn(&self) -> Result<OwnedSemaphorePermit, EmbedError> {
        let turn = self.work.clone().acquire_owned().await;
        turn.map_err(|e| EmbedError::Transient(e.to_string()))
    }

    fn loaded(&self) -> MutexGuard<'_, Recent<String, Arc<M>>> {
        // At worst a model is missing after a panic, and then it is read again.
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The folder of a model, which is fetched if it is not there and may be.
    async fn place(&self, name: &str) -> Result<Place, EmbedError> {
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

async fn find(root: &Path, name: &str) -> Result<Option<Place>, EmbedError> {
    let (root, named): (PathBuf, String) = (root.to_owned(), name.to_owned());
    let found = blocking(move || folder::find(&root, &named)).await?;
    found.map_err(|e| lasting(name, &e.to_string()))
}

/// The tokenizer of a model, which cuts what is longer than so many tokens.
pub(crate) fn tokenizer(place: &Place, most_tokens: usize) -> Result<Tokenizer, String> {
    let bytes = place.read("tokenizer.json", MOST_TOKENIZER_BYTES)?;
    let bytes = bytes.ok_or("there is no tokenizer.json")?;
    let mut tokenizer = Tokenizer::from_bytes(bytes).map_err(|e| e.to_string())?;
    let truncation = TruncationParams {
        max_length: most_tokens,
        ..TruncationParams::default()
    };
    tokenizer
        .with_padding(None)
        .with_truncation(Some(truncation))
        .map_err(|e| e.to_string())?;
    Ok(tokenizer)
}

pub(crate) fn lasting(name: &str, why: &str) -> EmbedError {
    EmbedError::Permanent(format!("local/{name}: {why}"))
}

pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, EmbedError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|e| EmbedError::Transient(e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    static READ: AtomicUsize = AtomicUsize::new(0);

    struct Large;

    impl Load for Large {
        fn load(_: &Place, _: &str, _: u64) -> Result<Self, String> {
            std::thread::sleep(Duration::from_millis(300));
            READ.fetch_add(1, Ordering::SeqCst);
            Ok(Self)
        }
    }

    #[tokio::test]
    async fn a_model_that_nobody_waited_for_is_there_for_the_next() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("large")).unwrap();
        std::fs::write(root.path().join("large/config.json"), "{}").unwrap();
        let models = Arc::new(LocalModels::<Large>::new(LocalSettings {
            models_dir: Some(root.path().to_owned()),
            ..LocalSettings::default()
        }));
        for _ in 0..3 {
            let patience = Duration::from_millis(20);
            let asked = tokio::time::timeout(patience, models.model("large"));
            assert!(asked.await.is_err(), "it takes longer than that");
        }
        models.model("large").await.unwrap();
        assert_eq!(READ.load(Ordering::SeqCst), 1);
    }
}
