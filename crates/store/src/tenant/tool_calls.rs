use crate::TenantTx;
use crate::convert::{from_db, to_db};
use crate::entity::tool_call;
use crate::error::db;
use crate::tx::newest_first;
use quipu_core::page::{Page, PageRequest};
use quipu_core::tool_call::{NewToolCall, ToolCall};
use quipu_core::{AgentId, ConversationId, LeadId, Result, Timestamp, ToolCallId};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbBackend, PaginatorTrait, QueryFilter, Set,
};

/// The first half of the locks under which changes are made for a lead; the second is the lead's.
const CHANGING: i32 = 7_305_805;

/// What agents did through their tools.
pub struct ToolCalls<'a>(pub(crate) &'a TenantTx);

impl ToolCalls<'_> {
    /// # Errors
    /// When the database cannot be written.
    pub async fn insert(&self, new: &NewToolCall) -> Result<ToolCallId> {
        let id = ToolCallId::generate(self.0.now());
        tool_call::ActiveModel {
            id: Set(id.uuid()),
            tenant_id: Set(self.0.uuid()),
            agent_id: Set(new.agent_id.uuid()),
            conversation_id: Set(new.conversation_id.map(ConversationId::uuid)),
            lead_id: Set(new.lead_id.map(LeadId::uuid)),
            actor: Set(new.actor.clone()),
            tool: Set(new.tool.clone()),
            arguments: Set(new.arguments.clone()),
            error_code: Set(new.error_code.clone()),
            elapsed_us: Set(i64::try_from(new.elapsed.as_micros()).unwrap_or(i64::MAX)),
            created_at: Set(self.0.db_now()),
        }
        .insert(&self.0.tx)
        .await
        .map_err(db)?;
        Ok(id)
    }

    /// How many changes somebody made since an instant for customers who are not known.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn done_for_nobody(&self, actor: &str, since: Timestamp) -> Result<u64> {
        use tool_call::Column;
        self.0
            .find::<tool_call::Entity>()
            .filter(Column::LeadId.is_null())
            .filter(Column::Actor.eq(actor))
            .filter(Column::CreatedAt.gte(to_db(since)))
            .filter(Column::ErrorCode.is_null())
            .count(&self.0.tx)
            .await
            .map_err(db)
    }

    /// How many changes were made for a lead since an instant. Whoever asks makes the next one alone:
    /// others who ask for the same lead wait until the transaction ends, so that no two of them
    /// count the same.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn done_since(&self, lead: LeadId, since: Timestamp) -> Result<u64> {
        use tool_call::Column;
        // On SQLite whoever writes is alone anyway. The row of the lead is not locked, because an
        // order or an appointment that is completed meanwhile is locked before its lead.
        if self.0.tx.get_database_backend() == DbBackend::Postgres {
            let [.., a, b, c, d] = lead.uuid().into_bytes();
            let lead = i32::from_be_bytes([a, b, c, d]);
            self.0
                .tx
                .execute_unprepared(&format!("SELECT pg_advisory_xact_lock({CHANGING}, {lead})"))
                .await
                .map_err(db)?;
        }
        self.0
            .find::<tool_call::Entity>()
            .filter(Column::LeadId.eq(lead.uuid()))
            .filter(Column::CreatedAt.gte(to_db(since)))
            .filter(Column::ErrorCode.is_null())
            .count(&self.0.tx)
            .await
            .map_err(db)
    }

    /// Newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(
        &self,
        conversation: Option<ConversationId>,
        page: PageRequest,
    ) -> Result<Page<ToolCall>> {
        let mut select = self.0.find::<tool_call::Entity>();
        if let Some(conversation) = conversation {
            select = select.filter(tool_call::Column::ConversationId.eq(conversation.uuid()));
        }
        let rows = newest_first(select, tool_call::Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let calls = rows.into_iter().map(into_call).collect();
        Ok(Page::from_rows(calls, page, |call: &ToolCall| {
            call.id.uuid()
        }))
    }
}

fn into_call(row: tool_call::Model) -> ToolCall {
    ToolCall {
        id: row.id.into(),
        agent_id: AgentId::from_uuid(row.agent_id),
        conversation_id: row.conversation_id.map(ConversationId::from_uuid),
        lead_id: row.lead_id.map(LeadId::from_uuid),
        actor: row.actor,
        tool: row.tool,
        arguments: row.arguments,
        error_code: row.error_code,
        elapsed_ms: std::time::Duration::from_micros(u64::try_from(row.elapsed_us).unwrap_or(0))
            .as_secs_f64()
            * 1000.0,
        created_at: from_db(row.created_at),
    }
}
