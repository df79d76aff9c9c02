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
    pub(crate) preview: String,
    pub(crate) content_hash: String,
    pub(crate) size_bytes: i64,
    pub(crate) chunks_count: i32,
    pub(crate) error_message: Option<String>,
    pub(crate) created_by: String,
    pub(crate) created_at: DateTimeUtc,
    pub(crate) updated_at: DateTimeUtc,
    pub(crate) filename: Option<String>,
    pub(crate) file_type: Option<String>,
    pub(crate) source_url: Option<String>,
    pub(crate) storage_path: Option<String>,
    pub(crate) storage_version: i32,
    pub(crate) stage: Option<String>,
    pub(crate) progress: i32,
    pub(crate) pages_count: Option<i32>,
    pub(crate) tokens_count: i64,
    pub(crate) author: Option<String>,
    pub(crate) document_date: Option<String>,
    pub(crate) category: Option<String>,
    pub(crate) metadata: Json,
    pub(crate) enabled: bool,
    pub(crate) generation: i32,
    pub(crate) building: Option<i32>,
    pub(crate) building_chunks: i32,
    pub(crate) runs: i32,
    pub(crate) error_code: Option<String>,
    pub(crate) business_type: Option<String>,
    pub(crate) business_id: Option<String>,
    pub(crate) processing_started_at: Option<DateTimeUtc>,
    pub(crate) processing_completed_at: Option<DateTimeUtc>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
