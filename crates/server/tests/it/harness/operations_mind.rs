//! Those of what is kept around an agent's answers.

use super::operations::{Needs, Operation};
use quipu_core::access::Permission::{BusinessRead, BusinessWrite, Chat, CustomersRead, UsageRead};
use serde_json::{Value, json};

#[rustfmt::skip]
pub(super) fn mind(name: &str) -> Vec<(&'static str, Operation)> {
    let may = Needs::Permission;
    let table: Vec<(&str, Needs, Option<Value>)> = vec![
        ("list_turns", may(CustomersRead), None),
        ("get_turn", may(CustomersRead), None),
        ("put_turn_feedback", may(Chat), Some(json!({ "helpful": true, "reason": name }))),
        ("get_agent_statistics", may(UsageRead), None),
        ("get_statistics_series", may(UsageRead), None),
        ("get_agent_comparison", may(UsageRead), None),
        ("list_agent_prompts", may(BusinessRead), None),
        ("list_learned_answers", may(BusinessRead), None),
        ("approve_learned_answer", may(BusinessWrite), Some(json!({ "question": name }))),
        ("reject_learned_answer", may(BusinessWrite), None),
        ("get_instruction_statistics", may(BusinessRead), None),
        ("get_prompting", may(BusinessRead), None),
        ("put_prompting", may(BusinessWrite), Some(json!({ "legacy_prompt": false }))),
    ];
    table
        .into_iter()
        .map(|(id, needs, body)| (id, Operation { needs, body: body.into() }))
        .collect()
}
