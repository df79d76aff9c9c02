use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "conversations")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) tenant_id: Uuid,
    pub(crate) lead_id: Uuid,
    pub(crate) agent_id: Option<Uuid>,
    pub(crate) channel: String,
    pub(crate) status: String,
    pub(crate) handoff_mode: String,
    pub(crate) handoff_reason: Option<String>,
    pub(crate) handoff_by: Option<String>,
    pub(crate) handoff_at: Option<DateTimeUtc>,
    pub(crate) handoff_user_id: Option<Uuid>,
    pub(crate) handoff_returns_at: Option<DateTimeUtc>,
    pub(crate) last_message_at: Option<DateTimeUtc>,
    pub(crate) created_at: DateTimeUtc,
    pub(crate) updated_at: DateTimeUtc,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
