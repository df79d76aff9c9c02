use crate::TenantTx;
use crate::convert::{from_db, to_db};
use crate::entity::api_key;
use crate::error::db;
use crate::tx::newest_first;
use quipu_core::access::{ApiKey, Permission};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{ApiKeyId, Result, Timestamp, UserId};
use sea_orm::sea_query::Expr;
use sea_orm::{ActiveModelTrait, ColumnTrait, QueryFilter, Set};

pub struct ApiKeys<'a>(pub(crate) &'a TenantTx);

#[derive(Clone, Debug)]
pub struct NewApiKey {
    pub name: String,
    pub prefix: String,
    pub key_hash: String,
    pub scopes: Vec<Permission>,
    pub created_by: Option<UserId>,
    pub expires_at: Option<Timestamp>,
    /// The key that it was made with, if it was one.
    pub made_with: Option<ApiKeyId>,
}

impl ApiKeys<'_> {
    /// # Errors
    /// When the database cannot be written.
    pub async fn insert(&self, new: &NewApiKey) -> Result<ApiKey> {
        let id = ApiKeyId::generate(self.0.now());
        let row = api_key::ActiveModel {
            id: Set(id.uuid()),
            tenant_id: Set(self.0.uuid()),
            name: Set(new.name.clone()),
            prefix: Set(new.prefix.clone()),
            key_hash: Set(new.key_hash.clone()),
            scopes: Set(serde_json::json!(new.scopes)),
            created_by: Set(new.created_by.map(UserId::uuid)),
            created_at: Set(self.0.db_now()),
            expires_at: Set(new.expires_at.map(to_db)),
            last_used_at: Set(None),
            revoked_at: Set(None),
            made_with: Set(new.made_with.map(ApiKeyId::uuid)),
        }
        .insert(&self.0.tx)
        .await
        .map_err(db)?;
        Ok(into_api_key(row))
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, id: ApiKeyId) -> Result<Option<ApiKey>> {
        let row = self
            .0
            .find::<api_key::Entity>()
            .filter(api_key::Column::Id.eq(id.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(row.map(into_api_key))
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn list(&self, page: PageRequest) -> Result<Page<ApiKey>> {
        let rows = newest_first(self.0.find::<api_key::Entity>(), api_key::Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let keys = rows.into_iter().map(into_api_key).collect();
        Ok(Page::from_rows(keys, page, |k: &ApiKey| k.id.uuid()))
    }

    /// The live keys that somebody made.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn live_of(&self, maker: UserId) -> Result<Vec<ApiKeyId>> {
        let rows = self.0.find::<api_key::Entity>();
        let rows = rows
            .filter(api_key::Column::CreatedBy.eq(maker.uuid()))
            .filter(api_key::Column::RevokedAt.is_null())
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(rows.iter().map(|row| ApiKeyId::from_uuid(row.id)).collect())
    }

    /// Revokes the key for good, with those that were made with it, and those that were made with
    /// these. Returns which were live until now, or `None` when there is no such key.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn revoke(&self, id: ApiKeyId) -> Result<Option<Vec<ApiKeyId>>> {
        if self.find(id).await?.is_none() {
            return Ok(None);
        }
        let mut revoked = Vec::new();
        let mut next = vec![id.uuid()];
        // A key is made with one that was there before, so that this comes to an end.
        while !next.is_empty() {
            let live = self.0.find::<api_key::Entity>();
            let live = live
                .filter(api_key::Column::Id.is_in(next.clone()))
                .filter(api_key::Column::RevokedAt.is_null())
                .all(&self.0.tx)
                .await
                .map_err(db)?;
            revoked.extend(live.iter().map(|row| ApiKeyId::from_uuid(row.id)));
            self.0
                .update::<api_key::Entity>()
                .filter(api_key::Column::Id.is_in(next.clone()))
                .filter(api_key::Column::RevokedAt.is_null())
                .col_expr(api_key::Column::RevokedAt, Expr::value(self.0.db_now()))
                .exec(&self.0.tx)
                .await
                .map_err(db)?;
            let made = self.0.find::<api_key::Entity>();
            let made = made
                .filter(api_key::Column::MadeWith.is_in(next))
                .all(&self.0.tx)
                .await
                .map_err(db)?;
            next = made.into_iter().map(|row| row.id).collect();
        }
        Ok(Some(revoked))
    }
}

pub(crate) fn into_api_key(row: api_key::Model) -> ApiKey {
    ApiKey {
        id: row.id.into(),
        name: row.name,
        prefix: row.prefix,
        // A scope that no longer exists is dropped: a key never means more than it says.
        scopes: row
            .scopes
            .as_array()
            .map(|list| {
                list.iter()
                    .filter_map(|s| s.as_str())
                    .filter_map(Permission::parse)
                    .collect()
            })
            .unwrap_or_default(),
        created_by: row.created_by.map(UserId::from_uuid),
        created_at: from_db(row.created_at),
        expires_at: row.expires_at.map(from_db),
        last_used_at: row.last_used_at.map(from_db),
        revoked_at: row.revoked_at.map(from_db),
    }
}
