use crate::TenantTx;
use crate::convert::{from_db, to_db};
use crate::entity::channel_outbound;
use crate::error::db;
use crate::tenant::null;
use crate::tx::newest_first;
use quipu_core::channel::{
    ChannelCost, DeliveryState, NewOutbound, OutboundFault, OutboundRecord, SendResult,
};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{ConnectionId, ContactId, ConversationId, Error, OutboundId, Result, Timestamp};
use sea_orm::sea_query::{Expr, ExprTrait, SimpleExpr};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Set, UpdateMany};
use serde_json::json;

/// What is sent to customers.
pub struct ChannelOutbound<'a>(pub(crate) &'a TenantTx);

/// Which messages are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct OutboundFilter {
    pub connection: Option<ConnectionId>,
    pub conversation: Option<ConversationId>,
    pub state: Option<DeliveryState>,
}

impl ChannelOutbound<'_> {
    /// # Errors
    /// When the database cannot be written, or there is no such contact.
    pub async fn insert(&self, new: &NewOutbound) -> Result<OutboundId> {
        let id = OutboundId::generate(self.0.now());
        let now = self.0.db_now();
        let row = channel_outbound::ActiveModel {
            id: Set(id.uuid()),
            tenant_id: Set(self.0.uuid()),
            connection_id: Set(new.connection.uuid()),
            contact_id: Set(new.contact.uuid()),
            conversation_id: Set(new.conversation.map(ConversationId::uuid)),
            message_id: Set(new.message.map(Into::into)),
            content: Set(new.content.clone()),
            by_person: Set(new.by_person),
            state: Set(DeliveryState::Waiting.as_str().to_owned()),
            attempts: Set(0),
            send_after: Set(now),
            started_at: Set(None),
            external_id: Set(None),
            fault: Set(None),
            category: Set(None),
            cost_micros: Set(None),
            created_at: Set(now),
            updated_at: Set(now),
        };
        channel_outbound::Entity::insert(row)
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(id)
    }

    /// What goes out to somebody next: the oldest that waits or is on its way.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn next(&self, contact: ContactId) -> Result<Option<OutboundRecord>> {
        use channel_outbound::Column;
        let row = self
            .0
            .find::<channel_outbound::Entity>()
            .filter(Column::ContactId.eq(contact.uuid()))
            .filter(is_open())
            .order_by_asc(Column::Id)
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        row.map(record).transpose()
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, id: OutboundId) -> Result<Option<OutboundRecord>> {
        let row = self
            .0
            .find::<channel_outbound::Entity>()
            .filter(channel_outbound::Column::Id.eq(id.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        row.map(record).transpose()
    }

    /// Newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(
        &self,
        filter: OutboundFilter,
        page: PageRequest,
    ) -> Result<Page<OutboundRecord>> {
        use channel_outbound::Column;
        let mut select = self.0.find::<channel_outbound::Entity>();
        if let Some(connection) = filter.connection {
            select = select.filter(Column::ConnectionId.eq(connection.uuid()));
        }
        if let Some(conversation) = filter.conversation {
            select = select.filter(Column::ConversationId.eq(conversation.uuid()));
        }
        if let Some(state) = filter.state {
            select = select.filter(Column::State.eq(state.as_str()));
        }
        let rows = newest_first(select, Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let found = rows.into_iter().map(record).collect::<Result<Vec<_>>>()?;
        Ok(Page::from_rows(found, page, |found| found.id.uuid()))
    }

    /// Notes that it is being handed to the channel. Returns `false` when it is not open any more.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn start(&self, id: OutboundId) -> Result<bool> {
        use channel_outbound::Column;
        let done = self
            .change(id)
            .filter(is_open())
            .col_expr(Column::State, Expr::value(DeliveryState::Sending.as_str()))
            .col_expr(Column::StartedAt, Expr::value(self.0.db_now()))
            .col_expr(Column::Attempts, Expr::col(Column::Attempts).add(1))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Notes what became of an attempt, unless the channel has told more of it meanwhile.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn settle(&self, id: OutboundId, result: &SendResult) -> Result<bool> {
        use channel_outbound::Column;
        let update = self.change(id);
        let update = match result {
            SendResult::Sent { external_id } => {
                // States that came before this answer stay.
                let named = self
                    .change(id)
                    .col_expr(Column::ExternalId, Expr::value(external_id.as_str()));
                named.exec(&self.0.tx).await.map_err(db)?;
                update
                    .filter(is_open())
                    .col_expr(Column::State, Expr::value(DeliveryState::Sent.as_str()))
                    .col_expr(Column::Fault, null())
            }
            SendResult::Again { at, fault } => update
                .filter(is_open())
                .col_expr(Column::State, Expr::value(DeliveryState::Waiting.as_str()))
                .col_expr(Column::SendAfter, Expr::value(to_db(*at)))
                .col_expr(Column::Fault, Expr::value(json!(fault))),
            SendResult::Failed(fault) => update
                .filter(is_open())
                .col_expr(Column::State, Expr::value(DeliveryState::Failed.as_str()))
                .col_expr(Column::Fault, Expr::value(json!(fault))),
        };
        let done = update.exec(&self.0.tx).await.map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// The message that the channel calls so.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn known_as(
        &self,
        connection: ConnectionId,
        external_id: &str,
    ) -> Result<Option<OutboundRecord>> {
        use channel_outbound::Column;
        let row = self
            .0
            .find::<channel_outbound::Entity>()
            .filter(Column::ConnectionId.eq(connection.uuid()))
            .filter(Column::ExternalId.eq(external_id))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        row.map(record).transpose()
    }

    /// Notes how far a message has come, unless it had come further. Returns whether that is new.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn advance(
        &self,
        id: OutboundId,
        external_id: Option<&str>,
        state: DeliveryState,
        fault: Option<&OutboundFault>,
    ) -> Result<bool> {
        use channel_outbound::Column;
        let before = DeliveryState::ALL
            .iter()
            .filter(|one| one.rank() < state.rank());
        let mut update = self
            .change(id)
            .filter(Column::State.is_in(before.map(|one| one.as_str())))
            .col_expr(Column::State, Expr::value(state.as_str()));
        if let Some(external_id) = external_id {
            update = update.col_expr(Column::ExternalId, Expr::value(external_id));
        }
        if let Some(fault) = fault {
            update = update.col_expr(Column::Fault, Expr::value(json!(fault)));
        }
        let done = update.exec(&self.0.tx).await.map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Notes for all messages to somebody up to an instant how far they have come.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn advance_up_to(
        &self,
        contact: ContactId,
        at: Timestamp,
        state: DeliveryState,
    ) -> Result<u64> {
        use channel_outbound::Column;
        let before = [DeliveryState::Sent, DeliveryState::Delivered];
        let before = before.iter().filter(|one| one.rank() < state.rank());
        let done = self
            .0
            .update::<channel_outbound::Entity>()
            .filter(Column::ContactId.eq(contact.uuid()))
            .filter(Column::State.is_in(before.map(|one| one.as_str())))
            .filter(Column::StartedAt.lte(to_db(at)))
            .col_expr(Column::State, Expr::value(state.as_str()))
            .col_expr(Column::UpdatedAt, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected)
    }

    /// Notes what the channel charges a message as, and what that costs.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn charge(
        &self,
        id: OutboundId,
        category: &str,
        cost_micros: Option<i64>,
    ) -> Result<bool> {
        use channel_outbound::Column;
        let done = self
            .change(id)
            .col_expr(Column::Category, Expr::value(category))
            .col_expr(Column::CostMicros, Expr::value(cost_micros))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// What messages cost that were sent within a period, of a conversation where one is named.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn cost(
        &self,
        filter: OutboundFilter,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<ChannelCost> {
        use channel_outbound::Column;
        let mut select = self
            .0
            .find::<channel_outbound::Entity>()
            .filter(Column::StartedAt.gte(to_db(from)))
            .filter(Column::StartedAt.lt(to_db(to)))
            .filter(Column::ExternalId.is_not_null());
        if let Some(connection) = filter.connection {
            select = select.filter(Column::ConnectionId.eq(connection.uuid()));
        }
        if let Some(conversation) = filter.conversation {
            select = select.filter(Column::ConversationId.eq(conversation.uuid()));
        }
        let count =
            |condition: &str| Expr::cust(format!("COUNT(CASE WHEN {condition} THEN 1 END)"));
        let sums: Option<(i64, i64, i64, Option<i64>)> = select
            .select_only()
            .column_as(Expr::cust("COUNT(*)"), "messages")
            .column_as(
                count("category IS NOT NULL AND COALESCE(cost_micros, 1) > 0"),
                "charged",
            )
            .column_as(
                count("category IS NOT NULL AND cost_micros IS NULL"),
                "unknown",
            )
            .column_as(Expr::cust("CAST(SUM(cost_micros) AS bigint)"), "cost")
            .into_tuple()
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        let (messages, charged, unknown, cost) = sums.unwrap_or_default();
        let counted = |number: i64| u64::try_from(number).unwrap_or(0);
        Ok(ChannelCost {
            messages: counted(messages),
            charged: counted(charged),
            unknown: counted(unknown),
            cost_micros: cost.unwrap_or(0),
        })
    }

    fn change(&self, id: OutboundId) -> UpdateMany<channel_outbound::Entity> {
        self.0
            .update::<channel_outbound::Entity>()
            .filter(channel_outbound::Column::Id.eq(id.uuid()))
            .col_expr(
                channel_outbound::Column::UpdatedAt,
                Expr::value(self.0.db_now()),
            )
    }
}

/// That a message has not come to its end.
fn is_open() -> SimpleExpr {
    let open = [DeliveryState::Waiting, DeliveryState::Sending];
    channel_outbound::Column::State.is_in(open.map(DeliveryState::as_str))
}

fn record(row: channel_outbound::Model) -> Result<OutboundRecord> {
    let fault = row.fault.map(serde_json::from_value).transpose();
    Ok(OutboundRecord {
        id: row.id.into(),
        connection_id: row.connection_id.into(),
        contact_id: row.contact_id.into(),
        conversation_id: row.conversation_id.map(Into::into),
        message_id: row.message_id.map(Into::into),
        content: row.content,
        by_person: row.by_person,
        state: DeliveryState::parse(&row.state)
            .ok_or_else(|| Error::internal("a message has a state that is none"))?,
        attempts: row.attempts,
        send_after: from_db(row.send_after),
        started_at: row.started_at.map(from_db),
        external_id: row.external_id,
        fault: fault.map_err(Error::internal)?,
        category: row.category,
        cost_micros: row.cost_micros,
        created_at: from_db(row.created_at),
        updated_at: from_db(row.updated_at),
    })
}
