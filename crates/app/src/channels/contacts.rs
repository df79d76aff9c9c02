//! Who writes to a connection, and which customer of the business that is.

use crate::events;
use quipu_channels::{SenderIdentity, phone};
use quipu_core::channel::{ChannelConnection, ChannelContact, ContactIdentity};
use quipu_core::lead::{Channel, Identity, NewLead};
use quipu_core::{Error, ErrorCode, LeadId, Result};
use quipu_store::TenantTx;
use quipu_store::tenant::{NewAuditEntry, TemperatureCause};
use serde_json::json;

/// Who found somebody, as the audit log calls it.
const BY: &str = "channel";

/// Whoever wrote, made known when they write for the first time. However many messages of theirs come at
/// once, there is one.
pub(super) async fn find_or_create(
    tx: &TenantTx,
    connection: &ChannelConnection,
    sender: &SenderIdentity,
) -> Result<ChannelContact> {
    let identity = ContactIdentity {
        user_id: sender.user_id.clone(),
        phone: sender.phone.clone(),
        name: sender.name.clone(),
    };
    let contacts = tx.channel_contacts();
    if let Some(known) = contacts.known(connection.id, &identity).await? {
        let news = ContactIdentity {
            user_id: identity.user_id.filter(|_| known.user_id.is_none()),
            phone: identity.phone.filter(|_| known.phone.is_none()),
            name: None,
        };
        if news.user_id.is_some() || news.phone.is_some() {
            // Somebody else may be known so: then they stay two, until a person joins them.
            let taken = contacts.known(connection.id, &news).await?.is_some();
            if !taken {
                contacts.learn(known.id, &news).await?;
            }
        }
        return Ok(known);
    }
    let lead = lead(tx, connection, &identity).await?;
    contacts.insert(connection.id, lead, &identity).await?;
    let known = contacts.known(connection.id, &identity).await?;
    known.ok_or_else(|| Error::new(ErrorCode::Busy))
}

/// Whoever a connection knows already by what a channel says of them.
pub(super) async fn known(
    tx: &TenantTx,
    connection: &ChannelConnection,
    sender: &SenderIdentity,
) -> Result<Option<ChannelContact>> {
    let identity = ContactIdentity {
        user_id: sender.user_id.clone(),
        phone: sender.phone.clone(),
        name: None,
    };
    tx.channel_contacts().known(connection.id, &identity).await
}

/// Lets a customer be known by their new number and no more by the old one, which somebody else may get.
pub(super) async fn move_number(
    tx: &TenantTx,
    connection: &ChannelConnection,
    lead: LeadId,
    numbers: [&str; 2],
) -> Result<()> {
    let identity = |number: &str| {
        normal(number).map(|external_id| Identity {
            channel: connection.channel,
            external_id,
        })
    };
    let [from, to] = numbers.map(identity);
    if let Some(from) = from {
        tx.leads().remove_identity(lead, &from).await?;
    }
    if let Some(to) = to {
        tx.leads().add_identity(lead, &to).await?;
    }
    Ok(())
}

/// The customer with this number or id, or a new one.
async fn lead(
    tx: &TenantTx,
    connection: &ChannelConnection,
    identity: &ContactIdentity,
) -> Result<LeadId> {
    let names = known_as(connection, identity);
    for name in &names {
        if let Some(lead) = tx.leads().find_by_identity(name).await? {
            return Ok(lead.id);
        }
    }
    let number = identity.phone.as_deref().and_then(normal);
    let agent = match connection.agent_id {
        Some(agent) => Some(agent),
        None => tx.agents().find_active().await?.map(|agent| agent.id),
    };
    let new = NewLead {
        name: identity.name.clone(),
        phone: number.map(|number| phone::shown(&number)),
        agent_id: agent,
        ..NewLead::default()
    };
    let id = tx.leads().insert(&new).await?;
    tx.temperature_changes()
        .add(id, None, None, TemperatureCause::by(BY))
        .await?;
    for name in &names {
        if !tx.leads().add_identity(id, name).await? {
            // Somebody was faster, and the delivery is read again.
            return Err(Error::new(ErrorCode::Busy));
        }
    }
    tx.audit()
        .insert(NewAuditEntry {
            actor: BY.to_owned(),
            action: "lead.create",
            target: format!("lead:{id}"),
            details: json!({ "channel": connection.channel }),
            request_id: None,
        })
        .await?;
    events::lead_created(tx, id, &new, Some(connection.channel)).await?;
    Ok(id)
}

/// How the channel knows somebody beyond this connection: by their number, which is the same for every
/// business, or by their id, which means nothing elsewhere.
fn known_as(connection: &ChannelConnection, identity: &ContactIdentity) -> Vec<Identity> {
    let number = identity.phone.as_deref().and_then(normal);
    let channel = connection.channel;
    let id = identity.user_id.as_deref().map(|id| match channel {
        Channel::Voice | Channel::Web => id.to_owned(),
        _ => format!("{}:{id}", connection.account_id),
    });
    let names = number.into_iter().chain(id);
    names
        .map(|external_id| Identity {
            channel,
            external_id,
        })
        .collect()
}

/// Channels write the country code without a sign before it.
fn normal(number: &str) -> Option<String> {
    let digits = number.trim_start_matches('+');
    phone::normalise(&format!("+{digits}"), None)
}
