mod figures;
mod inbox;

use crate::TenantTx;
use crate::convert::{from_db, to_db};
use crate::entity::{conversation, conversation_dialogue};
use crate::error::db;
use quipu_core::conversation::{
    Conversation, ConversationStatus, Handoff, HandoffMode, NewConversation,
};
use quipu_core::lead::Channel;
use quipu_core::{AgentId, ConversationId, Error, LeadId, Result, UserId};
use sea_orm::sea_query::{Expr, LockType};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbBackend, QueryFilter, QueryOrder,
    QuerySelect, Select, Set, UpdateMany,
};
use serde_json::Value;

/// Who talks to whom, and whether the agent or a person answers.
pub struct Conversations<'a>(pub(crate) &'a TenantTx);

impl Conversations<'_> {
    /// An open conversation that the agent answers. Its lead must be this tenant's: the database
    /// refuses any other.
    ///
    /// # Errors
    /// When the database cannot be written, or there is no such lead.
    pub async fn insert(&self, new: &NewConversation) -> Result<ConversationId> {
        let id = ConversationId::generate(self.0.now());
        let now = self.0.db_now();
        conversation::ActiveModel {
            id: Set(id.uuid()),
            tenant_id: Set(self.0.uuid()),
            lead_id: Set(new.lead_id.uuid()),
            agent_id: Set(new.agent_id.map(AgentId::uuid)),
            channel: Set(new.channel.as_str().to_owned()),
            status: Set(ConversationStatus::Open.as_str().to_owned()),
            handoff_mode: Set(HandoffMode::Ai.as_str().to_owned()),
            handoff_reason: Set(None),
            handoff_by: Set(None),
            handoff_at: Set(None),
            handoff_user_id: Set(None),
            handoff_returns_at: Set(None),
            last_message_at: Set(None),
            created_at: Set(now),
            updated_at: Set(now),
        }
        .insert(&self.0.tx)
        .await
        .map_err(db)?;
        Ok(id)
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, id: ConversationId) -> Result<Option<Conversation>> {
        let row = self.one(id).one(&self.0.tx).await.map_err(db)?;
        row.map(conversation).transpose()
    }

    /// The newest conversation of a lead with an agent on a channel, which others cannot change or
    /// write into until the transaction ends.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn lock_latest(
        &self,
        lead: LeadId,
        agent: AgentId,
        channel: Channel,
    ) -> Result<Option<Conversation>> {
        use conversation::Column;
        let newest = self
            .0
            .find::<conversation::Entity>()
            .filter(Column::LeadId.eq(lead.uuid()))
            .filter(Column::AgentId.eq(agent.uuid()))
            .filter(Column::Channel.eq(channel.as_str()))
            .order_by_desc(Column::Id);
        let row = self.locked(newest).one(&self.0.tx).await.map_err(db)?;
        row.map(conversation).transpose()
    }

    /// Keeps others from changing the conversation or writing into it until the transaction ends,
    /// and reads it as it is then.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn lock(&self, id: ConversationId) -> Result<Option<Conversation>> {
        let row = self
            .locked(self.one(id))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        row.map(conversation).transpose()
    }

    fn locked(&self, select: Select<conversation::Entity>) -> Select<conversation::Entity> {
        // On SQLite whoever writes is alone anyway.
        if self.0.tx.get_database_backend() == DbBackend::Postgres {
            select.lock(LockType::NoKeyUpdate)
        } else {
            select
        }
    }

    /// Returns whether the conversation exists.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn set_handoff(&self, id: ConversationId, handoff: &Handoff) -> Result<bool> {
        use conversation::Column;
        let update = self
            .change(id)
            .col_expr(Column::HandoffMode, Expr::value(handoff.mode.as_str()))
            .col_expr(Column::HandoffReason, Expr::value(handoff.reason.clone()))
            .col_expr(Column::HandoffBy, Expr::value(handoff.by.clone()))
            .col_expr(Column::HandoffAt, Expr::value(handoff.at.map(to_db)))
            .col_expr(
                Column::HandoffUserId,
                Expr::value(handoff.user_id.map(UserId::uuid)),
            )
            .col_expr(
                Column::HandoffReturnsAt,
                Expr::value(handoff.returns_at.map(to_db)),
            );
        let done = update.exec(&self.0.tx).await.map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Returns whether the conversation exists.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn set_status(&self, id: ConversationId, status: ConversationStatus) -> Result<bool> {
        let update = self
            .change(id)
            .col_expr(conversation::Column::Status, Expr::value(status.as_str()));
        let done = update.exec(&self.0.tx).await.map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Notes that something was said just now. Returns whether the conversation exists.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn touch(&self, id: ConversationId) -> Result<bool> {
        let update = self.change(id).col_expr(
            conversation::Column::LastMessageAt,
            Expr::value(self.0.db_now()),
        );
        let done = update.exec(&self.0.tx).await.map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Leaves the conversations of an agent that is going away without one.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn forget_agent(&self, agent: AgentId) -> Result<u64> {
        let (column, id) = (conversation::Column::AgentId, agent.uuid());
        self.0.forget::<conversation::Entity>(column, id).await
    }

    /// Where the dialogue has come to, as the last turn left it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn dialogue(&self, id: ConversationId) -> Result<Option<Value>> {
        let row = self
            .0
            .find::<conversation_dialogue::Entity>()
            .filter(conversation_dialogue::Column::Id.eq(id.uuid()));
        let row = row.one(&self.0.tx).await.map_err(db)?;
        let stored = row.and_then(|row| row.dialogue);
        // What another version wrote and this one cannot read is begun anew.
        Ok(stored.and_then(|stored| serde_json::from_str(&stored).ok()))
    }

    /// Keeps where the dialogue has come to. Returns whether the conversation exists.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn keep_dialogue(&self, id: ConversationId, dialogue: &Value) -> Result<bool> {
        let stored = Expr::value(dialogue.to_string());
        let update = self
            .0
            .update::<conversation_dialogue::Entity>()
            .filter(conversation_dialogue::Column::Id.eq(id.uuid()))
            .col_expr(conversation_dialogue::Column::Dialogue, stored);
        let done = update.exec(&self.0.tx).await.map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    fn one(&self, id: ConversationId) -> Select<conversation::Entity> {
        self.0
            .find::<conversation::Entity>()
            .filter(conversation::Column::Id.eq(id.uuid()))
    }

    fn change(&self, id: ConversationId) -> UpdateMany<conversation::Entity> {
        self.0
            .update::<conversation::Entity>()
            .filter(conversation::Column::Id.eq(id.uuid()))
            .col_expr(
                conversation::Column::UpdatedAt,
                Expr::value(self.0.db_now()),
            )
    }
}

fn conversation(row: conversation::Model) -> Result<Conversation> {
    let unknown = || Error::internal("a conversation holds a word that is not known");
    Ok(Conversation {
        id: row.id.into(),
        lead_id: row.lead_id.into(),
        agent_id: row.agent_id.map(Into::into),
        channel: Channel::parse(&row.channel).ok_or_else(unknown)?,
        status: ConversationStatus::parse(&row.status).ok_or_else(unknown)?,
        handoff: Handoff {
            mode: HandoffMode::parse(&row.handoff_mode).ok_or_else(unknown)?,
            reason: row.handoff_reason,
            by: row.handoff_by,
            at: row.handoff_at.map(from_db),
            user_id: row.handoff_user_id.map(Into::into),
            returns_at: row.handoff_returns_at.map(from_db),
        },
        last_message_at: row.last_message_at.map(from_db),
        created_at: from_db(row.created_at),
        updated_at: from_db(row.updated_at),
    })
}
