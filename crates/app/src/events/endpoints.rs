//! The addresses that are told what happens.

use super::target;
use crate::documents::present;
use crate::{Actor, App, token};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quipu_core::access::Permission;
use quipu_core::event::{EventEndpoint, EventEndpointChange, EventKind, NewEventEndpoint};
use quipu_core::page::{MAX_LIMIT, Page, PageRequest};
use quipu_core::validate::{Checks, Problem};
use quipu_core::{Error, ErrorCode, EventEndpointId, Result, TenantId};
use quipu_store::TenantTx;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

const MAX_URL_CHARS: usize = 2_000;
const MAX_DESCRIPTION_CHARS: usize = 200;
/// How many a business has at most: each is asked for with everything that happens.
const MOST_ENDPOINTS: usize = 20;
/// How secrets of Standard Webhooks begin, and how much chance is in ours.
const SECRET_PREFIX: &str = "whsec_";
const SECRET_BYTES: usize = 32;

#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateEventEndpoint {
    /// Where events are posted to: http or https, on the public network.
    #[schema(
        min_length = 1,
        max_length = 2_000,
        example = "https://crm.ejemplo.pe/quipu"
    )]
    pub url: String,
    #[serde(default)]
    #[schema(min_length = 1, max_length = 200, example = "CRM")]
    pub description: Option<String>,
    /// What is told; everything when left out.
    #[serde(default)]
    #[schema(max_items = 32)]
    pub kinds: Vec<EventKind>,
}

/// What is left out stays as it is.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateEventEndpoint {
    #[serde(default)]
    #[schema(min_length = 1, max_length = 2_000)]
    pub url: Option<String>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 200)]
    pub description: Option<Option<String>>,
    #[serde(default)]
    #[schema(max_items = 32)]
    pub kinds: Option<Vec<EventKind>>,
    #[serde(default)]
    pub active: Option<bool>,
}

/// An endpoint, and what its deliveries are signed with.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CreatedEventEndpoint {
    #[serde(flatten)]
    pub endpoint: EventEndpoint,
    /// Shown this once. Libraries of Standard Webhooks take it as it is.
    #[schema(example = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")]
    pub secret: String,
}

/// Has an address told what happens from now on.
///
/// # Errors
/// `PERSON_REQUIRED` for a program, `VALIDATION_FAILED`, or `TOO_MANY_ITEMS`.
pub async fn create(
    app: &App,
    actor: &Actor,
    input: CreateEventEndpoint,
) -> Result<CreatedEventEndpoint> {
    actor.require(Permission::SecretsWrite)?;
    // What a key of the API added would go on reading what customers say when the key is revoked.
    actor.require_person()?;
    let mut checks = Checks::new();
    let url = check_url(app, &mut checks, &input.url);
    let description = input.description.as_deref();
    let description = checks.optional_line("description", description, MAX_DESCRIPTION_CHARS);
    check_kinds(&mut checks, &input.kinds);
    checks.finish()?;
    let id = EventEndpointId::generate(app.now());
    let secret = new_secret()?;
    let tx = app.store.begin(actor.scope()).await?;
    // Two at once would both be the last.
    tx.profile().lock_plan().await?;
    let all = tx.event_endpoints().list(everything()?).await?.data;
    if all.len() >= MOST_ENDPOINTS {
        return Err(Error::new(ErrorCode::TooManyItems).with("value", MOST_ENDPOINTS));
    }
    let new = NewEventEndpoint {
        id,
        url,
        description,
        kinds: input.kinds,
        sealed: app.vault.seal(actor.tenant_id(), &sealed_as(id), &secret)?,
        created_by: actor.name(),
    };
    tx.event_endpoints().insert(&new).await?;
    // Without the address, in which there may be a key.
    let details = json!({ "kinds": new.kinds });
    actor
        .audit(&tx, "event_endpoint.create", target(id), details)
        .await?;
    let endpoint = find(&tx, id).await?;
    tx.commit().await?;
    Ok(CreatedEventEndpoint {
        endpoint,
        secret: secret.expose_secret().to_owned(),
    })
}

/// # Errors
/// `NOT_FOUND` when the tenant has no such endpoint.
pub async fn get(app: &App, actor: &Actor, id: EventEndpointId) -> Result<EventEndpoint> {
    actor.require(Permission::BusinessRead)?;
    let tx = app.store.read(actor.scope()).await?;
    find(&tx, id).await
}

/// Newest first.
///
/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn list(app: &App, actor: &Actor, page: PageRequest) -> Result<Page<EventEndpoint>> {
    actor.require(Permission::BusinessRead)?;
    let tx = app.store.read(actor.scope()).await?;
    tx.event_endpoints().list(page).await
}

/// # Errors
/// `PERSON_REQUIRED` for a program, `NOT_FOUND`, or `VALIDATION_FAILED`.
pub async fn update(
    app: &App,
    actor: &Actor,
    id: EventEndpointId,
    input: UpdateEventEndpoint,
) -> Result<EventEndpoint> {
    actor.require(Permission::SecretsWrite)?;
    actor.require_person()?;
    let mut checks = Checks::new();
    let url = input.url.map(|url| check_url(app, &mut checks, &url));
    let description = input
        .description
        .map(|text| checks.optional_line("description", text.as_deref(), MAX_DESCRIPTION_CHARS));
    if let Some(kinds) = &input.kinds {
        check_kinds(&mut checks, kinds);
    }
    checks.finish()?;
    let details = json!({
        "url": url.is_some(),
        "kinds": input.kinds,
        "active": input.active,
    });
    let tx = app.store.begin(actor.scope()).await?;
    let is_another = url.is_some() || input.active == Some(true);
    let change = EventEndpointChange {
        url,
        description,
        kinds: input.kinds,
        active: input.active,
    };
    if !tx.event_endpoints().update(id, &change).await? {
        return Err(Error::not_found("event_endpoint"));
    }
    if is_another {
        // Whether it takes anything now shows when it is told.
        tx.event_endpoints().recovered(id).await?;
    }
    actor
        .audit(&tx, "event_endpoint.update", target(id), details)
        .await?;
    let endpoint = find(&tx, id).await?;
    tx.commit().await?;
    Ok(endpoint)
}

/// Takes an endpoint away, with what it was told and what waits for it.
///
/// # Errors
/// `PERSON_REQUIRED` for a program, or `NOT_FOUND` when the tenant has no such endpoint.
pub async fn delete(app: &App, actor: &Actor, id: EventEndpointId) -> Result<()> {
    actor.require(Permission::SecretsWrite)?;
    actor.require_person()?;
    let tx = app.store.begin(actor.scope()).await?;
    if !tx.event_endpoints().delete(id).await? {
        return Err(Error::not_found("event_endpoint"));
    }
    actor
        .audit(&tx, "event_endpoint.delete", target(id), json!({}))
        .await?;
    tx.commit().await
}

pub(super) async fn find(tx: &TenantTx, id: EventEndpointId) -> Result<EventEndpoint> {
    let found = tx.event_endpoints().find(id).await?;
    found.ok_or_else(|| Error::not_found("event_endpoint"))
}

/// What the deliveries of an endpoint are signed with.
pub(super) async fn secret(
    app: &App,
    tx: &TenantTx,
    id: EventEndpointId,
) -> Result<Option<SecretString>> {
    let Some(sealed) = tx.event_endpoints().sealed(id).await? else {
        return Ok(None);
    };
    let tenant: TenantId = tx.tenant_id();
    app.vault.open(tenant, &sealed_as(id), &sealed).map(Some)
}

/// What a secret is sealed under, so that that of another endpoint does not open in its place.
fn sealed_as(id: EventEndpointId) -> String {
    format!("event_endpoint:{id}")
}

fn new_secret() -> Result<SecretString> {
    let mut bytes = [0_u8; SECRET_BYTES];
    token::fill(&mut bytes)?;
    Ok(format!("{SECRET_PREFIX}{}", STANDARD.encode(bytes)).into())
}

fn everything() -> Result<PageRequest> {
    PageRequest::parse(Some(MAX_LIMIT), None)
}

/// An address that a tenant wants something posted to.
pub(crate) fn check_hook(app: &App, checks: &mut Checks, field: &str, url: &str) -> String {
    let url = url.trim();
    checks.text(field, url, MAX_URL_CHARS);
    if !url.is_empty() && app.webhooks.check(url).is_err() {
        checks.problem(field, Problem::NotPublic);
    }
    url.to_owned()
}

fn check_url(app: &App, checks: &mut Checks, url: &str) -> String {
    check_hook(app, checks, "url", url)
}

fn check_kinds(checks: &mut Checks, kinds: &[EventKind]) {
    let repeated = (1..kinds.len()).any(|i| kinds[..i].contains(&kinds[i]));
    if repeated {
        checks.problem("kinds", Problem::Duplicate);
    }
    if kinds.contains(&EventKind::Ping) {
        let others = EventKind::ALL.iter();
        let others = others.filter(|kind| **kind != EventKind::Ping);
        let names: Vec<&str> = others.map(|kind| kind.as_str()).collect();
        let allowed = names.join(", ");
        checks.problem("kinds", Problem::Unknown { allowed });
    }
}
