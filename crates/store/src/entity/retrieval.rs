use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "retrievals")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) tenant_id: Uuid,
    pub(crate) agent_id: Option<Uuid>,
    pub(crate) owner_user_id: Option<Uuid>,
    pub(crate) actor: String,
    pub(crate) query: String,
    pub(crate) chunks: Json,
    pub(crate) mean_similarity: f32,
    pub(crate) total_chunks_searched: i64,
    pub(crate) elapsed_us: i64,
    pub(crate) degraded: bool,
    pub(crate) embedding_us: i64,
    pub(crate) context_tokens: i64,
    pub(crate) created_at: DateTimeUtc,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
