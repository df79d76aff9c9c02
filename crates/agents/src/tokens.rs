//! Counting tokens as the common language models do, and cutting a text to a number of them.
//!
//! The vocabulary is `o200k`, the one that chunks of knowledge are measured with.

use crate::memo::Memo;
use std::sync::LazyLock;

/// More bytes than this to a token are taken for too long without being counted, so that a text of any size is
/// cut in a bounded time.
const TOKEN_BYTES: usize = 24;

/// Counts that are kept.
const MOST_COUNTED: usize = 50_000;

static COUNTED: LazyLock<Memo<usize>> = LazyLock::new(|| Memo::new(MOST_COUNTED));

/// How many tokens a text has.
#[must_use]
pub fn count(text: &str) -> usize {
    COUNTED.of(text, |text| bpe_openai::o200k_base().count(text))
}

/// The beginning of a text that has at most so many tokens, in whole words where there are any.
pub(crate) fn cut(text: &str, limit: usize) -> &str {
    let Some(text) = too_long(text, limit) else {
        return text.trim();
    };
    let words = ends(text, |_, next| next.is_whitespace());
    match longest(text, &words, limit) {
        "" => longest(text, &ends(text, |_, _| true), limit),
        cut => cut,
    }
}

/// The beginning of a text that has at most so many tokens, in whole sentences or lines. Half an
/// instruction can say the opposite of the whole, so there may be nothing left.
pub(crate) fn cut_at_sentence(text: &str, limit: usize) -> &str {
    let Some(text) = too_long(text, limit) else {
        return text.trim();
    };
    let ends = ends(text, |before, next| {
        next == '\n' || (next.is_whitespace() && matches!(before, '.' | '!' | '?' | '…'))
    });
    longest(text, &ends, limit)
}

/// As much of a text as has to be looked at to cut it, or nothing when it fits.
fn too_long(text: &str, limit: usize) -> Option<&str> {
    let most = limit.saturating_mul(TOKEN_BYTES);
    if text.len() > most {
        return Some(&text[..text.floor_char_boundary(most)]);
    }
    (count(text.trim()) > limit).then_some(text)
}

/// Where a text may end: between the letters that the rule is given.
fn ends(text: &str, may_end: impl Fn(char, char) -> bool) -> Vec<usize> {
    let letters = text.char_indices().zip(text.chars().skip(1));
    letters
        .filter(|((_, before), next)| may_end(*before, *next))
        .map(|((at, before), _)| at + before.len_utf8())
        .collect()
}

fn longest<'a>(text: &'a str, ends: &[usize], limit: usize) -> &'a str {
    let fits = |end: &usize| count(text[..*end].trim()) <= limit;
    // More text hardly ever has fewer tokens, and where it does, the step back finds an end that fits.
    let fitting = ends.partition_point(fits);
    let end = ends[..fitting].iter().rev().find(|end| fits(end));
    end.map_or("", |end| text[..*end].trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_those_of_the_common_models() {
        assert_eq!(count("¿Cuánto cuesta la limpieza dental?"), 7);
    }

    #[test]
    fn texts_are_cut_between_words_and_within_their_limit() {
        let text = "Nunca menciones precios de ortodoncia sin una valoración previa.";
        assert_eq!(cut(text, 100), text);
        let short = cut(text, 5);
        assert!(count(short) <= 5 && text.starts_with(short), "{short}");
        assert!(text[short.len()..].starts_with(' '), "{short}");
        let endless = "a".repeat(100_000);
        let short = cut(&endless, 5);
        assert!(!short.is_empty() && count(short) <= 5);
        assert_eq!(cut("hola", 0), "");
    }

    #[test]
    fn sentences_are_kept_whole() {
        let text = "Habla de los cursos. Nunca des el precio a quien no lo pregunte.\nSaluda.";
        assert_eq!(cut_at_sentence(text, 8), "Habla de los cursos.");
        assert_eq!(cut_at_sentence(text, 2), "");
        assert_eq!(cut_at_sentence(text, 100), text);
    }
}
