//! How well the words of chunks answer a question.
//!
//! What Qdrant finds is measured here, by the terms themselves and the statistics of the one
//! partition, as every engine measures. Where few chunks have a word of the question, all of them
//! are looked at. Where many have one, how many have which idea is counted, and the sparse vectors
//! say which chunks to look at: the question carries the weights of this partition, so that it
//! does not matter what is rare or frequent elsewhere.

mod measured;

use super::fault::{Fault, Outcome};
use super::filter::Filter;
use super::point::{self, ASKED, Point, WORDS, field};
use super::record::Record;
use super::server::Server;
use super::vocabulary::Vocabularies;
use futures::{StreamExt as _, TryStreamExt as _, stream};
pub(super) use measured::Measured;
use measured::{Found, weights};
use quipu_core::ChunkId;
use quipu_core::analysis::Question;
use quipu_core::analysis::bm25::Statistics;
use quipu_core::engine::{Partition, Probe};
use serde_json::json;
use std::collections::{BTreeMap, HashSet};

/// How many chunks are looked at for each that is wanted, and how many at least, when there are
/// too many to look at all.
const CANDIDATES: u64 = 20;
const LEAST_CANDIDATES: u64 = 2_000;
/// How many calls one search makes at a time.
const AT_ONCE: usize = 8;

/// The words of a partition as one search sees them.
pub(super) struct Words<'a> {
    pub(super) server: &'a Server,
    pub(super) vocabularies: &'a Vocabularies,
    pub(super) collection: &'a str,
    pub(super) partition: Partition,
    pub(super) record: &'a Record,
    pub(super) exact_matches: u64,
}

impl Words<'_> {
    fn statistics(&self) -> Statistics {
        Statistics {
            chunks: self.record.chunks,
            length: self.record.length,
        }
    }

    fn seen(&self) -> Filter {
        Filter::of(self.partition).at(self.record.version)
    }

    pub(super) async fn search(&self, probe: &Probe, limit: u64) -> Outcome<Measured> {
        let asked = distinct(probe.question.asked_by_name());
        let few = self.are_few(&asked).await?;
        let mut found = Found::default();
        if few {
            found.extend(
                self.matches(self.seen().terms(&asked), &asked).await?,
                &asked,
            );
        }
        let named: HashSet<&str> = if few {
            found.terms(&asked)
        } else {
            self.named(&asked).await?
        };
        let question = self.corrected(&probe.question, &named).await?;
        let sought = distinct(question.sought());
        let added: Vec<&str> = sought
            .iter()
            .copied()
            .filter(|term| !asked.contains(term))
            .collect();
        if few && (added.is_empty() || self.are_few(&added).await?) {
            if !added.is_empty() {
                let filter = self.seen().terms(&added);
                // A chunk that was found by another word is not known to have these.
                let all: Vec<&str> = asked.iter().chain(&added).copied().collect();
                found.extend(self.matches(filter, &all).await?, &all);
            }
            return Ok(Measured::all(question, &found, self.statistics()));
        }
        let counts = self.counts(&question).await?;
        let weights = weights(&counts, self.record.chunks);
        let candidates = self.candidates(probe, &question, &weights, limit).await?;
        let mut found = Found::default();
        found.extend(candidates, &sought);
        Ok(Measured::counted(
            question,
            &found,
            &counts,
            self.statistics(),
        ))
    }

    /// Measures chunks that were found otherwise.
    pub(super) async fn complete(
        &self,
        measured: &mut Measured,
        chunks: &[ChunkId],
    ) -> Outcome<()> {
        let missing: Vec<ChunkId> = chunks
            .iter()
            .copied()
            .filter(|&chunk| !measured.knows(chunk))
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        let question = measured.question().clone();
        let sought = distinct(question.sought());
        let mut found = Found::default();
        let filter = self.seen().chunks(&missing);
        found.extend(self.fetch(&filter, &sought).await?, &sought);
        measured.add(&found);
        Ok(())
    }

    async fn are_few(&self, terms: &[&str]) -> Outcome<bool> {
        if terms.is_empty() || self.record.chunks <= self.exact_matches {
            return Ok(true);
        }
        let filter = self.seen().terms(terms);
        Ok(self.server.count(self.collection, &filter).await? <= self.exact_matches)
    }

    /// All chunks of a filter that has terms.
    async fn matches(&self, filter: Filter, terms: &[&str]) -> Outcome<Vec<Point>> {
        if terms.is_empty() {
            return Ok(Vec::new());
        }
        let (found, count) = futures::try_join!(
            self.fetch(&filter, terms),
            self.server.count(self.collection, &filter)
        )?;
        if found.len() as u64 == count {
            Ok(found)
        } else {
            let what = format!("{} of {count} matches came back", found.len());
            Err(Fault::Damaged(what))
        }
    }

    async fn fetch(&self, filter: &Filter, terms: &[&str]) -> Outcome<Vec<Point>> {
        let fields = ASKED
            .into_iter()
            .map(str::to_owned)
            .chain(paths(terms))
            .collect::<Vec<_>>();
        let found: Vec<Point> = self
            .server
            .scroll(self.collection, Some(filter), &fields)
            .await?;
        for point in &found {
            point.checked(self.partition, "")?;
        }
        Ok(found)
    }

    /// Which of some terms any chunk has.
    async fn named<'t>(&self, terms: &[&'t str]) -> Outcome<HashSet<&'t str>> {
        let filters: Vec<Filter> = terms
            .iter()
            .map(|term| self.seen().terms(&[term]))
            .collect();
        let there = self.server.any(self.collection, &filters).await?;
        let terms = terms.iter().copied().zip(there);
        Ok(terms.filter(|(_, there)| *there).map(|(t, _)| t).collect())
    }

    async fn corrected(&self, question: &Question, named: &HashSet<&str>) -> Outcome<Question> {
        if question.unknown(named).is_empty() {
            return Ok(question.clone().corrected(named));
        }
        let vocabulary = self
            .vocabularies
            .of(self.server, self.collection, self.partition, self.record)
            .await;
        match vocabulary {
            Ok(terms) => {
                let terms: HashSet<&str> = terms.iter().map(String::as_str).collect();
                Ok(question.clone().corrected(&terms))
            }
            // Its words are found as they are written, which is better than not at all.
            Err(Fault::TooLong(why)) => {
                let kb = self.partition.knowledge_base();
                tracing::warn!(
                    tenant.id = %self.partition.tenant(),
                    knowledge_base.id = %kb,
                    cause = why,
                    "Knowledge base {kb} has too many words to correct those of a question"
                );
                Ok(question.clone().corrected(named))
            }
            Err(fault) => Err(fault),
        }
    }

    /// How many chunks have each idea.
    async fn counts(&self, question: &Question) -> Outcome<Vec<u64>> {
        let concepts = question.concepts.iter();
        let filters: Vec<Option<Filter>> = concepts
            .map(|concept| {
                let terms: Vec<&str> = concept.sought().into_iter().map(|(t, _)| t).collect();
                (!terms.is_empty()).then(|| self.seen().terms(&terms))
            })
            .collect();
        let count = |filter: Option<Filter>| async move {
            match filter {
                Some(filter) => self.server.count(self.collection, &filter).await,
                None => Ok(0),
            }
        };
        stream::iter(filters)
            .map(count)
            .buffered(AT_ONCE)
            .try_collect()
            .await
    }

    /// The chunks that are likely to answer best, and many more.
    async fn candidates(
        &self,
        probe: &Probe,
        question: &Question,
        weights: &[f32],
        limit: u64,
    ) -> Outcome<Vec<Point>> {
        let sought = distinct(question.sought());
        if sought.is_empty() || limit == 0 {
            return Ok(Vec::new());
        }
        let mut query: BTreeMap<u32, f32> = BTreeMap::new();
        for (concept, weight) in question.concepts.iter().zip(weights) {
            for (term, worth) in concept.sought() {
                *query.entry(point::dimension(term)).or_default() += weight * worth;
            }
        }
        let query = json!({
            "indices": query.keys().collect::<Vec<_>>(),
            "values": query.values().collect::<Vec<_>>(),
        });
        let mut filter = self.seen().terms(&sought);
        if let Some(documents) = &probe.documents {
            filter = filter.documents(documents);
        }
        let most = limit.saturating_mul(CANDIDATES).max(LEAST_CANDIDATES);
        let fields: Vec<String> = paths(&sought).collect();
        let params = json!({ "exact": true });
        let found = self.server.query(
            self.collection,
            (WORDS, query),
            &filter,
            (most, params),
            &fields,
        );
        let found = found.await?;
        for point in &found {
            point.checked(self.partition, "")?;
        }
        Ok(found)
    }
}

fn distinct(terms: Vec<&str>) -> Vec<&str> {
    let mut seen = HashSet::new();
    terms
        .into_iter()
        .filter(|term| seen.insert(*term))
        .collect()
}

fn paths(terms: &[&str]) -> impl Iterator<Item = String> {
    let length = std::iter::once(field::LENGTH.to_owned());
    length.chain(
        terms
            .iter()
            .map(|term| point::path(term))
            .collect::<Vec<_>>(),
    )
}
