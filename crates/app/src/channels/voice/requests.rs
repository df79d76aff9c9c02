//! What an assistant at Vapi asks beside words: tools, and what the business knows.

use super::people;
use crate::channels::receive::Door;
use crate::tools::{self, CallTool, ToolContext};
use crate::{Actor, App, token};
use quipu_channels::voice::{self as vapi, VoiceCall, VoiceRole, VoiceToolCall};
use quipu_core::agent::Agent;
use quipu_core::{Error, ErrorCode, Result};
use serde_json::{Value, json};

/// No model uses more at once.
const MOST_CALLS: usize = 20;
/// What a search takes of what was said.
const MOST_QUERY_CHARS: usize = 1_000;
const PASSAGES: u16 = 5;
const SEARCH: &str = "search_knowledge_base";

/// Uses tools for whoever calls. Each happens once, however often it is asked for.
pub(super) async fn use_tools(
    app: &App,
    door: &Door,
    call: &VoiceCall,
    wanted: Vec<VoiceToolCall>,
) -> Result<Value> {
    let contact = people::meet(app, door, call).await?;
    let tx = app.store.begin(door.scope).await?;
    let agent = people::agent(&tx, &door.connection).await?;
    let agent = agent.ok_or_else(|| Error::new(ErrorCode::AgentDisabled))?;
    let conversation =
        people::conversation(&tx, &door.connection, &contact, Some(agent.id)).await?;
    tx.commit().await?;
    let actor = people::product(app, door).await?;
    let context = ToolContext {
        lead_id: Some(conversation.lead_id),
        conversation_id: Some(conversation.id),
    };
    let mut results = Vec::new();
    for one in wanted.into_iter().take(MOST_CALLS) {
        // The ids of two businesses are nothing to each other.
        let key = token::hash(&format!("vapi:{}:{}", door.connection.id, one.id));
        let actor = actor.with_key(&key);
        let id = one.id.clone();
        results.push((id, use_tool(app, &actor, &agent, &context, one).await));
    }
    Ok(vapi::tool_results(&results))
}

/// What a tool gave, or why it did not, in words that can be spoken.
async fn use_tool(
    app: &App,
    actor: &Actor,
    agent: &Agent,
    context: &ToolContext,
    wanted: VoiceToolCall,
) -> Result<String, String> {
    let input = CallTool {
        arguments: wanted.arguments,
        context: context.clone(),
    };
    let id = agent.id.to_string();
    match tools::call(app, actor, &id, &wanted.name, input).await {
        Ok(done) => Ok(done.result.to_string()),
        Err(error) => {
            tracing::info!(tool = wanted.name, %error, "a tool was refused in a call");
            Err(error.message(agent.language))
        }
    }
}

/// What the agent may quote about what was said last.
pub(super) async fn look_up(
    app: &App,
    door: &Door,
    call: Option<&VoiceCall>,
    said: &[(VoiceRole, String)],
) -> Result<Value> {
    let mut back = said.iter().rev();
    let question = back.find(|(role, _)| *role == VoiceRole::User);
    let tx = app.store.read(door.scope).await?;
    let agent = people::agent(&tx, &door.connection).await?;
    let caller = match call {
        Some(call) => people::known(&tx, &door.connection, call).await?,
        None => None,
    };
    drop(tx);
    let (Some((_, question)), Some(agent)) = (question, agent) else {
        return Ok(vapi::knowledge_answer(&[]));
    };
    let actor = people::product(app, door).await?;
    let query: String = question.chars().take(MOST_QUERY_CHARS).collect();
    let input = CallTool {
        arguments: json!({ "query": query, "top_k": PASSAGES }),
        context: ToolContext {
            lead_id: caller.map(|caller| caller.lead_id),
            conversation_id: None,
        },
    };
    let id = agent.id.to_string();
    let found = match tools::call(app, &actor, &id, SEARCH, input).await {
        Ok(found) => found.result,
        // An agent that does not search knows nothing beyond what it is told.
        Err(error) if error.code() == ErrorCode::ToolDisabled => json!({}),
        Err(error) => return Err(error),
    };
    let passages = found["results"].as_array().cloned().unwrap_or_default();
    let passages = passages.iter().filter_map(|passage| {
        let content = passage["content"].as_str()?;
        let similarity = passage["relevance_score"].as_f64().unwrap_or_default();
        Some((content.to_owned(), similarity))
    });
    Ok(vapi::knowledge_answer(&passages.collect::<Vec<_>>()))
}
