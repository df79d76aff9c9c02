use super::*;

fn expect(cases: &[(&str, &[&str])]) {
    for (text, lines) in cases {
        assert_eq!(read(text), *lines, "{text}");
    }
}

#[test]
fn another_number_takes_the_place_of_the_last() {
    for text in [
        "2 quesadillas, mejor 3",
        "2 quesadillas mejor 3",
        "2 quesadillas, no, mejor 3",
        "2 quesadillas. No, que sean 3",
        "2 quesadillas, no mejor que sean tres por favor",
        "2 quesadillas no, 3",
        "2 quesadillas, digo 3",
        "2 quesadillas, perdón, 3",
        "dame 2 quesadillas, mejor dame 3",
        "two quesadillas, no, make it three",
        "two quesadillas, actually three",
    ] {
        assert_eq!(read(text), ["3 q1"], "{text}");
    }
    expect(&[
        (
            "3 tacos al pastor y 2 quesadillas, mejor 4",
            &["3 t1", "4 q1"],
        ),
        (
            "tacos: 2 de pastor y 3 de suadero, mejor 4",
            &["2 t1", "4 t2"],
        ),
        ("2 quesadillas sin crema, mejor 3", &["3 q1 -sin crema"]),
        ("dos equis, mejor 3", &["3 b1"]),
        // What there is no number of before is not corrected.
        ("mejor 2 quesadillas", &["2 q1"]),
        ("no, que sean 3 quesadillas", &["3 q1"]),
    ]);
}

#[test]
fn another_thing_takes_the_place_of_what_was_said() {
    expect(&[
        (
            "2 quesadillas y una coca de 600. Mejor que sean 3 quesadillas",
            &["1 c1", "3 q1"],
        ),
        (
            "2 quesadillas y una coca de 600, no, 2 cocas de 600",
            &["2 q1", "2 c1"],
        ),
        (
            "2 quesadillas sin crema, mejor 3 quesadillas",
            &["3 q1 -sin crema"],
        ),
        (
            "2 quesadillas sin crema, mejor 3 quesadillas con todo",
            &["3 q1 -con todo"],
        ),
        ("una coca de 600, mejor un agua de jamaica", &["1 a2"]),
        // An apology alone takes nothing back.
        (
            "2 quesadillas, perdón, también una coca de 600",
            &["2 q1", "1 c1"],
        ),
        ("2 quesadillas, no, una coca de 600", &["2 q1", "1 c1"]),
    ]);
}

#[test]
fn more_of_the_same_is_added() {
    for text in [
        "3 quesadillas y otras 3",
        "3 quesadillas y 3 más",
        "3 quesadillas, otras 3",
        "3 quesadillas 3 más",
        "3 quesadillas y 3 mas por favor",
        "5 quesadillas y otra",
        "5 quesadillas y una más",
        "three quesadillas and another three",
        "three quesadillas and 3 more",
        "five quesadillas and another",
    ] {
        assert_eq!(read(text), ["6 q1"], "{text}");
    }
    expect(&[
        ("3 tacos al pastor y otros 3", &["6 t1"]),
        ("un taco al pastor y otro", &["2 t1"]),
        ("quesadilla y 2 más", &["3 q1"]),
        ("98 quesadillas y otras 3", &["TooMany q1"]),
        ("2 tacos y otros 2", &["4 ? t1 t2 t3"]),
        (
            "3 tacos al pastor y otros 3 sin cebolla",
            &["3 t1", "3 t1 -sin cebolla"],
        ),
        ("3 tacos al pastor y otros 3 de suadero", &["3 t1", "3 t2"]),
        ("3 tacos al pastor y 2 más de suadero", &["3 t1", "2 t2"]),
        ("3 tacos al pastor más 2 quesadillas", &["3 t1", "2 q1"]),
        // Which of the two it adds to is for the customer to say.
        (
            "3 tacos al pastor, 2 quesadillas y otros 3",
            &["3 t1", "2 q1", "3 ? t1 q1"],
        ),
        ("otros 3", &[]),
    ]);
}

#[test]
fn a_no_that_takes_nothing_back_stays_a_wish() {
    expect(&[
        ("2 quesadillas, no picante", &["2 q1 -no picante"]),
        ("2 quesadillas, no", &["2 q1 -no"]),
        ("2 quesadillas, no, gracias", &["2 q1"]),
    ]);
}

#[test]
fn what_is_left_off_may_be_several_things() {
    expect(&[
        (
            "2 tacos al pastor sin cebolla, cilantro y piña",
            &["2 t1 -sin cebolla, cilantro y piña"],
        ),
        (
            "una quesadilla sin crema, cebolla ni cilantro",
            &["1 q1 -sin crema, cebolla ni cilantro"],
        ),
        // The cheese could be chosen, and is not.
        (
            "un taco al pastor sin cebolla y queso",
            &["1 t1 -sin cebolla y queso"],
        ),
        (
            "un taco al pastor sin cebolla y con queso",
            &["1 t1 +Queso -sin cebolla"],
        ),
        (
            "2 tacos al pastor sin cebolla, cilantro y 1 quesadilla",
            &["2 t1 -sin cebolla, cilantro", "1 q1"],
        ),
        // What may be another thing is asked about.
        (
            "2 tacos al pastor sin cebolla, pizza hawaiana",
            &["2 t1 -sin cebolla", "?? pizza hawaiana"],
        ),
    ]);
}

#[test]
fn a_number_behind_a_wish_counts_the_thing() {
    expect(&[
        ("quesadilla sin crema 2", &["2 q1 -sin crema"]),
        ("una quesadilla partida en 2", &["1 q1 -partida en 2"]),
    ]);
}

#[test]
fn some_of_them_are_wanted_in_another_way() {
    expect(&[
        ("3 quesadillas, una sin crema", &["2 q1", "1 q1 -sin crema"]),
        (
            "3 quesadillas, 2 normales y 1 sin crema",
            &["2 q1", "1 q1 -sin crema"],
        ),
        (
            "4 quesadillas, 2 sin crema y 2 sin queso",
            &["2 q1 -sin crema", "2 q1 -sin queso"],
        ),
        (
            "3 quesadillas, una de ellas sin crema y una coca de 600",
            &["2 q1", "1 q1 -sin crema", "1 c1"],
        ),
        (
            "10 quesadillas, la mitad sin crema",
            &["5 q1", "5 q1 -sin crema"],
        ),
        // Those that were said to be in one way are not shared out.
        (
            "2 quesadillas con todo y 1 sin crema",
            &["2 q1 -con todo", "1 q1 -sin crema"],
        ),
        ("una quesadilla, 2 cocas de 600", &["1 q1", "2 c1"]),
        (
            "3 quesadillas, 2 normales con crema y 1 sin",
            &["2 q1 -con crema", "1 q1 -sin"],
        ),
        (
            "2 quesadillas, una normal y otra sin crema",
            &["1 q1", "1 q1 -sin crema"],
        ),
    ]);
}
