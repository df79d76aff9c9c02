use super::*;
use crate::business::item::name_key;
use crate::calendar::{WrittenHours, WrittenInterval, WrittenSchedule};
use crate::money::{Currency, Money};
use crate::ordering::Discount;
use jiff::civil::date;
use quipu_core::validate::Checks;
use quipu_core::{BranchId, StaffId};
use serde_json::json;
use uuid::Uuid;

fn problems(mut item: impl CatalogueItem) -> Vec<String> {
    let mut checks = Checks::new();
    item.check(Currency::Pen, &mut checks);
    let Err(error) = checks.finish() else {
        return Vec::new();
    };
    let fields = error.details()["fields"].as_array().unwrap().clone();
    let name = |field: &serde_json::Value| {
        let text = |name: &str| field[name].as_str().unwrap().to_owned();
        format!("{}: {}", text("field"), text("problem"))
    };
    fields.iter().map(name).collect()
}

fn service(fields: serde_json::Value) -> Service {
    let mut base = json!({ "name": "Limpieza" });
    let serde_json::Value::Object(fields) = fields else {
        panic!("fields of a service");
    };
    base.as_object_mut().unwrap().extend(fields);
    serde_json::from_value(base).unwrap()
}

#[test]
fn one_name_is_one_name_however_it_is_written() {
    assert_eq!(
        name_key("  Limpieza   DENTAL "),
        name_key("limpieza dental")
    );
    assert_eq!(name_key("Ortodoncía"), name_key("ortodoncia"));
    assert_ne!(name_key("Año nuevo"), name_key("Ano nuevo"));
    assert_eq!(name_key("🦷"), "🦷");
    assert_ne!(name_key("🦷"), name_key("🌮"));
}

#[test]
fn services_name_everything_that_is_wrong_with_them() {
    assert_eq!(problems(service(json!({}))), Vec::<String>::new());
    let soles = |amount: i64| json!({ "amount": amount, "currency": "PEN" });
    let wrong = service(json!({
        "name": "  ",
        "price_min": soles(500),
        "price_max": soles(400),
        "duration_minutes": 7,
        "promotion": { "text": "", "from": "2026-02-01", "to": "2026-01-31" },
    }));
    assert_eq!(
        problems(wrong),
        [
            "name: empty",
            "price_max: below_minimum",
            "duration_minutes: not_a_multiple",
            "promotion.text: empty",
            "promotion.to: wrong_order",
        ]
    );
    let pesos = json!({ "amount": 100, "currency": "MXN" });
    assert_eq!(
        problems(service(json!({ "price_min": pesos }))),
        ["price_min.currency: unknown"]
    );
}

#[test]
fn what_cannot_be_booked_says_why() {
    let codes = |item: &dyn Fn() -> Vec<Warning>| -> Vec<String> {
        item().into_iter().map(|warning| warning.code).collect()
    };
    let nobody = service(json!({}));
    assert_eq!(codes(&|| nobody.warnings()), ["no_staff", "no_price"]);
    let table = service(json!({
        "booked_with": "table",
        "price_min": { "amount": 0, "currency": "PEN" },
    }));
    assert!(table.warnings().is_empty());
    let branch: Branch = serde_json::from_value(json!({ "name": "Centro" })).unwrap();
    assert_eq!(codes(&|| branch.warnings()), ["no_hours"]);
    let staff: Staff = serde_json::from_value(json!({ "name": "Ana" })).unwrap();
    assert_eq!(codes(&|| staff.warnings()), ["no_branch"]);
}

#[test]
fn references_are_named_and_forgotten() {
    let now = quipu_core::Timestamp::UNIX_EPOCH;
    let (branch, staff) = (BranchId::generate(now), StaffId::generate(now));
    let mut service = service(json!({ "staff": [staff], "branches": [branch] }));
    let named: Vec<_> = service.references().into_iter().map(|r| r.field).collect();
    assert_eq!(named, ["staff", "branches"]);
    assert!(!service.forget(Uuid::nil()));
    assert!(service.forget(staff.uuid()));
    assert!(service.forget(branch.uuid()));
    assert!(service.staff.is_empty() && service.branches.is_empty());
}

#[test]
fn hours_that_overlap_or_are_inverted_are_refused() {
    let interval = |from: &str, to: &str| WrittenInterval {
        from: from.to_owned(),
        to: to.to_owned(),
    };
    let mut branch: Branch = serde_json::from_value(json!({ "name": "Centro" })).unwrap();
    branch.hours = WrittenSchedule {
        weekly: WrittenHours {
            monday: vec![interval("09:00", "13:00"), interval("12:00", "18:00")],
            tuesday: vec![interval("18:00", "17:00")],
            ..WrittenHours::default()
        },
        exceptions: Vec::new(),
    };
    assert_eq!(problems(branch).len(), 2);
}

#[test]
fn templates_know_their_variables() {
    let template = |text: &str| ResponseTemplate {
        trigger_type: None,
        name: "Cita".to_owned(),
        text: text.to_owned(),
        triggers: Vec::new(),
        category: None,
        active: true,
    };
    let good = template("Hola {{nombre}}, el {{fecha}} {{ nombre }}.");
    assert_eq!(good.variables(), ["nombre", "fecha"]);
    assert_eq!(problems(good.clone()), Vec::<String>::new());
    let filled = good.fill(|name| (name == "nombre").then_some("Ana \"la {{x}}\" 😀"));
    assert_eq!(
        filled,
        "Hola Ana \"la {{x}}\" 😀, el {{fecha}} Ana \"la {{x}}\" 😀."
    );
    assert_eq!(
        problems(template("Hola {{nombre")),
        ["text: not_a_template"]
    );
    assert_eq!(problems(template("Hola {{a b}}")), ["text: not_a_template"]);
}

#[test]
fn promotions_end() {
    let promotion = Promotion {
        text: "2x1".to_owned(),
        price: None,
        from: Some(date(2028, 2, 28)),
        to: Some(date(2028, 2, 29)),
    };
    assert!(promotion.is_on(date(2028, 2, 29)));
    assert!(!promotion.is_on(date(2028, 3, 1)));
    assert!(!promotion.is_on(date(2028, 2, 27)));
}

#[test]
fn prices_are_shown_as_one_or_as_a_range() {
    let soles = |minor| Some(Money::new(minor, Currency::Pen));
    let mut priced = service(json!({}));
    assert_eq!(priced.price_range(quipu_core::language::Language::Es), None);
    priced.price_min = soles(8_000);
    let shown = |priced: &Service| {
        priced
            .price_range(quipu_core::language::Language::Es)
            .unwrap()
    };
    assert_eq!(shown(&priced), "S/ 80");
    priced.price_max = soles(150_000);
    assert_eq!(shown(&priced), "S/ 80 - S/ 1,500");
}

#[test]
fn rewards_have_a_price_and_a_possible_discount() {
    let reward = |discount| Reward {
        name: "Descuento".to_owned(),
        description: None,
        tokens: 100,
        discount,
        valid_days: None,
        active: true,
    };
    assert!(problems(reward(Discount::Percent { percent: 10 })).is_empty());
    assert_eq!(
        problems(reward(Discount::Percent { percent: 101 })),
        ["discount.percent: out_of_range"]
    );
    let dollars = Money::new(100, Currency::Usd);
    assert_eq!(
        problems(reward(Discount::Amount { amount: dollars })),
        ["discount.amount.currency: unknown"]
    );
}

#[test]
fn the_currency_is_that_of_the_country() {
    let profile = BusinessProfile::default();
    assert_eq!(profile.currency("es-MX"), Currency::Mxn);
    assert_eq!(profile.currency("es"), Currency::Usd);
    let chosen = BusinessProfile {
        currency: Some(Currency::Usd),
        ..BusinessProfile::default()
    };
    assert_eq!(chosen.currency("es-PE"), Currency::Usd);
}
