//! From a document to its chunks.

use quipu_core::chunking::{ChunkSize, fixed};

/// A chunk that has no id yet. Positions are in characters of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkDraft {
    pub index: i32,
    pub start_char: i32,
    pub end_char: i32,
    pub content: String,
}

/// Cuts a document into chunks of the default size.
#[must_use]
pub fn chunk(text: &str) -> Vec<ChunkDraft> {
    fixed(text, ChunkSize::default())
        .into_iter()
        .enumerate()
        .map(|(index, span)| ChunkDraft {
            index: position(index),
            start_char: position(span.start_char),
            end_char: position(span.end_char),
            content: span.text.to_owned(),
        })
        .collect()
}

/// Positions are stored in 32 bits, far beyond what any plan lets a document hold.
fn position(value: usize) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_numbered_and_point_into_the_document() {
        let text = "Atendemos de lunes a sábado en Miraflores. ".repeat(80);
        let chunks = chunk(&text);
        assert!(chunks.len() > 3);
        let chars: Vec<char> = text.chars().collect();
        for (number, draft) in chunks.iter().enumerate() {
            assert_eq!(usize::try_from(draft.index), Ok(number));
            let at = |position: i32| usize::try_from(position).unwrap();
            assert_eq!(
                chars[at(draft.start_char)..at(draft.end_char)]
                    .iter()
                    .collect::<String>(),
                draft.content
            );
        }
        assert!(
            chunks[1].start_char < chunks[0].end_char,
            "neighbours overlap"
        );
    }

    #[test]
    fn nothing_makes_no_chunks() {
        assert!(chunk(" \n ").is_empty());
    }
}
