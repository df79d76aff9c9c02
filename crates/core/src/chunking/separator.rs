//! Looking for the separator that a knowledge base chose, for a bounded time.

use super::source::is_boundary;
use crate::extraction::Failure;
use regex::Regex;
use std::cell::Cell;
use std::ops::Range;
use std::time::{Duration, Instant};

/// A separator is looked for in stretches of this size, because looking for the next match can
/// mean reading all that is left, and that for every match.
const LOOK: usize = 1024;
/// A longer separator may go unseen at the end of a stretch.
const LONGEST: usize = 256;
/// What all looking in one document may take. An expression that goes through ten megabytes in a
/// second has plenty; one made of nested repetitions would keep a worker for hours.
const TIME: Duration = Duration::from_secs(10);

pub(super) struct Separator {
    regex: Regex,
    left: Cell<Duration>,
}

impl Separator {
    pub(super) fn new(regex: Regex) -> Self {
        Self {
            regex,
            left: Cell::new(TIME),
        }
    }

    /// # Errors
    /// When the time was not enough: then there are separators that were not found.
    pub(super) fn in_time(&self) -> Result<(), Failure> {
        if self.left.get().is_zero() {
            return Err(Failure::SeparatorTooSlow);
        }
        Ok(())
    }

    /// The next separator after the first character, so that a paragraph is never empty.
    pub(super) fn next(&self, text: &str, from: usize, end: usize) -> Option<Range<usize>> {
        let first = text[from..end].chars().next()?.len_utf8();
        let mut at = from + first;
        while at < end && !self.left.get().is_zero() {
            let stop = text.floor_char_boundary(end.min(at + LOOK));
            match self.look(&text[..stop], at) {
                Some(found)
                    if !found.is_empty()
                        && is_boundary(text, found.start)
                        && is_boundary(text, found.end) =>
                {
                    return Some(found);
                }
                Some(found) => at = found.start + text[found.start..].chars().next()?.len_utf8(),
                None if stop == end => return None,
                None => at = text.floor_char_boundary(stop - LONGEST),
            }
        }
        None
    }

    fn look(&self, text: &str, at: usize) -> Option<Range<usize>> {
        let began = Instant::now();
        let found = self.regex.find_at(text, at).map(|found| found.range());
        self.left
            .set(self.left.get().saturating_sub(began.elapsed()));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_that_takes_forever_is_given_up() {
        let separator = Separator::new(Regex::new("(?:a?){90}b|a").unwrap());
        separator.left.set(Duration::from_millis(20));
        let text = "a".repeat(4_000_000);
        let (began, mut at) = (Instant::now(), 0);
        while let Some(found) = separator.next(&text, at, text.len()) {
            at = found.end;
        }
        assert!(began.elapsed() < TIME, "{:?}", began.elapsed());
        assert_eq!(separator.in_time(), Err(Failure::SeparatorTooSlow));
    }

    #[test]
    fn an_ordinary_expression_has_time_to_spare() {
        let separator = Separator::new(Regex::new("\\n-{3,}\\n").unwrap());
        let text = "uno\n---\ndos\n----\ntres";
        assert_eq!(separator.next(text, 0, text.len()), Some(3..8));
        assert_eq!(separator.next(text, 8, text.len()), Some(11..17));
        assert_eq!(separator.next(text, 17, text.len()), None);
        assert_eq!(separator.in_time(), Ok(()));
    }
}
