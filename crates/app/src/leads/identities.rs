//! How channels know a lead. One identity is one lead.

use super::{find, insert, load, target};
use crate::once::{self, Once};
use crate::{Actor, App};
use quipu_core::access::Permission;
use quipu_core::lead::{Identity, Lead, NewLead};
use quipu_core::validate::{Checks, Problem};
use quipu_core::{Error, ErrorCode, LeadId, Result};
use quipu_store::TenantTx;
use serde_json::json;

pub(super) const MAX_IDENTITIES: usize = 20;
const MAX_EXTERNAL_ID_CHARS: usize = 200;

/// The lead that a channel means, made when it is met for the first time. However many ask at
/// once, there is one.
///
/// # Errors
/// `FORBIDDEN` or `VALIDATION_FAILED`.
pub async fn for_identity(app: &App, actor: &Actor, identity: &Identity) -> Result<Lead> {
    actor.require(Permission::CustomersWrite)?;
    let tx = app.store.read(actor.scope()).await?;
    met(app, actor, tx, identity).await
}

/// The same for somebody who talks to an agent, whoever lets them. They are looked for in a transaction
/// that was begun already.
///
/// # Errors
/// `VALIDATION_FAILED`.
pub(crate) async fn met(
    app: &App,
    actor: &Actor,
    mut tx: TenantTx,
    identity: &Identity,
) -> Result<Lead> {
    let mut checks = Checks::new();
    let identity = check(&mut checks, identity);
    checks.finish()?;
    // Whoever is met here and deleted before they are read is met anew.
    for _ in 0..3 {
        if let Some(lead) = tx.leads().find_by_identity(&identity).await? {
            return Ok(lead);
        }
        // Nobody waits for one transaction while they hold another.
        drop(tx);
        let write = app.store.begin(actor.scope()).await?;
        let id = insert(&write, actor, NewLead::default()).await?;
        if write.leads().add_identity(id, &identity).await? {
            let lead = load(&write, id).await?;
            write.commit().await?;
            return Ok(lead);
        }
        // Somebody else was faster; what was made here goes with the transaction.
        drop(write);
        tx = app.store.read(actor.scope()).await?;
    }
    Err(Error::new(ErrorCode::Busy))
}

/// Notes how a channel knows a lead. What is known already changes nothing.
///
/// # Errors
/// `NOT_FOUND` when the tenant has no such lead, `VALIDATION_FAILED`, `TOO_MANY_ITEMS`, or
/// `ALREADY_EXISTS`, without saying who, when the channel knows somebody else so.
pub async fn add_identity(
    app: &App,
    actor: &Actor,
    id: LeadId,
    identity: &Identity,
) -> Result<Lead> {
    actor.require(Permission::CustomersWrite)?;
    let identity = checked(identity)?;
    let request = (id, &identity);
    let tx = match once::begin(app, actor, "lead.add_identity", &request).await? {
        Once::Again(lead) => return Ok(lead),
        Once::First(tx) => tx,
    };
    // Locked, so that no two together add more than one lead may have.
    let lead = tx.leads().lock(id).await?;
    let lead = lead.ok_or_else(|| Error::not_found("lead"))?;
    if lead.identities.contains(&identity) {
        tx.commit(&lead).await?;
        return Ok(lead);
    }
    if lead.identities.len() >= MAX_IDENTITIES {
        return Err(Error::new(ErrorCode::TooManyItems).with("value", MAX_IDENTITIES));
    }
    if !tx.leads().add_identity(id, &identity).await? {
        return Err(Error::already_exists("lead", "identity"));
    }
    // The channel, and not what it knows them by: a deleted lead leaves nothing behind.
    let details = json!({ "channel": identity.channel });
    actor
        .audit(&tx, "lead.add_identity", target(id), details)
        .await?;
    let lead = load(&tx, id).await?;
    tx.commit(&lead).await?;
    Ok(lead)
}

/// Forgets how a channel knows a lead.
///
/// # Errors
/// `NOT_FOUND` when the tenant has no such lead, or no channel knows that lead so.
pub async fn remove_identity(
    app: &App,
    actor: &Actor,
    id: LeadId,
    identity: &Identity,
) -> Result<Lead> {
    actor.require(Permission::CustomersWrite)?;
    let identity = checked(identity)?;
    let tx = app.store.begin(actor.scope()).await?;
    find(&tx, id).await?;
    if !tx.leads().remove_identity(id, &identity).await? {
        return Err(Error::not_found("identity"));
    }
    let details = json!({ "channel": identity.channel });
    actor
        .audit(&tx, "lead.remove_identity", target(id), details)
        .await?;
    let lead = load(&tx, id).await?;
    tx.commit().await?;
    Ok(lead)
}

fn checked(identity: &Identity) -> Result<Identity> {
    let mut checks = Checks::new();
    let identity = check(&mut checks, identity);
    checks.finish()?;
    Ok(identity)
}

/// In one order, so that two who note the same ones do not wait for each other in a circle.
pub(super) fn check_all(checks: &mut Checks, identities: &[Identity]) -> Vec<Identity> {
    if identities.len() > MAX_IDENTITIES {
        let max = MAX_IDENTITIES;
        checks.problem("identities", Problem::TooMany { max });
        return Vec::new();
    }
    let mut checked: Vec<Identity> = identities
        .iter()
        .map(|identity| check(checks, identity))
        .collect();
    checked.sort_by(|a, b| {
        let key = |identity: &Identity| (identity.channel.as_str(), identity.external_id.clone());
        key(a).cmp(&key(b))
    });
    if checked.windows(2).any(|two| two[0] == two[1]) {
        checks.problem("identities", Problem::Duplicate);
    }
    checked
}

pub(super) fn check(checks: &mut Checks, identity: &Identity) -> Identity {
    Identity {
        channel: identity.channel,
        external_id: checks.line("external_id", &identity.external_id, MAX_EXTERNAL_ID_CHARS),
    }
}
