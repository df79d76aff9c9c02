//! The tools that a model is offered in a turn.

use crate::AgentKind;
use crate::specialist::{declaration, of_vertical};
use crate::tool::{self, Tool};
use quipu_core::agent::Specialist;
use quipu_core::chat::ToolSpec;
use quipu_core::language::Language;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::LazyLock;

/// What each of our tools takes, as a model is told it.
static LEAN: LazyLock<HashMap<&'static str, Value>> = LazyLock::new(|| {
    let tools = tool::ALL.iter();
    tools
        .map(|tool| (tool.name, lean(tool.parameters())))
        .collect()
});

/// What reads a file that a customer sent.
const FILE_READER: &str = "extract_receipt";

/// What a part of an agent may use: its own tools, those of whoever asked, and the one by which it
/// leaves the conversation to another part.
#[derive(Debug)]
pub(super) struct Toolset {
    kind: AgentKind,
    pub(super) specialist: Specialist,
    /// Tools that whoever asked has and calls.
    client: Vec<ToolSpec>,
    /// Nothing may be changed in this turn.
    pub(super) reads_only: bool,
    /// The customer sent a file, which every part of the agent may have to read.
    pub(super) reads_files: bool,
    /// The part that has just been handed the conversation.
    pub(super) handed_to: Option<Specialist>,
}

impl Toolset {
    pub(super) const HAND_OFF: &'static str = "hand_off_to_specialist";

    pub(super) fn new(
        kind: AgentKind,
        specialist: Specialist,
        client: Vec<ToolSpec>,
        reads_only: bool,
    ) -> Self {
        Self {
            kind,
            specialist,
            // A tool of ours is never replaced by somebody else's of the same name.
            client: client
                .into_iter()
                .filter(|tool| !super::is_own_tool(&tool.name))
                .collect(),
            reads_only,
            reads_files: false,
            handed_to: None,
        }
    }

    fn own(&self) -> impl Iterator<Item = &'static Tool> {
        let declared = declaration(self.specialist).tools(self.kind);
        let declared: Vec<&Tool> = declared.collect();
        let has = |tool: &&Tool| declared.iter().any(|known| known.name == tool.name);
        let mut of_agent = tool::of_agent(self.kind);
        let reader = of_agent.find(|tool| self.reads_files && tool.name == FILE_READER);
        let reader = reader.filter(|tool| !has(tool));
        declared.into_iter().chain(reader)
    }

    fn partners(&self) -> Vec<Specialist> {
        let handoffs = declaration(self.specialist).handoffs(self.kind);
        handoffs
            .map(|handoff| of_vertical(handoff.to, self.kind.vertical))
            .collect()
    }

    pub(super) fn find(&self, name: &str) -> Option<&'static Tool> {
        self.own().find(|tool| tool.name == name)
    }

    pub(super) fn names(&self) -> Vec<&'static str> {
        self.own().map(|tool| tool.name).collect()
    }

    /// The names of everything that can be called, which no customer is to read: also those of other parts, to
    /// which the conversation may be handed.
    pub(super) fn all_names(&self) -> Vec<&str> {
        let ours = tool::ALL.iter().map(|tool| tool.name);
        let theirs = self.client.iter().map(|tool| tool.name.as_str());
        ours.chain([Self::HAND_OFF]).chain(theirs).collect()
    }

    /// What a model is told of its tools, which is for nobody else.
    pub(super) fn descriptions(&self, language: Language) -> String {
        let told = self.own().map(|tool| tool.description(language));
        told.collect::<Vec<_>>().join("\n")
    }

    pub(super) fn is_of_client(&self, name: &str) -> bool {
        self.client.iter().any(|tool| tool.name == name)
    }

    pub(super) fn may_hand_to(&self, part: Specialist) -> bool {
        self.partners().contains(&part)
    }

    pub(super) fn hand_to(&mut self, part: Specialist) {
        self.specialist = part;
        self.handed_to = Some(part);
    }

    /// The tools as a model is told about them.
    pub(super) fn specs(&self, language: Language) -> Vec<ToolSpec> {
        let mut specs: Vec<ToolSpec> = self
            .own()
            .map(|tool| ToolSpec {
                name: tool.name.to_owned(),
                description: tool.description(language).to_owned(),
                schema: LEAN.get(tool.name).cloned().unwrap_or_default(),
            })
            .collect();
        let partners = self.partners();
        if !partners.is_empty() {
            specs.push(hand_off(&partners, language));
        }
        specs.extend(self.client.iter().cloned());
        specs
    }
}

/// A schema without what a model gains nothing from reading in every turn: the bounds of texts and
/// lists, and formats and patterns that are described in words as well. All of that is checked when it calls,
/// and told when it does not fit.
fn lean(mut schema: Value) -> Value {
    let Some(fields) = schema.as_object_mut() else {
        return schema;
    };
    for bound in ["minLength", "maxLength", "minItems", "maxItems"] {
        fields.remove(bound);
    }
    fields.remove("additionalProperties");
    fields.remove("format");
    if fields.contains_key("description") {
        fields.remove("pattern");
    }
    if fields.get("required") == Some(&json!([])) {
        fields.remove("required");
    }
    // The names in here are those of arguments, whatever they are.
    if let Some(Value::Object(properties)) = fields.get_mut("properties") {
        for property in properties.values_mut() {
            *property = lean(property.take());
        }
    }
    if let Some(items) = fields.get_mut("items") {
        *items = lean(items.take());
    }
    schema
}

fn hand_off(partners: &[Specialist], language: Language) -> ToolSpec {
    let names: Vec<&str> = partners.iter().map(|part| part.as_str()).collect();
    let description = match language {
        Language::Es => {
            "Pasa la conversación a otra especialidad cuando el cliente quiere algo que no te toca."
        }
        Language::En => {
            "Leaves the conversation to another specialty when the customer wants what is not yours."
        }
    };
    ToolSpec {
        name: Toolset::HAND_OFF.to_owned(),
        description: description.to_owned(),
        schema: json!({
            "type": "object",
            "properties": {
                "specialist": { "type": "string", "enum": names },
            },
            "required": ["specialist"],
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_reads_what_arguments_mean_and_not_how_long_they_may_be() {
        let read = lean(json!({
            "type": "object", "required": [], "additionalProperties": false,
            "properties": {
                "maxLength": { "type": "string", "maxLength": 40, "description": "How long." },
                "things": { "type": "array", "maxItems": 3, "items": {
                    "type": "object", "required": ["name"],
                    "properties": { "name": { "type": "string", "minLength": 1 } },
                } },
                "count": { "type": "integer", "minimum": 1 },
                "time": { "type": "string", "pattern": "^[0-9:]+$", "description": "HH:MM." },
                "code": { "type": "string", "pattern": "^[0-9]{5}$" },
                "slot_id": { "type": "string", "format": "uuid" },
            },
        }));
        let wanted = json!({
            "type": "object",
            "properties": {
                "maxLength": { "type": "string", "description": "How long." },
                "things": { "type": "array", "items": {
                    "type": "object", "required": ["name"],
                    "properties": { "name": { "type": "string" } },
                } },
                "count": { "type": "integer", "minimum": 1 },
                "time": { "type": "string", "description": "HH:MM." },
                "code": { "type": "string", "pattern": "^[0-9]{5}$" },
                "slot_id": { "type": "string" },
            },
        });
        assert_eq!(read, wanted);
    }
}
