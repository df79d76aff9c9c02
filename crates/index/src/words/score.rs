//! How well the words of chunks answer a question, read from the lists of who has which term.

use super::View;
use crate::fault::Outcome;
use crate::table::Rows;
use quipu_core::analysis::bm25::{Score, Statistics, average, inverse_frequency, saturated};
use quipu_core::analysis::{Concept, Question};
use tantivy::postings::Postings as _;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, SegmentReader, TERMINATED, Term};

/// From how many chunks on it is worth having several threads.
const MANY: usize = 100_000;

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
        // For each segment, for each idea.
        let matches: Vec<Vec<Vec<Match>>> = each(view, |index| {
            let ideas = question.concepts.iter();
            let reader = &view.segments[index].0;
            ideas.map(|idea| matches_of(view, reader, idea)).collect()
        })?;
        let found: Vec<usize> = (0..question.concepts.len())
            .map(|idea| matches.iter().map(|of| of[idea].len()).sum())
            .collect();
        let known = found.iter().map(|&found| found > 0).collect();
        let weights: Vec<f32> = found
            .iter()
            .map(|&found| inverse_frequency(view.chunks as u64, found as u64))
            .collect();
        let total: f32 = weights.iter().sum();
        let average = average(Statistics {
            chunks: view.chunks as u64,
            length: view.length,
        });
        let segments = each(view, |index| {
            let segment = &view.segments[index].1;
            let mut scores = vec![Score::default(); segment.rows.len()];
            let mut touched = Vec::new();
            for (found, weight) in matches[index].iter().zip(&weights) {
                for found in found {
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
            Ok(Scores { scores, touched })
        })?;
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

/// Does something for each segment, at the same time where there is much to do.
fn each<T: Send>(view: &View, act: impl Fn(usize) -> Outcome<T> + Sync) -> Outcome<Vec<T>> {
    let segments = 0..view.segments.len();
    if view.chunks < MANY || segments.len() < 2 {
        return segments.map(act).collect();
    }
    let act = &act;
    std::thread::scope(|scope| {
        let workers: Vec<_> = segments
            .map(|index| scope.spawn(move || act(index)))
            .collect();
        let joined = workers.into_iter().map(|worker| match worker.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.collect()
    })
}

/// The documents of a segment that have any term of an idea, each once.
fn matches_of(view: &View, reader: &SegmentReader, concept: &Concept) -> Outcome<Vec<Match>> {
    let index = reader.inverted_index(view.fields.terms)?;
    let alive = reader.alive_bitset();
    let mut found: Vec<Match> = Vec::new();
    // Where among those found a document is, once a second term may have it too.
    let mut places: Vec<u32> = Vec::new();
    // A term of no worth does not make an idea known.
    for (term, worth) in concept.sought() {
        let term = Term::from_field_text(view.fields.terms, term);
        let Some(mut postings) = index.read_postings(&term, IndexRecordOption::WithFreqs)? else {
            continue;
        };
        if found.is_empty() {
            found.reserve(postings.doc_freq() as usize);
        } else if places.is_empty() {
            places = vec![0; reader.max_doc() as usize];
            for (place, found) in (1..).zip(&found) {
                places[found.doc as usize] = place;
            }
        }
        while postings.doc() != TERMINATED {
            let doc = postings.doc();
            if alive.is_none_or(|alive| alive.is_alive(doc)) {
                let frequency = worth * number(postings.term_freq()) / 2.0;
                let known = places.get(doc as usize).copied().unwrap_or(0) as usize;
                let known = known.checked_sub(1).and_then(|place| found.get_mut(place));
                if let Some(known) = known {
                    known.strength = known.strength.max(worth);
                    known.frequency += frequency;
                } else {
                    found.push(Match {
                        doc,
                        strength: worth,
                        frequency,
                    });
                    if let Some(place) = places.get_mut(doc as usize) {
                        *place = u32::try_from(found.len()).unwrap_or(u32::MAX);
                    }
                }
            }
            postings.advance();
        }
    }
    Ok(found)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "lengths and frequencies need no more than 24 bits"
)]
fn number(n: u32) -> f32 {
    n as f32
}
