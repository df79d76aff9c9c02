//! Writing a block.

use super::Block;
use super::head::{Head, ModelRows, Span, place};
use crate::fault::{Fault, Outcome};
use crate::kernel;
use crate::manifest::BlockFile;
use crate::sealed;
use quipu_core::ChunkId;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;

/// How many rows are in memory at a time while they are written.
const GROUP: usize = 512;

/// A block to be written.
pub(crate) struct Draft<'a> {
    pub(crate) spans: Vec<Span>,
    pub(crate) chunks: Vec<ChunkId>,
    pub(crate) models: Vec<DraftModel<'a>>,
}

/// The vectors of one model: where in the block their rows are, and how to come by each.
pub(crate) struct DraftModel<'a> {
    pub(crate) name: String,
    pub(crate) dimensions: usize,
    pub(crate) positions: Vec<u32>,
    #[expect(clippy::type_complexity, reason = "it is said once")]
    pub(crate) read: Box<dyn FnMut(usize, &mut Vec<f32>) -> Outcome<()> + 'a>,
}

/// Writes a block under a name of its own. It belongs to the partition once the manifest has it.
pub(crate) fn write(folder: &Path, draft: Draft<'_>) -> Outcome<Block> {
    let name = format!("{}.block", sealed::fresh_name()?);
    let path = folder.join(&name);
    let unfinished = sealed::unfinished(&path);
    let file = File::create(&unfinished)?;
    let head_bytes = head_length(&draft);
    let mut data = 0;
    let mut models = Vec::new();
    for model in draft.models {
        models.push(write_model(&file, head_bytes, &mut data, model)?);
    }
    let head = Head::new(draft.spans, draft.chunks, models)
        .ok_or_else(|| Fault::damaged("a block that contradicts itself"))?;
    let bytes = head.bytes();
    if bytes.len() as u64 != head_bytes {
        return Err(Fault::damaged("the head of a block has another length"));
    }
    file.write_all_at(&bytes, 0)?;
    file.sync_all()?;
    fs::rename(&unfinished, &path)?;
    sealed::sync_folder(folder)?;
    let entry = BlockFile {
        file: name,
        bytes: head_bytes + data,
        head_bytes,
        head_sum: crc32fast::hash(&bytes),
    };
    Ok(Block::new(head, entry, path))
}

/// How long the head will be, so that what follows it can be written first.
fn head_length(draft: &Draft<'_>) -> u64 {
    let models: usize = draft
        .models
        .iter()
        .map(|model| 12 + model.name.len() + model.positions.len() * 16)
        .sum();
    (12 + draft.spans.len() * 24 + draft.chunks.len() * 16 + models) as u64
}

fn write_model(
    file: &File,
    base: u64,
    data: &mut u64,
    mut model: DraftModel<'_>,
) -> Outcome<ModelRows> {
    let count = model.positions.len();
    let dimensions = model.dimensions;
    let (codes_at, exact_at) = place(data, count, dimensions);
    let mut rows = ModelRows {
        name: model.name,
        dimensions,
        positions: model.positions,
        steps: Vec::with_capacity(count),
        code_sums: Vec::with_capacity(count),
        exact_sums: Vec::with_capacity(count),
        codes_at,
        exact_at,
    };
    let mut vector = Vec::new();
    let mut row_codes = vec![0_i8; dimensions];
    for start in (0..count).step_by(GROUP) {
        let end = (start + GROUP).min(count);
        let mut codes = Vec::with_capacity((end - start) * dimensions);
        let mut exact = Vec::with_capacity((end - start) * dimensions * 4);
        for row in start..end {
            (model.read)(row, &mut vector)?;
            vector.resize(dimensions, 0.0);
            rows.steps.push(kernel::quantise(&vector, &mut row_codes));
            let (codes_from, exact_from) = (codes.len(), exact.len());
            codes.extend(row_codes.iter().map(|code| code.cast_unsigned()));
            exact.extend(vector.iter().flat_map(|x| x.to_le_bytes()));
            rows.code_sums.push(crc32fast::hash(&codes[codes_from..]));
            rows.exact_sums.push(crc32fast::hash(&exact[exact_from..]));
        }
        file.write_all_at(&codes, base + codes_at + (start * dimensions) as u64)?;
        file.write_all_at(&exact, base + exact_at + (start * dimensions * 4) as u64)?;
    }
    Ok(rows)
}
