use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "websites")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) tenant_id: Uuid,
    pub(crate) knowledge_base_id: Uuid,
    pub(crate) address: String,
    pub(crate) found_by: String,
    pub(crate) depth: i32,
    pub(crate) include_paths: Json,
    pub(crate) exclude_paths: Json,
    pub(crate) max_pages: i32,
    pub(crate) refresh: String,
    pub(crate) status: String,
    pub(crate) error_code: Option<String>,
    pub(crate) error_message: Option<String>,
    pub(crate) round: i32,
    pub(crate) progress: Json,
    pub(crate) found_count: i32,
    pub(crate) read_count: i32,
    pub(crate) unchanged_count: i32,
    pub(crate) changed_count: i32,
    pub(crate) removed_count: i32,
    pub(crate) robots_count: i32,
    pub(crate) failed_count: i32,
    pub(crate) last_read_at: Option<DateTimeUtc>,
    pub(crate) next_read_at: Option<DateTimeUtc>,
    pub(crate) created_by: String,
    pub(crate) created_at: DateTimeUtc,
    pub(crate) updated_at: DateTimeUtc,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
