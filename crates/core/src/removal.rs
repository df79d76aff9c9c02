//! The proof of a deletion: what was removed from each store, and that nothing is left.

use crate::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Rows in the database, table by table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RowCounts {
    pub knowledge_bases: u64,
    pub assignments: u64,
    pub documents: u64,
    pub chunks: u64,
    pub vectors: u64,
    /// Sources and extracted texts.
    pub texts: u64,
    pub tags: u64,
    // Receipts that were kept before there were any of these do not name them.
    #[serde(default)]
    pub leads: u64,
    #[serde(default)]
    pub conversations: u64,
    #[serde(default)]
    pub messages: u64,
    #[serde(default)]
    pub attachments: u64,
    #[serde(default)]
    pub appointments: u64,
    #[serde(default)]
    pub orders: u64,
    #[serde(default)]
    pub invoice_requests: u64,
    #[serde(default)]
    pub redemptions: u64,
    /// Lines of the ledgers of tokens.
    #[serde(default)]
    pub loyalty_transactions: u64,
    #[serde(default)]
    pub tool_calls: u64,
    /// Answers about customers that were kept under the keys of requests, to be given again.
    #[serde(default)]
    pub kept_answers: u64,
    /// Questions and answers with the steps in between.
    #[serde(default)]
    pub turns: u64,
    /// What people thought of those.
    #[serde(default)]
    pub opinions: u64,
    /// Answers of rehearsals in which their conversations were played again.
    #[serde(default)]
    pub rehearsal_results: u64,
    /// Scripts of rehearsals that were made of what they said.
    #[serde(default)]
    pub rehearsal_scripts: u64,
    #[serde(default)]
    pub websites: u64,
    /// Addresses of websites, with or without a document.
    #[serde(default)]
    pub website_pages: u64,
    /// How close they were to buying, each time that changed.
    #[serde(default)]
    pub temperature_changes: u64,
    /// Customers who were joined with others.
    #[serde(default)]
    pub lead_merges: u64,
    /// How channels know them.
    #[serde(default)]
    pub channel_contacts: u64,
    /// What came in from them and went out to them, as the channels have it.
    #[serde(default)]
    pub channel_messages: u64,
    /// Their telephone calls.
    #[serde(default)]
    pub voice_calls: u64,
    /// What programs of the business were told of them, or are to be told.
    #[serde(default)]
    pub events: u64,
}

/// What there is of something, store by store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StoreCounts {
    pub rows: RowCounts,
    /// Original files in object storage, and their size.
    pub files: u64,
    pub file_bytes: u64,
    /// Chunks that the search engine holds by their words and vectors.
    #[serde(default)]
    pub index_entries: u64,
}

impl StoreCounts {
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// What a deletion answers with, and leaves in the audit log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeletionReceipt {
    /// What was deleted, such as `knowledge_base:0190…`.
    pub target: String,
    pub removed: StoreCounts,
    /// Counted again after the deletion.
    pub remaining: StoreCounts,
    /// Whether nothing remains. When files are still there because their storage is out of reach,
    /// a job goes on removing them.
    pub complete: bool,
    pub deleted_at: Timestamp,
}

/// A receipt in the platform's own records, where those of deleted tenants are kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct KeptReceipt {
    pub id: uuid::Uuid,
    pub actor: String,
    pub receipt: DeletionReceipt,
    pub request_id: Option<String>,
    pub created_at: Timestamp,
}
