//! Which tools of an agent are switched off, and what goes with them.

use super::ALL;
use std::collections::BTreeSet;

/// No agent goes without these: whoever asks for a person gets one, and whoever is in pain is told how urgent
/// that is.
const ALWAYS: &[&str] = &["escalate_to_human", "check_dental_urgency"];

/// What a tool cannot do without. Nothing is booked but a time that was looked up, and nothing is cancelled
/// that was not.
const NEEDS: &[(&str, &[&str])] = &[
    ("create_appointment", &["get_available_slots"]),
    (
        "reschedule_appointment",
        &["get_available_slots", "get_appointments"],
    ),
    ("cancel_appointment", &["get_appointments"]),
    ("create_order", &["get_menu"]),
    ("cancel_order", &["get_order_status"]),
    ("redeem_reward", &["get_loyalty_balance"]),
];

// One bit for each tool.
const _: () = assert!(ALL.len() <= 64);

/// Whether an agent can be without a tool of this name.
#[must_use]
pub fn is_essential(name: &str) -> bool {
    ALWAYS.contains(&name)
}

/// The tools without which this one is of no use.
#[must_use]
pub fn needs(name: &str) -> &'static [&'static str] {
    let known = NEEDS.iter().find(|(tool, _)| *tool == name);
    known.map_or(&[], |(_, needed)| needed)
}

/// The tools that an agent goes without: those that were switched off, and those that need one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ToolsOff(u64);

impl ToolsOff {
    /// Those that go when these are switched off. A name of no tool means nothing: tools come and go with
    /// the versions of the program.
    #[must_use]
    pub fn named(names: &BTreeSet<String>) -> Self {
        let mut off = Self::default();
        for name in names.iter().filter(|name| !is_essential(name)) {
            off.add(name);
        }
        // What is off may be what the next one needs.
        loop {
            let before = off;
            for (tool, needed) in NEEDS {
                if needed.iter().any(|name| off.has(name)) {
                    off.add(tool);
                }
            }
            if off == before {
                return off;
            }
        }
    }

    /// Whether the tool of this name is off.
    #[must_use]
    pub fn has(self, name: &str) -> bool {
        place(name).is_some_and(|at| self.0 & (1 << at) != 0)
    }

    fn add(&mut self, name: &str) {
        if let Some(at) = place(name) {
            self.0 |= 1 << at;
        }
    }
}

fn place(name: &str) -> Option<usize> {
    ALL.iter().position(|tool| tool.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn off(names: &[&str]) -> ToolsOff {
        ToolsOff::named(&names.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn what_needs_a_tool_goes_with_it() {
        let without = off(&["get_available_slots"]);
        for gone in [
            "get_available_slots",
            "create_appointment",
            "reschedule_appointment",
        ] {
            assert!(without.has(gone), "{gone}");
        }
        for left in ["get_appointments", "cancel_appointment", "create_order"] {
            assert!(!without.has(left), "{left}");
        }
        assert!(!off(&["create_appointment"]).has("get_available_slots"));
        assert_eq!(off(&[]), ToolsOff::default());
    }

    #[test]
    fn a_person_can_always_be_asked_for() {
        let names: Vec<&str> = ALL.iter().map(|tool| tool.name).collect();
        let none = off(&names);
        for tool in ALL {
            assert_eq!(
                none.has(tool.name),
                !is_essential(tool.name),
                "{}",
                tool.name
            );
        }
        assert_eq!(off(&["a_tool_of_tomorrow"]), ToolsOff::default());
    }

    #[test]
    fn what_is_needed_exists() {
        let named = NEEDS
            .iter()
            .flat_map(|(tool, needed)| [tool].into_iter().chain(*needed));
        for name in named.chain(ALWAYS) {
            assert!(place(name).is_some(), "{name}");
        }
        for (tool, needed) in NEEDS {
            assert!(!is_essential(tool) && !needed.contains(tool), "{tool}");
        }
    }
}
