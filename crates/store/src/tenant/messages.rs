use crate::TenantTx;
use crate::convert::{from_db, to_db};
use crate::entity::{conversation, message};
use crate::error::db;
use crate::tx::newest_first;
use quipu_core::conversation::{Message, MessageRole, NewMessage};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{AgentId, ConversationId, Error, MessageId, Result, Timestamp};
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select, Set,
    TryIntoModel,
};
use uuid::Uuid;

/// What was said in conversations.
pub struct Messages<'a>(pub(crate) &'a TenantTx);

impl Messages<'_> {
    /// # Errors
    /// When the database cannot be written, or there is no such conversation.
    pub async fn insert(&self, conversation: ConversationId, new: &NewMessage) -> Result<Message> {
        let row = message::ActiveModel {
            id: Set(MessageId::generate(self.0.now()).uuid()),
            tenant_id: Set(self.0.uuid()),
            conversation_id: Set(conversation.uuid()),
            role: Set(new.role.as_str().to_owned()),
            author: Set(new.author.clone()),
            body: Set(new.text.clone()),
            metadata: Set(new.metadata.clone()),
            created_at: Set(self.0.db_now()),
        };
        message::Entity::insert(row.clone())
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        message(row.try_into_model().map_err(db)?)
    }

    /// Whose words a message is.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn role_of(&self, id: MessageId) -> Result<Option<MessageRole>> {
        let row = self
            .0
            .find::<message::Entity>()
            .filter(message::Column::Id.eq(id.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(row.and_then(|row| MessageRole::parse(&row.role)))
    }

    /// Newest first; only those of some roles where any are named.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(
        &self,
        conversation: ConversationId,
        roles: &[MessageRole],
        page: PageRequest,
    ) -> Result<Page<Message>> {
        let rows = newest_first(self.of(conversation, roles), message::Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let found = rows.into_iter().map(message).collect::<Result<Vec<_>>>()?;
        Ok(Page::from_rows(found, page, |found| found.id.uuid()))
    }

    /// The latest messages of these roles, oldest first: what an agent remembers.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn recent(
        &self,
        conversation: ConversationId,
        most: u64,
        roles: &[MessageRole],
    ) -> Result<Vec<Message>> {
        let rows = self
            .of(conversation, roles)
            .order_by_desc(message::Column::Id)
            .limit(most)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        rows.into_iter().rev().map(message).collect()
    }

    /// What was said after a message, oldest first; only what has one of these roles.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn since(
        &self,
        conversation: ConversationId,
        after: MessageId,
        roles: &[MessageRole],
        most: u64,
    ) -> Result<Vec<Message>> {
        let rows = self
            .of(conversation, roles)
            .filter(message::Column::Id.gt(after.uuid()))
            .order_by_asc(message::Column::Id)
            .limit(most)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        rows.into_iter().map(message).collect()
    }

    /// What was said in a conversation within a period, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn between(
        &self,
        conversation: ConversationId,
        roles: &[MessageRole],
        from: Timestamp,
        to: Timestamp,
        most: u64,
    ) -> Result<Vec<Message>> {
        let rows = self
            .of(conversation, roles)
            .filter(message::Column::CreatedAt.gte(to_db(from)))
            .filter(message::Column::CreatedAt.lt(to_db(to)))
            .order_by_asc(message::Column::Id)
            .limit(most)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        rows.into_iter().map(message).collect()
    }

    /// The conversations of an agent in which a customer said something within a period, the newest
    /// first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn conversations_between(
        &self,
        agent: AgentId,
        from: Timestamp,
        to: Timestamp,
        most: u64,
    ) -> Result<Vec<ConversationId>> {
        use message::Column;
        let talked = self
            .0
            .find::<conversation::Entity>()
            .filter(conversation::Column::AgentId.eq(agent.uuid()))
            .filter(
                Expr::col(conversation::Column::LastMessageAt)
                    .if_null(Expr::col(conversation::Column::CreatedAt))
                    .gte(to_db(from)),
            )
            .filter(conversation::Column::CreatedAt.lt(to_db(to)))
            .select_only()
            .column(conversation::Column::Id)
            .into_query();
        let rows: Vec<Uuid> = self
            .0
            .find::<message::Entity>()
            .filter(Column::ConversationId.in_subquery(talked))
            .filter(Column::Role.eq(MessageRole::User.as_str()))
            .filter(Column::CreatedAt.gte(to_db(from)))
            .filter(Column::CreatedAt.lt(to_db(to)))
            .select_only()
            .column(Column::ConversationId)
            .group_by(Column::ConversationId)
            .order_by_desc(Column::ConversationId)
            .limit(most)
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(rows.into_iter().map(Into::into).collect())
    }

    fn of(&self, conversation: ConversationId, roles: &[MessageRole]) -> Select<message::Entity> {
        let select = self
            .0
            .find::<message::Entity>()
            .filter(message::Column::ConversationId.eq(conversation.uuid()));
        if roles.is_empty() {
            return select;
        }
        select.filter(message::Column::Role.is_in(roles.iter().map(|role| role.as_str())))
    }
}

fn message(row: message::Model) -> Result<Message> {
    Ok(Message {
        id: row.id.into(),
        conversation_id: row.conversation_id.into(),
        role: MessageRole::parse(&row.role)
            .ok_or_else(|| Error::internal("a message has a role that is none"))?,
        author: row.author,
        text: row.body,
        metadata: row.metadata,
        created_at: from_db(row.created_at),
    })
}
