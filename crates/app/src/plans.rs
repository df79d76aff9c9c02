//! Plans: the limits tenants live under, as data.

use crate::App;
use quipu_core::access::Principal;
use quipu_core::plan::{Plan, PlanLimits};
use quipu_core::validate::Checks;
use quipu_core::{Error, ErrorCode, Result};

/// The plans a new installation starts with.
#[must_use]
pub fn starting_plans() -> Vec<Plan> {
    const MB: u64 = 1024 * 1024;
    let plan = |slug: &str, name: &str, limits: PlanLimits| Plan {
        slug: slug.to_owned(),
        name: name.to_owned(),
        limits,
    };
    vec![
        plan(
            "free",
            "Free",
            PlanLimits {
                ai_agents_enabled: true,
                max_agents: Some(1),
                max_members: Some(3),
                max_knowledge_bases: Some(1),
                max_documents_per_kb: Some(50),
                max_kb_bytes: Some(20 * MB),
                max_storage_bytes: Some(20 * MB),
                monthly_credits: 500,
                requests_per_minute: 60,
            },
        ),
        plan(
            "professional",
            "Professional",
            PlanLimits {
                ai_agents_enabled: true,
                max_agents: Some(5),
                max_members: Some(20),
                max_knowledge_bases: Some(3),
                max_documents_per_kb: Some(1000),
                max_kb_bytes: Some(500 * MB),
                max_storage_bytes: Some(2000 * MB),
                monthly_credits: 20_000,
                requests_per_minute: 600,
            },
        ),
        plan(
            "enterprise",
            "Enterprise",
            PlanLimits {
                ai_agents_enabled: true,
                max_agents: None,
                max_members: None,
                max_knowledge_bases: None,
                max_documents_per_kb: None,
                max_kb_bytes: None,
                max_storage_bytes: None,
                monthly_credits: 1_000_000,
                requests_per_minute: 6000,
            },
        ),
    ]
}

/// # Errors
/// `PASSWORD_CHANGE_REQUIRED` before the first change.
pub async fn list(app: &App, principal: &Principal) -> Result<Vec<Plan>> {
    if let Principal::User {
        must_change_password: true,
        ..
    } = principal
    {
        return Err(Error::new(ErrorCode::PasswordChangeRequired));
    }
    app.store.platform_read().await?.plans().list().await
}

/// Makes or changes a plan. Its tenants are under the new limits at once.
///
/// # Errors
/// `SUPER_ADMIN_ONLY` or `VALIDATION_FAILED`.
pub async fn put(app: &App, principal: &Principal, plan: Plan) -> Result<Plan> {
    principal.require_super_admin()?;
    let mut checks = Checks::new();
    checks.slug("slug", &plan.slug);
    let name = checks.line("name", &plan.name, 100);
    checks.range(
        "requests_per_minute",
        i64::from(plan.limits.requests_per_minute),
        1,
        1_000_000,
    );
    for (field, bytes) in [
        ("max_kb_bytes", plan.limits.max_kb_bytes),
        ("max_storage_bytes", plan.limits.max_storage_bytes),
    ] {
        let bytes = i64::try_from(bytes.unwrap_or(0)).unwrap_or(i64::MAX);
        checks.range(field, bytes, 0, 1_000_000_000_000_000);
    }
    checks.finish()?;
    let plan = Plan { name, ..plan };
    let tx = app.store.platform().await?;
    tx.plans().put(&plan).await?;
    tx.commit().await?;
    Ok(plan)
}

/// # Errors
/// `SUPER_ADMIN_ONLY`, `NOT_FOUND`, or `PLAN_IN_USE` while a tenant has it.
pub async fn delete(app: &App, principal: &Principal, slug: &str) -> Result<()> {
    principal.require_super_admin()?;
    let tx = app.store.platform().await?;
    if !tx.plans().delete(slug).await? {
        return Err(Error::not_found("plan"));
    }
    tx.commit().await
}
