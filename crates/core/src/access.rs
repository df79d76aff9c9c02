//! Who may do what: roles of people, scopes of keys, and the permissions both map to.

use crate::language::Language;
use crate::{ApiKeyId, Error, ErrorCode, Result, SessionId, TenantId, Timestamp, UserId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a person is inside one tenant. `super_admin` belongs to the platform and is a flag of
/// the user, not a role here.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Member,
    Manager,
    Admin,
}

impl Role {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Member => "member",
            Self::Manager => "manager",
            Self::Admin => "admin",
        }
    }

    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Member, Self::Manager, Self::Admin]
            .into_iter()
            .find(|r| r.as_str() == text)
    }

    #[must_use]
    pub fn permissions(self) -> Vec<Permission> {
        Permission::ALL
            .iter()
            .copied()
            .filter(|p| self >= p.least_role())
            .collect()
    }
}

macro_rules! permissions {
    // Not $text:literal, which utoipa does not see through: it would document the variants' names.
    ($($variant:ident = $text:tt, $role:ident;)+) => {
        /// One thing that can be allowed. API keys carry a list of these as their scopes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
        pub enum Permission {
            $(#[serde(rename = $text)] $variant,)+
        }

        impl Permission {
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }

            /// The lowest role that has it.
            #[must_use]
            pub const fn least_role(self) -> Role {
                match self { $(Self::$variant => Role::$role,)+ }
            }
        }
    };
}

permissions! {
    Chat = "chat", Member;
    AgentsRead = "agents:read", Member;
    KnowledgeRead = "knowledge:read", Member;
    BusinessRead = "business:read", Member;
    CustomersRead = "customers:read", Member;
    CustomersWrite = "customers:write", Member;
    AgentsWrite = "agents:write", Manager;
    BusinessWrite = "business:write", Manager;
    KnowledgeWrite = "knowledge:write", Manager;
    JobsRead = "jobs:read", Manager;
    JobsWrite = "jobs:write", Manager;
    UsageRead = "usage:read", Manager;
    TenantWrite = "tenant:write", Admin;
    MembersRead = "members:read", Admin;
    MembersWrite = "members:write", Admin;
    KeysRead = "keys:read", Admin;
    KeysWrite = "keys:write", Admin;
    SecretsRead = "secrets:read", Admin;
    SecretsWrite = "secrets:write", Admin;
    AuditRead = "audit:read", Admin;
}

impl Permission {
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|p| p.as_str() == text)
    }
}

/// Whoever stands behind a request, before a tenant is chosen.
#[derive(Clone, Debug)]
pub enum Principal {
    User {
        id: UserId,
        session: SessionId,
        super_admin: bool,
        /// Until it is changed, nothing else can be done.
        must_change_password: bool,
    },
    ApiKey {
        id: ApiKeyId,
        /// The key that a person made, of which this one descends: often itself.
        root: ApiKeyId,
        tenant: TenantId,
        scopes: Vec<Permission>,
    },
    /// The tenant's own n8n, known by its shared secret.
    SharedSecret { tenant: TenantId },
    /// The product itself: workers and the command line.
    System,
}

impl Principal {
    #[must_use]
    pub fn user_id(&self) -> Option<UserId> {
        match self {
            Self::User { id, .. } => Some(*id),
            _ => None,
        }
    }

    /// How the audit log and idempotency records call whoever this is.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::User { id, .. } => format!("user:{id}"),
            Self::ApiKey { id, .. } => format!("api_key:{id}"),
            Self::SharedSecret { .. } => "n8n".to_owned(),
            Self::System => "system".to_owned(),
        }
    }

    /// # Errors
    /// `SUPER_ADMIN_ONLY` for everybody else, `PASSWORD_CHANGE_REQUIRED` before the first change.
    pub fn require_super_admin(&self) -> Result<()> {
        match self {
            Self::User {
                super_admin: true,
                must_change_password: true,
                ..
            } => Err(Error::new(ErrorCode::PasswordChangeRequired)),
            Self::User {
                super_admin: true, ..
            }
            | Self::System => Ok(()),
            _ => Err(Error::new(ErrorCode::SuperAdminOnly)),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum UserStatus {
    Active,
    Suspended,
}

impl UserStatus {
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
pub struct User {
    pub id: UserId,
    pub email: String,
    pub name: String,
    pub status: UserStatus,
    pub super_admin: bool,
    /// The password was given by somebody else and must be changed.
    pub must_change_password: bool,
    /// The language they read, where they said it.
    pub language: Option<Language>,
    pub created_at: Timestamp,
}

/// A person as a tenant sees them.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Member {
    pub user_id: UserId,
    pub email: String,
    pub name: String,
    pub role: Role,
    /// Suspended here; their other tenants are not affected.
    pub status: UserStatus,
    pub created_at: Timestamp,
}

/// A tenant as a person sees it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Membership {
    pub tenant_id: TenantId,
    pub tenant_slug: String,
    pub tenant_name: String,
    pub role: Role,
    /// What the person may do there.
    pub permissions: Vec<Permission>,
    pub joined_at: Timestamp,
}

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Session {
    pub id: SessionId,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    /// What the client called itself when it signed in.
    pub user_agent: Option<String>,
    /// The session this request came with.
    pub current: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ApiKey {
    pub id: ApiKeyId,
    pub name: String,
    /// The first characters of the key, to recognise it by.
    pub prefix: String,
    pub scopes: Vec<Permission>,
    pub created_by: Option<UserId>,
    pub created_at: Timestamp,
    pub expires_at: Option<Timestamp>,
    pub last_used_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
}

/// A stored secret as the API shows it: never its value.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SecretInfo {
    pub name: String,
    /// The last four characters behind dots, or only dots when the value is short.
    pub mask: String,
    /// The servers, besides the provider's own, that a provider's key is sent to.
    #[schema(example = json!(["https://openrouter.ai"]))]
    pub origins: Vec<String>,
    pub updated_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permissions_are_documented_as_they_are_sent() {
        let schema = serde_json::to_value(<Permission as utoipa::PartialSchema>::schema()).unwrap();
        assert_eq!(schema["enum"], serde_json::json!(Permission::ALL));
    }

    #[test]
    fn roles_grow_and_members_cannot_write() {
        let member = Role::Member.permissions();
        let manager = Role::Manager.permissions();
        assert!(member.iter().all(|p| manager.contains(p)));
        assert!(!member.contains(&Permission::KnowledgeWrite));
        assert!(manager.contains(&Permission::KnowledgeWrite));
        assert!(!manager.contains(&Permission::SecretsRead));
        assert_eq!(Role::Admin.permissions().len(), Permission::ALL.len());
    }
}
