//! Whole paragraphs, as many as fit into a chunk.

use super::cutter::Cutter;
use super::separator::Separator;
use super::source::{Region, SourceText, skip_blank, trim_end, trimmed};
use std::ops::Range;

/// Paragraphs are joined up to the chunk size. One over the maximum is cut as `fixed` cuts.
/// Headings stay with what follows them.
pub(super) fn cut(
    cutter: &Cutter<'_>,
    region: &Region,
    separator: Option<&Separator<'_>>,
) -> Vec<Range<usize>> {
    let sizes = cutter.sizes;
    let mut pieces = Vec::new();
    let mut current: Option<Range<usize>> = None;
    for paragraph in Paragraphs::new(cutter.source, region.bytes.clone(), separator) {
        let Some(joined) = current.take() else {
            current = Some(paragraph);
            continue;
        };
        let both = joined.start..paragraph.end;
        if cutter.fits(both.clone(), sizes.chunk)
            || cutter.is_small(joined.clone()) && cutter.fits(both.clone(), sizes.max)
        {
            current = Some(both);
            continue;
        }
        let headings = cutter.trailing_headings(joined.clone());
        if headings == joined.start {
            current = Some(both);
        } else if headings < joined.end {
            let end = trim_end(cutter.text(), joined.start, headings);
            push(cutter, joined.start..end, &mut pieces);
            current = Some(skip_blank(cutter.text(), headings, both.end)..both.end);
        } else {
            push(cutter, joined, &mut pieces);
            current = Some(paragraph);
        }
    }
    if let Some(last) = current {
        push(cutter, last, &mut pieces);
    }
    join_small_end(cutter, &mut pieces);
    pieces
}

/// Adds a piece, cut into windows when it is over the maximum.
pub(super) fn push(cutter: &Cutter<'_>, piece: Range<usize>, pieces: &mut Vec<Range<usize>>) {
    if cutter.fits(piece.clone(), cutter.sizes.max) {
        pieces.push(piece);
    } else {
        pieces.extend(cutter.windows(piece));
    }
}

/// Joins a last piece that is too short with the one before, where both fit into the maximum.
pub(super) fn join_small_end(cutter: &Cutter<'_>, pieces: &mut Vec<Range<usize>>) {
    if let [.., before, last] = pieces.as_mut_slice()
        && cutter.is_small(last.clone())
        && cutter.fits(before.start..last.end, cutter.sizes.max)
    {
        before.end = last.end;
        pieces.pop();
    }
}

/// The paragraphs of a stretch of text, without the white space around them. A segment's end is
/// always a paragraph's too.
pub(super) struct Paragraphs<'a> {
    source: &'a SourceText,
    separator: Option<&'a Separator<'a>>,
    at: usize,
    end: usize,
}

impl<'a> Paragraphs<'a> {
    pub(super) fn new(
        source: &'a SourceText,
        bytes: Range<usize>,
        separator: Option<&'a Separator<'a>>,
    ) -> Self {
        Self {
            source,
            separator,
            at: bytes.start,
            end: bytes.end,
        }
    }

    /// Where the paragraph ends that begins at `at`, and where the next one may begin.
    fn next_end(&self) -> (usize, usize) {
        let text = self.source.text();
        let marks = self.source.marks();
        let segment = marks[self.source.mark_at(self.at)].bytes.end;
        let end = segment.clamp(self.at, self.end);
        let found = match self.separator {
            Some(separator) => separator.next(text, self.at, end),
            None => next_blank_line(text, self.at, end),
        };
        match found {
            // Words in a separator, such as "Chapter 3", begin what follows.
            Some(found) if text[found.clone()].contains(char::is_alphanumeric) => {
                (found.start, found.start)
            }
            Some(found) => (found.start, found.end),
            None => (end, end),
        }
    }
}

impl Iterator for Paragraphs<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let text = self.source.text();
        loop {
            self.at = skip_blank(text, self.at, self.end);
            if self.at >= self.end {
                return None;
            }
            let start = self.at;
            let (end, next) = self.next_end();
            self.at = next;
            let paragraph = trimmed(text, start..end);
            if !paragraph.is_empty() {
                return Some(paragraph);
            }
        }
    }
}

fn next_blank_line(text: &str, from: usize, end: usize) -> Option<Range<usize>> {
    let mut at = from;
    loop {
        let line_end = at + text[at..end].find('\n')?;
        let word = skip_blank(text, line_end, end);
        if text[line_end..word].bytes().filter(|b| *b == b'\n').count() > 1 {
            return Some(line_end..word);
        }
        at = word;
    }
}
