//! Lists of conversations, each with its customer and what was said last.

use super::{Conversations, conversation};
use crate::convert::from_db;
use crate::entity::{lead, message};
use crate::error::db;
use crate::tenant::leads::named_like;
use crate::tenant::one;
use crate::tx::newest_first;
use quipu_core::conversation::{
    Conversation, ConversationFilter, ConversationOrder, ConversationRow, LastMessage, MessageRole,
};
use quipu_core::lead::Temperature;
use quipu_core::page::{Page, PageRequest};
use quipu_core::{Error, Result};
use sea_orm::sea_query::{Expr, ExprTrait, Func, Order, SimpleExpr};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select};
use std::collections::HashMap;
use uuid::Uuid;

impl Conversations<'_> {
    /// In the order asked for, the latest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(
        &self,
        filter: &ConversationFilter,
        page: PageRequest,
    ) -> Result<Page<ConversationRow>> {
        let rows = self
            .ordered(self.filtered(filter), filter.order, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let found = rows
            .into_iter()
            .map(conversation)
            .collect::<Result<Vec<_>>>()?;
        let page = Page::from_rows(found, page, |found| found.id.uuid());
        let mut leads = self.leads_of(&page.data).await?;
        let mut last = self.last_messages(&page.data).await?;
        Ok(page.map(|conversation| {
            let (lead_name, lead_temperature) = leads
                .get_mut(&conversation.lead_id.uuid())
                .cloned()
                .unwrap_or_default();
            ConversationRow {
                last_message: last.remove(&conversation.id.uuid()),
                lead_name,
                lead_temperature,
                conversation,
            }
        }))
    }

    fn filtered(&self, filter: &ConversationFilter) -> Select<conversation::Entity> {
        use conversation::Column;
        let mut select = self.0.find::<conversation::Entity>();
        if let Some(text) = &filter.text {
            let named = self.0.find::<lead::Entity>().filter(named_like(text));
            let named = named.select_only().column(lead::Column::Id);
            select = select.filter(Column::LeadId.in_subquery(named.into_query()));
        }
        if let Some(lead) = filter.lead_id {
            select = select.filter(Column::LeadId.eq(lead.uuid()));
        }
        if let Some(agent) = filter.agent_id {
            select = select.filter(Column::AgentId.eq(agent.uuid()));
        }
        if let Some(mode) = filter.mode {
            select = select.filter(Column::HandoffMode.eq(mode.as_str()));
        }
        if let Some(status) = filter.status {
            select = select.filter(Column::Status.eq(status.as_str()));
        }
        if let Some(channel) = filter.channel {
            select = select.filter(Column::Channel.eq(channel.as_str()));
        }
        select
    }

    fn ordered(
        &self,
        select: Select<conversation::Entity>,
        order: ConversationOrder,
        page: PageRequest,
    ) -> Select<conversation::Entity> {
        use conversation::Column;
        if order == ConversationOrder::Newest {
            return newest_first(select, Column::Id, page);
        }
        let select = match page.after {
            Some(after) => {
                let of_last = self
                    .0
                    .find::<conversation::Entity>()
                    .filter(Column::Id.eq(after))
                    .select_only()
                    .expr(activity());
                let place = Expr::tuple([activity(), Expr::col(Column::Id)]);
                select.filter(place.lt(Expr::tuple([one(of_last), Expr::value(after)])))
            }
            None => select,
        };
        select
            .order_by(activity(), Order::Desc)
            .order_by_desc(Column::Id)
            .limit(page.limit + 1)
    }

    /// The name and temperature of the customers of these, by their ids.
    async fn leads_of(
        &self,
        conversations: &[Conversation],
    ) -> Result<HashMap<Uuid, (Option<String>, Option<Temperature>)>> {
        let ids = conversations.iter().map(|found| found.lead_id.uuid());
        let rows: Vec<(Uuid, Option<String>, Option<String>)> = self
            .0
            .find::<lead::Entity>()
            .filter(lead::Column::Id.is_in(ids))
            .select_only()
            .columns([
                lead::Column::Id,
                lead::Column::Name,
                lead::Column::Temperature,
            ])
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let rows = rows.into_iter().map(|(id, name, temperature)| {
            let temperature = temperature.as_deref().and_then(Temperature::parse);
            (id, (name, temperature))
        });
        Ok(rows.collect())
    }

    /// What customers saw last, by the ids of the conversations.
    async fn last_messages(
        &self,
        conversations: &[Conversation],
    ) -> Result<HashMap<Uuid, LastMessage>> {
        let last = self
            .0
            .find::<message::Entity>()
            .filter(
                Expr::col((message::Entity, message::Column::ConversationId))
                    .equals((conversation::Entity, conversation::Column::Id)),
            )
            .filter(message::Column::Role.ne(MessageRole::Note.as_str()))
            .select_only()
            .column(message::Column::Id)
            .order_by_desc(message::Column::Id)
            .limit(1);
        let ids: Vec<Option<Uuid>> = self
            .0
            .find::<conversation::Entity>()
            .filter(conversation::Column::Id.is_in(conversations.iter().map(|c| c.id.uuid())))
            .select_only()
            .expr(one(last))
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let rows = self
            .0
            .find::<message::Entity>()
            .filter(message::Column::Id.is_in(ids.into_iter().flatten()))
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let told = |row: message::Model| {
            let role = MessageRole::parse(&row.role)
                .ok_or_else(|| Error::internal("a message holds a word that is not known"))?;
            let text = row.body.chars().take(LastMessage::CHARS).collect();
            let created_at = from_db(row.created_at);
            Ok((
                row.conversation_id,
                LastMessage {
                    role,
                    text,
                    created_at,
                },
            ))
        };
        rows.into_iter().map(told).collect()
    }
}

/// When something was said last, or when it began if nothing was.
fn activity() -> SimpleExpr {
    use conversation::Column;
    let column = |column: Column| Expr::col((conversation::Entity, column));
    Func::coalesce([column(Column::LastMessageAt), column(Column::CreatedAt)]).into()
}
