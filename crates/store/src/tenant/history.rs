use super::Within;
use crate::TenantTx;
use crate::convert::{from_db, to_db};
use crate::entity::{conversation, history};
use crate::error::db;
use quipu_core::history::{HistoryEntry, Subject};
use quipu_core::page::fitting;
use quipu_core::turn::HandoffWait;
use quipu_core::{AuditId, Result};
use sea_orm::prelude::DateTimeUtc;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Set,
};
use std::collections::HashMap;
use std::time::Duration;
use uuid::Uuid;

/// How much of a history is told.
const MOST: u64 = 500;
/// How many hand-offs are looked at.
const MOST_EVENTS: u64 = 20_000;
/// Nobody waits longer for a person than this.
const LONGEST_WAIT: Duration = Duration::from_hours(24 * 7);

const REQUESTED: &str = "handoff_requested";
const TAKEN: &str = "handoff_taken";
const RELEASED: &str = "handoff_released";

/// What happened to appointments, orders, conversations and requests.
pub struct History<'a>(pub(crate) &'a TenantTx);

impl History<'_> {
    /// # Errors
    /// When the database cannot be written.
    pub async fn add(
        &self,
        subject: Subject,
        id: Uuid,
        action: &str,
        actor: &str,
        details: serde_json::Value,
    ) -> Result<()> {
        history::ActiveModel {
            id: Set(AuditId::generate(self.0.now()).uuid()),
            tenant_id: Set(self.0.uuid()),
            subject: Set(subject.as_str().to_owned()),
            subject_id: Set(id),
            action: Set(action.to_owned()),
            actor: Set(actor.to_owned()),
            details: Set(details),
            created_at: Set(self.0.db_now()),
        }
        .insert(&self.0.tx)
        .await
        .map_err(db)?;
        Ok(())
    }

    /// How long customers waited for the person they had asked for, of those who took over within a
    /// time: of the newest of them, where there are very many.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn handoff_waits(&self, within: Within) -> Result<Vec<HandoffWait>> {
        use history::Column;
        let asked_since = within.from.saturating_sub(LONGEST_WAIT).unwrap_or_default();
        let mut select = self
            .0
            .find::<history::Entity>()
            .filter(Column::Subject.eq(Subject::Conversation.as_str()))
            .filter(Column::Action.is_in([REQUESTED, TAKEN, RELEASED]))
            .filter(Column::CreatedAt.gte(to_db(asked_since)))
            .filter(Column::CreatedAt.lt(to_db(within.to)));
        if let Some(agent) = within.agent {
            let theirs = self
                .0
                .find::<conversation::Entity>()
                .filter(conversation::Column::AgentId.eq(agent.uuid()))
                .select_only()
                .column(conversation::Column::Id);
            select = select.filter(Column::SubjectId.in_subquery(theirs.into_query()));
        }
        let happened: Vec<(Uuid, String, DateTimeUtc)> = select
            .order_by_desc(Column::Id)
            .limit(MOST_EVENTS)
            .select_only()
            .columns([Column::SubjectId, Column::Action, Column::CreatedAt])
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let mut asked = HashMap::new();
        let mut waits = Vec::new();
        for (conversation, action, at) in happened.into_iter().rev() {
            let at = from_db(at);
            if action == REQUESTED {
                asked.entry(conversation).or_insert(at);
                continue;
            }
            // Whoever takes over unasked kept nobody waiting.
            let Some(since) = asked.remove(&conversation) else {
                continue;
            };
            if action == TAKEN && at >= within.from {
                let waited = at.duration_since(since).unsigned_abs();
                waits.push(HandoffWait {
                    taken_at: at,
                    waited,
                });
            }
        }
        Ok(waits)
    }

    /// The latest of it, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn of(&self, subject: Subject, id: Uuid) -> Result<Vec<HistoryEntry>> {
        let rows = self
            .0
            .find::<history::Entity>()
            .filter(history::Column::Subject.eq(subject.as_str()))
            .filter(history::Column::SubjectId.eq(id))
            .order_by_desc(history::Column::Id)
            .limit(MOST)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let entry = |row: history::Model| HistoryEntry {
            action: row.action,
            actor: row.actor,
            details: row.details,
            at: from_db(row.created_at),
        };
        let mut entries: Vec<HistoryEntry> = rows.into_iter().map(entry).collect();
        entries.truncate(fitting(&entries));
        entries.reverse();
        Ok(entries)
    }
}
