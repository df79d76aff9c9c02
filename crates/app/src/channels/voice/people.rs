//! Who calls, who answers, and in which conversation.

use crate::channels::receive::Door;
use crate::channels::{answer, contacts};
use crate::conversations::outgoing;
use crate::{Actor, App, RequestInfo};
use quipu_channels::voice::VoiceCall;
use quipu_channels::{SenderIdentity, phone};
use quipu_core::access::Principal;
use quipu_core::agent::Agent;
use quipu_core::channel::{ChannelConnection, ChannelContact, ContactIdentity};
use quipu_core::conversation::Conversation;
use quipu_core::language::Language;
use quipu_core::{AgentId, ErrorCode, Result};
use quipu_store::TenantTx;

/// How often somebody is met anew who was met at the same moment elsewhere.
pub(super) const ATTEMPTS: usize = 4;

/// The product itself, which answers in the name of the business.
pub(super) async fn product(app: &App, door: &Door) -> Result<Actor> {
    let wanted = door.scope.tenant_id().to_string();
    Actor::enter(
        app,
        Principal::System,
        Some(&wanted),
        RequestInfo::default(),
    )
    .await
}

/// The agent that answers calls, where one does.
pub(super) async fn agent(tx: &TenantTx, connection: &ChannelConnection) -> Result<Option<Agent>> {
    let agent = match connection.agent_id {
        Some(id) => tx.agents().find(id).await?,
        None => tx.agents().find_active().await?,
    };
    Ok(agent.filter(|agent| agent.enabled))
}

/// The language in which callers are told what no agent says.
pub(super) async fn language(app: &App, door: &Door) -> Result<Language> {
    let tx = app.store.read(door.scope).await?;
    match agent(&tx, &door.connection).await? {
        Some(agent) => Ok(agent.language),
        None => outgoing::language(&tx).await,
    }
}

/// How the connection knows whoever calls: by their number or, where that is withheld, by the call itself,
/// which nobody else makes.
fn sender(call: &VoiceCall) -> SenderIdentity {
    let number = call.customer_number.as_deref();
    let phone = number.and_then(|number| phone::normalise(number, None));
    SenderIdentity {
        user_id: phone.is_none().then(|| call.id.clone()),
        phone,
        name: None,
    }
}

/// Whoever calls, where they have called before.
pub(super) async fn known(
    tx: &TenantTx,
    connection: &ChannelConnection,
    call: &VoiceCall,
) -> Result<Option<ChannelContact>> {
    let sender = sender(call);
    let identity = ContactIdentity {
        user_id: sender.user_id,
        phone: sender.phone,
        name: None,
    };
    tx.channel_contacts().known(connection.id, &identity).await
}

/// Whoever calls, made known when they call for the first time.
pub(super) async fn find_or_create(
    tx: &TenantTx,
    connection: &ChannelConnection,
    call: &VoiceCall,
) -> Result<ChannelContact> {
    contacts::find_or_create(tx, connection, &sender(call)).await
}

/// The same in a transaction of its own, again where it met another one of somebody who calls for the first
/// time.
pub(super) async fn meet(app: &App, door: &Door, call: &VoiceCall) -> Result<ChannelContact> {
    for _ in 1..ATTEMPTS {
        match meet_once(app, door, call).await {
            Err(error) if error.code() == ErrorCode::Busy => {}
            met => return met,
        }
    }
    meet_once(app, door, call).await
}

async fn meet_once(app: &App, door: &Door, call: &VoiceCall) -> Result<ChannelContact> {
    let tx = app.store.begin(door.scope).await?;
    let contact = find_or_create(&tx, &door.connection, call).await?;
    tx.commit().await?;
    Ok(contact)
}

/// The open conversation with whoever calls, locked; a new one where there is none.
pub(super) async fn conversation(
    tx: &TenantTx,
    connection: &ChannelConnection,
    contact: &ChannelContact,
    agent: Option<AgentId>,
) -> Result<Conversation> {
    // The customer before their conversation, so that two requests at once begin one.
    tx.leads().hold(contact.lead_id).await?;
    answer::conversation(tx, connection, contact, agent).await
}
