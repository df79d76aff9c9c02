//! Gathers segments, and stops a file that has more to say than anybody will read.

use crate::embedded::Pictures;
use quipu_core::extraction::{DocumentInfo, Extracted, Failure, Segment};

/// How much text may come out of one file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextLimits {
    pub(crate) bytes: usize,
    pub(crate) segments: usize,
}

impl Default for TextLimits {
    fn default() -> Self {
        Self {
            bytes: 16 * 1024 * 1024,
            segments: 100_000,
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Collector {
    limits: TextLimits,
    bytes: usize,
    pub(crate) info: DocumentInfo,
    pub(crate) pictures: Pictures,
    segments: Vec<Segment>,
}

impl Collector {
    /// One that takes in pictures too.
    pub(crate) fn with(pictures: Pictures) -> Self {
        Self {
            pictures,
            ..Self::default()
        }
    }

    /// Remembers that a picture stands here.
    pub(crate) fn place_picture(&mut self, number: usize, segment: Segment) {
        self.pictures.place(number, self.segments.len(), segment);
    }

    /// Adds a segment without the white space around it. One without text is left out.
    ///
    /// # Errors
    /// `TooLong` when the file has more text than the limits allow.
    pub(crate) fn push(&mut self, mut segment: Segment) -> Result<(), Failure> {
        let text = segment.text.trim();
        if text.is_empty() {
            return Ok(());
        }
        // PostgreSQL cannot store a NUL, and no reader misses one.
        if text.len() != segment.text.len() || text.contains('\0') {
            segment.text = text.replace('\0', "");
        }
        self.bytes += segment.text.len();
        if self.bytes > self.limits.bytes || self.segments.len() >= self.limits.segments {
            return Err(Failure::TooLong);
        }
        self.segments.push(segment);
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// Looks ahead: whether a segment that has grown to this many bytes still has room.
    ///
    /// # Errors
    /// `TooLong` when it has not.
    pub(crate) fn still_fits(&self, bytes: usize) -> Result<(), Failure> {
        if self.bytes.saturating_add(bytes) > self.limits.bytes {
            return Err(Failure::TooLong);
        }
        Ok(())
    }

    /// # Errors
    /// `NoText` when nothing was collected: an empty text is never a success.
    pub(crate) fn finish(self) -> Result<Extracted, Failure> {
        if self.segments.is_empty() {
            return Err(Failure::NoText);
        }
        Ok(Extracted {
            info: self.info,
            segments: self.segments,
        })
    }
}
