use crate::TenantTx;
use crate::convert::{from_db, to_db};
use crate::entity::{document, document_source, document_tag};
use crate::error::{db, violates};
use crate::tenant::OpenKb;
use quipu_core::format::Format;
use quipu_core::knowledge::{
    Document, DocumentChange, DocumentFilter, DocumentSort, DocumentSource, DocumentStatus,
    NewDocument, ProcessingStatus, SearchFilter, Stage,
};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{DocumentId, Error, ErrorCode, KnowledgeBaseId, Result, Timestamp};
use sea_orm::prelude::DateTimeUtc;
use sea_orm::sea_query::{Expr, ExprTrait, Func, LikeExpr, Order, SimpleExpr};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, JsonValue,
    PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Select, Set, TransactionTrait,
};
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

pub struct Documents<'a>(pub(crate) &'a TenantTx);

/// How many different letters beyond the plain ones a text that is looked for may have before the
/// rest of them are compared with their case: each is one more function around the column.
const MAX_REPLACED: usize = 32;

/// What lies behind a document: its original, or the text that it is.
#[derive(Clone, Debug)]
pub struct Original {
    pub storage_path: Option<String>,
    pub text: Option<String>,
}

impl Documents<'_> {
    /// # Errors
    /// `DUPLICATE_DOCUMENT`, naming the document that holds the same content already.
    pub async fn insert(&self, kb: &OpenKb, new: &NewDocument, created_by: &str) -> Result<()> {
        if let Some(twin) = self.twin(kb, &new.content_hash).await? {
            return Err(duplicate(twin));
        }
        let now = self.0.db_now();
        let row = document::ActiveModel {
            id: Set(new.id.uuid()),
            tenant_id: Set(self.0.uuid()),
            knowledge_base_id: Set(kb.id.uuid()),
            title: Set(new.title.clone()),
            source: Set(new.source.as_str().to_owned()),
            status: Set(DocumentStatus::Pending.as_str().to_owned()),
            preview: Set(new.preview.clone()),
            content_hash: Set(new.content_hash.clone()),
            size_bytes: Set(new.size_bytes),
            chunks_count: Set(0),
            error_message: Set(None),
            created_by: Set(created_by.to_owned()),
            created_at: Set(now),
            updated_at: Set(now),
            filename: Set(new.filename.clone()),
            file_type: Set(new.file_type.map(|f| f.as_str().to_owned())),
            source_url: Set(new.source_url.clone()),
            storage_path: Set(new.storage_path.clone()),
            storage_version: Set(1),
            stage: Set(None),
            progress: Set(0),
            pages_count: Set(None),
            tokens_count: Set(0),
            author: Set(None),
            document_date: Set(None),
            category: Set(new.category.clone()),
            metadata: Set(new.metadata.clone()),
            enabled: Set(true),
            generation: Set(0),
            building: Set(None),
            building_chunks: Set(0),
            runs: Set(1),
            error_code: Set(None),
            business_type: Set(new.business.as_ref().map(|b| b.0.clone())),
            business_id: Set(new.business.as_ref().map(|b| b.1.clone())),
            processing_started_at: Set(None),
            processing_completed_at: Set(None),
        };
        let attempt = self.0.tx.begin().await.map_err(db)?;
        let inserted = row.insert(&attempt).await.map(drop);
        self.settle(attempt, inserted, kb, &new.content_hash)
            .await?;
        if let Some(text) = &new.text {
            document_source::Entity::insert(document_source::ActiveModel {
                document_id: Set(new.id.uuid()),
                tenant_id: Set(self.0.uuid()),
                content: Set(text.clone()),
            })
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        }
        self.insert_tags(new.id, &new.tags).await
    }

    /// The document of this knowledge base with the same content.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn twin(&self, kb: &OpenKb, content_hash: &str) -> Result<Option<DocumentId>> {
        let twin = self
            .of(kb)
            .filter(document::Column::ContentHash.eq(content_hash))
            .select_only()
            .column(document::Column::Id)
            .into_tuple::<Uuid>()
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(twin.map(DocumentId::from_uuid))
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, kb: &OpenKb, id: DocumentId) -> Result<Option<Document>> {
        let row = self
            .of(kb)
            .filter(document::Column::Id.eq(id.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(self.complete(row.into_iter().collect()).await?.pop())
    }

    /// The document that tells about this thing of the business.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn find_business(&self, kind: &str, id: &str) -> Result<Option<Document>> {
        let row = self
            .0
            .find::<document::Entity>()
            .filter(document::Column::BusinessType.eq(kind))
            .filter(document::Column::BusinessId.eq(id))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(self.complete(row.into_iter().collect()).await?.pop())
    }

    /// Which of these are what the business says of these kinds.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn of_business(
        &self,
        ids: &[DocumentId],
        kinds: &[&str],
    ) -> Result<HashSet<DocumentId>> {
        let found: Vec<Uuid> = self
            .0
            .find::<document::Entity>()
            .filter(document::Column::Id.is_in(ids.iter().map(|id| id.uuid())))
            .filter(document::Column::BusinessType.is_in(kinds.iter().copied()))
            .select_only()
            .column(document::Column::Id)
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(found.into_iter().map(DocumentId::from_uuid).collect())
    }

    /// What lies behind it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn original(&self, kb: &OpenKb, id: DocumentId) -> Result<Option<Original>> {
        let row = self
            .of(kb)
            .filter(document::Column::Id.eq(id.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        let Some(row) = row else { return Ok(None) };
        let text = self
            .0
            .find::<document_source::Entity>()
            .filter(document_source::Column::DocumentId.eq(row.id))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(Some(Original {
            storage_path: row.storage_path,
            text: text.map(|source| source.content),
        }))
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn list(
        &self,
        kb: &OpenKb,
        filter: &DocumentFilter,
        sort: DocumentSort,
        page: PageRequest,
    ) -> Result<Page<Document>> {
        let mut select = self.filtered(kb, filter);
        let (key, order) = sort_key(sort);
        if let Some(after) = page.after {
            select = select.filter(self.beyond(kb, sort, after).await?);
        }
        if let Some(key) = key {
            select = select.order_by(key, order.clone());
        }
        let rows = select
            .order_by(document::Column::Id, order)
            .limit(page.limit + 1)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let documents = self.complete(rows).await?;
        Ok(Page::from_rows(documents, page, |d: &Document| d.id.uuid()))
    }

    /// Which documents a bulk operation means, at most `limit`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn ids(
        &self,
        kb: &OpenKb,
        filter: &DocumentFilter,
        limit: u64,
    ) -> Result<Vec<DocumentId>> {
        let ids = self
            .filtered(kb, filter)
            .select_only()
            .column(document::Column::Id)
            .order_by_asc(document::Column::Id)
            .limit(limit)
            .into_tuple::<Uuid>()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(ids.into_iter().map(DocumentId::from_uuid).collect())
    }

    /// The documents of these knowledge bases that a search may look at.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn matching(
        &self,
        kbs: &[KnowledgeBaseId],
        filter: &SearchFilter,
    ) -> Result<Vec<DocumentId>> {
        use document::Column;
        let mut select = self
            .0
            .find::<document::Entity>()
            .filter(Column::KnowledgeBaseId.is_in(kbs.iter().map(|kb| kb.uuid())));
        if !filter.documents.is_empty() {
            select = select.filter(Column::Id.is_in(filter.documents.iter().map(|id| id.uuid())));
        }
        if let Some(category) = &filter.category {
            select = select.filter(Column::Category.eq(category.as_str()));
        }
        for tag in &filter.tags {
            select = select.filter(self.tagged(tag));
        }
        let rows = select
            .select_only()
            .column(Column::Id)
            .column(Column::DocumentDate)
            .column(Column::CreatedAt)
            .column(Column::Metadata)
            .order_by_asc(Column::Id)
            .into_tuple::<(Uuid, Option<String>, DateTimeUtc, JsonValue)>()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(rows
            .into_iter()
            .filter(|(_, date, added, metadata)| {
                let added = added.date_naive().to_string();
                let day = date.as_deref().unwrap_or(&added).parse().ok();
                filter.from.is_none_or(|from| day >= Some(from))
                    && filter.to.is_none_or(|to| day.is_some_and(|day| day <= to))
                    && filter
                        .metadata
                        .iter()
                        .all(|(key, value)| metadata.get(key) == Some(value))
            })
            .map(|(id, ..)| id.into())
            .collect())
    }

    /// How far the documents are that changed since `since`, the earliest change first. Of those
    /// that changed at that very instant, the ones after `after`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn changed_since(
        &self,
        kb: &OpenKb,
        since: Timestamp,
        after: Option<DocumentId>,
        limit: u64,
    ) -> Result<Vec<ProcessingStatus>> {
        use document::Column;
        let later = Column::UpdatedAt.gt(to_db(since));
        let later = match after {
            // The first part is what an index is searched by: it holds for both of the others.
            Some(after) => Column::UpdatedAt
                .gte(to_db(since))
                .and(later.or(Column::Id.gt(after.uuid()))),
            None => later,
        };
        let rows = self
            .of(kb)
            .filter(later)
            .order_by_asc(document::Column::UpdatedAt)
            .order_by_asc(document::Column::Id)
            .limit(limit)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(rows.iter().map(status_of).collect())
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn status(&self, kb: &OpenKb, id: DocumentId) -> Result<Option<ProcessingStatus>> {
        let row = self
            .of(kb)
            .filter(document::Column::Id.eq(id.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(row.as_ref().map(status_of))
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn count(&self, kb: KnowledgeBaseId) -> Result<u64> {
        self.0
            .find::<document::Entity>()
            .filter(document::Column::KnowledgeBaseId.eq(kb.uuid()))
            .count(&self.0.tx)
            .await
            .map_err(db)
    }

    /// Changes what people say about the document.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn update(
        &self,
        kb: &OpenKb,
        id: DocumentId,
        change: &DocumentChange,
    ) -> Result<bool> {
        use document::Column;
        let mut update = self
            .0
            .update::<document::Entity>()
            .filter(Column::KnowledgeBaseId.eq(kb.id.uuid()))
            .filter(Column::Id.eq(id.uuid()))
            .col_expr(Column::UpdatedAt, Expr::value(self.0.db_now()));
        if let Some(title) = &change.title {
            update = update.col_expr(Column::Title, Expr::value(title.clone()));
        }
        if let Some(author) = &change.author {
            update = update.col_expr(Column::Author, Expr::value(author.clone()));
        }
        if let Some(date) = &change.document_date {
            update = update.col_expr(Column::DocumentDate, Expr::value(date.clone()));
        }
        if let Some(category) = &change.category {
            update = update.col_expr(Column::Category, Expr::value(category.clone()));
        }
        if let Some(metadata) = &change.metadata {
            update = update.col_expr(Column::Metadata, Expr::value(metadata.clone()));
        }
        if let Some(enabled) = change.enabled {
            update = update.col_expr(Column::Enabled, Expr::value(enabled));
        }
        let done = update.exec(&self.0.tx).await.map_err(db)?;
        if done.rows_affected == 0 {
            return Ok(false);
        }
        if let Some(tags) = &change.tags {
            self.0
                .delete::<document_tag::Entity>()
                .filter(document_tag::Column::DocumentId.eq(id.uuid()))
                .exec(&self.0.tx)
                .await
                .map_err(db)?;
            self.insert_tags(id, tags).await?;
        }
        if change.title.is_some() || change.enabled.is_some() {
            self.0.index_changes().note(kb.id, &[id]).await?;
        }
        Ok(true)
    }

    /// Puts new content behind a document. Readers keep what they see until it was processed.
    ///
    /// # Errors
    /// `DUPLICATE_DOCUMENT` when another document of the knowledge base has that content.
    pub async fn replace_content(
        &self,
        kb: &OpenKb,
        id: DocumentId,
        new: &NewDocument,
    ) -> Result<bool> {
        use document::Column;
        match self.twin(kb, &new.content_hash).await? {
            Some(twin) if twin != id => return Err(duplicate(twin)),
            _ => {}
        }
        let mut update = self
            .0
            .update::<document::Entity>()
            .filter(Column::KnowledgeBaseId.eq(kb.id.uuid()))
            .filter(Column::Id.eq(id.uuid()))
            .col_expr(Column::ContentHash, Expr::value(new.content_hash.clone()))
            .col_expr(Column::SizeBytes, Expr::value(new.size_bytes))
            .col_expr(Column::UpdatedAt, Expr::value(self.0.db_now()));
        if let Some(filename) = &new.filename {
            update = update.col_expr(Column::Filename, Expr::value(filename.clone()));
        }
        if let Some(format) = new.file_type {
            update = update.col_expr(Column::FileType, Expr::value(format.as_str()));
        }
        if let Some(path) = &new.storage_path {
            update = update
                .col_expr(Column::StoragePath, Expr::value(path.clone()))
                .col_expr(
                    Column::StorageVersion,
                    Expr::col(Column::StorageVersion).add(1),
                );
        }
        let attempt = self.0.tx.begin().await.map_err(db)?;
        let done = update.exec(&attempt).await;
        let done = self.settle(attempt, done, kb, &new.content_hash).await?;
        if done.rows_affected == 0 {
            return Ok(false);
        }
        if let Some(text) = &new.text {
            self.0
                .update::<document_source::Entity>()
                .filter(document_source::Column::DocumentId.eq(id.uuid()))
                .col_expr(document_source::Column::Content, Expr::value(text.clone()))
                .exec(&self.0.tx)
                .await
                .map_err(db)?;
        }
        Ok(true)
    }

    /// The number the document's next original gets.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn next_version(&self, kb: &OpenKb, id: DocumentId) -> Result<Option<i32>> {
        let version = self
            .of(kb)
            .filter(document::Column::Id.eq(id.uuid()))
            .select_only()
            .column(document::Column::StorageVersion)
            .into_tuple::<i32>()
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(version.map(|v| v + 1))
    }

    /// Sends the document back to the beginning of the queue's walk, and returns which time this
    /// is. Readers keep what they see.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn begin_run(&self, kb: &OpenKb, id: DocumentId) -> Result<Option<i32>> {
        use document::Column;
        let rows = self
            .0
            .update::<document::Entity>()
            .filter(Column::KnowledgeBaseId.eq(kb.id.uuid()))
            .filter(Column::Id.eq(id.uuid()))
            .col_expr(
                Column::Status,
                Expr::value(DocumentStatus::Pending.as_str()),
            )
            .col_expr(Column::Stage, super::null())
            .col_expr(Column::Progress, Expr::value(0))
            .col_expr(Column::Building, super::null())
            .col_expr(Column::BuildingChunks, Expr::value(0))
            .col_expr(Column::Runs, Expr::col(Column::Runs).add(1))
            .col_expr(Column::ErrorCode, super::null())
            .col_expr(Column::ErrorMessage, super::null())
            .col_expr(Column::ProcessingStartedAt, super::null())
            .col_expr(Column::ProcessingCompletedAt, super::null())
            .col_expr(Column::UpdatedAt, Expr::value(self.0.db_now()))
            .exec_with_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(rows.first().map(|row| row.runs))
    }

    /// Deletes documents with all that was made of them, and returns how many went.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn delete(&self, kb: &OpenKb, ids: &[DocumentId]) -> Result<u64> {
        let done = self
            .0
            .delete::<document::Entity>()
            .filter(document::Column::KnowledgeBaseId.eq(kb.id.uuid()))
            .filter(document::Column::Id.is_in(ids.iter().map(|id| id.uuid())))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        self.0.index_changes().note(kb.id, ids).await?;
        Ok(done.rows_affected)
    }

    fn of(&self, kb: &OpenKb) -> Select<document::Entity> {
        self.0
            .find::<document::Entity>()
            .filter(document::Column::KnowledgeBaseId.eq(kb.id.uuid()))
    }

    fn filtered(&self, kb: &OpenKb, filter: &DocumentFilter) -> Select<document::Entity> {
        use document::Column;
        let mut select = self.of(kb);
        if let Some(status) = filter.status {
            select = select.filter(Column::Status.eq(status.as_str()));
        }
        if let Some(source) = filter.source {
            select = select.filter(Column::Source.eq(source.as_str()));
        }
        if let Some(format) = filter.file_type {
            select = select.filter(Column::FileType.eq(format.as_str()));
        }
        if let Some(category) = &filter.category {
            select = select.filter(Column::Category.eq(category.as_str()));
        }
        if let Some(enabled) = filter.enabled {
            select = select.filter(Column::Enabled.eq(enabled));
        }
        if let Some(tag) = &filter.tag {
            select = select.filter(self.tagged(tag));
        }
        if let Some(text) = &filter.text {
            let text = text.to_lowercase();
            let like = LikeExpr::new(format!("%{}%", escaped(&text))).escape('\\');
            select = select.filter(
                lowered(Column::Title, &text).like(like.clone()).or(lowered(
                    Column::Filename,
                    &text,
                )
                .like(like)),
            );
        }
        select
    }

    fn tagged(&self, tag: &str) -> SimpleExpr {
        let tagged = self
            .0
            .find::<document_tag::Entity>()
            .filter(document_tag::Column::Tag.eq(tag))
            .select_only()
            .column(document_tag::Column::DocumentId);
        document::Column::Id.in_subquery(sea_orm::QueryTrait::into_query(tagged))
    }

    /// Ends an attempt to write content down, and finds out whose it is if somebody else wrote the
    /// same between our look and our writing. The attempt is a savepoint, because PostgreSQL would
    /// end the whole transaction at the violation.
    async fn settle<T>(
        &self,
        attempt: DatabaseTransaction,
        written: std::result::Result<T, DbErr>,
        kb: &OpenKb,
        content_hash: &str,
    ) -> Result<T> {
        let columns = "documents.tenant_id, documents.knowledge_base_id, documents.content_hash";
        match written {
            Ok(written) => {
                attempt.commit().await.map_err(db)?;
                Ok(written)
            }
            Err(error) if violates(&error, "documents_content_key", columns) => {
                attempt.rollback().await.map_err(db)?;
                let twin = self.twin(kb, content_hash).await?;
                Err(twin.map_or_else(|| Error::already_exists("document", "content"), duplicate))
            }
            Err(error) => Err(db(error)),
        }
    }

    /// The rows that come after the document `after` in that order. It need not be there any more
    /// where its id alone tells its place, so that whoever deletes what they see can go on.
    async fn beyond(&self, kb: &OpenKb, sort: DocumentSort, after: Uuid) -> Result<SimpleExpr> {
        let id = document::Column::Id;
        match sort {
            DocumentSort::Newest => return Ok(id.lt(after)),
            DocumentSort::Oldest => return Ok(id.gt(after)),
            DocumentSort::Name | DocumentSort::Largest => {}
        }
        let place = self
            .of(kb)
            .filter(id.eq(after))
            .one(&self.0.tx)
            .await
            .map_err(db)?
            .ok_or_else(|| Error::new(ErrorCode::InvalidCursor))?;
        if sort == DocumentSort::Largest {
            let size = document::Column::SizeBytes;
            let same = size.eq(place.size_bytes).and(id.lt(after));
            return Ok(size.lt(place.size_bytes).or(same));
        }
        let name = place.title.or(place.filename).unwrap_or_default();
        let name = Expr::expr(Func::lower(Expr::value(name)));
        let same = shown_name().eq(name.clone()).and(id.gt(after));
        Ok(shown_name().gt(name).or(same))
    }

    async fn insert_tags(&self, id: DocumentId, tags: &[String]) -> Result<()> {
        if tags.is_empty() {
            return Ok(());
        }
        let rows = tags.iter().map(|tag| document_tag::ActiveModel {
            tenant_id: Set(self.0.uuid()),
            document_id: Set(id.uuid()),
            tag: Set(tag.clone()),
        });
        document_tag::Entity::insert_many(rows)
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(())
    }

    async fn complete(&self, rows: Vec<document::Model>) -> Result<Vec<Document>> {
        let mut tags: HashMap<Uuid, Vec<String>> = HashMap::new();
        if !rows.is_empty() {
            let found = self
                .0
                .find::<document_tag::Entity>()
                .filter(document_tag::Column::DocumentId.is_in(rows.iter().map(|row| row.id)))
                .order_by_asc(document_tag::Column::Tag)
                .all(&self.0.tx)
                .await
                .map_err(db)?;
            for row in found {
                tags.entry(row.document_id).or_default().push(row.tag);
            }
        }
        Ok(rows
            .into_iter()
            .map(|row| {
                let tags = tags.remove(&row.id).unwrap_or_default();
                into_document(row, tags)
            })
            .collect())
    }
}

fn duplicate(twin: DocumentId) -> Error {
    Error::new(ErrorCode::DuplicateDocument).with("document_id", twin.to_string())
}

/// What to order by before the id, and which way.
fn sort_key(sort: DocumentSort) -> (Option<SimpleExpr>, Order) {
    match sort {
        DocumentSort::Newest => (None, Order::Desc),
        DocumentSort::Oldest => (None, Order::Asc),
        DocumentSort::Name => (Some(shown_name()), Order::Asc),
        DocumentSort::Largest => (Some(Expr::col(document::Column::SizeBytes)), Order::Desc),
    }
}

/// What a list shows as the document's name, without case.
fn shown_name() -> SimpleExpr {
    Expr::expr(Func::lower(Func::coalesce([
        Expr::col(document::Column::Title),
        Expr::col(document::Column::Filename),
        Expr::value(""),
    ])))
}

/// The column without case, as far as comparing it with `text` needs it. SQLite's own function
/// knows the case of plain letters only, so that what else is in the text is named to it.
fn lowered(column: document::Column, text: &str) -> SimpleExpr {
    let mut others: Vec<char> = text.chars().filter(|c| !c.is_ascii()).collect();
    others.sort_unstable();
    others.dedup();
    let mut lowered = Expr::col(column);
    for lower in others.into_iter().take(MAX_REPLACED) {
        let mut upper = lower.to_uppercase();
        // A letter that has no capital of one letter is compared as it stands.
        if let (Some(upper), None) = (upper.next(), upper.next())
            && upper != lower
        {
            let letters = [upper, lower].map(|c| Expr::value(c.to_string()));
            let [upper, lower] = letters;
            lowered = Expr::expr(Func::cust("replace").args([lowered, upper, lower]));
        }
    }
    Expr::expr(Func::lower(lowered))
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('%', "\\%")
        .replace('_', "\\_")
}

fn status_of(row: &document::Model) -> ProcessingStatus {
    ProcessingStatus {
        document_id: row.id.into(),
        status: DocumentStatus::parse_or_failed(&row.status),
        stage: row.stage.as_deref().and_then(Stage::parse),
        progress_percent: row.progress,
        chunks_created: if row.building.is_some() {
            row.building_chunks
        } else {
            row.chunks_count
        },
        error_code: row.error_code.clone(),
        error_message: row.error_message.clone(),
        updated_at: from_db(row.updated_at),
    }
}

fn into_document(row: document::Model, tags: Vec<String>) -> Document {
    Document {
        id: row.id.into(),
        knowledge_base_id: row.knowledge_base_id.into(),
        title: row.title,
        source: DocumentSource::parse(&row.source).unwrap_or(DocumentSource::Manual),
        filename: row.filename,
        file_type: row.file_type.as_deref().and_then(Format::parse),
        source_url: row.source_url,
        status: DocumentStatus::parse_or_failed(&row.status),
        stage: row.stage.as_deref().and_then(Stage::parse),
        progress_percent: row.progress,
        preview: row.preview,
        size_bytes: row.size_bytes,
        chunks_count: row.chunks_count,
        pages_count: row.pages_count,
        tokens_count: row.tokens_count,
        author: row.author,
        document_date: row.document_date,
        category: row.category,
        tags,
        metadata: row.metadata,
        enabled: row.enabled,
        content_hash: row.content_hash,
        error_code: row.error_code,
        error_message: row.error_message,
        processing_started_at: row.processing_started_at.map(from_db),
        processing_completed_at: row.processing_completed_at.map(from_db),
        created_at: from_db(row.created_at),
        updated_at: from_db(row.updated_at),
    }
}
