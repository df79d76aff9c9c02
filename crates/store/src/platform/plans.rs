use crate::PlatformTx;
use crate::entity::{plan, tenant};
use crate::error::db;
use quipu_core::plan::{Plan, PlanLimits};
use quipu_core::{Error, ErrorCode, Result};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, Set};

pub struct Plans<'a>(pub(crate) &'a PlatformTx);

impl Plans<'_> {
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(&self) -> Result<Vec<Plan>> {
        plan::Entity::find()
            .order_by_asc(plan::Column::Slug)
            .all(&self.0.tx)
            .await
            .map_err(db)?
            .into_iter()
            .map(into_plan)
            .collect()
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, slug: &str) -> Result<Option<Plan>> {
        let row = plan::Entity::find_by_id(slug)
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        row.map(into_plan).transpose()
    }

    /// Makes the plan, or changes the one with its slug.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn put(&self, new: &Plan) -> Result<()> {
        self.write(
            new,
            OnConflict::column(plan::Column::Slug)
                .update_columns([
                    plan::Column::Name,
                    plan::Column::Limits,
                    plan::Column::UpdatedAt,
                ])
                .to_owned(),
        )
        .await
    }

    /// Makes the plan unless one with its slug exists.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn add_missing(&self, new: &Plan) -> Result<()> {
        self.write(
            new,
            OnConflict::column(plan::Column::Slug)
                .do_nothing()
                .to_owned(),
        )
        .await
    }

    /// # Errors
    /// `PLAN_IN_USE` while a tenant has it.
    pub async fn delete(&self, slug: &str) -> Result<bool> {
        let users = tenant::Entity::find()
            .filter(tenant::Column::Plan.eq(slug))
            .count(&self.0.tx)
            .await
            .map_err(db)?;
        if users > 0 {
            return Err(Error::new(ErrorCode::PlanInUse).with("tenants", users));
        }
        let done = plan::Entity::delete_by_id(slug)
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    async fn write(&self, new: &Plan, on_conflict: OnConflict) -> Result<()> {
        let row = plan::ActiveModel {
            slug: Set(new.slug.clone()),
            name: Set(new.name.clone()),
            limits: Set(serde_json::to_value(&new.limits).map_err(Error::internal)?),
            created_at: Set(self.0.db_now()),
            updated_at: Set(self.0.db_now()),
        };
        plan::Entity::insert(row)
            .on_conflict(on_conflict)
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(())
    }
}

pub(crate) fn into_plan(row: plan::Model) -> Result<Plan> {
    let limits: PlanLimits = serde_json::from_value(row.limits).map_err(Error::internal)?;
    Ok(Plan {
        slug: row.slug,
        name: row.name,
        limits,
    })
}
