use super::*;
use crate::tokens::count;
use crate::tool::ToolsOff;
use quipu_core::agent::{AssistantType, Intent, Vertical};

use AssistantType as T;
use Specialist as S;
use Vertical as V;

fn kind(vertical: V, assistant_type: T) -> AgentKind {
    AgentKind::whole(vertical, assistant_type)
}

fn without(vertical: V, off: &[&str]) -> AgentKind {
    let names = off.iter().map(|name| (*name).to_owned()).collect();
    AgentKind {
        off: ToolsOff::named(&names),
        ..kind(vertical, T::Full)
    }
}

fn one(vertical: V, assistant_type: T, intent: Intent) -> S {
    route(kind(vertical, assistant_type), &[(intent, 0.9)], false)
}

#[test]
fn every_intent_finds_its_part_in_every_business() {
    let table = [
        (V::Dental, T::Full, Intent::Booking, S::BookingDental),
        (V::Medical, T::Full, Intent::Booking, S::BookingMedical),
        (
            V::Restaurant,
            T::Full,
            Intent::Booking,
            S::BookingRestaurant,
        ),
        (V::General, T::Full, Intent::Booking, S::Booking),
        (
            V::Restaurant,
            T::Full,
            Intent::Ordering,
            S::OrderingRestaurant,
        ),
        (V::Dental, T::Full, Intent::Ordering, S::General),
        (V::General, T::Full, Intent::Ordering, S::OrderingRestaurant),
        (
            V::General,
            T::OrdersOnly,
            Intent::Ordering,
            S::OrderingRestaurant,
        ),
        (V::Dental, T::Full, Intent::Urgent, S::UrgentCare),
        (V::Medical, T::Full, Intent::Urgent, S::UrgentCare),
        (V::Restaurant, T::Full, Intent::Urgent, S::Escalation),
        (V::General, T::Full, Intent::Urgent, S::Escalation),
        (V::General, T::Full, Intent::Greeting, S::Greeting),
        (V::General, T::Full, Intent::Pricing, S::Pricing),
        (V::General, T::Full, Intent::Location, S::Location),
        (V::General, T::Full, Intent::Hours, S::Hours),
        (V::General, T::Full, Intent::Faq, S::Faq),
        (V::General, T::Full, Intent::Loyalty, S::Loyalty),
        (V::General, T::Full, Intent::Escalation, S::Escalation),
        (V::General, T::Full, Intent::General, S::General),
    ];
    for (vertical, assistant_type, intent, expected) in table {
        let found = one(vertical, assistant_type, intent);
        assert_eq!(
            found, expected,
            "{vertical:?} {assistant_type:?} {intent:?}"
        );
    }
}

#[test]
fn what_an_agent_is_there_for_narrows_what_it_does() {
    let table = [
        (T::AppointmentsOnly, Intent::Booking, S::BookingRestaurant),
        (T::AppointmentsOnly, Intent::Ordering, S::General),
        (T::AppointmentsOnly, Intent::Pricing, S::Pricing),
        (T::AppointmentsOnly, Intent::Loyalty, S::General),
        (T::OrdersOnly, Intent::Ordering, S::OrderingRestaurant),
        (T::OrdersOnly, Intent::Booking, S::General),
        (T::OrdersOnly, Intent::Loyalty, S::Loyalty),
        (T::InfoOnly, Intent::Booking, S::General),
        (T::InfoOnly, Intent::Ordering, S::General),
        (T::InfoOnly, Intent::Hours, S::Hours),
        (T::PersonalBrand, Intent::Booking, S::BookingRestaurant),
        (T::PersonalBrand, Intent::Ordering, S::General),
        (T::LeadCapture, Intent::Booking, S::General),
        (T::LeadCapture, Intent::Pricing, S::Pricing),
    ];
    for (assistant_type, intent, expected) in table {
        let found = one(V::Restaurant, assistant_type, intent);
        assert_eq!(found, expected, "{assistant_type:?} {intent:?}");
    }
    for assistant_type in T::ALL {
        assert_eq!(
            one(V::Dental, *assistant_type, Intent::Urgent),
            S::UrgentCare
        );
        let wanted = [(Intent::Pricing, 0.9)];
        let invoicing = route(kind(V::Restaurant, *assistant_type), &wanted, true);
        let files = matches!(assistant_type, T::Full | T::OrdersOnly);
        let expected = if files { S::Invoicing } else { S::Escalation };
        assert_eq!(invoicing, expected, "{assistant_type:?}");
    }
}

#[test]
fn of_several_intents_the_one_that_matters_wins() {
    let dental = |intents: &[(Intent, f32)]| route(kind(V::Dental, T::Full), intents, false);
    assert_eq!(
        dental(&[(Intent::Booking, 0.95), (Intent::Urgent, 0.4)]),
        S::UrgentCare
    );
    assert_eq!(
        dental(&[(Intent::Booking, 0.95), (Intent::Urgent, 0.1)]),
        S::BookingDental
    );
    assert_eq!(
        dental(&[(Intent::Greeting, 0.99), (Intent::Hours, 0.5)]),
        S::Hours
    );
    assert_eq!(
        dental(&[(Intent::Greeting, 0.9), (Intent::Hours, 0.1)]),
        S::Greeting
    );
    assert_eq!(
        dental(&[(Intent::Pricing, 0.5), (Intent::Faq, 0.7)]),
        S::Faq
    );
    assert_eq!(
        dental(&[(Intent::Pricing, 0.9), (Intent::Escalation, 0.5)]),
        S::Escalation
    );
    assert_eq!(dental(&[]), S::General);
    assert_eq!(dental(&[(Intent::Booking, f32::NAN)]), S::General);
    let urgent = [(Intent::Urgent, 0.9)];
    assert_eq!(
        route(kind(V::Dental, T::Full), &urgent, true),
        S::UrgentCare
    );
}

#[test]
fn nobody_is_sent_to_a_part_that_the_agent_does_not_play() {
    for vertical in V::ALL {
        for assistant_type in T::ALL {
            for intent in Intent::ALL {
                for invoicing in [true, false] {
                    let kind = kind(*vertical, *assistant_type);
                    let found = route(kind, &[(*intent, 0.9)], invoicing);
                    assert!(within_reach(found, kind));
                }
            }
        }
    }
}

#[test]
fn declared_tools_exist_and_belong_to_their_part() {
    for specialist in S::ALL {
        let declared = declaration(*specialist);
        for name in &declared.tools {
            let tool = find(name).unwrap_or_else(|| panic!("{specialist:?} names {name}"));
            assert!(
                tool.specialists.contains(specialist),
                "{specialist:?} {name}"
            );
        }
        let escalates = declared
            .tools
            .iter()
            .any(|name| name == "escalate_to_human");
        assert!(escalates, "{specialist:?} cannot call a person");
    }
}

#[test]
fn an_agent_that_only_informs_changes_nothing_in_the_diary() {
    for specialist in S::ALL {
        for tool in declaration(*specialist).tools(kind(V::Dental, T::InfoOnly)) {
            let harmless = ["update_lead_info", "escalate_to_human"];
            let reads = tool.access == crate::tool::Access::Read;
            assert!(reads || harmless.contains(&tool.name), "{}", tool.name);
        }
    }
    let has = |vertical, name: &str| {
        let mut tools = declaration(S::UrgentCare).tools(kind(vertical, T::Full));
        tools.any(|tool| tool.name == name)
    };
    assert!(has(V::Dental, "check_dental_urgency") && has(V::Dental, "create_appointment"));
    assert!(!has(V::Medical, "check_dental_urgency"));
}

#[test]
fn whoever_books_sees_what_the_customer_has_booked() {
    for (specialist, vertical) in [
        (S::General, V::Dental),
        (S::Booking, V::General),
        (S::BookingDental, V::Dental),
        (S::BookingMedical, V::Medical),
        (S::BookingRestaurant, V::Restaurant),
        (S::UrgentCare, V::Dental),
    ] {
        let sees = |assistant_type| {
            let mut tools = declaration(specialist).tools(kind(vertical, assistant_type));
            tools.any(|tool| tool.name == "get_appointments")
        };
        assert!(sees(T::Full), "{specialist:?}");
        assert!(!sees(T::InfoOnly), "{specialist:?}");
    }
}

#[test]
fn handoffs_lead_somewhere_else_that_the_agent_plays() {
    for specialist in S::ALL {
        let declared = declaration(*specialist);
        assert_ne!(declared.fallback, *specialist);
        assert!(within_reach(
            declared.fallback,
            kind(V::General, T::InfoOnly)
        ));
        for handoff in &declared.handoffs {
            assert_ne!(handoff.to, *specialist);
        }
    }
    let to = |assistant_type| -> Vec<S> {
        let handoffs = declaration(S::Pricing).handoffs(kind(V::Restaurant, assistant_type));
        handoffs.map(|handoff| handoff.to).collect()
    };
    assert_eq!(
        to(T::Full),
        [S::Booking, S::OrderingRestaurant, S::Escalation]
    );
    assert_eq!(to(T::InfoOnly), [S::Escalation]);
    assert_eq!(to(T::OrdersOnly), [S::OrderingRestaurant, S::Escalation]);
}

#[test]
fn every_part_is_told_what_to_do_in_few_words() {
    for specialist in S::ALL {
        for language in [Language::Es, Language::En] {
            let lines = declaration(*specialist).lines(language);
            let text = format!("{}\n{}", lines.purpose, lines.lines.join("\n"));
            assert!((2..=5).contains(&lines.lines.len()), "{specialist:?}");
            assert!(count(&text) <= 160, "{specialist:?} {}", count(&text));
        }
    }
}

#[test]
fn what_is_switched_off_is_offered_by_no_part() {
    let off = without(V::Dental, &["create_appointment"]);
    let of = |specialist: S| -> Vec<&str> {
        let tools = declaration(specialist).tools(off);
        tools.map(|tool| tool.name).collect()
    };
    for specialist in S::ALL {
        assert!(!of(*specialist).contains(&"create_appointment"));
    }
    // What was booked can still be moved.
    let wanted = [(Intent::Booking, 0.9)];
    assert_eq!(route(off, &wanted, false), S::BookingDental);
    assert!(of(S::BookingDental).contains(&"reschedule_appointment"));
    let forgone = declaration(S::BookingDental).forgone(off);
    let forgone: Vec<&str> = forgone.map(|tool| tool.name).collect();
    assert_eq!(forgone, ["create_appointment"]);
    // An agent that was never there for orders goes without nothing.
    let informing = AgentKind {
        assistant_type: T::InfoOnly,
        ..off
    };
    assert_eq!(declaration(S::BookingDental).forgone(informing).count(), 0);
}

#[test]
fn a_part_without_its_tools_is_played_by_nobody() {
    let none = without(V::Restaurant, &["get_available_slots", "get_appointments"]);
    assert_eq!(route(none, &[(Intent::Booking, 0.9)], false), S::General);
    let none = without(V::Restaurant, &["create_order", "cancel_order"]);
    assert_eq!(route(none, &[(Intent::Ordering, 0.9)], false), S::General);
    let none = without(V::Restaurant, &["request_invoice"]);
    assert_eq!(route(none, &[(Intent::Pricing, 0.9)], true), S::Escalation);
    let none = without(V::Dental, &["get_appointments", "get_available_slots"]);
    assert_eq!(route(none, &[(Intent::Urgent, 0.9)], false), S::UrgentCare);
}
