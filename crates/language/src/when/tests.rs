use super::*;
use jiff::civil::date;

/// Tuesday 10 March 2026, 10:15, in Mexico.
fn now() -> Zoned {
    "2026-03-10T10:15[America/Mexico_City]".parse().unwrap()
}

fn read(text: &str) -> When {
    When::read(text, Language::Es, &now(), None)
}

fn english(text: &str) -> When {
    When::read(text, Language::En, &now(), None)
}

#[expect(clippy::unnecessary_wraps, reason = "a row of a table may have no day")]
fn on(month: i8, day: i8) -> Option<Day> {
    Some(Day::On(date(2026, month, day)))
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "a row of a table may have no hour"
)]
fn at(hour: u16, minute: u16) -> Option<Time> {
    Some(Time {
        minute: hour * 60 + minute,
        certain: true,
    })
}

fn about(hour: u16, minute: u16) -> Option<Time> {
    at(hour, minute).map(|time| Time {
        certain: false,
        ..time
    })
}

#[test]
fn a_day_that_no_month_has_is_no_day_of_another() {
    for text in [
        "el 30 de febrero a las 10",
        "el 31 de noviembre",
        "el viernes 31 de abril",
        "el 31/4",
        "para el día 32 de marzo",
    ] {
        assert_eq!(read(text).day, None, "{text}");
    }
    let leap = Some(Day::On(date(2028, 2, 29)));
    assert_eq!(read("el 29 de febrero").day, leap);
    assert_eq!(english("on february 30th").day, None);
}

#[test]
fn days_in_spanish() {
    for (text, day) in [
        ("hoy", on(3, 10)),
        ("para mañana por favor", on(3, 11)),
        ("manana en la mañana", on(3, 11)),
        ("pasado mañana", on(3, 12)),
        ("el jueves", on(3, 12)),
        ("este viernes", on(3, 13)),
        ("el próximo lunes", on(3, 16)),
        ("el martes", on(3, 17)),
        ("hoy martes", on(3, 10)),
        ("el jueves de la próxima semana", on(3, 19)),
        ("el viernes de la semana que viene", on(3, 20)),
        ("el sábado 14", on(3, 14)),
        ("miércoles, 18 de marzo", on(3, 18)),
        ("el 12", on(3, 12)),
        ("el día 5", on(4, 5)),
        ("el 31", on(3, 31)),
        ("12 de marzo", on(3, 12)),
        ("2 de abril a las 4", on(4, 2)),
        ("12/3", on(3, 12)),
        ("el 25/03/2026", on(3, 25)),
        ("2026-04-01", on(4, 1)),
        ("en 3 días", on(3, 13)),
        ("dentro de dos semanas", on(3, 24)),
        ("5 de enero", Some(Day::On(date(2027, 1, 5)))),
        ("no el jueves no puedo, mejor el viernes", on(3, 13)),
        ("el jueves 5 pm", on(3, 12)),
        ("viernes a las 6 de la tarde", on(3, 13)),
        ("¿abren los sábados?", None),
        ("en la mañana", None),
        ("a las 9 de la mañana", None),
        ("quiero 2 de pastor", None),
    ] {
        assert_eq!(read(text).day, day, "{text}");
    }
}

#[test]
fn several_days() {
    let between = |from, to| Some(Day::Between(date(2026, 3, from), date(2026, 3, to)));
    for (text, day) in [
        ("el fin de semana", between(14, 15)),
        ("este finde", between(14, 15)),
        ("la próxima semana", between(16, 22)),
        ("la semana que viene", between(16, 22)),
        ("esta semana", between(10, 15)),
    ] {
        assert_eq!(read(text).day, day, "{text}");
    }
    assert_eq!(english("next week").day, between(16, 22));
    assert_eq!(english("this weekend").day, between(14, 15));
}

#[test]
fn days_in_english_have_the_month_first() {
    for (text, day) in [
        ("tomorrow", on(3, 11)),
        ("the day after tomorrow", on(3, 12)),
        ("Thursday 10am downtown please", on(3, 12)),
        ("next Friday", on(3, 13)),
        ("March 20th", on(3, 20)),
        ("the 15th", on(3, 15)),
        ("4/2", on(4, 2)),
        ("in 2 days", on(3, 12)),
        ("good morning", None),
    ] {
        assert_eq!(english(text).day, day, "{text}");
    }
}

#[test]
fn hours() {
    for (text, time) in [
        ("a las 5", about(5, 0)),
        ("a las cinco y media", about(5, 30)),
        ("5 y media", about(5, 30)),
        ("17:00", at(17, 0)),
        ("a las 4 de la tarde", at(16, 0)),
        ("a las 9 am", at(9, 0)),
        ("10 a. m.", at(10, 0)),
        ("a la 1", about(1, 0)),
        ("a la una y cuarto", about(1, 15)),
        ("a las ocho menos cuarto", about(7, 45)),
        ("cuarto para las 6", about(5, 45)),
        ("al mediodía", at(12, 0)),
        ("en la tarde, a las 5", at(17, 0)),
        ("mañana en la noche a las 8", at(20, 0)),
        ("a las 930", about(9, 30)),
        ("a las 18 hrs", at(18, 0)),
        ("mañana 4pm", at(16, 0)),
        ("quiero 2 de pastor y 3 gringas", None),
        ("para 4 personas", None),
        ("somos 5", None),
        ("calle 5 número 120", None),
    ] {
        assert_eq!(read(text).time, time, "{text}");
    }
    for (text, time) in [
        ("at 5", about(5, 0)),
        ("half past four", about(4, 30)),
        ("3pm", at(15, 0)),
        ("10 in the morning", at(10, 0)),
    ] {
        assert_eq!(english(text).time, time, "{text}");
    }
}

#[test]
fn limits_and_parts_of_the_day() {
    assert_eq!(read("después de las 4").after, about(4, 0));
    assert_eq!(read("después de las 4").time, None);
    assert_eq!(read("antes de las 11").before, about(11, 0));
    assert_eq!(read("a partir de las 17:00").after, at(17, 0));
    let between = read("entre las 4 y las 6 de la tarde");
    assert_eq!((between.after, between.before), (at(16, 0), at(18, 0)));
    assert_eq!(english("after 3 pm").after, at(15, 0));
    for (text, part) in [
        ("el jueves en la tarde", Some(PartOfDay::Afternoon)),
        ("mañana en la mañana", Some(PartOfDay::Morning)),
        ("por la noche", Some(PartOfDay::Evening)),
        ("mañana temprano", Some(PartOfDay::Morning)),
        ("buenas tardes", None),
        ("más tarde te digo", None),
    ] {
        assert_eq!(read(text).part, part, "{text}");
    }
    assert_eq!(english("good afternoon").part, None);
    assert_eq!(english("in the evening").part, Some(PartOfDay::Evening));
    assert_eq!(
        english("tuesday afternoon").part,
        Some(PartOfDay::Afternoon)
    );
}

#[test]
fn manners_of_wanting_it() {
    for text in [
        "lo más pronto posible",
        "cuanto antes",
        "lo antes que se pueda",
        "asap",
    ] {
        assert!(read(text).soonest, "{text}");
    }
    let moved = read("tengo cita mañana a las 5, pásala al viernes misma hora");
    assert_eq!((moved.day, moved.time), (on(3, 13), about(5, 0)));
    assert!(moved.same_time);
}

#[test]
fn a_bare_number_is_what_was_asked_for() {
    let answer = |text, asked| When::read(text, Language::Es, &now(), Some(asked));
    assert_eq!(answer("5", Asked::Time).time, about(5, 0));
    assert_eq!(answer("20", Asked::Day).day, on(3, 20));
    assert_eq!(read("5").time, None);
    assert_eq!(read("20").day, None);
}

#[test]
fn an_hour_is_settled_by_the_hours_there_are() {
    assert_eq!(read("a las 5").settle(&[9 * 60, 17 * 60]), Some(17 * 60));
    assert_eq!(read("a las 5").settle(&[5 * 60]), Some(5 * 60));
    assert_eq!(read("a las 5").settle(&[]), Some(17 * 60));
    assert_eq!(read("a las 9").settle(&[]), Some(9 * 60));
    assert_eq!(read("a las 9").settle(&[21 * 60]), Some(21 * 60));
    assert_eq!(read("a las 12").settle(&[]), Some(12 * 60));
    assert_eq!(read("5 am").settle(&[17 * 60]), Some(5 * 60));
    assert!(read("después de las 4").allows(16 * 60 + 30));
    assert!(!read("después de las 4").allows(15 * 60));
    assert!(!read("en la mañana").allows(13 * 60));
}

#[test]
fn what_is_said_later_replaces_what_was_said() {
    let first = read("mañana a las 4");
    assert_eq!(first.then(read("y a las 5?")).time, about(5, 0));
    assert_eq!(first.then(read("y a las 5?")).day, on(3, 11));
    assert_eq!(first.then(read("mejor el viernes")).time, about(4, 0));
    assert_eq!(first.then(read("en la tarde")).time, None);
}

#[test]
fn a_weekday_is_one_of_the_days_that_were_spoken_of() {
    let week = read("la semana que viene");
    let tuesday = week.then(read("el martes a la tarde"));
    assert_eq!(tuesday.day, on(3, 17));
    assert_eq!(tuesday.part, Some(PartOfDay::Afternoon));
    // Another weekday is still one of that week, and a plain date is what it is.
    assert_eq!(tuesday.then(read("mejor el miércoles")).day, on(3, 18));
    assert_eq!(tuesday.then(read("mañana")).day, on(3, 11));
    assert_eq!(
        tuesday.then(read("mañana")).then(read("el viernes")).day,
        on(3, 13)
    );
    assert_eq!(read("la semana que viene, el jueves").day, on(3, 19));
    assert_eq!(
        english("next week").then(english("friday afternoon")).day,
        on(3, 20)
    );
    // Chosen among what was offered of that week, the week still holds.
    let chosen = week.then(When::at(jiff::civil::date(2026, 3, 16), 600));
    assert_eq!(chosen.then(read("no, mejor el martes")).day, on(3, 17));
}

#[test]
fn feasts_are_days() {
    assert_eq!(read("¿abren en navidad?").day, on(12, 25));
    assert_eq!(read("el 24 en nochebuena").day, on(12, 24));
    assert_eq!(english("are you open on christmas eve?").day, on(12, 24));
    assert_eq!(
        read("¿y en año nuevo?").day,
        Some(Day::On(jiff::civil::date(2027, 1, 1)))
    );
}

#[test]
fn noon_is_no_part_of_the_afternoon() {
    assert!(!read("el viernes en la tarde").allows(12 * 60));
    assert!(read("el viernes en la tarde").allows(13 * 60));
}

#[test]
fn offered_hours_belong_to_the_day_before_them() {
    let text = "Para el miércoles 11 de marzo tengo 9:00 a. m., 5:00 p. m. y 6:00 p. m.; el jueves 12 de marzo, 10:00 a. m.";
    let offered = offers(text, Language::Es, &now());
    let days: Vec<_> = offered.iter().map(|(day, _)| day.unwrap().day()).collect();
    let minutes: Vec<_> = offered.iter().map(|(_, time)| time.minute / 60).collect();
    assert_eq!(days, [11, 11, 11, 12]);
    assert_eq!(minutes, [9, 17, 18, 10]);
}

#[test]
fn people() {
    for (text, number) in [
        ("mesa para 4", Some(4)),
        ("para cuatro personas el sábado a las 9", Some(4)),
        ("somos cinco", Some(5)),
        ("vamos a ser 6", Some(6)),
        ("table for two at 8", Some(2)),
        ("party of 6", Some(6)),
        ("2 adultos y 1 niño", Some(3)),
        ("una mesa para las 8", None),
        ("para el 12", None),
        ("para 8 pm", None),
    ] {
        assert_eq!(party(text, false), number, "{text}");
    }
    assert_eq!(party("4", true), Some(4));
    assert_eq!(party("4", false), None);
    assert_eq!(party("mañana a las 5 de la tarde", true), None);
}

proptest::proptest! {
    #[test]
    fn nothing_breaks_the_reading(text in "\\PC{0,120}") {
        let _ = read(&text);
        let _ = english(&text);
        let _ = party(&text, true);
    }
}

#[test]
fn an_hour_of_either_half_is_around_nothing_yet() {
    for (text, minute) in [
        ("el jueves a las 5", Some(17 * 60)),
        ("a las 8 de la noche", Some(20 * 60)),
        ("después de las 6", Some(18 * 60)),
        ("a las 8", None),
        ("el jueves", None),
        ("el jueves en la tarde", Some(16 * 60)),
        ("en la mañana", Some(10 * 60)),
    ] {
        assert_eq!(read(text).around(), minute, "{text}");
    }
}

#[test]
fn a_day_may_be_refused() {
    let spanish = [
        "sí pero que no sea hoy",
        "sí, pero no hoy",
        "hoy no",
        "hoy ya no puedo",
        "cualquier día menos hoy",
    ];
    let others = [
        "yes but not today",
        "not today please",
        "any day except today",
    ];
    let spanish = spanish.map(|text| (text, read(text))).into_iter();
    for (text, said) in spanish.chain(others.map(|text| (text, english(text)))) {
        let refused = (said.day, said.refused);
        assert_eq!(refused, (None, Some(date(2026, 3, 10))), "{text}");
    }
    let said = read("hoy no, mejor mañana");
    assert_eq!(said.day, on(3, 11));
    // Neither of these refuses a day.
    for text in [
        "no, hoy",
        "¿abren hoy, no?",
        "hoy no hay problema",
        "por lo menos hoy",
    ] {
        assert_eq!(read(text).day, on(3, 10), "{text}");
    }
    assert_eq!(read("no el viernes").day, on(3, 13));
    assert_eq!(english("why not today").day, on(3, 10));
    // The day that was meant is gone, and its hour stays.
    let then = read("hoy a las 5 pm").then(read("sí pero que no sea hoy"));
    assert_eq!((then.day, then.time), (None, at(17, 0)));
    let again = then.then(read("bueno, hoy"));
    assert_eq!((again.day, again.refused), (on(3, 10), None));
}

#[test]
fn the_one_behind_a_refused_weekday_is_of_the_next_week() {
    for text in [
        "no el viernes de esta semana, el otro",
        "no este viernes, el siguiente",
        "no este viernes sino el otro",
        "este viernes no, el otro",
        "no el viernes, el de la otra semana",
        "no este viernes, el otro viernes a las 5",
    ] {
        assert_eq!(read(text).day, on(3, 20), "{text}");
    }
    assert_eq!(english("not this Friday, the next one").day, on(3, 20));
    assert_eq!(english("not this friday, the one after").day, on(3, 20));
    assert_eq!(read("no este martes, el siguiente").day, on(3, 17));
    assert_eq!(read("no el viernes, el próximo lunes").day, on(3, 16));
    assert_eq!(read("no el viernes, el otro día").day, on(3, 13));
}

#[test]
fn dates_with_short_months() {
    let first = Some(Day::On(date(2026, 12, 1)));
    for text in [
        "Dec 1st",
        "Dec 1",
        "Dec. 1st",
        "December 1",
        "December 1st, 2026",
        "1st of December",
        "the 1st of December",
        "1 Dec",
        "2026-12-01",
        "on 2026-12-01 at 5 pm",
    ] {
        assert_eq!(english(text).day, first, "{text}");
    }
    for text in ["dic 1", "1 de dic", "2026-12-01", "el 2026-12-01 a las 5"] {
        assert_eq!(read(text).day, first, "{text}");
    }
    let year = Some(Day::On(date(2027, 12, 1)));
    assert_eq!(english("Dec 1st, 2027").day, year);
    assert_eq!(english("Mar 13th").day, on(3, 13));
    assert_eq!(read("set 3 tacos").day, None);
    assert_eq!(english("2 weeks ago 3 times").day, None);
}

#[test]
fn minutes_behind_an_hour() {
    let asked = |text: &str| When::read(text, Language::Es, &now(), Some(Asked::Time));
    for (text, time) in [
        ("a las 9 y tres cuartos", about(9, 45)),
        ("la de 3 40", about(3, 40)),
        ("a las 3 40 de la tarde", at(15, 40)),
        ("a las 8 20 de marzo", about(8, 0)),
        ("a las 5 20 personas", about(5, 0)),
    ] {
        assert_eq!(asked(text).time, time, "{text}");
    }
    // The fourth of a month is no Tuesday soon, so that it is an hour that is on offer.
    let chosen = asked("martes 4");
    assert_eq!((chosen.day, chosen.time), (on(3, 17), about(4, 0)));
    assert_eq!(asked("el martes 17").day, on(3, 17));
}
