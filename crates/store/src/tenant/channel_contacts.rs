use crate::TenantTx;
use crate::convert::{from_db, to_db};
use crate::entity::{channel_contact, channel_talk};
use crate::error::db;
use quipu_core::channel::{ChannelContact, ContactIdentity};
use quipu_core::{ConnectionId, ContactId, ConversationId, LeadId, Result, Timestamp};
use sea_orm::sea_query::{Expr, LockType, OnConflict, SimpleExpr};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbBackend, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect, Select, Set, UpdateMany,
};

/// Whoever writes to connections, and the conversations that are held with them.
pub struct ChannelContacts<'a>(pub(crate) &'a TenantTx);

impl ChannelContacts<'_> {
    /// Whom a connection knows by one of these: by their id first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn known(
        &self,
        connection: ConnectionId,
        identity: &ContactIdentity,
    ) -> Result<Option<ChannelContact>> {
        use channel_contact::Column;
        for (column, value) in [
            (Column::UserId, &identity.user_id),
            (Column::Phone, &identity.phone),
        ] {
            let Some(value) = value else { continue };
            let row = self
                .0
                .find::<channel_contact::Entity>()
                .filter(Column::ConnectionId.eq(connection.uuid()))
                .filter(column.eq(value.as_str()))
                .one(&self.0.tx)
                .await
                .map_err(db)?;
            if let Some(row) = row {
                return Ok(Some(contact(row)));
            }
        }
        Ok(None)
    }

    /// Writes down somebody who is new. Returns `None` when the connection knows them already.
    ///
    /// # Errors
    /// When the database cannot be written, or there is no such connection or lead.
    pub async fn insert(
        &self,
        connection: ConnectionId,
        lead: LeadId,
        identity: &ContactIdentity,
    ) -> Result<Option<ContactId>> {
        let id = ContactId::generate(self.0.now());
        let now = self.0.db_now();
        let row = channel_contact::ActiveModel {
            id: Set(id.uuid()),
            tenant_id: Set(self.0.uuid()),
            connection_id: Set(connection.uuid()),
            lead_id: Set(lead.uuid()),
            user_id: Set(identity.user_id.clone()),
            phone: Set(identity.phone.clone()),
            last_inbound_at: Set(None),
            free_until: Set(None),
            opted_out_at: Set(None),
            created_at: Set(now),
            updated_at: Set(now),
        };
        let written = channel_contact::Entity::insert(row)
            .on_conflict(OnConflict::new().do_nothing().to_owned())
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok((written == 1).then_some(id))
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, id: ContactId) -> Result<Option<ChannelContact>> {
        let row = self.one(id).one(&self.0.tx).await.map_err(db)?;
        Ok(row.map(contact))
    }

    /// Keeps others from writing down what comes from them or goes to them until the transaction ends.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn lock(&self, id: ContactId) -> Result<Option<ChannelContact>> {
        let mut select = self.one(id);
        // On SQLite whoever writes is alone anyway.
        if self.0.tx.get_database_backend() == DbBackend::Postgres {
            select = select.lock(LockType::NoKeyUpdate);
        }
        let row = select.one(&self.0.tx).await.map_err(db)?;
        Ok(row.map(contact))
    }

    /// Notes what a connection has learned of how it knows somebody. What it knows already stays.
    ///
    /// # Errors
    /// When the database cannot be written, or another contact is known so.
    pub async fn learn(&self, id: ContactId, identity: &ContactIdentity) -> Result<bool> {
        use channel_contact::Column;
        let mut update = self.change(id);
        for (column, value) in [
            (Column::UserId, &identity.user_id),
            (Column::Phone, &identity.phone),
        ] {
            if let Some(value) = value {
                update = update.col_expr(column, Expr::value(value.clone()));
            }
        }
        let done = update.exec(&self.0.tx).await.map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Notes when they wrote, unless they wrote later already.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn heard(
        &self,
        id: ContactId,
        at: Timestamp,
        free_until: Option<Timestamp>,
    ) -> Result<bool> {
        use channel_contact::Column;
        let earlier = Condition::any()
            .add(Column::LastInboundAt.is_null())
            .add(Column::LastInboundAt.lt(to_db(at)));
        let mut update = self
            .change(id)
            .filter(earlier)
            .col_expr(Column::LastInboundAt, Expr::value(to_db(at)));
        if let Some(until) = free_until {
            update = update.col_expr(Column::FreeUntil, Expr::value(to_db(until)));
        }
        let done = update.exec(&self.0.tx).await.map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Notes that they want nothing that they did not ask for, or do again.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn opt_out(&self, id: ContactId, since: Option<Timestamp>) -> Result<bool> {
        let column = channel_contact::Column::OptedOutAt;
        let update = self
            .change(id)
            .col_expr(column, Expr::value(since.map(to_db)));
        let done = update.exec(&self.0.tx).await.map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// How connections know a lead: who wrote last first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn of_lead(&self, lead: LeadId) -> Result<Vec<ChannelContact>> {
        let rows = self
            .0
            .find::<channel_contact::Entity>()
            .filter(channel_contact::Column::LeadId.eq(lead.uuid()))
            .order_by_desc(channel_contact::Column::Id)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let mut found: Vec<ChannelContact> = rows.into_iter().map(contact).collect();
        found.sort_by_key(|contact| std::cmp::Reverse(contact.last_inbound_at));
        Ok(found)
    }

    /// With whom a conversation is held, where that is through a connection.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn of_conversation(
        &self,
        conversation: ConversationId,
    ) -> Result<Option<ChannelContact>> {
        let talk = self
            .0
            .find::<channel_talk::Entity>()
            .filter(channel_talk::Column::ConversationId.eq(conversation.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        match talk {
            Some(talk) => self.find(talk.contact_id.into()).await,
            None => Ok(None),
        }
    }

    /// The conversation that was begun last with somebody.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn latest_conversation(&self, id: ContactId) -> Result<Option<ConversationId>> {
        let talk = self
            .0
            .find::<channel_talk::Entity>()
            .filter(channel_talk::Column::ContactId.eq(id.uuid()))
            .order_by_desc(channel_talk::Column::ConversationId)
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(talk.map(|talk| talk.conversation_id.into()))
    }

    /// Notes with whom a conversation is held.
    ///
    /// # Errors
    /// When the database cannot be written, or either is not there.
    pub async fn hold_conversation(
        &self,
        id: ContactId,
        conversation: ConversationId,
    ) -> Result<()> {
        let row = channel_talk::ActiveModel {
            tenant_id: Set(self.0.uuid()),
            conversation_id: Set(conversation.uuid()),
            contact_id: Set(id.uuid()),
        };
        channel_talk::Entity::insert(row)
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(())
    }

    fn one(&self, id: ContactId) -> Select<channel_contact::Entity> {
        self.0.find::<channel_contact::Entity>().filter(is(id))
    }

    fn change(&self, id: ContactId) -> UpdateMany<channel_contact::Entity> {
        self.0
            .update::<channel_contact::Entity>()
            .filter(is(id))
            .col_expr(
                channel_contact::Column::UpdatedAt,
                Expr::value(self.0.db_now()),
            )
    }
}

fn is(id: ContactId) -> SimpleExpr {
    channel_contact::Column::Id.eq(id.uuid())
}

fn contact(row: channel_contact::Model) -> ChannelContact {
    ChannelContact {
        id: row.id.into(),
        connection_id: row.connection_id.into(),
        lead_id: row.lead_id.into(),
        user_id: row.user_id,
        phone: row.phone,
        last_inbound_at: row.last_inbound_at.map(from_db),
        free_until: row.free_until.map(from_db),
        opted_out_at: row.opted_out_at.map(from_db),
        created_at: from_db(row.created_at),
    }
}
