//! Which tools the stable part names, and what it says they are for.
//!
//! A model is given the full description of the tools of a turn with that turn. Here it learns what there
//! is to look up at all, so that it looks instead of guessing.

use super::texts::{Groups, Tools, Trade};
use super::wording::fill;
use crate::AgentKind;
use crate::specialist::abilities;
use crate::tool::{ALL, Access, find};
use quipu_core::agent::Vertical;

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
pub(super) fn lines(groups: &Groups, kind: AgentKind) -> Vec<String> {
    let vertical = kind.vertical;
    let abilities = abilities(kind);
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

/// What an agent of this kind would change and goes without.
pub(super) fn of_writes(kind: AgentKind) -> Vec<&'static str> {
    let abilities = abilities(kind);
    let writes = ALL.iter().filter(|tool| tool.access == Access::Write);
    let forgone = writes.filter(|tool| abilities.go_without(tool.name));
    forgone.map(|tool| tool.name).collect()
}

/// What is not to be promised, in a line. None where nothing is switched off.
pub(super) fn forgone(texts: &Tools, trade: &Trade, names: &[&str]) -> Option<String> {
    let deeds: Vec<String> = names
        .iter()
        .filter_map(|name| texts.deeds.get(*name))
        .map(|deed| fill(deed, &[("booking", &trade.booking)]))
        .collect();
    if deeds.is_empty() {
        return None;
    }
    let deeds = deeds.join(", ");
    Some(format!("- {}", fill(&texts.off, &[("deeds", &deeds)])))
}

#[cfg(test)]
mod tests {
    use super::super::texts::texts;
    use super::*;
    use crate::tool::is_essential;
    use quipu_core::language::Language;

    #[test]
    fn whatever_is_changed_has_a_name_when_it_is_off() {
        for language in [Language::Es, Language::En] {
            let deeds = &texts(language).common.tools.deeds;
            let writes = ALL.iter().filter(|tool| tool.access == Access::Write);
            for tool in writes.filter(|tool| !is_essential(tool.name)) {
                assert!(deeds.contains_key(tool.name), "{language:?} {}", tool.name);
            }
            for name in deeds.keys() {
                assert!(find(name).is_some(), "{name}");
            }
        }
    }

    #[test]
    fn every_named_tool_exists() {
        for (_, names) in GROUPS {
            for name in *names {
                assert!(find(name).is_some(), "{name}");
            }
        }
    }
}
