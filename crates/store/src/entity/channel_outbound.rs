use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "channel_outbound")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) tenant_id: Uuid,
    pub(crate) connection_id: Uuid,
    pub(crate) contact_id: Uuid,
    pub(crate) conversation_id: Option<Uuid>,
    pub(crate) message_id: Option<Uuid>,
    pub(crate) content: Json,
    pub(crate) by_person: bool,
    pub(crate) state: String,
    pub(crate) attempts: i32,
    pub(crate) send_after: DateTimeUtc,
    pub(crate) started_at: Option<DateTimeUtc>,
    pub(crate) external_id: Option<String>,
    pub(crate) fault: Option<Json>,
    pub(crate) category: Option<String>,
    pub(crate) cost_micros: Option<i64>,
    pub(crate) created_at: DateTimeUtc,
    pub(crate) updated_at: DateTimeUtc,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
