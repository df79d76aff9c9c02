use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "event_deliveries")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) tenant_id: Uuid,
    pub(crate) endpoint_id: Uuid,
    pub(crate) kind: String,
    pub(crate) event_id: Uuid,
    pub(crate) lead_id: Option<Uuid>,
    pub(crate) body: Json,
    pub(crate) state: String,
    pub(crate) attempts: i32,
    pub(crate) next_at: DateTimeUtc,
    pub(crate) last_status: Option<i32>,
    pub(crate) last_error: Option<String>,
    pub(crate) created_at: DateTimeUtc,
    pub(crate) updated_at: DateTimeUtc,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
