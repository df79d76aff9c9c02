use crate::TenantTx;
use crate::convert::{from_db, to_db};
use crate::entity::event_endpoint;
use crate::error::db;
use crate::tenant::null;
use crate::tx::newest_first;
use quipu_core::event::{
    EndpointFault, EventEndpoint, EventEndpointChange, EventKind, NewEventEndpoint,
};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{Error, EventEndpointId, Result, Timestamp};
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select, Set, UpdateMany,
};
use serde_json::json;
use uuid::Uuid;

/// Where a business wants to be told what happens.
pub struct EventEndpoints<'a>(pub(crate) &'a TenantTx);

impl EventEndpoints<'_> {
    /// # Errors
    /// When the database cannot be written.
    pub async fn insert(&self, new: &NewEventEndpoint) -> Result<EventEndpointId> {
        let now = self.0.db_now();
        let row = event_endpoint::ActiveModel {
            id: Set(new.id.uuid()),
            tenant_id: Set(self.0.uuid()),
            url: Set(new.url.clone()),
            description: Set(new.description.clone()),
            kinds: Set(json!(new.kinds)),
            sealed: Set(new.sealed.clone()),
            active: Set(true),
            fault_status: Set(None),
            fault_error: Set(None),
            fault_at: Set(None),
            retry_at: Set(None),
            created_by: Set(new.created_by.clone()),
            created_at: Set(now),
            updated_at: Set(now),
        };
        event_endpoint::Entity::insert(row)
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(new.id)
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, id: EventEndpointId) -> Result<Option<EventEndpoint>> {
        let row = self.one(id).one(&self.0.tx).await.map_err(db)?;
        row.map(endpoint).transpose()
    }

    /// What its deliveries are signed with, sealed.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn sealed(&self, id: EventEndpointId) -> Result<Option<Vec<u8>>> {
        let row = self.one(id).one(&self.0.tx).await.map_err(db)?;
        Ok(row.map(|row| row.sealed))
    }

    /// Newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(&self, page: PageRequest) -> Result<Page<EventEndpoint>> {
        let select = self.0.find::<event_endpoint::Entity>();
        let rows = newest_first(select, event_endpoint::Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let found = rows.into_iter().map(endpoint);
        let found = found.collect::<Result<Vec<_>>>()?;
        Ok(Page::from_rows(found, page, |found| found.id.uuid()))
    }

    /// Those that are to be told of a kind of event.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn wanting(&self, kind: EventKind) -> Result<Vec<EventEndpointId>> {
        use event_endpoint::Column;
        let rows: Vec<(Uuid, serde_json::Value)> = self
            .0
            .find::<event_endpoint::Entity>()
            .filter(Column::Active.eq(true))
            .order_by_asc(Column::Id)
            .select_only()
            .columns([Column::Id, Column::Kinds])
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let wants = |kinds: &serde_json::Value| {
            let named = kinds.as_array().map_or(&[][..], Vec::as_slice);
            named.is_empty() || named.iter().any(|named| named == kind.as_str())
        };
        let wanting = rows.into_iter().filter(|(_, kinds)| wants(kinds));
        Ok(wanting.map(|(id, _)| id.into()).collect())
    }

    /// Returns whether the endpoint exists.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn update(&self, id: EventEndpointId, change: &EventEndpointChange) -> Result<bool> {
        use event_endpoint::Column;
        let mut update = self
            .change(id)
            .col_expr(Column::UpdatedAt, Expr::value(self.0.db_now()));
        if let Some(url) = &change.url {
            update = update.col_expr(Column::Url, Expr::value(url.clone()));
        }
        if let Some(description) = &change.description {
            update = update.col_expr(Column::Description, Expr::value(description.clone()));
        }
        if let Some(kinds) = &change.kinds {
            update = update.col_expr(Column::Kinds, Expr::value(json!(kinds)));
        }
        if let Some(active) = change.active {
            update = update.col_expr(Column::Active, Expr::value(active));
        }
        let done = update.exec(&self.0.tx).await.map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Takes the endpoint away with all that was told to it.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn delete(&self, id: EventEndpointId) -> Result<bool> {
        let done = self
            .0
            .delete::<event_endpoint::Entity>()
            .filter(event_endpoint::Column::Id.eq(id.uuid()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Notes why nothing arrives, and until when it is left alone for that.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn failed(
        &self,
        id: EventEndpointId,
        status: Option<i32>,
        error: &str,
        retry_at: Option<Timestamp>,
    ) -> Result<bool> {
        use event_endpoint::Column;
        let done = self
            .change(id)
            .col_expr(Column::FaultStatus, Expr::value(status))
            .col_expr(Column::FaultError, Expr::value(error))
            // Since when stays what it was.
            .col_expr(
                Column::FaultAt,
                Expr::col(Column::FaultAt).if_null(self.0.db_now()),
            )
            .col_expr(Column::RetryAt, Expr::value(retry_at.map(to_db)))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Notes that it takes what it is told. Says whether that is new.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn recovered(&self, id: EventEndpointId) -> Result<bool> {
        use event_endpoint::Column;
        let done = self
            .change(id)
            .filter(Column::FaultAt.is_not_null())
            .col_expr(Column::FaultStatus, null())
            .col_expr(Column::FaultError, null())
            .col_expr(Column::FaultAt, null())
            .col_expr(Column::RetryAt, null())
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    fn one(&self, id: EventEndpointId) -> Select<event_endpoint::Entity> {
        self.0
            .find::<event_endpoint::Entity>()
            .filter(event_endpoint::Column::Id.eq(id.uuid()))
    }

    fn change(&self, id: EventEndpointId) -> UpdateMany<event_endpoint::Entity> {
        self.0
            .update::<event_endpoint::Entity>()
            .filter(event_endpoint::Column::Id.eq(id.uuid()))
    }
}

fn endpoint(row: event_endpoint::Model) -> Result<EventEndpoint> {
    Ok(EventEndpoint {
        id: row.id.into(),
        url: row.url,
        description: row.description,
        kinds: serde_json::from_value(row.kinds).map_err(Error::internal)?,
        active: row.active,
        fault: row.fault_at.map(|since| EndpointFault {
            status: row.fault_status,
            error: row.fault_error.unwrap_or_default(),
            since: from_db(since),
            retry_at: row.retry_at.map(from_db),
        }),
        created_at: from_db(row.created_at),
        updated_at: from_db(row.updated_at),
    })
}
