//! Counting tokens as the common language models do.
//!
//! The vocabulary is `o200k`. It is read when the first text is counted, which takes about a tenth
//! of a second, and then stays in memory.

use crate::chunking::Ruler;
use bpe_openai::Tokenizer;
use std::ops::Range;

/// Known positions lie at least this far apart, so that they take little memory and little is
/// counted again to get from one to the place that is asked for.
const STEP: usize = 24;
/// A token is taken to hold no more bytes than this. Runs of spaces or dashes can hold more; they
/// are cut earlier than need be, and in exchange no chunk is larger than its tokens suggest.
const TOKEN_BYTES: usize = 8;

/// How many tokens a text has.
#[must_use]
pub fn count(text: &str) -> usize {
    bpe_openai::o200k_base().count(text)
}

/// Counts the tokens of any stretch of a text after having counted all of it once.
pub(crate) struct TokenRuler<'a> {
    text: &'a str,
    tokenizer: &'static Tokenizer,
    /// Ends of the pieces that are encoded by themselves, with the tokens up to there.
    known: Vec<Known>,
}

#[derive(Clone, Copy, Debug)]
struct Known {
    byte: u32,
    tokens: u32,
}

impl Known {
    fn byte(self) -> usize {
        self.byte as usize
    }

    fn tokens(self) -> usize {
        self.tokens as usize
    }
}

impl<'a> TokenRuler<'a> {
    /// `None` when the text is larger than any document may be.
    pub(crate) fn new(text: &'a str) -> Option<Self> {
        u32::try_from(text.len()).ok()?;
        let tokenizer = bpe_openai::o200k_base();
        let mut known = vec![Known { byte: 0, tokens: 0 }];
        let (mut byte, mut tokens, mut last) = (0, 0, 0);
        for piece in tokenizer.split(text) {
            byte += piece.len();
            tokens += tokenizer.bpe.count(piece.as_bytes());
            if byte - last >= STEP {
                known.push(Known {
                    byte: u32::try_from(byte).ok()?,
                    tokens: u32::try_from(tokens).ok()?,
                });
                last = byte;
            }
        }
        Some(Self {
            text,
            tokenizer,
            known,
        })
    }

    /// Walks over the pieces of a stretch. `visit` is told where each ends and how many tokens it
    /// has, and says whether to go on.
    fn walk(&self, bytes: Range<usize>, mut visit: impl FnMut(usize, usize) -> bool) {
        let mut at = bytes.start;
        for piece in self.tokenizer.split(&self.text[bytes]) {
            at += piece.len();
            if !visit(at, self.tokenizer.bpe.count(piece.as_bytes())) {
                return;
            }
        }
    }

    /// The first known position at or after a byte.
    fn known_from(&self, byte: usize) -> usize {
        self.known.partition_point(|known| known.byte() < byte)
    }

    /// Whether there is a known position between two bytes.
    fn has_known(&self, start: usize, end: usize) -> bool {
        let next = self.known.get(self.known_from(start));
        next.is_some_and(|known| known.byte() < end)
    }

    /// Counts from `start` to a known position, and says which. `None` when there is none up to
    /// `end`; pieces from within a piece do not always end where the others do.
    fn join(&self, start: usize, end: usize) -> Option<(usize, usize)> {
        let mut next = self.known_from(start);
        if self.known.get(next)?.byte() == start {
            return Some((next, 0));
        }
        if !self.has_known(start, end) {
            return None;
        }
        let mut tokens = 0;
        let mut found = None;
        self.walk(start..end, |at, count| {
            tokens += count;
            while self.known.get(next).is_some_and(|known| known.byte() < at) {
                next += 1;
            }
            let known = self.known.get(next);
            // The last piece may be the beginning of a longer one.
            if at < end && known.is_some_and(|known| known.byte() == at) {
                found = Some((next, tokens));
            }
            found.is_none() && known.is_some_and(|known| known.byte() < end)
        });
        found
    }
}

impl Ruler for TokenRuler<'_> {
    fn measure(&self, bytes: Range<usize>) -> usize {
        let direct = || self.tokenizer.count(&self.text[bytes.clone()]);
        let Some((first, head)) = self.join(bytes.start, bytes.end) else {
            return direct();
        };
        let last = self.known_from(bytes.end + 1).saturating_sub(1);
        if last < first {
            return direct();
        }
        let (from, to) = (self.known[first], self.known[last]);
        let tail = self.tokenizer.count(&self.text[to.byte()..bytes.end]);
        head + (to.tokens() - from.tokens()) + tail
    }

    fn reach(&self, start: usize, limit: usize) -> usize {
        let most = start.saturating_add(self.most_bytes(limit));
        let end = self.text.floor_char_boundary(most.min(self.text.len()));
        let mut at = start;
        let mut left = limit;
        if let Some((first, head)) = self.join(start, end)
            && head <= limit
        {
            let tokens = self.known[first].tokens() + limit - head;
            let last = self
                .known
                .partition_point(|known| known.tokens() <= tokens && known.byte() <= end)
                .saturating_sub(1)
                .max(first);
            at = self.known[last].byte();
            left = tokens - self.known[last].tokens();
        }
        if self.has_known(start, end) || end - start <= STEP {
            self.walk(at..end, |to, count| {
                let fits = count <= left;
                if fits {
                    at = to;
                    left -= count;
                }
                fits
            });
        }
        if at > start {
            return at;
        }
        // It begins with a single piece that has more tokens than that.
        let bpe = &self.tokenizer.bpe;
        let tokens = bpe.encode_via_backtracking(&self.text.as_bytes()[start..end]);
        let fitting = bpe.decode_tokens(&tokens[..limit.min(tokens.len())]).len();
        let first = self.text[start..].chars().next().map_or(0, char::len_utf8);
        let fitting = self.text.floor_char_boundary(start + fitting);
        fitting.max(start + first)
    }

    fn reach_back(&self, end: usize, limit: usize) -> usize {
        let earliest = self
            .text
            .ceil_char_boundary(end.saturating_sub(self.most_bytes(limit)));
        let last = self.known[self.known_from(end + 1).saturating_sub(1)];
        if last.byte() < earliest {
            return end;
        }
        let total = last.tokens() + self.tokenizer.count(&self.text[last.byte()..end]);
        let first = self
            .known
            .partition_point(|known| known.tokens() + limit < total);
        let from = self.known.get(first).map_or(end, |known| known.byte());
        from.clamp(earliest, end)
    }

    fn most_bytes(&self, limit: usize) -> usize {
        limit.saturating_mul(TOKEN_BYTES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tokens_are_those_of_the_common_models() {
        assert_eq!(count(""), 0);
        assert_eq!(count("hello world"), 2);
        assert_eq!(count("¿Cuánto cuesta la limpieza dental?"), 7);
    }

    #[test]
    fn long_words_and_runs_do_not_stop_the_ruler() {
        for text in [
            "a".repeat(5000),
            " ".repeat(5000),
            "日".repeat(2000),
            "aA".repeat(3000),
        ] {
            let ruler = TokenRuler::new(&text).unwrap();
            let mut start = 0;
            while start < text.len() {
                let end = ruler.reach(start, 50);
                assert!(
                    end > start && ruler.measure(start..end) <= 50,
                    "{start} {end}"
                );
                assert!(ruler.reach_back(end, 10) <= end);
                start = end;
            }
        }
    }

    fn any_text() -> impl Strategy<Value = String> {
        prop_oneof![
            "([a-zA-Zñáé]{1,12}[ ,.:;¿?\n]{1,3}){0,60}",
            "([a-z]{0,5}[0-9]{0,8}[ .\n]{0,3}){0,60}",
            "[a-z👍日\u{301}'A ,.!\n]{0,300}",
        ]
    }

    proptest! {
        #[test]
        fn stretches_count_as_if_they_stood_alone(text in any_text(), a in 0_usize..600, b in 0_usize..600) {
            let ruler = TokenRuler::new(&text).unwrap();
            let (a, b) = (text.floor_char_boundary(a), text.floor_char_boundary(b));
            // Chunks begin and end with a word.
            let start = a.min(b) + (text[a.min(b)..a.max(b)].len() - text[a.min(b)..a.max(b)].trim_start().len());
            let end = start + text[start..a.max(b)].trim_end().len();
            prop_assert_eq!(ruler.measure(start..end), count(&text[start..end]), "{:?}", &text[start..end]);
        }

        #[test]
        fn what_is_reached_is_about_as_long_as_asked(text in any_text(), start in 0_usize..300, limit in 1_usize..60) {
            let ruler = TokenRuler::new(&text).unwrap();
            let start = text.floor_char_boundary(start);
            if start < text.len() {
                let end = ruler.reach(start, limit);
                prop_assert!(end > start);
                prop_assert!(count(&text[start..end]) <= limit + 2);
                let back = ruler.reach_back(end, limit);
                prop_assert!(back <= end);
                prop_assert!(count(&text[back..end]) <= limit + 2);
            }
        }
    }
}
