//! Whole conversations, goal by goal.

use super::world::{SaidMessage, TestTalk, said, text};
use crate::read::MessageGuess;
use quipu_core::agent::Intent;
use quipu_core::reading::Act;

fn books() -> SaidMessage {
    said(
        "quiero una [limpieza](service) [mañana](date) a las [4 de la tarde](time)",
        &[Act::Book],
        Intent::Booking,
    )
}

fn named() -> SaidMessage {
    said("[Mónica Terán](name)", &[Act::Provide], Intent::Booking)
}

fn yes() -> SaidMessage {
    said("sí", &[Act::Affirm], Intent::General)
}

fn no() -> SaidMessage {
    said("no", &[Act::Deny], Intent::General)
}

#[test]
fn a_visit_is_read_back_and_booked_after_a_yes() {
    let mut talk = TestTalk::new();
    assert!(text(&talk.say(&books())).contains("A nombre de quién"));
    let back = text(&talk.say(&named()));
    assert!(
        back.contains("miércoles 11 de marzo a las 4:00 p. m."),
        "{back}"
    );
    assert!(
        back.contains("$600") && back.contains("Mónica Terán"),
        "{back}"
    );
    assert!(talk.deeds().is_empty());
    let done = text(&talk.say(&yes()));
    assert!(done.contains("quedó agendada"), "{done}");
    assert_eq!(talk.deeds(), ["create_appointment"]);
    let with = &talk.changes.last().unwrap().1;
    assert_eq!(with["date"], "2026-03-11");
    assert_eq!(with["time"], "16:00");
    assert_eq!(with["customer_name"], "Mónica Terán");
    // A second yes is to nothing.
    talk.say(&yes());
    assert_eq!(talk.deeds(), ["create_appointment"]);
}

#[test]
fn what_is_taken_is_not_offered_and_what_is_near_is() {
    let mut talk = TestTalk::new();
    talk.taken
        .push((jiff::civil::date(2026, 3, 11), "16:00".to_owned()));
    let told = text(&talk.say(&books()));
    assert!(
        told.contains("no tengo lugar") && told.contains("4:30 p. m."),
        "{told}"
    );
    let chosen = said("a las [4:30](time)", &[Act::Choose], Intent::Booking);
    assert!(text(&talk.say(&chosen)).contains("A nombre de quién"));
}

#[test]
fn a_closed_day_is_named_as_closed() {
    let mut talk = TestTalk::new();
    let sunday = said(
        "una [limpieza](service) el [domingo](date)",
        &[Act::Book],
        Intent::Booking,
    );
    let told = text(&talk.say(&sunday));
    assert!(
        told.contains("está cerrado") && told.contains("lunes 16 de marzo"),
        "{told}"
    );
}

#[test]
fn a_refused_summary_books_nothing_and_asks_for_another_time() {
    let mut talk = TestTalk::new();
    talk.say(&books());
    talk.say(&named());
    let told = text(&talk.say(&no()));
    assert!(told.contains("no hago ningún cambio"), "{told}");
    let other = said(
        "el [viernes](date) a las [5 de la tarde](time)",
        &[Act::Provide],
        Intent::Booking,
    );
    let back = text(&talk.say(&other));
    assert!(
        back.contains("viernes 13 de marzo a las 5:00 p. m."),
        "{back}"
    );
    talk.say(&yes());
    assert_eq!(talk.deeds(), ["create_appointment"]);
}

#[test]
fn a_visit_is_moved_when_it_is_asked_for_in_full_and_called_off_after_a_yes() {
    let mut talk = TestTalk::with_visit();
    let asked = said(
        "¿la puedes pasar al [viernes](date) a la [misma hora](time)?",
        &[Act::Reschedule],
        Intent::Booking,
    );
    let back = text(&talk.say(&asked));
    assert!(
        back.contains("Pasaría tu cita") && back.contains("viernes 13 de marzo a las 4:00 p. m."),
        "{back}"
    );
    assert!(talk.deeds().is_empty());
    talk.say(&yes());
    assert_eq!(talk.deeds(), ["reschedule_appointment"]);

    let mut talk = TestTalk::with_visit();
    let told = said(
        "pásame al [viernes](date) a las [5 de la tarde](time)",
        &[Act::Reschedule],
        Intent::Booking,
    );
    assert!(text(&talk.say(&told)).contains("quedó cambiada"));

    let mut talk = TestTalk::with_visit();
    let cancels = said("tengo que anular mi cita", &[Act::Cancel], Intent::Booking);
    assert!(text(&talk.say(&cancels)).contains("¿Seguro que quieres cancelar"));
    assert!(talk.deeds().is_empty());
    let again = said("bueno, anúlala", &[Act::Cancel], Intent::Booking);
    talk.say(&again);
    assert_eq!(talk.deeds(), ["cancel_appointment"]);
}

#[test]
fn an_order_is_edited_read_back_with_its_total_and_placed() {
    let mut talk = TestTalk::new();
    let order = said(
        "me mandas [4](qty) [tacos árabes](item) y [3](qty) de pastor",
        &[Act::Order],
        Intent::Ordering,
    );
    let told = text(&talk.say(&order));
    assert!(
        told.contains("4 Taco árabe") && told.contains("3 Taco al pastor"),
        "{told}"
    );
    let place = said(
        "es para la paz, [av juárez 2510](address), a nombre de [Memo Zárate](name), pago con [tarjeta](pay)",
        &[Act::Provide],
        Intent::Ordering,
    );
    let back = text(&talk.say(&place));
    assert!(
        back.contains("total $223") && back.contains("La Paz"),
        "{back}"
    );
    let edits = said(
        "no espera, mejor que sean [6](qty) de pastor y quítale [un](qty) [árabe](item)",
        &[Act::Correct],
        Intent::Ordering,
    );
    let back = text(&talk.say(&edits));
    assert!(
        back.contains("3 Taco árabe") && back.contains("6 Taco al pastor"),
        "{back}"
    );
    assert!(back.contains("total $251"), "{back}");
    assert!(talk.deeds().is_empty());
    talk.say(&yes());
    assert_eq!(talk.deeds(), ["create_order"]);
    let with = &talk.changes.last().unwrap().1;
    assert_eq!(with["order_type"], "delivery");
    assert_eq!(with["payment_method"], "Tarjeta");
}

#[test]
fn points_are_told_and_a_reward_out_of_reach_says_what_is_missing() {
    let mut talk = TestTalk::new();
    let asks = said(
        "¿cuántas compas tengo?",
        &[Act::Ask, Act::Check],
        Intent::Loyalty,
    );
    let told = text(&talk.say(&asks));
    assert!(
        told.contains("23 compas") && told.contains("Taco gratis"),
        "{told}"
    );
    let far = said(
        "canjéame la [limpieza](service) gratis",
        &[Act::Redeem],
        Intent::Loyalty,
    );
    let told = text(&talk.say(&far));
    assert!(told.contains("faltan 77"), "{told}");
    let near = said(
        "cámbiame un [taco](item) por compas",
        &[Act::Swap],
        Intent::Ordering,
    );
    let told = text(&talk.say(&near));
    assert_eq!(talk.deeds(), ["redeem_reward"], "{told}");
}

#[test]
fn a_price_is_told_and_a_visit_offered() {
    let mut talk = TestTalk::new();
    let asks = said(
        "¿cuánto cuesta el [blanqueamiento](service)?",
        &[Act::Ask],
        Intent::Pricing,
    );
    let told = text(&talk.say(&asks));
    assert!(
        told.contains("$2500") && told.contains("¿Quieres que te busque un horario?"),
        "{told}"
    );
    let told = text(&talk.say(&yes()));
    assert!(told.contains("Qué día"), "{told}");
}

#[test]
fn somebody_elses_visits_are_not_told() {
    let mut talk = TestTalk::with_visit();
    let asks = said(
        "¿a qué hora era la cita de mi [cuñada Laura Gisbert](other)?",
        &[Act::Ask, Act::Check],
        Intent::Booking,
    );
    let told = text(&talk.say(&asks));
    assert!(
        told.contains("otras personas") && !told.contains("4:00"),
        "{told}"
    );
}

#[test]
fn without_a_reader_the_rules_stand_in_for_it() {
    let mut talk = TestTalk::new();
    let wants = |intent| MessageGuess {
        intent: Some(intent),
        certainty: 0.9,
        ..MessageGuess::default()
    };
    let told = text(&talk.say_unread(
        "quiero una limpieza dental mañana a las 4 de la tarde",
        wants(Intent::Booking),
    ));
    assert!(told.contains("A nombre de quién"), "{told}");
    let back = text(&talk.say_unread("Mónica Terán", wants(Intent::Booking)));
    assert!(
        back.contains("Limpieza dental") && back.contains("Mónica Terán"),
        "{back}"
    );
    let agrees = MessageGuess {
        affirms: Some(true),
        ..wants(Intent::General)
    };
    talk.say_unread("sí, confirmo", agrees);
    assert_eq!(talk.deeds(), ["create_appointment"]);
}

#[test]
fn a_service_that_was_deleted_meanwhile_is_asked_for_anew() {
    let mut talk = TestTalk::new();
    talk.say(&books());
    talk.say(&named());
    let stored = talk.state.stored();
    let changed = stored.to_string().replace(
        "00000000-0000-0000-0000-000000000003",
        "00000000-0000-0000-0000-0000000000ff",
    );
    talk.state = crate::DialogueState::read(&serde_json::from_str(&changed).unwrap());
    let told = text(&talk.say(&yes()));
    assert!(
        talk.deeds().is_empty() && told.contains("servicio"),
        "{told}"
    );
}

#[test]
fn of_two_visits_the_one_that_was_made_is_told_although_the_other_failed() {
    let mut talk = TestTalk::new();
    talk.fails = Some(("create_appointment", 2));
    let both = said(
        "quiero una [limpieza](service) y un [blanqueamiento](service) [mañana](date) a las [4 de la tarde](time)",
        &[Act::Book],
        Intent::Booking,
    );
    talk.say(&both);
    let back = text(&talk.say(&named()));
    assert!(
        back.contains("Limpieza dental") && back.contains("Blanqueamiento"),
        "{back}"
    );
    let told = text(&talk.say(&yes()));
    assert!(told.contains("quedó agendada: Limpieza dental"), "{told}");
    assert!(told.contains("no pude consultarlo"), "{told}");
    // What is left is read back and booked by itself.
    let back = text(&talk.say(&yes()));
    assert!(
        back.contains("Blanqueamiento") && !back.contains("Limpieza"),
        "{back}"
    );
    talk.say(&yes());
    assert_eq!(talk.deeds().len(), 3);
}

#[test]
fn points_are_given_once_although_the_order_is_placed_twice() {
    let mut talk = TestTalk::new();
    talk.fails = Some(("create_order", 1));
    let order = said(
        "[2](qty) [tacos de pastor](item), [paso por ellos](hand), pago en [efectivo](pay), soy [Ana Ruiz](name)",
        &[Act::Order],
        Intent::Ordering,
    );
    talk.say(&order);
    let reward = said(
        "y con mis compas quiero el taco gratis",
        &[Act::Redeem],
        Intent::Loyalty,
    );
    let back = text(&talk.say(&reward));
    assert!(back.contains("Taco gratis"), "{back}");
    talk.say(&yes());
    assert_eq!(talk.deeds(), ["redeem_reward", "create_order"]);
    talk.say(&yes());
    talk.say(&yes());
    assert_eq!(
        talk.deeds(),
        ["redeem_reward", "create_order", "create_order"]
    );
    assert_eq!(talk.changes.last().unwrap().1["redemption_code"], "ABC");
}
