//! Who takes a message: from what the customer wants to the part of the agent that sees to it.

use super::reach::{of_vertical, within_reach};
use crate::AgentKind;
use quipu_core::agent::{Intent, Specialist};

/// From here on an intent is taken seriously. Below, it is a guess that a greeting or a general answer
/// does better than.
const SURE_ENOUGH: f32 = 0.3;

/// Chooses who takes a message, given what the customer may want with it and how sure that is, from 0 to
/// 1, in any order.
///
/// An urgency comes first wherever people are treated, then whoever asks for a person, then an invoice.
/// What the agent is not there for goes to the general part, which says so and offers a person; an
/// invoice, which only a person can then see to, goes to escalation.
#[must_use]
pub fn route(kind: AgentKind, intents: &[(Intent, f32)], sub_invoicing: bool) -> Specialist {
    let sure = |wanted: Intent| {
        let mut found = intents.iter();
        found.any(|(intent, score)| *intent == wanted && *score >= SURE_ENOUGH)
    };
    let reachable = |specialist| within_reach(specialist, kind);
    if sure(Intent::Urgent) {
        return if reachable(Specialist::UrgentCare) {
            Specialist::UrgentCare
        } else {
            Specialist::Escalation
        };
    }
    if sure(Intent::Escalation) {
        return Specialist::Escalation;
    }
    if sub_invoicing {
        return if reachable(Specialist::Invoicing) {
            Specialist::Invoicing
        } else {
            Specialist::Escalation
        };
    }
    let wanted = match strongest(intents) {
        Intent::Greeting => Specialist::Greeting,
        Intent::Pricing => Specialist::Pricing,
        Intent::Booking => of_vertical(Specialist::Booking, kind.vertical),
        Intent::Ordering => Specialist::OrderingRestaurant,
        Intent::Location => Specialist::Location,
        Intent::Hours => Specialist::Hours,
        Intent::Faq => Specialist::Faq,
        Intent::Loyalty => Specialist::Loyalty,
        // Those two were taken above if they were sure.
        Intent::Urgent | Intent::Escalation | Intent::General => Specialist::General,
    };
    if reachable(wanted) {
        wanted
    } else {
        Specialist::General
    }
}

/// What the customer wants most. Somebody who greets and asks something wants the answer, and of two
/// that are equally sure the first counts.
fn strongest(intents: &[(Intent, f32)]) -> Intent {
    let mut best: Option<(Intent, f32)> = None;
    for &(intent, score) in intents {
        let polite = matches!(intent, Intent::Greeting | Intent::General);
        if !polite && score >= SURE_ENOUGH && best.is_none_or(|(_, most)| score > most) {
            best = Some((intent, score));
        }
    }
    let greeted = intents
        .iter()
        .any(|(intent, score)| *intent == Intent::Greeting && *score >= SURE_ENOUGH);
    match best {
        Some((intent, _)) => intent,
        None if greeted => Intent::Greeting,
        None => Intent::General,
    }
}
