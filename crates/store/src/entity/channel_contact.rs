use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "channel_contacts")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) tenant_id: Uuid,
    pub(crate) connection_id: Uuid,
    pub(crate) lead_id: Uuid,
    pub(crate) user_id: Option<String>,
    pub(crate) phone: Option<String>,
    pub(crate) last_inbound_at: Option<DateTimeUtc>,
    pub(crate) free_until: Option<DateTimeUtc>,
    pub(crate) opted_out_at: Option<DateTimeUtc>,
    pub(crate) created_at: DateTimeUtc,
    pub(crate) updated_at: DateTimeUtc,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
