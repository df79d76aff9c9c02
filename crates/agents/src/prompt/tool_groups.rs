//! Which tools the stable part names, and what it says they are for.
//!
//! A model is given the full description of the tools of a turn with that turn. Here it learns what there
//! is to look up at all, so that it looks instead of guessing.

use super::texts::Groups;
use crate::specialist::abilities;
use crate::tool::find;
use quipu_core::agent::{AssistantType, Vertical};

type Label = fn(&Groups) -> &str;

/// The groups in the order they are told, each with its most telling tools.
const GROUPS: &[(Label, &[&str])] = &[
    (|groups| &groups.business, &["get_branch_info"]),
    (
        |groups| &groups.offer,
        &["get_service_info", "list_services"],
    ),
    (|groups| &groups.menu, &["get_menu"]),
    (
        |groups| &groups.agenda,
        &["get_available_slots", "create_appointment"],
    ),
    (|groups| &groups.orders, &["create_order"]),
    (|groups| &groups.urgency, &["check_dental_urgency"]),
    (
        |groups| &groups.knowledge,
        &["get_policy", "search_knowledge_base"],
    ),
    (|groups| &groups.lead, &["update_lead_info"]),
    (|groups| &groups.loyalty, &["get_loyalty_balance"]),
    (|groups| &groups.invoice, &["request_invoice"]),
    (|groups| &groups.person, &["escalate_to_human"]),
];

/// A line for each group that an agent of this kind has.
pub(super) fn lines(
    groups: &Groups,
    vertical: Vertical,
    assistant_type: AssistantType,
) -> Vec<String> {
    let abilities = abilities(vertical, assistant_type);
    let mut lines = Vec::with_capacity(GROUPS.len());
    for (label, names) in GROUPS {
        let has = |name: &&&str| {
            let sold = **name != "list_services" && **name != "get_service_info";
            let wanted = sold || vertical != Vertical::Restaurant;
            wanted
                && abilities.include(name)
                && find(name).is_some_and(|tool| tool.is_for(vertical))
        };
        let names: Vec<&str> = names.iter().filter(has).copied().collect();
        if !names.is_empty() {
            lines.push(format!("- {}: {}", label(groups), names.join(", ")));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_named_tool_exists() {
        for (_, names) in GROUPS {
            for name in *names {
                assert!(find(name).is_some(), "{name}");
            }
        }
    }
}
