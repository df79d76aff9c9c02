//! The walk of a document: fetch, parse, chunk, embed, index, in the background.
//!
//! Every step that is finished is written down under the job's lease, so that an attempt after a
//! crash goes on from there: a text that was cut is not read again, a batch that was embedded is
//! not embedded again, and readers see the new version whole or not at all. A document of one batch
//! is written down once, at its end: that is less work than going on would save.

mod reading;

pub(crate) use reading::page_format;

use crate::documents::{self, PREVIEW_CHARS, PROCESS_DOCUMENT};
use crate::{App, embeddings, events, limits, token};
use futures::StreamExt;
use futures::stream::FuturesUnordered;
use quipu_core::embedding::EmbeddingConfig;
use quipu_core::engine::Partition;
use quipu_core::extraction::{Extracted, Failure};
use quipu_core::job::ClaimedJob;
use quipu_core::knowledge::{DocumentSource, DocumentStatus, Stage};
use quipu_core::language::Language;
use quipu_core::plan::processing_credits;
use quipu_core::ports::Purpose;
use quipu_core::tenancy::TenantScope;
use quipu_core::text::preview;
use quipu_core::{ChunkId, DocumentId, Error, ErrorCode, Result, TenantId};
use quipu_knowledge::{chunk_document, embedding_text};
use quipu_store::TenantTx;
use quipu_store::tenant::{IngestItem, NewChunk};
use serde::Deserialize;

/// A text of more bytes takes long enough to cut for people to be told meanwhile.
const WORTH_A_REPORT: usize = 256 * 1024;

/// How a job ended from the handler's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    Completed,
    /// Somebody else has the job now; nothing more was written.
    LeaseLost,
    /// The document is to blame, and another attempt would end the same way.
    Failed(Failure),
}

/// What ends the walk before its end.
enum Stop {
    LeaseLost,
    /// The document was deleted meanwhile.
    Gone,
    Failed(Failure),
    Error(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// The vectors of a batch of chunks, and the tokens they took.
type Vectors = (Vec<(ChunkId, Vec<f32>)>, i64);

type Step<T> = std::result::Result<T, Stop>;

#[derive(Deserialize)]
struct Payload {
    document_id: DocumentId,
    /// An original that is no longer needed once this is done.
    #[serde(default)]
    stale: Option<String>,
    /// Whether the page behind it was read just now, with the website that it belongs to.
    #[serde(default)]
    fetched: bool,
}

/// Does the job.
///
/// # Errors
/// When something of ours failed; the queue then tries again.
pub(crate) async fn process(app: &App, tenant: TenantId, job: &ClaimedJob) -> Result<Done> {
    let payload: Payload = serde_json::from_value(job.payload.clone()).map_err(Error::internal)?;
    let scope = TenantScope::of(tenant);
    let walk = Walk { app, scope, job };
    match walk.all(&payload).await {
        Ok(()) => Ok(Done::Completed),
        Err(Stop::LeaseLost) => Ok(Done::LeaseLost),
        Err(Stop::Failed(failure)) => Ok(Done::Failed(failure)),
        Err(Stop::Error(error)) => Err(error),
        // A document that was deleted needs nothing more; the job is done all the same.
        Err(Stop::Gone) => {
            let tx = app.store.begin(scope).await?;
            if !tx.jobs().complete(job).await? {
                return Ok(Done::LeaseLost);
            }
            tx.commit().await?;
            Ok(Done::Completed)
        }
    }
}

/// Counts how long a stage took.
async fn timed<T>(stage: Stage, work: impl Future<Output = T>) -> T {
    let began = std::time::Instant::now();
    let done = work.await;
    metrics::histogram!("quipu_ingest_stage_seconds", "stage" => stage.as_str())
        .record(began.elapsed());
    done
}

/// A model that cannot be used as it is configured, or that refuses a text, does so again: whoever
/// waits for the document is told at once.
fn hopeless(error: Error) -> Stop {
    match error.code() {
        ErrorCode::EmbeddingMisconfigured | ErrorCode::EmbeddingRefused => {
            tracing::warn!(%error, "a document was not embedded");
            Stop::Failed(Failure::EmbeddingFailed)
        }
        _ => Stop::Error(error),
    }
}

struct Walk<'a> {
    app: &'a App,
    scope: TenantScope,
    job: &'a ClaimedJob,
}

impl Walk<'_> {
    async fn all(&self, payload: &Payload) -> Step<()> {
        let mut item = self.load(payload.document_id).await?;
        let generation = item.next_generation();
        let mut stale: Vec<String> = payload.stale.iter().cloned().collect();
        let mut whole = false;
        if item.building != Some(generation) {
            let fetched = payload.fetched && item.storage_path.is_some();
            if item.source == DocumentSource::Url && !fetched {
                stale.extend(timed(Stage::Fetching, self.fetch(&mut item)).await?);
            }
            let extracted = timed(Stage::Parsing, self.parse(&item)).await?;
            let chunks = timed(Stage::Chunking, self.cut(&item, &extracted)).await?;
            let vectors = if chunks.len() <= batch_size(&item) {
                Some(timed(Stage::Embedding, self.embed_batch(&item, &chunks)).await?)
            } else {
                None
            };
            let built = self.build(&item, &extracted, &chunks, vectors);
            whole = timed(Stage::Indexing, built).await?;
        }
        if !whole {
            timed(Stage::Embedding, self.embed(&item, generation)).await?;
            timed(Stage::Indexing, self.publish(self.begin().await?, &item)).await?;
        }
        self.catch_up(&item).await;
        for path in stale {
            if Some(&path) != item.storage_path.as_ref() {
                // It lies in the document's own folder and goes with that at the latest.
                drop(self.app.originals.delete(self.scope, &path).await);
            }
        }
        Ok(())
    }

    async fn load(&self, id: DocumentId) -> Step<IngestItem> {
        let tx = self.app.store.read(self.scope).await?;
        tx.ingest().load(id).await?.ok_or(Stop::Gone)
    }

    /// A transaction in which this worker is the only one that writes for the job.
    async fn begin(&self) -> Step<TenantTx> {
        let tx = self.app.store.begin(self.scope).await?;
        if !tx.jobs().holds(self.job).await? {
            return Err(Stop::LeaseLost);
        }
        Ok(tx)
    }

    async fn report(&self, id: DocumentId, stage: Stage, percent: i32) -> Step<()> {
        let tx = self.begin().await?;
        if !tx.ingest().report(id, stage, percent).await? {
            return Err(Stop::Gone);
        }
        tx.commit().await?;
        Ok(())
    }

    async fn cut(&self, item: &IngestItem, extracted: &Extracted) -> Step<Vec<NewChunk>> {
        let bytes: usize = extracted.segments.iter().map(|it| it.text.len()).sum();
        if bytes > WORTH_A_REPORT {
            self.report(item.id, Stage::Chunking, 55).await?;
        }
        // Every sentence is embedded where topics are looked for: that is the built-in model's
        // work, whoever makes the vectors that are searched.
        let builtin = EmbeddingConfig::default().first();
        let embedder = embeddings::embedder(self.app, self.scope, &builtin).await?;
        let config = &item.kb.chunking_config;
        let drafts = chunk_document(extracted, config, embedder.as_ref()).await??;
        let chunks = drafts.into_iter().map(|draft| NewChunk {
            id: ChunkId::generate(self.app.now()),
            index: draft.index,
            content: draft.content,
            tokens: draft.tokens,
            start_char: draft.start_char,
            end_char: draft.end_char,
            page_number: draft.page,
            pages: draft.pages,
            headings: draft.headings,
        });
        Ok(chunks.collect())
    }

    /// Charges for the text and writes its chunks down, in one transaction. With the vectors of
    /// all of them, readers see them at once and the job ends here; returns whether that is so.
    async fn build(
        &self,
        item: &IngestItem,
        extracted: &Extracted,
        chunks: &[NewChunk],
        vectors: Option<Vectors>,
    ) -> Step<bool> {
        let text = extracted.text();
        let tx = self.begin().await?;
        let now = tx.ingest().load(item.id).await?.ok_or(Stop::Gone)?;
        if (now.run, now.generation) != (item.run, item.generation) {
            // What was read is no longer what the document is.
            return Err(Stop::LeaseLost);
        }
        if documents::charged_later(item.source) {
            let plan = tx.profile().lock_plan().await?;
            let credits = processing_credits(text.len() as u64);
            let reference = documents::charge(item.id, item.run);
            limits::consume_credits(&tx, &plan, credits, PROCESS_DOCUMENT, &reference)
                .await
                .map_err(|error| match error.code() {
                    ErrorCode::CreditsExhausted => Stop::Failed(Failure::CreditsExhausted),
                    _ => Stop::Error(error),
                })?;
        }
        let preview = preview(&text, PREVIEW_CHARS);
        tx.ingest()
            .build(item, &text, &extracted.info, &preview, chunks)
            .await?;
        let Some((vectors, tokens)) = vectors else {
            tx.commit().await?;
            return Ok(false);
        };
        tx.ingest()
            .add_vectors(item.kb.id, &vector_model(item), &vectors, tokens)
            .await?;
        self.publish(tx, item).await?;
        Ok(true)
    }

    /// Has the engine take the document in now, so that nobody who searches waits for it. A search
    /// would do it all the same.
    async fn catch_up(&self, item: &IngestItem) {
        let partition = Partition::of(self.scope, item.kb.id);
        if let Err(error) = self.app.engine.catch_up(partition).await {
            tracing::warn!(kb.id = %item.kb.id, %error, "an engine is behind");
        }
    }

    /// Gives every chunk its vector, some batches at a time, each batch written down as it ends.
    async fn embed(&self, item: &IngestItem, generation: i32) -> Step<()> {
        let model = vector_model(item);
        let model = model.as_str();
        let tx = self.app.store.read(self.scope).await?;
        let total = tx
            .ingest()
            .load(item.id)
            .await?
            .ok_or(Stop::Gone)?
            .building_chunks;
        let mut done = tx
            .ingest()
            .count_vectors(item.id, generation, model)
            .await?;
        drop(tx);
        let batch = batch_size(item);
        let at_once = usize::try_from(item.kb.embedding_config.concurrent_batches)
            .unwrap_or(1)
            .max(1);
        let mut from = 0;
        loop {
            let tx = self.app.store.read(self.scope).await?;
            let waiting = tx
                .ingest()
                .unembedded(item.id, generation, model, from, (batch * at_once) as u64)
                .await?;
            drop(tx);
            let Some(last) = waiting.last() else {
                return Ok(());
            };
            from = last.index + 1;
            let mut batches = FuturesUnordered::new();
            for batch in waiting.chunks(batch) {
                batches.push(self.embed_batch(item, batch));
            }
            while let Some(vectors) = batches.next().await {
                let (vectors, tokens) = vectors?;
                done += vectors.len() as u64;
                let tx = self.begin().await?;
                let total = u64::try_from(total).unwrap_or(1).max(1);
                let percent = 60 + i32::try_from(done * 35 / total).unwrap_or(35).min(35);
                // The document before its knowledge base, as everybody who writes both does.
                if !tx
                    .ingest()
                    .report(item.id, Stage::Embedding, percent)
                    .await?
                {
                    return Err(Stop::Gone);
                }
                tx.ingest()
                    .add_vectors(item.kb.id, model, &vectors, tokens)
                    .await?;
                tx.commit().await?;
            }
        }
    }

    async fn embed_batch(&self, item: &IngestItem, batch: &[NewChunk]) -> Step<Vectors> {
        let title = item
            .title
            .as_deref()
            .filter(|_| item.kb.chunking_config.include_title);
        let texts: Vec<String> = batch
            .iter()
            .map(|chunk| embedding_text(title, &chunk.headings, &chunk.content))
            .collect();
        let config = item.kb.searched_with.first();
        let embedder = embeddings::embedder(self.app, self.scope, &config)
            .await
            .map_err(hopeless)?;
        let made = embedder.embed(&texts, Purpose::Passage).await;
        let vectors = made.map_err(|error| hopeless(error.into()))?.vectors;
        let tokens = batch.iter().map(|chunk| i64::from(chunk.tokens)).sum();
        let ids = batch.iter().map(|chunk| chunk.id);
        Ok((ids.zip(vectors).collect(), tokens))
    }

    /// Lets readers see it, and finishes the job with that.
    async fn publish(&self, tx: TenantTx, item: &IngestItem) -> Step<()> {
        if !tx.ingest().publish(item, item.next_generation()).await? {
            return Err(Stop::Gone);
        }
        // Publishing has locked the knowledge base: what it says now stays so until the end.
        let mut kb = tx.vectors().kb(item.kb.id).await?.ok_or(Stop::Gone)?;
        let first = kb.searched_with.first();
        if first.vector_model() != vector_model(item) {
            return Err(Error::internal("the model was changed meanwhile").into());
        }
        if first != kb.searched_with {
            tx.vectors().search_with(kb.id, &first).await?;
            kb.searched_with = first;
        }
        embeddings::order(self.app, &tx, &kb).await?;
        events::document(&tx, item.id, None).await?;
        if !tx.jobs().complete(self.job).await? {
            return Err(Stop::LeaseLost);
        }
        tx.commit().await?;
        Ok(())
    }
}

/// The model whose vectors the document gets before it can be found.
fn vector_model(item: &IngestItem) -> String {
    item.kb.searched_with.first().vector_model()
}

fn batch_size(item: &IngestItem) -> usize {
    usize::try_from(item.kb.embedding_config.batch_size)
        .unwrap_or(256)
        .max(1)
}

/// Keeps the document's state in step with its job's when that one ends or starts anew without
/// having been done, so that no document waits for a job that will not come.
pub(crate) async fn follow(
    tx: &TenantTx,
    payload: &serde_json::Value,
    status: DocumentStatus,
    failure: Option<Failure>,
) -> Result<()> {
    let Ok(payload) = serde_json::from_value::<Payload>(payload.clone()) else {
        return Ok(());
    };
    let locale = tx.profile().get().await?.locale;
    let language = Language::parse_or_default(locale.split('-').next().unwrap_or_default());
    let told = failure.map(|failure| (failure.code(), failure.message(language)));
    tx.ingest()
        .set_status(payload.document_id, status, told)
        .await?;
    match failure.filter(|_| status == DocumentStatus::Failed) {
        Some(failure) => {
            let told = Some((failure, language));
            events::document(tx, payload.document_id, told).await
        }
        None => Ok(()),
    }
}

/// What marks two documents as the same content.
pub(crate) fn content_hash(parts: &[&str]) -> String {
    token::hash(&parts.join("\n"))
}
