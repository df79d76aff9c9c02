use crate::TenantTx;
use crate::convert::{from_db, to_db};
use crate::entity::{lead, loyalty_transaction};
use crate::error::{db, violates};
use quipu_commerce::loyalty::{LedgerEntry, Transaction, TransactionKind, balance};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{AuditId, Error, ErrorCode, LeadId, Result};
use sea_orm::sea_query::{Expr, ExprTrait, LockType};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbBackend, DbErr, QueryFilter, QueryOrder,
    QuerySelect, Set,
};

/// The tokens of leads.
pub struct Loyalty<'a>(pub(crate) &'a TenantTx);

/// What a line of a ledger says besides its tokens.
#[derive(Clone, Copy, Debug)]
pub struct Reason<'a> {
    /// What it is for, such as `order:<id>`. No two lines of a kind have the same.
    pub source: Option<&'a str>,
    pub description: Option<&'a str>,
    pub actor: &'a str,
}

impl Loyalty<'_> {
    /// What the lead has; `None` when there is no such lead.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn balance(&self, lead: LeadId) -> Result<Option<i64>> {
        self.0
            .find::<lead::Entity>()
            .filter(lead::Column::Id.eq(lead.uuid()))
            .select_only()
            .column(lead::Column::TokenBalance)
            .into_tuple()
            .one(&self.0.tx)
            .await
            .map_err(db)
    }

    /// Keeps others from changing the lead's tokens until the transaction ends. Whether there is
    /// such a lead.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn lock(&self, lead: LeadId) -> Result<bool> {
        let mut select = self
            .0
            .find::<lead::Entity>()
            .filter(lead::Column::Id.eq(lead.uuid()))
            .select_only()
            .column(lead::Column::TokenBalance);
        // On SQLite whoever writes is alone anyway.
        if self.0.tx.get_database_backend() == DbBackend::Postgres {
            select = select.lock(LockType::NoKeyUpdate);
        }
        let row: Option<i64> = select.into_tuple().one(&self.0.tx).await.map_err(db)?;
        Ok(row.is_some())
    }

    /// All lines of the lead's ledger in their order.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn ledger(&self, lead: LeadId) -> Result<Vec<Transaction>> {
        let rows = self
            .lines(lead)
            .order_by_asc(loyalty_transaction::Column::Number)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let lines = rows.into_iter().map(entry);
        lines.map(|line| Ok(Transaction::from(&line?))).collect()
    }

    /// Where in its ledger the line stands that something was the source of, counted from nought;
    /// `None` when it has been the source of none.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn place_of(&self, kind: TransactionKind, source: &str) -> Result<Option<usize>> {
        let row = self
            .0
            .find::<loyalty_transaction::Entity>()
            .filter(loyalty_transaction::Column::Kind.eq(kind.as_str()))
            .filter(loyalty_transaction::Column::Source.eq(source))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(row.and_then(|row| usize::try_from(row.number - 1).ok()))
    }

    /// Adds a line behind those that are there, and changes the balance by as much. The lead is to
    /// be locked before the lines are read.
    ///
    /// # Errors
    /// `ALREADY_AWARDED` when the source has such a line, `TOKENS_INSUFFICIENT` when the balance
    /// would fall below zero.
    pub async fn append(
        &self,
        lead: LeadId,
        ledger: &[Transaction],
        line: &Transaction,
        reason: Reason<'_>,
    ) -> Result<LedgerEntry> {
        let number = i64::try_from(ledger.len()).unwrap_or(i64::MAX - 1) + 1;
        let row = loyalty_transaction::ActiveModel {
            id: Set(AuditId::generate(self.0.now()).uuid()),
            tenant_id: Set(self.0.uuid()),
            lead_id: Set(lead.uuid()),
            number: Set(number),
            kind: Set(line.kind.as_str().to_owned()),
            tokens: Set(line.tokens),
            lapses_at: Set(line.lapses_at.map(to_db)),
            source: Set(reason.source.map(str::to_owned)),
            description: Set(reason.description.map(str::to_owned)),
            actor: Set(reason.actor.to_owned()),
            created_at: Set(to_db(line.at)),
        }
        .insert(&self.0.tx)
        .await
        .map_err(already_awarded)?;
        self.0
            .update::<lead::Entity>()
            .filter(lead::Column::Id.eq(lead.uuid()))
            .col_expr(
                lead::Column::TokenBalance,
                Expr::col(lead::Column::TokenBalance).add(line.tokens),
            )
            .col_expr(lead::Column::UpdatedAt, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(|error| below_zero(error, balance(ledger), line.tokens))?;
        entry(row)
    }

    /// The lead's ledger, latest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(&self, lead: LeadId, page: PageRequest) -> Result<Page<LedgerEntry>> {
        use loyalty_transaction::Column;
        let mut select = self.lines(lead);
        if let Some(after) = page.after {
            let seen: Option<i64> = self
                .lines(lead)
                .filter(Column::Id.eq(after))
                .select_only()
                .column(Column::Number)
                .into_tuple()
                .one(&self.0.tx)
                .await
                .map_err(db)?;
            let seen = seen.ok_or_else(|| Error::new(ErrorCode::InvalidCursor))?;
            select = select.filter(Column::Number.lt(seen));
        }
        let rows = select
            .order_by_desc(Column::Number)
            .limit(page.limit + 1)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let entries = rows.into_iter().map(entry).collect::<Result<Vec<_>>>()?;
        Ok(Page::from_rows(entries, page, |entry| entry.id))
    }

    fn lines(&self, lead: LeadId) -> sea_orm::Select<loyalty_transaction::Entity> {
        self.0
            .find::<loyalty_transaction::Entity>()
            .filter(loyalty_transaction::Column::LeadId.eq(lead.uuid()))
    }
}

fn entry(row: loyalty_transaction::Model) -> Result<LedgerEntry> {
    Ok(LedgerEntry {
        id: row.id,
        kind: TransactionKind::parse(&row.kind)
            .ok_or_else(|| Error::internal("a ledger has a line of no known kind"))?,
        tokens: row.tokens,
        lapses_at: row.lapses_at.map(from_db),
        source: row.source,
        description: row.description,
        actor: row.actor,
        at: from_db(row.created_at),
    })
}

fn already_awarded(error: DbErr) -> Error {
    let columns = "loyalty_transactions.tenant_id, loyalty_transactions.kind, \
                   loyalty_transactions.source";
    if violates(&error, "loyalty_transactions_source_key", columns) {
        return Error::new(ErrorCode::AlreadyAwarded);
    }
    db(error)
}

fn below_zero(error: DbErr, balance: i64, tokens: i64) -> Error {
    if error.to_string().contains("leads_balance_check") {
        let missing = tokens.saturating_neg().saturating_sub(balance);
        return Error::new(ErrorCode::TokensInsufficient)
            .with("missing", missing)
            .with("balance", balance);
    }
    db(error)
}
