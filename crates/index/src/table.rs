//! All rows of a partition: its blocks, and which of their rows still count.

use crate::block::{Block, Span};
use crate::fault::Outcome;
use quipu_core::{ChunkId, DocumentId};
use std::ops::Range;
use std::sync::Arc;

/// The blocks of a partition, oldest first. Rows ascend through them.
#[derive(Clone)]
pub(crate) struct Table {
    pub(crate) shelves: Vec<Shelf>,
    /// Up to how many bytes of whole vectors of a model stay in memory.
    pub(crate) whole_bytes: usize,
}

/// A block and what is known of it by now.
#[derive(Clone)]
pub(crate) struct Shelf {
    pub(crate) block: Arc<Block>,
    /// A bit for each row whose document was replaced or removed since.
    dead: Arc<Vec<u64>>,
    pub(crate) live: usize,
    /// Per model of the block, the codes that are in memory to be scanned.
    pub(crate) codes: Vec<Option<Arc<Codes>>>,
}

/// The codes of a model's rows in a block, from one of them on.
pub(crate) struct Codes {
    pub(crate) from: usize,
    pub(crate) rows: Vec<i8>,
}

/// Where a row is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) shelf: usize,
    pub(crate) position: usize,
}

impl Shelf {
    fn new(block: Block) -> Self {
        let rows = block.head.chunks.len();
        Self {
            dead: Arc::new(vec![0; rows.div_ceil(64)]),
            live: rows,
            codes: vec![None; block.head.models.len()],
            block: Arc::new(block),
        }
    }

    pub(crate) fn is_dead(&self, position: usize) -> bool {
        self.dead[position / 64] >> (position % 64) & 1 == 1
    }

    /// Whether a span has rows that count. A document lives or dies as a whole.
    pub(crate) fn is_live(&self, span: &Span) -> bool {
        span.count > 0 && !self.is_dead(span.at as usize)
    }

    fn kill(&mut self, document: DocumentId) {
        let Some(span) = self.block.head.span_of(document).copied() else {
            return;
        };
        if !self.is_live(&span) {
            return;
        }
        let dead = Arc::make_mut(&mut self.dead);
        for position in span.at..span.at + span.count {
            dead[position as usize / 64] |= 1 << (position % 64);
        }
        self.live -= span.count as usize;
    }
}

impl Table {
    pub(crate) fn new(whole_bytes: usize) -> Self {
        Self {
            shelves: Vec::new(),
            whole_bytes,
        }
    }

    /// Adds a newer block, which replaces what older ones have of its documents.
    pub(crate) fn push(&mut self, block: Block) {
        for span in &block.head.spans {
            for shelf in &mut self.shelves {
                shelf.kill(span.document);
            }
        }
        self.shelves.push(Shelf::new(block));
    }

    /// Puts one block in the place of several, whose rows that count it holds.
    pub(crate) fn replace(&mut self, range: Range<usize>, block: Option<Block>) {
        let newer: Vec<Shelf> = self
            .shelves
            .drain(range.start..)
            .skip(range.len())
            .collect();
        self.shelves.extend(block.map(Shelf::new));
        self.shelves.extend(newer);
    }

    pub(crate) fn live(&self) -> usize {
        self.shelves.iter().map(|shelf| shelf.live).sum()
    }

    pub(crate) fn locate(&self, row: u32) -> Option<Place> {
        // Blocks without rows have no place in the order.
        self.shelves.iter().enumerate().find_map(|(shelf, held)| {
            let (first, end) = held.block.head.rows()?;
            if !(first..end).contains(&row) {
                return None;
            }
            let position = held.block.head.position_of(row)?;
            Some(Place { shelf, position })
        })
    }

    /// The rows before `end` that count, to be looked up quickly.
    pub(crate) fn live_before(&self, end: u32) -> LiveRows {
        let mut bits = vec![0; (end as usize).div_ceil(64)];
        for shelf in &self.shelves {
            let live = shelf.block.head.spans.iter();
            for span in live.filter(|span| shelf.is_live(span)) {
                for row in span.first..(span.first + span.count).min(end) {
                    bits[row as usize / 64] |= 1 << (row % 64);
                }
            }
        }
        LiveRows(bits)
    }

    pub(crate) fn ids(&self, row: u32) -> Option<(ChunkId, DocumentId)> {
        let place = self.locate(row)?;
        let head = &self.shelves[place.shelf].block.head;
        Some((
            head.chunks[place.position],
            head.span_at(place.position).document,
        ))
    }

    /// Whether there are rows of a document that count.
    pub(crate) fn is_known(&self, document: DocumentId) -> bool {
        self.shelves.iter().any(|shelf| {
            let span = shelf.block.head.span_of(document);
            span.is_some_and(|span| shelf.is_live(span))
        })
    }

    /// The rows of some documents, in ascending order.
    pub(crate) fn rows_of(&self, documents: &[DocumentId]) -> Rows {
        let mut ranges: Vec<Range<u32>> = documents
            .iter()
            .flat_map(|&document| {
                self.shelves.iter().filter_map(move |shelf| {
                    let span = shelf.block.head.span_of(document)?;
                    shelf
                        .is_live(span)
                        .then(|| span.first..span.first + span.count)
                })
            })
            .collect();
        ranges.sort_by_key(|range| range.start);
        ranges.dedup();
        Rows(ranges)
    }

    /// Brings the codes into memory that are scanned: all, or those after the rows of a graph.
    pub(crate) fn load_codes(&mut self, covered: impl Fn(&str) -> u32) -> Outcome<()> {
        for shelf in &mut self.shelves {
            let head = &shelf.block.head;
            for (model, codes) in head.models.iter().zip(&mut shelf.codes) {
                let upto = covered(&model.name);
                let from = model
                    .positions
                    .partition_point(|&position| head.row_at(position as usize) < upto);
                if from == model.positions.len() {
                    *codes = None;
                } else if codes.as_ref().is_none_or(|codes| codes.from != from) {
                    let file = shelf.block.file()?;
                    let rows = shelf
                        .block
                        .codes(&file, model, from..model.positions.len())?;
                    *codes = Some(Arc::new(Codes { from, rows }));
                }
            }
        }
        Ok(())
    }

    /// How many rows of a model count, from a row on.
    pub(crate) fn live_of(&self, name: &str, dimensions: usize, from: u32) -> usize {
        let live = |shelf: &Shelf| {
            let head = &shelf.block.head;
            let Some((_, model)) = head.model(name, dimensions) else {
                return 0;
            };
            let after = model
                .positions
                .partition_point(|&position| head.row_at(position as usize) < from);
            let positions = &model.positions[after..];
            positions
                .iter()
                .filter(|&&position| !shelf.is_dead(position as usize))
                .count()
        };
        self.shelves.iter().map(live).sum()
    }

    /// The models of the rows, each with its dimensions.
    pub(crate) fn models(&self) -> Vec<(String, usize)> {
        let mut models: Vec<(String, usize)> = self
            .shelves
            .iter()
            .flat_map(|shelf| &shelf.block.head.models)
            .map(|model| (model.name.clone(), model.dimensions))
            .collect();
        models.sort();
        models.dedup();
        models
    }

    /// Whether the whole vectors of a model are few enough to stay in memory.
    pub(crate) fn keeps_whole(&self, name: &str, dimensions: usize) -> bool {
        let models = self.shelves.iter();
        let models = models.filter_map(|shelf| shelf.block.head.model(name, dimensions));
        let rows: usize = models.map(|(_, model)| model.positions.len()).sum();
        rows * dimensions * size_of::<f32>() <= self.whole_bytes
    }

    /// What whole vectors take in memory.
    pub(crate) fn whole_in_memory(&self) -> usize {
        let shelves = self.shelves.iter();
        shelves.map(|shelf| shelf.block.whole_in_memory()).sum()
    }

    /// What the rest takes.
    pub(crate) fn in_memory(&self) -> usize {
        let codes = |shelf: &Shelf| {
            let codes = shelf.codes.iter().flatten();
            codes.map(|codes| codes.rows.len()).sum::<usize>()
        };
        self.shelves
            .iter()
            .map(|shelf| shelf.block.head.in_memory() + shelf.dead.len() * 8 + codes(shelf))
            .sum()
    }
}

/// A bit for each row that counts.
pub(crate) struct LiveRows(Vec<u64>);

impl LiveRows {
    pub(crate) fn contains(&self, row: u32) -> bool {
        let bits = self.0.get(row as usize / 64);
        bits.is_some_and(|bits| bits >> (row % 64) & 1 == 1)
    }
}

/// Rows as ranges that do not touch, in ascending order.
#[derive(Debug)]
pub(crate) struct Rows(pub(crate) Vec<Range<u32>>);

impl Rows {
    pub(crate) fn contains(&self, row: u32) -> bool {
        let after = self.0.partition_point(|range| range.start <= row);
        self.0[..after].last().is_some_and(|range| row < range.end)
    }

    pub(crate) fn count(&self) -> usize {
        self.0.iter().map(ExactSizeIterator::len).sum()
    }
}
