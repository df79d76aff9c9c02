//! Which documents there are: filtered, in an order, a page at a time.

use super::{Documents, status_of};
use crate::convert::to_db;
use crate::entity::{document, document_tag};
use crate::error::db;
use crate::tenant::OpenKb;
use quipu_core::knowledge::{
    Document, DocumentFilter, DocumentSort, ProcessingStatus, SearchFilter,
};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{DocumentId, Error, ErrorCode, KnowledgeBaseId, Result, Timestamp};
use sea_orm::prelude::DateTimeUtc;
use sea_orm::sea_query::{Expr, ExprTrait, Func, LikeExpr, Order, SimpleExpr};
use sea_orm::{
    ColumnTrait, JsonValue, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Select,
};
use uuid::Uuid;

/// How many different letters beyond the plain ones a text that is looked for may have before the
/// rest of them are compared with their case: each is one more function around the column.
const MAX_REPLACED: usize = 32;

impl Documents<'_> {
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
        self.ids_after(kb, filter, None, limit).await
    }

    /// The same from a document on, which need not be there any more.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn ids_after(
        &self,
        kb: &OpenKb,
        filter: &DocumentFilter,
        after: Option<DocumentId>,
        limit: u64,
    ) -> Result<Vec<DocumentId>> {
        let mut select = self.filtered(kb, filter);
        if let Some(after) = after {
            select = select.filter(document::Column::Id.gt(after.uuid()));
        }
        let ids = select
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

    /// How many documents a filter means.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn count_matching(&self, kb: &OpenKb, filter: &DocumentFilter) -> Result<u64> {
        let matching = self.filtered(kb, filter);
        matching.count(&self.0.tx).await.map_err(db)
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
