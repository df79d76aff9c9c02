use crate::TenantTx;
use crate::convert::from_db;
use crate::entity::{document, website, website_page};
use crate::error::db;
use crate::tenant::{OpenKb, PageFault, null};
use quipu_core::knowledge::DocumentStatus;
use quipu_core::page::{Page, PageRequest};
use quipu_core::website::{WebsitePage, WebsitePageState};
use quipu_core::{DocumentId, Error, Result, WebsiteId, WebsitePageId};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{
    ColumnTrait, Condition, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
    QueryTrait, Set,
};
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// The addresses of a website: what waits to be read, and what became of the rest.
pub struct WebsitePages<'a>(pub(crate) &'a TenantTx);

/// An address that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundPage {
    pub address: String,
    pub depth: i32,
}

/// A page as the worker of its website finds it.
#[derive(Clone, Debug)]
pub struct SitePage {
    pub id: WebsitePageId,
    pub address: String,
    pub depth: i32,
    pub state: WebsitePageState,
    pub round: i32,
    pub attempts: i32,
    pub document: Option<DocumentId>,
    pub content_hash: Option<String>,
    pub etag: Option<String>,
    pub last_modified: Option<String>,
}

/// What the page is now, when it was read.
#[derive(Clone, Debug)]
pub struct PageContent {
    pub document: DocumentId,
    pub content_hash: String,
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    pub changed: bool,
}

/// Rows in one statement.
const BATCH: usize = 200;

impl WebsitePages<'_> {
    /// Notes addresses that a reading found, those it has found before left as they are. Returns how
    /// many are new to it.
    ///
    /// # Errors
    /// When the database cannot be written, or there is no such website.
    pub async fn found(
        &self,
        site: WebsiteId,
        round: i32,
        state: WebsitePageState,
        told: Option<PageFault<'_>>,
        pages: &[FoundPage],
    ) -> Result<u64> {
        use website_page::Column;
        let (code, message) = told.unzip();
        let mut new = 0;
        for batch in pages.chunks(BATCH) {
            let addresses = || batch.iter().map(|page| page.address.clone());
            let known = self
                .of(site)
                .filter(Column::Address.is_in(addresses()))
                .filter(Column::Round.eq(round))
                .count(&self.0.tx)
                .await
                .map_err(db)?;
            let again = self
                .0
                .update::<website_page::Entity>()
                .filter(Column::WebsiteId.eq(site.uuid()))
                .filter(Column::Address.is_in(addresses()))
                .filter(Column::Round.lt(round))
                .col_expr(Column::Round, Expr::value(round))
                .col_expr(Column::State, Expr::value(state.as_str()))
                .col_expr(Column::Attempts, Expr::value(0))
                .col_expr(Column::Depth, Expr::value(batch[0].depth))
                .col_expr(Column::ErrorCode, Expr::value(code.map(str::to_owned)))
                .col_expr(
                    Column::ErrorMessage,
                    Expr::value(message.map(str::to_owned)),
                )
                .exec(&self.0.tx)
                .await
                .map_err(db)?;
            new += again.rows_affected;
            if known + again.rows_affected == batch.len() as u64 {
                continue;
            }
            let rows = batch.iter().map(|page| website_page::ActiveModel {
                id: Set(WebsitePageId::generate(self.0.now()).uuid()),
                tenant_id: Set(self.0.uuid()),
                website_id: Set(site.uuid()),
                address: Set(page.address.clone()),
                depth: Set(page.depth),
                state: Set(state.as_str().to_owned()),
                round: Set(round),
                attempts: Set(0),
                document_id: Set(None),
                content_hash: Set(None),
                etag: Set(None),
                last_modified: Set(None),
                error_code: Set(code.map(str::to_owned)),
                error_message: Set(message.map(str::to_owned)),
                last_seen_at: Set(None),
                last_changed_at: Set(None),
            });
            new += website_page::Entity::insert_many(rows)
                .on_conflict(OnConflict::new().do_nothing().to_owned())
                .exec_without_returning(&self.0.tx)
                .await
                .map_err(db)?;
        }
        Ok(new)
    }

    /// Which of these addresses a reading has found already.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn known(
        &self,
        site: WebsiteId,
        round: i32,
        addresses: &[String],
    ) -> Result<HashSet<String>> {
        use website_page::Column;
        let mut known = HashSet::new();
        for batch in addresses.chunks(BATCH) {
            let found: Vec<String> = self
                .of(site)
                .filter(Column::Round.eq(round))
                .filter(Column::Address.is_in(batch.iter().cloned()))
                .select_only()
                .column(Column::Address)
                .into_tuple()
                .all(&self.0.tx)
                .await
                .map_err(db)?;
            known.extend(found);
        }
        Ok(known)
    }

    /// How many addresses a reading has found: those that are or may become pages, and all of them.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn count(&self, site: WebsiteId, round: i32) -> Result<(u64, u64)> {
        use website_page::Column;
        let all = || self.of(site).filter(Column::Round.eq(round));
        let pages = all().filter(Column::State.ne(WebsitePageState::Skipped.as_str()));
        Ok((
            pages.count(&self.0.tx).await.map_err(db)?,
            all().count(&self.0.tx).await.map_err(db)?,
        ))
    }

    /// The next page to look at: those that were tried least, and then those nearest to the start.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn next(&self, site: WebsiteId, round: i32) -> Result<Option<SitePage>> {
        use website_page::Column;
        let row = self
            .of(site)
            .filter(Column::State.eq(WebsitePageState::Waiting.as_str()))
            .filter(Column::Round.eq(round))
            .order_by_asc(Column::Attempts)
            .order_by_asc(Column::Depth)
            .order_by_asc(Column::Id)
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        row.map(site_page).transpose()
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn at(&self, site: WebsiteId, address: &str) -> Result<Option<SitePage>> {
        let row = self
            .of(site)
            .filter(website_page::Column::Address.eq(address))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        row.map(site_page).transpose()
    }

    /// Counts one more attempt, before it is made: a page that ends its reader is not tried for ever.
    /// Returns whether the page is there.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn attempt(&self, id: WebsitePageId) -> Result<bool> {
        use website_page::Column;
        let done = self
            .0
            .update::<website_page::Entity>()
            .filter(Column::Id.eq(id.uuid()))
            .col_expr(Column::Attempts, Expr::col(Column::Attempts).add(1))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Notes that a page was read. Returns whether it is there.
    ///
    /// # Errors
    /// When the database cannot be written, or there is no such document.
    pub async fn read(&self, id: WebsitePageId, content: &PageContent) -> Result<bool> {
        use website_page::Column;
        let now = self.0.db_now();
        let mut update = self
            .0
            .update::<website_page::Entity>()
            .filter(Column::Id.eq(id.uuid()))
            .col_expr(Column::State, Expr::value(WebsitePageState::Read.as_str()))
            .col_expr(Column::DocumentId, Expr::value(content.document.uuid()))
            .col_expr(Column::ContentHash, Expr::value(&*content.content_hash))
            .col_expr(Column::Etag, Expr::value(content.etag.clone()))
            .col_expr(
                Column::LastModified,
                Expr::value(content.last_modified.clone()),
            )
            .col_expr(Column::ErrorCode, null())
            .col_expr(Column::ErrorMessage, null())
            .col_expr(Column::LastSeenAt, Expr::value(now));
        if content.changed {
            update = update.col_expr(Column::LastChangedAt, Expr::value(now));
        }
        let done = update.exec(&self.0.tx).await.map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Notes why a page was not read. What was read of it before stays. Returns whether it is there.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn set_state(
        &self,
        id: WebsitePageId,
        state: WebsitePageState,
        (code, message): PageFault<'_>,
    ) -> Result<bool> {
        use website_page::Column;
        let done = self
            .0
            .update::<website_page::Entity>()
            .filter(Column::Id.eq(id.uuid()))
            .col_expr(Column::State, Expr::value(state.as_str()))
            .col_expr(Column::ErrorCode, Expr::value(code))
            .col_expr(Column::ErrorMessage, Expr::value(message))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Why the first page of a reading failed that did.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn first_failure(
        &self,
        site: WebsiteId,
        round: i32,
    ) -> Result<Option<(String, String)>> {
        use website_page::Column;
        let states = [
            WebsitePageState::Failed,
            WebsitePageState::Gone,
            WebsitePageState::Skipped,
        ];
        let row = self
            .of(site)
            .filter(Column::Round.eq(round))
            .filter(Column::State.is_in(states.map(WebsitePageState::as_str)))
            .filter(Column::ErrorCode.is_not_null())
            .order_by_asc(Column::State)
            .order_by_asc(Column::Depth)
            .order_by_asc(Column::Id)
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(row.and_then(|row| row.error_code.zip(row.error_message)))
    }

    /// Pages that a reading has shown to be gone: those that the site answered so, with `missed` also
    /// those that it did not find any more, and those that are there as another page. Addresses that never
    /// became a page are no loss: they go when they are not found again, or there would be ever more.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn vanished(
        &self,
        site: WebsiteId,
        round: i32,
        missed: bool,
        limit: u64,
    ) -> Result<Vec<SitePage>> {
        use website_page::Column;
        let gone = Column::State.eq(WebsitePageState::Gone.as_str());
        let moved = Condition::all()
            .add(Column::Round.eq(round))
            .add(Column::State.eq(WebsitePageState::Skipped.as_str()))
            .add(Column::DocumentId.is_not_null());
        let missing = Column::Round.lt(round);
        let missing = if missed {
            missing
        } else {
            missing.and(Column::DocumentId.is_null())
        };
        let wanted = Condition::any().add(gone).add(moved).add(missing);
        let rows = self
            .of(site)
            .filter(wanted)
            .order_by_asc(Column::Id)
            .limit(limit)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        rows.into_iter().map(site_page).collect()
    }

    /// Forgets addresses, and returns how many went.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn delete(&self, ids: &[WebsitePageId]) -> Result<u64> {
        let done = self
            .0
            .delete::<website_page::Entity>()
            .filter(website_page::Column::Id.is_in(ids.iter().map(|id| id.uuid())))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected)
    }

    /// The documents that are pages of a website.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn documents(&self, site: WebsiteId) -> Result<Vec<DocumentId>> {
        let ids = self
            .of(site)
            .filter(website_page::Column::DocumentId.is_not_null())
            .order_by_asc(website_page::Column::DocumentId)
            .select_only()
            .column(website_page::Column::DocumentId)
            .into_tuple::<Uuid>()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(ids.into_iter().map(DocumentId::from_uuid).collect())
    }

    /// The addresses of a website of an open knowledge base, those found first before the others.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(
        &self,
        kb: &OpenKb,
        site: WebsiteId,
        state: Option<WebsitePageState>,
        page: PageRequest,
    ) -> Result<Page<WebsitePage>> {
        use website_page::Column;
        let of_kb = self
            .0
            .find::<website::Entity>()
            .filter(website::Column::KnowledgeBaseId.eq(kb.id.uuid()))
            .select_only()
            .column(website::Column::Id)
            .into_query();
        let mut select = self
            .of(site)
            .filter(Column::WebsiteId.in_subquery(of_kb))
            .order_by_asc(Column::Id)
            .limit(page.limit + 1);
        if let Some(state) = state {
            select = select.filter(Column::State.eq(state.as_str()));
        }
        if let Some(after) = page.after {
            select = select.filter(Column::Id.gt(after));
        }
        let rows = select.all(&self.0.tx).await.map_err(db)?;
        let documents = rows.iter().filter_map(|row| row.document_id);
        let documents: Vec<(Uuid, Option<String>, String)> = self
            .0
            .find::<document::Entity>()
            .filter(document::Column::Id.is_in(documents))
            .select_only()
            .column(document::Column::Id)
            .column(document::Column::Title)
            .column(document::Column::Status)
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let mut documents: HashMap<Uuid, (Option<String>, String)> = documents
            .into_iter()
            .map(|(id, title, status)| (id, (title, status)))
            .collect();
        let pages = rows.into_iter().map(|row| {
            let document = row.document_id.and_then(|id| documents.remove(&id));
            shown(row, document)
        });
        let pages = pages.collect::<Result<Vec<_>>>()?;
        Ok(Page::from_rows(pages, page, |found| found.id.uuid()))
    }

    fn of(&self, site: WebsiteId) -> sea_orm::Select<website_page::Entity> {
        self.0
            .find::<website_page::Entity>()
            .filter(website_page::Column::WebsiteId.eq(site.uuid()))
    }
}

fn state_of(row: &website_page::Model) -> Result<WebsitePageState> {
    WebsitePageState::parse(&row.state)
        .ok_or_else(|| Error::internal("a page of a website has a state that is none"))
}

fn site_page(row: website_page::Model) -> Result<SitePage> {
    Ok(SitePage {
        state: state_of(&row)?,
        id: row.id.into(),
        address: row.address,
        depth: row.depth,
        round: row.round,
        attempts: row.attempts,
        document: row.document_id.map(DocumentId::from_uuid),
        content_hash: row.content_hash,
        etag: row.etag,
        last_modified: row.last_modified,
    })
}

fn shown(
    row: website_page::Model,
    document: Option<(Option<String>, String)>,
) -> Result<WebsitePage> {
    let state = state_of(&row)?;
    let (title, status) = document.unzip();
    Ok(WebsitePage {
        id: row.id.into(),
        address: row.address,
        state,
        document_id: row.document_id.map(DocumentId::from_uuid),
        document_title: title.flatten(),
        document_status: status.map(|status| DocumentStatus::parse_or_failed(&status)),
        error_code: row.error_code,
        error_message: row.error_message,
        last_seen_at: row.last_seen_at.map(from_db),
        last_changed_at: row.last_changed_at.map(from_db),
    })
}
