//! Which documents are meant, as a query says it.

use quipu_core::Result;
use quipu_core::format::Format;
use quipu_core::knowledge::{DocumentFilter, DocumentSource, DocumentStatus};
use quipu_core::validate::Checks;

/// What a query can say. The structs of the query strings repeat these fields, because the reader
/// of query strings cannot join two structs and still refuse what neither knows.
pub(super) struct Wanted {
    pub(super) status: Option<DocumentStatus>,
    pub(super) source: Option<DocumentSource>,
    pub(super) file_type: Option<Format>,
    pub(super) category: Option<String>,
    pub(super) tag: Option<String>,
    pub(super) enabled: Option<bool>,
    pub(super) q: Option<String>,
}

impl Wanted {
    pub(super) fn checked(self) -> Result<DocumentFilter> {
        let mut checks = Checks::new();
        let filter = DocumentFilter {
            status: self.status,
            source: self.source,
            file_type: self.file_type,
            category: checks.optional_line("category", self.category.as_deref(), 100),
            // Tags are kept in lower case.
            tag: checks.optional_line("tag", self.tag.map(|tag| tag.to_lowercase()).as_deref(), 50),
            enabled: self.enabled,
            text: checks.optional_line("q", self.q.as_deref(), 200),
        };
        checks.finish()?;
        Ok(filter)
    }
}
