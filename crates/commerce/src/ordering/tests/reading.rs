use super::*;

fn expect(cases: &[(&str, &[&str])]) {
    for (text, lines) in cases {
        assert_eq!(read(text), *lines, "{text}");
    }
}

#[test]
fn several_things_are_read_from_a_sentence() {
    expect(&[
        ("3 tacos al pastor", &["3 t1"]),
        (
            "3 tacos al pastor sin cebolla, 1 agua de horchata grande",
            &["3 t1 -sin cebolla", "1 a1 +Grande"],
        ),
        ("dos tacos de suadero y una coca de 600", &["2 t2", "1 c1"]),
        ("2 tacos al pastor 1 quesadilla", &["2 t1", "1 q1"]),
    ]);
    expect(&[
        (
            "Hola, buenas tardes! Quiero 2 tacos de suadero por favor, gracias",
            &["2 t2"],
        ),
        (
            "me das una quesadilla y agua de jamaica porfa",
            &["1 q1", "1 a2"],
        ),
        ("taco de suadero, quesadilla", &["1 t2", "1 q1"]),
        ("- 2 tacos de suadero\n- 1 quesadilla", &["2 t2", "1 q1"]),
        ("-2 tacos de suadero\n-1 quesadilla", &["2 t2", "1 q1"]),
        ("1. Taco de suadero\n2. Quesadilla", &["1 t2", "1 q1"]),
        (
            "I'd like two quesadillas and a taco de suadero, please",
            &["2 q1", "1 t2"],
        ),
        ("hola, buenas noches", &[]),
        ("", &[]),
        ("gracias!", &[]),
    ]);
}

#[test]
fn quantities_stand_before_or_behind() {
    expect(&[
        ("2x quesadilla", &["2 q1"]),
        ("quesadilla x3", &["3 q1"]),
        ("quesadillas x 3, taco de suadero x2", &["3 q1", "2 t2"]),
        ("quesadilla 3", &["3 q1"]),
        ("quesadillas (4)", &["4 q1"]),
        ("quesadillas: 4", &["4 q1"]),
        ("media docena de quesadillas", &["6 q1"]),
        (
            "un par de quesadillas y una docena de tacos de suadero",
            &["2 q1", "12 t2"],
        ),
        ("treinta y dos quesadillas", &["32 q1"]),
        ("otra quesadilla", &["1 q1"]),
        ("half a dozen quesadillas", &["6 q1"]),
        ("0 quesadillas", &["NotPositive q1"]),
        ("quiero -2 quesadillas", &["NotPositive q1"]),
        ("100 quesadillas", &["TooMany q1"]),
        ("99999999999999999999 quesadillas", &["TooMany q1"]),
        ("2.5 quesadillas", &["NotWhole q1"]),
        ("½ quesadilla", &["NotWhole q1"]),
        ("99 quesadillas", &["99 q1"]),
    ]);
}

#[test]
fn words_may_be_misspelled() {
    expect(&[
        ("2 TACOS DE SUADERÓ", &["2 t2"]),
        ("2 tacos de suadeor", &["2 t2"]),
        ("tres quesadiyas", &["3 q1"]),
        ("una quesadila", &["1 q1"]),
        ("dos taquitos de suadero", &["2 t2"]),
        ("una cocacola de 600", &["1 c1"]),
        ("1 coca cola 600ml", &["1 c1"]),
        ("una orchata chica", &["1 a1 +Chica"]),
    ]);
}

#[test]
fn what_is_not_clear_is_asked_back() {
    expect(&[
        ("una coca", &["1 ? c1 c2"]),
        ("2 tacos", &["2 ? t1 t2 t3"]),
        ("uno de bistec", &["1 ? t3 o2"]),
        ("una pizza hawaiana", &["?? pizza hawaiana"]),
        ("una quesadilla de flor", &["?? quesadilla de flor"]),
        ("un flan", &["1 ! flan"]),
        ("una horchata", &["1 a1 Tamaño?"]),
        ("una horchata grande chica", &["1 a1 Tamaño?"]),
        ("sin cebolla", &["?? sin cebolla"]),
    ]);
}

#[test]
fn a_shared_noun_is_said_once() {
    expect(&[
        ("tacos: dos de pastor y tres de suadero", &["2 t1", "3 t2"]),
        ("tacos, dos de pastor y tres de bistec", &["2 t1", "3 t3"]),
        (
            "quiero 5 tacos: 2 de pastor y 3 de bistec",
            &["2 t1", "3 t3"],
        ),
        ("5 tacos, 2 de pastor y 3 de bistec", &["2 t1", "3 t3"]),
        // The numbers do not agree, so the first is still open.
        (
            "6 tacos, 2 de pastor y 3 de bistec",
            &["6 ? t1 t2 t3", "2 t1", "3 t3"],
        ),
        ("3 tacos al pastor y 2 de bistec", &["3 t1", "2 t3"]),
        ("2 tortas de bistec y 2 de jamón", &["2 o2", "2 o1"]),
        (
            "tacos:\n2 pastor\n3 bistec\nbebidas:\n1 jamaica",
            &["2 t1", "3 t3", "1 a2"],
        ),
        (
            "horchata: 2 grandes y 1 chica",
            &["2 a1 +Grande", "1 a1 +Chica"],
        ),
        ("Mi orden: 2 quesadillas", &["2 q1"]),
        ("tacos:", &["1 ? t1 t2 t3"]),
        ("dos de pastor y una coca", &["2 t1", "1 ? c1 c2"]),
        (
            "2 tacos de bistec y 1 de horchata chica",
            &["2 t3", "1 a1 +Chica"],
        ),
    ]);
}

#[test]
fn wishes_become_choices_or_notes() {
    expect(&[
        ("2 tacos al pastor con queso", &["2 t1 +Queso"]),
        (
            "2 tacos al pastor con queso y sin cebolla",
            &["2 t1 +Queso -sin cebolla"],
        ),
        (
            "un taco al pastor con queso y guacamole",
            &["1 t1 +Queso +Guacamole"],
        ),
        (
            "un taco al pastor con queso, guacamole y piña",
            &["1 t1 Extras?"],
        ),
        (
            "un taco al pastor sin cebolla y cilantro",
            &["1 t1 -sin cebolla y cilantro"],
        ),
        ("un taco al pastor sin piña", &["1 t1 -sin piña"]),
        ("2 tacos al pastor, con todo", &["2 t1 -con todo"]),
        (
            "taco de bistec bien cocido y una quesadilla",
            &["1 t3 -bien cocido", "1 q1"],
        ),
        (
            "un taco de suadero sin cebolla y quesadilla",
            &["1 t2 -sin cebolla", "1 q1"],
        ),
        ("2 quesadillas (sin crema)", &["2 q1 -sin crema"]),
        ("quesadilla 2 sin crema", &["2 q1 -sin crema"]),
        ("una horchata, grande", &["1 a1 +Grande"]),
        (
            "una horchata grande con poco hielo",
            &["1 a1 +Grande -con poco hielo"],
        ),
        ("2 quesadillas para llevar", &["2 q1 -para llevar"]),
    ]);
}

#[test]
fn names_are_not_cut() {
    expect(&[
        ("2 dos equis", &["2 b1"]),
        ("dos equis", &["1 b1"]),
        ("dos dos equis y 3 quesadillas", &["2 b1", "3 q1"]),
        (
            "una torta de jamón y queso y una quesadilla",
            &["1 o1", "1 q1"],
        ),
        ("una torta de jamon y queso", &["1 o1"]),
        ("2 papas con queso", &["2 p1"]),
        ("3 combo 2: taco, coca", &["3 x1"]),
        ("un combo 2", &["1 x1"]),
        ("coca 600 ml y 2 quesadillas", &["1 c1", "2 q1"]),
    ]);
}

#[test]
fn a_name_may_begin_with_a_number() {
    let mut menu = menu();
    menu.items.push(item("s1", "2 tacos", "Promociones", 30));
    menu.items.push(item("s2", "Tacos dorados", "Tacos", 30));
    let read = |text| short(&read_order(text, &menu)[0]);
    assert_eq!(read("2 tacos"), "1 s1");
    assert_eq!(read("3 2 tacos"), "3 s1");
    assert_eq!(read("2 tacos dorados"), "2 s2");
}

#[test]
fn the_plain_thing_is_meant_when_nothing_more_is_said() {
    let mut menu = menu();
    menu.items.push(item("z1", "Jugo natural", "", 1));
    menu.items.push(item("z2", "Jugo natural mixto", "", 1));
    let lines = read_order("2 jugos", &menu);
    assert_eq!(short(&lines[0]), "2 z1");
    menu.items.push(item("z3", "Jugo verde", "", 1));
    assert_eq!(short(&read_order("2 jugos", &menu)[0]), "2 ? z1 z3 z2");
    let two = |name: &str| Menu {
        currency: Currency::Mxn,
        items: vec![item("1", name, "", 1), item("2", name, "", 1)],
    };
    assert_eq!(short(&read_order("2 agua", &two("Agua"))[0]), "2 ? 1 2");
}

#[test]
fn only_what_can_be_had_is_offered() {
    let mut menu = menu();
    menu.items
        .iter_mut()
        .find(|item| item.id == "c1")
        .unwrap()
        .available = false;
    let lines = read_order("una coca", &menu);
    assert_eq!(short(&lines[0]), "1 ? c2");
    let question = lines[0]
        .question(quipu_core::language::Language::Es)
        .unwrap();
    assert_eq!(question, "¿Desea Coca-Cola 2 L?");
    menu.items
        .iter_mut()
        .find(|item| item.id == "c2")
        .unwrap()
        .available = false;
    assert_eq!(short(&read_order("una coca", &menu)[0]), "1 ! c1");
}

#[test]
fn a_long_message_is_read_to_its_bound() {
    assert_eq!(read_order(&"quesadilla, ".repeat(500), &menu()).len(), 50);
}

#[test]
fn numbers_may_stand_behind_all_things() {
    expect(&[
        ("pastor 5 suadero 3", &["5 t1", "3 t2"]),
        ("pastor: 5\nsuadero: 3", &["5 t1", "3 t2"]),
        (
            "quiero pastor 5 suadero 3 quesadilla 2",
            &["5 t1", "3 t2", "2 q1"],
        ),
        ("5 pastor 3 suadero", &["5 t1", "3 t2"]),
    ]);
}

#[test]
fn measures_are_no_quantities() {
    expect(&[
        ("2 cocas de 2 litros", &["2 c2"]),
        ("coca de 2L", &["1 c2"]),
        ("600 ml de coca", &["1 c1"]),
        // There is none of one litre, and one of two litres is not what was said.
        ("una coca de litro", &["?? coca de litro"]),
    ]);
}

#[test]
fn good_manners_are_no_order() {
    expect(&[
        ("a ver, me podría dar 2 quesadillas", &["2 q1"]),
        ("2 quesadillas y nada más", &["2 q1"]),
        ("2 quesadillas nada más, gracias", &["2 q1"]),
        ("2 quesadillas. Eso es todo", &["2 q1"]),
        ("2 tacos al pastor con todo por favor", &["2 t1 -con todo"]),
        ("unas papas", &["1 p1"]),
    ]);
}

#[test]
fn what_is_not_understood_is_told() {
    expect(&[
        ("2 tacos de asada", &["?? tacos de asada"]),
        ("un agua de jamaica grande", &["?? agua de jamaica grande"]),
        ("1 kilo de suadero", &["?? kilo de suadero"]),
        ("tienen coca?", &["?? tienen coca"]),
        (
            "10 tacos, mitad suadero",
            &["10 ? t1 t2 t3", "?? mitad suadero"],
        ),
    ]);
}

#[test]
fn what_comes_with_a_number_of_its_own_is_ordered_too() {
    expect(&[
        ("2 quesadillas con una jamaica", &["2 q1", "1 a2"]),
        ("2 quesadillas, con dos jamaicas", &["2 q1", "2 a2"]),
        ("con una quesadilla", &["1 q1"]),
        ("a quesadilla with two jamaicas", &["1 q1", "2 a2"]),
        // What the menu does not have by itself is how the thing is wanted.
        ("una quesadilla con un huevo", &["1 q1 -con un huevo"]),
        ("2 papas con queso", &["2 p1"]),
    ]);
}
