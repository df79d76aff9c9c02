//! Changes on their way into a partition.

use crate::block::{Draft, DraftModel, Span};
use crate::fault::{Fault, Outcome};
use crate::table::Table;
use crate::words::Addition;
use quipu_core::DocumentId;
use quipu_core::engine::{Changes, DocumentEntries, Entry};
use std::collections::{BTreeMap, HashMap};

/// Portions of the change log that are written together.
#[derive(Default)]
pub(crate) struct Batch {
    /// Everything before these changes is to be forgotten.
    pub(crate) clear: bool,
    pub(crate) version: i64,
    /// The log had nothing more.
    pub(crate) at_end: bool,
    documents: Vec<DocumentEntries>,
}

impl Batch {
    pub(crate) fn add(&mut self, changes: Changes) {
        if changes.from_start {
            self.clear = true;
            self.documents.clear();
        }
        self.version = changes.version;
        self.at_end = !changes.more;
        self.documents.extend(changes.documents);
    }

    pub(crate) fn entries(&self) -> usize {
        // A document without entries is work too.
        let size = |document: &DocumentEntries| document.entries.len().max(1);
        self.documents.iter().map(size).sum()
    }

    /// What is to be written. The last that is said of a document counts.
    pub(super) fn draft(&self, table: &Table, next_row: u32) -> Outcome<Written<'_>> {
        let mut last: HashMap<DocumentId, usize> = HashMap::new();
        for (index, document) in self.documents.iter().enumerate() {
            last.insert(document.document, index);
        }
        let mut written = Written {
            touched: Vec::new(),
            added: Vec::new(),
            gone: Vec::new(),
            next_row,
        };
        for (index, document) in self.documents.iter().enumerate() {
            let id = document.document;
            if last[&id] != index {
                continue;
            }
            let known = table.is_known(id);
            if !document.entries.is_empty() {
                let count = u32::try_from(document.entries.len()).ok();
                let end = count.and_then(|count| written.next_row.checked_add(count));
                let first = written.next_row;
                written.next_row =
                    end.ok_or_else(|| Fault::damaged("the numbers of rows are used up"))?;
                written.added.push((id, first, &document.entries));
            } else if known && !self.clear {
                written.gone.push(id);
            }
            // Words may be ahead of the rows after a crash: documents that rows do not know are
            // deleted there too.
            written.touched.push(id);
        }
        Ok(written)
    }
}

/// A vector and where in the block its row is.
type Vector<'a> = (u32, &'a [f32]);

/// What a batch comes to.
pub(super) struct Written<'a> {
    pub(super) touched: Vec<DocumentId>,
    added: Vec<(DocumentId, u32, &'a [Entry])>,
    gone: Vec<DocumentId>,
    pub(super) next_row: u32,
}

impl<'a> Written<'a> {
    pub(super) fn is_empty(&self) -> bool {
        self.touched.is_empty()
    }

    pub(super) fn has_additions(&self) -> bool {
        !self.added.is_empty()
    }

    pub(super) fn additions(&self) -> Vec<Addition<'a>> {
        let addition = |&(document, first, entries): &(_, _, &'a [Entry])| Addition {
            document,
            first,
            entries,
        };
        self.added.iter().map(addition).collect()
    }

    /// `None` when rows have nothing to say.
    pub(super) fn block(&self) -> Option<Draft<'a>> {
        if self.added.is_empty() && self.gone.is_empty() {
            return None;
        }
        let mut spans = Vec::new();
        let mut chunks = Vec::new();
        let mut vectors: BTreeMap<(&str, usize), Vec<Vector<'a>>> = BTreeMap::new();
        let mut at = 0;
        for &(document, first, entries) in &self.added {
            let count = u32::try_from(entries.len()).unwrap_or(u32::MAX);
            spans.push(Span {
                document,
                first,
                count,
                at,
            });
            for (entry, position) in entries.iter().zip(at..) {
                chunks.push(entry.chunk);
                for (model, vector) in &entry.vectors {
                    let of_model = vectors.entry((model, vector.len())).or_default();
                    // A second vector of the same model would have no row of its own.
                    if of_model.last().is_none_or(|(last, _)| *last < position) {
                        of_model.push((position, vector));
                    }
                }
            }
            at += count;
        }
        spans.extend(self.gone.iter().map(|&document| Span {
            document,
            first: 0,
            count: 0,
            at,
        }));
        let models = vectors
            .into_iter()
            .map(|((name, dimensions), vectors)| DraftModel {
                name: name.to_owned(),
                dimensions,
                positions: vectors.iter().map(|(position, _)| *position).collect(),
                read: Box::new(move |row, vector| {
                    vector.clear();
                    vector.extend_from_slice(vectors[row].1);
                    Ok(())
                }),
            });
        Some(Draft {
            spans,
            chunks,
            models: models.collect(),
        })
    }
}
