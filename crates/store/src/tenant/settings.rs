use crate::TenantTx;
use crate::entity::business_setting;
use crate::error::db;
use quipu_core::{Error, Result};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, Set};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What there is one of in each business.
pub struct Settings<'a>(pub(crate) &'a TenantTx);

impl Settings<'_> {
    /// # Errors
    /// When the database cannot be read.
    pub async fn get<T>(&self, name: &str) -> Result<Option<T>>
    where
        T: DeserializeOwned + Clone + Send + Sync + 'static,
    {
        let read = async {
            let row = self
                .0
                .find::<business_setting::Entity>()
                .filter(business_setting::Column::Name.eq(name))
                .one(&self.0.tx)
                .await
                .map_err(db)?;
            row.map(|row| serde_json::from_value(row.data).map_err(Error::internal))
                .transpose()
        };
        Ok(Option::clone(&*self.0.kept(name.to_owned(), read).await?))
    }

    /// # Errors
    /// When the database cannot be written.
    pub async fn put<T: Serialize + Sync>(&self, name: &str, data: &T) -> Result<()> {
        use business_setting::Column;
        let row = business_setting::ActiveModel {
            tenant_id: Set(self.0.uuid()),
            name: Set(name.to_owned()),
            data: Set(serde_json::to_value(data).map_err(Error::internal)?),
            updated_at: Set(self.0.db_now()),
        };
        let anew = OnConflict::columns([Column::TenantId, Column::Name])
            .update_columns([Column::Data, Column::UpdatedAt])
            .to_owned();
        business_setting::Entity::insert(row)
            .on_conflict(anew)
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(())
    }
}
