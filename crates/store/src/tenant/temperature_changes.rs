use crate::TenantTx;
use crate::convert::from_db;
use crate::entity::temperature_change;
use crate::error::db;
use crate::tx::newest_first;
use quipu_core::lead::{Temperature, TemperatureChange};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{AuditId, LeadId, Result, TurnId};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, Set};

/// How close leads were to buying, each time that changed.
pub struct TemperatureChanges<'a>(pub(crate) &'a TenantTx);

/// Who changed it, as the audit log calls them, and in which turn, where it was an agent.
#[derive(Clone, Copy, Debug)]
pub struct TemperatureCause<'a> {
    pub actor: &'a str,
    pub turn: Option<TurnId>,
}

impl<'a> TemperatureCause<'a> {
    /// A person or a program, of their own accord.
    #[must_use]
    pub const fn by(actor: &'a str) -> Self {
        Self { actor, turn: None }
    }
}

impl TemperatureChanges<'_> {
    /// Notes a change; what stays as it was is none.
    ///
    /// # Errors
    /// When the database cannot be written, or there is no such lead.
    pub async fn add(
        &self,
        lead: LeadId,
        before: Option<Temperature>,
        after: Option<Temperature>,
        cause: TemperatureCause<'_>,
    ) -> Result<()> {
        if before == after {
            return Ok(());
        }
        let word = |temperature: Option<Temperature>| temperature.map(|it| it.as_str().to_owned());
        let row = temperature_change::ActiveModel {
            id: Set(AuditId::generate(self.0.now()).uuid()),
            tenant_id: Set(self.0.uuid()),
            lead_id: Set(lead.uuid()),
            temperature_before: Set(word(before)),
            temperature_after: Set(word(after)),
            actor: Set(cause.actor.to_owned()),
            turn_id: Set(cause.turn.map(TurnId::uuid)),
            created_at: Set(self.0.db_now()),
        };
        temperature_change::Entity::insert(row)
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(())
    }

    /// Those of a lead, newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(&self, lead: LeadId, page: PageRequest) -> Result<Page<TemperatureChange>> {
        use temperature_change::Column;
        let select = self
            .0
            .find::<temperature_change::Entity>()
            .filter(Column::LeadId.eq(lead.uuid()));
        let rows = newest_first(select, Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let read = |word: Option<String>| word.as_deref().and_then(Temperature::parse);
        let changes = rows.into_iter().map(|row| TemperatureChange {
            id: row.id,
            before: read(row.temperature_before),
            after: read(row.temperature_after),
            actor: row.actor,
            turn_id: row.turn_id.map(TurnId::from_uuid),
            at: from_db(row.created_at),
        });
        Ok(Page::from_rows(changes.collect(), page, |change| change.id))
    }
}
