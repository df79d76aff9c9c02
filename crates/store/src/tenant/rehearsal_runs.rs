use crate::TenantTx;
use crate::convert::{from_db, to_db};
use crate::entity::{rehearsal_result, rehearsal_run};
use crate::error::{db, violates};
use crate::tx::newest_first;
use quipu_core::page::{Page, PageRequest};
use quipu_core::rehearsal::{
    NewRehearsalRun, RehearsalPiece, RehearsalPlan, RehearsalRun, RehearsalScript, RehearsalState,
    RehearsalSums, RehearsalTarget,
};
use quipu_core::{AgentId, Error, ErrorCode, RehearsalRunId, Result, Timestamp};
use sea_orm::sea_query::{Expr, ExprTrait, SimpleExpr};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select, Set,
    UpdateMany,
};
use uuid::Uuid;

/// Conversations that were played again with an agent, without effects.
pub struct RehearsalRuns<'a>(pub(crate) &'a TenantTx);

impl RehearsalRuns<'_> {
    /// # Errors
    /// `REHEARSAL_RUNNING` when the agent has one that has not ended, or when there is no such agent.
    pub async fn insert(&self, new: &NewRehearsalRun) -> Result<RehearsalRunId> {
        let id = RehearsalRunId::generate(self.0.now());
        let row = rehearsal_run::ActiveModel {
            id: Set(id.uuid()),
            tenant_id: Set(self.0.uuid()),
            agent_id: Set(new.subject.id.uuid()),
            target: Set(new.target.as_str().to_owned()),
            version: Set(new.version.map(i64::from)),
            subject: Set(serde_json::to_value(&new.subject).map_err(Error::internal)?),
            subject_hash: Set(new.subject_hash.clone()),
            pieces: Set(serde_json::to_value(&new.pieces).map_err(Error::internal)?),
            played: Set(0),
            state: Set(RehearsalState::Queued.as_str().to_owned()),
            answers: Set(0),
            changed: Set(0),
            failed: Set(0),
            input_tokens: Set(0),
            output_tokens: Set(0),
            cost_micros: Set(0),
            period_from: Set(new.from.map(to_db)),
            period_to: Set(new.to.map(to_db)),
            made_by: Set(new.made_by.clone()),
            created_at: Set(self.0.db_now()),
            started_at: Set(None),
            ended_at: Set(None),
        };
        row.insert(&self.0.tx).await.map_err(one_at_a_time)?;
        Ok(id)
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, agent: AgentId, id: RehearsalRunId) -> Result<Option<RehearsalRun>> {
        let row = self
            .of(agent)
            .filter(rehearsal_run::Column::Id.eq(id.uuid()));
        let row = row.one(&self.0.tx).await.map_err(db)?;
        row.map(run).transpose()
    }

    /// A rehearsal with all that is needed to play it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn plan(&self, id: RehearsalRunId) -> Result<Option<RehearsalPlan>> {
        let row = self
            .0
            .find::<rehearsal_run::Entity>()
            .filter(rehearsal_run::Column::Id.eq(id.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        row.map(|row| {
            Ok(RehearsalPlan {
                subject: serde_json::from_value(row.subject.clone()).map_err(Error::internal)?,
                pieces: serde_json::from_value(row.pieces.clone()).map_err(Error::internal)?,
                run: run(row)?,
            })
        })
        .transpose()
    }

    /// Newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(&self, agent: AgentId, page: PageRequest) -> Result<Page<RehearsalRun>> {
        let rows = newest_first(self.of(agent), rehearsal_run::Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let found = rows.into_iter().map(run).collect::<Result<Vec<_>>>()?;
        Ok(Page::from_rows(found, page, |found| found.id.uuid()))
    }

    /// The rehearsal that says whether this very configuration of an agent answers as expected. Of those that
    /// were played to their end it is the newest, when an answer in it is not as expected, and else the
    /// newest that played every script that expects something, as it is now. Where none expects anything,
    /// any answer says as much.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn latest_done(
        &self,
        agent: AgentId,
        subject_hash: &str,
    ) -> Result<Option<RehearsalRun>> {
        use rehearsal_run::Column;
        let done = self
            .of(agent)
            .filter(Column::SubjectHash.eq(subject_hash))
            .filter(Column::State.eq(RehearsalState::Done.as_str()))
            .order_by_desc(Column::Id);
        let newest = done.clone().one(&self.0.tx).await.map_err(db)?;
        let decisive = match newest {
            Some(newest) if newest.failed == 0 => {
                let scripts = self.0.rehearsal_scripts().expecting(agent).await?;
                let whole = done.filter(self.played_all(&scripts));
                whole.one(&self.0.tx).await.map_err(db)?
            }
            other => other,
        };
        decisive.map(run).transpose()
    }

    /// Notes that a rehearsal is being played. Returns whether it is still wanted.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn start(&self, id: RehearsalRunId) -> Result<bool> {
        use rehearsal_run::Column;
        let now = self.0.db_now();
        let begun = Expr::col(Column::StartedAt).if_null(now);
        let done = self
            .wanted(id)
            .col_expr(Column::State, Expr::value(RehearsalState::Running.as_str()))
            .col_expr(Column::StartedAt, begun)
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Adds what playing one more piece came to. Returns whether the rehearsal is still wanted.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn advance(&self, id: RehearsalRunId, sums: &RehearsalSums) -> Result<bool> {
        use rehearsal_run::Column;
        let plus = |column: Column, number: i64| Expr::col(column).add(number);
        let counted = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let done = self
            .wanted(id)
            .col_expr(Column::Played, plus(Column::Played, 1))
            .col_expr(Column::Answers, plus(Column::Answers, sums.answers.into()))
            .col_expr(Column::Changed, plus(Column::Changed, sums.changed.into()))
            .col_expr(Column::Failed, plus(Column::Failed, sums.failed.into()))
            .col_expr(
                Column::InputTokens,
                plus(Column::InputTokens, counted(sums.input_tokens)),
            )
            .col_expr(
                Column::OutputTokens,
                plus(Column::OutputTokens, counted(sums.output_tokens)),
            )
            .col_expr(
                Column::CostMicros,
                plus(Column::CostMicros, sums.cost_micros),
            )
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Ends a rehearsal that has not ended. Returns whether it had not.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn end(&self, id: RehearsalRunId, state: RehearsalState) -> Result<bool> {
        use rehearsal_run::Column;
        let done = self
            .wanted(id)
            .col_expr(Column::State, Expr::value(state.as_str()))
            .col_expr(Column::EndedAt, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Stops what somebody ordered and has not ended.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn stop_all_of(&self, made_by: &str) -> Result<u64> {
        use rehearsal_run::Column;
        let waiting = [RehearsalState::Queued, RehearsalState::Running];
        let done = self
            .0
            .update::<rehearsal_run::Entity>()
            .filter(Column::MadeBy.eq(made_by))
            .filter(Column::State.is_in(waiting.map(RehearsalState::as_str)))
            .col_expr(Column::State, Expr::value(RehearsalState::Stopped.as_str()))
            .col_expr(Column::EndedAt, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected)
    }

    /// Has a rehearsal that ended early go on where it ended. Returns whether there is one.
    ///
    /// # Errors
    /// `REHEARSAL_RUNNING` when the agent has another one that has not ended.
    pub async fn resume(&self, id: RehearsalRunId) -> Result<bool> {
        use rehearsal_run::Column;
        let none: Option<chrono::DateTime<chrono::Utc>> = None;
        let early = [RehearsalState::Stopped, RehearsalState::Failed];
        let done = self
            .0
            .update::<rehearsal_run::Entity>()
            .filter(Column::Id.eq(id.uuid()))
            .filter(Column::State.is_in(early.map(RehearsalState::as_str)))
            .col_expr(Column::State, Expr::value(RehearsalState::Queued.as_str()))
            .col_expr(Column::EndedAt, Expr::value(none))
            .exec(&self.0.tx)
            .await
            .map_err(one_at_a_time)?;
        Ok(done.rows_affected == 1)
    }

    /// Returns whether the agent had a rehearsal of this id that has ended.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn delete(&self, agent: AgentId, id: RehearsalRunId) -> Result<bool> {
        use rehearsal_run::Column;
        let done = self
            .0
            .delete::<rehearsal_run::Entity>()
            .filter(Column::AgentId.eq(agent.uuid()))
            .filter(Column::Id.eq(id.uuid()))
            .filter(Column::State.is_not_in(UNENDED))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Removes the rehearsals of an agent that were made before an instant, and all but so many of the
    /// newest. Returns how many went.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn prune(&self, agent: AgentId, most: u64, before: Timestamp) -> Result<u64> {
        use rehearsal_run::Column;
        let oldest_kept: Option<Uuid> = self
            .of(agent)
            .order_by_desc(Column::Id)
            .offset(most)
            .select_only()
            .column(Column::Id)
            .into_tuple()
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        let old = Column::CreatedAt.lt(to_db(before));
        let beyond = match oldest_kept {
            Some(id) => old.or(Column::Id.lte(id)),
            None => old,
        };
        let done = self
            .0
            .delete::<rehearsal_run::Entity>()
            .filter(Column::AgentId.eq(agent.uuid()))
            .filter(Column::State.is_not_in(UNENDED))
            .filter(beyond)
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected)
    }

    /// Whether a rehearsal has an answer to every message of these scripts and began after they were last
    /// changed; without scripts, whether it has any answer.
    fn played_all(&self, scripts: &[RehearsalScript]) -> SimpleExpr {
        use rehearsal_result::Column;
        let answers = self.0.find::<rehearsal_result::Entity>();
        let answers = answers.select_only().column(Column::RunId);
        let Some(changed) = scripts.iter().map(|script| script.updated_at).max() else {
            return rehearsal_run::Column::Id.in_subquery(answers.into_query());
        };
        // None of them has changed since, so that none has more answers than messages.
        let messages: usize = scripts.iter().map(|script| script.steps.len()).sum();
        let messages = i64::try_from(messages).unwrap_or(i64::MAX);
        let answers = answers
            .filter(Column::ScriptId.is_in(scripts.iter().map(|script| script.id.uuid())))
            .group_by(Column::RunId)
            .having(Expr::cust("COUNT(*)").gte(messages));
        rehearsal_run::Column::StartedAt
            .gte(to_db(changed))
            .and(rehearsal_run::Column::Id.in_subquery(answers.into_query()))
    }

    fn of(&self, agent: AgentId) -> Select<rehearsal_run::Entity> {
        self.0
            .find::<rehearsal_run::Entity>()
            .filter(rehearsal_run::Column::AgentId.eq(agent.uuid()))
    }

    fn wanted(&self, id: RehearsalRunId) -> UpdateMany<rehearsal_run::Entity> {
        self.0
            .update::<rehearsal_run::Entity>()
            .filter(rehearsal_run::Column::Id.eq(id.uuid()))
            .filter(rehearsal_run::Column::State.is_in(UNENDED))
    }
}

const UNENDED: [&str; 2] = [
    RehearsalState::Queued.as_str(),
    RehearsalState::Running.as_str(),
];

fn one_at_a_time(error: sea_orm::DbErr) -> Error {
    let columns = "rehearsal_runs.tenant_id, rehearsal_runs.agent_id";
    if violates(&error, "rehearsal_runs_one_key", columns) {
        return Error::new(ErrorCode::RehearsalRunning);
    }
    db(error)
}

fn run(row: rehearsal_run::Model) -> Result<RehearsalRun> {
    let unknown = || Error::internal("a rehearsal holds a word that is not known");
    let pieces: Vec<RehearsalPiece> =
        serde_json::from_value(row.pieces).map_err(Error::internal)?;
    let scripts = pieces
        .iter()
        .filter(|piece| matches!(piece, RehearsalPiece::Script(_)))
        .count();
    let small = |number: i64| u32::try_from(number).unwrap_or_default();
    let counted = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Ok(RehearsalRun {
        id: row.id.into(),
        agent_id: row.agent_id.into(),
        target: RehearsalTarget::parse(&row.target).ok_or_else(unknown)?,
        version: row.version.map(small),
        state: RehearsalState::parse(&row.state).ok_or_else(unknown)?,
        scripts: counted(scripts),
        conversations: counted(pieces.len() - scripts),
        played: small(row.played),
        answers: small(row.answers),
        changed: small(row.changed),
        failed: small(row.failed),
        input_tokens: u64::try_from(row.input_tokens).unwrap_or_default(),
        output_tokens: u64::try_from(row.output_tokens).unwrap_or_default(),
        cost_micros: row.cost_micros,
        from: row.period_from.map(from_db),
        to: row.period_to.map(from_db),
        made_by: row.made_by,
        created_at: from_db(row.created_at),
        started_at: row.started_at.map(from_db),
        ended_at: row.ended_at.map(from_db),
    })
}
