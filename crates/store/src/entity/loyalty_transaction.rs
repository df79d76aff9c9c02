use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "loyalty_transactions")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) tenant_id: Uuid,
    pub(crate) lead_id: Uuid,
    pub(crate) number: i64,
    pub(crate) kind: String,
    pub(crate) tokens: i64,
    pub(crate) lapses_at: Option<DateTimeUtc>,
    pub(crate) source: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) actor: String,
    pub(crate) created_at: DateTimeUtc,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
