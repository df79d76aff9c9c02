use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "jobs")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) tenant_id: Option<Uuid>,
    pub(crate) kind: String,
    pub(crate) payload: Json,
    pub(crate) status: String,
    pub(crate) attempts: i32,
    pub(crate) max_attempts: i32,
    pub(crate) run_at: DateTimeUtc,
    pub(crate) lease: Option<Uuid>,
    pub(crate) lease_until: Option<DateTimeUtc>,
    pub(crate) worker: Option<String>,
    pub(crate) cancel_requested: bool,
    pub(crate) dedup_key: Option<String>,
    pub(crate) last_error: Option<String>,
    pub(crate) created_at: DateTimeUtc,
    pub(crate) updated_at: DateTimeUtc,
    pub(crate) finished_at: Option<DateTimeUtc>,
    pub(crate) turn_at: Option<DateTimeUtc>,
    pub(crate) owner_user_id: Option<Uuid>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
