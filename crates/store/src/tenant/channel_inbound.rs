use crate::TenantTx;
use crate::convert::{from_db, to_db};
use crate::entity::{channel_inbound, channel_mark};
use crate::error::db;
use quipu_core::channel::{InboundState, NewInbound, WaitingInbound};
use quipu_core::{ConnectionId, ContactId, InboundId, MessageId, Result};
use sea_orm::sea_query::{Expr, OnConflict, SimpleExpr};
use sea_orm::{
    ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Set,
};

/// What customers wrote, as it came in.
pub struct ChannelInbound<'a>(pub(crate) &'a TenantTx);

impl ChannelInbound<'_> {
    /// Notes that something was delivered. Returns `false` when it was noted before.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn mark(&self, connection: ConnectionId, mark: &str) -> Result<bool> {
        let row = channel_mark::ActiveModel {
            tenant_id: Set(self.0.uuid()),
            connection_id: Set(connection.uuid()),
            mark: Set(mark.to_owned()),
            seen_at: Set(self.0.db_now()),
        };
        let written = channel_mark::Entity::insert(row)
            .on_conflict(OnConflict::new().do_nothing().to_owned())
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(written == 1)
    }

    /// # Errors
    /// When the database cannot be written, or there is no such contact.
    pub async fn insert(&self, new: &NewInbound) -> Result<InboundId> {
        let id = InboundId::generate(self.0.now());
        let row = channel_inbound::ActiveModel {
            id: Set(id.uuid()),
            tenant_id: Set(self.0.uuid()),
            connection_id: Set(new.connection.uuid()),
            contact_id: Set(new.contact.uuid()),
            external_id: Set(new.external_id.clone()),
            kind: Set(new.kind.to_owned()),
            event: Set(new.event.clone()),
            state: Set(new.state.as_str().to_owned()),
            message_id: Set(None),
            said_at: Set(to_db(new.said_at)),
            created_at: Set(self.0.db_now()),
        };
        channel_inbound::Entity::insert(row)
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(id)
    }

    /// What waits of somebody, in the order in which it was said.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn waiting(&self, contact: ContactId, most: u64) -> Result<Vec<WaitingInbound>> {
        use channel_inbound::Column;
        let rows = self
            .0
            .find::<channel_inbound::Entity>()
            .filter(Column::ContactId.eq(contact.uuid()))
            .filter(is_open())
            .order_by_asc(Column::SaidAt)
            .order_by_asc(Column::Id)
            .limit(most)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(rows.into_iter().map(waiting).collect())
    }

    /// How many of somebody wait.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn count_waiting(&self, contact: ContactId) -> Result<u64> {
        use channel_inbound::Column;
        self.0
            .find::<channel_inbound::Entity>()
            .filter(Column::ContactId.eq(contact.uuid()))
            .filter(is_open())
            .count(&self.0.tx)
            .await
            .map_err(db)
    }

    /// Notes which message of the conversation it became.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn set_message(&self, id: InboundId, message: MessageId) -> Result<bool> {
        use channel_inbound::Column;
        let done = self
            .0
            .update::<channel_inbound::Entity>()
            .filter(Column::Id.eq(id.uuid()))
            .col_expr(Column::MessageId, Expr::value(message.uuid()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Notes what became of some that waited. Returns of how many.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn settle(&self, ids: &[InboundId], state: InboundState) -> Result<u64> {
        use channel_inbound::Column;
        let done = self
            .0
            .update::<channel_inbound::Entity>()
            .filter(Column::Id.is_in(ids.iter().map(|id| id.uuid())))
            .filter(is_open())
            .col_expr(Column::State, Expr::value(state.as_str()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected)
    }

    /// What a program of the business was asked and has not answered, in the order in which it came.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn asked(&self, contact: ContactId) -> Result<Vec<WaitingInbound>> {
        use channel_inbound::Column;
        let rows = self
            .0
            .find::<channel_inbound::Entity>()
            .filter(Column::ContactId.eq(contact.uuid()))
            .filter(Column::State.eq(InboundState::Asked.as_str()))
            .order_by_asc(Column::Id)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(rows.into_iter().map(waiting).collect())
    }

    /// Notes what became of all that a program of the business was asked for somebody. Returns of how many.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn resolve(&self, contact: ContactId, state: InboundState) -> Result<u64> {
        use channel_inbound::Column;
        let done = self
            .0
            .update::<channel_inbound::Entity>()
            .filter(Column::ContactId.eq(contact.uuid()))
            .filter(Column::State.eq(InboundState::Asked.as_str()))
            .col_expr(Column::State, Expr::value(state.as_str()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected)
    }

    /// The message of a conversation that something became that was delivered under this id.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn message_of(
        &self,
        connection: ConnectionId,
        external_id: &str,
    ) -> Result<Option<MessageId>> {
        use channel_inbound::Column;
        let row = self
            .0
            .find::<channel_inbound::Entity>()
            .filter(Column::ConnectionId.eq(connection.uuid()))
            .filter(Column::ExternalId.eq(external_id))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(row.and_then(|row| row.message_id).map(Into::into))
    }
}

/// That something waits to be answered.
fn is_open() -> SimpleExpr {
    let open = [InboundState::Waiting, InboundState::Returned];
    channel_inbound::Column::State.is_in(open.map(InboundState::as_str))
}

fn waiting(row: channel_inbound::Model) -> WaitingInbound {
    WaitingInbound {
        returned: row.state == InboundState::Returned.as_str(),
        id: row.id.into(),
        external_id: row.external_id,
        kind: row.kind,
        event: row.event,
        said_at: from_db(row.said_at),
        received_at: from_db(row.created_at),
        message_id: row.message_id.map(Into::into),
    }
}
