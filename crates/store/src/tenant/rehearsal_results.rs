use crate::TenantTx;
use crate::convert::from_db;
use crate::entity::{rehearsal_result, rehearsal_run};
use crate::error::db;
use quipu_core::page::{Page, PageRequest};
use quipu_core::rehearsal::{
    NewRehearsalResult, RehearsalPiece, RehearsalResult, RehearsalState, RehearsalTarget,
    RehearsalVerdict, ResultFilter,
};
use quipu_core::{
    ConversationId, Error, RehearsalResultId, RehearsalRunId, RehearsalScriptId, Result,
};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Set,
};
use uuid::Uuid;

/// The answers of rehearsals, each beside the one before.
pub struct RehearsalResults<'a>(pub(crate) &'a TenantTx);

impl RehearsalResults<'_> {
    /// # Errors
    /// When the database cannot be written, or there is no such rehearsal or conversation.
    pub async fn insert(
        &self,
        run: RehearsalRunId,
        new: &NewRehearsalResult,
    ) -> Result<RehearsalResultId> {
        let id = RehearsalResultId::generate(self.0.now());
        let changed = new.is_changed();
        let verdict = if changed {
            RehearsalVerdict::Changed
        } else {
            RehearsalVerdict::Same
        };
        let script = match new.piece {
            RehearsalPiece::Script(id) => Some(id.uuid()),
            RehearsalPiece::Conversation(_) => None,
        };
        let before = new.before.as_ref().map(serde_json::to_value).transpose();
        let counted = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        rehearsal_result::ActiveModel {
            id: Set(id.uuid()),
            tenant_id: Set(self.0.uuid()),
            run_id: Set(run.uuid()),
            script_id: Set(script),
            conversation_id: Set(new.conversation.map(ConversationId::uuid)),
            title: Set(new.title.clone()),
            step: Set(new.step.into()),
            question: Set(new.question.clone()),
            answer_before: Set(before.map_err(Error::internal)?),
            answer_after: Set(serde_json::to_value(&new.after).map_err(Error::internal)?),
            expected: Set(new.expected.into()),
            failures: Set(serde_json::to_value(&new.failed).map_err(Error::internal)?),
            failed: Set(!new.failed.is_empty()),
            changed: Set(changed),
            verdict: Set(verdict.as_str().to_owned()),
            elapsed_ms: Set(counted(new.elapsed_ms)),
            input_tokens: Set(counted(new.input_tokens)),
            output_tokens: Set(counted(new.output_tokens)),
            cost_micros: Set(new.cost_micros),
            created_at: Set(self.0.db_now()),
        }
        .insert(&self.0.tx)
        .await
        .map_err(db)?;
        Ok(id)
    }

    /// In the order they were played.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(
        &self,
        run: RehearsalRunId,
        only: Option<ResultFilter>,
        page: PageRequest,
    ) -> Result<Page<RehearsalResult>> {
        use rehearsal_result::Column;
        let mut select = self
            .0
            .find::<rehearsal_result::Entity>()
            .filter(Column::RunId.eq(run.uuid()));
        match only {
            Some(ResultFilter::Changed) => select = select.filter(Column::Changed.eq(true)),
            Some(ResultFilter::Failed) => select = select.filter(Column::Failed.eq(true)),
            None => {}
        }
        if let Some(after) = page.after {
            select = select.filter(Column::Id.gt(after));
        }
        let rows = select
            .order_by_asc(Column::Id)
            .limit(page.limit + 1)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let found = rows.into_iter().map(result).collect::<Result<Vec<_>>>()?;
        Ok(Page::from_rows(found, page, |found| found.id.uuid()))
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find(
        &self,
        run: RehearsalRunId,
        id: RehearsalResultId,
    ) -> Result<Option<RehearsalResult>> {
        use rehearsal_result::Column;
        let row = self
            .0
            .find::<rehearsal_result::Entity>()
            .filter(Column::RunId.eq(run.uuid()))
            .filter(Column::Id.eq(id.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        row.map(result).transpose()
    }

    /// What the live agent answered when a script was last played with it to the end, message by message.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn last_of(&self, script: RehearsalScriptId) -> Result<Vec<RehearsalResult>> {
        use rehearsal_result::Column;
        let ended = self
            .0
            .find::<rehearsal_run::Entity>()
            .filter(rehearsal_run::Column::Target.eq(RehearsalTarget::Live.as_str()))
            .filter(rehearsal_run::Column::State.eq(RehearsalState::Done.as_str()))
            .select_only()
            .column(rehearsal_run::Column::Id)
            .into_query();
        let of_script = self
            .0
            .find::<rehearsal_result::Entity>()
            .filter(Column::ScriptId.eq(script.uuid()));
        let last: Option<Uuid> = of_script
            .clone()
            .filter(Column::RunId.in_subquery(ended))
            .order_by_desc(Column::Id)
            .select_only()
            .column(Column::RunId)
            .into_tuple()
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        let Some(last) = last else {
            return Ok(Vec::new());
        };
        let rows = of_script
            .filter(Column::RunId.eq(last))
            .order_by_asc(Column::Id)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        rows.into_iter().map(result).collect()
    }

    /// Keeps what a person makes of an answer. Returns whether the rehearsal has it.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn judge(
        &self,
        run: RehearsalRunId,
        id: RehearsalResultId,
        verdict: RehearsalVerdict,
    ) -> Result<bool> {
        use rehearsal_result::Column;
        let done = self
            .0
            .update::<rehearsal_result::Entity>()
            .filter(Column::RunId.eq(run.uuid()))
            .filter(Column::Id.eq(id.uuid()))
            .col_expr(Column::Verdict, Expr::value(verdict.as_str()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }
}

fn result(row: rehearsal_result::Model) -> Result<RehearsalResult> {
    let whole = |number: i64| u64::try_from(number).unwrap_or_default();
    let small = |number: i64| u32::try_from(number).unwrap_or_default();
    let before = row.answer_before.map(serde_json::from_value).transpose();
    Ok(RehearsalResult {
        id: row.id.into(),
        run_id: row.run_id.into(),
        script_id: row.script_id.map(Into::into),
        conversation_id: row.conversation_id.map(Into::into),
        title: row.title,
        step: small(row.step),
        question: row.question,
        before: before.map_err(Error::internal)?,
        after: serde_json::from_value(row.answer_after).map_err(Error::internal)?,
        expected: small(row.expected),
        failed: serde_json::from_value(row.failures).map_err(Error::internal)?,
        verdict: RehearsalVerdict::parse(&row.verdict)
            .ok_or_else(|| Error::internal("a rehearsed answer has a verdict that is none"))?,
        elapsed_ms: whole(row.elapsed_ms),
        input_tokens: whole(row.input_tokens),
        output_tokens: whole(row.output_tokens),
        cost_micros: row.cost_micros,
        created_at: from_db(row.created_at),
    })
}
