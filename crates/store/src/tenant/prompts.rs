use crate::TenantTx;
use crate::convert::from_db;
use crate::entity::prompt;
use crate::error::db;
use crate::tenant::null;
use quipu_core::agent::{Medium, PolishProblem, PromptState};
use quipu_core::language::Language;
use quipu_core::{AgentId, Error, Result, Timestamp};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict, SimpleExpr};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Set};

/// The stable part of each agent's prompt, as it was last put together.
pub struct Prompts<'a>(pub(crate) &'a TenantTx);

/// Which prompt of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PromptKey {
    pub agent: AgentId,
    pub medium: Medium,
    pub language: Language,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPrompt {
    /// Of everything the prompt was made from.
    pub hash: String,
    pub tokens: u32,
    /// The personality in a model's words, where a model was asked for them.
    pub polished: Option<String>,
    /// Why such words were not taken.
    pub refused: Option<PolishProblem>,
    /// How often the prompt was put together anew.
    pub regenerations: u64,
    pub updated_at: Timestamp,
}

impl Prompts<'_> {
    /// # Errors
    /// When the database cannot be read.
    pub async fn get(&self, key: PromptKey) -> Result<Option<StoredPrompt>> {
        let row = self
            .0
            .find::<prompt::Entity>()
            .filter(is(key))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(row.map(stored))
    }

    /// The prompts of an agent, as people see them.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(&self, agent: AgentId) -> Result<Vec<PromptState>> {
        use prompt::Column;
        let rows = self
            .0
            .find::<prompt::Entity>()
            .filter(Column::AgentId.eq(agent.uuid()))
            .order_by_asc(Column::Medium)
            .order_by_asc(Column::Language)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let states = rows.into_iter().filter_map(|row| {
            let medium = Medium::parse(&row.medium)?;
            let language = Language::parse_or_default(&row.language);
            let stored = stored(row);
            Some(PromptState {
                medium,
                language,
                tokens: stored.tokens,
                regenerations: stored.regenerations,
                polished: stored.polished,
                refused: stored.refused,
                updated_at: stored.updated_at,
            })
        });
        Ok(states.collect())
    }

    /// Keeps what a prompt was made from. Another hash than before is a prompt put together anew,
    /// and a personality that was polished for the old one goes. Several at once may do so.
    ///
    /// # Errors
    /// When the database cannot be written, or there is no such agent.
    pub async fn put(&self, key: PromptKey, hash: &str, tokens: u32) -> Result<()> {
        use prompt::Column;
        let row = prompt::ActiveModel {
            tenant_id: Set(self.0.uuid()),
            agent_id: Set(key.agent.uuid()),
            medium: Set(key.medium.as_str().to_owned()),
            language: Set(key.language.as_str().to_owned()),
            hash: Set(hash.to_owned()),
            tokens: Set(i32::try_from(tokens).map_err(Error::internal)?),
            polished: Set(None),
            polished_hash: Set(None),
            refused: Set(None),
            regenerations: Set(1),
            updated_at: Set(self.0.db_now()),
        };
        let own = |column: Column| Expr::col((prompt::Entity, column));
        let same: SimpleExpr = own(Column::Hash).eq(hash);
        let polished: SimpleExpr = own(Column::PolishedHash).eq(hash);
        let once_more = Expr::case(same, own(Column::Regenerations))
            .finally(own(Column::Regenerations).add(1_i64));
        let anew = OnConflict::columns([
            Column::TenantId,
            Column::AgentId,
            Column::Medium,
            Column::Language,
        ])
        .value(Column::Regenerations, once_more)
        .value(
            Column::Polished,
            Expr::case(polished.clone(), own(Column::Polished)).finally(null()),
        )
        .value(
            Column::Refused,
            Expr::case(polished.clone(), own(Column::Refused)).finally(null()),
        )
        .value(
            Column::PolishedHash,
            Expr::case(polished, own(Column::PolishedHash)).finally(null()),
        )
        .update_columns([Column::Hash, Column::Tokens, Column::UpdatedAt])
        .to_owned();
        prompt::Entity::insert(row)
            .on_conflict(anew)
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(())
    }

    /// Keeps the personality in a model's words, unless the prompt has become another one meanwhile.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn put_polished(&self, key: PromptKey, hash: &str, polished: &str) -> Result<bool> {
        self.decide(key, hash, Some(polished), None).await
    }

    /// Keeps why a model's words were not taken, unless the prompt has become another one meanwhile.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn put_refused(
        &self,
        key: PromptKey,
        hash: &str,
        problem: PolishProblem,
    ) -> Result<bool> {
        let problem = Some(problem.as_str());
        self.decide(key, hash, None, problem).await
    }

    async fn decide(
        &self,
        key: PromptKey,
        hash: &str,
        polished: Option<&str>,
        refused: Option<&str>,
    ) -> Result<bool> {
        let done = self
            .0
            .update::<prompt::Entity>()
            .filter(is(key))
            .filter(prompt::Column::Hash.eq(hash))
            .col_expr(prompt::Column::Polished, Expr::value(polished))
            .col_expr(prompt::Column::Refused, Expr::value(refused))
            .col_expr(prompt::Column::PolishedHash, Expr::value(hash))
            .col_expr(prompt::Column::UpdatedAt, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// How often the prompts of an agent were put together anew, all of them together.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn regenerations(&self, agent: AgentId) -> Result<u64> {
        let sum: Option<i64> = self
            .0
            .find::<prompt::Entity>()
            .filter(prompt::Column::AgentId.eq(agent.uuid()))
            .select_only()
            .column_as(
                Expr::cust("CAST(COALESCE(SUM(regenerations), 0) AS bigint)"),
                "regenerations",
            )
            .into_tuple()
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(u64::try_from(sum.unwrap_or(0)).unwrap_or(0))
    }
}

fn stored(row: prompt::Model) -> StoredPrompt {
    let of_this = row.polished_hash.as_ref() == Some(&row.hash);
    let refused = row.refused.as_deref().and_then(PolishProblem::parse);
    StoredPrompt {
        polished: row.polished.filter(|_| of_this),
        refused: refused.filter(|_| of_this),
        hash: row.hash,
        tokens: u32::try_from(row.tokens).unwrap_or(0),
        regenerations: u64::try_from(row.regenerations).unwrap_or(0),
        updated_at: from_db(row.updated_at),
    }
}

fn is(key: PromptKey) -> SimpleExpr {
    use prompt::Column;
    Column::AgentId
        .eq(key.agent.uuid())
        .and(Column::Medium.eq(key.medium.as_str()))
        .and(Column::Language.eq(key.language.as_str()))
}
