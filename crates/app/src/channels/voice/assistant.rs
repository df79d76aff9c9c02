//! Who speaks with somebody that calls.

use super::{is_open, people, transfer, words};
use crate::channels::receive::Door;
use crate::conversations::outgoing;
use crate::{Actor, App};
use quipu_agents::OpeningWords;
use quipu_channels::voice::{self as vapi, VoiceAssistant, VoiceCall, VoiceSetup};
use quipu_core::Result;
use quipu_core::agent::{Agent, Medium};
use quipu_store::TenantTx;
use serde_json::{Value, json};

/// How long a call may take. Whoever forgets to hang up is not paid for all night.
const LONGEST_SECONDS: u32 = 30 * 60;
/// What Vapi takes of a name.
const MOST_NAME_CHARS: usize = 40;

pub(super) async fn answer(app: &App, door: &Door, call: &VoiceCall) -> Result<Value> {
    let actor = people::product(app, door).await?;
    let tx = app.store.read(door.scope).await?;
    let agent = people::agent(&tx, &door.connection).await?;
    let taking = agent.as_ref().filter(|_| takes_calls(app, door, &actor));
    let assistant = if let Some(agent) = taking {
        let setup = setup(app, &tx, &actor, door, call, agent).await?;
        VoiceAssistant::Ours(Box::new(setup))
    } else {
        let language = match &agent {
            Some(agent) => agent.language,
            None => outgoing::language(&tx).await?,
        };
        VoiceAssistant::Refused {
            spoken: words::closed(language).to_owned(),
        }
    };
    Ok(vapi::assistant_answer(&assistant))
}

fn takes_calls(app: &App, door: &Door, actor: &Actor) -> bool {
    if app.public_url.is_empty() {
        tracing::error!(
            connection = %door.connection.id,
            "a call is not taken: without server.public_url nobody can be told where to ask for words"
        );
        return false;
    }
    is_open(door) && actor.plan().require_agents().is_ok()
}

async fn setup(
    app: &App,
    tx: &TenantTx,
    actor: &Actor,
    door: &Door,
    call: &VoiceCall,
    agent: &Agent,
) -> Result<VoiceSetup> {
    let id = door.connection.id;
    let locale = &actor.tenant().locale;
    let contact = people::known(tx, &door.connection, call).await?;
    let lead = match contact {
        Some(contact) => tx.leads().find(contact.lead_id).await?,
        None => None,
    };
    let name = lead.and_then(|lead| lead.name).unwrap_or_default();
    let greeting = OpeningWords {
        agent_name: &agent.name,
        company_name: &agent.company_name,
        customer_name: name.split_whitespace().next(),
        style: agent.settings.response_style,
        language: agent.language,
        medium: Medium::Voice,
    };
    let number = transfer::number(tx, &door.connection, call).await?;
    Ok(VoiceSetup {
        name: agent.name.chars().take(MOST_NAME_CHARS).collect(),
        first_message: greeting.text(),
        farewell: words::farewell(agent.language).to_owned(),
        model_url: format!("{}/api/voice/{id}", app.public_url),
        model: agent.slug.clone(),
        server_url: format!("{}/api/webhooks/voice/{id}", app.public_url),
        secret: door.keys.app_secret.clone(),
        voice: vapi::speaking(agent.language, locale),
        transcriber: vapi::listening(agent.language),
        may_transfer: number.is_some(),
        records: false,
        longest_seconds: Some(LONGEST_SECONDS),
        metadata: json!({ "connection_id": id, "agent_id": agent.id }),
    })
}
