use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "agents")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) tenant_id: Uuid,
    pub(crate) slug: String,
    pub(crate) name: String,
    pub(crate) company_name: String,
    pub(crate) vertical: String,
    pub(crate) language: String,
    pub(crate) enabled: bool,
    pub(crate) active: bool,
    pub(crate) allows_personal_corpus: bool,
    pub(crate) settings: Json,
    pub(crate) created_at: DateTimeUtc,
    pub(crate) updated_at: DateTimeUtc,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
