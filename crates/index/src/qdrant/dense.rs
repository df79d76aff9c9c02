//! The chunks whose vectors are nearest to a question's.

use super::fault::{Fault, Outcome};
use super::filter::Filter;
use super::point::{DENSE, Point};
use super::record::Record;
use super::server::Server;
use quipu_core::engine::Partition;
use quipu_core::{ChunkId, DocumentId};
use serde_json::{Value, json};

/// How far the graph is looked through for each chunk that is wanted, and how far at least.
const LOOK: u64 = 8;
const LEAST_LOOK: u64 = 512;

/// The vectors of one model in a partition, as one search sees them.
pub(super) struct Vectors<'a> {
    pub(super) server: &'a Server,
    pub(super) collection: &'a str,
    pub(super) partition: Partition,
    pub(super) record: &'a Record,
    pub(super) model: &'a str,
    pub(super) vector: &'a [f32],
    /// How many there should be.
    pub(super) count: u64,
    /// Up to so many are all compared.
    pub(super) exact: u64,
}

/// A chunk with its cosine.
pub(super) struct Near {
    pub(super) chunk: ChunkId,
    pub(super) document: DocumentId,
    pub(super) cosine: f32,
}

impl Vectors<'_> {
    fn seen(&self) -> Filter {
        let seen = Filter::of(self.partition).at(self.record.version);
        seen.model(self.model)
    }

    /// The nearest, of some documents or of all.
    pub(super) async fn nearest(
        &self,
        documents: Option<&[DocumentId]>,
        limit: u64,
    ) -> Outcome<Vec<Near>> {
        let seen = self.seen();
        let there = self.server.count(self.collection, &seen).await?;
        if there != self.count {
            let what = format!("{there} of {} vectors are there", self.count);
            return Err(Fault::Damaged(what));
        }
        let (filter, there) = match documents {
            Some(documents) => {
                let filter = seen.documents(documents);
                let there = self.server.count(self.collection, &filter).await?;
                (filter, there)
            }
            None => (seen, there),
        };
        let wanted = limit.min(there);
        if wanted == 0 {
            return Ok(Vec::new());
        }
        if there > self.exact {
            let look = wanted.saturating_mul(LOOK).max(LEAST_LOOK);
            let found = self.query(&filter, wanted, json!({ "hnsw_ef": look }));
            let found = found.await?;
            if found.len() as u64 == wanted {
                return Ok(found);
            }
            // A graph may lose its way among filtered points; a look at each of them does not.
        }
        let found = self
            .query(&filter, wanted, json!({ "exact": true }))
            .await?;
        if found.len() as u64 == wanted {
            return Ok(found);
        }
        let what = format!("{} of {wanted} nearest vectors came back", found.len());
        Err(Fault::Damaged(what))
    }

    /// The cosines of some chunks, as far as they have a vector.
    pub(super) async fn of(&self, chunks: &[ChunkId]) -> Outcome<Vec<Near>> {
        if chunks.is_empty() {
            return Ok(Vec::new());
        }
        let filter = self.seen().chunks(chunks);
        let exact = json!({ "exact": true });
        self.query(&filter, chunks.len() as u64, exact).await
    }

    async fn query(&self, filter: &Filter, limit: u64, params: Value) -> Outcome<Vec<Near>> {
        let query = (DENSE, json!(self.vector));
        let found = self
            .server
            .query(self.collection, query, filter, (limit, params), &[])
            .await?;
        let near = |point: Point| {
            point.checked(self.partition, self.model)?;
            Ok(Near {
                chunk: point.chunk(),
                document: point.document(),
                cosine: point.score,
            })
        };
        found.into_iter().map(near).collect()
    }
}
