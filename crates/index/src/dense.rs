//! Search by vectors: a scan over codes of 8 bits finds the candidates, whole vectors decide.

use crate::block::ModelRows;
use crate::fault::Outcome;
use crate::kernel;
use crate::table::{Codes, Rows, Table};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::fs::File;
use std::ops::Range;

/// How many candidates of a graph are measured exactly for each one that is asked for.
const OVERSAMPLE: usize = 4;
/// How many more are measured however few are asked for.
const SPARE: usize = 32;
/// What codes may be wrong by, generously: whatever comes this close to the last candidate that is
/// asked for is measured too, as long as it is not half the knowledge base.
const MARGIN: f32 = 0.004;
const MOST: usize = 512;
/// How many rows a thread takes at a time, and from how many on it is worth having several.
const PORTION: usize = 4096;
const MANY: usize = 12_000;

/// A question as a vector, with the model that made it.
pub(crate) struct Query<'a> {
    pub(crate) model: &'a str,
    pub(crate) vector: &'a [f32],
    codes: Vec<i8>,
    step: f32,
}

impl<'a> Query<'a> {
    pub(crate) fn new(model: &'a str, vector: &'a [f32]) -> Self {
        let mut codes = vec![0; vector.len()];
        let step = kernel::quantise(vector, &mut codes);
        Self {
            model,
            vector,
            codes,
            step,
        }
    }

    pub(crate) fn codes(&self) -> &[i8] {
        &self.codes
    }
}

/// A row that may be near, by its place among the rows of the model in a block.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    score: f32,
    shelf: usize,
    row: usize,
}

fn best_first(a: &Candidate, b: &Candidate) -> Ordering {
    b.score.total_cmp(&a.score)
}

/// How many candidates to ask for so that the nearest `limit` are among them.
pub(crate) fn oversampled(limit: usize) -> usize {
    limit * OVERSAMPLE + SPARE
}

/// Some rows of the model in one block.
struct Portion<'a> {
    shelf: usize,
    model: &'a ModelRows,
    codes: Option<&'a Codes>,
    rows: Range<usize>,
}

/// The candidates among the rows from `from` on, or among those given.
pub(crate) fn scan(
    table: &Table,
    query: &Query<'_>,
    from: u32,
    only: Option<&Rows>,
    limit: usize,
) -> Outcome<Vec<Candidate>> {
    let portions = portions(table, query, from, only);
    let total: usize = portions.iter().map(|portion| portion.rows.len()).sum();
    let keep = oversampled(limit) + MOST;
    // How many there are is read from files of the system, so that few rows do not ask for it.
    let threads = if total < MANY {
        1
    } else {
        std::thread::available_parallelism().map_or(1, usize::from)
    };
    let mut found = if threads == 1 {
        scan_portions(table, query, &portions, keep)?
    } else {
        let share = portions.len().div_ceil(threads.min(portions.len()));
        std::thread::scope(|scope| {
            let workers: Vec<_> = portions
                .chunks(share)
                .map(|portions| scope.spawn(move || scan_portions(table, query, portions, keep)))
                .collect();
            let mut found = Vec::new();
            for worker in workers {
                match worker.join() {
                    Ok(part) => found.extend(part?),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            Ok::<_, crate::fault::Fault>(found)
        })?
    };
    found.sort_unstable_by(best_first);
    found.truncate(keep);
    if let Some(last) = found.get(limit.saturating_sub(1)).map(|last| last.score) {
        let close = found.partition_point(|candidate| candidate.score >= last - MARGIN);
        // Every row was looked at, so that only what its codes may be wrong by has to be made up for;
        // where there are many, a vector is read from its file, which takes longer than to look at a
        // hundred codes.
        found.truncate(close.max(limit + SPARE));
    }
    Ok(found)
}

fn portions<'a>(
    table: &'a Table,
    query: &Query<'_>,
    from: u32,
    only: Option<&Rows>,
) -> Vec<Portion<'a>> {
    let mut portions = Vec::new();
    for (shelf, held) in table.shelves.iter().enumerate() {
        let head = &held.block.head;
        let Some((index, model)) = head.model(query.model, query.vector.len()) else {
            continue;
        };
        let (Some((first, end)), Some(codes)) = (head.rows(), held.codes.get(index)) else {
            continue;
        };
        let before = |row: u32| {
            let position = |&position: &u32| head.row_at(position as usize) < row;
            model.positions.partition_point(position)
        };
        let mut add = |rows: Range<u32>| {
            let (mut start, end) = (before(rows.start), before(rows.end));
            while start < end {
                let next = (start + PORTION).min(end);
                portions.push(Portion {
                    shelf,
                    model,
                    codes: codes.as_deref(),
                    rows: start..next,
                });
                start = next;
            }
        };
        match only {
            None => add(from.max(first)..end.max(from)),
            Some(only) => {
                let within = only
                    .0
                    .iter()
                    .filter(|rows| (first..end).contains(&rows.start));
                within.for_each(|rows| add(rows.start.max(from)..rows.end.max(from)));
            }
        }
    }
    portions
}

fn scan_portions(
    table: &Table,
    query: &Query<'_>,
    portions: &[Portion<'_>],
    keep: usize,
) -> Outcome<Vec<Candidate>> {
    let mut found: Vec<Candidate> = Vec::with_capacity(keep * 4);
    let mut products = Vec::new();
    let mut files = Files::default();
    let mut worst = f32::NEG_INFINITY;
    for portion in portions {
        let shelf = &table.shelves[portion.shelf];
        let width = portion.model.dimensions;
        let rows = portion.rows.clone();
        match portion.codes {
            Some(codes) if codes.from <= rows.start => {
                let start = (rows.start - codes.from) * width;
                let end = (rows.end - codes.from) * width;
                kernel::scan_i8(query.codes(), &codes.rows[start..end], &mut products);
            }
            _ => {
                let file = files.of(table, portion.shelf)?;
                let codes = shelf.block.codes(file, portion.model, rows.clone())?;
                kernel::scan_i8(query.codes(), &codes, &mut products);
            }
        }
        for (row, &product) in rows.zip(&products) {
            let score = to_float(product) * portion.model.steps[row] * query.step;
            if score > worst && !shelf.is_dead(portion.model.positions[row] as usize) {
                found.push(Candidate {
                    score,
                    shelf: portion.shelf,
                    row,
                });
            }
        }
        if found.len() > keep * 4 {
            found.select_nth_unstable_by(keep, best_first);
            found.truncate(keep);
            worst = found
                .iter()
                .map(|found| found.score)
                .fold(f32::INFINITY, f32::min);
        }
    }
    Ok(found)
}

#[expect(clippy::cast_precision_loss, reason = "codes are an estimate")]
fn to_float(product: i32) -> f32 {
    product as f32
}

/// The candidates that rows are, as far as they have a vector of the query's model and count.
pub(crate) fn candidates(table: &Table, query: &Query<'_>, rows: &[u32]) -> Vec<Candidate> {
    let candidate = |&row: &u32| {
        let place = table.locate(row)?;
        let shelf = &table.shelves[place.shelf];
        let (_, model) = shelf.block.head.model(query.model, query.vector.len())?;
        let position = u32::try_from(place.position).ok()?;
        let found = model.positions.binary_search(&position).ok()?;
        (!shelf.is_dead(place.position)).then_some(Candidate {
            score: 0.0,
            shelf: place.shelf,
            row: found,
        })
    };
    rows.iter().filter_map(candidate).collect()
}

/// Vectors of a model from all over the partition, about so many.
pub(crate) fn sample(
    table: &Table,
    model: &str,
    dimensions: usize,
    count: usize,
) -> Outcome<Vec<Vec<f32>>> {
    let step = (table.live_of(model, dimensions, 0) / count.max(1)).max(1);
    let mut files = Files::default();
    let mut sample = Vec::new();
    for (index, shelf) in table.shelves.iter().enumerate() {
        let Some((_, model)) = shelf.block.head.model(model, dimensions) else {
            continue;
        };
        for row in (0..model.positions.len()).step_by(step) {
            if !shelf.is_dead(model.positions[row] as usize) {
                let mut vector = Vec::new();
                let file = files.of(table, index)?;
                shelf.block.exact(file, model, row, &mut vector)?;
                sample.push(vector);
            }
        }
    }
    Ok(sample)
}

/// The cosine of each candidate, with its row.
pub(crate) fn measure(
    table: &Table,
    query: &Query<'_>,
    candidates: &[Candidate],
) -> Outcome<Vec<(u32, f32)>> {
    let mut files = Files::default();
    let mut vector = Vec::new();
    let mut measured = Vec::with_capacity(candidates.len());
    let keeps_whole = table.keeps_whole(query.model, query.vector.len());
    for candidate in candidates {
        let block = &table.shelves[candidate.shelf].block;
        let Some((index, model)) = block.head.model(query.model, query.vector.len()) else {
            continue;
        };
        let whole = if keeps_whole {
            block.whole(index)?
        } else {
            None
        };
        let kept = whole.and_then(|whole| {
            let first = candidate.row * model.dimensions;
            whole.get(first..first + model.dimensions)
        });
        let cosine = if let Some(vector) = kept {
            kernel::dot(query.vector, vector)
        } else {
            let file = files.of(table, candidate.shelf)?;
            block.exact(file, model, candidate.row, &mut vector)?;
            kernel::dot(query.vector, &vector)
        };
        let row = block.head.row_at(model.positions[candidate.row] as usize);
        measured.push((row, cosine));
    }
    Ok(measured)
}

/// The files of blocks, opened when they are first needed.
#[derive(Default)]
struct Files(HashMap<usize, File>);

impl Files {
    fn of(&mut self, table: &Table, index: usize) -> Outcome<&File> {
        Ok(match self.0.entry(index) {
            std::collections::hash_map::Entry::Occupied(file) => file.into_mut(),
            std::collections::hash_map::Entry::Vacant(empty) => {
                empty.insert(table.shelves[index].block.file()?)
            }
        })
    }
}
