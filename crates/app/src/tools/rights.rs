//! What somebody must be allowed to be told what a tool tells.

use crate::Actor;
use quipu_agents::tool::{self, Access, Arguments, Tool};
use quipu_core::access::Permission;
use quipu_core::turn::Trace;
use serde_json::Value;

/// Takes out of a turn what its tools told, where whoever reads it may not ask for it themselves.
pub(crate) fn leave_out_untold(trace: &mut Trace, reader: &Actor) {
    for step in trace.steps.iter_mut().filter(|step| step.name == "tool") {
        let name = step.details["tool"].as_str().unwrap_or_default();
        let internal = tool::find(name).is_none_or(|tool| {
            let category = &step.details["arguments"]["category"];
            tells_internal(tool, category.as_str())
        });
        let searched = name == "search_knowledge_base";
        let may = |right| reader.require(right).is_ok();
        if internal && !may(Permission::BusinessRead) || searched && !may(Permission::KnowledgeRead)
        {
            step.details["result"] = Value::Null;
        }
    }
}

/// What somebody must be allowed beside chatting who calls a tool themselves. In a turn the agent calls
/// it; who reads the turn afterwards is told as much as they could ask for ([`leave_out_untold`]).
pub(super) fn rights_to_call(tool: &Tool, arguments: &Arguments) -> Vec<Permission> {
    match (tool.access, tool.name) {
        (Access::Write, _) => vec![Permission::CustomersWrite],
        (_, "search_knowledge_base") if is_internal(tool, arguments) => {
            vec![Permission::KnowledgeRead, Permission::BusinessRead]
        }
        (_, "search_knowledge_base") => vec![Permission::KnowledgeRead],
        _ if is_internal(tool, arguments) => vec![Permission::BusinessRead],
        _ => Vec::new(),
    }
}

/// Whether a call tells what the business writes for whoever answers, not for customers: how to speak of
/// competitors, and templates.
pub(super) fn is_internal(tool: &Tool, arguments: &Arguments) -> bool {
    tells_internal(tool, arguments.value()["category"].as_str())
}

fn tells_internal(tool: &Tool, category: Option<&str>) -> bool {
    match tool.name {
        "get_competitor_strategy" | "get_response_template" => true,
        "search_knowledge_base" => matches!(category, Some("competitors" | "templates")),
        _ => false,
    }
}
