use super::Within;
use crate::TenantTx;
use crate::convert::{from_db, to_db};
use crate::entity::{gap_decision, turn, turn_feedback};
use crate::error::db;
use chrono::{DateTime, Utc};
use quipu_core::agent::Intent;
use quipu_core::gap::{AskedInVain, GapDecision, GapReason, GapStatus};
use quipu_core::{ConversationId, Error, LeadId, Result, TurnId};
use sea_orm::sea_query::{ExprTrait, OnConflict};
use sea_orm::{
    ColumnTrait, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    Set,
};
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// What was asked in vain, and what was decided about it.
pub struct Gaps<'a>(pub(crate) &'a TenantTx);

/// Messages that ask for what somebody may know. Others want something done, or say hello.
pub(super) const ASKING: [Intent; 7] = [
    Intent::Pricing,
    Intent::Location,
    Intent::Hours,
    Intent::Faq,
    Intent::Urgent,
    Intent::Loyalty,
    Intent::General,
];

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    agent_id: Uuid,
    conversation_id: Option<Uuid>,
    lead_id: Option<Uuid>,
    question: String,
    created_at: DateTime<Utc>,
}

impl Gaps<'_> {
    /// The newest that were asked in vain, oldest first. What is somebody's private matter is not
    /// among them.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn asked(&self, within: Within, most: u64) -> Result<Vec<AskedInVain>> {
        use turn::Column;
        let unhelpful = self
            .0
            .find::<turn_feedback::Entity>()
            .filter(turn_feedback::Column::Helpful.eq(false))
            .select_only()
            .column(turn_feedback::Column::TurnId)
            .into_query();
        // What failed says nothing of what is known.
        let unanswered = Column::Grounded
            .eq(false)
            .and(Column::Degraded.eq(false))
            .and(Column::Intent.is_in(ASKING.map(Intent::as_str)));
        let mut select = self
            .0
            .find::<turn::Entity>()
            .filter(Column::OwnerUserId.is_null())
            .filter(Column::CreatedAt.gte(to_db(within.from)))
            .filter(Column::CreatedAt.lte(to_db(within.to)))
            .filter(unanswered.or(Column::Id.in_subquery(unhelpful)));
        if let Some(agent) = within.agent {
            select = select.filter(Column::AgentId.eq(agent.uuid()));
        }
        let rows: Vec<Row> = select
            .order_by_desc(Column::Id)
            .limit(most)
            .select_only()
            .columns([
                Column::Id,
                Column::AgentId,
                Column::ConversationId,
                Column::LeadId,
                Column::Question,
                Column::CreatedAt,
            ])
            .into_model()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
        let disliked = self.disliked(&ids).await?;
        let mut decisions = self.decisions(&ids).await?;
        let asked = rows.into_iter().rev().map(|row| AskedInVain {
            turn_id: row.id.into(),
            agent_id: row.agent_id.into(),
            conversation_id: row.conversation_id.map(ConversationId::from_uuid),
            lead_id: row.lead_id.map(LeadId::from_uuid),
            question: row.question,
            reason: if disliked.contains(&row.id) {
                GapReason::Unhelpful
            } else {
                GapReason::Unanswered
            },
            asked_at: from_db(row.created_at),
            decision: decisions.remove(&row.id),
        });
        Ok(asked.collect())
    }

    async fn disliked(&self, turns: &[Uuid]) -> Result<HashSet<Uuid>> {
        use turn_feedback::Column;
        let found: Vec<Uuid> = self
            .0
            .find::<turn_feedback::Entity>()
            .filter(Column::Helpful.eq(false))
            .filter(Column::TurnId.is_in(turns.iter().copied()))
            .select_only()
            .column(Column::TurnId)
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(found.into_iter().collect())
    }

    async fn decisions(&self, turns: &[Uuid]) -> Result<HashMap<Uuid, GapDecision>> {
        let rows = self
            .0
            .find::<gap_decision::Entity>()
            .filter(gap_decision::Column::TurnId.is_in(turns.iter().copied()))
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        rows.into_iter()
            .map(|row| {
                let status = GapStatus::parse(&row.status)
                    .ok_or_else(|| Error::internal("a gap has a status that is none"))?;
                let decision = GapDecision {
                    status,
                    faq_id: row.faq_id,
                    by: row.decided_by,
                    at: from_db(row.decided_at),
                };
                Ok((row.turn_id, decision))
            })
            .collect()
    }

    /// The frequent question of whatever was decided last about these.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn faq_of(&self, turns: &[TurnId]) -> Result<Option<Uuid>> {
        use gap_decision::Column;
        let last: Option<Option<Uuid>> = self
            .0
            .find::<gap_decision::Entity>()
            .filter(Column::TurnId.is_in(turns.iter().map(|turn| turn.uuid())))
            .order_by_desc(Column::DecidedAt)
            .select_only()
            .column(Column::FaqId)
            .into_tuple()
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(last.flatten())
    }

    /// Keeps what somebody decided about these, in the place of what was decided before.
    ///
    /// # Errors
    /// When the database cannot be written, or there is no such turn.
    pub async fn decide(&self, turns: &[TurnId], decision: &GapDecision) -> Result<()> {
        use gap_decision::Column;
        if turns.is_empty() {
            return Ok(());
        }
        let rows = turns.iter().map(|turn| gap_decision::ActiveModel {
            tenant_id: Set(self.0.uuid()),
            turn_id: Set(turn.uuid()),
            status: Set(decision.status.as_str().to_owned()),
            faq_id: Set(decision.faq_id),
            decided_by: Set(decision.by.clone()),
            decided_at: Set(to_db(decision.at)),
        });
        let again = OnConflict::columns([Column::TenantId, Column::TurnId])
            .update_columns([
                Column::Status,
                Column::FaqId,
                Column::DecidedBy,
                Column::DecidedAt,
            ])
            .to_owned();
        gap_decision::Entity::insert_many(rows)
            .on_conflict(again)
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(())
    }
}
