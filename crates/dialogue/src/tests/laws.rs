//! The laws of the policy, for any conversation.

use super::world::{SaidMessage, TestTalk, said, text};
use crate::DialogueState;
use crate::read::MessageGuess;
use crate::state::{Awaited, Goal};
use proptest::prelude::*;
use quipu_core::agent::Intent;
use quipu_core::reading::Act;

/// Messages that settle something.
fn settling() -> Vec<SaidMessage> {
    vec![
        said(
            "quiero una [limpieza](service)",
            &[Act::Book],
            Intent::Booking,
        ),
        said(
            "un [blanqueamiento](service) el [viernes](date)",
            &[Act::Book],
            Intent::Booking,
        ),
        said(
            "[mañana](date) a las [5 de la tarde](time)",
            &[Act::Provide],
            Intent::Booking,
        ),
        said("mejor el [jueves](date)", &[Act::Correct], Intent::Booking),
        said(
            "a nombre de [Ana Ruiz](name)",
            &[Act::Provide],
            Intent::Booking,
        ),
        said(
            "mándame [3](qty) [tacos de pastor](item)",
            &[Act::Order],
            Intent::Ordering,
        ),
        said(
            "y [2](qty) [refrescos](item)",
            &[Act::Add],
            Intent::Ordering,
        ),
        said(
            "yo [paso por ellos](hand), pago en [efectivo](pay)",
            &[Act::Provide],
            Intent::Ordering,
        ),
        said(
            "quiero cambiar mi cita al [viernes](date)",
            &[Act::Reschedule],
            Intent::Booking,
        ),
        said("quiero cancelar mi cita", &[Act::Cancel], Intent::Booking),
        said("canjéame algo", &[Act::Redeem], Intent::Loyalty),
    ]
}

/// Messages that settle nothing.
fn idle() -> Vec<SaidMessage> {
    vec![
        said(
            "¿cuánto cuesta el [blanqueamiento](service)?",
            &[Act::Ask],
            Intent::Pricing,
        ),
        said("¿a qué hora abren?", &[Act::Ask], Intent::Hours),
        said("¿dónde están?", &[Act::Ask], Intent::Location),
        said("¿tienen estacionamiento?", &[Act::Ask], Intent::Faq),
        said("hola", &[Act::Greet], Intent::Greeting),
        said("asdf qwer zxcv", &[], Intent::General),
        said("🙂", &[], Intent::General),
        said("jajaja qué cosas", &[Act::Other], Intent::General),
    ]
}

fn yes() -> SaidMessage {
    said("sí", &[Act::Affirm], Intent::General)
}

fn any_of(messages: Vec<SaidMessage>) -> impl Strategy<Value = SaidMessage> {
    proptest::sample::select(messages)
}

fn any_message() -> impl Strategy<Value = SaidMessage> {
    let mut all = settling();
    all.extend(idle());
    all.push(yes());
    all.push(said("no", &[Act::Deny], Intent::General));
    any_of(all)
}

fn a_talk() -> TestTalk {
    TestTalk::with_visit()
}

/// What a goal has that a message could lose. Whatever answers the question for a name is one.
fn given(state: &DialogueState) -> Option<String> {
    match state.goal.as_ref()? {
        Goal::Book(goal) => {
            let visits = goal.visits.iter();
            let kept = visits.map(|visit| {
                (
                    visit.service,
                    visit.staff,
                    visit.chosen.clone(),
                    visit.when.day,
                )
            });
            Some(format!("{:?}", kept.collect::<Vec<_>>()))
        }
        Goal::Order(goal) => Some(format!(
            "{:?} {:?} {:?} {:?}",
            goal.lines, goal.handing, goal.address, goal.payment
        )),
        _ => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_done_without_a_yes(messages in prop::collection::vec(any_of([settling(), idle()].concat()), 1..8)) {
        let mut talk = a_talk();
        for message in &messages {
            // A wish for something that is asked for in full is no summary, and is done.
            let commands = message.acts.iter().any(|act| matches!(act, Act::Reschedule | Act::Redeem));
            let before = talk.deeds().len();
            let awaited = talk.state.awaited.clone();
            talk.say(message);
            // Asking twice to have it called off is a yes to the summary in between.
            let repeats = message.acts.contains(&Act::Cancel) && awaited == Some(Awaited::Consent);
            prop_assert!(commands || repeats || talk.deeds().len() == before, "{message:?}: {:?}", talk.changes);
            prop_assert!(!talk.deeds().contains(&"create_appointment"));
            prop_assert!(!talk.deeds().contains(&"create_order"));
        }
    }

    #[test]
    fn what_is_booked_is_what_was_read_back(corrections in prop::collection::vec(any_message(), 0..4)) {
        let mut talk = a_talk();
        let mut messages = vec![said(
            "una [limpieza](service) [mañana](date) a las [10 de la mañana](time) a nombre de [Ana Ruiz](name)",
            &[Act::Book],
            Intent::Booking,
        )];
        messages.extend(corrections.iter().cloned());
        messages.extend([yes(), yes()]);
        for message in &messages {
            let before = talk.state.clone();
            let deeds = talk.changes.len();
            talk.say(message);
            for (tool, with) in &talk.changes[deeds..] {
                if *tool != "create_appointment" {
                    continue;
                }
                prop_assert_eq!(&before.awaited, &Some(Awaited::Consent));
                let Some(Goal::Book(goal)) = &before.goal else {
                    return Err(TestCaseError::fail("nothing was being booked"));
                };
                let mut read = goal.read_back.iter();
                let read = read.any(|visit| with["slot_id"] == visit.slot.slot_id.as_str()
                    && with["customer_name"].as_str() == visit.name.as_deref());
                prop_assert!(read, "{with} {:?}", goal.read_back);
            }
        }
        let booked = talk.deeds().contains(&"create_appointment");
        prop_assert!(booked || !corrections.is_empty(), "nothing was booked");
    }

    #[test]
    fn no_idle_message_loses_what_was_given(
        settled in prop::collection::vec(any_of(settling()), 1..5),
        noise in any_of(idle()),
    ) {
        let mut talk = a_talk();
        for message in &settled {
            talk.say(message);
        }
        let before = given(&talk.state);
        talk.say(&noise);
        if let Some(before) = before {
            prop_assert_eq!(given(&talk.state), Some(before));
        }
    }

    #[test]
    fn a_question_in_the_middle_is_answered_and_what_was_awaited_is_asked_again(
        settled in prop::collection::vec(any_of(settling()), 1..5),
    ) {
        let mut talk = a_talk();
        for message in &settled {
            talk.say(message);
        }
        let awaited = talk.state.awaited.clone();
        let goal = talk.state.goal.is_some();
        let asks = said("¿dónde están?", &[Act::Ask], Intent::Location);
        let told = text(&talk.say(&asks));
        prop_assert!(told.contains("Juárez 10"), "{told}");
        if goal && !matches!(awaited, Some(Awaited::Person | Awaited::Offer(_)) | None) {
            prop_assert_eq!(&talk.state.awaited, &awaited);
            prop_assert!(told.matches('¿').count() == 1, "{told}");
        }
    }

    #[test]
    fn a_danger_breaks_into_anything(settled in prop::collection::vec(any_message(), 0..6)) {
        let mut talk = a_talk();
        for message in &settled {
            talk.say(message);
        }
        let before = given(&talk.state);
        let danger = said("mi hijo [no puede respirar](symptom) y se le hinchó la lengua", &[Act::Urgent], Intent::Urgent);
        let told = text(&talk.say(&danger));
        prop_assert!(told.contains("emergencia"), "{told}");
        prop_assert!(talk.state.alarmed && talk.state.handed_over);
        if let Some(before) = before {
            prop_assert_eq!(given(&talk.state), Some(before));
        }
    }

    #[test]
    fn a_correction_changes_what_it_names_and_nothing_else(hour in 9_u16..18) {
        let mut talk = a_talk();
        let all = said(
            "una [limpieza](service) [mañana](date) a las [10 de la mañana](time) a nombre de [Ana Ruiz](name)",
            &[Act::Book],
            Intent::Booking,
        );
        talk.say(&all);
        let Some(Goal::Book(before)) = talk.state.goal.clone() else {
            return Err(TestCaseError::fail("nothing is being booked"));
        };
        let marked = format!("no, mejor a las [{hour}:00](time)");
        talk.say(&said(&marked, &[Act::Correct], Intent::Booking));
        let Some(Goal::Book(after)) = talk.state.goal.clone() else {
            return Err(TestCaseError::fail("the wish is gone"));
        };
        let (before, after) = (&before.visits[0], &after.visits[0]);
        prop_assert_eq!(before.service, after.service);
        prop_assert_eq!(&before.name, &after.name);
        prop_assert_eq!(before.staff, after.staff);
        let slot = after.chosen.as_ref();
        prop_assert_eq!(slot.map(|slot| slot.minute), Some(hour * 60));
        prop_assert_eq!(slot.map(|slot| slot.date), before.chosen.as_ref().map(|slot| slot.date));
    }

    #[test]
    fn nothing_that_is_written_makes_it_fall(texts in prop::collection::vec("\\PC{0,80}", 1..6)) {
        let mut talk = a_talk();
        for text in &texts {
            for intent in [Intent::Booking, Intent::Ordering, Intent::General] {
                let guess = MessageGuess { intent: Some(intent), certainty: 0.9, ..MessageGuess::default() };
                let step = talk.say_unread(text, guess);
                prop_assert!(!step.parts.is_empty());
            }
        }
    }

    #[test]
    fn a_state_is_read_as_it_was_stored(settled in prop::collection::vec(any_message(), 0..8)) {
        let mut talk = a_talk();
        for message in &settled {
            talk.say(message);
        }
        let stored = talk.state.stored();
        let read = DialogueState::read(&stored);
        prop_assert_eq!(read.stored(), stored);
        prop_assert_eq!(read.goal, talk.state.goal);
    }
}

#[test]
fn three_turns_that_come_no_further_offer_a_person() {
    let mut talk = a_talk();
    talk.say(&settling()[0]);
    let noise = said("asdf qwer", &[], Intent::General);
    let mut told = String::new();
    for _ in 0..3 {
        told = text(&talk.say(&noise));
    }
    assert_eq!(talk.state.awaited, Some(Awaited::Person), "{told}");
    talk.say(&yes());
    assert_eq!(talk.deeds(), ["escalate_to_human"]);
}

#[test]
fn a_state_of_another_version_is_begun_anew() {
    let mut talk = a_talk();
    talk.say(&settling()[0]);
    let mut stored = talk.state.stored();
    stored["version"] = serde_json::json!(99);
    assert!(DialogueState::read(&stored).goal.is_none());
    assert!(
        DialogueState::read(&serde_json::json!("nonsense"))
            .goal
            .is_none()
    );
}

#[test]
fn long_and_odd_messages_are_answered() {
    let mut talk = a_talk();
    let long = "quiero una limpieza ".repeat(300);
    let many = "quiero limpieza, blanqueamiento, tacos, cancelar, mover, factura, puntos, precio, "
        .repeat(5);
    for text in [
        long.as_str(),
        "🦷",
        "I want una limpieza s'il vous plaît amanhã",
        &many,
        "sí",
        "",
    ] {
        let guess = MessageGuess {
            intent: Some(Intent::Booking),
            certainty: 0.9,
            ..MessageGuess::default()
        };
        assert!(!talk.say_unread(text, guess).parts.is_empty());
    }
}
