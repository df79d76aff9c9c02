use crate::TenantTx;
use crate::convert::from_db;
use crate::entity::{turn, turn_feedback};
use crate::error::db;
use crate::tx::newest_first;
use chrono::{DateTime, Utc};
use quipu_core::page::{Page, PageRequest};
use quipu_core::turn::{Feedback, NewTurn, Trace, TurnDetails, TurnSummary};
use quipu_core::{AgentId, ConversationId, Error, LeadId, Result, TurnId, UserId};
use sea_orm::sea_query::{ExprTrait, OnConflict, SimpleExpr};
use sea_orm::{
    ColumnTrait, EntityTrait, FromQueryResult, Iterable, JsonValue as Json, QueryFilter,
    QueryOrder, QuerySelect, Select, SelectModel, Selector, Set,
};
use std::time::Duration;
use uuid::Uuid;

/// What happened in each turn, and what people made of it.
pub struct Turns<'a>(pub(crate) &'a TenantTx);

/// Who looks at turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnViewer {
    /// Turns that are somebody's private matter are seen by them alone.
    pub user: Option<UserId>,
    /// Whether they may see what customers said.
    pub customers: bool,
}

/// Which turns are wanted.
#[derive(Clone, Debug, Default)]
pub struct TurnFilter {
    pub agent: Option<AgentId>,
    pub conversation: Option<ConversationId>,
    pub degraded: Option<bool>,
    pub responder: Option<String>,
    pub variant: Option<String>,
}

/// A turn without its steps, which are long.
#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    agent_id: Uuid,
    conversation_id: Option<Uuid>,
    lead_id: Option<Uuid>,
    actor: String,
    variant: Option<String>,
    intent: String,
    specialist: String,
    responder: String,
    prompt_source: String,
    grounded: bool,
    degraded: bool,
    escalated: bool,
    model_calls: i32,
    tool_calls: i32,
    input_tokens: i64,
    output_tokens: i64,
    cost: Option<i64>,
    elapsed_us: i64,
    question: String,
    answer: String,
    created_at: DateTime<Utc>,
}

impl Turns<'_> {
    /// # Errors
    /// When the database cannot be written, or there is no such lead.
    pub async fn insert(&self, new: &NewTurn) -> Result<()> {
        let trace = &new.trace;
        let row = turn::ActiveModel {
            id: Set(new.id.uuid()),
            tenant_id: Set(self.0.uuid()),
            agent_id: Set(new.agent_id.uuid()),
            conversation_id: Set(new.conversation_id.map(ConversationId::uuid)),
            lead_id: Set(new.lead_id.map(LeadId::uuid)),
            owner_user_id: Set(new.owner.map(UserId::uuid)),
            actor: Set(new.actor.clone()),
            variant: Set(new.variant.clone()),
            intent: Set(new.intent.as_str().to_owned()),
            specialist: Set(new.specialist.as_str().to_owned()),
            responder: Set(new.responder.clone()),
            prompt_source: Set(trace.prompt_source.as_str().to_owned()),
            grounded: Set(new.grounded),
            degraded: Set(new.degraded),
            escalated: Set(new.escalated),
            model_calls: Set(i32::try_from(trace.model_calls).unwrap_or(i32::MAX)),
            tool_calls: Set(i32::try_from(trace.tool_calls).unwrap_or(i32::MAX)),
            input_tokens: Set(signed(trace.usage.input_tokens)),
            output_tokens: Set(signed(trace.usage.output_tokens)),
            cost: Set(new.cost),
            elapsed_us: Set(signed(trace.elapsed_us)),
            question: Set(new.question.clone()),
            answer: Set(new.answer.clone()),
            trace: Set(serde_json::to_value(trace).map_err(Error::internal)?),
            used_knowledge: Set(trace.used_knowledge()),
            created_at: Set(self.0.db_now()),
        };
        // Its steps are long, and nobody wants them back.
        turn::Entity::insert(row)
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(())
    }

    /// A turn with its steps and what people made of it, where it is not somebody else's private
    /// matter.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, id: TurnId, viewer: TurnViewer) -> Result<Option<TurnDetails>> {
        let turn = self
            .0
            .find::<turn::Entity>()
            .filter(turn::Column::Id.eq(id.uuid()))
            .filter(visible(viewer));
        let row = without_trace(turn.clone()).one(&self.0.tx).await;
        let Some(row) = row.map_err(db)? else {
            return Ok(None);
        };
        let trace: Option<Json> = turn
            .select_only()
            .column(turn::Column::Trace)
            .into_tuple()
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        // What an older version wrote is read as far as it can be.
        let trace: Trace = serde_json::from_value(trace.unwrap_or_default()).unwrap_or_default();
        let feedback = self
            .0
            .find::<turn_feedback::Entity>()
            .filter(turn_feedback::Column::TurnId.eq(id.uuid()))
            .order_by_asc(turn_feedback::Column::CreatedAt)
            .order_by_asc(turn_feedback::Column::Author)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(Some(TurnDetails {
            summary: summary(row),
            trace,
            feedback: feedback.into_iter().map(opinion).collect(),
        }))
    }

    /// Newest first, what this viewer may see.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(
        &self,
        filter: &TurnFilter,
        viewer: TurnViewer,
        page: PageRequest,
    ) -> Result<Page<TurnSummary>> {
        use turn::Column;
        let mut select = self.0.find::<turn::Entity>().filter(visible(viewer));
        if let Some(agent) = filter.agent {
            select = select.filter(Column::AgentId.eq(agent.uuid()));
        }
        if let Some(conversation) = filter.conversation {
            select = select.filter(Column::ConversationId.eq(conversation.uuid()));
        }
        if let Some(degraded) = filter.degraded {
            select = select.filter(Column::Degraded.eq(degraded));
        }
        if let Some(responder) = &filter.responder {
            select = select.filter(Column::Responder.eq(responder));
        }
        if let Some(variant) = &filter.variant {
            select = select.filter(Column::Variant.eq(variant));
        }
        let rows = without_trace(newest_first(select, Column::Id, page))
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let found = rows.into_iter().map(summary).collect();
        Ok(Page::from_rows(found, page, |found: &TurnSummary| {
            found.id.uuid()
        }))
    }

    /// Keeps what somebody made of an answer; what they made of it before goes.
    ///
    /// # Errors
    /// When the database cannot be written, or there is no such turn.
    pub async fn put_feedback(
        &self,
        id: TurnId,
        author: &str,
        helpful: bool,
        reason: Option<&str>,
    ) -> Result<Feedback> {
        use turn_feedback::Column;
        let now = self.0.db_now();
        let row = turn_feedback::ActiveModel {
            tenant_id: Set(self.0.uuid()),
            turn_id: Set(id.uuid()),
            author: Set(author.to_owned()),
            helpful: Set(helpful),
            reason: Set(reason.map(str::to_owned)),
            created_at: Set(now),
            updated_at: Set(now),
        };
        let anew = OnConflict::columns([Column::TenantId, Column::TurnId, Column::Author])
            .update_columns([Column::Helpful, Column::Reason, Column::UpdatedAt])
            .to_owned();
        turn_feedback::Entity::insert(row)
            .on_conflict(anew)
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(Feedback {
            author: author.to_owned(),
            helpful,
            reason: reason.map(str::to_owned),
            updated_at: self.0.now(),
        })
    }
}

fn without_trace(select: Select<turn::Entity>) -> Selector<SelectModel<Row>> {
    let columns = turn::Column::iter().filter(|column| !matches!(column, turn::Column::Trace));
    select.select_only().columns(columns).into_model()
}

/// What this viewer may see: nobody else's private matter, and what customers said only where that
/// is allowed.
fn visible(viewer: TurnViewer) -> SimpleExpr {
    use turn::Column;
    let shared = Column::OwnerUserId.is_null();
    let own = match viewer.user {
        Some(user) => shared.or(Column::OwnerUserId.eq(user.uuid())),
        None => shared,
    };
    if viewer.customers {
        return own;
    }
    let nobodys = Column::LeadId
        .is_null()
        .and(Column::ConversationId.is_null());
    own.and(nobodys)
}

fn summary(row: Row) -> TurnSummary {
    TurnSummary {
        id: row.id.into(),
        agent_id: row.agent_id.into(),
        conversation_id: row.conversation_id.map(ConversationId::from_uuid),
        lead_id: row.lead_id.map(LeadId::from_uuid),
        actor: row.actor,
        variant: row.variant,
        intent: row.intent,
        specialist: row.specialist,
        responder: row.responder,
        prompt_source: row.prompt_source,
        grounded: row.grounded,
        degraded: row.degraded,
        escalated: row.escalated,
        model_calls: u32::try_from(row.model_calls).unwrap_or(0),
        tool_calls: u32::try_from(row.tool_calls).unwrap_or(0),
        input_tokens: unsigned(row.input_tokens),
        output_tokens: unsigned(row.output_tokens),
        cost_micros: row.cost,
        elapsed_ms: Duration::from_micros(unsigned(row.elapsed_us)).as_secs_f64() * 1000.0,
        question: row.question,
        answer: row.answer,
        created_at: from_db(row.created_at),
    }
}

fn opinion(row: turn_feedback::Model) -> Feedback {
    Feedback {
        author: row.author,
        helpful: row.helpful,
        reason: row.reason,
        updated_at: from_db(row.updated_at),
    }
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

pub(super) fn unsigned(count: i64) -> u64 {
    u64::try_from(count).unwrap_or(0)
}
