//! Plans as data, and the arithmetic of limits and credits.

use crate::{CreditId, Error, ErrorCode, Result, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a plan allows. `null` means no limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanLimits {
    /// Agents can be created and answer.
    pub ai_agents_enabled: bool,
    #[schema(minimum = 0)]
    pub max_agents: Option<u32>,
    #[schema(minimum = 0)]
    pub max_members: Option<u32>,
    #[schema(minimum = 0)]
    pub max_knowledge_bases: Option<u32>,
    #[schema(minimum = 0)]
    pub max_documents_per_kb: Option<u32>,
    #[schema(minimum = 0, maximum = 1_000_000_000_000_000_u64)]
    pub max_kb_bytes: Option<u64>,
    #[schema(minimum = 0, maximum = 1_000_000_000_000_000_u64)]
    pub max_storage_bytes: Option<u64>,
    /// Credits granted on the first use of each calendar month (UTC).
    #[schema(minimum = 0)]
    pub monthly_credits: u32,
    #[schema(minimum = 1, maximum = 1_000_000)]
    pub requests_per_minute: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Plan {
    pub slug: String,
    pub name: String,
    pub limits: PlanLimits,
}

/// A limit of a plan, by the name people see in errors and in the usage report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    Agents,
    Members,
    KnowledgeBases,
    DocumentsPerKb,
    KbBytes,
    StorageBytes,
}

impl Limit {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Agents => "max_agents",
            Self::Members => "max_members",
            Self::KnowledgeBases => "max_knowledge_bases",
            Self::DocumentsPerKb => "max_documents_per_kb",
            Self::KbBytes => "max_kb_bytes",
            Self::StorageBytes => "max_storage_bytes",
        }
    }

    /// For people: in Spanish and English.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Agents => ("agentes", "agents"),
            Self::Members => ("personas", "people"),
            Self::KnowledgeBases => ("bases de conocimiento", "knowledge bases"),
            Self::DocumentsPerKb => (
                "documentos por base de conocimiento",
                "documents per knowledge base",
            ),
            Self::KbBytes => ("bytes por base de conocimiento", "bytes per knowledge base"),
            Self::StorageBytes => ("bytes de almacenamiento", "bytes of storage"),
        }
    }

    const fn is_size(self) -> bool {
        matches!(self, Self::KbBytes | Self::StorageBytes)
    }
}

impl Plan {
    #[must_use]
    pub fn value(&self, limit: Limit) -> Option<u64> {
        let limits = &self.limits;
        match limit {
            Limit::Agents => limits.max_agents.map(u64::from),
            Limit::Members => limits.max_members.map(u64::from),
            Limit::KnowledgeBases => limits.max_knowledge_bases.map(u64::from),
            Limit::DocumentsPerKb => limits.max_documents_per_kb.map(u64::from),
            Limit::KbBytes => limits.max_kb_bytes,
            Limit::StorageBytes => limits.max_storage_bytes,
        }
    }

    /// Checks that `used + adding` stays inside the limit.
    ///
    /// # Errors
    /// `PLAN_LIMIT_REACHED`, or `PLAN_SIZE_EXCEEDED` for a size, naming limit, value and plan.
    pub fn check(&self, limit: Limit, used: u64, adding: u64) -> Result<()> {
        match self.value(limit) {
            Some(max) if used.saturating_add(adding) > max => {
                let code = if limit.is_size() {
                    ErrorCode::PlanSizeExceeded
                } else {
                    ErrorCode::PlanLimitReached
                };
                let (es, en) = limit.names();
                Err(Error::new(code)
                    .with_texts("limit_name", es.to_owned(), en.to_owned())
                    .with("limit", limit.as_str())
                    .with("value", max)
                    .with("used", used)
                    .with("adding", adding)
                    .with("plan", self.slug.as_str()))
            }
            _ => Ok(()),
        }
    }

    /// # Errors
    /// `FEATURE_NOT_IN_PLAN` when agents are switched off.
    pub fn require_agents(&self) -> Result<()> {
        if self.limits.ai_agents_enabled {
            return Ok(());
        }
        Err(Error::new(ErrorCode::FeatureNotInPlan)
            .with("limit", "ai_agents_enabled")
            .with("value", false)
            .with("plan", self.slug.as_str()))
    }
}

const BYTES_PER_CREDIT: u64 = 10_000;

/// What processing a document costs: one credit for every 10 kB of text begun.
#[must_use]
pub fn processing_credits(bytes: u64) -> i64 {
    i64::try_from(bytes.div_ceil(BYTES_PER_CREDIT).max(1)).unwrap_or(i64::MAX)
}

/// The name under which a month's credits are granted once. It doubles as the unique key.
#[must_use]
pub fn month_of(now: Timestamp) -> String {
    now.strftime("%Y-%m").to_string()
}

/// One line of the append-only credits ledger. The balance is the sum of the amounts.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct CreditEntry {
    pub id: CreditId,
    /// Positive for grants, negative for use.
    pub amount: i64,
    pub reason: String,
    /// What the entry is for; the same reason and reference can be entered only once.
    pub reference: String,
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> Plan {
        Plan {
            slug: "professional".into(),
            name: "Professional".into(),
            limits: PlanLimits {
                ai_agents_enabled: true,
                max_agents: Some(3),
                max_members: None,
                max_knowledge_bases: Some(3),
                max_documents_per_kb: Some(100),
                max_kb_bytes: Some(500),
                max_storage_bytes: None,
                monthly_credits: 1000,
                requests_per_minute: 60,
            },
        }
    }

    #[test]
    fn the_error_names_limit_value_and_plan() {
        assert!(plan().check(Limit::Agents, 2, 1).is_ok());
        let error = plan().check(Limit::Agents, 3, 1).unwrap_err();
        assert_eq!(error.status(), 403);
        assert_eq!(error.details()["limit"], "max_agents");
        assert_eq!(error.details()["value"], 3);
        assert_eq!(error.details()["plan"], "professional");
        assert_eq!(
            plan().check(Limit::KbBytes, 499, 2).unwrap_err().status(),
            413
        );
        assert!(plan().check(Limit::Members, u64::MAX, 1).is_ok());
        assert!(plan().check(Limit::KbBytes, u64::MAX, 1).is_err());
    }

    #[test]
    fn credits_are_charged_by_begun_blocks() {
        assert_eq!(processing_credits(0), 1);
        assert_eq!(processing_credits(10_000), 1);
        assert_eq!(processing_credits(10_001), 2);
    }
}
