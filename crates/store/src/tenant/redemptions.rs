use crate::TenantTx;
use crate::convert::{from_db, to_db};
use crate::entity::redemption::{ActiveModel, Column, Entity, Model};
use crate::error::{db, violates};
use crate::tx::newest_first;
use quipu_commerce::loyalty::{Redemption, RedemptionStatus};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{Error, LeadId, OrderId, RedemptionId, Result, Timestamp};
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{ActiveModelTrait, ColumnTrait, DbErr, QueryFilter, Set, UpdateMany};

/// The rewards that leads exchanged their tokens for.
pub struct Redemptions<'a>(pub(crate) &'a TenantTx);

impl Redemptions<'_> {
    /// # Errors
    /// `ALREADY_EXISTS` when the code is taken.
    pub async fn insert(&self, new: &Redemption) -> Result<()> {
        ActiveModel {
            id: Set(new.id.uuid()),
            tenant_id: Set(self.0.uuid()),
            lead_id: Set(new.lead_id.uuid()),
            reward_id: Set(new.reward_id),
            reward_name: Set(new.reward_name.clone()),
            tokens: Set(new.tokens),
            discount: Set(serde_json::to_value(new.discount).map_err(Error::internal)?),
            code: Set(new.code.clone()),
            status: Set(new.status.as_str().to_owned()),
            order_id: Set(new.order_id.map(OrderId::uuid)),
            expires_at: Set(new.expires_at.map(to_db)),
            created_at: Set(to_db(new.created_at)),
            updated_at: Set(to_db(new.updated_at)),
        }
        .insert(&self.0.tx)
        .await
        .map_err(code_taken)?;
        Ok(())
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, id: RedemptionId) -> Result<Option<Redemption>> {
        self.one(Column::Id.eq(id.uuid())).await
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find_by_code(&self, code: &str) -> Result<Option<Redemption>> {
        self.one(Column::Code.eq(code)).await
    }

    /// Those of a lead, newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(&self, lead: LeadId, page: PageRequest) -> Result<Page<Redemption>> {
        let select = self
            .0
            .find::<Entity>()
            .filter(Column::LeadId.eq(lead.uuid()));
        let rows = newest_first(select, Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let now = self.0.now();
        let found = rows.into_iter().map(|row| redemption(row, now));
        let found = found.collect::<Result<Vec<_>>>()?;
        Ok(Page::from_rows(found, page, |found| found.id.uuid()))
    }

    /// Applies it to an order. `false` when it cannot be used, or not any more.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn apply(&self, id: RedemptionId, order: OrderId) -> Result<bool> {
        let update = self
            .usable(id, RedemptionStatus::Used)
            .col_expr(Column::OrderId, Expr::value(Some(order.uuid())));
        let done = update.exec(&self.0.tx).await.map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Takes it back for good. `false` when it was used, taken back or has expired.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn cancel(&self, id: RedemptionId) -> Result<bool> {
        let update = self.usable(id, RedemptionStatus::Cancelled);
        let done = update.exec(&self.0.tx).await.map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Makes one that was applied to an order usable again, because the order came to nothing.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn release(&self, id: RedemptionId, order: OrderId) -> Result<bool> {
        let done = self
            .becoming(id, RedemptionStatus::Issued)
            .filter(Column::Status.eq(RedemptionStatus::Used.as_str()))
            .filter(Column::OrderId.eq(order.uuid()))
            .col_expr(Column::OrderId, Expr::value(None::<uuid::Uuid>))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    fn becoming(&self, id: RedemptionId, status: RedemptionStatus) -> UpdateMany<Entity> {
        self.0
            .update::<Entity>()
            .filter(Column::Id.eq(id.uuid()))
            .col_expr(Column::Status, Expr::value(status.as_str()))
            .col_expr(Column::UpdatedAt, Expr::value(self.0.db_now()))
    }

    /// The same for one whose code can be used now. Of two at once, one finds it so.
    fn usable(&self, id: RedemptionId, status: RedemptionStatus) -> UpdateMany<Entity> {
        let in_time = Column::ExpiresAt.gt(self.0.db_now());
        self.becoming(id, status)
            .filter(Column::Status.eq(RedemptionStatus::Issued.as_str()))
            .filter(Column::ExpiresAt.is_null().or(in_time))
    }

    async fn one(&self, which: sea_orm::sea_query::SimpleExpr) -> Result<Option<Redemption>> {
        let row = self
            .0
            .find::<Entity>()
            .filter(which)
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        row.map(|row| redemption(row, self.0.now())).transpose()
    }
}

/// A code expires by itself, so that nothing is written when it does.
fn redemption(row: Model, now: Timestamp) -> Result<Redemption> {
    let expires_at = row.expires_at.map(from_db);
    let status = match RedemptionStatus::parse(&row.status) {
        Some(RedemptionStatus::Issued) if expires_at.is_some_and(|end| end <= now) => {
            RedemptionStatus::Expired
        }
        Some(status) => status,
        None => return Err(Error::internal("a redemption is in no known state")),
    };
    Ok(Redemption {
        id: row.id.into(),
        lead_id: row.lead_id.into(),
        reward_id: row.reward_id,
        reward_name: row.reward_name,
        tokens: row.tokens,
        discount: serde_json::from_value(row.discount).map_err(Error::internal)?,
        code: row.code,
        status,
        order_id: row.order_id.map(OrderId::from_uuid),
        expires_at,
        created_at: from_db(row.created_at),
        updated_at: from_db(row.updated_at),
    })
}

fn code_taken(error: DbErr) -> Error {
    let columns = "redemptions.tenant_id, redemptions.code";
    if violates(&error, "redemptions_code_key", columns) {
        return Error::already_exists("redemption", "code");
    }
    db(error)
}
