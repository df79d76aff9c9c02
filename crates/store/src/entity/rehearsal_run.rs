use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "rehearsal_runs")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) tenant_id: Uuid,
    pub(crate) agent_id: Uuid,
    pub(crate) target: String,
    pub(crate) version: Option<i64>,
    pub(crate) subject: Json,
    pub(crate) subject_hash: String,
    pub(crate) pieces: Json,
    pub(crate) played: i64,
    pub(crate) state: String,
    pub(crate) answers: i64,
    pub(crate) changed: i64,
    pub(crate) failed: i64,
    pub(crate) input_tokens: i64,
    pub(crate) output_tokens: i64,
    pub(crate) cost_micros: i64,
    pub(crate) period_from: Option<DateTimeUtc>,
    pub(crate) period_to: Option<DateTimeUtc>,
    pub(crate) made_by: String,
    pub(crate) created_at: DateTimeUtc,
    pub(crate) started_at: Option<DateTimeUtc>,
    pub(crate) ended_at: Option<DateTimeUtc>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
