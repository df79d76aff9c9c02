//! Customers, and those who may become one.

mod identities;
mod merge;
mod temperature;

pub(crate) use identities::met;
pub use identities::{add_identity, for_identity, remove_identity};
pub use merge::{MergeLead, merge};
pub use temperature::history as temperature_history;
pub(crate) use temperature::rate;

use crate::documents::{check_tags, present};
use crate::once::{self, Once};
use crate::{Actor, App, events, removal};
use quipu_commerce::business::ItemKind;
use quipu_core::access::Permission;
use quipu_core::lead::{Identity, Lead, LeadChange, LeadFilter, NewLead, Temperature};
use quipu_core::page::{Page, PageRequest};
use quipu_core::removal::DeletionReceipt;
use quipu_core::validate::Checks;
use quipu_core::{AgentId, BranchId, Error, LeadId, Result};
use quipu_store::tenant::{Target, TemperatureCause};
use quipu_store::{Originals, TenantTx};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

const MAX_NAME_CHARS: usize = 200;
const MAX_NOTES_CHARS: usize = 5000;
pub(crate) const MAX_SEARCHED_CHARS: usize = 200;

#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateLead {
    #[serde(default)]
    #[schema(min_length = 1, max_length = 200, example = "Ana Quispe")]
    pub name: Option<String>,
    #[serde(default)]
    #[schema(max_length = 254, example = "ana@ejemplo.pe")]
    pub email: Option<String>,
    #[serde(default)]
    #[schema(min_length = 4, max_length = 40, example = "+51 987 654 321")]
    pub phone: Option<String>,
    #[serde(default)]
    pub temperature: Option<Temperature>,
    #[serde(default)]
    #[schema(max_items = 50)]
    pub tags: Vec<String>,
    /// For the business alone.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 5000)]
    pub notes: Option<String>,
    /// The agent that attends to them; the tenant's active one when left out.
    #[serde(default)]
    pub agent_id: Option<AgentId>,
    /// The branch they usually go to.
    #[serde(default)]
    pub branch_id: Option<BranchId>,
    /// How channels know them. Nobody else may be known so already.
    #[serde(default)]
    #[schema(max_items = 20)]
    pub identities: Vec<Identity>,
}

/// What is left out stays as it is; what is `null` is emptied.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateLead {
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 200)]
    pub name: Option<Option<String>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 254)]
    pub email: Option<Option<String>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, min_length = 4, max_length = 40)]
    pub phone: Option<Option<String>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Temperature>)]
    pub temperature: Option<Option<Temperature>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Vec<String>>, max_items = 50)]
    pub tags: Option<Option<Vec<String>>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 5000)]
    pub notes: Option<Option<String>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<AgentId>)]
    pub agent_id: Option<Option<AgentId>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<BranchId>)]
    pub branch_id: Option<Option<BranchId>>,
}

/// # Errors
/// `VALIDATION_FAILED`; `NOT_FOUND` for the agent or the branch; `ALREADY_EXISTS`, naming the
/// lead, when a channel knows somebody else so.
pub async fn create(app: &App, actor: &Actor, input: CreateLead) -> Result<Lead> {
    actor.require(Permission::CustomersWrite)?;
    let mut checks = Checks::new();
    let new = NewLead {
        name: check_name(&mut checks, input.name.as_deref()),
        email: check_email(&mut checks, input.email.as_deref()),
        phone: check_phone(&mut checks, input.phone.as_deref()),
        temperature: input.temperature,
        tags: check_tags(&mut checks, &input.tags),
        notes: check_notes(&mut checks, input.notes.as_deref()),
        agent_id: input.agent_id,
        branch_id: input.branch_id,
    };
    let identities = identities::check_all(&mut checks, &input.identities);
    checks.finish()?;
    let tx = match once::begin(app, actor, "lead.create", &input).await? {
        Once::Again(lead) => return Ok(lead),
        Once::First(tx) => tx,
    };
    check_references(&tx, new.agent_id, new.branch_id).await?;
    let id = insert(&tx, actor, new).await?;
    for identity in &identities {
        if !tx.leads().add_identity(id, identity).await? {
            let other = tx.leads().find_by_identity(identity).await?;
            let error = Error::already_exists("lead", "identity");
            return Err(match other {
                Some(lead) => error.with("lead_id", lead.id.to_string()),
                None => error,
            });
        }
    }
    let lead = load(&tx, id).await?;
    tx.commit(&lead).await?;
    Ok(lead)
}

async fn insert(tx: &TenantTx, actor: &Actor, mut new: NewLead) -> Result<LeadId> {
    if new.agent_id.is_none() {
        new.agent_id = tx.agents().find_active().await?.map(|agent| agent.id);
    }
    let id = tx.leads().insert(&new).await?;
    let by = actor.name();
    tx.temperature_changes()
        .add(id, None, new.temperature, TemperatureCause::by(&by))
        .await?;
    actor
        .audit(tx, "lead.create", target(id), json!({}))
        .await?;
    events::lead_created(tx, id, &new, None).await?;
    Ok(id)
}

/// # Errors
/// `NOT_FOUND` when the tenant has no such lead.
pub async fn get(app: &App, actor: &Actor, id: LeadId) -> Result<Lead> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    find(&tx, id).await
}

/// # Errors
/// `FORBIDDEN` or `VALIDATION_FAILED`.
pub async fn list(
    app: &App,
    actor: &Actor,
    mut filter: LeadFilter,
    page: PageRequest,
) -> Result<Page<Lead>> {
    actor.require(Permission::CustomersRead)?;
    let mut checks = Checks::new();
    filter.text = checks.optional_line("q", filter.text.as_deref(), MAX_SEARCHED_CHARS);
    filter.identity = filter
        .identity
        .map(|identity| identities::check(&mut checks, &identity));
    checks.finish()?;
    let tx = app.store.read(actor.scope()).await?;
    tx.leads().list(&filter, page).await
}

/// # Errors
/// `NOT_FOUND` for the lead, the agent or the branch, or `VALIDATION_FAILED`.
pub async fn update(app: &App, actor: &Actor, id: LeadId, input: UpdateLead) -> Result<Lead> {
    actor.require(Permission::CustomersWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    update_in(&tx, actor, id, input).await?;
    let lead = load(&tx, id).await?;
    tx.commit().await?;
    Ok(lead)
}

/// The same as part of something larger. Returns the names of what changed.
pub(crate) async fn update_in(
    tx: &TenantTx,
    actor: &Actor,
    id: LeadId,
    input: UpdateLead,
) -> Result<Vec<&'static str>> {
    let changed = changed(&input);
    let mut checks = Checks::new();
    let change = LeadChange {
        name: input
            .name
            .map(|name| check_name(&mut checks, name.as_deref())),
        email: input
            .email
            .map(|email| check_email(&mut checks, email.as_deref())),
        phone: input
            .phone
            .map(|phone| check_phone(&mut checks, phone.as_deref())),
        temperature: input.temperature,
        tags: input
            .tags
            .map(|tags| check_tags(&mut checks, &tags.unwrap_or_default())),
        notes: input
            .notes
            .map(|notes| check_notes(&mut checks, notes.as_deref())),
        agent_id: input.agent_id,
        branch_id: input.branch_id,
    };
    checks.finish()?;
    find(tx, id).await?;
    check_references(tx, change.agent_id.flatten(), change.branch_id.flatten()).await?;
    let by = actor.name();
    let cause = TemperatureCause::by(&by);
    if !tx.leads().update(id, &change, cause).await? {
        return Err(Error::not_found("lead"));
    }
    // The names of what changed, and not what it is: a deleted lead leaves nothing behind.
    let details = json!({ "fields": changed });
    actor.audit(tx, "lead.update", target(id), details).await?;
    Ok(changed)
}

/// Deletes the lead and everything of theirs, in every store.
///
/// # Errors
/// `NOT_FOUND` when the tenant has no such lead.
pub async fn delete(app: &App, actor: &Actor, id: LeadId) -> Result<DeletionReceipt> {
    actor.require(Permission::CustomersWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    // Locked, so that nothing is added to what is about to be counted.
    if !tx.leads().hold(id).await? {
        return Err(Error::not_found("lead"));
    }
    // What came with the conversations of those who turned out to be them lies where it lay.
    let merged = tx.lead_merges().of(id).await?;
    let folders = merged.into_iter().chain([id]);
    let files = folders.map(Originals::folder_of_lead).collect();
    let removal = removal::begin(app, &tx, Target::Lead(id), files, None).await?;
    tx.leads().delete(id).await?;
    removal
        .finish(app, actor, tx, "lead.delete", target(id))
        .await
}

pub(crate) async fn find(tx: &TenantTx, id: LeadId) -> Result<Lead> {
    let found = tx.leads().find(id).await?;
    found.ok_or_else(|| Error::not_found("lead"))
}

async fn load(tx: &TenantTx, id: LeadId) -> Result<Lead> {
    let found = tx.leads().find(id).await?;
    found.ok_or_else(|| Error::internal("a lead vanished while it was written"))
}

fn target(id: LeadId) -> String {
    format!("lead:{id}")
}

fn changed(input: &UpdateLead) -> Vec<&'static str> {
    [
        ("name", input.name.is_some()),
        ("email", input.email.is_some()),
        ("phone", input.phone.is_some()),
        ("temperature", input.temperature.is_some()),
        ("tags", input.tags.is_some()),
        ("notes", input.notes.is_some()),
        ("agent_id", input.agent_id.is_some()),
        ("branch_id", input.branch_id.is_some()),
    ]
    .into_iter()
    .filter_map(|(name, given)| given.then_some(name))
    .collect()
}

/// No key of the database holds these, since a lead outlives its agent and its branch.
async fn check_references(
    tx: &TenantTx,
    agent: Option<AgentId>,
    branch: Option<BranchId>,
) -> Result<()> {
    if let Some(agent) = agent
        && tx.agents().find(agent).await?.is_none()
    {
        return Err(Error::not_found("agent"));
    }
    if let Some(branch) = branch {
        let wanted = [branch.uuid()];
        let found = tx.catalogue().existing(ItemKind::Branch, &wanted).await?;
        if found.is_empty() {
            return Err(Error::not_found("branch"));
        }
    }
    Ok(())
}

fn check_name(checks: &mut Checks, name: Option<&str>) -> Option<String> {
    checks.optional_line("name", name, MAX_NAME_CHARS)
}

fn check_email(checks: &mut Checks, email: Option<&str>) -> Option<String> {
    email.map(|email| checks.email("email", email))
}

fn check_phone(checks: &mut Checks, phone: Option<&str>) -> Option<String> {
    let phone = phone?.trim();
    checks.phone("phone", phone);
    Some(phone.to_owned())
}

fn check_notes(checks: &mut Checks, notes: Option<&str>) -> Option<String> {
    notes.map(|notes| checks.lines("notes", notes, MAX_NOTES_CHARS))
}
