use crate::TenantTx;
use crate::convert::{from_db, to_db};
use crate::entity::{knowledge_base, website};
use crate::error::{db, violates};
use crate::tenant::{OpenKb, null};
use crate::tx::newest_first;
use quipu_core::page::{Page, PageRequest};
use quipu_core::website::{
    FoundBy, PathPatterns, RefreshSchedule, Website, WebsiteCounts, WebsiteSettings, WebsiteStatus,
};
use quipu_core::{Error, KnowledgeBaseId, Result, Timestamp, UserId, WebsiteId};
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Set,
    TransactionTrait,
};
use serde_json::{Value, json};
use uuid::Uuid;

/// The websites of knowledge bases. What people are shown is asked for with an open knowledge base;
/// the rest is the worker's side.
pub struct Websites<'a>(pub(crate) &'a TenantTx);

/// A website as its worker finds it.
#[derive(Clone, Debug)]
pub struct SiteReading {
    pub site: Website,
    pub settings: WebsiteSettings,
    pub round: i32,
    /// How far the reading has come, in its own words.
    pub progress: Value,
    /// Whose knowledge base it is, when it is somebody's own.
    pub owner: Option<UserId>,
    pub created_by: String,
}

/// Why something was not read: a code, and a sentence in the language of the tenant.
pub type PageFault<'a> = (&'a str, &'a str);

impl Websites<'_> {
    /// # Errors
    /// `ALREADY_EXISTS` when the knowledge base has that address already.
    pub async fn insert(
        &self,
        kb: &OpenKb,
        address: &str,
        settings: &WebsiteSettings,
        created_by: &str,
    ) -> Result<WebsiteId> {
        let id = WebsiteId::generate(self.0.now());
        let now = self.0.db_now();
        let row = website::ActiveModel {
            id: Set(id.uuid()),
            tenant_id: Set(self.0.uuid()),
            knowledge_base_id: Set(kb.id.uuid()),
            address: Set(address.to_owned()),
            found_by: Set(settings.found_by.as_str().to_owned()),
            depth: Set(settings.depth),
            include_paths: Set(json!(settings.patterns.include)),
            exclude_paths: Set(json!(settings.patterns.exclude)),
            max_pages: Set(settings.max_pages),
            refresh: Set(settings.refresh.as_str().to_owned()),
            status: Set(WebsiteStatus::Waiting.as_str().to_owned()),
            error_code: Set(None),
            error_message: Set(None),
            round: Set(0),
            progress: Set(json!({})),
            found_count: Set(0),
            read_count: Set(0),
            unchanged_count: Set(0),
            changed_count: Set(0),
            removed_count: Set(0),
            robots_count: Set(0),
            failed_count: Set(0),
            last_read_at: Set(None),
            next_read_at: Set(None),
            created_by: Set(created_by.to_owned()),
            created_at: Set(now),
            updated_at: Set(now),
        };
        // A savepoint, because PostgreSQL would end the whole transaction at the violation below.
        let attempt = self.0.tx.begin().await.map_err(db)?;
        let columns = "websites.tenant_id, websites.knowledge_base_id, websites.address";
        match row.insert(&attempt).await {
            Ok(_) => {
                attempt.commit().await.map_err(db)?;
                Ok(id)
            }
            Err(error) if violates(&error, "websites_address_key", columns) => {
                attempt.rollback().await.map_err(db)?;
                Err(Error::already_exists("website", "address"))
            }
            Err(error) => Err(db(error)),
        }
    }

    /// Which knowledge base a website belongs to. Whether somebody may see it is said by opening that.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn kb_of(&self, id: WebsiteId) -> Result<Option<KnowledgeBaseId>> {
        let kb = self
            .0
            .find::<website::Entity>()
            .filter(website::Column::Id.eq(id.uuid()))
            .select_only()
            .column(website::Column::KnowledgeBaseId)
            .into_tuple::<Uuid>()
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(kb.map(KnowledgeBaseId::from_uuid))
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, kb: &OpenKb, id: WebsiteId) -> Result<Option<Website>> {
        let row = self
            .0
            .find::<website::Entity>()
            .filter(website::Column::KnowledgeBaseId.eq(kb.id.uuid()))
            .filter(website::Column::Id.eq(id.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        row.map(into_website).transpose()
    }

    /// Newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(&self, kb: &OpenKb, page: PageRequest) -> Result<Page<Website>> {
        let select = self
            .0
            .find::<website::Entity>()
            .filter(website::Column::KnowledgeBaseId.eq(kb.id.uuid()));
        let rows = newest_first(select, website::Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let found = rows
            .into_iter()
            .map(into_website)
            .collect::<Result<Vec<_>>>()?;
        Ok(Page::from_rows(found, page, |site| site.id.uuid()))
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn count(&self, kb: &OpenKb) -> Result<u64> {
        self.0
            .find::<website::Entity>()
            .filter(website::Column::KnowledgeBaseId.eq(kb.id.uuid()))
            .count(&self.0.tx)
            .await
            .map_err(db)
    }

    /// All websites of a knowledge base, for whoever takes it away.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn ids_of(&self, kb: KnowledgeBaseId) -> Result<Vec<WebsiteId>> {
        let ids = self
            .0
            .find::<website::Entity>()
            .filter(website::Column::KnowledgeBaseId.eq(kb.uuid()))
            .order_by_asc(website::Column::Id)
            .select_only()
            .column(website::Column::Id)
            .into_tuple::<Uuid>()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(ids.into_iter().map(WebsiteId::from_uuid).collect())
    }

    /// Changes what people decide, and when it is read again where that changes. Returns whether the
    /// website is there.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn update(
        &self,
        kb: &OpenKb,
        id: WebsiteId,
        settings: &WebsiteSettings,
        refresh: Option<(RefreshSchedule, Option<Timestamp>)>,
    ) -> Result<bool> {
        use website::Column;
        let mut update = self
            .0
            .update::<website::Entity>()
            .filter(Column::KnowledgeBaseId.eq(kb.id.uuid()))
            .filter(Column::Id.eq(id.uuid()))
            .col_expr(Column::FoundBy, Expr::value(settings.found_by.as_str()))
            .col_expr(Column::Depth, Expr::value(settings.depth))
            .col_expr(
                Column::IncludePaths,
                Expr::value(json!(settings.patterns.include)),
            )
            .col_expr(
                Column::ExcludePaths,
                Expr::value(json!(settings.patterns.exclude)),
            )
            .col_expr(Column::MaxPages, Expr::value(settings.max_pages))
            .col_expr(Column::UpdatedAt, Expr::value(self.0.db_now()));
        if let Some((refresh, next)) = refresh {
            update = update
                .col_expr(Column::Refresh, Expr::value(refresh.as_str()))
                .col_expr(Column::NextReadAt, Expr::value(next.map(to_db)));
        }
        let done = update.exec(&self.0.tx).await.map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// # Errors
    /// When the database cannot be written.
    pub async fn delete(&self, kb: &OpenKb, id: WebsiteId) -> Result<bool> {
        let done = self
            .0
            .delete::<website::Entity>()
            .filter(website::Column::KnowledgeBaseId.eq(kb.id.uuid()))
            .filter(website::Column::Id.eq(id.uuid()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// The website with all that its worker needs. Whoever ends or changes a reading takes its job away
    /// first, so that a worker that holds that finds what is here until the transaction ends.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn load(&self, id: WebsiteId) -> Result<Option<SiteReading>> {
        let select = self
            .0
            .find::<website::Entity>()
            .filter(website::Column::Id.eq(id.uuid()));
        let Some(row) = select.one(&self.0.tx).await.map_err(db)? else {
            return Ok(None);
        };
        let owner = self
            .0
            .find::<knowledge_base::Entity>()
            .filter(knowledge_base::Column::Id.eq(row.knowledge_base_id))
            .select_only()
            .column(knowledge_base::Column::OwnerUserId)
            .into_tuple::<Option<Uuid>>()
            .one(&self.0.tx)
            .await
            .map_err(db)?
            .flatten();
        let (round, progress) = (row.round, row.progress.clone());
        let created_by = row.created_by.clone();
        let site = into_website(row)?;
        Ok(Some(SiteReading {
            settings: WebsiteSettings {
                found_by: site.found_by,
                depth: site.depth,
                patterns: PathPatterns {
                    include: site.include.clone(),
                    exclude: site.exclude.clone(),
                },
                max_pages: site.max_pages,
                refresh: site.refresh,
            },
            site,
            round,
            progress,
            owner: owner.map(UserId::from_uuid),
            created_by,
        }))
    }

    /// Says where a website stands, and why. Returns whether it is there.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn set_status(
        &self,
        id: WebsiteId,
        status: WebsiteStatus,
        told: Option<PageFault<'_>>,
        next_read_at: Option<Timestamp>,
    ) -> Result<bool> {
        use website::Column;
        let (code, message) = told.unzip();
        let done = self
            .0
            .update::<website::Entity>()
            .filter(Column::Id.eq(id.uuid()))
            .col_expr(Column::Status, Expr::value(status.as_str()))
            .col_expr(Column::ErrorCode, Expr::value(code.map(str::to_owned)))
            .col_expr(
                Column::ErrorMessage,
                Expr::value(message.map(str::to_owned)),
            )
            .col_expr(Column::NextReadAt, Expr::value(next_read_at.map(to_db)))
            .col_expr(Column::UpdatedAt, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Begins a reading, with nothing counted yet. Returns its number.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn begin_round(&self, id: WebsiteId, progress: &Value) -> Result<Option<i32>> {
        use website::Column;
        let mut update = self
            .0
            .update::<website::Entity>()
            .filter(Column::Id.eq(id.uuid()))
            .col_expr(Column::Status, Expr::value(WebsiteStatus::Reading.as_str()))
            .col_expr(Column::ErrorCode, null())
            .col_expr(Column::ErrorMessage, null())
            .col_expr(Column::Round, Expr::col(Column::Round).add(1))
            .col_expr(Column::Progress, Expr::value(progress.clone()))
            .col_expr(Column::UpdatedAt, Expr::value(self.0.db_now()));
        for column in COUNTED {
            update = update.col_expr(column, Expr::value(0));
        }
        let rows = update.exec_with_returning(&self.0.tx).await.map_err(db)?;
        Ok(rows.first().map(|row| row.round))
    }

    /// Keeps how far the reading has come. Returns whether the website is there.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn keep_progress(&self, id: WebsiteId, progress: &Value) -> Result<bool> {
        let done = self
            .0
            .update::<website::Entity>()
            .filter(website::Column::Id.eq(id.uuid()))
            .col_expr(website::Column::Progress, Expr::value(progress.clone()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Adds to what the reading came to. Returns whether the website is there.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn add_counts(&self, id: WebsiteId, more: &WebsiteCounts) -> Result<bool> {
        use website::Column;
        let each = [
            more.found,
            more.read,
            more.unchanged,
            more.changed,
            more.removed,
            more.skipped_by_robots,
            more.failed,
        ];
        let mut update = self
            .0
            .update::<website::Entity>()
            .filter(Column::Id.eq(id.uuid()))
            .col_expr(Column::UpdatedAt, Expr::value(self.0.db_now()));
        for (column, more) in COUNTED.into_iter().zip(each) {
            if more != 0 {
                update = update.col_expr(column, Expr::col(column).add(more));
            }
        }
        let done = update.exec(&self.0.tx).await.map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Notes that a reading came to its end. Returns whether the website is there.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn finish(
        &self,
        id: WebsiteId,
        status: WebsiteStatus,
        told: Option<PageFault<'_>>,
        next_read_at: Option<Timestamp>,
    ) -> Result<bool> {
        let there = self.set_status(id, status, told, next_read_at).await?;
        let mut update = self
            .0
            .update::<website::Entity>()
            .filter(website::Column::Id.eq(id.uuid()))
            .col_expr(website::Column::Progress, Expr::value(json!({})));
        if status == WebsiteStatus::Ready {
            update = update.col_expr(website::Column::LastReadAt, Expr::value(self.0.db_now()));
        }
        update.exec(&self.0.tx).await.map_err(db)?;
        Ok(there)
    }

    /// Takes on a website that is due, and says when it is due again. Returns `false` when somebody
    /// else has taken it on.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn take_due(&self, id: WebsiteId, next_read_at: Option<Timestamp>) -> Result<bool> {
        use website::Column;
        let done = self
            .0
            .update::<website::Entity>()
            .filter(Column::Id.eq(id.uuid()))
            .filter(Column::NextReadAt.lte(self.0.db_now()))
            .col_expr(Column::NextReadAt, Expr::value(next_read_at.map(to_db)))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }
}

/// The columns of [`WebsiteCounts`], in its order.
const COUNTED: [website::Column; 7] = [
    website::Column::FoundCount,
    website::Column::ReadCount,
    website::Column::UnchangedCount,
    website::Column::ChangedCount,
    website::Column::RemovedCount,
    website::Column::RobotsCount,
    website::Column::FailedCount,
];

fn into_website(row: website::Model) -> Result<Website> {
    let unknown = || Error::internal("a website has a word that is none");
    Ok(Website {
        id: row.id.into(),
        knowledge_base_id: row.knowledge_base_id.into(),
        address: row.address,
        found_by: FoundBy::parse(&row.found_by).ok_or_else(unknown)?,
        depth: row.depth,
        include: serde_json::from_value(row.include_paths).unwrap_or_default(),
        exclude: serde_json::from_value(row.exclude_paths).unwrap_or_default(),
        max_pages: row.max_pages,
        refresh: RefreshSchedule::parse(&row.refresh).ok_or_else(unknown)?,
        status: WebsiteStatus::parse(&row.status).ok_or_else(unknown)?,
        error_code: row.error_code,
        error_message: row.error_message,
        counts: WebsiteCounts {
            found: row.found_count,
            read: row.read_count,
            unchanged: row.unchanged_count,
            changed: row.changed_count,
            removed: row.removed_count,
            skipped_by_robots: row.robots_count,
            failed: row.failed_count,
        },
        last_read_at: row.last_read_at.map(from_db),
        next_read_at: row.next_read_at.map(from_db),
        created_at: from_db(row.created_at),
        updated_at: from_db(row.updated_at),
    })
}
