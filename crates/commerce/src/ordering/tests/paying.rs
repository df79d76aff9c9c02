use super::*;
use crate::money::MoneyProblem;
use quipu_core::language::Language;

fn matched(text: &str) -> Vec<OrderLine> {
    let lines = read_order(text, &menu());
    lines.iter().filter_map(Line::matched).cloned().collect()
}

#[test]
fn an_order_is_added_up_with_its_options() {
    let lines = matched("2 tacos al pastor con queso, una horchata grande");
    let totals = total(&lines, pesos(30), Discount::None).unwrap();
    assert_eq!(totals.subtotal, pesos(2 * 28 + 35));
    assert_eq!(totals.total, pesos(121));
    let off = |discount| total(&lines, pesos(30), discount).unwrap();
    let amount = |amount| Discount::Amount { amount };
    assert_eq!(off(amount(pesos(10))).total, pesos(111));
    assert_eq!(off(amount(pesos(1000))).discount, pesos(91));
    assert_eq!(off(amount(pesos(1000))).total, pesos(30));
    assert_eq!(off(Discount::Percent { percent: 50 }).discount.minor, 4550);
    assert_eq!(off(Discount::Percent { percent: 900 }).total, pesos(30));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let lines = matched("2 quesadillas");
    let soles = Money::zero(Currency::Pen);
    assert!(matches!(
        total(&lines, soles, Discount::None),
        Err(MoneyProblem::MixedCurrencies { .. })
    ));
    let negative = Err(MoneyProblem::Negative);
    assert_eq!(total(&lines, pesos(-1), Discount::None), negative);
    let amount = Discount::Amount { amount: pesos(-1) };
    assert_eq!(total(&lines, pesos(0), amount), negative);
    let mut dear = lines.clone();
    dear[0].price.minor = i64::MAX;
    assert_eq!(
        total(&dear, pesos(0), Discount::None),
        Err(MoneyProblem::TooLarge)
    );
    let nothing = total(&[], pesos(0), Discount::Percent { percent: 10 }).unwrap();
    assert_eq!(nothing.total, pesos(0));
}

fn zone(name: &str, aliases: &[&str], fee: i64) -> Zone {
    Zone {
        name: name.to_owned(),
        aliases: aliases.iter().map(|alias| (*alias).to_owned()).collect(),
        fee: pesos(fee),
        minimum: Some(pesos(100)),
        minutes: Some(30),
    }
}

fn zones() -> Vec<Zone> {
    vec![
        zone("Miraflores", &[], 10),
        zone("San Isidro", &["Orrantia"], 12),
        zone("San Isidro Norte", &[], 15),
        zone(
            "Santiago de Surco",
            &["Surco", "Chacarilla del Estanque"],
            20,
        ),
    ]
}

#[test]
fn zones_are_found_in_names_and_addresses() {
    let zones = zones();
    for (text, names) in [
        ("Miraflores", &["Miraflores"][..]),
        ("miraflroes", &["Miraflores"]),
        ("estoy en san isidro", &["San Isidro"]),
        ("san isidro norte", &["San Isidro Norte"]),
        ("Av. Larco 345, dpto 201, Miraflores, Lima", &["Miraflores"]),
        ("Calle Miraflores 120, Surco", &["Santiago de Surco"]),
        ("chacarilla", &["Santiago de Surco"]),
        ("orrantia", &["San Isidro"]),
        ("Av. Miraflores 120", &["? Miraflores"]),
        (
            "entre Miraflores y Surco",
            &["? Santiago de Surco", "? Miraflores"],
        ),
        ("no vivo en Miraflores, vivo en San Isidro", &["San Isidro"]),
        ("no es en Miraflores sino en Surco", &["Santiago de Surco"]),
        (
            "I don't live in Miraflores, but in Surco",
            &["Santiago de Surco"],
        ),
        ("no vivo en Miraflores", &[]),
        ("no vivo en Miraflores ni en San Isidro", &[]),
        // It is short for the number of a house.
        ("Larco No. 345 Miraflores", &["Miraflores"]),
        ("Larco no 345 Miraflores", &["Miraflores"]),
        ("san", &["? San Isidro", "? San Isidro Norte"]),
        ("La Molina", &[]),
        ("Jr. Junín 500 interior 3, Cercado de Lima", &[]),
        ("", &[]),
    ] {
        let found: Vec<String> = match zone_for(text, &zones) {
            ZoneMatch::Found(zone) => vec![zone.name.clone()],
            ZoneMatch::Ambiguous(zones) => zones.iter().map(|z| format!("? {}", z.name)).collect(),
            ZoneMatch::Unknown => Vec::new(),
        };
        assert_eq!(found, names, "{text}");
    }
    let question = zone_for("san", &zones).question(Language::Es).unwrap();
    assert_eq!(question, "¿La entrega es en San Isidro o San Isidro Norte?");
    assert_eq!(zone_for("surco", &zones).question(Language::Es), None);
    // What a street is called by is no slip of the name of a zone.
    let valley = [zone("Del Valle", &[], 45)];
    for address in ["Calle Homero 100, Polanco", "calle 5 de mayo 10"] {
        assert_eq!(zone_for(address, &valley), ZoneMatch::Unknown, "{address}");
    }
    assert!(matches!(
        zone_for("Calle Amores 10, Del Valle", &valley),
        ZoneMatch::Found(_)
    ));
}

#[test]
fn zones_have_a_minimum_and_bounds() {
    let zone = &zones()[0];
    assert_eq!(zone.missing(pesos(70)), Ok(Some(pesos(30))));
    assert_eq!(zone.missing(pesos(100)), Ok(None));
    assert!(zone.missing(Money::zero(Currency::Pen)).is_err());
    let count = |zone: &Zone| {
        let mut checks = Checks::new();
        zone.check("zones[0]", Currency::Mxn, &mut checks);
        checks.finish().map_or_else(
            |error| error.details()["fields"].as_array().unwrap().len(),
            |()| 0,
        )
    };
    assert_eq!(count(zone), 0);
    let wrong = Zone {
        name: String::new(),
        aliases: vec![String::new(); 21],
        fee: pesos(-1),
        minimum: Some(Money::zero(Currency::Pen)),
        minutes: Some(0),
    };
    assert_eq!(count(&wrong), 25);
}

#[test]
fn a_discount_takes_nothing_that_it_does_not_know() {
    let read = |json: &str| serde_json::from_str::<Discount>(json);
    assert_eq!(read(r#"{"kind":"none"}"#).unwrap(), Discount::None);
    let percent = read(r#"{"kind":"percent","percent":10}"#).unwrap();
    assert_eq!(percent, Discount::Percent { percent: 10 });
    for wrong in [
        r#"{"kind":"percent","percent":10,"amount":5}"#,
        r#"{"kind":"percent","percent":10,"upto":5}"#,
        r#"{"kind":"none","percent":10}"#,
        r#"{"kind":"amount","amount":{"amount":1,"currency":"MXN"},"percent":10}"#,
    ] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}
