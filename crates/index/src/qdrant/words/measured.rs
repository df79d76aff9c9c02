//! The scores of the chunks that were found.

use crate::qdrant::point::Point;
use quipu_core::analysis::bm25::{Score, Statistics, average, inverse_frequency, saturated};
use quipu_core::analysis::{Concept, Question};
use quipu_core::{ChunkId, DocumentId};
use std::collections::{HashMap, HashSet};

/// What the words of a question found.
pub(in super::super) struct Measured {
    question: Question,
    pub(in super::super) known: Vec<bool>,
    weights: Vec<f32>,
    average: f32,
    chunks: HashMap<ChunkId, (DocumentId, Score)>,
    /// Chunks that are not among them have no word of the question.
    complete: bool,
}

impl Measured {
    /// Measures all chunks that have any word of the question.
    pub(super) fn all(question: Question, found: &Found, statistics: Statistics) -> Self {
        let concepts = question.concepts.iter();
        let counts: Vec<u64> = concepts.map(|concept| found.count(concept)).collect();
        let mut measured = Self::counted(question, found, &counts, statistics);
        measured.complete = true;
        measured
    }

    /// Measures some of the chunks, when it is known how many have each idea.
    pub(super) fn counted(
        question: Question,
        found: &Found,
        counts: &[u64],
        statistics: Statistics,
    ) -> Self {
        let mut measured = Self {
            known: counts.iter().map(|&count| count > 0).collect(),
            weights: weights(counts, statistics.chunks),
            average: average(statistics),
            question,
            chunks: HashMap::new(),
            complete: false,
        };
        measured.add(found);
        measured
    }

    pub(super) fn question(&self) -> &Question {
        &self.question
    }

    /// Whether the score of a chunk is known, be it none.
    pub(super) fn knows(&self, chunk: ChunkId) -> bool {
        self.complete || self.chunks.contains_key(&chunk)
    }

    pub(in super::super) fn of(&self, chunk: ChunkId) -> Score {
        let found = self.chunks.get(&chunk);
        found.map(|(_, score)| *score).unwrap_or_default()
    }

    /// The chunks that answer best, of some documents or of all.
    pub(in super::super) fn best(
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

    pub(super) fn add(&mut self, found: &Found) {
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
pub(super) struct Found {
    chunks: HashMap<ChunkId, Counted>,
}

struct Counted {
    document: DocumentId,
    length: f32,
    frequencies: HashMap<String, f32>,
}

impl Found {
    pub(super) fn extend(&mut self, points: Vec<Point>, terms: &[&str]) {
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
    pub(super) fn terms<'t>(&self, terms: &[&'t str]) -> HashSet<&'t str> {
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

/// What each idea weighs.
pub(super) fn weights(counts: &[u64], chunks: u64) -> Vec<f32> {
    let weigh = |&count: &u64| inverse_frequency(chunks, count);
    counts.iter().map(weigh).collect()
}

#[expect(clippy::cast_precision_loss, reason = "chunks have few terms")]
fn number(n: u32) -> f32 {
    n as f32
}
