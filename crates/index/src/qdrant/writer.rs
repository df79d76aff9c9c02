//! Takes portions of the change log into a partition, unseen by searches until all of them are in.
//!
//! Every point tells the version with which it began to count and the one with which it no longer
//! does. A writer adds the new points of a document and sets the end of the old ones; searches,
//! which look at the version of the record, see neither. Then the version of the record moves, and
//! with it what searches see, all at once. What is left of a writer that died is points of a future
//! that never came: whoever claims the partition next takes them back first.

use super::collections::Collections;
use super::fault::{Fault, Outcome};
use super::filter::Filter;
use super::point::{self, FOREVER, field};
use super::record::{Claim, Model, REACHED, Record, Records, TIDY, VERSION};
use super::server::Server;
use quipu_core::engine::{Changes, DocumentEntries};
use quipu_core::{DocumentId, Error};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// How many documents one call is about.
const DOCUMENTS: usize = 500;

pub(super) struct Writer {
    pub(super) server: Arc<Server>,
    pub(super) collections: Arc<Collections>,
    pub(super) records: Arc<Records>,
}

#[derive(Deserialize)]
struct Valued<T> {
    value: T,
    count: u64,
}

impl Writer {
    /// Undoes what a writer before left unfinished.
    pub(super) async fn tidy(&self, claim: &Claim, record: &Record) -> Outcome<()> {
        if record.tidy {
            return Ok(());
        }
        let all = Filter::of(claim.partition);
        let unborn = all.clone().born_after(record.reached);
        let unended = all.ended_after(record.reached);
        for collection in self.collections.all().await? {
            self.server.delete(&collection, &unborn).await?;
            let forever = json!({ field::ENDED: FOREVER });
            self.server.set(&collection, &forever, &unended).await?;
        }
        Ok(())
    }

    /// Takes in a portion.
    pub(super) async fn apply(
        &self,
        claim: &Claim,
        record: Record,
        changes: &Changes,
    ) -> Outcome<Record> {
        let mut record = record;
        let mut version = record.reached;
        if changes.from_start && changes.version <= version {
            // The versions begin again, so that none of the old ones means anything any more.
            record = self.empty(claim).await?;
            version = 0;
        }
        if changes.version <= version {
            if changes.documents.is_empty() {
                return Ok(record);
            }
            let beyond = "the change log has changes of a version that it was read beyond";
            return Err(Fault::Log(Error::internal(beyond)));
        }
        let born = changes.version;
        // Each replaces whatever is known of that document, be it from the same portion.
        let documents: HashMap<DocumentId, &DocumentEntries> = changes
            .documents
            .iter()
            .map(|document| (document.document, document))
            .collect();
        self.add(claim, &documents, born).await?;
        let old = Filter::of(claim.partition).without_end().born_before(born);
        let filters: Vec<Filter> = if changes.from_start {
            vec![old]
        } else {
            let ids: Vec<DocumentId> = documents.keys().copied().collect();
            let portions = ids.chunks(DOCUMENTS);
            portions.map(|ids| old.clone().documents(ids)).collect()
        };
        if !filters.is_empty() {
            for collection in self.collections.all().await? {
                for filter in &filters {
                    let ended = json!({ field::ENDED: born });
                    self.server.set(&collection, &ended, filter).await?;
                }
            }
        }
        let change = json!({ REACHED: born });
        self.records.change(claim, &change).await
    }

    async fn add(
        &self,
        claim: &Claim,
        documents: &HashMap<DocumentId, &DocumentEntries>,
        born: i64,
    ) -> Outcome<()> {
        let partition = claim.partition;
        let mut by_words = Vec::new();
        let mut by_size: BTreeMap<usize, Vec<Value>> = BTreeMap::new();
        for (&id, document) in documents {
            for entry in &document.entries {
                by_words.push(point::of_words(partition, id, entry, born));
                for (model, vector) in &entry.vectors {
                    let vectored = (model.as_str(), vector.as_slice());
                    let point = point::of_vector(partition, id, entry.chunk, vectored, born);
                    by_size.entry(vector.len()).or_default().push(point);
                }
            }
        }
        let words = self.collections.words().await?;
        self.server.upsert(&words, by_words).await?;
        for (dimensions, points) in by_size {
            // A vector without dimensions is near nothing.
            if dimensions > 0 {
                let collection = self.collections.vectors(dimensions).await?;
                self.server.upsert(&collection, points).await?;
            }
        }
        Ok(())
    }

    /// Lets searches see what was taken in, and forgets what they no longer see.
    pub(super) async fn publish(&self, claim: &Claim, record: &Record) -> Outcome<Record> {
        let version = record.reached;
        let seen = Filter::of(claim.partition).at(version);
        let words = self.collections.words().await?;
        // What was counted together once could be counted wrongly ever after; this counts anew.
        let lengths: Vec<Valued<u64>> = self.server.values(&words, field::LENGTH, &seen).await?;
        let chunks: u64 = lengths.iter().map(|length| length.count).sum();
        let length: u64 = lengths
            .iter()
            .map(|length| length.value * length.count)
            .sum();
        let vectors = self.collections.all_vectors().await?;
        let mut models = Vec::new();
        for (collection, dimensions) in &vectors {
            let found: Vec<Valued<String>> =
                self.server.values(collection, field::MODEL, &seen).await?;
            models.extend(found.into_iter().map(|found| Model {
                name: found.value,
                dimensions: *dimensions,
                vectors: found.count,
            }));
        }
        let change = json!({
            VERSION: version,
            "floor": version,
            "chunks": chunks,
            "length": length,
            "models": models,
        });
        self.records.change(claim, &change).await?;
        let gone = Filter::of(claim.partition).ended_by(version);
        self.server.delete(&words, &gone).await?;
        for (collection, _) in &vectors {
            self.server.delete(collection, &gone).await?;
        }
        self.records.change(claim, &json!({ TIDY: true })).await
    }

    /// Forgets all of a partition but its record.
    pub(super) async fn empty(&self, claim: &Claim) -> Outcome<Record> {
        let record = self.records.reset(claim).await?;
        let all = Filter::of(claim.partition);
        for collection in self.collections.all().await? {
            self.server.delete(&collection, &all).await?;
            if self.server.count(&collection, &all).await? > 0 {
                return Err(Fault::Damaged(format!("{collection} was not emptied")));
            }
        }
        Ok(record)
    }
}
