//! The parts an agent can play: what each is for, the tools it is given, what it is told, and when it
//! leaves the conversation to another.
//!
//! They are declared in `data/specialists`, one file each. Which of them an agent has follows from its
//! business and from what it is there for ([`reach`]); which one takes a message, from what the
//! customer wants ([`route`]).

mod reach;
mod router;
#[cfg(test)]
mod tests;

pub use reach::{Abilities, abilities, of_vertical, within_reach};
pub use router::route;

use crate::AgentKind;
use crate::tool::{Access, Tool, find};
use quipu_core::agent::Specialist;
use quipu_core::language::Language;
use serde::Deserialize;
use std::sync::LazyLock;

/// What a part of an agent is told.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lines {
    /// What it is for, in a sentence.
    pub purpose: String,
    /// What it does, a rule to a line.
    pub lines: Vec<String>,
}

/// When a part leaves the conversation to another.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Handoff {
    /// Who goes on. `booking` stands for the booking of whatever business it is.
    pub to: Specialist,
    es: String,
    en: String,
}

impl Handoff {
    /// When it happens and what to say until the other takes over.
    #[must_use]
    pub fn text(&self, language: Language) -> &str {
        match language {
            Language::Es => &self.es,
            Language::En => &self.en,
        }
    }
}

/// Everything that makes a part of an agent.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Declaration {
    tools: Vec<String>,
    /// Who takes over when this part cannot go on, because it is out of reach or its tools fail.
    pub fallback: Specialist,
    es: Lines,
    en: Lines,
    #[serde(default, rename = "handoff")]
    handoffs: Vec<Handoff>,
}

impl Declaration {
    #[must_use]
    pub fn lines(&self, language: Language) -> &Lines {
        match language {
            Language::Es => &self.es,
            Language::En => &self.en,
        }
    }

    /// The tools it is given in an agent of this kind, those it needs first in front.
    pub fn tools(&self, kind: AgentKind) -> impl Iterator<Item = &'static Tool> {
        let abilities = abilities(kind);
        let tools = self.tools.iter().filter_map(|name| find(name));
        tools.filter(move |tool| tool.is_for(kind.vertical) && abilities.include(tool.name))
    }

    /// What it would change in an agent of this kind if that were not switched off.
    pub fn forgone(&self, kind: AgentKind) -> impl Iterator<Item = &'static Tool> {
        let abilities = abilities(kind);
        let tools = self.tools.iter().filter_map(|name| find(name));
        tools.filter(move |tool| tool.access == Access::Write && abilities.go_without(tool.name))
    }

    /// The parts it hands over to in an agent of this kind.
    pub fn handoffs(&self, kind: AgentKind) -> impl Iterator<Item = &Handoff> {
        self.handoffs.iter().filter(move |handoff| {
            let to = of_vertical(handoff.to, kind.vertical);
            within_reach(to, kind)
        })
    }
}

/// What a part of an agent is declared to be.
#[must_use]
pub fn declaration(specialist: Specialist) -> &'static Declaration {
    macro_rules! declared {
        ($($variant:ident = $file:literal),+ $(,)?) => {
            match specialist {
                $(Specialist::$variant => {
                    static DECLARED: LazyLock<Declaration> = LazyLock::new(|| {
                        read($file, include_str!(concat!("../data/specialists/", $file, ".toml")))
                    });
                    &DECLARED
                })+
            }
        };
    }
    declared! {
        Greeting = "greeting",
        General = "general",
        Faq = "faq",
        Pricing = "pricing",
        Location = "location",
        Hours = "hours",
        Booking = "booking",
        BookingDental = "booking_dental",
        BookingMedical = "booking_medical",
        BookingRestaurant = "booking_restaurant",
        OrderingRestaurant = "ordering_restaurant",
        Invoicing = "invoicing",
        UrgentCare = "urgent_care",
        Loyalty = "loyalty",
        Escalation = "escalation",
    }
}

/// Reads a declaration, which is part of the program: one that cannot be read fails every test.
fn read(name: &str, text: &str) -> Declaration {
    toml::from_str(text).unwrap_or_else(|error| panic!("data/specialists/{name}.toml: {error}"))
}
