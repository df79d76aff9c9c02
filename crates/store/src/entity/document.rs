use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "documents")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) tenant_id: Uuid,
    pub(crate) knowledge_base_id: Uuid,
    pub(crate) title: Option<String>,
    pub(crate) source: String,
    pub(crate) status: String,
    pub(crate) content: String,
    pub(crate) preview: String,
    pub(crate) content_hash: String,
    pub(crate) size_bytes: i64,
    pub(crate) chunks_count: i32,
    pub(crate) error_message: Option<String>,
    pub(crate) created_by: String,
    pub(crate) created_at: DateTimeUtc,
    pub(crate) updated_at: DateTimeUtc,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
