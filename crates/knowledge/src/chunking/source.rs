//! The text of a whole document, with what is known about its stretches.

use quipu_core::extraction::{Extracted, SEGMENT_BREAK, SegmentKind};
use std::ops::Range;
use std::sync::Arc;

/// The text that chunks point into, and where its segments lie.
#[derive(Clone, Debug)]
pub(crate) struct SourceText {
    text: String,
    marks: Vec<Mark>,
    chars: CharIndex,
}

/// A segment, by its place in the text.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) bytes: Range<usize>,
    pub(super) kind: SegmentKind,
    pub(super) page: Option<u32>,
    /// Shared by neighbours: the thousand rows of a sheet stand under the same name.
    pub(super) headings: Arc<[String]>,
}

impl SourceText {
    #[must_use]
    pub(crate) fn new(extracted: &Extracted) -> Self {
        let text = extracted.text();
        let mut marks: Vec<Mark> = Vec::with_capacity(extracted.segments.len());
        let mut start = 0;
        for segment in &extracted.segments {
            let headings = match marks.last() {
                Some(last) if *last.headings == *segment.headings => last.headings.clone(),
                _ => Arc::from(segment.headings.as_slice()),
            };
            marks.push(Mark {
                bytes: start..start + segment.text.len(),
                kind: segment.kind,
                page: segment.page,
                headings,
            });
            start += segment.text.len() + SEGMENT_BREAK.len();
        }
        let chars = CharIndex::new(&text);
        Self { text, marks, chars }
    }

    /// A text without any structure.
    #[must_use]
    pub(crate) fn plain(text: String) -> Self {
        let mark = Mark {
            bytes: 0..text.len(),
            kind: SegmentKind::Flow,
            page: None,
            headings: Arc::default(),
        };
        let chars = CharIndex::new(&text);
        Self {
            text,
            marks: vec![mark],
            chars,
        }
    }

    #[must_use]
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn chars(&self) -> &CharIndex {
        &self.chars
    }

    pub(super) fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// The segment that holds this byte, or the last one before it.
    pub(super) fn mark_at(&self, byte: usize) -> usize {
        self.marks
            .partition_point(|mark| mark.bytes.start <= byte)
            .saturating_sub(1)
    }

    /// Whether a segment begins there that stands under other headings than the one before.
    pub(super) fn starts_section(&self, byte: usize) -> bool {
        let mark = self.mark_at(byte);
        mark > 0
            && self.marks[mark].bytes.start == byte
            && self.marks[mark].headings != self.marks[mark - 1].headings
    }

    /// The stretches that no chunk may leave: every unit, and running text between units.
    pub(super) fn regions(&self) -> impl Iterator<Item = Region> {
        self.marks
            .chunk_by(|a, b| (a.kind, b.kind) == (SegmentKind::Flow, SegmentKind::Flow))
            .filter_map(|run| {
                let (first, last) = (run.first()?, run.last()?);
                let bytes = trimmed(&self.text, first.bytes.start..last.bytes.end);
                (!bytes.is_empty()).then_some(Region {
                    bytes,
                    kind: first.kind,
                })
            })
    }
}

#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) bytes: Range<usize>,
    pub(super) kind: SegmentKind,
}

/// The same stretch without white space at its ends.
pub(super) fn trimmed(text: &str, bytes: Range<usize>) -> Range<usize> {
    let start = skip_blank(text, bytes.start, bytes.end);
    start..trim_end(text, start, bytes.end)
}

/// Where the first word at or after `from` begins; `end` when there is none.
pub(super) fn skip_blank(text: &str, from: usize, end: usize) -> usize {
    let rest = &text[from..end];
    let word = rest.trim_start();
    let at = end - word.len();
    // White space under an accent is part of a letter that is drawn on nothing.
    match rest[..at - from].chars().next_back() {
        Some(space) if !is_boundary(text, at) => at - space.len_utf8(),
        _ => at,
    }
}

/// Where the last word before `end` ends.
pub(super) fn trim_end(text: &str, start: usize, end: usize) -> usize {
    start + text[start..end].trim_end().len()
}

/// Whether a reader would let a cursor stand there.
pub(super) fn is_boundary(text: &str, at: usize) -> bool {
    // Looking the character up is slow, and these never join the one before.
    match text[at..].chars().next() {
        None | Some('\u{0}'..='\u{24f}') => true,
        Some(_) => unicode_segmentation::GraphemeCursor::new(at, text.len(), true)
            .is_boundary(text, 0)
            .unwrap_or(true),
    }
}

/// Tells bytes from characters without a table as large as the text.
#[derive(Clone, Debug)]
pub(super) struct CharIndex {
    /// How many characters begin before each block.
    before: Vec<u32>,
    chars: usize,
}

const BLOCK: usize = 256;

impl CharIndex {
    fn new(text: &str) -> Self {
        let mut before = Vec::with_capacity(text.len() / BLOCK + 1);
        let mut chars = 0;
        for block in text.as_bytes().chunks(BLOCK) {
            before.push(u32::try_from(chars).unwrap_or(u32::MAX));
            chars += count(block);
        }
        Self { before, chars }
    }

    /// How many characters begin before a byte.
    pub(super) fn char_of(&self, text: &str, byte: usize) -> usize {
        match self.before.get(byte / BLOCK) {
            Some(before) => *before as usize + count(&text.as_bytes()[byte / BLOCK * BLOCK..byte]),
            None => self.chars,
        }
    }

    /// Where a character begins; the end of the text when it has fewer.
    pub(super) fn byte_of(&self, text: &str, char: usize) -> usize {
        if char >= self.chars {
            return text.len();
        }
        let block = self
            .before
            .partition_point(|before| *before as usize <= char)
            .saturating_sub(1);
        let mut left = char - self.before[block] as usize;
        let start = block * BLOCK;
        text.as_bytes()[start..]
            .iter()
            .position(|byte| {
                let found = left == 0 && begins(*byte);
                left -= usize::from(left > 0 && begins(*byte));
                found
            })
            .map_or(text.len(), |at| start + at)
    }
}

/// Whether a byte of UTF-8 is the first one of a character.
const fn begins(byte: u8) -> bool {
    byte & 0b1100_0000 != 0b1000_0000
}

fn count(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| begins(**byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn letters_drawn_on_a_space_stay_whole() {
        let text = "a  \u{301}b ";
        assert_eq!(trimmed(text, 1..text.len()), 2..6);
        assert_eq!(trimmed(" a ", 0..3), 1..2);
        assert_eq!(trimmed("  ", 0..2), 2..2);
    }

    proptest! {
        #[test]
        fn bytes_and_characters_are_told_apart(text in "[a-zñ👍\n]{0,900}") {
            let index = CharIndex::new(&text);
            for (char, (byte, _)) in text.char_indices().enumerate() {
                prop_assert_eq!(index.char_of(&text, byte), char);
                prop_assert_eq!(index.byte_of(&text, char), byte);
            }
            let chars = text.chars().count();
            prop_assert_eq!(index.char_of(&text, text.len()), chars);
            prop_assert_eq!(index.byte_of(&text, chars + 1), text.len());
        }
    }
}
