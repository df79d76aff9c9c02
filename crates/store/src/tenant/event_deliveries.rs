use crate::TenantTx;
use crate::convert::{from_db, to_db};
use crate::entity::event_delivery;
use crate::error::db;
use crate::tx::newest_first;
use quipu_core::event::{
    DeliveryOutcome, EventDelivery, EventDeliveryState, EventKind, NewEventDelivery,
};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{Error, EventDeliveryId, EventEndpointId, LeadId, Result};
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, Set, UpdateMany};

/// What endpoints are told, and how far that has come.
pub struct EventDeliveries<'a>(pub(crate) &'a TenantTx);

impl EventDeliveries<'_> {
    /// # Errors
    /// When the database cannot be written, or there is no such endpoint.
    pub async fn insert(&self, new: &NewEventDelivery) -> Result<EventDeliveryId> {
        let id = EventDeliveryId::generate(self.0.now());
        let now = self.0.db_now();
        let row = event_delivery::ActiveModel {
            id: Set(id.uuid()),
            tenant_id: Set(self.0.uuid()),
            endpoint_id: Set(new.endpoint.uuid()),
            kind: Set(new.kind.as_str().to_owned()),
            event_id: Set(new.event.uuid()),
            lead_id: Set(new.lead.map(LeadId::uuid)),
            body: Set(new.body.clone()),
            state: Set(EventDeliveryState::Waiting.as_str().to_owned()),
            attempts: Set(0),
            next_at: Set(now),
            last_status: Set(None),
            last_error: Set(None),
            created_at: Set(now),
            updated_at: Set(now),
        };
        event_delivery::Entity::insert(row)
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(id)
    }

    /// What an endpoint is told next: the oldest whose time has come.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn next(&self, endpoint: EventEndpointId) -> Result<Option<EventDelivery>> {
        use event_delivery::Column;
        let row = self
            .0
            .find::<event_delivery::Entity>()
            .filter(Column::EndpointId.eq(endpoint.uuid()))
            .filter(Column::State.eq(EventDeliveryState::Waiting.as_str()))
            .filter(Column::NextAt.lte(self.0.db_now()))
            .order_by_asc(Column::Id)
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        row.map(delivery).transpose()
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find(
        &self,
        endpoint: EventEndpointId,
        id: EventDeliveryId,
    ) -> Result<Option<EventDelivery>> {
        let row = self
            .0
            .find::<event_delivery::Entity>()
            .filter(event_delivery::Column::EndpointId.eq(endpoint.uuid()))
            .filter(event_delivery::Column::Id.eq(id.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        row.map(delivery).transpose()
    }

    /// Newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(
        &self,
        endpoint: EventEndpointId,
        state: Option<EventDeliveryState>,
        page: PageRequest,
    ) -> Result<Page<EventDelivery>> {
        use event_delivery::Column;
        let mut select = self
            .0
            .find::<event_delivery::Entity>()
            .filter(Column::EndpointId.eq(endpoint.uuid()));
        if let Some(state) = state {
            select = select.filter(Column::State.eq(state.as_str()));
        }
        let rows = newest_first(select, Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let found = rows.into_iter().map(delivery).collect::<Result<Vec<_>>>()?;
        Ok(Page::from_rows(found, page, |found| found.id.uuid()))
    }

    /// Notes what came of an attempt. Returns `false` when it was not waiting any more.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn settle(&self, id: EventDeliveryId, outcome: &DeliveryOutcome) -> Result<bool> {
        use event_delivery::Column;
        let (state, status, error) = match outcome {
            DeliveryOutcome::Sent { status } => (EventDeliveryState::Sent, Some(*status), None),
            DeliveryOutcome::Again { status, error, .. } => {
                (EventDeliveryState::Waiting, *status, Some(error))
            }
            DeliveryOutcome::Dead { status, error } => {
                (EventDeliveryState::Dead, *status, Some(error))
            }
        };
        let mut update = self
            .change(id)
            .filter(Column::State.eq(EventDeliveryState::Waiting.as_str()))
            .col_expr(Column::State, Expr::value(state.as_str()))
            .col_expr(Column::LastStatus, Expr::value(status))
            .col_expr(Column::LastError, Expr::value(error.cloned()))
            .col_expr(Column::Attempts, Expr::col(Column::Attempts).add(1));
        if let DeliveryOutcome::Again { at, .. } = outcome {
            update = update.col_expr(Column::NextAt, Expr::value(to_db(*at)));
        }
        let done = update.exec(&self.0.tx).await.map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Has something sent again, whatever came of it, with all its attempts.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn replay(&self, id: EventDeliveryId) -> Result<bool> {
        use event_delivery::Column;
        let waiting = EventDeliveryState::Waiting.as_str();
        let done = self
            .change(id)
            .col_expr(Column::State, Expr::value(waiting))
            .col_expr(Column::Attempts, Expr::value(0))
            .col_expr(Column::NextAt, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    fn change(&self, id: EventDeliveryId) -> UpdateMany<event_delivery::Entity> {
        self.0
            .update::<event_delivery::Entity>()
            .filter(event_delivery::Column::Id.eq(id.uuid()))
            .col_expr(
                event_delivery::Column::UpdatedAt,
                Expr::value(self.0.db_now()),
            )
    }
}

fn delivery(row: event_delivery::Model) -> Result<EventDelivery> {
    let unknown = || Error::internal("a delivery holds a word that is not known");
    Ok(EventDelivery {
        id: row.id.into(),
        endpoint_id: row.endpoint_id.into(),
        kind: EventKind::parse(&row.kind).ok_or_else(unknown)?,
        event_id: row.event_id.into(),
        body: row.body,
        state: EventDeliveryState::parse(&row.state).ok_or_else(unknown)?,
        attempts: row.attempts,
        next_at: from_db(row.next_at),
        last_status: row.last_status,
        last_error: row.last_error,
        created_at: from_db(row.created_at),
        updated_at: from_db(row.updated_at),
    })
}
