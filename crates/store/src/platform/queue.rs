use crate::PlatformTx;
use crate::convert::to_db;
use crate::entity::job;
use crate::error::db;
use crate::tenant::{is, null, waiting};
use quipu_core::job::{ClaimedJob, JobStatus, NewJob};
use quipu_core::{JobId, Result, TenantId, Timestamp};
use sea_orm::sea_query::{Expr, ExprTrait, LockBehavior, LockType, Query};
use sea_orm::{ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, PaginatorTrait, QueryFilter};

/// The lock under which workers claim on PostgreSQL.
const CLAIMING: i64 = 7_305_804_403;

/// The workers' side of the job queue.
pub struct Queue<'a>(pub(crate) &'a PlatformTx);

/// What a heartbeat found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaseState {
    Held,
    /// Still held, but somebody asked for the job to be cancelled.
    CancelRequested,
    /// Gone to somebody else: stop working on it.
    Lost,
}

/// Kinds of jobs that run beside the workers.
#[derive(Clone, Copy, Debug, Default)]
pub struct BesideKinds<'a> {
    pub all: &'a [&'a str],
    /// Those of them for which there is no place now.
    pub full: &'a [&'a str],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueDepth {
    /// Whose time has come; those for later keep nobody waiting.
    pub queued: u64,
    pub running: u64,
    pub dead: u64,
    /// Running with a lease that has run out: somebody must take them back.
    pub expired: u64,
}

impl Queue<'_> {
    /// Queues a job of the platform's own.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn enqueue(&self, new: &NewJob) -> Result<JobId> {
        let (id, row) = waiting(new, None, self.0.now(), None);
        job::Entity::insert(row)
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(id)
    }

    /// Takes the job whose turn is next, of a tenant that has fewer than `per_tenant` running; the
    /// platform's own are nobody's share.
    ///
    /// Workers claim one after another, so that each counts what those before it took: SQLite has
    /// one writer at a time, and on PostgreSQL they wait for one lock. A job that somebody else is
    /// changing at that moment is passed over.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn claim(
        &self,
        worker: &str,
        lease_until: Timestamp,
        per_tenant: u32,
    ) -> Result<Option<ClaimedJob>> {
        let ordinary = BesideKinds::default();
        self.claim_beside(worker, lease_until, per_tenant, ordinary)
            .await
    }

    /// The same where jobs of some kinds run beside the workers: they take nothing of the share of
    /// their tenant, and those for which there is no place are left.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn claim_beside(
        &self,
        worker: &str,
        lease_until: Timestamp,
        per_tenant: u32,
        beside: BesideKinds<'_>,
    ) -> Result<Option<ClaimedJob>> {
        let postgres = self.0.tx.get_database_backend() == DbBackend::Postgres;
        if postgres {
            self.0
                .tx
                .execute_unprepared(&format!("SELECT pg_advisory_xact_lock({CLAIMING})"))
                .await
                .map_err(db)?;
        }
        let mut busy = Query::select();
        busy.column(job::Column::TenantId)
            .from(job::Entity)
            .and_where(is(JobStatus::Running))
            .and_where(job::Column::TenantId.is_not_null())
            .and_where(job::Column::Kind.is_not_in(beside.all.iter().copied()))
            .group_by_col(job::Column::TenantId)
            .and_having(Expr::cust("COUNT(*)").gte(per_tenant));
        let mut next = Query::select();
        next.column(job::Column::Id)
            .from(job::Entity)
            .and_where(is(JobStatus::Queued))
            .and_where(job::Column::RunAt.lte(self.0.db_now()))
            .and_where(
                job::Column::TenantId
                    .is_null()
                    .or(job::Column::TenantId.not_in_subquery(busy))
                    // They take nothing of the share, so that a full one does not hold them up.
                    .or(job::Column::Kind.is_in(beside.all.iter().copied())),
            )
            .order_by(job::Column::TurnAt, sea_orm::Order::Asc)
            .order_by(job::Column::Id, sea_orm::Order::Asc)
            .limit(1);
        if !beside.full.is_empty() {
            next.and_where(job::Column::Kind.is_not_in(beside.full.iter().copied()));
        }
        if postgres {
            next.lock_with_behavior(LockType::Update, LockBehavior::SkipLocked);
        }
        let lease = JobId::generate(self.0.now()).uuid();
        let rows = job::Entity::update_many()
            // Not IN: PostgreSQL may run that subquery once per row, and take a job each time.
            .filter(Expr::col((job::Entity, job::Column::Id)).eq(next))
            .col_expr(
                job::Column::Status,
                Expr::value(JobStatus::Running.as_str()),
            )
            .col_expr(
                job::Column::Attempts,
                Expr::col(job::Column::Attempts).add(1),
            )
            .col_expr(job::Column::Lease, Expr::value(lease))
            .col_expr(job::Column::LeaseUntil, Expr::value(to_db(lease_until)))
            .col_expr(job::Column::Worker, Expr::value(worker.to_owned()))
            .col_expr(job::Column::UpdatedAt, Expr::value(self.0.db_now()))
            .exec_with_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(rows.into_iter().next().map(|row| ClaimedJob {
            id: row.id.into(),
            tenant: row.tenant_id.map(TenantId::from_uuid),
            kind: row.kind,
            payload: row.payload,
            attempts: row.attempts,
            max_attempts: row.max_attempts,
            lease,
        }))
    }

    /// Holds on to a job for longer.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn heartbeat(&self, claimed: &ClaimedJob, until: Timestamp) -> Result<LeaseState> {
        let rows = self
            .held(claimed)
            .col_expr(job::Column::LeaseUntil, Expr::value(to_db(until)))
            .exec_with_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(match rows.first() {
            None => LeaseState::Lost,
            Some(row) if row.cancel_requested => LeaseState::CancelRequested,
            Some(_) => LeaseState::Held,
        })
    }

    /// Puts the job back for another attempt at `run_at`.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn retry_at(
        &self,
        claimed: &ClaimedJob,
        run_at: Timestamp,
        why: &str,
    ) -> Result<bool> {
        let done = self
            .let_go(claimed, JobStatus::Queued)
            .col_expr(job::Column::RunAt, Expr::value(to_db(run_at)))
            // Not earlier than its turn was: jobs of a tenant that failed together would come back
            // as a crowd.
            .col_expr(
                job::Column::TurnAt,
                Expr::case(
                    job::Column::TurnAt.gt(to_db(run_at)),
                    Expr::col(job::Column::TurnAt),
                )
                .finally(Expr::value(to_db(run_at)))
                .into(),
            )
            .col_expr(job::Column::LastError, Expr::value(why.to_owned()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Gives the job back untouched, as if it had not been claimed.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn release(&self, claimed: &ClaimedJob) -> Result<bool> {
        let done = self
            .let_go(claimed, JobStatus::Queued)
            .col_expr(
                job::Column::Attempts,
                Expr::col(job::Column::Attempts).sub(1),
            )
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Ends the job without success: dead with its reason, or cancelled. Returns `false` when the
    /// lease was lost.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn end(&self, claimed: &ClaimedJob, status: JobStatus, why: &str) -> Result<bool> {
        let done = self
            .let_go(claimed, status)
            .col_expr(job::Column::LastError, Expr::value(why.to_owned()))
            .col_expr(job::Column::FinishedAt, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Finishes a job of the platform's own, which has no tenant transaction to finish in.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn complete(&self, claimed: &ClaimedJob) -> Result<bool> {
        let done = self
            .let_go(claimed, JobStatus::Succeeded)
            .col_expr(job::Column::FinishedAt, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Jobs whose worker is gone: their lease has run out. They are claimed anew one by one, so
    /// that whoever finds one decides whether it gets another attempt.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn take_expired(
        &self,
        lease_until: Timestamp,
        worker: &str,
    ) -> Result<Vec<ClaimedJob>> {
        let mut gone = Query::select();
        gone.column(job::Column::Id)
            .from(job::Entity)
            .and_where(is(JobStatus::Running))
            .and_where(job::Column::LeaseUntil.lt(self.0.db_now()))
            .limit(100);
        if self.0.tx.get_database_backend() == DbBackend::Postgres {
            gone.lock_with_behavior(LockType::Update, LockBehavior::SkipLocked);
        }
        let lease = JobId::generate(self.0.now()).uuid();
        let rows = job::Entity::update_many()
            .filter(job::Column::Id.in_subquery(gone))
            .col_expr(job::Column::Lease, Expr::value(lease))
            .col_expr(job::Column::LeaseUntil, Expr::value(to_db(lease_until)))
            .col_expr(job::Column::Worker, Expr::value(worker.to_owned()))
            .exec_with_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(rows
            .into_iter()
            .map(|row| ClaimedJob {
                id: row.id.into(),
                tenant: row.tenant_id.map(TenantId::from_uuid),
                kind: row.kind,
                payload: row.payload,
                attempts: row.attempts,
                max_attempts: row.max_attempts,
                lease,
            })
            .collect())
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn depth(&self) -> Result<QueueDepth> {
        let count = async |status: JobStatus| {
            job::Entity::find()
                .filter(job::Column::Status.eq(status.as_str()))
                .count(&self.0.tx)
                .await
                .map_err(db)
        };
        Ok(QueueDepth {
            queued: job::Entity::find()
                .filter(is(JobStatus::Queued))
                .filter(job::Column::RunAt.lte(self.0.db_now()))
                .count(&self.0.tx)
                .await
                .map_err(db)?,
            running: count(JobStatus::Running).await?,
            dead: count(JobStatus::Dead).await?,
            expired: job::Entity::find()
                .filter(is(JobStatus::Running))
                .filter(job::Column::LeaseUntil.lt(self.0.db_now()))
                .count(&self.0.tx)
                .await
                .map_err(db)?,
        })
    }

    fn held(&self, claimed: &ClaimedJob) -> sea_orm::UpdateMany<job::Entity> {
        job::Entity::update_many()
            .filter(job::Column::Id.eq(claimed.id.uuid()))
            .filter(job::Column::Lease.eq(claimed.lease))
            .col_expr(job::Column::UpdatedAt, Expr::value(self.0.db_now()))
    }

    fn let_go(&self, claimed: &ClaimedJob, to: JobStatus) -> sea_orm::UpdateMany<job::Entity> {
        self.held(claimed)
            .col_expr(job::Column::Status, Expr::value(to.as_str()))
            .col_expr(job::Column::Lease, null())
            .col_expr(job::Column::LeaseUntil, null())
    }
}
