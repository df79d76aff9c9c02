use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "agent_versions")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) agent_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) number: i32,
    pub(crate) origin: String,
    pub(crate) configuration: Json,
    pub(crate) note: Option<String>,
    pub(crate) made_by: Option<String>,
    pub(crate) made_at: DateTimeUtc,
    pub(crate) restored_from: Option<i32>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
