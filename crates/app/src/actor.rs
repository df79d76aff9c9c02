//! Somebody inside one tenant, with the rights they have there.

use crate::App;
use crate::rate::RateCaller;
use quipu_core::access::{Permission, Principal, UserStatus};
use quipu_core::plan::Plan;
use quipu_core::tenancy::{Tenant, TenantScope, TenantStatus};
use quipu_core::{ApiKeyId, Error, ErrorCode, Result, TenantId, UserId};
use quipu_store::TenantTx;
use quipu_store::tenant::NewAuditEntry;
use uuid::Uuid;

/// What a use case knows about the request it serves.
#[derive(Clone, Debug, Default)]
pub struct RequestInfo {
    pub request_id: Option<String>,
    pub idempotency_key: Option<String>,
}

/// Made by [`Actor::enter`] and nowhere else, so that holding one is proof of the check.
#[derive(Clone, Debug)]
pub struct Actor {
    tenant: Tenant,
    plan: Plan,
    principal: Principal,
    permissions: Vec<Permission>,
    request: RequestInfo,
    rehearses: bool,
}

impl Actor {
    /// Lets a principal into a tenant. `wanted` is the id or slug they named, if any.
    ///
    /// # Errors
    /// `TENANT_REQUIRED` when it is not clear which tenant is meant, `NOT_FOUND` when the
    /// principal has no business there, `TENANT_SUSPENDED`, `PASSWORD_CHANGE_REQUIRED`.
    pub async fn enter(
        app: &App,
        principal: Principal,
        wanted: Option<&str>,
        request: RequestInfo,
    ) -> Result<Self> {
        let tx = app.store.platform_read().await?;
        let (id, permissions) = match &principal {
            Principal::ApiKey { tenant, scopes, .. } => (*tenant, scopes.clone()),
            Principal::SharedSecret { tenant } => (
                *tenant,
                vec![
                    Permission::Chat,
                    Permission::AgentsRead,
                    Permission::KnowledgeRead,
                ],
            ),
            Principal::System => {
                let tenant = find(&tx, wanted.ok_or_else(tenant_required)?).await?;
                (tenant.id, Permission::ALL.to_vec())
            }
            Principal::User {
                id,
                super_admin,
                must_change_password,
                ..
            } => {
                if *must_change_password {
                    return Err(Error::new(ErrorCode::PasswordChangeRequired));
                }
                let memberships = tx.tenants().of_user(*id).await?;
                let membership = match wanted {
                    None if memberships.len() == 1 => memberships.first(),
                    None => return Err(tenant_required()),
                    Some(wanted) => memberships
                        .iter()
                        .find(|m| m.tenant_slug == wanted || m.tenant_id.to_string() == wanted),
                };
                match membership {
                    Some(m) if !super_admin => (m.tenant_id, m.role.permissions()),
                    Some(m) => (m.tenant_id, Permission::ALL.to_vec()),
                    None if *super_admin => {
                        let tenant = find(&tx, wanted.ok_or_else(tenant_required)?).await?;
                        (tenant.id, Permission::ALL.to_vec())
                    }
                    None => return Err(Error::not_found("tenant")),
                }
            }
        };
        let tenant = tx
            .tenants()
            .find(id)
            .await?
            .ok_or_else(|| Error::not_found("tenant"))?;
        // A key or secret says which tenant it means; naming another one is a mistake to point out.
        if let Some(wanted) = wanted
            && tenant.slug != wanted
            && tenant.id.to_string() != wanted
        {
            return Err(Error::not_found("tenant"));
        }
        let above = matches!(
            principal,
            Principal::User {
                super_admin: true,
                ..
            } | Principal::System
        );
        if tenant.status == TenantStatus::Suspended && !above {
            return Err(Error::new(ErrorCode::TenantSuspended));
        }
        let plan = tx
            .plans()
            .find(&tenant.plan)
            .await?
            .ok_or_else(|| Error::internal("a tenant's plan is gone"))?;
        Ok(Self {
            tenant,
            plan,
            principal,
            permissions,
            request,
            rehearses: false,
        })
    }

    /// The same actor in a step of the request that happens once under a key of its own, or under
    /// none when that is empty.
    pub(crate) fn with_key(&self, key: &str) -> Self {
        let mut actor = self.clone();
        actor.request.idempotency_key = (!key.is_empty()).then(|| key.to_owned());
        actor
    }

    /// The same actor in a rehearsal: whatever they write is undone when its transaction ends.
    pub(crate) fn rehearsing(&self) -> Self {
        let mut actor = self.clone();
        actor.rehearses = true;
        actor.request.idempotency_key = None;
        actor
    }

    pub(crate) const fn rehearses(&self) -> bool {
        self.rehearses
    }

    #[must_use]
    pub fn tenant(&self) -> &Tenant {
        &self.tenant
    }

    #[must_use]
    pub fn tenant_id(&self) -> TenantId {
        self.tenant.id
    }

    /// The plan as it was when the request arrived; limits are checked against a locked one.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    #[must_use]
    pub fn user_id(&self) -> Option<UserId> {
        self.principal.user_id()
    }

    pub(crate) fn api_key_id(&self) -> Option<ApiKeyId> {
        match self.principal {
            Principal::ApiKey { id, .. } => Some(id),
            _ => None,
        }
    }

    /// Refuses what a program, which can be revoked, must not leave behind.
    ///
    /// # Errors
    /// `PERSON_REQUIRED`.
    pub(crate) fn require_person(&self) -> Result<()> {
        match self.rate_caller() {
            RateCaller::Program(_) => Err(Error::new(ErrorCode::PersonRequired)),
            RateCaller::Person(_) => Ok(()),
        }
    }

    /// Whose requests these are: of a key or the tenant's n8n, or of somebody at a screen.
    #[must_use]
    pub fn rate_caller(&self) -> RateCaller {
        match self.principal {
            // Keys that a key made share its allowance: otherwise each more would be one more share.
            Principal::ApiKey { root, .. } => RateCaller::Program(root.uuid()),
            Principal::SharedSecret { tenant } => RateCaller::Program(tenant.uuid()),
            Principal::User { id, .. } => RateCaller::Person(id.uuid()),
            Principal::System => RateCaller::Person(Uuid::nil()),
        }
    }

    #[must_use]
    pub fn permissions(&self) -> &[Permission] {
        &self.permissions
    }

    #[must_use]
    pub fn is_above_tenants(&self) -> bool {
        matches!(
            self.principal,
            Principal::User {
                super_admin: true,
                ..
            } | Principal::System
        )
    }

    pub(crate) fn request(&self) -> &RequestInfo {
        &self.request
    }

    pub(crate) fn scope(&self) -> TenantScope {
        let scope = TenantScope::of(self.tenant.id).as_seen_by(self.user_id());
        if self.rehearses {
            scope.rehearsing()
        } else {
            scope
        }
    }

    /// # Errors
    /// `FORBIDDEN`, naming the permission.
    pub fn require(&self, permission: Permission) -> Result<()> {
        if self.permissions.contains(&permission) {
            return Ok(());
        }
        Err(Error::new(ErrorCode::Forbidden).with("permission", permission.as_str()))
    }

    pub(crate) const fn principal(&self) -> &Principal {
        &self.principal
    }

    /// How the audit log and idempotency records call whoever this is.
    #[must_use]
    pub fn name(&self) -> String {
        self.principal.name()
    }

    pub(crate) async fn audit(
        &self,
        tx: &TenantTx,
        action: &'static str,
        target: String,
        details: serde_json::Value,
    ) -> Result<()> {
        tx.audit()
            .insert(NewAuditEntry {
                actor: self.name(),
                action,
                target,
                details,
                request_id: self.request.request_id.clone(),
            })
            .await
    }
}

async fn find(tx: &quipu_store::PlatformTx, wanted: &str) -> Result<Tenant> {
    let found = match wanted.parse::<TenantId>() {
        Ok(id) => tx.tenants().find(id).await?,
        Err(_) => tx.tenants().find_by_slug(wanted).await?,
    };
    found.ok_or_else(|| Error::not_found("tenant"))
}

fn tenant_required() -> Error {
    Error::new(ErrorCode::TenantRequired)
}

/// Whether a person may do anything at all.
pub(crate) fn is_active(status: UserStatus) -> bool {
    status == UserStatus::Active
}
