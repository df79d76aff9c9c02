//! Who an order is for, when a message says nothing else: a name or a telephone alone is noted, and
//! changes nothing of what is ordered.

use super::super::folded::folded;
use super::super::lists::{Words, list};
use super::super::person::{self, Expected};
use super::super::scene::Scene;
use super::super::transcript::{Goal, Heard};
use super::names_street;
use crate::supervisor::Awaiting;
use quipu_core::ordering::{Line, Menu, read_order};
use std::sync::LazyLock;

const DATA: &str = include_str!("../../../data/builtin/first_names.txt");
static FIRST_NAMES: Words = LazyLock::new(|| list(DATA, "names"));

/// More words than this say something else too.
const FEW: usize = 4;
/// How many parts of a message are looked at for a name.
const MOST_PARTS: usize = 8;

impl Scene<'_> {
    /// The last name that stood alone in a message of the order, or in a part of one.
    pub(super) fn named_for(&self, menu: &Menu, places: &[Vec<String>]) -> Option<String> {
        let heard = self.state.heard.iter().rev();
        let mut heard = heard.filter(|heard| heard.at >= self.state.since);
        heard.find_map(|heard| {
            let alone = self.name_alone(heard, menu, places);
            alone.or_else(|| self.name_apart(heard, menu, places))
        })
    }

    /// A name that is all of a part of a message which orders something: "2 gringas para llevar, Marta Ruiz".
    /// Beside a street it may be a part of town.
    fn name_apart(&self, heard: &Heard, menu: &Menu, places: &[Vec<String>]) -> Option<String> {
        let text = self.messages.get(heard.at)?.text.as_str();
        let orders = heard.goal == Some(Goal::Order) && heard.goes_on;
        let addressed = heard.awaiting == Some(Awaiting::Address) || names_street(text);
        if !orders || addressed || text.contains('?') {
            return None;
        }
        let parts = text.split([',', ';', '.', '\n']).rev().map(str::trim);
        parts
            .take(MOST_PARTS)
            .find_map(|part| name_in(part, menu, places))
    }

    /// Whether the last message is nothing but a name or a telephone that nobody asked for.
    pub(super) fn gives_contact_alone(&self, menu: &Menu, places: &[Vec<String>]) -> bool {
        let Some(heard) = self.state.heard.last() else {
            return false;
        };
        let few = self.words.split(' ').count() <= FEW;
        let phone = few && person::phone(self.text).is_some()
            || folded(&person::without_contacts(self.text)).is_empty();
        let asked = matches!(
            heard.awaiting,
            Some(Awaiting::Name | Awaiting::Phone | Awaiting::Address)
        );
        self.may_change
            && !asked
            && heard.awaiting.is_some()
            && (phone || self.name_alone(heard, menu, places).is_some())
    }

    fn name_alone(&self, heard: &Heard, menu: &Menu, places: &[Vec<String>]) -> Option<String> {
        let open = matches!(
            heard.awaiting,
            Some(
                Awaiting::Confirmation
                    | Awaiting::Payment
                    | Awaiting::DeliveryOrPickup
                    | Awaiting::Branch
            )
        );
        let text = self.messages.get(heard.at)?.text.as_str();
        let words = folded(text);
        let few = (1..=FEW).contains(&words.split(' ').count());
        if heard.goal != Some(Goal::Order) || heard.affirms.is_some() || !open || !few {
            return None;
        }
        name_in(text, menu, places).or_else(|| first_name(text, menu, places))
    }
}

/// The first name that a text is: "Ana". Any word may stand alone, so that only
/// names that people have are taken for one.
fn first_name(text: &str, menu: &Menu, places: &[Vec<String>]) -> Option<String> {
    let words = folded(text);
    let known = FIRST_NAMES.contains(&words.as_str());
    let name = person::name(text, Expected::Asked, &[]).filter(|_| known)?;
    is_no_thing(text, menu, places).then_some(name)
}

/// The name that a text is, when it is nothing that can be ordered and no place.
fn name_in(text: &str, menu: &Menu, places: &[Vec<String>]) -> Option<String> {
    let words = folded(text);
    if !(2..=FEW).contains(&words.split(' ').count()) {
        return None;
    }
    let name = person::name(text, Expected::Perhaps, &[])?;
    (is_no_thing(text, menu, places) && folded(&name) == words).then_some(name)
}

/// Whether a text is nothing that can be ordered and no place.
fn is_no_thing(text: &str, menu: &Menu, places: &[Vec<String>]) -> bool {
    let eaten = read_order(text, menu);
    let eaten = eaten.iter().any(|line| match line {
        Line::Unknown { near, .. } => !near.is_empty(),
        _ => true,
    });
    let words = folded(text);
    let place = places.iter().any(|place| words.contains(&place.join(" ")));
    !eaten && !place
}
