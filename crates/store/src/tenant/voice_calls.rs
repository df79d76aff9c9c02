use crate::TenantTx;
use crate::convert::{from_db, to_db};
use crate::entity::voice_call;
use crate::error::db;
use crate::tx::newest_first;
use quipu_core::channel::{ChannelCost, NewVoiceCall, VoiceCallRecord};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{ConnectionId, ContactId, ConversationId, Result, Timestamp, VoiceCallId};
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect, Select, Set};

/// Telephone calls that have ended.
pub struct VoiceCalls<'a>(pub(crate) &'a TenantTx);

/// Which calls are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct VoiceCallFilter {
    pub connection: Option<ConnectionId>,
    pub conversation: Option<ConversationId>,
}

impl VoiceCalls<'_> {
    /// Writes a call down. Returns `None` when the connection has it already.
    ///
    /// # Errors
    /// When the database cannot be written, or there is no such connection, contact or conversation.
    pub async fn insert(&self, new: &NewVoiceCall) -> Result<Option<VoiceCallId>> {
        let id = VoiceCallId::generate(self.0.now());
        let row = voice_call::ActiveModel {
            id: Set(id.uuid()),
            tenant_id: Set(self.0.uuid()),
            connection_id: Set(new.connection.uuid()),
            contact_id: Set(new.contact.map(ContactId::uuid)),
            conversation_id: Set(new.conversation.map(ConversationId::uuid)),
            external_id: Set(new.external_id.clone()),
            started_at: Set(new.started_at.map(to_db)),
            ended_at: Set(new.ended_at.map(to_db)),
            duration_seconds: Set(new.duration_seconds),
            ended_reason: Set(new.ended_reason.clone()),
            transcript: Set(new.transcript.clone()),
            summary: Set(new.summary.clone()),
            recording_url: Set(new.recording_url.clone()),
            cost_micros: Set(new.cost_micros),
            created_at: Set(self.0.db_now()),
        };
        let written = voice_call::Entity::insert(row)
            .on_conflict(OnConflict::new().do_nothing().to_owned())
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok((written == 1).then_some(id))
    }

    /// Newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(
        &self,
        filter: VoiceCallFilter,
        page: PageRequest,
    ) -> Result<Page<VoiceCallRecord>> {
        let rows = newest_first(self.of(filter), voice_call::Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let found = rows.into_iter().map(call).collect();
        Ok(Page::from_rows(found, page, |found| found.id.uuid()))
    }

    /// What calls cost that were told of within a period.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn cost(
        &self,
        filter: VoiceCallFilter,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<ChannelCost> {
        use voice_call::Column;
        let count =
            |condition: &str| Expr::cust(format!("COUNT(CASE WHEN {condition} THEN 1 END)"));
        let sums: Option<(i64, i64, i64, Option<i64>)> = self
            .of(filter)
            .filter(Column::CreatedAt.gte(to_db(from)))
            .filter(Column::CreatedAt.lt(to_db(to)))
            .select_only()
            .column_as(Expr::cust("COUNT(*)"), "messages")
            .column_as(count("COALESCE(cost_micros, 1) > 0"), "charged")
            .column_as(count("cost_micros IS NULL"), "unknown")
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

    fn of(&self, filter: VoiceCallFilter) -> Select<voice_call::Entity> {
        use voice_call::Column;
        let mut select = self.0.find::<voice_call::Entity>();
        if let Some(connection) = filter.connection {
            select = select.filter(Column::ConnectionId.eq(connection.uuid()));
        }
        if let Some(conversation) = filter.conversation {
            select = select.filter(Column::ConversationId.eq(conversation.uuid()));
        }
        select
    }
}

fn call(row: voice_call::Model) -> VoiceCallRecord {
    VoiceCallRecord {
        id: row.id.into(),
        connection_id: row.connection_id.into(),
        contact_id: row.contact_id.map(Into::into),
        conversation_id: row.conversation_id.map(Into::into),
        external_id: row.external_id,
        started_at: row.started_at.map(from_db),
        ended_at: row.ended_at.map(from_db),
        duration_seconds: row.duration_seconds,
        ended_reason: row.ended_reason,
        transcript: row.transcript,
        summary: row.summary,
        recording_url: row.recording_url,
        cost_micros: row.cost_micros,
        created_at: from_db(row.created_at),
    }
}
