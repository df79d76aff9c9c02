use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "channel_inbound")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) tenant_id: Uuid,
    pub(crate) connection_id: Uuid,
    pub(crate) contact_id: Uuid,
    pub(crate) external_id: String,
    pub(crate) kind: String,
    pub(crate) event: Json,
    pub(crate) state: String,
    pub(crate) message_id: Option<Uuid>,
    pub(crate) said_at: DateTimeUtc,
    pub(crate) created_at: DateTimeUtc,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
