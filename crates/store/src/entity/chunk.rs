use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "chunks")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) tenant_id: Uuid,
    pub(crate) knowledge_base_id: Uuid,
    pub(crate) document_id: Uuid,
    pub(crate) generation: i32,
    pub(crate) chunk_index: i32,
    pub(crate) content: String,
    pub(crate) content_tokens: i32,
    pub(crate) start_char: i32,
    pub(crate) end_char: i32,
    pub(crate) page_number: Option<i32>,
    pub(crate) pages: Json,
    pub(crate) headings: Json,
    pub(crate) created_at: DateTimeUtc,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
