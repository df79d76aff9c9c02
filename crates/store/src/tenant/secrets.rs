use crate::TenantTx;
use crate::convert::from_db;
use crate::entity::secret;
use crate::error::db;
use quipu_core::access::SecretInfo;
use quipu_core::{Error, Result};
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Set};
use serde_json::json;

pub struct Secrets<'a>(pub(crate) &'a TenantTx);

/// A secret as it is stored: encrypted, with what may be shown of it.
#[derive(Clone, Debug)]
pub struct SealedSecret {
    pub name: String,
    pub sealed: Vec<u8>,
    pub mask: String,
    /// Where it may be sent besides its provider's own server; `None` leaves that as it is.
    pub origins: Option<Vec<String>>,
}

/// What is needed to use a secret.
#[derive(Clone, Debug)]
pub struct StoredSecret {
    pub sealed: Vec<u8>,
    pub origins: Vec<String>,
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
            origins: Set(json!(new.origins.clone().unwrap_or_default())),
            created_at: Set(now),
            updated_at: Set(now),
        };
        let mut replaced = vec![
            secret::Column::Sealed,
            secret::Column::Mask,
            secret::Column::UpdatedAt,
        ];
        // Whoever renews a key says nothing of the servers that it is for.
        if new.origins.is_some() {
            replaced.push(secret::Column::Origins);
        }
        let replace = OnConflict::columns([secret::Column::TenantId, secret::Column::Name])
            .update_columns(replaced)
            .to_owned();
        secret::Entity::insert(row)
            .on_conflict(replace)
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        let stored = self.row(&new.name).await?;
        stored
            .map(info)
            .ok_or_else(|| Error::internal("a secret vanished while it was written"))
    }

    /// Says where a secret may be sent besides its provider's own server. `None` when there is no
    /// such secret.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn bind(&self, name: &str, origins: &[String]) -> Result<Option<SecretInfo>> {
        let done = self
            .0
            .update::<secret::Entity>()
            .filter(secret::Column::Name.eq(name))
            .col_expr(secret::Column::Origins, Expr::value(json!(origins)))
            .col_expr(secret::Column::UpdatedAt, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        if done.rows_affected == 0 {
            return Ok(None);
        }
        Ok(self.row(name).await?.map(info))
    }

    async fn row(&self, name: &str) -> Result<Option<secret::Model>> {
        self.0
            .find::<secret::Entity>()
            .filter(secret::Column::Name.eq(name))
            .one(&self.0.tx)
            .await
            .map_err(db)
    }

    /// The encrypted value, and where it may be sent.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn find_sealed(&self, name: &str) -> Result<Option<StoredSecret>> {
        let read = async {
            Ok(self.row(name).await?.map(|row| StoredSecret {
                origins: origins(&row),
                sealed: row.sealed,
            }))
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
        Ok(rows.into_iter().map(info).collect())
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

fn info(row: secret::Model) -> SecretInfo {
    SecretInfo {
        origins: origins(&row),
        name: row.name,
        mask: row.mask,
        updated_at: from_db(row.updated_at),
    }
}

fn origins(row: &secret::Model) -> Vec<String> {
    let list = row.origins.as_array().into_iter().flatten();
    list.filter_map(|origin| origin.as_str().map(str::to_owned))
        .collect()
}
