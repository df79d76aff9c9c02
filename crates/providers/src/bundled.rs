//! The models inside the binary, which need neither a key nor a server: what they share.
//!
//! One tokenizer, one table of tokens, and one shape of transformer. An embedder, the judge of
//! passages and whoever comes next are such a transformer with something small at its end.

mod files;
mod table;
mod threads;
mod transformer;
mod word_piece;

pub(crate) use files::{ENCODER_LAYERS, JUDGE, READER, READER_LABELS, STATIC_TABLE, words};
pub(crate) use table::{DIMENSIONS, Table};
pub(crate) use threads::{cores, in_threads};
pub(crate) use transformer::{Desk, MOST_TOKENS, Transformer, floats, sum};
#[cfg(test)]
pub(crate) use transformer::{Reference, added};
pub(crate) use word_piece::{SPECIAL, WordPiece};

/// The marks around every text.
pub(crate) const BEGINNING: u16 = 2;
pub(crate) const END: u16 = 3;

/// So many tokens of the vocabulary, others for each number: what a model is timed with.
pub(crate) fn tokens_to_time(tokens: usize, number: usize) -> Vec<u16> {
    let inside = tokens.clamp(2, MOST_TOKENS) - 2;
    let first = u16::try_from(number % 39_000).unwrap_or_default();
    let words = std::iter::successors(Some(first), |word| Some((word + 7_919) % 39_000));
    let words = words.map(|word| word + 200).take(inside);
    std::iter::once(BEGINNING)
        .chain(words)
        .chain([END])
        .collect()
}
