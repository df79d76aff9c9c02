//! Documents: added by people, read, changed, processed again and deleted.

mod add;
mod change;
mod export;
mod preview;
mod process_again;
mod read;
mod upload;

pub use add::{AddText, AddUrl, MAX_TEXT_CHARS, add_text, add_url};
pub(crate) use add::{PREVIEW_CHARS, address_hash, enqueue_fetched, enqueue_processing};
pub use change::{UpdateDocument, delete, delete_many, replace_text, update};
pub use export::{ExportFormat, export};
pub use preview::{ChunkPreview, PreviewChunks, preview_chunks};
pub use process_again::{BulkOutcome, cancel, reprocess, reprocess_many};
pub(crate) use process_again::{begin_run, charge, charged_later, prepare_run};
pub use read::{
    ChunkPage, ChunkWithNeighbours, DocumentIds, Download, MOST_IDS, chunk, chunks, download,
    events, get, ids, list, status, text,
};
pub use upload::{FileDetails, Upload, Uploaded};
pub(crate) use upload::{SWEEP_UPLOAD, clean_name, guard, sweep_upload};

use quipu_core::knowledge::Document;
use quipu_core::validate::{Checks, Problem};
use quipu_core::{DocumentId, Error, Result};
use quipu_store::TenantTx;
use quipu_store::tenant::OpenKb;
use serde::{Deserialize, Deserializer};

/// The job that turns a document into chunks.
pub const PROCESS_DOCUMENT: &str = "process_document";

pub(crate) fn target(id: DocumentId) -> String {
    format!("document:{id}")
}

async fn load(tx: &TenantTx, kb: &OpenKb, id: DocumentId) -> Result<Document> {
    tx.documents()
        .find(kb, id)
        .await?
        .ok_or_else(|| Error::not_found("document"))
}

/// Tells a field that is `null` from one that is left out.
///
/// # Errors
/// When the value is of the wrong type.
pub fn present<'de, T, D>(deserializer: D) -> std::result::Result<Option<Option<T>>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    Option::deserialize(deserializer).map(Some)
}

pub(crate) const MAX_TAGS: usize = 50;
const MAX_METADATA_BYTES: usize = 16 * 1024;

/// Tags trimmed, in lower case, without repetition.
pub(crate) fn check_tags(checks: &mut Checks, tags: &[String]) -> Vec<String> {
    if tags.len() > MAX_TAGS {
        checks.problem("tags", Problem::Range { min: 0, max: 50 });
        return Vec::new();
    }
    let mut clean: Vec<String> = tags
        .iter()
        .map(|tag| checks.line("tags", &tag.to_lowercase(), 50))
        .collect();
    clean.sort_unstable();
    clean.dedup();
    clean
}

/// Metadata is an object of bounded size; what is in it is nobody's business but its owner's.
pub(crate) fn check_metadata(checks: &mut Checks, metadata: &serde_json::Value, max: usize) {
    if !metadata.is_object() {
        let allowed = "{}".to_owned();
        checks.problem("metadata", Problem::Unknown { allowed });
        return;
    }
    let text = metadata.to_string();
    if text.len() > max {
        checks.problem("metadata", Problem::TooLong { max });
    } else if text.contains("\\u0000") {
        // PostgreSQL cannot store a NUL, not even inside JSON.
        checks.problem("metadata", Problem::ControlCharacters);
    }
}
