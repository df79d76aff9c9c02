use super::*;
use quipu_core::language::Language::{En, Es};
use serde_json::json;

fn ask(name: &str) -> AskedItem {
    AskedItem {
        name: name.to_owned(),
        ..AskedItem::default()
    }
}

#[test]
fn a_model_names_one_thing_or_its_id() {
    let menu = menu();
    for (name, line) in [
        ("t2", "1 t2"),
        ("tacos de suadero", "1 t2"),
        ("Coca-Cola 2 L", "1 c2"),
        ("coca", "1 ? c1 c2"),
        ("Dos Equis", "1 b1"),
        ("taco al pastor con queso", "1 t1 +Queso"),
        ("pizza", "?? pizza"),
        ("", "?? "),
        ("flan", "1 ! flan"),
    ] {
        assert_eq!(short(&match_item(&ask(name), &menu)), line, "{name}");
    }
}

#[test]
fn quantity_notes_and_options_come_beside_the_name() {
    let menu = menu();
    let asked: AskedItem = serde_json::from_value(json!({
        "name": "taco al pastor", "quantity": 3,
        "notes": ["sin cebolla", " "], "options": ["con queso", "tocino"],
    }))
    .unwrap();
    let line = match_item(&asked, &menu);
    assert_eq!(short(&line), "3 t1 +Queso -tocino -sin cebolla");
    for (quantity, line) in [
        (0, "NotPositive t1"),
        (-1, "NotPositive t1"),
        (i64::MAX, "TooMany t1"),
        (99, "99 t1"),
    ] {
        let asked = AskedItem {
            quantity: Some(quantity),
            ..ask("t1")
        };
        assert_eq!(short(&match_item(&asked, &menu)), line);
    }
    let size = AskedItem {
        options: vec!["grande".into()],
        ..ask("a1")
    };
    assert_eq!(short(&match_item(&size, &menu)), "1 a1 +Grande");
}

#[test]
fn every_open_line_has_its_question() {
    let menu = menu();
    let question = |text: &str| {
        let lines = read_order(text, &menu);
        let ask = |language| lines[0].question(language).unwrap();
        (ask(Es), ask(En))
    };
    for (text, es, en) in [
        (
            "una coca",
            "¿Cuál desea: Coca-Cola 600 ml o Coca-Cola 2 L?",
            "Which one would you like: Coca-Cola 600 ml or Coca-Cola 2 L?",
        ),
        (
            "un flan",
            "Por ahora no tenemos Flan napolitano. ¿Desea otra cosa?",
            "We don't have Flan napolitano right now. Would you like something else?",
        ),
        (
            "una horchata",
            "Agua de horchata: ¿qué tamaño desea: Chica o Grande?",
            "Agua de horchata: which tamaño would you like: Chica or Grande?",
        ),
        (
            "un taco al pastor con queso, guacamole y piña",
            "Taco al pastor: ¿qué extras desea (como máximo 2): Queso, Guacamole o Piña?",
            "Taco al pastor: which extras would you like (at most 2): Queso, Guacamole or Piña?",
        ),
        (
            "sushi",
            "No encuentro «sushi» en la carta. ¿Qué desea pedir?",
            "I can't find “sushi” on the menu. What would you like to order?",
        ),
        (
            "0 quesadillas",
            "La cantidad debe ser al menos 1. ¿Cuántos desea de Quesadilla?",
            "The quantity must be at least 1. How many Quesadilla would you like?",
        ),
        (
            "200 quesadillas",
            "Puedo anotar como máximo 99 por línea. ¿Cuántos desea de Quesadilla?",
            "I can take at most 99 in one line. How many Quesadilla would you like?",
        ),
    ] {
        assert_eq!(question(text), (es.to_owned(), en.to_owned()));
    }
    let (es, _) = question("una quesadilla de flor");
    assert!(es.contains("¿Quiso decir Quesadilla"), "{es}");
    assert_eq!(read_order("quesadilla", &menu)[0].question(Es), None);
}

#[test]
fn spanish_says_u_before_o() {
    let names = |last: &str| questions::any_of(["Agua", last].into_iter(), Es);
    assert_eq!(names("Horchata"), "Agua u Horchata");
    assert_eq!(names("Oso"), "Agua u Oso");
    assert_eq!(names("Hielo"), "Agua o Hielo");
}

#[test]
fn near_ones_are_at_most_three_and_candidates_five() {
    let items = (0..20).map(|n| item(&n.to_string(), &format!("Taco número {n}"), "", 1));
    let menu = Menu {
        currency: Currency::Mxn,
        items: items.collect(),
    };
    let Line::Ambiguous { candidates, .. } = &read_order("2 tacos", &menu)[0] else {
        panic!("a guess");
    };
    assert_eq!(candidates.len(), 5);
    let Line::Unknown { near, .. } = &read_order("2 tacos azules", &menu)[0] else {
        panic!("a guess");
    };
    assert_eq!(near.len(), 3);
}

#[test]
fn lines_travel_with_their_kind() {
    let lines = read_order("2 tacos de suadero, una coca", &menu());
    let written = serde_json::to_value(&lines).unwrap();
    assert_eq!(
        written[0],
        json!({
            "kind": "matched", "item": { "id": "t2", "name": "Taco de suadero" }, "quantity": 2,
            "price": { "amount": 2200, "currency": "MXN" }, "options": [], "notes": [],
        })
    );
    assert_eq!(written[1]["kind"], "ambiguous");
    assert_eq!(serde_json::from_value::<Vec<Line>>(written).unwrap(), lines);
}
