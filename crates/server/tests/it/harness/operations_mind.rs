//! Those of what is kept around an agent's answers.

use super::operations::{Needs, Operation};
use quipu_core::access::Permission::{
    AgentsRead, AgentsWrite, BusinessRead, BusinessWrite, Chat, CustomersRead, UsageRead,
};
use serde_json::{Value, json};

#[rustfmt::skip]
pub(super) fn mind(name: &str) -> Vec<(&'static str, Operation)> {
    let may = Needs::Permission;
    let script = json!({ "name": name, "steps": [{ "message": name }] });
    let table: Vec<(&str, Needs, Option<Value>)> = vec![
        ("get_agent_draft", may(AgentsWrite), None),
        ("save_agent_draft", may(AgentsWrite), Some(json!({ "name": name }))),
        ("discard_agent_draft", may(AgentsWrite), None),
        ("get_agent_draft_difference", may(AgentsWrite), None),
        ("publish_agent_draft", may(AgentsWrite), Some(json!({ "note": name }))),
        ("list_agent_versions", may(AgentsWrite), None),
        ("get_agent_version", may(AgentsWrite), None),
        ("get_agent_version_difference", may(AgentsWrite), None),
        ("restore_agent_version", may(AgentsWrite), Some(json!({ "note": name }))),
        ("list_turns", may(CustomersRead), None),
        ("get_turn", may(CustomersRead), None),
        ("put_turn_feedback", may(Chat), Some(json!({ "helpful": true, "reason": name }))),
        ("get_agent_statistics", may(UsageRead), None),
        ("get_statistics_series", may(UsageRead), None),
        ("get_tool_statistics", may(UsageRead), None),
        ("get_provider_health", may(UsageRead), None),
        ("get_agent_comparison", may(UsageRead), None),
        ("list_agent_prompts", may(BusinessRead), None),
        ("preview_agent_prompt", may(BusinessRead), Some(json!({ "medium": "messaging" }))),
        ("try_agent_models", may(AgentsWrite), Some(json!({}))),
        ("list_learned_answers", may(BusinessRead), None),
        ("approve_learned_answer", may(BusinessWrite), Some(json!({ "question": name }))),
        ("reject_learned_answer", may(BusinessWrite), None),
        ("list_gaps", may(CustomersRead), None),
        ("answer_gap", may(BusinessWrite), Some(json!({ "question": name, "answer": name }))),
        ("dismiss_gap", may(BusinessWrite), None),
        ("reopen_gap", may(BusinessWrite), None),
        ("get_instruction_statistics", may(BusinessRead), None),
        ("list_rehearsals", may(AgentsRead), None),
        ("start_rehearsal", may(AgentsWrite), Some(json!({ "all_scripts": true }))),
        ("get_rehearsal", may(AgentsRead), None),
        ("stop_rehearsal", may(AgentsWrite), None),
        ("delete_rehearsal", may(AgentsWrite), None),
        ("list_rehearsal_results", may(CustomersRead), None),
        ("judge_rehearsal_result", may(AgentsWrite), Some(json!({ "verdict": "better" }))),
        ("list_rehearsal_scripts", may(CustomersRead), None),
        ("create_rehearsal_script", may(AgentsWrite), Some(script.clone())),
        ("create_script_from_conversation", may(AgentsWrite), Some(json!({ "conversation_id": uuid::Uuid::now_v7() }))),
        ("get_rehearsal_script", may(CustomersRead), None),
        ("update_rehearsal_script", may(AgentsWrite), Some(script)),
        ("delete_rehearsal_script", may(AgentsWrite), None),
        ("get_prompting", may(BusinessRead), None),
        ("put_prompting", may(BusinessWrite), Some(json!({ "legacy_prompt": false }))),
    ];
    table
        .into_iter()
        .map(|(id, needs, body)| (id, Operation { needs, body: body.into() }))
        .collect()
}
