use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "channel_connections")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) tenant_id: Uuid,
    pub(crate) channel: String,
    pub(crate) name: String,
    pub(crate) status: String,
    pub(crate) agent_id: Option<Uuid>,
    pub(crate) account_id: String,
    pub(crate) parent_id: Option<String>,
    pub(crate) settings: Json,
    pub(crate) sealed: Vec<u8>,
    pub(crate) key_hint: String,
    pub(crate) fault_code: Option<i64>,
    pub(crate) fault_at: Option<DateTimeUtc>,
    pub(crate) last_received_at: Option<DateTimeUtc>,
    pub(crate) last_sent_at: Option<DateTimeUtc>,
    pub(crate) created_by: String,
    pub(crate) created_at: DateTimeUtc,
    pub(crate) updated_at: DateTimeUtc,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
