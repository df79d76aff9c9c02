//! What channels say became of what was sent.

use super::contacts::move_number;
use crate::App;
use crate::conversations::outgoing::{self, language};
use quipu_channels::pricing::ChannelRates;
use quipu_channels::{StatusChange, StatusUpdate, phone};
use quipu_channels::{pages, tiktok, whatsapp};
use quipu_core::channel::{
    ChannelConnection, ContactIdentity, DeliveryState, OutboundFault, OutboundRecord,
};
use quipu_core::language::Language;
use quipu_core::lead::Channel;
use quipu_core::{OutboundId, Result};
use quipu_store::TenantTx;

/// Notes how far a message has come. What is told of messages that are not known is passed over.
pub(super) async fn note(
    app: &App,
    tx: &TenantTx,
    connection: &ChannelConnection,
    update: &StatusUpdate,
) -> Result<()> {
    if update.account_id != connection.account_id {
        return Ok(());
    }
    let state = match update.change {
        StatusChange::Sent => DeliveryState::Sent,
        StatusChange::Delivered => DeliveryState::Delivered,
        StatusChange::Read | StatusChange::Played => DeliveryState::Read,
        StatusChange::Failed { .. } => DeliveryState::Failed,
        StatusChange::Deleted => return Ok(()),
    };
    if update.up_to {
        let identity = ContactIdentity {
            user_id: update.recipient.user_id.clone(),
            phone: update.recipient.phone.clone(),
            name: None,
        };
        let known = tx
            .channel_contacts()
            .known(connection.id, &identity)
            .await?;
        if let Some(contact) = known {
            tx.channel_outbound()
                .advance_up_to(contact.id, update.at, state)
                .await?;
        }
        return Ok(());
    }
    let Some(message) = meant(tx, connection, update).await? else {
        return Ok(());
    };
    if message.state == DeliveryState::Sending {
        // What was left alone until this told that it arrived goes on at once.
        outgoing::hurry(tx, message.contact_id).await?;
    }
    let fault = match &update.change {
        StatusChange::Failed { code, .. } => {
            Some(fault(connection.channel, *code, language(tx).await?))
        }
        _ => None,
    };
    tx.channel_outbound()
        .advance(
            message.id,
            update.message_id.as_deref(),
            state,
            fault.as_ref(),
        )
        .await?;
    charge(app, tx, connection, update, &message).await
}

/// The message that is told of: by what we gave it to be known by, or by the channel's id of it.
async fn meant(
    tx: &TenantTx,
    connection: &ChannelConnection,
    update: &StatusUpdate,
) -> Result<Option<OutboundRecord>> {
    let reference = update.reference.as_deref();
    let ours = reference.and_then(|text| text.parse::<OutboundId>().ok());
    if let Some(id) = ours
        && let Some(found) = tx.channel_outbound().find(id).await?
    {
        return Ok(Some(found).filter(|found| found.connection_id == connection.id));
    }
    match &update.message_id {
        Some(id) => tx.channel_outbound().known_as(connection.id, id).await,
        None => Ok(None),
    }
}

/// What the channel charges a message as, the first time it says so.
async fn charge(
    app: &App,
    tx: &TenantTx,
    connection: &ChannelConnection,
    update: &StatusUpdate,
    message: &OutboundRecord,
) -> Result<()> {
    let Some(category) = &update.category else {
        return Ok(());
    };
    if message.category.is_some() {
        return Ok(());
    }
    let cost = if update.billable == Some(false) {
        Some(0)
    } else {
        let contact = tx.channel_contacts().find(message.contact_id).await?;
        let number = contact.and_then(|contact| contact.phone);
        let number = number.and_then(|number| phone::normalise(&format!("+{number}"), None));
        let market = number.as_deref().and_then(phone::country_of);
        let market = market.or(connection.settings.country.as_deref());
        ChannelRates::bundled().cost_micros(category, market, app.now())
    };
    tx.channel_outbound()
        .charge(message.id, category, cost)
        .await?;
    Ok(())
}

/// A failure that a channel told of, for people.
pub(super) fn fault(channel: Channel, code: i64, language: Language) -> OutboundFault {
    let (explained, failure) = match channel {
        Channel::Whatsapp => (whatsapp::explain(code, language), "channel"),
        Channel::Instagram | Channel::Messenger => (pages::explain(code, language), "channel"),
        _ => (tiktok::explain(code, language), "channel"),
    };
    let unknown = match language {
        Language::Es => "el canal no aceptó el mensaje",
        Language::En => "the channel did not take the message",
    };
    OutboundFault {
        code: Some(code),
        kind: failure.to_owned(),
        message: explained.unwrap_or(unknown).to_owned(),
    }
}

/// Goes on with somebody whose number is another one from now on.
pub(super) async fn renumber(
    tx: &TenantTx,
    connection: &ChannelConnection,
    from: &str,
    to: &str,
) -> Result<()> {
    let number = |phone: &str| ContactIdentity {
        phone: Some(phone.to_owned()),
        ..ContactIdentity::default()
    };
    let contacts = tx.channel_contacts();
    let Some(known) = contacts.known(connection.id, &number(from)).await? else {
        return Ok(());
    };
    // Whoever had that number before stays who they are.
    if contacts.known(connection.id, &number(to)).await?.is_none() {
        contacts.learn(known.id, &number(to)).await?;
        move_number(tx, connection, known.lead_id, [from, to]).await?;
    }
    Ok(())
}
