//! The tools of an agent.

use super::annotations;
use super::error::invalid_params;
use super::methods::{Turn, only_page, parameters};
use crate::http::error::ErrorBody;
use quipu_agents::tool;
use quipu_app::tools::{self, CallTool};
use quipu_core::{Error, Result};
use serde::Deserialize;
use serde_json::{Map, Value, json};

pub(super) async fn list(turn: &Turn<'_>, params: Option<&Value>) -> Result<Value> {
    only_page(params)?;
    let described = tools::list(&turn.state.app, turn.actor, &turn.agent_id()).await?;
    let told: Vec<Value> = described
        .into_iter()
        .filter(|tool| tool.enabled)
        .map(|tool| {
            json!({
                "name": tool.name,
                "description": tool.description,
                "inputSchema": tool.parameters,
                "annotations": annotations::of(&tool.name, tool.access == "read"),
            })
        })
        .collect();
    Ok(json!({ "tools": told }))
}

#[derive(Deserialize)]
struct Call {
    name: String,
    #[serde(default)]
    arguments: Option<Map<String, Value>>,
    #[serde(default, rename = "_meta")]
    meta: Option<Value>,
}

/// Calls a tool. That there is no such tool, or that it does not take these arguments, is an error of
/// the protocol; whatever the tool itself refuses is its result.
pub(super) async fn call(turn: &Turn<'_>, params: Option<&Value>) -> Result<Value> {
    let call: Call = parameters(params)?;
    let found = tools::find(turn.agent, &call.name)?;
    if call.meta.as_ref().is_some_and(|meta| !meta.is_object()) {
        let (es, en) = ("_meta no es un objeto", "_meta is not an object");
        return Err(invalid_params(es.to_owned(), en.to_owned()));
    }
    let context = turn.customer.of_call(call.meta.as_ref())?;
    let arguments = call.arguments.map_or(Value::Null, Value::Object);
    tool::read(found, arguments.clone())?;
    let input = CallTool { arguments, context };
    let (app, agent) = (&turn.state.app, turn.agent_id());
    match tools::call(app, turn.actor, &agent, found.name, input).await {
        Ok(done) => result(done.result, false),
        Err(error) if error.status() == 500 => Err(error),
        Err(error) => {
            let error = turn.voice.tell(&error);
            let told = serde_json::to_value(ErrorBody { error }).map_err(Error::internal)?;
            result(told, true)
        }
    }
}

/// A result for programs, and the same as text for models whose client knows only text.
fn result(value: Value, is_error: bool) -> Result<Value> {
    let text = serde_json::to_string(&value).map_err(Error::internal)?;
    let structured = match value {
        Value::Object(_) => value,
        other => json!({ "result": other }),
    };
    Ok(json!({
        "content": [{ "type": "text", "text": text }],
        "structuredContent": structured,
        "isError": is_error,
    }))
}
