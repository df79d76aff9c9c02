//! Cutting the text of a document into chunks.
//!
//! A chunk is a stretch of the text as it stands, so that its positions lead back to it. A cut
//! prefers the end of a segment, then a blank line, a line break, the end of a sentence, a space;
//! only a word longer than a whole chunk is cut inside, and then between graphemes. The work
//! grows with the length of the text and not faster, whatever the text is.

mod breaks;
mod cutter;
mod pages;
mod paragraph;
mod ruler;
mod semantic;
mod separator;
mod source;
#[cfg(test)]
mod tests;

pub(crate) use ruler::Ruler;
pub(crate) use semantic::Topics;
pub(crate) use separator::OutOfTime;
pub(crate) use source::SourceText;

use cutter::{Cutter, Sizes};
use quipu_core::chunking::{ChunkPages, ChunkStrategy, ChunkingConfig, SizeUnit};
use quipu_core::extraction::{Failure, SegmentKind};
use ruler::Characters;
use semantic::ByTopic;
use separator::Separator;
use std::ops::Range;

/// A piece of the text, and what is known about the place where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span<'a> {
    /// Positions in characters; `text` is exactly what lies between them.
    pub(crate) start_char: usize,
    pub(crate) end_char: usize,
    pub(crate) text: &'a str,
    pub(crate) tokens: usize,
    /// The page on which most of it stands, what it repeats of the chunk before left out.
    pub(crate) page: Option<u32>,
    pub(crate) pages: ChunkPages,
    pub(crate) headings: &'a [String],
}

/// Cuts a document. `tokens` counts the tokens of the same text; `topics` are needed by the
/// strategy `semantic` only, and the others take none.
///
/// # Errors
/// When the separator takes too long to look for.
pub(crate) fn chunk<'a>(
    source: &'a SourceText,
    config: &ChunkingConfig,
    tokens: &dyn Ruler,
    topics: Option<&Topics>,
    out_of_time: OutOfTime<'_>,
) -> Result<Vec<Span<'a>>, Failure> {
    let characters = Characters(source);
    let cutter = Cutter {
        source,
        ruler: match config.unit {
            SizeUnit::Characters => &characters,
            SizeUnit::Tokens => tokens,
        },
        sizes: sizes(config),
    };
    let mut told = 0;
    let spans = pieces(&cutter, config, topics, out_of_time)?
        .into_iter()
        .map(|piece| {
            let mark = &source.marks()[source.mark_at(piece.start)];
            // What it repeats of the one before stands on that one's page.
            let own = if (piece.start..piece.end).contains(&told) {
                told..piece.end
            } else {
                piece.clone()
            };
            told = piece.end;
            Span {
                start_char: source.chars().char_of(source.text(), piece.start),
                end_char: source.chars().char_of(source.text(), piece.end),
                text: &source.text()[piece.clone()],
                page: pages::most(source, own),
                pages: pages::pages_of(source, piece.clone()),
                tokens: tokens.measure(piece),
                headings: &mark.headings,
            }
        })
        .collect();
    Ok(spans)
}

fn pieces(
    cutter: &Cutter<'_>,
    config: &ChunkingConfig,
    topics: Option<&Topics>,
    out_of_time: OutOfTime<'_>,
) -> Result<Vec<Range<usize>>, Failure> {
    let separator = config
        .separator()
        .map(|regex| Separator::new(regex, out_of_time));
    let mut by_topic = topics.map(|topics| ByTopic::new(topics, cutter.source));
    let mut pieces = Vec::new();
    for region in cutter.source.regions() {
        if region.kind == SegmentKind::Unit && cutter.fits(region.bytes.clone(), cutter.sizes.max) {
            pieces.push(region.bytes);
            continue;
        }
        match (config.strategy, &mut by_topic) {
            (ChunkStrategy::Semantic, Some(by_topic)) => {
                pieces.extend(by_topic.cut(cutter, &region));
            }
            (ChunkStrategy::Paragraph, _) => {
                pieces.extend(paragraph::cut(cutter, &region, separator.as_ref()));
            }
            (ChunkStrategy::Fixed | ChunkStrategy::Semantic, _) => {
                pieces.extend(cutter.windows(region.bytes));
            }
        }
    }
    separator.map_or(Ok(()), |separator| separator.in_time())?;
    Ok(pieces)
}

/// The sizes with their order restored, so that a configuration that was never checked can neither
/// stop the cutting nor make a chunk for every character.
fn sizes(config: &ChunkingConfig) -> Sizes {
    let chunk = config.chunk_size.max(1) as usize;
    Sizes {
        chunk,
        overlap: (config.chunk_overlap as usize).min(chunk / 2),
        min: (config.min_chunk_size as usize).min(chunk),
        max: (config.max_chunk_size as usize).max(chunk),
    }
}
