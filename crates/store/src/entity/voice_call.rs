use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "voice_calls")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) tenant_id: Uuid,
    pub(crate) connection_id: Uuid,
    pub(crate) contact_id: Option<Uuid>,
    pub(crate) conversation_id: Option<Uuid>,
    pub(crate) external_id: String,
    pub(crate) started_at: Option<DateTimeUtc>,
    pub(crate) ended_at: Option<DateTimeUtc>,
    pub(crate) duration_seconds: Option<i64>,
    pub(crate) ended_reason: Option<String>,
    pub(crate) transcript: Option<String>,
    pub(crate) summary: Option<String>,
    pub(crate) recording_url: Option<String>,
    pub(crate) cost_micros: Option<i64>,
    pub(crate) created_at: DateTimeUtc,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
