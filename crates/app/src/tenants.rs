//! Tenants: made by the platform, described and ended by their own admins or by the platform.

mod ending;

pub use ending::{EndTenant, end_own, what_ends};

use crate::{Actor, App, RequestInfo, token};
use quipu_core::access::{Permission, Principal};
use quipu_core::page::{Page, PageRequest};
use quipu_core::removal::{DeletionReceipt, KeptReceipt};
use quipu_core::tenancy::{Tenant, TenantScope, TenantStatus};
use quipu_core::text::slugify;
use quipu_core::validate::Checks;
use quipu_core::{Error, ErrorCode, Result, TenantId};
use quipu_store::PlatformTx;
use quipu_store::platform::{NewTenant, PlatformTenantChange};
use quipu_store::tenant::{NewAuditEntry, TenantChange};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateTenant {
    #[schema(min_length = 1, max_length = 100, example = "Taquería El Farolito")]
    pub name: String,
    /// Made from the name when left out.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 50, pattern = "^[a-z0-9]+(-[a-z0-9]+)*$")]
    pub slug: Option<String>,
    #[serde(default = "default_plan")]
    #[schema(min_length = 1, max_length = 50, example = "free")]
    pub plan: String,
    #[serde(default = "default_locale")]
    #[schema(pattern = "^[a-z]{2}(-[A-Z]{2})?$", example = "es-PE")]
    pub locale: String,
    #[serde(default = "default_time_zone")]
    #[schema(min_length = 1, max_length = 64, example = "America/Lima")]
    pub time_zone: String,
}

fn default_plan() -> String {
    "free".to_owned()
}

fn default_locale() -> String {
    "es-PE".to_owned()
}

fn default_time_zone() -> String {
    "America/Lima".to_owned()
}

/// What the platform may change of a tenant.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateTenant {
    #[serde(default)]
    #[schema(min_length = 1, max_length = 100)]
    pub name: Option<String>,
    #[serde(default)]
    #[schema(min_length = 1, max_length = 50, example = "professional")]
    pub plan: Option<String>,
    #[serde(default)]
    pub status: Option<TenantStatus>,
    #[serde(default)]
    #[schema(pattern = "^[a-z]{2}(-[A-Z]{2})?$", example = "es-MX")]
    pub locale: Option<String>,
    #[serde(default)]
    #[schema(min_length = 1, max_length = 64, example = "America/Mexico_City")]
    pub time_zone: Option<String>,
}

/// What a tenant's admin may change of it.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateProfile {
    #[serde(default)]
    #[schema(min_length = 1, max_length = 100)]
    pub name: Option<String>,
    #[serde(default)]
    #[schema(pattern = "^[a-z]{2}(-[A-Z]{2})?$", example = "es-MX")]
    pub locale: Option<String>,
    #[serde(default)]
    #[schema(min_length = 1, max_length = 64, example = "America/Mexico_City")]
    pub time_zone: Option<String>,
}

/// # Errors
/// `SUPER_ADMIN_ONLY`, `VALIDATION_FAILED`, `ALREADY_EXISTS`, or `NOT_FOUND` for the plan.
pub async fn create(
    app: &App,
    principal: &Principal,
    input: CreateTenant,
    request: &RequestInfo,
) -> Result<Tenant> {
    principal.require_super_admin()?;
    let mut checks = Checks::new();
    let name = checks.line("name", &input.name, 100);
    let slug = input.slug.clone().unwrap_or_else(|| slugify(&name));
    if input.slug.is_some() || !name.is_empty() {
        checks.slug("slug", &slug);
    }
    checks.locale("locale", &input.locale);
    checks.time_zone("time_zone", &input.time_zone);
    checks.finish()?;
    // A tenant cannot keep the key of its own creation in its own tables; its row keeps it.
    let creation = match &request.idempotency_key {
        None => None,
        Some(key) => {
            let owner = principal
                .user_id()
                .map(|id| id.to_string())
                .unwrap_or_default();
            let body = serde_json::to_string(&input).map_err(Error::internal)?;
            Some((token::hash(&format!("{owner}\n{key}")), token::hash(&body)))
        }
    };
    let new = NewTenant {
        slug,
        name,
        plan: input.plan,
        locale: input.locale,
        time_zone: input.time_zone,
        creation,
    };
    let tx = app.store.platform().await?;
    if let Some(tenant) = made_before(&tx, &new).await? {
        return Ok(tenant);
    }
    let tenant = match tx.tenants().insert(&new).await {
        Ok(tenant) => tenant,
        Err(error) => {
            drop(tx);
            // The same request may have come twice at once, and the other one was faster.
            let tx = app.store.platform_read().await?;
            return made_before(&tx, &new).await?.ok_or(error);
        }
    };
    let details = json!({ "slug": tenant.slug, "plan": tenant.plan });
    commit_with_audit(tx, principal, tenant.id, "tenant.create", details, request).await?;
    tracing::info!(tenant.id = %tenant.id, "tenant {} was made", tenant.id);
    Ok(tenant)
}

/// What the same request made when it came before.
async fn made_before(tx: &PlatformTx, new: &NewTenant) -> Result<Option<Tenant>> {
    let Some((key, hash)) = &new.creation else {
        return Ok(None);
    };
    match tx.tenants().find_by_creation_key(key).await? {
        Some((_, before)) if before != *hash => Err(Error::new(ErrorCode::IdempotencyMismatch)),
        found => Ok(found.map(|(tenant, _)| tenant)),
    }
}

/// # Errors
/// `SUPER_ADMIN_ONLY`.
pub async fn list(app: &App, principal: &Principal, page: PageRequest) -> Result<Page<Tenant>> {
    principal.require_super_admin()?;
    app.store.platform_read().await?.tenants().list(page).await
}

/// # Errors
/// `SUPER_ADMIN_ONLY` or `NOT_FOUND`.
pub async fn get(app: &App, principal: &Principal, id: TenantId) -> Result<Tenant> {
    principal.require_super_admin()?;
    let tx = app.store.platform_read().await?;
    tx.tenants()
        .find(id)
        .await?
        .ok_or_else(|| Error::not_found("tenant"))
}

/// # Errors
/// `SUPER_ADMIN_ONLY`, `NOT_FOUND` or `VALIDATION_FAILED`.
pub async fn update(
    app: &App,
    principal: &Principal,
    id: TenantId,
    input: UpdateTenant,
    request: &RequestInfo,
) -> Result<Tenant> {
    principal.require_super_admin()?;
    let mut checks = Checks::new();
    let name = checks.optional_line("name", input.name.as_deref(), 100);
    check_place(
        &mut checks,
        input.locale.as_deref(),
        input.time_zone.as_deref(),
    );
    checks.finish()?;
    let details = serde_json::to_value(&input).map_err(Error::internal)?;
    let change = PlatformTenantChange {
        name,
        plan: input.plan,
        status: input.status,
        locale: input.locale,
        time_zone: input.time_zone,
    };
    let tx = app.store.platform().await?;
    if !tx.tenants().update(id, &change).await? {
        return Err(Error::not_found("tenant"));
    }
    let tenant = tx
        .tenants()
        .find(id)
        .await?
        .ok_or_else(|| Error::not_found("tenant"))?;
    commit_with_audit(tx, principal, id, "tenant.update", details, request).await?;
    Ok(tenant)
}

/// Ends the platform's transaction with an entry in the tenant's own audit log: its admins see what
/// was done to it from above.
async fn commit_with_audit(
    tx: PlatformTx,
    principal: &Principal,
    tenant: TenantId,
    action: &'static str,
    details: serde_json::Value,
    request: &RequestInfo,
) -> Result<()> {
    let tx = tx.enter_tenant(TenantScope::of(tenant)).await?;
    let entry = NewAuditEntry {
        actor: principal.name(),
        action,
        target: format!("tenant:{tenant}"),
        details,
        request_id: request.request_id.clone(),
    };
    tx.audit().insert(entry).await?;
    tx.commit().await
}

/// Deletes the tenant and everything it owns, in every store. The receipt is kept by the platform,
/// since the tenant's own audit log goes with it.
///
/// # Errors
/// `SUPER_ADMIN_ONLY` or `NOT_FOUND`.
pub async fn delete(
    app: &App,
    principal: &Principal,
    id: TenantId,
    request: &RequestInfo,
) -> Result<DeletionReceipt> {
    principal.require_super_admin()?;
    ending::end(app, id, &principal.name(), request).await
}

/// What was deleted of tenants that are gone, newest first.
///
/// # Errors
/// `SUPER_ADMIN_ONLY`.
pub async fn deletion_receipts(
    app: &App,
    principal: &Principal,
    page: PageRequest,
) -> Result<Page<KeptReceipt>> {
    principal.require_super_admin()?;
    app.store.platform_read().await?.receipts().list(page).await
}

/// Changes the tenant's own description.
///
/// # Errors
/// `FORBIDDEN` or `VALIDATION_FAILED`.
pub async fn update_profile(app: &App, actor: &Actor, input: UpdateProfile) -> Result<Tenant> {
    actor.require(Permission::TenantWrite)?;
    let mut checks = Checks::new();
    let name = checks.optional_line("name", input.name.as_deref(), 100);
    check_place(
        &mut checks,
        input.locale.as_deref(),
        input.time_zone.as_deref(),
    );
    checks.finish()?;
    let details = serde_json::to_value(&input).map_err(Error::internal)?;
    let change = TenantChange {
        name,
        locale: input.locale,
        time_zone: input.time_zone,
    };
    let tx = app.store.begin(actor.scope()).await?;
    tx.profile().update(&change).await?;
    let target = format!("tenant:{}", actor.tenant_id());
    actor.audit(&tx, "tenant.update", target, details).await?;
    let tenant = tx.profile().get().await?;
    tx.commit().await?;
    Ok(tenant)
}

/// Adds credits to a tenant's ledger by hand.
///
/// # Errors
/// `SUPER_ADMIN_ONLY`, `NOT_FOUND`, `VALIDATION_FAILED`, or `ALREADY_EXISTS` for a reference that
/// was used before.
pub async fn grant_credits(
    app: &App,
    principal: &Principal,
    tenant: TenantId,
    amount: i64,
    reference: &str,
    request: RequestInfo,
) -> Result<i64> {
    principal.require_super_admin()?;
    let mut checks = Checks::new();
    checks.range("amount", amount, 1, 1_000_000_000);
    let reference = checks.line("reference", reference, 100);
    checks.finish()?;
    let actor = Actor::enter(app, principal.clone(), Some(&tenant.to_string()), request).await?;
    let tx = app.store.begin(actor.scope()).await?;
    tx.profile().lock_plan().await?;
    if !tx.credits().enter(amount, "grant", &reference).await? {
        return Err(Error::already_exists("credit", "reference"));
    }
    let details = json!({ "amount": amount, "reference": reference });
    actor
        .audit(&tx, "credits.grant", format!("tenant:{tenant}"), details)
        .await?;
    let balance = tx.credits().balance().await?;
    tx.commit().await?;
    Ok(balance)
}

fn check_place(checks: &mut Checks, locale: Option<&str>, time_zone: Option<&str>) {
    if let Some(locale) = locale {
        checks.locale("locale", locale);
    }
    if let Some(zone) = time_zone {
        checks.time_zone("time_zone", zone);
    }
}
