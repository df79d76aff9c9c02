//! Which blocks are worth making one of, and what that one holds.

use crate::block::{Draft, DraftModel, Span};
use crate::table::Table;
use std::collections::BTreeMap;
use std::ops::Range;

/// So many blocks of a size become one of the next.
const FANOUT: usize = 8;
/// The size of the smallest.
const SMALLEST: usize = 1024;

/// Where in the new block a vector's row is; the merged block, and the row there, it is from.
type Origin = (u32, usize, usize);

/// The blocks to be merged next.
pub(super) fn next(table: &Table) -> Option<Range<usize>> {
    let tiers: Vec<u32> = table
        .shelves
        .iter()
        .map(|shelf| (shelf.live / SMALLEST).max(1).ilog(FANOUT))
        .collect();
    let highest = tiers.iter().copied().max().unwrap_or(0);
    for tier in 0..=highest {
        let newest = tiers.iter().rev().take_while(|&&other| other <= tier);
        let run = newest.clone().count();
        // Those that are smaller come along; they are no reason to write large ones again.
        if newest.filter(|&&other| other == tier).count() >= FANOUT {
            return Some(tiers.len() - run..tiers.len());
        }
    }
    // Rows that no longer count take their place on the disk and in a scan.
    let wasteful = |shelf: &crate::table::Shelf| {
        let rows = shelf.block.head.chunks.len();
        rows >= SMALLEST && shelf.live * 2 < rows
    };
    let found = table.shelves.iter().position(wasteful)?;
    Some(found..found + 1)
}

/// The block that takes their place; none when nothing is left to be said.
pub(super) fn draft(table: &Table, range: Range<usize>) -> Option<Draft<'_>> {
    let (older, merged) = (&table.shelves[..range.start], &table.shelves[range.clone()]);
    let mut spans = Vec::new();
    let mut gone = Vec::new();
    let mut chunks = Vec::new();
    let mut models: BTreeMap<(&str, usize), Vec<Origin>> = BTreeMap::new();
    for (index, shelf) in merged.iter().enumerate() {
        let head = &shelf.block.head;
        for span in &head.spans {
            if shelf.is_live(span) {
                let at = u32::try_from(chunks.len()).ok()?;
                spans.push(Span { at, ..*span });
                let rows = span.at as usize..(span.at + span.count) as usize;
                chunks.extend_from_slice(&head.chunks[rows.clone()]);
                for model in &head.models {
                    let before =
                        |end: usize| model.positions.partition_point(|&p| (p as usize) < end);
                    let of_model = models.entry((&model.name, model.dimensions)).or_default();
                    for row in before(rows.start)..before(rows.end) {
                        of_model.push((at + (model.positions[row] - span.at), index, row));
                    }
                }
            } else {
                gone.push(span.document);
            }
        }
    }
    // Older blocks still have rows of documents that are gone, and only a newer block says so.
    gone.sort_unstable();
    gone.dedup();
    gone.retain(|&document| {
        let has_rows = |span: &Span| span.count > 0;
        older
            .iter()
            .any(|shelf| shelf.block.head.span_of(document).is_some_and(has_rows))
            && !merged.iter().any(|shelf| {
                let span = shelf.block.head.span_of(document);
                span.is_some_and(|span| shelf.is_live(span))
            })
    });
    if spans.is_empty() && gone.is_empty() {
        return None;
    }
    let end = u32::try_from(chunks.len()).ok()?;
    spans.extend(gone.into_iter().map(|document| Span {
        document,
        first: 0,
        count: 0,
        at: end,
    }));
    let models = models
        .into_iter()
        .map(|((name, dimensions), rows)| DraftModel {
            name: name.to_owned(),
            dimensions,
            positions: rows.iter().map(|(position, _, _)| *position).collect(),
            read: Box::new(read(table, range.start, name, dimensions, rows)),
        });
    Some(Draft {
        spans,
        chunks,
        models: models.collect(),
    })
}

/// Reads the vectors of the merged blocks one after the other, with one file open at a time.
fn read<'a>(
    table: &'a Table,
    first: usize,
    name: &'a str,
    dimensions: usize,
    rows: Vec<Origin>,
) -> impl FnMut(usize, &mut Vec<f32>) -> crate::fault::Outcome<()> + 'a {
    let mut open = None;
    move |row, vector| {
        let (_, shelf, row) = rows[row];
        let block = &table.shelves[first + shelf].block;
        let file = match open.take() {
            Some((at, file)) if at == shelf => file,
            _ => block.file()?,
        };
        if let Some((_, model)) = block.head.model(name, dimensions) {
            block.exact(&file, model, row, vector)?;
        }
        open = Some((shelf, file));
        Ok(())
    }
}
