use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "rehearsal_results")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) tenant_id: Uuid,
    pub(crate) run_id: Uuid,
    pub(crate) script_id: Option<Uuid>,
    pub(crate) conversation_id: Option<Uuid>,
    pub(crate) title: Option<String>,
    pub(crate) step: i64,
    pub(crate) question: String,
    pub(crate) answer_before: Option<Json>,
    pub(crate) answer_after: Json,
    pub(crate) expected: i64,
    pub(crate) failures: Json,
    pub(crate) failed: bool,
    pub(crate) changed: bool,
    pub(crate) verdict: String,
    pub(crate) elapsed_ms: i64,
    pub(crate) input_tokens: i64,
    pub(crate) output_tokens: i64,
    pub(crate) cost_micros: Option<i64>,
    pub(crate) created_at: DateTimeUtc,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
