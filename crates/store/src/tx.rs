//! The two kinds of transaction, and the only place where queries are made.

use crate::convert::to_db;
use crate::entity::TenantOwned;
use crate::error::db;
use crate::kept::{Kept, Remembering};
use crate::migrate::{APP_ROLE, PLATFORM_ROLE};
use chrono::{DateTime, Utc};
use quipu_core::page::PageRequest;
use quipu_core::tenancy::{PersonalCorpora, TenantScope};
use quipu_core::{Result, TenantId, Timestamp};
use sea_orm::sea_query::{Expr, SimpleExpr};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend, DeleteMany, EntityTrait,
    QueryFilter, QueryOrder, QuerySelect, Select, UpdateMany,
};
use std::sync::Arc;
use uuid::Uuid;

/// A transaction inside one tenant. Its repositories are in [`crate::tenant`].
pub struct TenantTx {
    pub(crate) tx: DatabaseTransaction,
    scope: TenantScope,
    now: Timestamp,
    /// Only where nothing is written.
    pub(crate) remembering: Option<Remembering>,
}

impl TenantTx {
    pub(crate) async fn enter(
        tx: DatabaseTransaction,
        scope: TenantScope,
        now: Timestamp,
    ) -> Result<Self> {
        if tx.get_database_backend() == DbBackend::Postgres {
            let sql = entering(scope.tenant_id(), scope.corpora());
            tx.execute_unprepared(&sql).await.map_err(db)?;
        }
        Ok(Self {
            tx,
            scope,
            now,
            remembering: None,
        })
    }

    pub(crate) fn remembering(self, kept: Arc<Kept>) -> Self {
        Self {
            remembering: Some(Remembering::new(kept)),
            ..self
        }
    }

    #[must_use]
    pub fn tenant_id(&self) -> TenantId {
        self.scope.tenant_id()
    }

    /// The instant the transaction began; everything it writes carries it.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// Keeps what was written. In a rehearsal it undoes it instead, so that no use case has to know
    /// of rehearsals to be without effects in one.
    ///
    /// # Errors
    /// When the commit fails; then nothing was written.
    pub async fn commit(self) -> Result<()> {
        if self.scope.rehearses() {
            return self.tx.rollback().await.map_err(db);
        }
        self.tx.commit().await.map_err(db)
    }

    pub(crate) fn corpora(&self) -> PersonalCorpora {
        self.scope.corpora()
    }

    pub(crate) fn uuid(&self) -> Uuid {
        self.tenant_id().uuid()
    }

    /// Reads over the personal corpora of everybody, whoever asks. For sums that tell nobody what
    /// is in them: what a plan allows is used up by all of them together.
    pub(crate) async fn over_everybodys<T>(
        &self,
        reading: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        let whose = self.scope.corpora();
        if self.tx.get_database_backend() != DbBackend::Postgres
            || whose == PersonalCorpora::Everybodys
        {
            return reading.await;
        }
        let reach = async |corpora| {
            let sql = format!("SELECT {}", corpora_settings(corpora));
            self.tx.execute_unprepared(&sql).await.map_err(db)
        };
        reach(PersonalCorpora::Everybodys).await?;
        let read = reading.await?;
        reach(whose).await?;
        Ok(read)
    }

    pub(crate) fn db_now(&self) -> DateTime<Utc> {
        to_db(self.now)
    }

    fn own<E: TenantOwned>(&self) -> SimpleExpr {
        E::TENANT.eq(self.uuid())
    }

    pub(crate) fn find<E: TenantOwned>(&self) -> Select<E> {
        E::find().filter(self.own::<E>())
    }

    pub(crate) fn update<E: TenantOwned>(&self) -> UpdateMany<E> {
        E::update_many().filter(self.own::<E>())
    }

    pub(crate) fn delete<E: TenantOwned>(&self) -> DeleteMany<E> {
        E::delete_many().filter(self.own::<E>())
    }

    /// Empties a column wherever it names something that is going away. Returns in how many rows.
    pub(crate) async fn forget<E: TenantOwned>(&self, column: E::Column, id: Uuid) -> Result<u64> {
        let none: Option<Uuid> = None;
        let done = self
            .update::<E>()
            .filter(column.eq(id))
            .col_expr(column, Expr::value(none))
            .exec(&self.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected)
    }
}

/// Takes the role that does tenants' work, and says for which tenant and for whom. All of it is local:
/// it ends with the transaction, whoever gets the connection next.
pub(crate) fn entering(tenant: TenantId, corpora: PersonalCorpora) -> String {
    let corpora = corpora_settings(corpora);
    format!(
        "SET LOCAL ROLE {APP_ROLE}; SELECT set_config('app.tenant_id', '{tenant}', true), {corpora}"
    )
}

fn corpora_settings(corpora: PersonalCorpora) -> String {
    let (user, reach) = match corpora {
        PersonalCorpora::Everybodys => (String::new(), "everybodys"),
        PersonalCorpora::Of(user) => (user.to_string(), ""),
        PersonalCorpora::Nobodys => (String::new(), ""),
    };
    format!("set_config('app.user_id', '{user}', true), set_config('app.corpora', '{reach}', true)")
}

/// The platform's own transaction. Its repositories are in [`crate::platform`].
pub struct PlatformTx {
    pub(crate) tx: DatabaseTransaction,
    now: Timestamp,
}

impl PlatformTx {
    pub(crate) async fn enter(tx: DatabaseTransaction, now: Timestamp) -> Result<Self> {
        if tx.get_database_backend() == DbBackend::Postgres {
            tx.execute_unprepared(&format!("SET LOCAL ROLE {PLATFORM_ROLE}"))
                .await
                .map_err(db)?;
        }
        Ok(Self { tx, now })
    }

    /// Goes on inside a tenant, in the same transaction, leaving the platform's rights behind.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn enter_tenant(self, scope: TenantScope) -> Result<TenantTx> {
        TenantTx::enter(self.tx, scope, self.now).await
    }

    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// # Errors
    /// When the commit fails; then nothing was written.
    pub async fn commit(self) -> Result<()> {
        self.tx.commit().await.map_err(db)
    }

    pub(crate) fn db_now(&self) -> DateTime<Utc> {
        to_db(self.now)
    }
}

/// Newest first, after the cursor, with one row more than asked for to see whether more follow.
pub(crate) fn newest_first<E, C>(select: Select<E>, id: C, page: PageRequest) -> Select<E>
where
    E: EntityTrait,
    C: ColumnTrait,
{
    let select = match page.after {
        Some(after) => select.filter(id.lt(after)),
        None => select,
    };
    select.order_by_desc(id).limit(page.limit + 1)
}
