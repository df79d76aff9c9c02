//! Tools of a client, as OpenAI's protocols write them.

use quipu_core::chat::{ToolChoice, ToolSpec};
use quipu_core::validate::{Checks, Problem};
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

/// A tool that the client has and calls. One that is no function is run by a service itself; there is
/// none here that does, and it is passed over.
#[derive(Deserialize, ToSchema)]
pub(super) struct ClientTool {
    #[serde(rename = "type", default = "function")]
    #[schema(example = "function")]
    kind: String,
    #[serde(default)]
    function: Option<ClientFunction>,
    /// The name, where the function is not in an object of its own.
    #[serde(default)]
    #[schema(max_length = 64)]
    name: Option<String>,
    #[serde(default)]
    #[schema(max_length = 4000)]
    description: Option<String>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    parameters: Option<Value>,
}

fn function() -> String {
    "function".to_owned()
}

#[derive(Deserialize, ToSchema)]
struct ClientFunction {
    #[schema(min_length = 1, max_length = 64, example = "transferCall")]
    name: String,
    #[serde(default)]
    #[schema(max_length = 4000)]
    description: Option<String>,
    /// The JSON schema of the arguments.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    parameters: Option<Value>,
}

impl ClientTool {
    fn into_spec(self) -> Option<ToolSpec> {
        let function = match (self.function, self.name) {
            (Some(function), _) => function,
            (None, Some(name)) if self.kind == "function" => ClientFunction {
                name,
                description: self.description,
                parameters: self.parameters,
            },
            (None, _) => return None,
        };
        Some(ToolSpec {
            name: function.name,
            description: function.description.unwrap_or_default(),
            schema: function
                .parameters
                .unwrap_or_else(|| json!({ "type": "object", "properties": {} })),
        })
    }
}

/// `auto`, `none`, `required`, or a tool of the client.
#[derive(Deserialize, ToSchema)]
#[serde(untagged)]
pub(super) enum ClientChoice {
    Word(String),
    Tool {
        function: NamedTool,
    },
    Named {
        name: String,
    },
    /// Others choose among what a service runs itself.
    Other {
        #[serde(rename = "type")]
        _kind: String,
    },
}

#[derive(Deserialize, ToSchema)]
pub(super) struct NamedTool {
    name: String,
}

/// The tools of a client and which of them is to be used first. The agent's own tools are its own
/// matter: a client chooses among its own.
pub(super) fn chosen(
    tools: Option<Vec<ClientTool>>,
    choice: Option<ClientChoice>,
    checks: &mut Checks,
) -> (Vec<ToolSpec>, ToolChoice) {
    let choice = match choice {
        None | Some(ClientChoice::Other { .. }) => ToolChoice::Auto,
        Some(
            ClientChoice::Tool {
                function: NamedTool { name },
            }
            | ClientChoice::Named { name },
        ) => ToolChoice::Named(name),
        Some(ClientChoice::Word(word)) => match word.as_str() {
            "auto" => ToolChoice::Auto,
            "none" => ToolChoice::Never,
            "required" => ToolChoice::Required,
            _ => {
                let allowed = "auto, none, required".to_owned();
                checks.problem("tool_choice", Problem::Unknown { allowed });
                ToolChoice::Auto
            }
        },
    };
    let tools = tools
        .into_iter()
        .flatten()
        .filter_map(ClientTool::into_spec);
    match choice {
        // Without leave to use them there is no need to know of them.
        ToolChoice::Never => (Vec::new(), ToolChoice::Auto),
        choice => (tools.collect(), choice),
    }
}
