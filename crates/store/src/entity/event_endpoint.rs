use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "event_endpoints")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) tenant_id: Uuid,
    pub(crate) url: String,
    pub(crate) description: Option<String>,
    pub(crate) kinds: Json,
    pub(crate) sealed: Vec<u8>,
    pub(crate) active: bool,
    pub(crate) fault_status: Option<i32>,
    pub(crate) fault_error: Option<String>,
    pub(crate) fault_at: Option<DateTimeUtc>,
    pub(crate) retry_at: Option<DateTimeUtc>,
    pub(crate) created_by: String,
    pub(crate) created_at: DateTimeUtc,
    pub(crate) updated_at: DateTimeUtc,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
