//! What customers say beside what they came for: several people, questions about their own visit, a yes with
//! something else behind it.

use super::world::{SaidMessage, TestTalk, said, text};
use quipu_core::agent::Intent;
use quipu_core::reading::{Act, QuestionTopic};

fn books() -> SaidMessage {
    said(
        "quiero una [limpieza](service) [mañana](date) a las [4 de la tarde](time), soy [Mónica Terán](name)",
        &[Act::Book],
        Intent::Booking,
    )
}

fn yes() -> SaidMessage {
    said("sí", &[Act::Affirm], Intent::General)
}

fn order() -> SaidMessage {
    said(
        "mándame [3](qty) [tacos al pastor](item), [paso por ellos](hand), soy [Beto Ríos](name)",
        &[Act::Order],
        Intent::Ordering,
    )
}

#[test]
fn two_who_come_have_a_visit_each_and_both_are_made() {
    let mut talk = TestTalk::new();
    let both = said(
        "una [limpieza](service) para mí y para mi [esposo](other) el [viernes](date) a las [10 de la mañana](time), \
         uno después del otro",
        &[Act::Book],
        Intent::Booking,
    );
    let asked = text(&talk.say(&both));
    assert!(asked.contains("A nombre de quién"), "{asked}");
    let names = said(
        "[Vanessa Rojas](name) y [Luis Arana](name)",
        &[Act::Provide],
        Intent::Booking,
    );
    let back = text(&talk.say(&names));
    let first = back.find("10:00 a. m., a nombre de Vanessa Rojas");
    let second = back.find("a nombre de Luis Arana");
    assert!(first.is_some() && second > first, "{back}");
    assert_eq!(back.matches("10:00 a. m.").count(), 1, "{back}");
    talk.say(&yes());
    assert_eq!(talk.deeds(), ["create_appointment", "create_appointment"]);
    let visits = talk
        .changes
        .iter()
        .filter(|(tool, _)| *tool == "create_appointment");
    // Each comes alone.
    assert!(visits.clone().all(|(_, with)| with["party_size"].is_null()));
    let names: Vec<&str> = visits
        .map(|(_, with)| with["customer_name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["Vanessa Rojas", "Luis Arana"]);
}

#[test]
fn who_attends_is_told_and_the_visit_still_waits_for_its_yes() {
    let mut talk = TestTalk::new();
    talk.say(&books());
    let who = said("¿con qué doctora sería?", &[Act::Ask], Intent::Booking);
    let told = text(&talk.say(&who));
    assert!(told.contains("Dra. Ana Soto"), "{told}");
    assert!(talk.deeds().is_empty());
    talk.say(&yes());
    assert_eq!(talk.deeds(), ["create_appointment"]);
}

#[test]
fn an_hour_that_says_why_moves_nothing() {
    let mut talk = TestTalk::new();
    talk.say(&books());
    let why = said(
        "sí, esa. ¿dura media hora? salgo a las [5:30](time)",
        &[Act::Affirm, Act::Ask],
        Intent::Booking,
    );
    talk.say(&why);
    talk.say(&yes());
    let (_, with) = talk.changes.last().unwrap();
    assert_eq!(with["time"], "16:00");
}

#[test]
fn what_was_booked_is_told_again_and_not_booked_again() {
    let mut talk = TestTalk::with_visit();
    talk.say(&books());
    talk.say(&yes());
    let again = said(
        "¿entonces quedó para el [jueves](date) a las [4](time)?",
        &[Act::Ask],
        Intent::Booking,
    );
    let told = text(&talk.say(&again));
    assert!(
        told.contains("jueves 12 de marzo a las 4:00 p. m."),
        "{told}"
    );
    assert_eq!(talk.deeds(), ["create_appointment"]);
}

#[test]
fn a_yes_is_done_before_what_is_asked_for_behind_it() {
    let mut talk = TestTalk::with_visit();
    let moves = said(
        "¿puede ser el [viernes](date)?",
        &[Act::Reschedule, Act::Ask],
        Intent::Booking,
    );
    talk.say(&moves);
    talk.say(&said("a las [5](time)", &[Act::Choose], Intent::Booking));
    let and_more = said(
        "sí, cámbiela. y mándame [3](qty) [tacos al pastor](item)",
        &[Act::Affirm, Act::Order],
        Intent::Ordering,
    );
    talk.say(&and_more);
    assert_eq!(talk.deeds(), ["reschedule_appointment"]);
    assert!(talk.state.goal.is_some(), "the order goes on");
}

#[test]
fn a_question_that_is_asked_in_vain_is_not_asked_for_ever() {
    let mut talk = TestTalk::new();
    talk.say(&said(
        "quiero una [limpieza](service) [mañana](date)",
        &[Act::Book],
        Intent::Booking,
    ));
    // A yes picks none of several times, so that they are offered once more each time.
    let told: Vec<String> = (0..3).map(|_| text(&talk.say(&yes()))).collect();
    assert!(told[2].contains("una persona del equipo"), "{told:?}");
}

#[test]
fn some_of_an_order_are_wanted_in_another_way() {
    let mut talk = TestTalk::new();
    talk.say(&order());
    let shared = said(
        "no, [2](qty) normales y [1](qty) sin cebolla",
        &[Act::Correct],
        Intent::Ordering,
    );
    let back = text(&talk.say(&shared));
    assert!(
        back.contains("2 Taco al pastor, 1 Taco al pastor (sin cebolla)")
            || back.contains("2 Taco al pastor y 1 Taco al pastor (sin cebolla)"),
        "{back}"
    );
}

#[test]
fn a_way_of_paying_that_may_be_two_is_asked_for() {
    let mut talk = TestTalk::new();
    let brought = said(
        "mándame [3](qty) [tacos al pastor](item) a [Juárez 10, Centro](address), pago con [vales](pay), soy [Beto Ríos](name)",
        &[Act::Order],
        Intent::Ordering,
    );
    let told = text(&talk.say(&brought));
    assert!(told.contains("Efectivo y Tarjeta"), "{told}");
    let cash = said("[efectivo](pay)", &[Act::Provide], Intent::Ordering);
    let back = text(&talk.say(&cash));
    assert!(
        back.contains("Efectivo") && back.contains("¿Lo confirmo?"),
        "{back}"
    );
}

#[test]
fn a_wish_for_all_of_a_thing_adds_none_of_it() {
    let mut talk = TestTalk::new();
    talk.say(&order());
    let all = said(
        "a los [de pastor](item) sin cebolla",
        &[Act::Add],
        Intent::Ordering,
    );
    let back = text(&talk.say(&all));
    assert!(back.contains("3 Taco al pastor (sin cebolla)"), "{back}");
    let again = said(
        "los [3](qty) [de pastor](item) van sin cebolla",
        &[Act::Provide],
        Intent::Ordering,
    );
    let back = text(&talk.say(&again));
    assert!(back.contains("3 Taco al pastor (sin cebolla)"), "{back}");
}

#[test]
fn some_are_swapped_for_as_many_of_another_kind() {
    let mut talk = TestTalk::new();
    talk.say(&order());
    let swapped = said(
        "cámbiale [2](qty) de [pastor](item) por [árabe](item)",
        &[Act::Swap],
        Intent::Ordering,
    );
    let back = text(&talk.say(&swapped));
    assert!(back.contains("1 Taco al pastor y 2 Taco árabe"), "{back}");
}

#[test]
fn where_nobody_can_be_written_to_somebody_is_told() {
    let unknown = said(
        "¿tienen cajero automático para dólares?",
        &[Act::Ask],
        Intent::Faq,
    );
    let mut talk = TestTalk::unreachable();
    let answer = text(&talk.say(&unknown));
    assert!(answer.contains("No tengo esa información"), "{answer}");
    assert!(answer.ends_with('?'), "{answer}");
    assert!(talk.deeds().is_empty());
    talk.say(&yes());
    assert_eq!(talk.deeds(), ["escalate_to_human"]);

    // Where there is a number it is told, and nobody is offered; nor to somebody whom nobody could answer.
    let told = text(&TestTalk::new().say(&unknown));
    assert!(
        told.contains("+52 55 1234 5678") && !told.ends_with('?'),
        "{told}"
    );
    let mut nobody = TestTalk::unreachable();
    nobody.profile.has_customer = false;
    assert!(!text(&nobody.say(&unknown)).ends_with('?'));
}

#[test]
fn what_a_question_is_about_is_what_the_reader_says() {
    let mut talk = TestTalk::new();
    talk.say(&order());
    // No list of words tells this; two of them would mislead.
    let asks = said(
        "¿y en cuánto me anda saliendo la cosa con la doctora incluida?",
        &[Act::Ask],
        Intent::Pricing,
    );
    let asks = asks.asking(
        "en cuánto me anda saliendo la cosa con la doctora incluida?",
        QuestionTopic::Total,
    );
    let told = text(&talk.say(&asks));
    assert!(told.contains("$60 MXN"), "{told}");
    assert!(!told.contains("Ana Soto"), "{told}");
}

#[test]
fn whether_something_is_sold_is_told_by_its_price_and_orders_nothing() {
    let mut talk = TestTalk::new();
    talk.say(&order());
    let asks = said(
        "sí, ¿a cómo está el [refresco](item)?",
        &[Act::Affirm, Act::Ask],
        Intent::Pricing,
    );
    let asks = asks.asking("¿a cómo está el refresco?", QuestionTopic::Price);
    let told = text(&talk.say(&asks));
    assert!(told.contains("$28 MXN"), "{told}");
    let ordered = talk
        .changes
        .iter()
        .find(|(tool, _)| *tool == "create_order");
    let items = ordered.map(|(_, with)| with["items"].as_array().unwrap().len());
    assert_eq!(items, Some(1), "{:?}", talk.changes);
    let sold = said("¿tienen [tacos árabes](item)?", &[Act::Ask], Intent::Faq);
    let sold = sold.asking("¿tienen tacos árabes?", QuestionTopic::Menu);
    let told = text(&talk.say(&sold));
    assert!(
        told.contains("Taco árabe") && told.contains("$32 MXN"),
        "{told}"
    );
    assert!(!told.contains("No tengo"), "{told}");
}

#[test]
fn who_confirms_once_more_is_told_that_it_is_done() {
    let mut talk = TestTalk::new();
    talk.say(&order());
    talk.say(&yes());
    let again = said(
        "que sí, confirmo el pedido",
        &[Act::Affirm],
        Intent::Ordering,
    );
    let told = text(&talk.say(&again));
    assert!(told.contains("ya quedó hecho"), "{told}");
    assert_eq!(talk.deeds(), ["create_order"]);
}

#[test]
fn whoever_may_not_eat_something_is_told_what_is_in_it() {
    let asks = said(
        "soy alérgica a la [leche](allergy), ¿qué [taco](item) puedo pedir?",
        &[Act::Ask],
        Intent::Faq,
    );
    let asks = asks.asking("¿qué taco puedo pedir?", QuestionTopic::Menu);
    let mut talk = TestTalk::new();
    let told = text(&talk.say(&asks));
    assert!(told.contains("alergia"), "{told}");
    assert!(!told.contains("$20 MXN"), "{told}");
}

#[test]
fn an_order_behind_a_yes_is_no_yes_to_a_person() {
    let mut talk = TestTalk::unreachable();
    let unknown = said("¿hay cajero?", &[Act::Ask], Intent::Faq);
    talk.say(&unknown.asking("¿hay cajero?", QuestionTopic::Other));
    let orders = said(
        "va, entonces [3](qty) [tacos al pastor](item), [paso por ellos](hand), soy [Beto Ríos](name)",
        &[Act::Affirm],
        Intent::Ordering,
    );
    let back = text(&talk.say(&orders));
    assert!(back.contains("3 Taco al pastor"), "{back}");
    assert!(talk.deeds().is_empty(), "{:?}", talk.deeds());
}

#[test]
fn an_hour_that_is_put_right_is_the_other_one() {
    let mut talk = TestTalk::new();
    talk.say(&books());
    let corrects = said(
        "uy no, a las [5](time) mejor, que a las [4](time) aún no salgo",
        &[Act::Correct],
        Intent::Booking,
    );
    let back = text(&talk.say(&corrects));
    assert!(back.contains("5:00 p. m."), "{back}");
    assert!(!back.contains("4:00 p. m."), "{back}");
}

#[test]
fn what_something_costs_behind_a_visit_that_is_called_off_asks_for_its_terms() {
    let mut talk = TestTalk::with_visit();
    let cancels = said(
        "cancela mi [limpieza](service)",
        &[Act::Cancel],
        Intent::Booking,
    );
    talk.say(&cancels);
    talk.say(&yes());
    assert_eq!(talk.deeds(), ["cancel_appointment"]);
    let costs = said("¿me cobran algo?", &[Act::Ask], Intent::Pricing);
    talk.say(&costs.asking("¿me cobran algo?", QuestionTopic::Price));
    // Nothing is written of it here, but it was looked for in the words of terms.
    assert!(
        talk.quoted
            .iter()
            .any(|asked| asked.contains("Cancelar la cita")),
        "{:?}",
        talk.quoted
    );
}

#[test]
fn the_visit_of_somebody_else_is_told_to_nobody() {
    let mut talk = TestTalk::with_visit();
    let asks = said(
        "¿y la de [doña](other) Inés Bermúdez a qué hora es?",
        &[Act::Check],
        Intent::Booking,
    );
    let asks = asks.asking(
        "¿y la de doña Inés Bermúdez a qué hora es?",
        QuestionTopic::OwnVisits,
    );
    let told = text(&talk.say(&asks));
    assert!(told.contains("otras personas"), "{told}");
    assert!(!told.contains("4:00 p. m."), "{told}");
}
