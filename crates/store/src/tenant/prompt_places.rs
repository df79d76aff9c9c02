use crate::TenantTx;
use crate::entity::{catalogue_item, prompt_place};
use crate::error::db;
use quipu_commerce::business::{CatalogueItem, Instruction, PromptPlace, PromptRoom};
use quipu_core::{Error, Result};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Set};
use uuid::Uuid;

/// The places in every prompt, of which there are few.
pub struct PromptPlaces<'a>(pub(crate) &'a TenantTx);

impl PromptPlaces<'_> {
    /// Who has a place.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn room(&self) -> Result<PromptRoom> {
        let rows = self
            .0
            .find::<prompt_place::Entity>()
            .order_by_asc(prompt_place::Column::Place)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let place = |row: prompt_place::Model| PromptPlace {
            place: u8::try_from(row.place).unwrap_or(u8::MAX),
            instruction: row.instruction_id,
            tokens: u32::try_from(row.tokens).unwrap_or(0),
        };
        Ok(PromptRoom::new(rows.into_iter().map(place).collect()))
    }

    /// Gives an instruction a place, or its place the new size of it. The tenant is held until the
    /// transaction ends, so that two at once do not both take the last tokens; the same place they
    /// cannot both have, whoever forgets the lock.
    ///
    /// # Errors
    /// `PROMPT_FULL` or `PROMPT_TOKENS_EXCEEDED`, with the limit and what there is.
    pub async fn take(&self, instruction: Uuid, tokens: u32) -> Result<()> {
        use prompt_place::Column;
        self.0.profile().lock_plan().await?;
        let taken = self.room().await?.take(instruction, tokens)?;
        let row = prompt_place::ActiveModel {
            tenant_id: Set(self.0.uuid()),
            place: Set(i32::from(taken.place)),
            instruction_id: Set(instruction),
            tokens: Set(i32::try_from(taken.tokens).map_err(Error::internal)?),
        };
        let anew = OnConflict::columns([Column::TenantId, Column::InstructionId])
            .update_column(Column::Tokens)
            .to_owned();
        prompt_place::Entity::insert(row)
            .on_conflict(anew)
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(())
    }

    /// Whether there was a place to give back.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn release(&self, instruction: Uuid) -> Result<bool> {
        let done = self
            .0
            .delete::<prompt_place::Entity>()
            .filter(prompt_place::Column::InstructionId.eq(instruction))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// What agents are told in every turn, the most important first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn critical(&self) -> Result<Vec<Instruction>> {
        let read = async {
            let places = self
                .0
                .find::<prompt_place::Entity>()
                .select_only()
                .column(prompt_place::Column::InstructionId)
                .into_query();
            let rows = self
                .0
                .find::<catalogue_item::Entity>()
                .filter(catalogue_item::Column::Kind.eq(Instruction::KIND.as_str()))
                .filter(catalogue_item::Column::Active.eq(true))
                .filter(catalogue_item::Column::Id.in_subquery(places))
                .order_by_asc(catalogue_item::Column::Position)
                .order_by_asc(catalogue_item::Column::NameKey)
                .all(&self.0.tx)
                .await
                .map_err(db)?;
            rows.into_iter()
                .map(|row| serde_json::from_value(row.data).map_err(Error::internal))
                .collect::<Result<Vec<Instruction>>>()
        };
        let critical = self.0.kept("critical".to_owned(), read).await?;
        Ok(Vec::clone(&critical))
    }
}
