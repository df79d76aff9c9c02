use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "knowledge_bases")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) tenant_id: Uuid,
    pub(crate) name: String,
    pub(crate) scope: String,
    pub(crate) agent_id: Option<Uuid>,
    pub(crate) owner_user_id: Option<Uuid>,
    pub(crate) language: String,
    pub(crate) status: String,
    pub(crate) last_queried_at: Option<DateTimeUtc>,
    pub(crate) created_at: DateTimeUtc,
    pub(crate) updated_at: DateTimeUtc,
    pub(crate) description: Option<String>,
    pub(crate) chunking: Json,
    pub(crate) embedding: Json,
    pub(crate) tokens_used: i64,
    pub(crate) created_by: Option<String>,
    pub(crate) index_version: i64,
    pub(crate) searched_with: Json,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
