//! The first start: plans, an administrator, and demo tenants to talk to at once.

mod business;

use crate::agents::CreateAgent;
use crate::api_keys::CreateApiKey;
use crate::documents::AddText;
use crate::tenants::CreateTenant;
use crate::{Actor, App, RequestInfo, agents, api_keys, knowledge, plans, tenants, token};
use business::DemoBusiness;
use quipu_core::Result;
use quipu_core::access::{Permission, Principal};
use quipu_core::validate::Checks;
use quipu_store::platform::NewUser;

/// The administrator that a first start makes.
#[derive(Debug)]
pub struct NewAdministrator {
    pub email: String,
    pub one_time_password: String,
}

/// Adds the plans that are missing, and an administrator when the platform has none.
///
/// # Errors
/// When the database cannot be written.
pub async fn prepare(app: &App, email: &str) -> Result<Option<NewAdministrator>> {
    let mut checks = Checks::new();
    let email = &checks.email("auth.admin_email", email);
    checks.finish()?;
    let tx = app.store.platform().await?;
    for plan in plans::starting_plans() {
        tx.plans().add_missing(&plan).await?;
    }
    if tx.users().any_super_admin().await? {
        tx.commit().await?;
        return Ok(None);
    }
    let password = token::one_time_password()?;
    let hash = app.passwords.hash(&password.clone().into()).await?;
    tx.users()
        .insert(&NewUser {
            email: email.to_owned(),
            name: "Admin".to_owned(),
            password_hash: Some(hash),
            super_admin: true,
            must_change_password: true,
        })
        .await?;
    tx.commit().await?;
    Ok(Some(NewAdministrator {
        email: email.to_owned(),
        one_time_password: password,
    }))
}

/// A tenant that shows what the product does.
#[derive(Clone, Copy, Debug)]
pub struct Demo {
    pub tenant: &'static str,
    pub slug: &'static str,
    pub agent: &'static str,
    pub title: &'static str,
    pub text: &'static str,
    /// What the business is and offers, as JSON.
    pub business: &'static str,
}

/// Makes a demo tenant and returns an API key to talk to its agent with. Each step is looked
/// for before it is made, so that a start that was cut off is completed by the next.
///
/// # Errors
/// When the database cannot be written.
pub async fn load_demo(app: &App, demo: &Demo) -> Result<String> {
    let system = Principal::System;
    let business = DemoBusiness::read(demo.business)?;
    let input = CreateTenant {
        name: demo.tenant.to_owned(),
        slug: Some(demo.slug.to_owned()),
        plan: "professional".to_owned(),
        locale: business.tenant.locale.clone(),
        time_zone: business.tenant.time_zone.clone(),
    };
    let exists = app
        .store
        .platform_read()
        .await?
        .tenants()
        .find_by_slug(demo.slug)
        .await?
        .is_some();
    if !exists {
        tenants::create(app, &system, input, &RequestInfo::default()).await?;
    }
    let actor = Actor::enter(app, system, Some(demo.slug), RequestInfo::default()).await?;
    let agent = if let Ok(agent) = agents::active(app, &actor).await {
        agent
    } else {
        let input = CreateAgent {
            name: demo.agent.to_owned(),
            slug: None,
            company_name: None,
            vertical: business.agent.vertical,
            language: business.agent.language,
            allows_personal_corpus: false,
            settings: quipu_core::agent::AgentSettings::default(),
        };
        agents::create(app, &actor, input).await?
    };
    let text = AddText {
        title: Some(demo.title.to_owned()),
        content: demo.text.to_owned(),
        category: None,
        tags: Vec::new(),
        metadata: serde_json::json!({}),
    };
    match knowledge::add_text(app, &actor, &agent.slug, text).await {
        Ok(_) => {}
        Err(error) if error.code() == quipu_core::ErrorCode::DuplicateDocument => {}
        Err(error) => return Err(error),
    }
    business.load(app, &actor).await?;
    let key = CreateApiKey {
        name: "demo".to_owned(),
        scopes: vec![
            Permission::Chat,
            Permission::AgentsRead,
            Permission::KnowledgeRead,
            Permission::BusinessRead,
            Permission::CustomersRead,
            Permission::CustomersWrite,
        ],
        expires_at: None,
    };
    let created = api_keys::create(app, &actor, key).await?;
    Ok(created.key.unwrap_or_default())
}
