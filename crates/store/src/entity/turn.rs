use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "turns")]
#[expect(
    clippy::struct_field_names,
    reason = "the calls of models are a column like those of tools"
)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "a row has the columns that its table has"
)]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) tenant_id: Uuid,
    pub(crate) agent_id: Uuid,
    pub(crate) conversation_id: Option<Uuid>,
    pub(crate) lead_id: Option<Uuid>,
    pub(crate) owner_user_id: Option<Uuid>,
    pub(crate) actor: String,
    pub(crate) variant: Option<String>,
    pub(crate) intent: String,
    pub(crate) specialist: String,
    pub(crate) responder: String,
    pub(crate) prompt_source: String,
    pub(crate) grounded: bool,
    pub(crate) degraded: bool,
    pub(crate) escalated: bool,
    pub(crate) model_calls: i32,
    pub(crate) tool_calls: i32,
    pub(crate) input_tokens: i64,
    pub(crate) output_tokens: i64,
    pub(crate) cost: Option<i64>,
    pub(crate) elapsed_us: i64,
    pub(crate) question: String,
    pub(crate) answer: String,
    pub(crate) trace: Json,
    pub(crate) used_knowledge: bool,
    pub(crate) created_at: DateTimeUtc,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
