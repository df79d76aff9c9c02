//! What search engines are told: the change log of the database, read as engines keep it.

use crate::App;
use async_trait::async_trait;
use quipu_core::analysis::TermReader;
use quipu_core::engine::{
    ChangeLog, Changes, DocumentEntries, Engine, Entry, Found, Partition, Probe,
};
use quipu_core::language::Language;
use quipu_core::retrieval::RetrievalScope;
use quipu_core::tenancy::TenantScope;
use quipu_core::{DocumentId, Error, KnowledgeBaseId, Result, TenantId};
use quipu_store::Store;
use quipu_store::tenant::IndexedDocument;
use std::collections::HashMap;

/// Documents that are looked at for one portion.
const DOCUMENTS: u64 = 256;
/// Chunks after which a portion is large enough. One document may have more: it is taken in whole.
const CHUNKS: i32 = 2_000;

/// The change log of every tenant. A partition names its tenant, and each portion is read through
/// that tenant's own door.
pub struct DatabaseLog {
    store: Store,
}

impl DatabaseLog {
    #[must_use]
    pub fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl ChangeLog for DatabaseLog {
    async fn changes(&self, partition: Partition, since: i64) -> Result<Changes> {
        let kb = partition.knowledge_base();
        let tx = self.store.read(TenantScope::of(partition.tenant())).await?;
        let Some(language) = tx.index_changes().language(kb).await? else {
            // It was deleted: there is nothing to find, however far the engine had come.
            return Ok(Changes {
                from_start: true,
                ..Changes::default()
            });
        };
        let versions = tx.index_changes().versions(&[kb]).await?;
        // Whoever is ahead of the database knows things that never were, as after a backup was put
        // back, and begins anew.
        let from_start = versions.get(&kb).is_some_and(|&version| version < since);
        let since = if from_start { 0 } else { since };
        let mut changes = tx.index_changes().since(kb, since, DOCUMENTS).await?;
        let found = changes.len();
        let mut chunks = 0;
        let enough = changes.iter().position(|change| {
            chunks += change.chunks;
            chunks >= CHUNKS
        });
        changes.truncate(enough.map_or(found, |last| last + 1));
        let more = changes.len() < found || found as u64 == DOCUMENTS;
        let Some(last) = changes.last() else {
            return Ok(Changes {
                version: since,
                from_start,
                ..Changes::default()
            });
        };
        let version = last.version;
        let ids: Vec<DocumentId> = changes.iter().map(|change| change.document).collect();
        let loaded = tx.index_changes().load(kb, &ids).await?;
        drop(tx);
        // Reading the terms of many chunks takes a while, which the tasks beside us must not wait for.
        let documents = tokio::task::spawn_blocking(move || entries(&ids, loaded, language))
            .await
            .map_err(Error::internal)?;
        Ok(Changes {
            documents,
            version,
            more,
            from_start,
        })
    }
}

/// Has the engine forget knowledge bases that are gone, since another process may have deleted them,
/// and those of which it knows more than the database, since a backup may have been put back.
///
/// # Errors
/// When the database or the engine cannot be reached.
pub async fn sweep(app: &App) -> Result<u64> {
    // In this order, so that the database is at least as far as the engine.
    let held = app.engine.partitions(None).await?;
    let reached: HashMap<Partition, i64> = app.engine.reached().await?.into_iter().collect();
    let tx = app.store.platform_read().await?;
    let versions = tx.upkeep().knowledge_bases().await?;
    drop(tx);
    let mut forgotten = 0;
    for partition in held {
        let version = versions.get(&partition);
        let ahead = version
            .zip(reached.get(&partition))
            .is_some_and(|(v, r)| v < r);
        if ahead {
            let (tenant, kb) = (partition.tenant(), partition.knowledge_base());
            tracing::warn!(
                tenant.id = %tenant,
                knowledge_base.id = %kb,
                "The search index of knowledge base {kb} of tenant {tenant} is ahead of the database, \
                 as after a backup was put back, and is made anew"
            );
        }
        if ahead || version.is_none() {
            forgotten += app.engine.remove(partition).await?;
        }
    }
    Ok(forgotten)
}

/// What a reindexing did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reindexed {
    pub knowledge_bases: usize,
    pub chunks: u64,
}

/// Makes the index of one knowledge base, of one tenant or of all anew from the database, and tells
/// of each how many chunks it has.
///
/// # Errors
/// `NOT_FOUND` when there is nothing of the kind, or when the database or the engine fails.
pub async fn reindex(
    app: &App,
    tenant: Option<TenantId>,
    kb: Option<KnowledgeBaseId>,
    told: &(dyn Fn(Partition, u64) + Send + Sync),
) -> Result<Reindexed> {
    if tenant.is_none() && kb.is_none() {
        sweep(app).await?;
    }
    let tx = app.store.platform_read().await?;
    let mut partitions = tx.upkeep().knowledge_bases().await?;
    drop(tx);
    partitions.retain(|partition, _| {
        tenant.is_none_or(|tenant| partition.tenant() == tenant)
            && kb.is_none_or(|kb| partition.knowledge_base() == kb)
    });
    if partitions.is_empty() && kb.is_some() {
        return Err(Error::not_found("knowledge_base"));
    }
    let mut done = Reindexed::default();
    for partition in partitions.into_keys() {
        app.engine.remove(partition).await?;
        app.engine.catch_up(partition).await?;
        let chunks = app.engine.count(partition).await?;
        told(partition, chunks);
        done.knowledge_bases += 1;
        done.chunks += chunks;
    }
    Ok(done)
}

/// The engine of a process that answers no questions: it holds nothing, and nobody searches it.
pub struct Unsearched;

#[async_trait]
impl Engine for Unsearched {
    fn name(&self) -> &'static str {
        "none"
    }

    async fn search(&self, _: &RetrievalScope, _: KnowledgeBaseId, _: &Probe) -> Result<Found> {
        Err(Error::internal("this process does not search"))
    }

    async fn catch_up(&self, _: Partition) -> Result<()> {
        Ok(())
    }

    async fn remove(&self, _: Partition) -> Result<u64> {
        Ok(0)
    }

    async fn count(&self, _: Partition) -> Result<u64> {
        Ok(0)
    }

    async fn count_of(&self, _: Partition, _: &[DocumentId]) -> Result<u64> {
        Ok(0)
    }

    async fn partitions(&self, _: Option<TenantId>) -> Result<Vec<Partition>> {
        Ok(Vec::new())
    }
}

fn entries(
    ids: &[DocumentId],
    loaded: Vec<IndexedDocument>,
    language: Language,
) -> Vec<DocumentEntries> {
    let mut by_id: HashMap<DocumentId, Vec<Entry>> = loaded
        .into_iter()
        .map(|document| (document.id, read(document, language)))
        .collect();
    ids.iter()
        .map(|id| DocumentEntries {
            document: *id,
            entries: by_id.remove(id).unwrap_or_default(),
        })
        .collect()
}

fn read(document: IndexedDocument, language: Language) -> Vec<Entry> {
    let mut vectors = Vec::with_capacity(document.chunks.len());
    let mut chunks = document.chunks;
    for chunk in &mut chunks {
        vectors.push(std::mem::take(&mut chunk.vectors));
    }
    let mut reader = TermReader::new(language);
    let title = reader.read(document.title.as_deref().unwrap_or_default());
    chunks
        .iter()
        .zip(vectors)
        .map(|(chunk, vectors)| {
            let mut title_terms = title.clone();
            for heading in &chunk.headings {
                title_terms.extend(reader.read(heading));
            }
            // A heading that repeats the title says nothing more.
            title_terms.sort_unstable();
            title_terms.dedup();
            Entry {
                chunk: chunk.id,
                terms: reader.read(&chunk.content),
                title_terms,
                vectors,
            }
        })
        .collect()
}
