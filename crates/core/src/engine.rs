//! What a search engine keeps, is asked and answers.
//!
//! A knowledge base is one partition. Engines keep what they are told of the database's change log
//! and nothing else: whatever they hold can be dropped and read again. They find candidates and
//! measure them; what the measures are worth is decided by `knowledge`, for all engines alike.

use crate::analysis::Question;
use crate::retrieval::RetrievalScope;
use crate::tenancy::TenantScope;
use crate::{ChunkId, DocumentId, KnowledgeBaseId, Result, TenantId};
use async_trait::async_trait;

/// The part of an engine that belongs to one knowledge base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Partition {
    tenant: TenantId,
    knowledge_base: KnowledgeBaseId,
}

impl Partition {
    #[must_use]
    pub fn of(scope: TenantScope, knowledge_base: KnowledgeBaseId) -> Self {
        Self {
            tenant: scope.tenant_id(),
            knowledge_base,
        }
    }

    /// A partition by the names under which an engine keeps it. It opens nothing: whoever searches
    /// needs a scope.
    #[must_use]
    pub fn named(tenant: TenantId, knowledge_base: KnowledgeBaseId) -> Self {
        Self {
            tenant,
            knowledge_base,
        }
    }

    #[must_use]
    pub fn tenant(self) -> TenantId {
        self.tenant
    }

    #[must_use]
    pub fn knowledge_base(self) -> KnowledgeBaseId {
        self.knowledge_base
    }
}

impl RetrievalScope {
    /// The partition of a knowledge base that this scope may read.
    #[must_use]
    pub fn partition(&self, kb: KnowledgeBaseId) -> Option<Partition> {
        self.contains(kb).then(|| Partition {
            tenant: self.tenant(),
            knowledge_base: kb,
        })
    }
}

/// A chunk as an engine keeps it.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub chunk: ChunkId,
    /// The [`terms`](crate::analysis::terms) of its content, as often as they occur.
    pub terms: Vec<String>,
    /// Those of the document's title and of the headings above the chunk.
    pub title_terms: Vec<String>,
    /// Its vectors, each with the name and version of its model. All vectors of a model have the
    /// same length and are normalised, or zero.
    pub vectors: Vec<(String, Vec<f32>)>,
}

/// All that can be found of a document: nothing, when it was deleted or disabled.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentEntries {
    pub document: DocumentId,
    pub entries: Vec<Entry>,
}

/// A portion of what changed in a partition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Each replaces whatever is known of that document.
    pub documents: Vec<DocumentEntries>,
    /// The version that is reached with this portion.
    pub version: i64,
    /// There is more after that version.
    pub more: bool,
    /// The log no longer reaches back to what was asked for: everything before this portion is to
    /// be forgotten. Such a portion ends where the log reaches back to, or later: going on after
    /// it does not begin anew.
    pub from_start: bool,
}

/// Reads the change log of partitions.
#[async_trait]
pub trait ChangeLog: Send + Sync {
    /// What changed after version `since`, oldest first, a portion at a time; from 0, everything
    /// there is.
    ///
    /// # Errors
    /// When the database cannot be read.
    async fn changes(&self, partition: Partition, since: i64) -> Result<Changes>;
}

/// One question to one partition.
#[derive(Clone, Debug)]
pub struct Probe {
    /// Changes up to this version must be seen.
    pub version: i64,
    pub question: Question,
    /// The question as a vector, with the model that made it.
    pub dense: Option<(String, Vec<f32>)>,
    /// Only these documents, when given.
    pub documents: Option<Vec<DocumentId>>,
    /// The best so many by their vector and the best so many by their words come back.
    pub limit: usize,
}

/// A chunk that was found, measured both ways however it was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    pub chunk: ChunkId,
    pub document: DocumentId,
    /// `None` when the probe has no vector or the chunk has none of its model.
    pub cosine: Option<f32>,
    /// The share of the question's ideas that the chunk has, rare ones weighing more; 0 to 1.
    pub coverage: f32,
    /// BM25 as a share of the highest value the question could reach; 0 to 1.
    pub relevance: f32,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    pub hits: Vec<Hit>,
    /// For each idea of the question, whether some chunk of the partition has it.
    pub known: Vec<bool>,
    /// How many chunks the partition holds.
    pub chunks: usize,
}

/// Finds the chunks of a partition that may answer a question.
#[async_trait]
pub trait Engine: Send + Sync {
    fn name(&self) -> &'static str;

    /// Searches one knowledge base of the scope. One outside of it is as if it were not there.
    ///
    /// # Errors
    /// When the engine cannot be reached or the change log not be read.
    async fn search(
        &self,
        scope: &RetrievalScope,
        kb: KnowledgeBaseId,
        probe: &Probe,
    ) -> Result<Found>;

    /// Takes in what changed, so that nobody waits for it who searches.
    ///
    /// # Errors
    /// When the engine cannot be reached or the change log not be read.
    async fn catch_up(&self, partition: Partition) -> Result<()>;

    /// Forgets a partition. Returns how many chunks it held.
    ///
    /// # Errors
    /// When something is left.
    async fn remove(&self, partition: Partition) -> Result<u64>;

    /// How many chunks a partition holds.
    ///
    /// # Errors
    /// When the engine cannot be reached.
    async fn count(&self, partition: Partition) -> Result<u64>;

    /// How many chunks of these documents a partition holds.
    ///
    /// # Errors
    /// When the engine cannot be reached.
    async fn count_of(&self, partition: Partition, documents: &[DocumentId]) -> Result<u64>;

    /// The partitions that the engine holds, of one tenant or of all.
    ///
    /// # Errors
    /// When the engine cannot be reached.
    async fn partitions(&self, tenant: Option<TenantId>) -> Result<Vec<Partition>>;

    /// How far each partition has come, of an engine that keeps them outside of the database. One
    /// that is ahead of it is from a history that the database no longer has, as after a backup
    /// was put back.
    ///
    /// # Errors
    /// When the engine cannot be reached.
    async fn reached(&self) -> Result<Vec<(Partition, i64)>> {
        Ok(Vec::new())
    }

    /// Whether the engine is there. One inside this process or its database is.
    ///
    /// # Errors
    /// `SEARCH_UNAVAILABLE` when it cannot be reached.
    async fn reachable(&self) -> Result<()> {
        Ok(())
    }
}

/// A vector somewhere beside one that is kept, as a question lies beside what answers it. With these
/// an engine tries out its graphs: asked for a vector that it holds, even a bad one finds the way.
#[must_use]
pub fn beside(vector: &[f32], number: u64) -> Vec<f32> {
    let mut state = number;
    let mut chance = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        let bytes = z.to_le_bytes();
        bytes[..4]
            .iter()
            .map(|&b| f32::from(b) / 256.0 - 0.498)
            .sum()
    };
    let noise: Vec<f32> = vector.iter().map(|_| chance()).collect();
    let length = |vector: &[f32]| vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    let part = length(vector) / length(&noise).max(f32::MIN_POSITIVE);
    let mut beside: Vec<f32> = vector
        .iter()
        .zip(&noise)
        .map(|(x, n)| x + part * n)
        .collect();
    let length = length(&beside).max(f32::MIN_POSITIVE);
    for x in &mut beside {
        *x /= length;
    }
    beside
}
