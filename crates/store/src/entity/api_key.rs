use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "api_keys")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) tenant_id: Uuid,
    pub(crate) name: String,
    pub(crate) prefix: String,
    pub(crate) key_hash: String,
    pub(crate) scopes: Json,
    pub(crate) created_by: Option<Uuid>,
    pub(crate) created_at: DateTimeUtc,
    pub(crate) expires_at: Option<DateTimeUtc>,
    pub(crate) last_used_at: Option<DateTimeUtc>,
    pub(crate) revoked_at: Option<DateTimeUtc>,
    pub(crate) made_with: Option<Uuid>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
