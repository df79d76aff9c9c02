use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "redemptions")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) tenant_id: Uuid,
    pub(crate) lead_id: Uuid,
    pub(crate) reward_id: Uuid,
    pub(crate) reward_name: String,
    pub(crate) tokens: i64,
    pub(crate) discount: Json,
    pub(crate) code: String,
    pub(crate) status: String,
    pub(crate) order_id: Option<Uuid>,
    pub(crate) expires_at: Option<DateTimeUtc>,
    pub(crate) created_at: DateTimeUtc,
    pub(crate) updated_at: DateTimeUtc,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
