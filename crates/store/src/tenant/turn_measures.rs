use super::gaps::ASKING;
use super::stretches::{STRETCH, Stretches};
use super::turns::unsigned;
use crate::TenantTx;
use crate::convert::to_db;
use crate::entity::{turn, turn_feedback};
use crate::error::db;
use quipu_core::turn::{ToolUse, TurnSums};
use quipu_core::{AgentId, Result, Timestamp};
use sea_orm::sea_query::{Cond, Expr, ExprTrait, Func, FunctionCall, Query};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbBackend, DbErr, FromQueryResult, JoinType, QueryFilter,
    QueryOrder, QuerySelect, QueryTrait, Select,
};

/// What the turns of agents come to.
pub struct TurnMeasures<'a>(pub(crate) &'a TenantTx);

/// No agent is tried out in more ways than this within one comparison.
const MOST_VARIANTS: u64 = 20;
/// There are fewer tools than this.
const MOST_TOOLS: u64 = 100;

/// Whether a turn asked for what nobody knew, as the list of gaps has it.
fn in_vain() -> String {
    let asking = ASKING.map(|intent| format!("'{}'", intent.as_str()));
    let asking = asking.join(", ");
    format!("NOT grounded AND NOT degraded AND intent IN ({asking})")
}

/// The turns of an agent, or of all, from an instant on and before another.
#[derive(Clone, Copy, Debug)]
pub struct Within {
    pub agent: Option<AgentId>,
    pub from: Timestamp,
    pub to: Timestamp,
}

#[derive(FromQueryResult)]
struct Sums {
    stretch: i32,
    turns: i64,
    grounded: i64,
    unanswered: i64,
    degraded: i64,
    escalated: i64,
    with_tools: i64,
    with_knowledge: i64,
    tool_calls: i64,
    input_tokens: i64,
    output_tokens: i64,
    priced: i64,
    cost: i64,
}

impl Sums {
    /// The sums of a stretch, beside its number. Opinions and times are found elsewhere.
    fn into_numbered(self) -> (i32, TurnSums) {
        let sums = TurnSums {
            turns: unsigned(self.turns),
            grounded: unsigned(self.grounded),
            unanswered: unsigned(self.unanswered),
            degraded: unsigned(self.degraded),
            escalated: unsigned(self.escalated),
            with_tools: unsigned(self.with_tools),
            with_knowledge: unsigned(self.with_knowledge),
            tool_calls: unsigned(self.tool_calls),
            input_tokens: unsigned(self.input_tokens),
            output_tokens: unsigned(self.output_tokens),
            priced: unsigned(self.priced),
            cost: self.cost,
            ..TurnSums::default()
        };
        (self.stretch, sums)
    }
}

impl TurnMeasures<'_> {
    /// The ways of an agent that were tried out, the most used first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn variants(&self, within: Within) -> Result<Vec<String>> {
        use turn::Column;
        let found: Vec<String> = self
            .within(within, None)
            .filter(Column::Variant.is_not_null())
            .select_only()
            .column(Column::Variant)
            .group_by(Column::Variant)
            .order_by_desc(Expr::cust("COUNT(*)"))
            .order_by_asc(Column::Variant)
            .limit(MOST_VARIANTS)
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(found)
    }

    /// What the turns of an agent come to, or those of one of its variants.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn sums(&self, within: Within, variant: Option<&str>) -> Result<TurnSums> {
        let sums = self.of_each(&within.into(), variant).await?;
        Ok(sums.into_iter().next().unwrap_or_default())
    }

    /// What the turns of each stretch of time come to.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn series(&self, stretches: &Stretches) -> Result<Vec<TurnSums>> {
        self.of_each(stretches, None).await
    }

    /// How the tools were used, the most used first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn tools(&self, within: Within) -> Result<Vec<ToolUse>> {
        let is_postgres = self.0.tx.get_database_backend() == DbBackend::Postgres;
        let (steps, field): (FunctionCall, fn(&str) -> String) = if is_postgres {
            let steps =
                Func::cust("jsonb_array_elements").arg(Expr::cust("turns.trace -> 'steps'"));
            let field = |path: &str| format!("(step.value #>> '{{{}}}')", path.replace('.', ","));
            (steps, field)
        } else {
            let trace = Func::cust("json_each").arg(Expr::cust("turns.trace"));
            let field = |path: &str| format!("(step.value ->> '$.{path}')");
            (trace.arg(Expr::cust("'$.steps'")), field)
        };
        let sum = |what: &str| Expr::cust(format!("CAST(COALESCE(SUM({what}), 0) AS bigint)"));
        let took = format!("CAST({} AS bigint)", field("took_us"));
        let failed = format!(
            "CASE WHEN {} IS NULL THEN 0 ELSE 1 END",
            field("details.error")
        );
        let mut select = self
            .within(within, None)
            .filter(turn::Column::ToolCalls.gt(0))
            .filter(Expr::cust(format!("{} = 'tool'", field("name"))))
            .select_only()
            .column_as(Expr::cust(field("details.tool")), "tool")
            .column_as(Expr::cust("CAST(COUNT(*) AS bigint)"), "calls")
            .column_as(sum(&failed), "failures")
            .column_as(
                Expr::cust("CAST(COUNT(DISTINCT turns.id) AS bigint)"),
                "turns",
            )
            .column_as(sum(&took), "took_us");
        // A function beside a table reads its rows, one after the other, on both databases.
        QuerySelect::query(&mut select)
            .from_function(steps, "step")
            .add_group_by([Expr::cust(field("details.tool"))]);
        let used: Vec<(Option<String>, i64, i64, i64, i64)> = select
            .order_by_desc(Expr::cust("COUNT(*)"))
            .order_by_asc(Expr::cust(field("details.tool")))
            .limit(MOST_TOOLS)
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let used = used
            .into_iter()
            .filter_map(|(tool, calls, failures, turns, took)| {
                let (calls, failures) = (unsigned(calls), unsigned(failures));
                Some(ToolUse::of(
                    tool?,
                    calls,
                    failures,
                    unsigned(turns),
                    unsigned(took),
                ))
            });
        Ok(used.collect())
    }

    async fn of_each(&self, stretches: &Stretches, variant: Option<&str>) -> Result<Vec<TurnSums>> {
        let turns = self
            .within(stretches.whole(), variant)
            .select_only()
            .column_as(stretches.number(turn::Column::CreatedAt), STRETCH);
        let sum = |what: &str| Expr::cust(format!("CAST(COALESCE(SUM({what}), 0) AS bigint)"));
        let count = |when: &str| sum(&format!("CASE WHEN {when} THEN 1 ELSE 0 END"));
        let sums = turns
            .clone()
            .column_as(Expr::cust("CAST(COUNT(*) AS bigint)"), "turns")
            .column_as(count("grounded"), "grounded")
            .column_as(count(&in_vain()), "unanswered")
            .column_as(count("degraded"), "degraded")
            .column_as(count("escalated"), "escalated")
            .column_as(count("tool_calls > 0"), "with_tools")
            .column_as(count("used_knowledge"), "with_knowledge")
            .column_as(sum("tool_calls"), "tool_calls")
            .column_as(sum("input_tokens"), "input_tokens")
            .column_as(sum("output_tokens"), "output_tokens")
            .column_as(count("cost IS NOT NULL"), "priced")
            .column_as(sum("cost"), "cost")
            .group_by(Expr::cust(STRETCH))
            .into_model::<Sums>()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let opinions = stretches.filled(self.opinions(turns.clone()).await?);
        let elapsed = stretches.filled(self.elapsed(turns).await?);
        let sums = stretches.filled(sums.into_iter().map(Sums::into_numbered));
        let all = sums.into_iter().zip(opinions).zip(elapsed);
        let all = all.map(|((sums, opinions), elapsed)| TurnSums {
            helpful: opinions.0,
            unhelpful: opinions.1,
            p50_us: elapsed.0,
            p95_us: elapsed.1,
            ..sums
        });
        Ok(all.collect())
    }

    /// The good opinions on the turns of each stretch, and the others.
    async fn opinions(
        &self,
        turns: Select<turn::Entity>,
    ) -> Result<impl Iterator<Item = (i32, (u64, u64))>> {
        let count = |when: &str| {
            let sum = format!("SUM(CASE WHEN {when} THEN 1 ELSE 0 END)");
            Expr::cust(format!("CAST({sum} AS bigint)"))
        };
        let turns = turns.column(turn::Column::Id).into_query();
        let same = Expr::col((turn_feedback::Entity, turn_feedback::Column::TurnId))
            .equals(("told", turn::Column::Id));
        let mut select = self
            .0
            .find::<turn_feedback::Entity>()
            .select_only()
            .column_as(Expr::cust(STRETCH), STRETCH)
            .column_as(count("helpful"), "helpful")
            .column_as(count("NOT helpful"), "unhelpful")
            .group_by(Expr::cust(STRETCH));
        QuerySelect::query(&mut select).join_subquery(JoinType::InnerJoin, turns, "told", same);
        let counted: Vec<(i32, i64, i64)> =
            select.into_tuple().all(&self.0.tx).await.map_err(db)?;
        let counted = counted.into_iter();
        Ok(counted.map(|(stretch, good, others)| (stretch, (unsigned(good), unsigned(others)))))
    }

    /// What half of the turns of each stretch, and nineteen of twenty, took at most. Both databases can
    /// sort and count; only one of them knows percentiles.
    async fn elapsed(
        &self,
        turns: Select<turn::Entity>,
    ) -> Result<impl Iterator<Item = (i32, (Option<u64>, Option<u64>))>> {
        let turns = turns.column(turn::Column::ElapsedUs).into_query();
        let placed = Query::select()
            .expr(Expr::cust(
                "stretch, elapsed_us, COUNT(*) OVER (PARTITION BY stretch) AS turns, \
                 ROW_NUMBER() OVER (PARTITION BY stretch ORDER BY elapsed_us) AS place",
            ))
            .from_subquery(turns, "told")
            .take();
        let least = |percent: u8| {
            let enough = format!("place * 100 >= turns * {percent}");
            Expr::cust(format!("MIN(CASE WHEN {enough} THEN elapsed_us END)"))
        };
        let select = Query::select()
            .expr(Expr::cust(STRETCH))
            .expr(least(50))
            .expr(least(95))
            .from_subquery(placed, "placed")
            .add_group_by([Expr::cust(STRETCH)])
            .take();
        let rows = self.0.tx.query_all(&select).await.map_err(db)?;
        let rows = rows.iter().map(|row| {
            let stretch = row.try_get_by_index(0)?;
            let middle: Option<i64> = row.try_get_by_index(1)?;
            let most: Option<i64> = row.try_get_by_index(2)?;
            Ok((stretch, (middle.map(unsigned), most.map(unsigned))))
        });
        let rows: Vec<_> = rows.collect::<Result<_, DbErr>>().map_err(db)?;
        Ok(rows.into_iter())
    }

    fn within(&self, within: Within, variant: Option<&str>) -> Select<turn::Entity> {
        use turn::Column;
        let select = self
            .0
            .find::<turn::Entity>()
            .filter(Cond::all().add_option(within.agent.map(|id| Column::AgentId.eq(id.uuid()))))
            .filter(Column::CreatedAt.gte(to_db(within.from)))
            .filter(Column::CreatedAt.lt(to_db(within.to)));
        match variant {
            Some(variant) => select.filter(Column::Variant.eq(variant)),
            None => select,
        }
    }
}
