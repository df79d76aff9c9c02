//! Tenants, and the scope that every touch of their data carries.

use crate::{TenantId, Timestamp, UserId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TenantStatus {
    Active,
    Suspended,
}

impl TenantStatus {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Suspended => "suspended",
        }
    }

    #[must_use]
    pub fn parse_or_suspended(text: &str) -> Self {
        if text == "active" {
            Self::Active
        } else {
            Self::Suspended
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Tenant {
    pub id: TenantId,
    pub slug: String,
    pub name: String,
    pub status: TenantStatus,
    /// The slug of the plan whose limits apply.
    pub plan: String,
    pub locale: String,
    pub time_zone: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// The key to a tenant's tables. Every repository is reached with one, and only `app` makes
/// them, after it has checked that the caller belongs there (a test of the workspace holds this).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TenantScope {
    tenant: TenantId,
    corpora: PersonalCorpora,
    rehearses: bool,
}

/// Whose personal corpora a scope reaches. On `PostgreSQL` the database itself holds this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PersonalCorpora {
    /// Everybody's: the work of the product itself, which ingests, indexes and deletes.
    Everybodys,
    /// Those of one person.
    Of(UserId),
    /// Nobody's, as for a program.
    Nobodys,
}

impl PersonalCorpora {
    /// Those of a person, or nobody's when there is none.
    #[must_use]
    pub const fn of(person: Option<UserId>) -> Self {
        match person {
            Some(person) => Self::Of(person),
            None => Self::Nobodys,
        }
    }
}

impl TenantScope {
    /// The scope of the product's own work in a tenant.
    #[must_use]
    pub const fn of(tenant: TenantId) -> Self {
        Self {
            tenant,
            corpora: PersonalCorpora::Everybodys,
            rehearses: false,
        }
    }

    /// The same tenant as this person reaches it, or a program when there is none: what is
    /// somebody else's own is not there.
    #[must_use]
    pub const fn as_seen_by(self, person: Option<UserId>) -> Self {
        Self {
            corpora: PersonalCorpora::of(person),
            ..self
        }
    }

    /// The same tenant for somebody who only tries out what would happen: whatever is written under
    /// this scope is undone when its transaction ends.
    #[must_use]
    pub const fn rehearsing(self) -> Self {
        Self {
            rehearses: true,
            ..self
        }
    }

    #[must_use]
    pub const fn rehearses(self) -> bool {
        self.rehearses
    }

    #[must_use]
    pub const fn tenant_id(self) -> TenantId {
        self.tenant
    }

    #[must_use]
    pub const fn corpora(self) -> PersonalCorpora {
        self.corpora
    }
}
