//! The graph of a model's vectors (HNSW), for partitions too large to be scanned.
//!
//! It is loaded, not mapped: a mapped file that is truncated or overwritten would end the process.
//! Its file is checked before it is loaded, because the library trusts what it reads.

use crate::fault::{Fault, Outcome};
use crate::manifest::GraphFile;
use crate::sealed;
use crate::table::Table;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use usearch::{Index, IndexOptions, MetricKind, ScalarKind};

/// How many neighbours a row has.
const CONNECTIVITY: usize = 16;
/// How far is looked around for the place of a row that is added.
const EXPANSION_ADD: usize = 128;
/// How far is looked around for a query: further among more rows, or the nearest are missed.
const EXPANSION_SEARCH: usize = 192;
const ROWS_PER_EXPANSION: usize = 1_250;
const EXPANSION_MOST: usize = 1_024;
/// How many may search at a time: the library prepares that many places.
const PLACES: usize = 16;
/// How many rows a thread takes at a time when a graph is built.
const PORTION: usize = 1024;

pub(crate) struct Graph {
    pub(crate) entry: GraphFile,
    index: Index,
    gate: Gate,
    path: PathBuf,
    doomed: AtomicBool,
}

impl Graph {
    pub(crate) fn open(folder: &Path, entry: &GraphFile) -> Outcome<Self> {
        let path = folder.join(&entry.file);
        let (bytes, sum) = checksum(&path)?;
        if bytes != entry.bytes || sum != entry.sum {
            return Err(Fault::damaged(format!("{} is damaged", entry.file)));
        }
        let index = load(&path, entry.dimensions)?;
        if index.size() != entry.rows {
            return Err(Fault::damaged(format!("{} has other rows", entry.file)));
        }
        Ok(Self {
            entry: entry.clone(),
            index,
            gate: Gate::default(),
            path,
            doomed: AtomicBool::new(false),
        })
    }

    /// Builds a graph over the rows before `upto` that count. An older graph is gone on from.
    pub(crate) fn build(
        folder: &Path,
        table: &Table,
        model: &str,
        dimensions: usize,
        upto: u32,
        older: Option<&Self>,
    ) -> Outcome<Self> {
        let (index, from) = match older {
            Some(older) => (load(&older.path, dimensions)?, older.entry.upto),
            None => (new_index(dimensions)?, 0),
        };
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let capacity = index.size() + table.live_of(model, dimensions, from);
        index
            .reserve_capacity_and_threads(capacity, PLACES.max(threads))
            .map_err(failed)?;
        add(&index, table, model, dimensions, from..upto, threads)?;
        look_far_enough(&index);
        let file = format!("{}.graph", sealed::fresh_name()?);
        let path = folder.join(&file);
        let unfinished = sealed::unfinished(&path);
        let name = unfinished
            .to_str()
            .ok_or_else(|| Fault::damaged("a path without letters"))?;
        index.save(name).map_err(failed)?;
        File::open(&unfinished)?.sync_all()?;
        let (bytes, sum) = checksum(&unfinished)?;
        fs::rename(&unfinished, &path)?;
        sealed::sync_folder(folder)?;
        Ok(Self {
            entry: GraphFile {
                file,
                bytes,
                sum,
                model: model.to_owned(),
                dimensions,
                upto,
                rows: index.size(),
            },
            index,
            gate: Gate::default(),
            path,
            doomed: AtomicBool::new(false),
        })
    }

    /// The rows nearest to a query among those that are wanted.
    pub(crate) fn search(
        &self,
        codes: &[i8],
        count: usize,
        wanted: impl Fn(u32) -> bool,
    ) -> Outcome<Vec<u32>> {
        let _place = self.gate.enter();
        let wanted = |key: u64| u32::try_from(key).is_ok_and(&wanted);
        let matches = self
            .index
            .filtered_search(codes, count, wanted)
            .map_err(failed)?;
        let rows = matches.keys.into_iter();
        Ok(rows.filter_map(|key| u32::try_from(key).ok()).collect())
    }

    /// Deletes the file when nobody needs it any more.
    pub(crate) fn doom(&self) {
        self.doomed.store(true, Ordering::Relaxed);
    }

    pub(crate) fn in_memory(&self) -> usize {
        self.index.memory_usage()
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        if self.doomed.load(Ordering::Relaxed) {
            // Whatever is left behind is swept away when the partition is opened next.
            drop(fs::remove_file(&self.path));
        }
    }
}

/// Cosines do not depend on length, so that codes with different steps can be compared.
fn new_index(dimensions: usize) -> Outcome<Index> {
    let options = IndexOptions {
        dimensions,
        metric: MetricKind::Cos,
        quantization: ScalarKind::I8,
        connectivity: CONNECTIVITY,
        expansion_add: EXPANSION_ADD,
        expansion_search: EXPANSION_SEARCH,
        multi: false,
    };
    Index::new(&options).map_err(failed)
}

fn look_far_enough(index: &Index) {
    let expansion = EXPANSION_SEARCH + index.size() / ROWS_PER_EXPANSION;
    index.change_expansion_search(expansion.min(EXPANSION_MOST));
}

fn load(path: &Path, dimensions: usize) -> Outcome<Index> {
    let index = new_index(dimensions)?;
    let name = path
        .to_str()
        .ok_or_else(|| Fault::damaged("a path without letters"))?;
    index.load(name).map_err(failed)?;
    if index.dimensions() != dimensions {
        return Err(Fault::damaged("a graph of other dimensions"));
    }
    index.change_expansion_add(EXPANSION_ADD);
    look_far_enough(&index);
    index
        .reserve_capacity_and_threads(index.size(), PLACES)
        .map_err(failed)?;
    Ok(index)
}

fn add(
    index: &Index,
    table: &Table,
    model: &str,
    dimensions: usize,
    rows: std::ops::Range<u32>,
    threads: usize,
) -> Outcome<()> {
    for shelf in &table.shelves {
        let head = &shelf.block.head;
        let Some((_, model)) = head.model(model, dimensions) else {
            continue;
        };
        let file = shelf.block.file()?;
        let before = |row: u32| {
            let position = |&position: &u32| head.row_at(position as usize) < row;
            model.positions.partition_point(position)
        };
        let (start, end) = (before(rows.start), before(rows.end));
        for at in (start..end).step_by(PORTION * threads) {
            let stop = (at + PORTION * threads).min(end);
            let codes = shelf.block.codes(&file, model, at..stop)?;
            let add_some = |first: usize, codes: &[i8]| -> Outcome<()> {
                for (row, codes) in (first..).zip(codes.chunks_exact(dimensions.max(1))) {
                    let position = model.positions[row] as usize;
                    if !shelf.is_dead(position) {
                        let key = u64::from(head.row_at(position));
                        index.add(key, codes).map_err(failed)?;
                    }
                }
                Ok(())
            };
            std::thread::scope(|scope| {
                let workers: Vec<_> = codes
                    .chunks(PORTION * dimensions.max(1))
                    .enumerate()
                    .map(|(n, codes)| scope.spawn(move || add_some(at + n * PORTION, codes)))
                    .collect();
                workers.into_iter().try_for_each(|worker| {
                    let joined = worker.join();
                    joined.unwrap_or_else(|_| Err(Fault::damaged("building a graph failed")))
                })
            })?;
        }
    }
    Ok(())
}

fn checksum(path: &Path) -> Outcome<(u64, u32)> {
    let mut file = File::open(path)?;
    let mut hasher = crc32fast::Hasher::new();
    let mut buffer = vec![0; 1 << 20];
    let mut bytes = 0;
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok((bytes, hasher.finalize()));
        }
        hasher.update(&buffer[..read]);
        bytes += read as u64;
    }
}

fn failed(error: impl std::fmt::Display) -> Fault {
    Fault::damaged(format!("the graph of vectors: {error}"))
}

/// Lets so many in at a time as there are places.
#[derive(Default)]
struct Gate {
    inside: Mutex<usize>,
    left: Condvar,
}

struct Inside<'a>(&'a Gate);

impl Gate {
    fn enter(&self) -> Inside<'_> {
        let inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        let mut inside = self
            .left
            .wait_while(inside, |inside| *inside >= PLACES)
            .unwrap_or_else(PoisonError::into_inner);
        *inside += 1;
        Inside(self)
    }
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        *self.0.inside.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.left.notify_one();
    }
}
