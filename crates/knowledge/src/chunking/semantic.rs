//! Cutting where the topic changes.
//!
//! The vectors of a few sentences before a gap are compared with those of a few sentences after
//! it. Where the likeness has a valley, and not one of the document's shallow ones, the text turns
//! to something else: the depth score of Hearst's `TextTiling` (1997), with vectors in place of word
//! counts. A paragraph that begins nearby is where it does. A new section is a new topic too.

use super::breaks::{Rank, breaks};
use super::cutter::{Cutter, is_row};
use super::paragraph::{Paragraphs, join_small_end, push};
use super::separator::{OutOfTime, Separator};
use super::source::{Region, SourceText};
use quipu_core::chunking::ChunkingConfig;
use quipu_core::extraction::{Failure, SegmentKind};
use std::collections::VecDeque;
use std::ops::Range;

/// How many sentences on either side of a gap are compared: one alone says too little.
const WINDOW: usize = 3;
/// A valley counts when it is deeper than the mean of all, and than this, because a text about one
/// thing has valleys too.
const SHALLOW: f64 = 0.1;
/// Anything shorter belongs to the next sentence: "Sí." has no topic.
const SHORTEST_SENTENCE: usize = 24;

/// The sentences of a document and how alike the text is before and after each.
#[derive(Debug, Default)]
pub(crate) struct Topics {
    sentences: Vec<Sentence>,
    /// The likeness at the gap before each sentence.
    likeness: Vec<f32>,
    /// The latest vectors: as many as a gap is judged by.
    recent: VecDeque<Vec<f32>>,
    /// How many sentences have a vector.
    known: usize,
}

#[derive(Debug)]
struct Sentence {
    bytes: Range<usize>,
    /// Nothing before it can be in the same chunk.
    first: bool,
    /// It begins a paragraph.
    opens: bool,
}

/// What changes before a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Nothing,
    Topic,
    Section,
}

impl Sentence {
    fn new(bytes: Range<usize>, opens: bool) -> Self {
        Self {
            bytes,
            first: false,
            opens,
        }
    }
}

impl Topics {
    /// Finds the sentences. Their vectors are asked for with [`pending`](Self::pending) and handed
    /// in with [`add`](Self::add), until none is pending.
    ///
    /// # Errors
    /// When the separator takes too long to look for.
    pub(crate) fn new(
        source: &SourceText,
        config: &ChunkingConfig,
        out_of_time: OutOfTime<'_>,
    ) -> Result<Self, Failure> {
        let separator = config.separator();
        let separator = separator.map(|regex| Separator::new(regex, out_of_time));
        let mut sentences = Vec::new();
        for region in source.regions() {
            if region.kind == SegmentKind::Unit
                && region.bytes.len() <= config.max_chunk_size as usize
            {
                // It stays whole whatever it is about.
                continue;
            }
            let before = sentences.len();
            let mut open: Option<Sentence> = None;
            for paragraph in Paragraphs::new(source, region.bytes, separator.as_ref()) {
                if source.starts_section(paragraph.start) {
                    sentences.extend(open.take());
                }
                open = split(source.text(), open, paragraph, &mut sentences);
            }
            sentences.extend(open);
            if let Some(first) = sentences.get_mut(before) {
                first.first = true;
            }
        }
        separator.map_or(Ok(()), |separator| separator.in_time())?;
        Ok(Self {
            likeness: vec![1.0; sentences.len()],
            sentences,
            ..Self::default()
        })
    }

    /// The next sentences without a vector, at most so many.
    #[must_use]
    pub(crate) fn pending(&self, source: &SourceText, most: usize) -> Vec<String> {
        self.sentences[self.known..]
            .iter()
            .take(most)
            .map(|sentence| source.text()[sentence.bytes.clone()].to_owned())
            .collect()
    }

    /// The vectors of the sentences that were pending, in the same order.
    pub(crate) fn add(&mut self, vectors: Vec<Vec<f32>>) {
        for vector in vectors.into_iter().take(self.sentences.len() - self.known) {
            if self.sentences[self.known].first {
                self.recent.clear();
            }
            self.recent.push_back(vector);
            if self.recent.len() > 2 * WINDOW {
                self.recent.pop_front();
            }
            self.known += 1;
            let last = self.sentences.get(self.known).is_none_or(|next| next.first);
            // Every gap that has its sentences on both sides now, or will never have more.
            let to = self.recent.len();
            let from = to.saturating_sub(WINDOW).max(1);
            for gap in if last { from..to } else { from..from + 1 } {
                if gap < to && (last || to - gap == WINDOW) {
                    self.likeness[self.known - (to - gap)] = self.likeness_at(gap);
                }
            }
        }
    }

    fn likeness_at(&self, gap: usize) -> f32 {
        let sum = |range: Range<usize>| {
            let mut sum = vec![0.0_f32; self.recent[gap].len()];
            for vector in self.recent.range(range) {
                for (sum, x) in sum.iter_mut().zip(vector) {
                    *sum += x;
                }
            }
            sum
        };
        let before = sum(gap.saturating_sub(WINDOW)..gap);
        let after = sum(gap..self.recent.len().min(gap + WINDOW));
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        let lengths = (dot(&before, &before) * dot(&after, &after)).sqrt();
        // Sentences without a known word tell nothing about a change.
        if lengths > 0.0 {
            dot(&before, &after) / lengths
        } else {
            1.0
        }
    }

    fn changes(&self, source: &SourceText) -> Vec<Change> {
        let valleys = self.valleys();
        let threshold = mean(valleys.iter().map(|(_, depth)| *depth)).max(SHALLOW);
        let mut changes: Vec<Change> = self
            .sentences
            .iter()
            .map(|sentence| {
                if source.starts_section(sentence.bytes.start) {
                    Change::Section
                } else {
                    Change::Nothing
                }
            })
            .collect();
        for (valley, depth) in valleys {
            if depth >= threshold {
                let at = self.nearest_paragraph(valley).unwrap_or(valley);
                if changes[at] == Change::Nothing {
                    changes[at] = Change::Topic;
                }
            }
        }
        changes
    }

    /// The nearest sentence that begins a paragraph, of those that were compared at a gap.
    fn nearest_paragraph(&self, gap: usize) -> Option<usize> {
        let opens = |at: &usize| {
            let low = gap.min(*at);
            let same_region = !self.sentences[low + 1..=gap.max(*at)]
                .iter()
                .any(|s| s.first);
            self.sentences[*at].opens && !self.sentences[*at].first && same_region
        };
        let last = (gap + WINDOW).min(self.sentences.len());
        (gap.saturating_sub(WINDOW - 1)..last)
            .filter(opens)
            .min_by_key(|at| at.abs_diff(gap))
    }

    /// Where the likeness is lower than on both sides, and how far the hills around rise above it.
    fn valleys(&self) -> Vec<(usize, f64)> {
        let mut valleys = Vec::new();
        // The first sentence of all is the first of its region, so that nothing goes below it.
        let inside = |at: usize| self.sentences.get(at).is_some_and(|s| !s.first);
        for at in 1..self.sentences.len() {
            let here = self.likeness[at];
            let lower = |other: usize| inside(other) && self.likeness[other] < here;
            // Of equal neighbours the first one is the valley.
            let level = inside(at - 1) && self.likeness[at - 1] <= here;
            if !inside(at) || level || lower(at + 1) {
                continue;
            }
            let mut left = at;
            while inside(left - 1) && self.likeness[left - 1] >= self.likeness[left] {
                left -= 1;
            }
            let mut right = at;
            while inside(right + 1) && self.likeness[right + 1] >= self.likeness[right] {
                right += 1;
            }
            let depth = self.likeness[left] + self.likeness[right] - 2.0 * here;
            valleys.push((at, f64::from(depth)));
        }
        valleys
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), x| (sum + x, count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}

/// Adds the sentences of a paragraph and returns the last when it is too short; the next paragraph
/// gets it as the beginning of its first. A line is a sentence too, unless the next one goes on in
/// lower case: lists and tables say one thing a line, and wrapped text does not.
fn split(
    text: &str,
    open: Option<Sentence>,
    paragraph: Range<usize>,
    sentences: &mut Vec<Sentence>,
) -> Option<Sentence> {
    let mut opens = open.as_ref().is_none_or(|open| open.opens);
    let mut start = open.map_or(paragraph.start, |open| open.bytes.start);
    let mut line = paragraph.start;
    for found in breaks(text, paragraph.start, paragraph.end, paragraph.end) {
        let ends = match found.rank {
            Rank::Space | Rank::Cell => false,
            Rank::Sentence | Rank::BlankLine => true,
            Rank::Line => {
                !text[found.bytes.end..].starts_with(char::is_lowercase)
                    || is_row(&text[line..found.bytes.start])
            }
        };
        if found.rank >= Rank::Line {
            line = found.bytes.end;
        }
        if ends && found.bytes.start - start >= SHORTEST_SENTENCE {
            sentences.push(Sentence::new(start..found.bytes.start, opens));
            start = found.bytes.end;
            opens = false;
        }
    }
    let last = Sentence::new(start..paragraph.end, opens);
    if last.bytes.len() < SHORTEST_SENTENCE {
        return Some(last);
    }
    sentences.push(last);
    None
}

/// Cuts regions one after the other.
pub(super) struct ByTopic<'a> {
    topics: &'a Topics,
    changes: Vec<Change>,
    /// The first sentence that is not yet in a piece.
    at: usize,
}

impl<'a> ByTopic<'a> {
    pub(super) fn new(topics: &'a Topics, source: &SourceText) -> Self {
        Self {
            topics,
            changes: topics.changes(source),
            at: 0,
        }
    }

    /// The pieces of the next region, which lies after those cut before.
    pub(super) fn cut(&mut self, cutter: &Cutter<'_>, region: &Region) -> Vec<Range<usize>> {
        let all = &self.topics.sentences;
        while all
            .get(self.at)
            .is_some_and(|s| s.bytes.start < region.bytes.start)
        {
            self.at += 1;
        }
        let mut end = self.at;
        while all
            .get(end)
            .is_some_and(|s| s.bytes.start < region.bytes.end)
        {
            end += 1;
        }
        let mut pieces = Vec::new();
        if self.at == end {
            // Its topics were never looked for.
            push(cutter, region.bytes.clone(), &mut pieces);
        }
        while self.at < end {
            let next = self.piece_end(cutter, end);
            let piece = all[self.at].bytes.start..all[next - 1].bytes.end;
            push(cutter, piece, &mut pieces);
            self.at = next;
        }
        join_small_end(cutter, &mut pieces);
        pieces
    }

    /// The sentence before which the piece ends that begins with the current one: the first change
    /// of topic that leaves it long enough, else the least alike gap near the maximum.
    fn piece_end(&self, cutter: &Cutter<'_>, end: usize) -> usize {
        let all = &self.topics.sentences;
        let start = all[self.at].bytes.start;
        let mut weakest = Gap::default();
        for next in self.at + 1..=end {
            let piece = start..all[next - 1].bytes.end;
            if !cutter.fits(piece.clone(), cutter.sizes.max) {
                return weakest.at.unwrap_or((next - 1).max(self.at + 1));
            }
            if next == end {
                return end;
            }
            if cutter.is_small(piece.clone()) || cutter.trailing_headings(piece.clone()) < piece.end
            {
                continue;
            }
            match self.changes[next] {
                Change::Section => return next,
                Change::Topic if !self.is_remnant(cutter, next, end) => return next,
                Change::Topic | Change::Nothing => {}
            }
            let late = !cutter.fits(piece, cutter.sizes.max / 2);
            weakest.meet(next, late, self.topics.likeness[next]);
        }
        end
    }

    /// Whether too little is left from a sentence on before the section ends.
    fn is_remnant(&self, cutter: &Cutter<'_>, from: usize, end: usize) -> bool {
        let all = &self.topics.sentences;
        let start = all[from].bytes.start;
        (from + 1..=end)
            .take_while(|next| cutter.is_small(start..all[next - 1].bytes.end))
            .any(|next| next == end || self.changes[next] == Change::Section)
    }
}

/// The best place so far to end a piece where no topic changes.
#[derive(Default)]
struct Gap {
    at: Option<usize>,
    /// More than half of the maximum lies before it.
    late: bool,
    likeness: f32,
}

impl Gap {
    fn meet(&mut self, at: usize, late: bool, likeness: f32) {
        let better = late == self.late && likeness <= self.likeness;
        if self.at.is_none() || better || late && !self.late {
            *self = Self {
                at: Some(at),
                late,
                likeness,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quipu_core::extraction::{Extracted, Segment};

    #[test]
    fn regions_are_not_compared_with_each_other() {
        let unit = |text: &str| Segment {
            text: text.to_owned(),
            kind: SegmentKind::Unit,
            ..Segment::default()
        };
        let source = SourceText::new(&Extracted {
            segments: vec![
                unit(&"El perro duerme toda la tarde. ".repeat(3)),
                unit(&"El envío llega en un día. ".repeat(3)),
                unit("Una fila corta."),
            ],
            ..Extracted::default()
        });
        let config = ChunkingConfig {
            max_chunk_size: 50,
            ..ChunkingConfig::default()
        };
        let mut topics = Topics::new(&source, &config, &|| false).unwrap();
        assert_eq!(
            topics.pending(&source, 100).len(),
            6,
            "whole units are not asked for"
        );
        topics.add(vec![vec![1.0, 0.0]; 3]);
        assert_eq!(topics.pending(&source, 2).len(), 2);
        topics.add(vec![vec![0.0, 1.0], vec![0.0, 1.0], vec![1.0, 1.0]]);
        assert!(topics.pending(&source, 2).is_empty());
        let close = |a: f32, b: f32| (a - b).abs() < 1e-6;
        assert!(close(topics.likeness[1], 1.0) && close(topics.likeness[2], 1.0));
        assert!(
            close(topics.likeness[4], 1.0 / 5.0_f32.sqrt() * 2.0),
            "{:?}",
            topics.likeness
        );
        assert!(close(topics.likeness[5], 1.0 / 2.0_f32.sqrt()));
    }
}
