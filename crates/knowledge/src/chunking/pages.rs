//! On which pages a chunk stands.

use super::source::SourceText;
use quipu_core::chunking::ChunkPages;
use std::ops::Range;

/// The pages of a piece of the text.
pub(super) fn pages_of(source: &SourceText, piece: Range<usize>) -> ChunkPages {
    let start = source.chars().char_of(source.text(), piece.start);
    let mut pages: Vec<(i32, i32)> = Vec::new();
    for (stretch, page) in stretches(source, piece) {
        let page = i32::try_from(page).unwrap_or(i32::MAX);
        if pages.last().is_none_or(|(_, before)| *before != page) {
            let at = source.chars().char_of(source.text(), stretch.start) - start;
            pages.push((i32::try_from(at).unwrap_or(i32::MAX), page));
        }
    }
    ChunkPages::new(pages)
}

/// The page on which most of a stretch of text stands; the first of those that have as much.
pub(super) fn most(source: &SourceText, piece: Range<usize>) -> Option<u32> {
    let mut sums: Vec<(u32, usize)> = Vec::new();
    for (stretch, page) in stretches(source, piece) {
        match sums.last_mut() {
            Some((last, sum)) if *last == page => *sum += stretch.len(),
            _ => sums.push((page, stretch.len())),
        }
    }
    let most = sums.iter().map(|(_, sum)| *sum).max()?;
    sums.into_iter()
        .find_map(|(page, sum)| (sum == most).then_some(page))
}

/// What of a piece stands on which page, segment by segment.
fn stretches(
    source: &SourceText,
    piece: Range<usize>,
) -> impl Iterator<Item = (Range<usize>, u32)> {
    source.marks()[source.mark_at(piece.start)..]
        .iter()
        .take_while({
            let end = piece.end;
            move |mark| mark.bytes.start < end
        })
        .filter_map(move |mark| {
            let start = mark.bytes.start.max(piece.start);
            let end = mark.bytes.end.min(piece.end);
            (start < end).then_some((start..end, mark.page?))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunking::ruler::Characters;
    use crate::chunking::{Span, chunk};
    use quipu_core::chunking::ChunkingConfig;
    use quipu_core::extraction::{Extracted, Segment};

    fn book(pages: &[String]) -> SourceText {
        let segments = pages.iter().zip(1..).map(|(text, page)| Segment {
            text: text.clone(),
            page: Some(page),
            ..Segment::default()
        });
        SourceText::new(&Extracted {
            segments: segments.collect(),
            ..Extracted::default()
        })
    }

    fn cut(source: &SourceText) -> Vec<Span<'_>> {
        let config = ChunkingConfig::default();
        chunk(source, &config, &Characters(source), None, &|| false).unwrap()
    }

    #[test]
    fn a_chunk_names_the_page_of_its_own_text_and_not_of_what_it_repeats() {
        let page =
            |topic: &str| format!("{topic} en el horario de siempre, sin excepción. ").repeat(18);
        let topics = ["Limpieza", "Corona", "Ortodoncia", "Implante"];
        let source = book(&topics.map(page));
        let spans = cut(&source);
        for span in &spans {
            let whole = span.text;
            let own = topics
                .iter()
                .max_by_key(|topic| whole.matches(*topic).count());
            let at = topics.iter().position(|topic| Some(topic) == own).unwrap();
            assert_eq!(span.page, u32::try_from(at + 1).ok(), "{whole}");
        }
        assert!(
            spans
                .iter()
                .any(|span| span.pages.first() != span.pages.last())
        );
    }

    #[test]
    fn every_character_of_a_chunk_knows_its_page() {
        let texts: Vec<String> = (1..=6)
            .map(|page| format!("Página número {page}: año, niño, señal {page}."))
            .collect();
        let source = book(&texts);
        let spans = cut(&source);
        let [span] = spans.as_slice() else {
            panic!("{spans:?}");
        };
        assert_eq!((span.pages.first(), span.pages.last()), (Some(1), Some(6)));
        for page in 1..=6 {
            let byte = span.text.find(&format!("señal {page}")).unwrap();
            let char = span.text[..byte].chars().count();
            assert_eq!(span.pages.at(char), Some(page));
        }
        let parts: Vec<(i32, String)> = span
            .pages
            .parts(span.text)
            .map(|(page, text)| (page, text.trim().to_owned()))
            .collect();
        let expected: Vec<(i32, String)> = (1..).zip(texts).collect();
        assert_eq!(parts, expected);
    }

    #[test]
    fn a_text_without_pages_has_none() {
        let source = SourceText::plain("Sin páginas. ".repeat(9));
        let spans = cut(&source);
        assert!(
            spans
                .iter()
                .all(|span| span.page.is_none() && span.pages.is_empty())
        );
        assert_eq!(ChunkPages::default().at(3), None);
        assert_eq!(ChunkPages::single(4).at(9), Some(4));
    }
}
