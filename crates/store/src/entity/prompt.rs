use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "prompts")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) agent_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) medium: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) language: String,
    pub(crate) hash: String,
    pub(crate) tokens: i32,
    pub(crate) polished: Option<String>,
    pub(crate) polished_hash: Option<String>,
    pub(crate) refused: Option<String>,
    pub(crate) regenerations: i64,
    pub(crate) updated_at: DateTimeUtc,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
