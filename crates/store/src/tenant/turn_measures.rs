use super::gaps::ASKING;
use super::turns::{ids, unsigned};
use crate::TenantTx;
use crate::convert::to_db;
use crate::entity::{turn, turn_feedback};
use crate::error::db;
use quipu_core::turn::{ToolUse, TurnSums};
use quipu_core::{AgentId, Error, Result, Timestamp};
use sea_orm::sea_query::{Cond, Expr, Func, FunctionCall};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbBackend, FromQueryResult, QueryFilter, QueryOrder, QuerySelect,
    Select,
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
        let turns = self.within(within, variant);
        let sum = |what: &str| Expr::cust(format!("CAST(COALESCE(SUM({what}), 0) AS bigint)"));
        let count = |when: &str| sum(&format!("CASE WHEN {when} THEN 1 ELSE 0 END"));
        let sums = turns
            .clone()
            .select_only()
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
            .into_model::<Sums>()
            .one(&self.0.tx)
            .await
            .map_err(db)?
            .ok_or_else(|| Error::internal("sums over turns came to nothing"))?;
        let all = unsigned(sums.turns);
        let (helpful, unhelpful) = self.opinions(turns.clone()).await?;
        Ok(TurnSums {
            turns: all,
            grounded: unsigned(sums.grounded),
            unanswered: unsigned(sums.unanswered),
            degraded: unsigned(sums.degraded),
            escalated: unsigned(sums.escalated),
            with_tools: unsigned(sums.with_tools),
            with_knowledge: unsigned(sums.with_knowledge),
            tool_calls: unsigned(sums.tool_calls),
            input_tokens: unsigned(sums.input_tokens),
            output_tokens: unsigned(sums.output_tokens),
            priced: unsigned(sums.priced),
            cost: sums.cost,
            helpful,
            unhelpful,
            p50_us: self.elapsed(turns.clone(), all, 50).await?,
            p95_us: self.elapsed(turns, all, 95).await?,
        })
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

    /// The good opinions on some turns, and the others.
    async fn opinions(&self, turns: Select<turn::Entity>) -> Result<(u64, u64)> {
        let counted: Vec<(bool, i64)> = self
            .0
            .find::<turn_feedback::Entity>()
            .filter(turn_feedback::Column::TurnId.in_subquery(ids(turns)))
            .select_only()
            .column(turn_feedback::Column::Helpful)
            .column_as(Expr::cust("CAST(COUNT(*) AS bigint)"), "opinions")
            .group_by(turn_feedback::Column::Helpful)
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let of = |wanted: bool| {
            let found = counted.iter().find(|(helpful, _)| *helpful == wanted);
            found.map_or(0, |(_, count)| unsigned(*count))
        };
        Ok((of(true), of(false)))
    }

    /// What so many in a hundred of the turns took at most. Both databases can sort and count;
    /// only one of them knows percentiles.
    async fn elapsed(
        &self,
        turns: Select<turn::Entity>,
        all: u64,
        percent: u64,
    ) -> Result<Option<u64>> {
        let rank = all.saturating_mul(percent).div_ceil(100);
        let found: Option<i64> = turns
            .select_only()
            .column(turn::Column::ElapsedUs)
            .order_by_asc(turn::Column::ElapsedUs)
            .offset(rank.saturating_sub(1))
            .limit(1)
            .into_tuple()
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(found.map(unsigned))
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
