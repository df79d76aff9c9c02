//! Passing a call on to a person of the business.

use super::{people, words};
use crate::channels::receive::Door;
use crate::{App, catalogue, conversations, profile};
use quipu_channels::phone;
use quipu_channels::voice::{self as vapi, VoiceCall};
use quipu_commerce::business::Branch;
use quipu_core::Result;
use quipu_core::channel::ChannelConnection;
use quipu_core::conversation::HandoffMode;
use quipu_core::language::Language;
use quipu_store::TenantTx;
use serde_json::Value;

/// To whom calls are passed on: the number that the business gives its customers, with a plus sign. One that
/// would come back here, or to whoever calls, is none.
pub(super) async fn number(
    tx: &TenantTx,
    connection: &ChannelConnection,
    call: &VoiceCall,
) -> Result<Option<String>> {
    let profile = profile::load(tx).await?;
    let branches = catalogue::active::<Branch>(tx).await?;
    let locale = tx.profile().get().await?.locale;
    let country = connection.settings.country.as_deref();
    let country = country.or_else(|| locale.split('-').nth(1));
    let of_branches = branches.into_iter().flat_map(|branch| branch.data.phones);
    let mut numbers = profile
        .phone
        .into_iter()
        .chain(of_branches)
        .chain(profile.whatsapp)
        .filter_map(|written| phone::normalise(&written, country));
    let ends = [&call.business_number, &call.customer_number];
    let is_of_call = |number: &str| {
        let mut ends = ends.iter().filter_map(|end| end.as_deref());
        ends.any(|end| phone::is_same_person(end, number))
    };
    let found = numbers.find(|number| !is_of_call(number));
    Ok(found.map(|number| format!("+{number}")))
}

/// Asks for a person in the conversation, and says to whom the call goes on.
pub(super) async fn answer(app: &App, door: &Door, call: &VoiceCall) -> Result<Value> {
    let contact = people::meet(app, door, call).await?;
    let tx = app.store.begin(door.scope).await?;
    let agent = people::agent(&tx, &door.connection).await?;
    let language = agent.as_ref().map_or(Language::Es, |agent| agent.language);
    let agent = agent.map(|agent| agent.id);
    let conversation = people::conversation(&tx, &door.connection, &contact, agent).await?;
    if conversation.handoff.mode == HandoffMode::Ai {
        let by = format!("channel:{}", door.connection.id);
        let reason = words::wants_person(language);
        conversations::request_handoff(&tx, conversation.id, reason, &by).await?;
    }
    let number = number(&tx, &door.connection, call).await?;
    tx.commit().await?;
    Ok(match number {
        Some(number) => vapi::transfer_answer(&number, words::connecting(language)),
        None => vapi::refusal_answer(words::nobody(language)),
    })
}
