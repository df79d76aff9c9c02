use crate::TenantTx;
use crate::entity::{chunk, document, document_text};
use crate::error::db;
use crate::tenant::{OpenKb, one};
use quipu_core::chunking::ChunkPages;
use quipu_core::format::Format;
use quipu_core::knowledge::{BusinessThing, Chunk, ChunkView, DocumentSource};
use quipu_core::{ChunkId, DocumentId, KnowledgeBaseId, Result};
use sea_orm::sea_query::{Expr, ExprTrait, IntoCondition, SimpleExpr};
use sea_orm::{
    ColumnTrait, EntityTrait, FromQueryResult, JoinType, JsonValue as Json, QueryFilter,
    QueryOrder, QuerySelect, RelationDef, Select,
};
use std::collections::HashMap;
use uuid::Uuid;

/// The chunks that readers see: those of the generation their document names.
pub struct Chunks<'a>(pub(crate) &'a TenantTx);

impl Chunks<'_> {
    /// Those of these chunks that can be found in these knowledge bases, in the order asked for. A
    /// search asks last of all, so that nothing deleted or switched off while it ran is in its
    /// answer.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn findable(&self, kbs: &[KnowledgeBaseId], ids: &[ChunkId]) -> Result<Vec<Chunk>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        // In one statement: between two, a new generation may take the old one's place, and neither
        // would be seen; and each is a way to the database and back. Nothing but the generation ties
        // it to documents, and that as a single value: PostgreSQL, while it knows nothing of the
        // tables yet, reads all documents and their chunks for a condition of any other kind.
        let generation = self
            .0
            .find::<document::Entity>()
            .filter(
                Expr::col((chunk::Entity, chunk::Column::DocumentId))
                    .equals((document::Entity, document::Column::Id)),
            )
            .filter(document::Column::Enabled.eq(true))
            .select_only()
            .column(document::Column::Generation);
        let rows = self
            .0
            .find::<chunk::Entity>()
            .join(JoinType::LeftJoin, self.document_of_chunk())
            .filter(Expr::col((chunk::Entity, chunk::Column::Generation)).eq(one(generation)))
            .filter(chunk::Column::Id.is_in(ids.iter().map(|id| id.uuid())))
            .select_only()
            .columns([
                chunk::Column::Id,
                chunk::Column::KnowledgeBaseId,
                chunk::Column::DocumentId,
                chunk::Column::ChunkIndex,
                chunk::Column::Headings,
                chunk::Column::Content,
                chunk::Column::StartChar,
                chunk::Column::EndChar,
                chunk::Column::PageNumber,
                chunk::Column::Pages,
            ])
            .columns([
                document::Column::Title,
                document::Column::Filename,
                document::Column::FileType,
                document::Column::SourceUrl,
                document::Column::Source,
                document::Column::Metadata,
                document::Column::BusinessType,
                document::Column::BusinessId,
            ])
            .into_model::<Findable>()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        // The knowledge bases are compared here, so that the database looks up a few chunks by
        // their ids and never reads through whole knowledge bases for them.
        let mut rows: HashMap<Uuid, Findable> = rows
            .into_iter()
            .filter(|row| kbs.contains(&row.knowledge_base_id.into()))
            .map(|row| (row.id, row))
            .collect();
        Ok(ids
            .iter()
            .filter_map(|id| rows.remove(&id.uuid()))
            .map(Chunk::from)
            .collect())
    }

    /// The chunks of a document in their order, `limit` of them from number `from` on.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(
        &self,
        kb: &OpenKb,
        document: DocumentId,
        from: i32,
        limit: u64,
    ) -> Result<Vec<ChunkView>> {
        let Some(row) = self.document(kb, document).await? else {
            return Ok(Vec::new());
        };
        let rows = self
            .published(kb, document)
            .filter(chunk::Column::ChunkIndex.gte(from))
            .order_by_asc(chunk::Column::ChunkIndex)
            .limit(limit)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(rows
            .into_iter()
            .map(|chunk| view(chunk, &row, kb))
            .collect())
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find(
        &self,
        kb: &OpenKb,
        document: DocumentId,
        id: ChunkId,
    ) -> Result<Option<ChunkView>> {
        let Some(row) = self.document(kb, document).await? else {
            return Ok(None);
        };
        let chunk = self
            .published(kb, document)
            .filter(chunk::Column::Id.eq(id.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(chunk.map(|chunk| view(chunk, &row, kb)))
    }

    /// The text that the positions of a document's chunks point into.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn text(&self, kb: &OpenKb, document: DocumentId) -> Result<Option<String>> {
        let text = self
            .0
            .find::<document_text::Entity>()
            .filter(document_text::Column::DocumentId.eq(document.uuid()))
            .filter(Expr::col(document_text::Column::Generation).eq(self.named_by(kb, document)))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(text.map(|text| text.content))
    }

    async fn document(&self, kb: &OpenKb, id: DocumentId) -> Result<Option<document::Model>> {
        self.0
            .find::<document::Entity>()
            .filter(document::Column::KnowledgeBaseId.eq(kb.id.uuid()))
            .filter(document::Column::Id.eq(id.uuid()))
            .filter(kb.shown())
            .one(&self.0.tx)
            .await
            .map_err(db)
    }

    /// The chunks of a document that readers see.
    fn published(&self, kb: &OpenKb, document: DocumentId) -> Select<chunk::Entity> {
        self.0
            .find::<chunk::Entity>()
            .filter(chunk::Column::DocumentId.eq(document.uuid()))
            .filter(Expr::col(chunk::Column::Generation).eq(self.named_by(kb, document)))
    }

    /// The generation that a document names. Asked in one statement with what is of it: between
    /// two, a new generation may take the old one's place, and neither would be seen.
    fn named_by(&self, kb: &OpenKb, document: DocumentId) -> SimpleExpr {
        let generation = self
            .0
            .find::<document::Entity>()
            .filter(document::Column::KnowledgeBaseId.eq(kb.id.uuid()))
            .filter(document::Column::Id.eq(document.uuid()))
            .filter(kb.shown())
            .select_only()
            .column(document::Column::Generation);
        one(generation)
    }

    fn document_of_chunk(&self) -> RelationDef {
        let tenant = self.0.uuid();
        chunk::Entity::belongs_to(document::Entity)
            .from(chunk::Column::DocumentId)
            .to(document::Column::Id)
            .on_condition(move |_, of_chunk| {
                Expr::col((of_chunk, document::Column::TenantId))
                    .eq(tenant)
                    .into_condition()
            })
            .into()
    }
}

/// A chunk that can be found: of the generation that its document names, if that is enabled. While
/// one is processed again, or when that failed, what was made of it before is still found. With it
/// what the document is called, if anything, where it came from, what is said of it, and what it
/// tells about.
#[derive(FromQueryResult)]
struct Findable {
    id: Uuid,
    knowledge_base_id: Uuid,
    document_id: Uuid,
    chunk_index: i32,
    headings: Json,
    content: String,
    start_char: i32,
    end_char: i32,
    page_number: Option<i32>,
    pages: Json,
    title: Option<String>,
    filename: Option<String>,
    file_type: Option<String>,
    source_url: Option<String>,
    source: String,
    metadata: Json,
    business_type: Option<String>,
    business_id: Option<String>,
}

impl From<Findable> for Chunk {
    fn from(row: Findable) -> Self {
        let thing = row.business_type.zip(row.business_id);
        Self {
            document_title: row.title.or(row.filename),
            source: DocumentSource::parse(&row.source).unwrap_or(DocumentSource::Manual),
            metadata: row.metadata,
            business: thing.map(|(kind, id)| BusinessThing { kind, id }),
            id: row.id.into(),
            knowledge_base_id: row.knowledge_base_id.into(),
            document_id: row.document_id.into(),
            index: row.chunk_index,
            headings: serde_json::from_value(row.headings).unwrap_or_default(),
            content: row.content,
            start_char: row.start_char,
            end_char: row.end_char,
            page_number: row.page_number,
            pages: pages(row.pages, row.page_number),
            file_type: row.file_type.as_deref().and_then(Format::parse),
            source_url: row.source_url,
        }
    }
}

/// The pages of a chunk. One that was cut before they were kept stands on the one it named.
pub(super) fn pages(kept: Json, page_number: Option<i32>) -> ChunkPages {
    let kept: ChunkPages = serde_json::from_value(kept).unwrap_or_default();
    match page_number {
        Some(page) if kept.is_empty() => ChunkPages::single(page),
        _ => kept,
    }
}

/// A chunk as people see it, with what the knowledge base wants it to carry.
fn view(row: chunk::Model, document: &document::Model, kb: &OpenKb) -> ChunkView {
    let config = &kb.chunking_config;
    let pages = pages(row.pages, row.page_number);
    ChunkView {
        id: row.id.into(),
        document_id: row.document_id.into(),
        chunk_index: row.chunk_index,
        content: row.content,
        content_tokens: row.content_tokens,
        page_number: row.page_number.filter(|_| config.include_page_number),
        page_start: pages.first().filter(|_| config.include_page_number),
        page_end: pages.last().filter(|_| config.include_page_number),
        start_char: row.start_char,
        end_char: row.end_char,
        headings: serde_json::from_value(row.headings).unwrap_or_default(),
        title: document
            .title
            .clone()
            .or_else(|| document.filename.clone())
            .filter(|_| config.include_title),
        source_url: document
            .source_url
            .clone()
            .filter(|_| config.include_source_url),
    }
}
