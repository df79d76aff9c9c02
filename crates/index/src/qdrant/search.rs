//! One look at a partition: complete, at one version, whatever is written meanwhile.

use super::collections::Collections;
use super::dense::{Near, Vectors};
use super::fault::{Fault, Outcome};
use super::filter::Filter;
use super::record::{Record, Records};
use super::server::Server;
use super::vocabulary::Vocabularies;
use super::words::Words;
use quipu_core::engine::{Found, Hit, Partition, Probe};
use quipu_core::{ChunkId, DocumentId};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// More is never asked for.
const MOST: usize = 1_000;

pub(super) struct Searcher {
    pub(super) server: Arc<Server>,
    pub(super) collections: Arc<Collections>,
    pub(super) records: Arc<Records>,
    pub(super) vocabularies: Vocabularies,
    pub(super) exact_matches: u64,
    pub(super) exact_vectors: u64,
}

/// What is found where there is nothing.
pub(super) fn nothing(probe: &Probe) -> Found {
    Found {
        hits: Vec::new(),
        known: vec![false; probe.question.concepts.len()],
        chunks: 0,
    }
}

impl Searcher {
    /// Searches a partition at the version of its record, or finds that it changed meanwhile.
    pub(super) async fn search(
        &self,
        partition: Partition,
        record: &Record,
        probe: &Probe,
    ) -> Outcome<Found> {
        if record.chunks == 0 {
            return Ok(nothing(probe));
        }
        let found = self.look(partition, record, probe).await;
        if !matches!(found, Ok(_) | Err(Fault::Damaged(_))) {
            return found;
        }
        // All calls of the search saw the same only if nothing of that version was deleted yet.
        let now = self.records.read(partition).await?;
        let same = now.is_some_and(|now| {
            now.incarnation == record.incarnation && now.floor <= record.version
        });
        if same { found } else { Err(Fault::Changed) }
    }

    async fn look(&self, partition: Partition, record: &Record, probe: &Probe) -> Outcome<Found> {
        let limit = probe.limit.min(MOST);
        let only: Option<HashSet<DocumentId>> = probe
            .documents
            .as_ref()
            .map(|documents| documents.iter().copied().collect());
        let collection = self.collections.words().await?;
        let words = Words {
            server: &self.server,
            vocabularies: &self.vocabularies,
            collection: &collection,
            partition,
            record,
            exact_matches: self.exact_matches,
        };
        let vectors = self.vectors(partition, record, probe);
        let vectors = vectors.await?;
        let vectors = vectors
            .as_ref()
            .map(|(collection, model, vector, count)| Vectors {
                server: &self.server,
                collection,
                partition,
                record,
                model,
                vector,
                count: *count,
                exact: self.exact_vectors,
            });
        let none = only.as_ref().is_some_and(HashSet::is_empty);
        let nearest = async {
            match &vectors {
                Some(vectors) if !none => {
                    let documents: Option<Vec<DocumentId>> =
                        only.as_ref().map(|only| only.iter().copied().collect());
                    vectors.nearest(documents.as_deref(), limit as u64).await
                }
                _ => Ok(Vec::new()),
            }
        };
        let (mut measured, nearest, ()) = futures::try_join!(
            words.search(probe, if none { 0 } else { limit as u64 }),
            nearest,
            self.complete(&collection, partition, record),
        )?;
        let mut hits: BTreeMap<ChunkId, (DocumentId, Option<f32>)> = BTreeMap::new();
        let measure = |hits: &mut BTreeMap<_, _>, near: Vec<Near>| {
            for near in near {
                hits.insert(near.chunk, (near.document, Some(near.cosine)));
            }
        };
        measure(&mut hits, nearest);
        let by_vector: Vec<ChunkId> = hits.keys().copied().collect();
        words.complete(&mut measured, &by_vector).await?;
        let by_words = measured.best(only.as_ref(), limit);
        let unmeasured: Vec<ChunkId> = by_words
            .iter()
            .map(|(chunk, _)| *chunk)
            .filter(|chunk| !hits.contains_key(chunk))
            .collect();
        for (chunk, document) in by_words {
            hits.entry(chunk).or_insert((document, None));
        }
        if let Some(vectors) = &vectors {
            measure(&mut hits, vectors.of(&unmeasured).await?);
        }
        let hits = hits.into_iter().map(|(chunk, (document, cosine))| {
            let score = measured.of(chunk);
            Hit {
                chunk,
                document,
                cosine,
                coverage: score.coverage,
                relevance: score.relevance,
            }
        });
        Ok(Found {
            hits: hits.collect(),
            known: measured.known.clone(),
            chunks: usize::try_from(record.chunks).unwrap_or(usize::MAX),
        })
    }

    /// Where the vectors of the probe's model are, and how many, if there are any.
    async fn vectors<'p>(
        &self,
        partition: Partition,
        record: &Record,
        probe: &'p Probe,
    ) -> Outcome<Option<(String, &'p str, &'p [f32], u64)>> {
        let Some((model, vector)) = &probe.dense else {
            return Ok(None);
        };
        let mut models = record.models.iter();
        let known = models.find(|m| m.name == *model && m.dimensions == vector.len());
        let Some(known) = known else {
            tracing::debug!(
                knowledge_base.id = %partition.knowledge_base(),
                "The knowledge base has no vectors of the model of the question"
            );
            return Ok(None);
        };
        let collection = self.collections.vectors(known.dimensions).await?;
        Ok(Some((collection, model, vector, known.vectors)))
    }

    /// Makes sure that all chunks are there that were written.
    async fn complete(
        &self,
        collection: &str,
        partition: Partition,
        record: &Record,
    ) -> Outcome<()> {
        let filter = Filter::of(partition).at(record.version);
        let there = self.server.count(collection, &filter).await?;
        if there == record.chunks {
            return Ok(());
        }
        let what = format!("{there} of {} chunks are there", record.chunks);
        Err(Fault::Damaged(what))
    }
}
