//! The engine that keeps partitions on a Qdrant server or cluster.
//!
//! Three kinds of collections hold everything. One has a record of each partition: how far the
//! change log was taken in and how many chunks there are. One has a point for each chunk with its
//! words, as a sparse vector and as what they are measured by. And for each number of dimensions
//! there is one with a point for each vector. Words are apart from vectors because a chunk may have
//! vectors of several models, as while a knowledge base changes its model, or none at all; its
//! words are there once nevertheless, and a search by words looks in one place.
//!
//! Tenants share the collections. Every call names the tenant and the knowledge base, by which the
//! collections are indexed; the name of each point follows from them too, and a point that comes
//! back with another name than it should have is an error and not a hit.
//!
//! Qdrant 1.12 or later is needed, for the counting of values.

mod collections;
mod dense;
mod fault;
mod filter;
mod keeper;
mod point;
mod record;
mod search;
mod server;
mod settings;
mod vocabulary;
mod wire;
mod words;
mod writer;

pub use settings::QdrantSettings;

use async_trait::async_trait;
use collections::Collections;
use fault::{Fault, Outcome};
use filter::Filter;
use keeper::{Goal, Keeper};
use quipu_core::engine::{ChangeLog, Engine, Found, Partition, Probe};
use quipu_core::retrieval::RetrievalScope;
use quipu_core::{DocumentId, KnowledgeBaseId, Result, TenantId};
use record::Records;
use search::{Searcher, nothing};
use server::Server;
use std::sync::Arc;
use vocabulary::Vocabularies;
use writer::Writer;

/// How often a search looks at a partition that changes under its eyes, before it has the writers
/// of this process wait.
const GLANCES: usize = 3;
/// How often it looks at all.
const LOOKS: usize = 12;

/// Keeps words and vectors of all knowledge bases on a Qdrant server.
pub struct QdrantEngine {
    server: Arc<Server>,
    collections: Arc<Collections>,
    records: Arc<Records>,
    keeper: Arc<Keeper>,
    searcher: Searcher,
}

impl QdrantEngine {
    /// Does not speak to the server yet: it may be away while this process starts.
    ///
    /// # Errors
    /// When the address or the certificates are of no use.
    pub fn new(settings: &QdrantSettings, log: Arc<dyn ChangeLog>) -> Result<Self> {
        let server = Arc::new(Server::new(settings)?);
        let collections = Arc::new(Collections::new(settings, Arc::clone(&server)));
        let records = Arc::new(Records::new(Arc::clone(&server), Arc::clone(&collections)));
        let writer = Writer {
            server: Arc::clone(&server),
            collections: Arc::clone(&collections),
            records: Arc::clone(&records),
        };
        let silence = settings.writer_silence;
        let keeper = Keeper::new(Arc::clone(&records), writer, log, silence);
        let searcher = Searcher {
            server: Arc::clone(&server),
            collections: Arc::clone(&collections),
            records: Arc::clone(&records),
            vocabularies: Vocabularies::default(),
            exact_matches: settings.exact_matches,
            exact_vectors: settings.exact_vectors,
        };
        Ok(Self {
            server,
            collections,
            records,
            keeper: Arc::new(keeper),
            searcher,
        })
    }

    /// Remembers what a fault says about the collections, and makes an error of it.
    fn noted<T>(&self, outcome: Outcome<T>) -> Result<T> {
        outcome.map_err(|fault| {
            self.collections.notice(&fault);
            fault.into()
        })
    }

    async fn find(&self, partition: Partition, probe: &Probe) -> Outcome<Found> {
        let mut rebuilt = false;
        for look in 0..LOOKS {
            let goal = Goal::Version(probe.version);
            let slot = self.keeper.slot(partition);
            let current = self.records.read(partition).await?;
            let current = current.filter(|record| record.version >= probe.version);
            let record = match current {
                Some(record) => Some(record),
                None => self.keeper.reach(partition, goal).await?,
            };
            let Some(mut record) = record else {
                return Ok(nothing(probe));
            };
            let quiet = if look < GLANCES {
                None
            } else {
                let desk = slot.desk.lock().await;
                match self.records.read(partition).await? {
                    Some(now) if now.version >= probe.version => record = now,
                    // It was emptied meanwhile and is behind again.
                    _ => continue,
                }
                Some(desk)
            };
            match self.searcher.search(partition, &record, probe).await {
                Err(Fault::Changed) => {}
                Err(Fault::Damaged(what)) if !rebuilt => {
                    drop(quiet);
                    rebuilt = true;
                    self.rebuild(partition, &record, &what).await?;
                }
                found => return found,
            }
        }
        Err(Fault::Changed)
    }

    async fn rebuild(
        &self,
        partition: Partition,
        broken: &record::Record,
        what: &str,
    ) -> Outcome<()> {
        let (tenant, kb) = (partition.tenant(), partition.knowledge_base());
        tracing::warn!(
            tenant.id = %tenant,
            knowledge_base.id = %kb,
            cause = what,
            "The search index of knowledge base {kb} of tenant {tenant} is not whole and is read \
             again from the database"
        );
        let goal = Goal::Anew(broken.incarnation);
        self.keeper.reach(partition, goal).await.map(drop)
    }

    async fn counted(&self, partition: Partition, only: Option<&[DocumentId]>) -> Outcome<u64> {
        if only.is_some_and(<[DocumentId]>::is_empty) {
            return Ok(0);
        }
        let collection = self.collections.words().await?;
        let mut filter = Filter::of(partition);
        if let Some(record) = self.records.read(partition).await? {
            filter = filter.at(record.version);
        }
        if let Some(documents) = only {
            filter = filter.documents(documents);
        }
        self.server.count(&collection, &filter).await
    }
}

#[async_trait]
impl Engine for QdrantEngine {
    fn name(&self) -> &'static str {
        "qdrant"
    }

    async fn search(
        &self,
        scope: &RetrievalScope,
        kb: KnowledgeBaseId,
        probe: &Probe,
    ) -> Result<Found> {
        let Some(partition) = scope.partition(kb) else {
            return Ok(Found::default());
        };
        self.noted(self.find(partition, probe).await)
    }

    async fn catch_up(&self, partition: Partition) -> Result<()> {
        let reached = self.keeper.reach(partition, Goal::End).await;
        self.noted(reached).map(drop)
    }

    async fn remove(&self, partition: Partition) -> Result<u64> {
        self.noted(self.keeper.remove(partition).await)
    }

    async fn count(&self, partition: Partition) -> Result<u64> {
        self.noted(self.counted(partition, None).await)
    }

    async fn count_of(&self, partition: Partition, documents: &[DocumentId]) -> Result<u64> {
        self.noted(self.counted(partition, Some(documents)).await)
    }

    async fn partitions(&self, tenant: Option<TenantId>) -> Result<Vec<Partition>> {
        let listed = self.noted(self.records.list(tenant).await)?;
        Ok(listed.into_iter().map(|(partition, _)| partition).collect())
    }

    async fn reached(&self) -> Result<Vec<(Partition, i64)>> {
        self.noted(self.records.list(None).await)
    }

    async fn reachable(&self) -> Result<()> {
        self.noted(self.server.collections().await).map(drop)
    }
}
