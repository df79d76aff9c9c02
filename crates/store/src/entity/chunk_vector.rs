use sea_orm::entity::prelude::*;

#[expect(
    clippy::struct_field_names,
    reason = "the model that made the vector is called a model"
)]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "chunk_vectors")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) chunk_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) model: String,
    pub(crate) tenant_id: Uuid,
    pub(crate) knowledge_base_id: Uuid,
    pub(crate) vector: Vec<u8>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
