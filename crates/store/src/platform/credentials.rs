use crate::PlatformTx;
use crate::convert::{from_db, to_db};
use crate::entity::{api_key, secret};
use crate::error::db;
use crate::tenant::into_api_key;
use quipu_core::access::ApiKey;
use quipu_core::{ApiKeyId, Result, TenantId, Timestamp};
use sea_orm::sea_query::{Expr, SimpleExpr};
use sea_orm::{ColumnTrait, Condition, EntityTrait, QueryFilter};

/// Credentials that tell which tenant is meant, and so must be read before one is known.
pub struct Credentials<'a>(pub(crate) &'a PlatformTx);

/// A key that was presented, and the tenant it opens.
#[derive(Clone, Debug)]
pub struct KeyHolder {
    pub tenant: TenantId,
    pub key: ApiKey,
    /// The key that a person made, of which this one descends: often itself.
    pub root: ApiKeyId,
}

impl Credentials<'_> {
    /// The key with this hash, unless it was revoked or has expired.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn find_live_key(&self, key_hash: &str) -> Result<Option<KeyHolder>> {
        self.live_key(api_key::Column::KeyHash.eq(key_hash)).await
    }

    /// The key with this id, unless it was revoked or has expired.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn find_live_key_by_id(&self, id: ApiKeyId) -> Result<Option<KeyHolder>> {
        self.live_key(api_key::Column::Id.eq(id.uuid())).await
    }

    async fn live_key(&self, which: SimpleExpr) -> Result<Option<KeyHolder>> {
        let row = api_key::Entity::find()
            .filter(which)
            .filter(api_key::Column::RevokedAt.is_null())
            .filter(
                Condition::any()
                    .add(api_key::Column::ExpiresAt.is_null())
                    .add(api_key::Column::ExpiresAt.gt(self.0.db_now())),
            )
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        let Some(row) = row else {
            return Ok(None);
        };
        Ok(Some(KeyHolder {
            tenant: row.tenant_id.into(),
            root: self.root_of(&row).await?,
            key: into_api_key(row),
        }))
    }

    async fn root_of(&self, key: &api_key::Model) -> Result<ApiKeyId> {
        let (mut root, mut maker) = (key.id, key.made_with);
        while let Some(id) = maker {
            let row = api_key::Entity::find_by_id(id).one(&self.0.tx).await;
            let Some(row) = row.map_err(db)? else {
                break;
            };
            (root, maker) = (row.id, row.made_with);
        }
        Ok(root.into())
    }

    /// Remembers when the key was last used.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn touch_key(&self, id: ApiKeyId, at: Timestamp) -> Result<()> {
        api_key::Entity::update_many()
            .filter(api_key::Column::Id.eq(id.uuid()))
            .col_expr(api_key::Column::LastUsedAt, Expr::value(to_db(at)))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(())
    }

    /// Any encrypted secret, to see whether the master key is the one they were sealed with.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn any_sealed_secret(&self) -> Result<Option<(TenantId, String, Vec<u8>)>> {
        let row = secret::Entity::find().one(&self.0.tx).await.map_err(db)?;
        Ok(row.map(|row| (row.tenant_id.into(), row.name, row.sealed)))
    }

    /// A tenant's encrypted secret and when it was stored, for checking a shared secret.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn find_sealed_secret(
        &self,
        tenant: TenantId,
        name: &str,
    ) -> Result<Option<(Vec<u8>, Timestamp)>> {
        let row = secret::Entity::find_by_id((tenant.uuid(), name.to_owned()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(row.map(|row| (row.sealed, from_db(row.updated_at))))
    }
}
