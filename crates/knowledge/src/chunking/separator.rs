//! Looking for the separator that a knowledge base chose, for a bounded time.

use super::source::is_boundary;
use quipu_core::extraction::Failure;
use regex::Regex;
use std::cell::Cell;
use std::ops::Range;

/// A separator is looked for in stretches of this size, because looking for the next match can
/// mean reading all that is left, and that for every match.
const LOOK: usize = 1024;
/// A longer separator may go unseen at the end of a stretch.
const LONGEST: usize = 256;

/// Says when looking for separators has taken long enough. An expression goes through megabytes in
/// a second; one made of nested repetitions would keep a worker for hours.
pub(crate) type OutOfTime<'a> = &'a dyn Fn() -> bool;

pub(super) struct Separator<'a> {
    regex: Regex,
    out_of_time: OutOfTime<'a>,
    gave_up: Cell<bool>,
}

impl<'a> Separator<'a> {
    pub(super) fn new(regex: Regex, out_of_time: OutOfTime<'a>) -> Self {
        Self {
            regex,
            out_of_time,
            gave_up: Cell::new(false),
        }
    }

    /// # Errors
    /// When the time was not enough: then there are separators that were not found.
    pub(super) fn in_time(&self) -> Result<(), Failure> {
        if self.gave_up.get() {
            return Err(Failure::SeparatorTooSlow);
        }
        Ok(())
    }

    /// The next separator after the first character, so that a paragraph is never empty.
    pub(super) fn next(&self, text: &str, from: usize, end: usize) -> Option<Range<usize>> {
        let first = text[from..end].chars().next()?.len_utf8();
        let mut at = from + first;
        while at < end && !self.gave_up.get() {
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
        self.gave_up.set((self.out_of_time)());
        self.regex.find_at(text, at).map(|found| found.range())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_forever_is_given_up() {
        let looks = Cell::new(0);
        let out_of_time = || {
            looks.set(looks.get() + 1);
            looks.get() > 100
        };
        let separator = Separator::new(Regex::new("(?:a?){90}b|a").unwrap(), &out_of_time);
        let text = "a".repeat(4_000_000);
        let mut at = 0;
        while let Some(found) = separator.next(&text, at, text.len()) {
            at = found.end;
        }
        assert_eq!(looks.get(), 101);
        assert_eq!(separator.in_time(), Err(Failure::SeparatorTooSlow));
    }

    #[test]
    fn separators_are_found_one_after_another() {
        let separator = Separator::new(Regex::new("\\n-{3,}\\n").unwrap(), &|| false);
        let text = "uno\n---\ndos\n----\ntres";
        assert_eq!(separator.next(text, 0, text.len()), Some(3..8));
        assert_eq!(separator.next(text, 8, text.len()), Some(11..17));
        assert_eq!(separator.next(text, 17, text.len()), None);
        assert_eq!(separator.in_time(), Ok(()));
    }
}
