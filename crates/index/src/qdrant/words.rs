//! How well the words of chunks answer a question.
//!
//! What Qdrant finds is measured here, by the terms themselves and the statistics of the one
//! partition, as every engine measures. Where few chunks have a word of the question, all of them
//! are looked at. Where many have one, how many have which idea is counted, and the sparse vectors
//! say which chunks to look at: the question carries the weights of this partition, so that it
//! does not matter what is rare or frequent elsewhere.

use super::fault::{Fault, Outcome};
use super::filter::Filter;
use super::point::{self, ASKED, Point, WORDS, field};
use super::record::Record;
use super::server::Server;
use super::vocabulary::Vocabularies;
use futures::{StreamExt as _, TryStreamExt as _, stream};
use quipu_core::analysis::bm25::{Score, Statistics, average, inverse_frequency, saturated};
use quipu_core::analysis::{Concept, Question};
use quipu_core::engine::{Partition, Probe};
use quipu_core::{ChunkId, DocumentId};
use serde_json::json;
use std::collections::{BTreeMap, HashMap, HashSet};

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

/// What the words of a question found.
pub(super) struct Measured {
    question: Question,
    pub(super) known: Vec<bool>,
    weights: Vec<f32>,
    average: f32,
    chunks: HashMap<ChunkId, (DocumentId, Score)>,
    /// Chunks that are not among them have no word of the question.
    complete: bool,
}

impl Words<'_> {
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
            return Ok(self.measure(question, found, None));
        }
        let counts = self.counts(&question).await?;
        let weights = weights(&counts, self.record.chunks);
        let candidates = self.candidates(probe, &question, &weights, limit).await?;
        let mut found = Found::default();
        found.extend(candidates, &sought);
        Ok(self.measure(question, found, Some(counts)))
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
            .filter(|chunk| !measured.complete && !measured.chunks.contains_key(chunk))
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        let question = measured.question.clone();
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

    /// Measures what was found: all there is, unless it was counted how much there is.
    fn measure(&self, question: Question, found: Found, counts: Option<Vec<u64>>) -> Measured {
        let complete = counts.is_none();
        let counts = counts.unwrap_or_else(|| {
            let concepts = question.concepts.iter();
            concepts.map(|concept| found.count(concept)).collect()
        });
        let mut measured = Measured {
            known: counts.iter().map(|&count| count > 0).collect(),
            weights: weights(&counts, self.record.chunks),
            average: average(Statistics {
                chunks: self.record.chunks,
                length: self.record.length,
            }),
            question,
            chunks: HashMap::new(),
            complete,
        };
        measured.add(&found);
        measured
    }
}

impl Measured {
    pub(super) fn of(&self, chunk: ChunkId) -> Score {
        let found = self.chunks.get(&chunk);
        found.map(|(_, score)| *score).unwrap_or_default()
    }

    /// The chunks that answer best, of some documents or of all.
    pub(super) fn best(
        &self,
        documents: Option<&HashSet<DocumentId>>,
        limit: usize,
    ) -> Vec<(ChunkId, DocumentId)> {
        let mut found: Vec<(f32, ChunkId, DocumentId)> = self
            .chunks
            .iter()
            .filter(|(_, (document, _))| documents.is_none_or(|only| only.contains(document)))
            .map(|(&chunk, &(document, score))| (score.total(), chunk, document))
            .filter(|(total, ..)| *total > 0.0)
            .collect();
        found.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        found.truncate(limit);
        let best = found.into_iter();
        best.map(|(_, chunk, document)| (chunk, document)).collect()
    }

    fn add(&mut self, found: &Found) {
        let total: f32 = self.weights.iter().sum();
        for (&chunk, words) in &found.chunks {
            let mut score = Score::default();
            for (concept, weight) in self.question.concepts.iter().zip(&self.weights) {
                let (strength, frequency) = words.has(concept);
                if strength > 0.0 {
                    score.coverage += weight * strength / total;
                    let saturated = saturated(frequency, words.length, self.average);
                    score.relevance += weight * saturated / total;
                }
            }
            self.chunks.insert(chunk, (words.document, score));
        }
    }
}

/// The chunks that were found, with how often they have the terms that were asked for.
#[derive(Default)]
struct Found {
    chunks: HashMap<ChunkId, Counted>,
}

struct Counted {
    document: DocumentId,
    length: f32,
    frequencies: HashMap<String, f32>,
}

impl Found {
    fn extend(&mut self, points: Vec<Point>, terms: &[&str]) {
        for point in points {
            let counted = self.chunks.entry(point.chunk()).or_insert_with(|| Counted {
                document: point.document(),
                length: number(point.payload.length),
                frequencies: HashMap::new(),
            });
            for &term in terms {
                let halves = point.halves(term);
                if halves > 0 {
                    let frequency = number(halves) / 2.0;
                    counted.frequencies.insert(term.to_owned(), frequency);
                }
            }
        }
    }

    /// Which of some terms any chunk has.
    fn terms<'t>(&self, terms: &[&'t str]) -> HashSet<&'t str> {
        let has = |term: &&str| {
            let mut chunks = self.chunks.values();
            chunks.any(|chunk| chunk.frequencies.contains_key(*term))
        };
        terms.iter().copied().filter(has).collect()
    }

    fn count(&self, concept: &Concept) -> u64 {
        let chunks = self.chunks.values();
        chunks.filter(|chunk| chunk.has(concept).0 > 0.0).count() as u64
    }
}

impl Counted {
    /// How well the chunk expresses an idea, and how often.
    fn has(&self, concept: &Concept) -> (f32, f32) {
        let mut strength = 0.0_f32;
        let mut frequency = 0.0;
        for (term, worth) in concept.sought() {
            if let Some(times) = self.frequencies.get(term) {
                strength = strength.max(worth);
                frequency += worth * times;
            }
        }
        (strength, frequency)
    }
}

fn weights(counts: &[u64], chunks: u64) -> Vec<f32> {
    let weigh = |&count: &u64| inverse_frequency(chunks, count);
    counts.iter().map(weigh).collect()
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

#[expect(clippy::cast_precision_loss, reason = "chunks have few terms")]
fn number(n: u32) -> f32 {
    n as f32
}
