use crate::TenantTx;
use crate::convert::from_db;
use crate::entity::{
    appointment, channel_contact, conversation, event_delivery, idempotency, invoice_request, lead,
    lead_identity, lead_merge, loyalty_transaction, order, redemption, temperature_change,
    tool_call, turn,
};
use crate::error::db;
use quipu_core::lead_merge::{MovedRows, interleaved};
use quipu_core::{Error, LeadId, Result};
use sea_orm::sea_query::{CaseStatement, Expr, ExprTrait, LockType, SimpleExpr};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Set,
};
use uuid::Uuid;

/// Lines of a ledger in one statement, far below SQLite's limit on bound values.
const LINES_AT_ONCE: usize = 200;

/// Leads who turned out to be another one.
pub struct LeadMerges<'a>(pub(crate) &'a TenantTx);

impl LeadMerges<'_> {
    /// Who the lead is now, and what went over with them.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, merged: LeadId) -> Result<Option<(LeadId, MovedRows)>> {
        let row = self
            .0
            .find::<lead_merge::Entity>()
            .filter(lead_merge::Column::MergedId.eq(merged.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        row.map(|row| {
            let moved = serde_json::from_value(row.moved).map_err(Error::internal)?;
            Ok((row.lead_id.into(), moved))
        })
        .transpose()
    }

    /// Those who are this lead by now.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn of(&self, lead: LeadId) -> Result<Vec<LeadId>> {
        let ids: Vec<Uuid> = self
            .0
            .find::<lead_merge::Entity>()
            .filter(lead_merge::Column::LeadId.eq(lead.uuid()))
            .select_only()
            .column(lead_merge::Column::MergedId)
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(ids.into_iter().map(LeadId::from_uuid).collect())
    }

    /// Keeps others from changing what the lead booked, ordered and exchanged. Whoever changes such a
    /// thing locks it before its lead, so that this comes before the lead is locked. Returns how many
    /// there are.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn hold(&self, lead: LeadId) -> Result<usize> {
        // On SQLite whoever writes is alone anyway.
        let locks = self.0.tx.get_database_backend() == DbBackend::Postgres;
        let mut held = 0;
        macro_rules! hold {
            ($($module:ident),+) => {$(
                let mut select = self
                    .0
                    .find::<$module::Entity>()
                    .filter($module::Column::LeadId.eq(lead.uuid()))
                    .order_by_asc($module::Column::Id)
                    .select_only()
                    .column($module::Column::Id);
                if locks {
                    select = select.lock(LockType::NoKeyUpdate);
                }
                let ids: Vec<Uuid> = select.into_tuple().all(&self.0.tx).await.map_err(db)?;
                held += ids.len();
            )+};
        }
        hold!(appointment, order, redemption, invoice_request);
        Ok(held)
    }

    /// Everything of one lead becomes another's. Both are locked by whoever calls this.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn move_all(&self, from: LeadId, to: LeadId) -> Result<MovedRows> {
        macro_rules! moved {
            ($module:ident $(, $column:ident = $value:expr)*) => {
                self.0
                    .update::<$module::Entity>()
                    .filter($module::Column::LeadId.eq(from.uuid()))
                    .col_expr($module::Column::LeadId, Expr::value(to.uuid()))
                    $(.col_expr($module::Column::$column, $value))*
                    .exec(&self.0.tx)
                    .await
                    .map_err(db)?
                    .rows_affected
            };
        }
        Ok(MovedRows {
            loyalty_transactions: self.join_ledgers(from, to).await?,
            identities: moved!(lead_identity),
            channel_contacts: moved!(channel_contact),
            conversations: moved!(conversation),
            appointments: moved!(appointment, Data = self.about(to)),
            orders: moved!(order, Data = self.about(to)),
            invoice_requests: moved!(invoice_request, Data = self.about(to)),
            redemptions: moved!(redemption),
            tool_calls: moved!(tool_call),
            turns: moved!(turn),
            temperature_changes: moved!(temperature_change),
            kept_answers: moved!(idempotency),
            events: moved!(event_delivery, Body = self.told_about(to)),
            lead_merges: moved!(lead_merge),
        })
    }

    /// Notes who the lead is now.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn add(
        &self,
        merged: LeadId,
        lead: LeadId,
        moved: &MovedRows,
        actor: &str,
    ) -> Result<()> {
        let row = lead_merge::ActiveModel {
            tenant_id: Set(self.0.uuid()),
            merged_id: Set(merged.uuid()),
            lead_id: Set(lead.uuid()),
            moved: Set(serde_json::to_value(moved).map_err(Error::internal)?),
            actor: Set(actor.to_owned()),
            created_at: Set(self.0.db_now()),
        };
        lead_merge::Entity::insert(row)
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(())
    }

    /// The data of a thing, which say themselves whose it is.
    fn about(&self, lead: LeadId) -> SimpleExpr {
        // An id is written in digits, letters and hyphens.
        match self.0.tx.get_database_backend() {
            DbBackend::Postgres => {
                Expr::cust(format!("jsonb_set(data, '{{lead_id}}', '\"{lead}\"')"))
            }
            _ => Expr::cust(format!("json_set(data, '$.lead_id', '{lead}')")),
        }
    }

    /// What was told of a thing, which says whose it is where it says so at all.
    fn told_about(&self, lead: LeadId) -> SimpleExpr {
        match self.0.tx.get_database_backend() {
            DbBackend::Postgres => Expr::cust(format!(
                "jsonb_set(body, '{{data,lead_id}}', '\"{lead}\"', false)"
            )),
            _ => Expr::cust(format!("json_replace(body, '$.data.lead_id', '{lead}')")),
        }
    }

    /// Numbers the lines of both ledgers anew, in the order of time, and adds up what both have.
    async fn join_ledgers(&self, from: LeadId, to: LeadId) -> Result<u64> {
        use lead::Column;
        let theirs = self.lines(from).await?;
        let count = theirs.len() as u64;
        if count == 0 {
            return Ok(0);
        }
        let tokens: i64 = theirs.iter().map(|line| line.tokens).sum();
        let ours = self.lines(to).await?;
        let both = interleaved(ours, theirs, |line| from_db(line.created_at));
        self.number(&both, to).await?;
        for (id, change) in [(from, -tokens), (to, tokens)] {
            self.0
                .update::<lead::Entity>()
                .filter(Column::Id.eq(id.uuid()))
                .col_expr(
                    Column::TokenBalance,
                    Expr::col(Column::TokenBalance).add(change),
                )
                .exec(&self.0.tx)
                .await
                .map_err(db)?;
        }
        Ok(count)
    }

    async fn lines(&self, lead: LeadId) -> Result<Vec<loyalty_transaction::Model>> {
        use loyalty_transaction::Column;
        self.0
            .find::<loyalty_transaction::Entity>()
            .filter(Column::LeadId.eq(lead.uuid()))
            .order_by_asc(Column::Number)
            .all(&self.0.tx)
            .await
            .map_err(db)
    }

    /// Below zero first, where no line is: no two of a lead may have the same number at any moment.
    async fn number(&self, lines: &[loyalty_transaction::Model], lead: LeadId) -> Result<()> {
        use loyalty_transaction::Column;
        let mut number = 0;
        for some in lines.chunks(LINES_AT_ONCE) {
            let mut place = CaseStatement::new();
            for line in some {
                number += 1;
                place = place.case(Column::Id.eq(line.id), Expr::value(-number));
            }
            self.0
                .update::<loyalty_transaction::Entity>()
                .filter(Column::Id.is_in(some.iter().map(|line| line.id)))
                .col_expr(Column::Number, place.into())
                .col_expr(Column::LeadId, Expr::value(lead.uuid()))
                .exec(&self.0.tx)
                .await
                .map_err(db)?;
        }
        self.0
            .update::<loyalty_transaction::Entity>()
            .filter(Column::LeadId.eq(lead.uuid()))
            .filter(Column::Number.lt(0))
            .col_expr(
                Column::Number,
                Expr::val(0_i64).sub(Expr::col(Column::Number)),
            )
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(())
    }
}
