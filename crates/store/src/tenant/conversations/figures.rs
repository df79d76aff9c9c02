//! How many conversations began, and over which channels.

use super::Conversations;
use crate::convert::to_db;
use crate::entity::conversation;
use crate::error::db;
use crate::tenant::Within;
use quipu_core::Result;
use sea_orm::sea_query::{Cond, Expr};
use sea_orm::{ColumnTrait, QueryFilter, QuerySelect};
use std::collections::BTreeMap;

impl Conversations<'_> {
    /// # Errors
    /// When the database cannot be read.
    pub async fn begun(&self, within: Within) -> Result<BTreeMap<String, u64>> {
        use conversation::Column;
        let agent = within.agent.map(|id| Column::AgentId.eq(id.uuid()));
        let counted: Vec<(String, i64)> = self
            .0
            .find::<conversation::Entity>()
            .filter(Cond::all().add_option(agent))
            .filter(Column::CreatedAt.gte(to_db(within.from)))
            .filter(Column::CreatedAt.lt(to_db(within.to)))
            .select_only()
            .column(Column::Channel)
            .column_as(Expr::cust("CAST(COUNT(*) AS bigint)"), "begun")
            .group_by(Column::Channel)
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let counted = counted.into_iter();
        let counted = counted.map(|(channel, count)| (channel, u64::try_from(count).unwrap_or(0)));
        Ok(counted.collect())
    }
}
