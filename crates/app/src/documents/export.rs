//! The list of documents as a file.

use crate::catalogue::harmless;
use crate::{Actor, App, knowledge_bases};
use quipu_core::format::Format;
use quipu_core::knowledge::{Document, DocumentFilter, DocumentSort};
use quipu_core::page::{MAX_LIMIT, PageRequest};
use quipu_core::{Error, KnowledgeBaseId, Result};
use serde::Deserialize;
use utoipa::ToSchema;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExportFormat {
    #[default]
    Csv,
    Json,
}

const COLUMNS: [&str; 16] = [
    "id",
    "title",
    "filename",
    "source",
    "file_type",
    "source_url",
    "status",
    "size_bytes",
    "pages_count",
    "chunks_count",
    "tokens_count",
    "category",
    "tags",
    "error_code",
    "created_at",
    "updated_at",
];

/// Every document that the filter means, as CSV or JSON.
///
/// # Errors
/// `NOT_FOUND` when the knowledge base is not there or is somebody else's.
pub async fn export(
    app: &App,
    actor: &Actor,
    kb: KnowledgeBaseId,
    filter: &DocumentFilter,
    format: ExportFormat,
) -> Result<String> {
    let tx = app.store.read(actor.scope()).await?;
    let kb = knowledge_bases::open(&tx, actor, kb).await?;
    knowledge_bases::may_read(actor, &kb)?;
    let mut documents = Vec::new();
    let mut after = None;
    loop {
        let page = PageRequest {
            limit: MAX_LIMIT,
            after,
        };
        let found = tx
            .documents()
            .list(&kb, filter, DocumentSort::Oldest, page)
            .await?;
        documents.extend(found.data);
        after = documents.last().map(|d: &Document| d.id.uuid());
        if found.next_cursor.is_none() {
            break;
        }
    }
    match format {
        ExportFormat::Json => serde_json::to_string_pretty(&documents).map_err(Error::internal),
        ExportFormat::Csv => Ok(csv(&documents)),
    }
}

fn csv(documents: &[Document]) -> String {
    let mut out = COLUMNS.join(",");
    out.push_str("\r\n");
    for document in documents {
        let text = |value: Option<&str>| value.unwrap_or_default().to_owned();
        let row: [String; COLUMNS.len()] = [
            document.id.to_string(),
            text(document.title.as_deref()),
            text(document.filename.as_deref()),
            document.source.as_str().to_owned(),
            text(document.file_type.map(Format::as_str)),
            text(document.source_url.as_deref()),
            document.status.as_str().to_owned(),
            document.size_bytes.to_string(),
            document
                .pages_count
                .map_or_else(String::new, |n| n.to_string()),
            document.chunks_count.to_string(),
            document.tokens_count.to_string(),
            text(document.category.as_deref()),
            document.tags.join(" "),
            text(document.error_code.as_deref()),
            document.created_at.to_string(),
            document.updated_at.to_string(),
        ];
        let cells: Vec<String> = row.iter().map(|cell| quoted(cell)).collect();
        out.push_str(&cells.join(","));
        out.push_str("\r\n");
    }
    out
}

/// A cell that no spreadsheet takes for a formula.
fn quoted(cell: &str) -> String {
    let cell = harmless(cell.to_owned());
    if cell.contains([',', ';', '"', '\n', '\r']) {
        return format!("\"{}\"", cell.replace('"', "\"\""));
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_never_formulas() {
        assert_eq!(quoted("Precios"), "Precios");
        assert_eq!(quoted("a \"b\", c"), "\"a \"\"b\"\", c\"");
        assert_eq!(quoted("=HYPERLINK(\"x\")"), "\" =HYPERLINK(\"\"x\"\")\"");
        assert_eq!(quoted("@cmd"), " @cmd");
        assert_eq!(
            quoted("a;=cmd|'/C calc'!A0;b"),
            "\"a; =cmd|'/C calc'!A0;b\""
        );
        assert_eq!(quoted("＝1"), " ＝1");
    }
}
