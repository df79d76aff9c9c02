use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "appointments")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) tenant_id: Uuid,
    pub(crate) status: String,
    pub(crate) branch_id: Uuid,
    pub(crate) resource_id: Uuid,
    pub(crate) service_id: Option<Uuid>,
    pub(crate) lead_id: Option<Uuid>,
    pub(crate) conversation_id: Option<Uuid>,
    pub(crate) starts_at: DateTimeUtc,
    pub(crate) ends_at: DateTimeUtc,
    pub(crate) held_from: DateTimeUtc,
    pub(crate) held_to: DateTimeUtc,
    pub(crate) hold_expires_at: Option<DateTimeUtc>,
    pub(crate) data: Json,
    pub(crate) created_at: DateTimeUtc,
    pub(crate) updated_at: DateTimeUtc,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
