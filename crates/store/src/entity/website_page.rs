use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "website_pages")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) tenant_id: Uuid,
    pub(crate) website_id: Uuid,
    pub(crate) address: String,
    pub(crate) depth: i32,
    pub(crate) state: String,
    pub(crate) round: i32,
    pub(crate) attempts: i32,
    pub(crate) document_id: Option<Uuid>,
    pub(crate) content_hash: Option<String>,
    pub(crate) etag: Option<String>,
    pub(crate) last_modified: Option<String>,
    pub(crate) error_code: Option<String>,
    pub(crate) error_message: Option<String>,
    pub(crate) last_seen_at: Option<DateTimeUtc>,
    pub(crate) last_changed_at: Option<DateTimeUtc>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
