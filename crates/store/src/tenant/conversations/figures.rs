//! How many conversations began, and over which channels.

use super::Conversations;
use crate::convert::to_db;
use crate::entity::conversation;
use crate::error::db;
use crate::tenant::Stretches;
use crate::tenant::stretches::STRETCH;
use quipu_core::Result;
use sea_orm::sea_query::{Cond, Expr};
use sea_orm::{ColumnTrait, QueryFilter, QuerySelect};
use std::collections::BTreeMap;

impl Conversations<'_> {
    /// For each stretch of time, by channel.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn begun(&self, stretches: &Stretches) -> Result<Vec<BTreeMap<String, u64>>> {
        use conversation::Column;
        let within = stretches.whole();
        let agent = within.agent.map(|id| Column::AgentId.eq(id.uuid()));
        let counted: Vec<(i32, String, i64)> = self
            .0
            .find::<conversation::Entity>()
            .filter(Cond::all().add_option(agent))
            .filter(Column::CreatedAt.gte(to_db(within.from)))
            .filter(Column::CreatedAt.lt(to_db(within.to)))
            .select_only()
            .column_as(stretches.number(Column::CreatedAt), STRETCH)
            .column(Column::Channel)
            .column_as(Expr::cust("CAST(COUNT(*) AS bigint)"), "begun")
            .group_by(Expr::cust(STRETCH))
            .group_by(Column::Channel)
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let mut begun: BTreeMap<i32, BTreeMap<String, u64>> = BTreeMap::new();
        for (stretch, channel, count) in counted {
            let of_stretch = begun.entry(stretch).or_default();
            of_stretch.insert(channel, u64::try_from(count).unwrap_or(0));
        }
        Ok(stretches.filled(begun.into_iter()))
    }
}
