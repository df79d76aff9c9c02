//! Who has which idea of a question, read window by window: what is written again and again while
//! reading fits into the processor's cache.

use super::View;
use crate::fault::Outcome;
use quipu_core::analysis::Question;
use quipu_core::analysis::bm25::saturated;
use std::ops::Range;
use tantivy::fastfield::AliveBitSet;
use tantivy::postings::{Postings as _, SegmentPostings};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, InvertedIndexReader, Term};

/// How many documents are read at a time.
const WINDOW: usize = if cfg!(test) { 64 } else { 1 << 15 };

/// Documents of a segment that one thread reads.
pub(super) struct Stretch {
    pub(super) segment: usize,
    pub(super) docs: Range<DocId>,
}

/// Who has which idea, among the documents from `first` on.
pub(super) struct Window {
    pub(super) first: DocId,
    pub(super) length: usize,
    /// For each idea, in the order of the documents.
    pub(super) ideas: Vec<Vec<Match>>,
}

/// A document that has an idea of the question.
pub(super) struct Match {
    pub(super) doc: DocId,
    /// The worth of the best term that is there.
    pub(super) strength: f32,
    /// The BM25 factor of all of them.
    pub(super) saturated: f32,
}

/// All documents, in parts for so many threads.
pub(super) fn stretches(view: &View, threads: usize) -> Vec<Stretch> {
    let docs = |at: usize| view.segments[at].1.rows.len();
    let all: usize = (0..view.segments.len()).map(docs).sum();
    let longest = all.div_ceil(threads).next_multiple_of(WINDOW);
    let mut stretches = Vec::new();
    for segment in 0..view.segments.len() {
        let mut first = 0;
        while first < docs(segment) {
            let end = docs(segment).min(first + longest);
            stretches.push(Stretch {
                segment,
                docs: number(first)..number(end),
            });
            first = end;
        }
    }
    stretches
}

impl Stretch {
    pub(super) fn read(
        &self,
        view: &View,
        question: &Question,
        average: f32,
    ) -> Outcome<Vec<Window>> {
        let (reader, segment) = &view.segments[self.segment];
        let index = reader.inverted_index(view.fields.terms)?;
        let mut ideas = Vec::new();
        for concept in &question.concepts {
            let mut terms = Vec::new();
            // A term of no worth does not make an idea known.
            for (term, worth) in concept.sought() {
                let term = Term::from_field_text(view.fields.terms, term);
                if let Some(postings) = self.postings(&index, &term)? {
                    terms.push((worth, postings));
                }
            }
            ideas.push(terms);
        }
        let chunks = Chunks {
            alive: reader.alive_bitset(),
            lengths: &segment.lengths,
            average,
        };
        let mut together = Together::default();
        let windows = self.docs.clone().step_by(WINDOW).map(|first| {
            let docs = first..self.docs.end.min(first + number(WINDOW));
            let ideas = ideas.iter_mut().map(|terms| match terms.as_mut_slice() {
                [] => Vec::new(),
                [(worth, postings)] => chunks.of_one(*worth, postings, docs.end),
                several => together.read(&chunks, several, &docs),
            });
            Window {
                first,
                length: docs.len(),
                ideas: ideas.collect(),
            }
        });
        Ok(windows.collect())
    }

    fn postings(
        &self,
        index: &InvertedIndexReader,
        term: &Term,
    ) -> Outcome<Option<SegmentPostings>> {
        let mut postings = index.read_postings(term, IndexRecordOption::WithFreqs)?;
        if let Some(postings) = &mut postings
            && postings.doc() < self.docs.start
        {
            postings.seek(self.docs.start);
        }
        Ok(postings)
    }
}

/// What is known of the documents of a segment.
struct Chunks<'a> {
    alive: Option<&'a AliveBitSet>,
    lengths: &'a [u32],
    average: f32,
}

impl Chunks<'_> {
    /// Calls `take` with the documents before `end` that have a term, and how often.
    fn each(&self, postings: &mut SegmentPostings, end: DocId, mut take: impl FnMut(DocId, f32)) {
        let mut doc = postings.doc();
        while doc < end {
            if self.alive.is_none_or(|alive| alive.is_alive(doc)) {
                // Terms are written in halves.
                take(doc, real(postings.term_freq()) / 2.0);
            }
            doc = postings.advance();
        }
    }

    fn found(&self, doc: DocId, strength: f32, frequency: f32) -> Match {
        let length = real(self.lengths[doc as usize]);
        Match {
            doc,
            strength,
            saturated: saturated(frequency, length, self.average),
        }
    }

    /// The documents that have the only term of an idea.
    fn of_one(&self, worth: f32, postings: &mut SegmentPostings, end: DocId) -> Vec<Match> {
        let mut found = Vec::new();
        self.each(postings, end, |doc, times| {
            found.push(self.found(doc, worth, worth * times));
        });
        found
    }
}

/// Puts the terms of an idea together.
#[derive(Default)]
struct Together {
    /// For each document of a window, the worth of the best of its terms and how often it has any.
    held: Vec<(f32, f32)>,
    /// A bit for each that has some.
    any: Vec<u64>,
}

impl Together {
    fn read(
        &mut self,
        chunks: &Chunks<'_>,
        terms: &mut [(f32, SegmentPostings)],
        docs: &Range<DocId>,
    ) -> Vec<Match> {
        self.held
            .resize(docs.len().max(self.held.len()), (0.0, 0.0));
        self.any.resize(self.held.len().div_ceil(64), 0);
        for (worth, postings) in terms {
            chunks.each(postings, docs.end, |doc, times| {
                let place = (doc - docs.start) as usize;
                let (strength, frequency) = &mut self.held[place];
                *strength = strength.max(*worth);
                *frequency += *worth * times;
                self.any[place / 64] |= 1 << (place % 64);
            });
        }
        let count: u32 = self.any.iter().map(|bits| bits.count_ones()).sum();
        let mut found = Vec::with_capacity(count as usize);
        for (bits, first) in self.any.iter_mut().zip((0..).step_by(64)) {
            while *bits > 0 {
                let place: u32 = first + bits.trailing_zeros();
                *bits &= *bits - 1;
                let (strength, frequency) = std::mem::take(&mut self.held[place as usize]);
                found.push(chunks.found(docs.start + place, strength, frequency));
            }
        }
        found
    }
}

/// Documents of a segment are numbered with 32 bits.
fn number(docs: usize) -> DocId {
    DocId::try_from(docs).unwrap_or(DocId::MAX)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "lengths and frequencies need no more than 24 bits"
)]
fn real(n: u32) -> f32 {
    n as f32
}
