//! A partition on the disk, as its only writer has it.
//!
//! A change is written in three steps: a block, the words, the manifest. The last one makes it
//! happen. Killed before it, the next writer finds the words ahead of the manifest and takes the
//! same changes in again, which comes to the same.

mod batch;
mod graphs;
mod merge;

pub(crate) use batch::Batch;
pub(crate) use graphs::GraphPlan;

use crate::block::{self, Block};
use crate::fault::{Fault, Outcome};
use crate::graph::Graph;
use crate::manifest::{self, Manifest};
use crate::sealed;
use crate::settings::EmbeddedSettings;
use crate::snapshot::Snapshot;
use crate::table::Table;
use crate::words::{self, Words};
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) struct Store {
    folder: PathBuf,
    exact_rows: usize,
    manifest: Manifest,
    /// `None` until there is something to keep: a knowledge base without text has no folder.
    words: Option<Words>,
    table: Table,
    graphs: Vec<Arc<Graph>>,
    /// Nothing is to be seen of the partition before this version.
    required: i64,
}

impl Store {
    /// Opens what is there, or begins with nothing.
    pub(crate) fn open(folder: &Path, settings: &EmbeddedSettings) -> Outcome<Self> {
        let Some(manifest) = Manifest::read(folder)? else {
            return if is_empty(folder)? {
                Self::empty(folder, settings)
            } else {
                Err(Fault::damaged("the manifest is missing"))
            };
        };
        sweep(folder, &manifest)?;
        let words = Words::open(folder)?;
        let note = words.note()?;
        let noted = note
            .strip_prefix(&manifest.birth)
            .and_then(|rest| rest.trim().parse::<i64>().ok())
            .ok_or_else(|| Fault::damaged("the words are of another partition"))?;
        let mut table = Table::new(settings.whole_bytes);
        for entry in &manifest.blocks {
            table.push(Block::open(folder, entry)?);
        }
        let graphs = manifest.graphs.iter();
        let graphs = graphs.map(|entry| Graph::open(folder, entry).map(Arc::new));
        let mut store = Self {
            folder: folder.to_owned(),
            exact_rows: settings.exact_rows,
            graphs: graphs.collect::<Outcome<_>>()?,
            required: manifest.version.max(noted),
            manifest,
            words: Some(words),
            table,
        };
        store.manifest.version = store.manifest.version.min(noted);
        store.load_codes()?;
        Ok(store)
    }

    fn empty(folder: &Path, settings: &EmbeddedSettings) -> Outcome<Self> {
        Ok(Self {
            folder: folder.to_owned(),
            exact_rows: settings.exact_rows,
            manifest: Manifest::new()?,
            words: None,
            table: Table::new(settings.whole_bytes),
            graphs: Vec::new(),
            required: 0,
        })
    }

    /// Drops whatever is there, to begin with nothing.
    pub(crate) fn wipe(folder: &Path, settings: &EmbeddedSettings) -> Outcome<Self> {
        match fs::remove_dir_all(folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
            _ => Self::empty(folder, settings),
        }
    }

    pub(crate) fn version(&self) -> i64 {
        self.manifest.version
    }

    /// Whether what is there may be searched.
    pub(crate) fn is_settled(&self) -> bool {
        self.manifest.whole && self.manifest.version >= self.required
    }

    /// Whether it may be once a batch is taken in.
    pub(crate) fn settles_with(&self, batch: &Batch) -> bool {
        let whole = self.manifest.whole && !batch.clear;
        batch.at_end || (whole && batch.version >= self.required)
    }

    /// Whether there is nothing on the disk.
    pub(crate) fn is_unborn(&self) -> bool {
        self.words.is_none()
    }

    /// Takes in changes.
    pub(crate) fn apply(&mut self, batch: &Batch) -> Outcome<()> {
        let draft = batch.draft(&self.table, self.manifest.next_row)?;
        let was_whole = self.manifest.whole;
        if batch.clear {
            self.manifest.birth = sealed::fresh_name()?;
        }
        self.manifest.version = batch.version;
        // From the start on, documents are missing until the log's end.
        self.manifest.whole = batch.at_end || (was_whole && !batch.clear);
        if self.words.is_none() && !draft.has_additions() {
            return Ok(());
        }
        if draft.is_empty() && !batch.clear {
            if self.manifest.whole != was_whole {
                self.manifest.write(&self.folder)?;
            }
            return Ok(());
        }
        if self.words.is_none() {
            fs::create_dir_all(&self.folder)?;
        }
        let written = draft.block().map(|block| block::write(&self.folder, block));
        let written = written.transpose()?;
        let words = match &mut self.words {
            Some(words) => words,
            empty => empty.insert(Words::create(&self.folder)?),
        };
        let note = format!("{} {}", self.manifest.birth, batch.version);
        words.apply(batch.clear, &draft.touched, &draft.additions(), &note)?;
        self.manifest.next_row = draft.next_row;
        let mut old = Table::new(self.table.whole_bytes);
        let mut old_graphs = Vec::new();
        if batch.clear {
            std::mem::swap(&mut old, &mut self.table);
            std::mem::swap(&mut old_graphs, &mut self.graphs);
        }
        if let Some(written) = written {
            self.table.push(written);
        }
        self.save()?;
        for shelf in old.shelves {
            shelf.block.doom();
        }
        for graph in old_graphs {
            graph.doom();
        }
        Ok(())
    }

    fn save(&mut self) -> Outcome<()> {
        let blocks = self.table.shelves.iter();
        self.manifest.blocks = blocks.map(|shelf| shelf.block.entry.clone()).collect();
        self.manifest.graphs = self
            .graphs
            .iter()
            .map(|graph| graph.entry.clone())
            .collect();
        self.manifest.chunks = self.table.live() as u64;
        self.manifest.write(&self.folder)
    }

    /// What searches see from now on.
    pub(crate) fn snapshot(&mut self) -> Outcome<Snapshot> {
        self.load_codes()?;
        let words = match &mut self.words {
            Some(words) => Some(words.view()?),
            None => None,
        };
        let known = words.as_ref().map_or(0, |words| words.chunks);
        if known != self.table.live() {
            return Err(Fault::damaged(format!(
                "there are {known} chunks with words and {} with rows",
                self.table.live()
            )));
        }
        let with_live_rows =
            |graph: &Arc<Graph>| (Arc::clone(graph), self.table.live_before(graph.entry.upto));
        let graphs = self.graphs.iter().map(with_live_rows).collect();
        Ok(Snapshot {
            version: self.manifest.version,
            exact_rows: self.exact_rows,
            table: self.table.clone(),
            graphs,
            refused: !self.manifest.refused.is_empty(),
            words,
        })
    }

    fn load_codes(&mut self) -> Outcome<()> {
        let graphs = &self.graphs;
        self.table.load_codes(|model| {
            let of_model = graphs.iter().filter(|graph| graph.entry.model == model);
            of_model.map(|graph| graph.entry.upto).min().unwrap_or(0)
        })
    }

    /// Merges small pieces into larger ones and drops what no longer counts. Returns whether
    /// searches see other files afterwards.
    pub(crate) fn tidy(&mut self) -> Outcome<bool> {
        let Some(words) = &mut self.words else {
            return Ok(false);
        };
        let mut changed = words.tidy()?;
        while let Some(range) = merge::next(&self.table) {
            let merged = merge::draft(&self.table, range.clone())
                .map(|draft| block::write(&self.folder, draft))
                .transpose()?;
            let old: Vec<Arc<Block>> = self.table.shelves[range.clone()]
                .iter()
                .map(|shelf| Arc::clone(&shelf.block))
                .collect();
            self.table.replace(range, merged);
            self.save()?;
            for block in old {
                block.doom();
            }
            changed = true;
        }
        Ok(changed | self.drop_small_graphs()?)
    }

    pub(crate) fn in_memory(&self) -> usize {
        let graphs: usize = self.graphs.iter().map(|graph| graph.in_memory()).sum();
        let words = self.words.as_ref().map_or(0, Words::in_memory);
        graphs + words + self.table.in_memory()
    }
}

fn is_empty(folder: &Path) -> Outcome<bool> {
    match fs::read_dir(folder) {
        Ok(mut files) => Ok(files.next().is_none()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error.into()),
    }
}

/// Deletes what a killed writer left behind.
fn sweep(folder: &Path, manifest: &Manifest) -> Outcome<()> {
    let blocks = manifest.blocks.iter().map(|block| block.file.as_str());
    let graphs = manifest.graphs.iter().map(|graph| graph.file.as_str());
    let kept: HashSet<&str> = blocks
        .chain(graphs)
        .chain([manifest::FILE, words::FOLDER])
        .collect();
    for file in fs::read_dir(folder)? {
        let file = file?;
        let name = file.file_name();
        if !name.to_str().is_some_and(|name| kept.contains(name)) {
            if file.file_type()?.is_dir() {
                fs::remove_dir_all(file.path())?;
            } else {
                fs::remove_file(file.path())?;
            }
        }
    }
    Ok(())
}
