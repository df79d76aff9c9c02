use super::*;
use crate::money::{Currency, Money};
use quipu_core::validate::Checks;

mod asking;
mod corrections;
mod menus;
mod paying;
mod properties;
mod reading;

fn pesos(units: i64) -> Money {
    Money::new(units * 100, Currency::Mxn)
}

fn item(id: &str, name: &str, category: &str, price: i64) -> MenuItem {
    MenuItem {
        id: id.to_owned(),
        name: name.to_owned(),
        aliases: Vec::new(),
        category: Some(category.to_owned()).filter(|category| !category.is_empty()),
        price: pesos(price),
        available: true,
        options: Vec::new(),
    }
}

fn choice(name: &str, extra: i64) -> Choice {
    Choice {
        name: name.to_owned(),
        aliases: Vec::new(),
        extra: pesos(extra),
        available: true,
    }
}

fn size() -> OptionGroup {
    OptionGroup {
        name: "Tamaño".into(),
        required: true,
        min: 1,
        max: 1,
        choices: vec![choice("Chica", 0), choice("Grande", 10)],
    }
}

fn extras() -> OptionGroup {
    OptionGroup {
        name: "Extras".into(),
        required: false,
        min: 0,
        max: 2,
        choices: vec![
            choice("Queso", 8),
            choice("Guacamole", 12),
            choice("Piña", 0),
        ],
    }
}

/// The menu of a stand that sells the same meats in several ways.
fn menu() -> Menu {
    let with = |mut item: MenuItem, options: Vec<OptionGroup>| {
        item.options = options;
        item
    };
    let called = |mut item: MenuItem, aliases: &[&str]| {
        item.aliases = aliases.iter().map(|alias| (*alias).to_owned()).collect();
        item
    };
    let mut gone = item("flan", "Flan napolitano", "Postres", 35);
    gone.available = false;
    Menu {
        currency: Currency::Mxn,
        items: vec![
            with(item("t1", "Taco al pastor", "Tacos", 20), vec![extras()]),
            item("t2", "Taco de suadero", "Tacos", 22),
            item("t3", "Taco de bistec", "Tacos", 25),
            item("o1", "Torta de jamón y queso", "Tortas", 50),
            item("o2", "Torta de bistec", "Tortas", 60),
            with(
                called(item("a1", "Agua de horchata", "Bebidas", 25), &["horchata"]),
                vec![size()],
            ),
            item("a2", "Agua de jamaica", "Bebidas", 25),
            item("c1", "Coca-Cola 600 ml", "Bebidas", 28),
            item("c2", "Coca-Cola 2 L", "Bebidas", 45),
            called(item("b1", "Dos Equis", "Cervezas", 40), &["XX"]),
            item("p1", "Papas con queso", "Entradas", 55),
            item("q1", "Quesadilla", "Entradas", 30),
            item("x1", "Combo 2: taco, coca", "Combos", 99),
            gone,
        ],
    }
}

/// Lines in few words: `2 t1 +Grande -sin cebolla`, `? c1 c2`, `! flan`, `?? said`.
fn short(line: &Line) -> String {
    match line {
        Line::Matched(line) => {
            let options = line.options.iter().map(|o| format!(" +{}", o.choice));
            let notes = line.notes.iter().map(|note| format!(" -{note}"));
            let rest: String = options.chain(notes).collect();
            format!("{} {}{rest}", line.quantity, line.item.id)
        }
        Line::Ambiguous {
            candidates,
            quantity,
            ..
        } => {
            let ids: Vec<_> = candidates.iter().map(|item| item.id.as_str()).collect();
            format!("{quantity} ? {}", ids.join(" "))
        }
        Line::Unavailable { item, quantity } => format!("{quantity} ! {}", item.id),
        Line::Unknown { said, .. } => format!("?? {said}"),
        Line::MissingOption {
            item,
            group,
            quantity,
            ..
        } => format!("{quantity} {} {group}?", item.id),
        Line::WrongQuantity { item, problem, .. } => {
            let item = item.as_ref().map_or("-", |item| item.id.as_str());
            format!("{problem:?} {item}")
        }
    }
}

fn read(text: &str) -> Vec<String> {
    read_order(text, &menu()).iter().map(short).collect()
}
