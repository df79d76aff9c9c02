//! How well the words of chunks answer a question, read from the lists of who has which term.

use super::View;
use crate::fault::Outcome;
use crate::table::Rows;
use quipu_core::analysis::bm25::{Score, Statistics, average, inverse_frequency, saturated};
use quipu_core::analysis::{Concept, Question};
use tantivy::postings::Postings as _;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, SegmentReader, TERMINATED, Term};

/// The scores of all chunks of a partition.
pub(crate) struct Measured<'a> {
    view: &'a View,
    /// For each idea of the question, whether some chunk has it.
    pub(crate) known: Vec<bool>,
    segments: Vec<Scores>,
}

/// The scores of a segment's documents, and those that have one, each once.
struct Scores {
    scores: Vec<Score>,
    touched: Vec<DocId>,
}

/// A document of a segment that has an idea of the question.
struct Match {
    doc: DocId,
    /// The worth of the best term that is there.
    strength: f32,
    frequency: f32,
}

impl<'a> Measured<'a> {
    pub(crate) fn new(view: &'a View, question: &Question) -> Outcome<Self> {
        let mut matches: Vec<Vec<Vec<Match>>> = Vec::with_capacity(question.concepts.len());
        for concept in &question.concepts {
            let segments = view.segments.iter();
            let found = segments.map(|(reader, _)| matches_of(view, reader, concept));
            matches.push(found.collect::<Outcome<_>>()?);
        }
        let known = matches
            .iter()
            .map(|segments| segments.iter().any(|found| !found.is_empty()))
            .collect();
        let weights: Vec<f32> = matches
            .iter()
            .map(|segments| {
                let found: usize = segments.iter().map(Vec::len).sum();
                inverse_frequency(view.chunks as u64, found as u64)
            })
            .collect();
        let total: f32 = weights.iter().sum();
        let average = average(Statistics {
            chunks: view.chunks as u64,
            length: view.length,
        });
        let mut segments = Vec::with_capacity(view.segments.len());
        for (index, (_, segment)) in view.segments.iter().enumerate() {
            let mut scores = vec![Score::default(); segment.rows.len()];
            let mut touched = Vec::new();
            for (concept, weight) in matches.iter().zip(&weights) {
                for found in &concept[index] {
                    let doc = found.doc as usize;
                    let score = &mut scores[doc];
                    if score.total() <= 0.0 {
                        touched.push(found.doc);
                    }
                    let length = number(segment.lengths[doc]);
                    score.coverage += weight * found.strength / total;
                    score.relevance += weight * saturated(found.frequency, length, average) / total;
                }
            }
            segments.push(Scores { scores, touched });
        }
        Ok(Self {
            view,
            known,
            segments,
        })
    }

    /// The score of a row.
    pub(crate) fn of(&self, row: u32) -> Score {
        let segments = self.view.segments.iter().zip(&self.segments);
        let mut found = segments.flat_map(|((reader, segment), scores)| {
            segment
                .docs(row)
                .filter(|&doc| !reader.is_deleted(doc))
                .map(|doc| scores.scores[doc as usize])
        });
        found.next().unwrap_or_default()
    }

    /// The rows that answer best, best first.
    pub(crate) fn best(&self, limit: usize, only: Option<&Rows>) -> Vec<u32> {
        let mut found: Vec<(f32, u32)> = Vec::new();
        let mut worst = 0.0;
        let best_first = |a: &(f32, u32), b: &(f32, u32)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        for ((_, segment), scores) in self.view.segments.iter().zip(&self.segments) {
            for &doc in &scores.touched {
                let total = scores.scores[doc as usize].total();
                let row = segment.rows[doc as usize];
                if total >= worst && only.is_none_or(|only| only.contains(row)) {
                    found.push((total, row));
                }
                if found.len() > 4 * limit + 64 {
                    found.select_nth_unstable_by(limit, best_first);
                    found.truncate(limit + 1);
                    worst = found[limit].0;
                }
            }
        }
        found.sort_unstable_by(best_first);
        found.truncate(limit);
        found.into_iter().map(|(_, row)| row).collect()
    }
}

/// The documents of a segment that have any term of an idea, ascending.
fn matches_of(view: &View, reader: &SegmentReader, concept: &Concept) -> Outcome<Vec<Match>> {
    let index = reader.inverted_index(view.fields.terms)?;
    let alive = reader.alive_bitset();
    let mut all: Vec<Match> = Vec::new();
    // A term of no worth does not make an idea known.
    for (term, worth) in concept.sought() {
        let term = Term::from_field_text(view.fields.terms, term);
        let Some(mut postings) = index.read_postings(&term, IndexRecordOption::WithFreqs)? else {
            continue;
        };
        let mut found = Vec::with_capacity(postings.doc_freq() as usize);
        while postings.doc() != TERMINATED {
            let doc = postings.doc();
            if alive.is_none_or(|alive| alive.is_alive(doc)) {
                found.push(Match {
                    doc,
                    strength: worth,
                    frequency: worth * number(postings.term_freq()) / 2.0,
                });
            }
            postings.advance();
        }
        all = merged(all, found);
    }
    Ok(all)
}

fn merged(a: Vec<Match>, b: Vec<Match>) -> Vec<Match> {
    if a.is_empty() {
        return b;
    }
    if b.is_empty() {
        return a;
    }
    let mut merged = Vec::with_capacity(a.len() + b.len());
    let mut a = a.into_iter().peekable();
    let mut b = b.into_iter().peekable();
    while let (Some(left), Some(right)) = (a.peek(), b.peek()) {
        match left.doc.cmp(&right.doc) {
            std::cmp::Ordering::Less => merged.extend(a.next()),
            std::cmp::Ordering::Greater => merged.extend(b.next()),
            std::cmp::Ordering::Equal => {
                merged.push(Match {
                    doc: left.doc,
                    strength: left.strength.max(right.strength),
                    frequency: left.frequency + right.frequency,
                });
                a.next();
                b.next();
            }
        }
    }
    merged.extend(a);
    merged.extend(b);
    merged
}

#[expect(
    clippy::cast_precision_loss,
    reason = "lengths and frequencies need no more than 24 bits"
)]
fn number(n: u32) -> f32 {
    n as f32
}
