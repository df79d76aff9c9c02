use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "booked_ticks")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) resource_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) tick: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) place: i32,
    pub(crate) appointment_id: Uuid,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
