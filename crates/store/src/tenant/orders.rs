use crate::TenantTx;
use crate::convert::to_db;
use crate::entity::order;
use crate::error::db;
use crate::tx::newest_first;
use quipu_commerce::order::{Order, OrderStatus};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{BranchId, ConversationId, Error, LeadId, OrderId, Result};
use sea_orm::sea_query::{Expr, LockType};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbBackend, QueryFilter, QueryOrder,
    QuerySelect, Set,
};

/// What customers ordered.
pub struct Orders<'a>(pub(crate) &'a TenantTx);

/// Which orders are listed; what is not said means whichever.
#[derive(Clone, Debug, Default)]
pub struct OrderFilter {
    pub statuses: Vec<OrderStatus>,
    pub lead: Option<LeadId>,
    pub branch: Option<BranchId>,
}

impl Orders<'_> {
    /// The number that the next order gets. Whoever asks holds the tenant
    /// ([`lock_plan`](super::Profile::lock_plan)), so that no other order gets it too.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn next_number(&self) -> Result<i64> {
        let last: Option<i64> = self
            .0
            .find::<order::Entity>()
            .select_only()
            .column(order::Column::Number)
            .order_by_desc(order::Column::Number)
            .limit(1)
            .into_tuple()
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(last.unwrap_or(0) + 1)
    }

    /// # Errors
    /// When the database cannot be written.
    pub async fn insert(&self, new: &Order) -> Result<()> {
        order::ActiveModel {
            id: Set(new.id.uuid()),
            tenant_id: Set(self.0.uuid()),
            number: Set(new.number),
            status: Set(new.status.as_str().to_owned()),
            branch_id: Set(new.branch_id.map(BranchId::uuid)),
            lead_id: Set(new.lead_id.map(LeadId::uuid)),
            conversation_id: Set(new.conversation_id.map(ConversationId::uuid)),
            total: Set(new.totals.total.minor),
            data: Set(serde_json::to_value(new).map_err(Error::internal)?),
            created_at: Set(to_db(new.created_at)),
            updated_at: Set(to_db(new.updated_at)),
        }
        .insert(&self.0.tx)
        .await
        .map_err(db)?;
        Ok(())
    }

    /// Writes what became of an order. Returns whether there is such an order.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn save(&self, changed: &Order) -> Result<bool> {
        let data = serde_json::to_value(changed).map_err(Error::internal)?;
        let done = self
            .0
            .update::<order::Entity>()
            .filter(order::Column::Id.eq(changed.id.uuid()))
            .col_expr(order::Column::Status, Expr::value(changed.status.as_str()))
            .col_expr(order::Column::Data, Expr::value(data))
            .col_expr(order::Column::UpdatedAt, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, id: OrderId) -> Result<Option<Order>> {
        let row = self
            .0
            .find::<order::Entity>()
            .filter(order::Column::Id.eq(id.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        row.map(read).transpose()
    }

    /// The same, and keeps others from changing the order until the transaction ends.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn find_locked(&self, id: OrderId) -> Result<Option<Order>> {
        let mut select = self
            .0
            .find::<order::Entity>()
            .filter(order::Column::Id.eq(id.uuid()));
        // On SQLite whoever writes is alone anyway.
        if self.0.tx.get_database_backend() == DbBackend::Postgres {
            select = select.lock(LockType::NoKeyUpdate);
        }
        let row = select.one(&self.0.tx).await.map_err(db)?;
        row.map(read).transpose()
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find_by_number(&self, number: i64) -> Result<Option<Order>> {
        let row = self
            .0
            .find::<order::Entity>()
            .filter(order::Column::Number.eq(number))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        row.map(read).transpose()
    }

    /// Newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(&self, filter: &OrderFilter, page: PageRequest) -> Result<Page<Order>> {
        let mut select = self.0.find::<order::Entity>();
        if !filter.statuses.is_empty() {
            let statuses = filter.statuses.iter().map(|status| status.as_str());
            select = select.filter(order::Column::Status.is_in(statuses));
        }
        if let Some(lead) = filter.lead {
            select = select.filter(order::Column::LeadId.eq(lead.uuid()));
        }
        if let Some(branch) = filter.branch {
            select = select.filter(order::Column::BranchId.eq(branch.uuid()));
        }
        let rows = newest_first(select, order::Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let orders = rows.into_iter().map(read).collect::<Result<Vec<_>>>()?;
        Ok(Page::from_rows(orders, page, |order| order.id.uuid()))
    }
}

fn read(row: order::Model) -> Result<Order> {
    serde_json::from_value(row.data).map_err(Error::internal)
}
