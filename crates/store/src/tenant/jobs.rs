use crate::TenantTx;
use crate::convert::{from_db, to_db};
use crate::entity::job;
use crate::error::db;
use crate::tx::newest_first;
use quipu_core::job::{ClaimedJob, Job, JobStatus, NewJob, turn};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{JobId, Result, Timestamp, UserId};
use sea_orm::sea_query::{Expr, ExprTrait, LockType, OnConflict, SimpleExpr};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbBackend, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect, Set, TransactionTrait,
};
use uuid::Uuid;

/// A tenant's jobs: queued together with the change that needs them, finished together with
/// the change they make.
pub struct Jobs<'a>(pub(crate) &'a TenantTx);

impl Jobs<'_> {
    /// Queues a job. Returns `None` when one with the same key waits or runs already.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn enqueue(&self, new: &NewJob) -> Result<Option<JobId>> {
        let last_turn = self.last_turn(new.run_at).await?;
        let (id, row) = waiting(new, Some(self.0.uuid()), self.0.now(), last_turn);
        let inserted = job::Entity::insert(row)
            .on_conflict(OnConflict::new().do_nothing().to_owned())
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok((inserted == 1).then_some(id))
    }

    /// Marks the job as done, in the transaction that holds its effect. Returns `false` when the
    /// lease was lost: then the transaction must be dropped, because somebody else has the job.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn complete(&self, claimed: &ClaimedJob) -> Result<bool> {
        let done = self
            .0
            .update::<job::Entity>()
            .filter(job::Column::Id.eq(claimed.id.uuid()))
            .filter(job::Column::Lease.eq(claimed.lease))
            .col_expr(
                job::Column::Status,
                Expr::value(JobStatus::Succeeded.as_str()),
            )
            .col_expr(job::Column::Lease, null())
            .col_expr(job::Column::LeaseUntil, null())
            .col_expr(job::Column::LastError, null())
            .col_expr(job::Column::UpdatedAt, Expr::value(self.0.db_now()))
            .col_expr(job::Column::FinishedAt, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Whether the worker still has the job. Until the transaction ends nobody else gets it, so
    /// that what is written in between is written by one.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn holds(&self, claimed: &ClaimedJob) -> Result<bool> {
        let mut select = self
            .0
            .find::<job::Entity>()
            .filter(job::Column::Id.eq(claimed.id.uuid()))
            .filter(job::Column::Lease.eq(claimed.lease));
        if self.0.tx.get_database_backend() == DbBackend::Postgres {
            select = select.lock(LockType::Update);
        }
        Ok(select.one(&self.0.tx).await.map_err(db)?.is_some())
    }

    /// Takes a waiting job out of the queue as if it had never been in it.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn withdraw(&self, kind: &str, dedup_key: &str) -> Result<bool> {
        let done = self
            .0
            .delete::<job::Entity>()
            .filter(job::Column::Kind.eq(kind))
            .filter(job::Column::DedupKey.eq(dedup_key))
            .filter(is(JobStatus::Queued))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected > 0)
    }

    /// The waiting or running job with this key.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn find_live(&self, kind: &str, dedup_key: &str) -> Result<Option<Job>> {
        let row = self
            .0
            .find::<job::Entity>()
            .filter(job::Column::Kind.eq(kind))
            .filter(job::Column::DedupKey.eq(dedup_key))
            .filter(is_live())
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(row.map(into_job))
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, id: JobId, viewer: Option<UserId>) -> Result<Option<Job>> {
        let row = self
            .0
            .find::<job::Entity>()
            .filter(job::Column::Id.eq(id.uuid()))
            .filter(visible(viewer))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(row.map(into_job))
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn list(
        &self,
        viewer: Option<UserId>,
        status: Option<JobStatus>,
        page: PageRequest,
    ) -> Result<Page<Job>> {
        let mut select = self.0.find::<job::Entity>().filter(visible(viewer));
        if let Some(status) = status {
            select = select.filter(job::Column::Status.eq(status.as_str()));
        }
        let rows = newest_first(select, job::Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let jobs = rows.into_iter().map(into_job).collect();
        Ok(Page::from_rows(jobs, page, |j: &Job| j.id.uuid()))
    }

    /// Cancels a waiting job at once; asks the worker of a running one to let go of it. Returns
    /// whether the job was in a state to be cancelled.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn cancel(&self, id: JobId) -> Result<bool> {
        let waiting = self
            .0
            .update::<job::Entity>()
            .filter(job::Column::Id.eq(id.uuid()))
            .filter(job::Column::Status.eq(JobStatus::Queued.as_str()))
            .col_expr(
                job::Column::Status,
                Expr::value(JobStatus::Cancelled.as_str()),
            )
            .col_expr(job::Column::UpdatedAt, Expr::value(self.0.db_now()))
            .col_expr(job::Column::FinishedAt, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        if waiting.rows_affected == 1 {
            return Ok(true);
        }
        let running = self
            .0
            .update::<job::Entity>()
            .filter(job::Column::Id.eq(id.uuid()))
            .filter(job::Column::Status.eq(JobStatus::Running.as_str()))
            .col_expr(job::Column::CancelRequested, Expr::value(true))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(running.rows_affected == 1)
    }

    /// Gives a dead or cancelled job a fresh set of attempts. Returns `false` in any other state.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn retry(&self, id: JobId) -> Result<bool> {
        let last_turn = self.last_turn(self.0.now()).await?;
        // A savepoint, because PostgreSQL would end the whole transaction at the violation below.
        let attempt = self.0.tx.begin().await.map_err(db)?;
        let ended = Condition::any()
            .add(job::Column::Status.eq(JobStatus::Dead.as_str()))
            .add(job::Column::Status.eq(JobStatus::Cancelled.as_str()));
        let done = self
            .0
            .update::<job::Entity>()
            .filter(job::Column::Id.eq(id.uuid()))
            .filter(ended)
            .col_expr(job::Column::Status, Expr::value(JobStatus::Queued.as_str()))
            .col_expr(job::Column::Attempts, Expr::value(0))
            .col_expr(job::Column::RunAt, Expr::value(self.0.db_now()))
            .col_expr(
                job::Column::TurnAt,
                Expr::value(to_db(turn(self.0.now(), last_turn))),
            )
            .col_expr(job::Column::CancelRequested, Expr::value(false))
            .col_expr(job::Column::UpdatedAt, Expr::value(self.0.db_now()))
            .col_expr(job::Column::FinishedAt, null())
            .exec(&attempt)
            .await;
        match done {
            Ok(done) => {
                attempt.commit().await.map_err(db)?;
                Ok(done.rows_affected == 1)
            }
            // The same work was queued again meanwhile: there is nothing to retry.
            Err(error)
                if crate::error::violates(
                    &error,
                    "jobs_dedup_key",
                    "jobs.tenant_id, jobs.kind, jobs.dedup_key",
                ) =>
            {
                attempt.rollback().await.map_err(db)?;
                Ok(false)
            }
            Err(error) => Err(db(error)),
        }
    }

    /// The last turn among the tenant's jobs that wait for nothing later than `run_at`: a job for
    /// later must not push those for now behind it.
    async fn last_turn(&self, run_at: Timestamp) -> Result<Option<Timestamp>> {
        let last = self
            .0
            .find::<job::Entity>()
            .filter(is(JobStatus::Queued))
            .filter(job::Column::RunAt.lte(to_db(run_at)))
            .order_by_desc(job::Column::TurnAt)
            .select_only()
            .column(job::Column::TurnAt)
            .into_tuple::<Option<chrono::DateTime<chrono::Utc>>>()
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(last.flatten().map(from_db))
    }
}

/// Everybody's jobs, and the viewer's own.
fn visible(viewer: Option<UserId>) -> SimpleExpr {
    let shared = job::Column::OwnerUserId.is_null();
    match viewer {
        Some(user) => shared.or(job::Column::OwnerUserId.eq(user.uuid())),
        None => shared,
    }
}

/// The row of a job that waits for a worker.
pub(crate) fn waiting(
    new: &NewJob,
    tenant: Option<Uuid>,
    now: Timestamp,
    last_turn: Option<Timestamp>,
) -> (JobId, job::ActiveModel) {
    let id = JobId::generate(now);
    let row = job::ActiveModel {
        id: Set(id.uuid()),
        tenant_id: Set(tenant),
        kind: Set(new.kind.to_owned()),
        payload: Set(new.payload.clone()),
        status: Set(JobStatus::Queued.as_str().to_owned()),
        attempts: Set(0),
        max_attempts: Set(new.max_attempts),
        run_at: Set(to_db(new.run_at)),
        lease: Set(None),
        lease_until: Set(None),
        worker: Set(None),
        cancel_requested: Set(false),
        dedup_key: Set(new.dedup_key.clone()),
        last_error: Set(None),
        created_at: Set(to_db(now)),
        updated_at: Set(to_db(now)),
        finished_at: Set(None),
        turn_at: Set(Some(to_db(turn(new.run_at, last_turn)))),
        owner_user_id: Set(new.owner.map(UserId::uuid)),
    };
    (id, row)
}

/// That a job is in this state, written out: an index over the jobs of one state is used only where
/// it is seen which one is asked for, and not for a value that comes later.
pub(crate) fn is(status: JobStatus) -> SimpleExpr {
    Expr::col((job::Entity, job::Column::Status)).eq(written_out(status))
}

/// That a job waits or runs, in the words of the index over those.
fn is_live() -> SimpleExpr {
    let live = [JobStatus::Queued, JobStatus::Running].map(written_out);
    Expr::col((job::Entity, job::Column::Status)).is_in(live)
}

fn written_out(status: JobStatus) -> SimpleExpr {
    Expr::cust(format!("'{}'", status.as_str()))
}

pub(crate) fn null() -> SimpleExpr {
    Expr::cust("NULL")
}

fn into_job(row: job::Model) -> Job {
    Job {
        id: row.id.into(),
        kind: row.kind,
        status: JobStatus::parse(&row.status).unwrap_or(JobStatus::Dead),
        payload: row.payload,
        attempts: row.attempts,
        max_attempts: row.max_attempts,
        run_at: from_db(row.run_at),
        lease_until: row.lease_until.map(from_db),
        last_error: row.last_error,
        created_at: from_db(row.created_at),
        finished_at: row.finished_at.map(from_db),
    }
}
