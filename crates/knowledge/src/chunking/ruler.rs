//! Measuring stretches of a text, in characters or in anything else that is counted.

use super::source::SourceText;
use std::ops::Range;

/// Measures stretches of one text. Nothing measures more than its bytes, or cutting could not
/// promise to make anything small enough.
pub(crate) trait Ruler {
    /// How long the text between two bytes is.
    fn measure(&self, bytes: Range<usize>) -> usize;

    /// Up to where a stretch from `start` measures about `limit`, and past `start` by at least one
    /// character.
    fn reach(&self, start: usize, limit: usize) -> usize;

    /// From where a stretch up to `end` measures about `limit`.
    fn reach_back(&self, end: usize, limit: usize) -> usize;

    /// No stretch with more bytes than this is taken for one of `limit`, so that asking whether a
    /// whole document fits costs no more than asking for a page.
    fn most_bytes(&self, limit: usize) -> usize;

    fn fits(&self, bytes: Range<usize>, limit: usize) -> bool {
        bytes.len() <= limit
            || bytes.len() <= self.most_bytes(limit) && self.measure(bytes) <= limit
    }
}

/// Counts characters.
pub(super) struct Characters<'a>(pub(super) &'a SourceText);

impl Characters<'_> {
    fn char_of(&self, byte: usize) -> usize {
        self.0.chars().char_of(self.0.text(), byte)
    }

    fn byte_of(&self, char: usize) -> usize {
        self.0.chars().byte_of(self.0.text(), char)
    }
}

impl Ruler for Characters<'_> {
    fn measure(&self, bytes: Range<usize>) -> usize {
        self.char_of(bytes.end) - self.char_of(bytes.start)
    }

    fn reach(&self, start: usize, limit: usize) -> usize {
        self.byte_of(self.char_of(start) + limit.max(1))
    }

    fn reach_back(&self, end: usize, limit: usize) -> usize {
        self.byte_of(self.char_of(end).saturating_sub(limit))
    }

    fn most_bytes(&self, limit: usize) -> usize {
        limit * char::MAX.len_utf8()
    }
}
