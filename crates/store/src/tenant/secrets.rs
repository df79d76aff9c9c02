use crate::TenantTx;
use crate::convert::from_db;
use crate::entity::secret;
use crate::error::db;
use quipu_core::Result;
use quipu_core::access::SecretInfo;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Set};

pub struct Secrets<'a>(pub(crate) &'a TenantTx);

/// A secret as it is stored: encrypted, with what may be shown of it.
#[derive(Clone, Debug)]
pub struct SealedSecret {
    pub name: String,
    pub sealed: Vec<u8>,
    pub mask: String,
}

impl Secrets<'_> {
    /// Stores the secret, in the place of an older one of the same name.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn put(&self, new: &SealedSecret) -> Result<SecretInfo> {
        let now = self.0.db_now();
        let row = secret::ActiveModel {
            tenant_id: Set(self.0.uuid()),
            name: Set(new.name.clone()),
            sealed: Set(new.sealed.clone()),
            mask: Set(new.mask.clone()),
            created_at: Set(now),
            updated_at: Set(now),
        };
        let replace = OnConflict::columns([secret::Column::TenantId, secret::Column::Name])
            .update_columns([
                secret::Column::Sealed,
                secret::Column::Mask,
                secret::Column::UpdatedAt,
            ])
            .to_owned();
        secret::Entity::insert(row)
            .on_conflict(replace)
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(SecretInfo {
            name: new.name.clone(),
            mask: new.mask.clone(),
            updated_at: self.0.now(),
        })
    }

    /// The encrypted value.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn find_sealed(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let read = async {
            let row = self
                .0
                .find::<secret::Entity>()
                .filter(secret::Column::Name.eq(name))
                .one(&self.0.tx)
                .await
                .map_err(db)?;
            Ok(row.map(|row| row.sealed))
        };
        let name = format!("secret {name}");
        Ok(Option::clone(&*self.0.kept(name, read).await?))
    }

    /// All of them, by name. A tenant has a few dozen at most; the listing is bounded anyway.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(&self) -> Result<Vec<SecretInfo>> {
        let rows = self
            .0
            .find::<secret::Entity>()
            .order_by_asc(secret::Column::Name)
            .limit(1000)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(rows
            .into_iter()
            .map(|row| SecretInfo {
                name: row.name,
                mask: row.mask,
                updated_at: from_db(row.updated_at),
            })
            .collect())
    }

    /// # Errors
    /// When the database cannot be written.
    pub async fn delete(&self, name: &str) -> Result<bool> {
        let done = self
            .0
            .delete::<secret::Entity>()
            .filter(secret::Column::Name.eq(name))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }
}
