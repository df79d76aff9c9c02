use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "tool_calls")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) tenant_id: Uuid,
    pub(crate) agent_id: Uuid,
    pub(crate) conversation_id: Option<Uuid>,
    pub(crate) lead_id: Option<Uuid>,
    pub(crate) actor: String,
    pub(crate) tool: String,
    pub(crate) arguments: Json,
    pub(crate) error_code: Option<String>,
    pub(crate) elapsed_us: i64,
    pub(crate) created_at: DateTimeUtc,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
