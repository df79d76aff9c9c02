//! Cutting a stretch of text into windows that overlap, each ending at the best place near its
//! limit.

use super::breaks::{Rank, breaks};
use super::ruler::Ruler;
use super::source::{SourceText, skip_blank, trim_end};
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// A longer line is a sentence, even when it ends in a colon.
const LONGEST_HEADING: usize = 80;
/// Headings right under each other; more lines than this are something else.
const MOST_HEADINGS: usize = 8;

/// The sizes, in what the ruler counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) chunk: usize,
    pub(super) overlap: usize,
    pub(super) min: usize,
    pub(super) max: usize,
}

pub(super) struct Cutter<'a> {
    pub(super) source: &'a SourceText,
    pub(super) ruler: &'a dyn Ruler,
    pub(super) sizes: Sizes,
}

impl Cutter<'_> {
    pub(super) fn text(&self) -> &str {
        self.source.text()
    }

    pub(super) fn fits(&self, bytes: Range<usize>, limit: usize) -> bool {
        self.ruler.fits(bytes, limit)
    }

    /// Whether a piece is too short to stand alone.
    pub(super) fn is_small(&self, bytes: Range<usize>) -> bool {
        self.sizes.min > 0 && self.fits(bytes, self.sizes.min - 1)
    }

    /// Cuts a stretch that begins and ends with a word into windows of the chunk size.
    pub(super) fn windows(&self, stretch: Range<usize>) -> Vec<Range<usize>> {
        let mut pieces = Vec::new();
        // What lies before is in a piece already.
        let mut fresh = stretch.start;
        let mut start = stretch.start;
        while start < stretch.end {
            if self.fits(start..stretch.end, self.sizes.chunk) {
                pieces.push(start..stretch.end);
                break;
            }
            let end = self.cut(start, stretch.end);
            if end <= fresh && start < fresh {
                // The overlap leaves no room for anything new.
                start = fresh;
                continue;
            }
            let next = skip_blank(self.text(), end, stretch.end);
            if next >= stretch.end
                || self.is_small(next..stretch.end) && self.fits(start..stretch.end, self.sizes.max)
            {
                pieces.push(start..stretch.end);
                break;
            }
            pieces.push(start..end);
            fresh = next;
            start = self.overlap(start..end, next);
        }
        pieces
    }

    /// Where a window from `start` ends that cannot go on to the end of the stretch.
    fn cut(&self, start: usize, stretch_end: usize) -> usize {
        let mut room = self.sizes.chunk;
        loop {
            let hard = self.ruler.reach(start, room).min(stretch_end);
            let end = trim_end(self.text(), start, self.best_end(start, hard, stretch_end));
            // What a ruler reaches is an estimate, and a cut can even make a text longer, in tokens.
            if room == 0 || self.fits(start..end, self.sizes.chunk) {
                return end;
            }
            room -= room.div_ceil(8);
        }
    }

    fn best_end(&self, start: usize, hard: usize, stretch_end: usize) -> usize {
        let text = self.text();
        let half = text.floor_char_boundary(start + (hard - start).div_ceil(2));
        if let Some(end) = self.segment_end(half.max(start + 1), hard) {
            return self.before_headings(start, trim_end(text, start, end));
        }
        let mut best: Option<(Rank, usize)> = None;
        for found in breaks(text, half, hard, stretch_end) {
            if found.bytes.start > start && best.is_none_or(|(rank, _)| found.rank >= rank) {
                best = Some((found.rank, found.bytes.start));
            }
        }
        match best {
            Some((rank, end)) if rank >= Rank::Line => self.before_headings(start, end),
            Some((_, end)) => self
                .before_row(start, end, stretch_end)
                .map_or(end, |end| self.before_headings(start, end)),
            None => self.last_resort(start, half, hard, stretch_end),
        }
    }

    /// The last segment that ends between the two bytes.
    fn segment_end(&self, from: usize, to: usize) -> Option<usize> {
        let marks = self.source.marks();
        let after = marks.partition_point(|mark| mark.bytes.end <= to);
        let end = marks[..after].last()?.bytes.end;
        (end >= from).then_some(end)
    }

    /// No break in the second half: take the last one of the first, and inside a word longer than
    /// that the last grapheme.
    fn last_resort(&self, start: usize, half: usize, hard: usize, stretch_end: usize) -> usize {
        let text = self.text();
        let early = breaks(text, start, half, stretch_end)
            .map(|found| found.bytes.start)
            .take_while(|at| *at <= half)
            .last();
        if let Some(end) = early.filter(|end| *end > start) {
            return self.before_headings(start, end);
        }
        let next = text[hard..].chars().next().map_or(0, char::len_utf8);
        text[start..hard + next]
            .grapheme_indices(true)
            .map(|(at, _)| start + at)
            .take_while(|at| *at <= hard)
            .last()
            .filter(|end| *end > start)
            .unwrap_or(hard)
    }

    /// The end of the line before, when the cut would divide a table's row that fits as a whole.
    fn before_row(&self, start: usize, cut: usize, stretch_end: usize) -> Option<usize> {
        let text = self.text();
        let row = start + text[start..cut].rfind('\n')? + 1;
        let last = stretch_end.min(row + self.ruler.most_bytes(self.sizes.chunk));
        let last = text.floor_char_boundary(last).max(cut);
        let row_end = match text[cut..last].find('\n') {
            Some(at) => cut + at,
            None if last == stretch_end => last,
            None => return None,
        };
        let whole = is_row(&text[row..row_end]) && self.fits(row..row_end, self.sizes.chunk);
        let end = trim_end(text, start, row);
        (whole && end > start).then_some(end)
    }

    /// Leaves the headings at the end of a piece to what follows them.
    fn before_headings(&self, start: usize, end: usize) -> usize {
        let headings = self.trailing_headings(start..end);
        if headings > start {
            trim_end(self.text(), start, headings)
        } else {
            end
        }
    }

    /// Where the headings begin that a piece ends with; its end when there are none.
    pub(super) fn trailing_headings(&self, piece: Range<usize>) -> usize {
        let text = self.text();
        let mut found = piece.end;
        let mut end = piece.end;
        for _ in 0..MOST_HEADINGS {
            let line = text[piece.start..end]
                .rfind('\n')
                .map_or(piece.start, |at| piece.start + at + 1);
            // Only the very last line can be followed by what it is the title of.
            let title = end == piece.end && self.is_title(line, end);
            if !title && !self.is_heading(line, end) {
                break;
            }
            found = line;
            end = trim_end(text, piece.start, line);
            if end == piece.start {
                break;
            }
        }
        found
    }

    fn is_heading(&self, start: usize, end: usize) -> bool {
        let line = self.text()[start..end].trim();
        let marked = line
            .strip_prefix('#')
            .is_some_and(|rest| rest.trim_start_matches('#').starts_with(' '));
        let announces = line.ends_with(':') && line.len() <= LONGEST_HEADING && !is_row(line);
        let mark = &self.source.marks()[self.source.mark_at(start)];
        let titles = mark.bytes.start == start && mark.headings.last().is_some_and(|it| it == line);
        marked || announces || titles
    }

    /// A short line without a full stop that begins a paragraph and is not all of it.
    fn is_title(&self, start: usize, end: usize) -> bool {
        let text = self.text();
        let line = text[start..end].trim();
        line.len() <= LONGEST_HEADING
            && line.ends_with(|c: char| c.is_alphanumeric() || c == ')')
            && line.starts_with(char::is_uppercase)
            && !is_row(line)
            && text[..start].trim_end_matches(' ').ends_with("\n\n")
            && text[end..].starts_with('\n')
            && !text[end..].starts_with("\n\n")
    }

    /// Where the window after `piece` begins: before `next` by about the overlap, at the beginning
    /// of a sentence or else of a word.
    fn overlap(&self, piece: Range<usize>, next: usize) -> usize {
        if self.sizes.overlap == 0 || self.source.starts_section(next) {
            return next;
        }
        let text = self.text();
        let end = piece.end;
        let earliest = self
            .ruler
            .reach_back(end, self.sizes.overlap)
            .max(text.ceil_char_boundary(piece.start + piece.len().div_ceil(2)))
            .max(self.section_start(end, piece.start));
        if earliest >= end {
            return next;
        }
        // The white space just before counts too: a word may begin right at the limit.
        let from = text.floor_char_boundary(earliest.saturating_sub(1).max(piece.start));
        let half = earliest + (end - earliest) / 2;
        let mut word = None;
        let mut sentence = None;
        for found in breaks(text, from, end, end) {
            let at = found.bytes.end;
            if at < earliest || !self.fits(at..end, self.sizes.overlap) {
                continue;
            }
            word = word.or(Some(at));
            if at > half {
                break;
            }
            if found.rank >= Rank::Sentence {
                sentence = Some(at);
                break;
            }
        }
        let Some(at) = sentence.or(word) else {
            return next;
        };
        // Half a row of a table is worth nothing.
        let line = text[piece.start..at]
            .rfind('\n')
            .map(|n| piece.start + n + 1);
        let inside = line.unwrap_or(piece.start) < at;
        let line_end = text[at..end].find('\n').map(|n| at + n);
        let row = &text[line.unwrap_or(piece.start)..line_end.unwrap_or(end)];
        if inside && is_row(row) {
            let row = line_end.map(|n| skip_blank(text, n, end));
            return row.filter(|row| *row < end).unwrap_or(next);
        }
        at
    }

    /// Where the headings begin to hold that stand over the end of a piece. A chunk that began
    /// before would be filed under the section it has only the end of.
    fn section_start(&self, end: usize, earliest: usize) -> usize {
        let marks = self.source.marks();
        let mut mark = self.source.mark_at(end.saturating_sub(1));
        while mark > 0
            && marks[mark].bytes.start > earliest
            && marks[mark].headings == marks[mark - 1].headings
        {
            mark -= 1;
        }
        marks[mark].bytes.start
    }
}

/// A line that a table's row was made into: `Column: value | Column: value`.
pub(super) fn is_row(line: &str) -> bool {
    line.contains(" | ")
}
