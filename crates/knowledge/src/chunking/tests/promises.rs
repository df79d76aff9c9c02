//! What holds for the chunks of any text, however it is to be cut.

use super::{config, cut};
use crate::chunking::{SourceText, Span};
use proptest::prelude::*;
use quipu_core::chunking::{ChunkStrategy, ChunkingConfig, SizeUnit};
use quipu_core::extraction::{Extracted, Segment, SegmentKind};
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

fn any_segments() -> impl Strategy<Value = Vec<Segment>> {
    let text = prop_oneof![
        4 => "([a-zñáA-Z0-9]{1,9}[ .,:?!\n]{1,3}){0,25}",
        1 => "[a-zñ👍🏽\u{301}\u{200d}👩  .\n|#:]{0,120}",
        1 => "(Nombre: [a-z ]{1,12} \\| Precio: S/ [0-9]{1,3}\n){1,6}",
        1 => "[a-z👩\u{200d}]{0,150}",
        1 => "# [a-z]{1,8}\n\n[a-z .\n]{0,60}",
    ];
    let segment =
        (text, any::<bool>(), 1_u32..4, 0_usize..3).prop_map(|(text, flow, page, headings)| {
            Segment {
                text,
                kind: if flow {
                    SegmentKind::Flow
                } else {
                    SegmentKind::Unit
                },
                page: Some(page),
                headings: vec!["H".to_owned(); headings],
            }
        });
    prop::collection::vec(segment, 0..6)
}

fn any_config() -> impl Strategy<Value = ChunkingConfig> {
    let strategy = prop_oneof![
        Just(ChunkStrategy::Fixed),
        Just(ChunkStrategy::Paragraph),
        Just(ChunkStrategy::Semantic)
    ];
    let unit = prop_oneof![Just(SizeUnit::Characters), Just(SizeUnit::Tokens)];
    (strategy, unit, 5_u32..80, 0_u32..40, 0_u32..80, 0_u32..80).prop_map(
        |(strategy, unit, size, overlap, more, min)| ChunkingConfig {
            unit,
            ..config(
                strategy,
                size,
                overlap.min(size / 2),
                size + more,
                min.min(size),
            )
        },
    )
}

proptest! {
    #[test]
    fn chunks_keep_their_promises(segments in any_segments(), config in any_config()) {
        let extracted = Extracted { segments, ..Extracted::default() };
        let source = SourceText::new(&extracted);
        let text = extracted.text();
        prop_assert_eq!(&text, source.text());
        let spans = cut(&source, &config);
        prop_assert_eq!(&spans, &cut(&source, &config), "not deterministic");

        let chars: Vec<char> = text.chars().collect();
        // Byte positions, to ask about words and graphemes.
        let mut bytes: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        bytes.push(text.len());
        let graphemes: Vec<usize> = text.grapheme_indices(true).map(|(at, _)| at).chain([text.len()]).collect();
        // A word is what lies between graphemes of white space.
        let mut words: Vec<Range<usize>> = Vec::new();
        for (at, grapheme) in text.grapheme_indices(true).filter(|(_, g)| !g.trim().is_empty()) {
            match words.last_mut() {
                Some(word) if word.end == at => word.end += grapheme.len(),
                _ => words.push(at..at + grapheme.len()),
            }
        }
        let size = |text: &str| match config.unit {
            SizeUnit::Characters => text.chars().count(),
            SizeUnit::Tokens => text.len(),
        };
        let limit = config.chunk_size as usize;

        let mut covered = vec![false; chars.len()];
        let mut before: Option<&Span<'_>> = None;
        for span in &spans {
            let slice: String = chars[span.start_char..span.end_char].iter().collect();
            prop_assert_eq!(&slice, span.text);
            prop_assert!(!span.text.trim().is_empty());
            prop_assert_eq!(span.tokens, span.text.len());

            // Only a grapheme larger than a chunk is cut, and only a word larger than one.
            prop_assert!(size(span.text) <= config.max_chunk_size as usize, "{:?}", span.text);
            for at in [span.start_char, span.end_char] {
                let byte = bytes[at];
                if let Err(after) = graphemes.binary_search(&byte) {
                    let grapheme = &text[graphemes[after - 1]..graphemes[after]];
                    prop_assert!(size(grapheme) > limit, "{:?} cut", grapheme);
                }
                if let Some(word) = words.iter().find(|word| word.start < byte && byte < word.end) {
                    prop_assert!(size(&text[word.clone()]) > limit, "word cut at {}", byte);
                }
            }

            // Order, progress and a bounded overlap.
            if let Some(before) = before {
                prop_assert!(span.start_char > before.start_char && span.end_char > before.end_char);
                if span.start_char < before.end_char {
                    let shared: String = chars[span.start_char..before.end_char].iter().collect();
                    prop_assert!(size(&shared) <= config.chunk_overlap as usize, "{:?}", shared);
                }
            }
            before = Some(span);
            covered[span.start_char..span.end_char].fill(true);
        }
        for (i, c) in chars.iter().enumerate() {
            prop_assert!(covered[i] || c.is_whitespace(), "lost {:?} at {}", c, i);
        }

        // Segments: units are alone, and each span knows where it begins.
        let mut start = 0;
        for segment in &extracted.segments {
            let end = start + segment.text.chars().count();
            for span in &spans {
                let begins = (start..end).contains(&span.start_char);
                if begins {
                    prop_assert_eq!(span.pages.at(0), segment.page.and_then(|n| n.try_into().ok()));
                    prop_assert_eq!(span.headings, &segment.headings[..]);
                }
                let touches = span.start_char < end && span.end_char > start;
                if segment.kind == SegmentKind::Unit && touches {
                    prop_assert!(begins && span.end_char <= end, "{:?} leaves its unit", span.text);
                    let whole = segment.text.trim();
                    if size(whole) <= config.max_chunk_size as usize && whole.starts_with(|c: char| c.is_ascii()) {
                        prop_assert_eq!(span.text, whole);
                    }
                }
            }
            start = end + 2;
        }
    }
}
