//! Cutting a text into chunks: plain arithmetic over character positions.

use unicode_segmentation::UnicodeSegmentation;

/// Sizes in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkSize {
    pub size: usize,
    pub overlap: usize,
}

impl Default for ChunkSize {
    fn default() -> Self {
        Self {
            size: 1000,
            overlap: 200,
        }
    }
}

/// A slice of the text, in characters; `text` is exactly what lies between the two positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span<'a> {
    pub start_char: usize,
    pub end_char: usize,
    pub text: &'a str,
}

/// Cuts `text` into spans of at most `size` characters that overlap by about `overlap`.
///
/// A cut falls at the best boundary of the second half of the window: a blank line, else a line
/// break, else the end of a sentence, else a space; only a single word longer than the window
/// is cut inside, and then between graphemes.
#[must_use]
pub fn fixed(text: &str, size: ChunkSize) -> Vec<Span<'_>> {
    let limit = size.size.max(1);
    let overlap = size.overlap.min(limit / 2);
    // Byte offset of each character, and one past the end.
    let mut at: Vec<usize> = text.char_indices().map(|(i, _)| i).collect();
    at.push(text.len());
    let chars = at.len() - 1;
    let blank = |i: usize| text[at[i]..at[i + 1]].chars().all(char::is_whitespace);

    let mut spans = Vec::new();
    let mut start = 0;
    loop {
        while start < chars && blank(start) {
            start += 1;
        }
        if start >= chars {
            return spans;
        }
        let hard_end = (start + limit).min(chars);
        let end = if hard_end == chars {
            chars
        } else {
            cut(text, &at, start, hard_end)
        };
        let mut last = end;
        while last > start && blank(last - 1) {
            last -= 1;
        }
        spans.push(Span {
            start_char: start,
            end_char: last,
            text: &text[at[start]..at[last]],
        });
        if end == chars {
            return spans;
        }
        start = next_start(text, &at, start, end, overlap);
    }
}

/// Where a window that may not pass `hard_end` should end.
fn cut(text: &str, at: &[usize], start: usize, hard_end: usize) -> usize {
    let half = start + (hard_end - start).div_ceil(2);
    let window = &text[at[start]..at[hard_end]];
    let in_chars = |byte: usize| at.binary_search(&(at[start] + byte)).unwrap_or(hard_end);
    for separator in ["\n\n", "\n", ". ", "? ", "! ", " "] {
        if let Some(byte) = window.rfind(separator) {
            let end = in_chars(byte + separator.len());
            if end >= half {
                return end;
            }
        }
    }
    // No boundary in the second half: take the last space anywhere, else the last grapheme.
    if let Some(byte) = window.rfind(char::is_whitespace) {
        let end = in_chars(byte) + 1;
        if end > start + 1 {
            return end;
        }
    }
    window
        .grapheme_indices(true)
        .map(|(byte, _)| in_chars(byte))
        .rfind(|&end| end > start)
        .unwrap_or(hard_end)
}

/// Steps back by the overlap and forward to the beginning of a word, always past `start`.
fn next_start(text: &str, at: &[usize], start: usize, end: usize, overlap: usize) -> usize {
    if overlap == 0 {
        return end;
    }
    let from = end.saturating_sub(overlap).max(start + 1);
    let back = &text[at[from]..at[end]];
    match back.find(char::is_whitespace) {
        Some(byte) => at
            .binary_search(&(at[from] + byte))
            .map_or(end, |i| i + 1)
            .min(end),
        None => end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn short_texts_are_one_chunk_without_their_margins() {
        let spans = fixed("  Hola, ¿qué tal?\n", ChunkSize::default());
        assert_eq!(spans.len(), 1);
        assert_eq!(spans[0].text, "Hola, ¿qué tal?");
        assert_eq!((spans[0].start_char, spans[0].end_char), (2, 17));
        assert!(fixed(" \n\t ", ChunkSize::default()).is_empty());
    }

    #[test]
    fn cuts_prefer_paragraphs() {
        let text = format!("{}\n\n{}", "a ".repeat(30).trim(), "b ".repeat(30).trim());
        let spans = fixed(
            &text,
            ChunkSize {
                size: 70,
                overlap: 0,
            },
        );
        assert_eq!(spans.len(), 2);
        assert!(spans[0].text.ends_with('a') && spans[1].text.starts_with('b'));
    }

    proptest! {
        #[test]
        fn spans_point_into_the_text_and_lose_no_word(
            text in "[a-zñá0-9👍🏽 .\n]{0,400}", size in 5_usize..80, overlap in 0_usize..40,
        ) {
            let spans = fixed(&text, ChunkSize { size, overlap });
            let chars: Vec<char> = text.chars().collect();
            let mut covered = vec![false; chars.len()];
            let mut previous = None;
            for span in &spans {
                prop_assert!(span.end_char - span.start_char <= size);
                prop_assert!(!span.text.trim().is_empty());
                let slice: String = chars[span.start_char..span.end_char].iter().collect();
                prop_assert_eq!(&slice, span.text);
                if let Some(start) = previous {
                    prop_assert!(span.start_char > start, "no progress");
                }
                previous = Some(span.start_char);
                covered[span.start_char..span.end_char].fill(true);
            }
            for (i, c) in chars.iter().enumerate() {
                prop_assert!(covered[i] || c.is_whitespace(), "lost {:?} at {}", c, i);
            }
        }
    }
}
