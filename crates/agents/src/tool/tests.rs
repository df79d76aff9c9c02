use super::*;
use quipu_core::ErrorCode;
use serde_json::json;
use std::collections::HashSet;

fn refused(name: &str, arguments: Value) -> quipu_core::Error {
    read(find(name).unwrap(), arguments).unwrap_err()
}

#[test]
fn there_are_28_tools_with_different_names() {
    let names: HashSet<_> = ALL.iter().map(|tool| tool.name).collect();
    assert_eq!((ALL.len(), names.len()), (28, 28));
    assert!(find("drop_tables").is_none());
}

#[test]
fn the_schemas_change_only_on_purpose() {
    for tool in ALL {
        insta::assert_json_snapshot!(
            tool.name,
            json!({
                "access": tool.access,
                "description": {
                    "es": tool.description(Language::Es),
                    "en": tool.description(Language::En),
                },
                "specialists": tool.specialists,
                "verticals": tool.verticals().collect::<Vec<_>>(),
                "parameters": tool.parameters(),
            })
        );
    }
}

#[test]
fn schemas_stand_alone_and_name_no_tenant() {
    for tool in ALL {
        let schema = tool.parameters();
        let text = schema.to_string();
        assert!(!text.contains("$ref"), "{}: {text}", tool.name);
        assert_eq!(schema["type"], "object", "{}", tool.name);
        assert_eq!(schema["additionalProperties"], false, "{}", tool.name);
        for secret in [
            "tenant",
            "lead_id",
            "conversation_id",
            "agent_id",
            "user_id",
        ] {
            assert!(!text.contains(secret), "{} takes {secret}", tool.name);
        }
    }
}

#[test]
fn every_tool_refuses_what_it_does_not_know() {
    for tool in ALL {
        let error = read(tool, json!({ "tenant_id": "x" })).unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidArguments, "{}", tool.name);
        assert!(error.message(Language::En).contains("tenant_id"), "{error}");
    }
    for not_an_object in [json!([]), json!("x"), json!(1)] {
        let error = refused("get_menu", not_an_object);
        assert_eq!(error.code(), ErrorCode::InvalidArguments);
    }
}

#[test]
fn a_model_is_told_how_to_do_better() {
    let error = refused("get_policy", json!({ "policy_type": "vacations" }));
    let allowed = error.details()["allowed"].as_array().unwrap();
    assert!(allowed.contains(&json!("cancellation")), "{allowed:?}");
    let error = refused("get_service_info", json!({}));
    assert!(error.message(Language::Es).contains("falta service_name"));
    assert_eq!(error.details()["requires"], json!(["service_name"]));
    let error = refused(
        "get_available_slots",
        json!({ "date": "mañana", "days": 0 }),
    );
    assert_eq!(error.details()["fields"].as_array().unwrap().len(), 2);
    let error = refused(
        "create_order",
        json!({ "items": [{ "name": "taco", "quantity": -2 }], "order_type": "pickup" }),
    );
    assert!(
        error.message(Language::En).contains("items.0.quantity"),
        "{error}"
    );
}

#[test]
fn whatever_is_wrong_has_a_name_and_is_told_in_both_languages() {
    for (tool, arguments, field, es, en) in [
        (
            "create_appointment",
            json!({ "date": "2026-11-20", "time": "25:00" }),
            "time",
            "time no es una hora entre 00:00 y 23:59, como 09:30",
            "time is not a time between 00:00 and 23:59 such as 09:30",
        ),
        (
            "get_service_info",
            json!({}),
            "service_name",
            "falta service_name",
            "service_name is missing",
        ),
        (
            "create_order",
            json!({ "items": [{ "quantity": 1 }], "order_type": "pickup" }),
            "items.0.name",
            "falta items.0.name",
            "items.0.name is missing",
        ),
        (
            "get_business_info",
            json!({ "color": "azul" }),
            "color",
            "no se admite color",
            "color is not taken",
        ),
        (
            "get_menu",
            json!([]),
            "arguments",
            "arguments debe ser un objeto",
            "arguments must be an object",
        ),
        (
            "get_available_slots",
            json!({ "date": "2027-02-29" }),
            "date",
            "date no es una fecha que exista, como 2026-11-20",
            "date is not a date that exists, such as 2026-11-20",
        ),
        (
            "get_available_slots",
            json!({ "party_size": "muchos" }),
            "party_size",
            "party_size debe ser un número entero",
            "party_size must be a whole number",
        ),
    ] {
        let error = refused(tool, arguments);
        assert_eq!(error.details()["fields"][0]["field"], field, "{error}");
        assert!(error.message(Language::Es).contains(es), "{error}");
        assert!(error.message(Language::En).contains(en), "{error}");
    }
}

#[test]
fn whole_numbers_may_be_written_as_texts() {
    for (quantity, read_as) in [(json!("3"), 3), (json!(" 12 "), 12), (json!(2.0), 2)] {
        let items = json!([{ "name": "taco", "quantity": quantity }]);
        let order = json!({ "items": items, "order_type": "pickup" });
        let order: arguments::NewOrder = read(find("create_order").unwrap(), order)
            .unwrap()
            .parse()
            .unwrap();
        assert_eq!(order.items[0].quantity, read_as);
    }
    for quantity in [
        json!("tres"),
        json!("3.5"),
        json!(3.5),
        json!("0"),
        json!(""),
    ] {
        let items = json!([{ "name": "taco", "quantity": quantity }]);
        let error = refused(
            "create_order",
            json!({ "items": items, "order_type": "pickup" }),
        );
        assert!(error.message(Language::En).contains("items.0.quantity"));
    }
    // A name that is made of digits stays a name.
    let asked = read(find("get_menu").unwrap(), json!({ "item_name": "7" })).unwrap();
    assert_eq!(asked.value()["item_name"], "7");
}

#[test]
fn what_is_null_was_left_out() {
    let tool = find("get_menu").unwrap();
    let read = read(tool, json!({ "category": null })).unwrap();
    let parsed: arguments::MenuQuestion = read.parse().unwrap();
    assert_eq!(parsed.category, None);
    assert!(super::read(find("get_business_info").unwrap(), Value::Null).is_ok());
}

#[test]
fn a_day_that_does_not_exist_is_refused() {
    let tool = find("get_available_slots").unwrap();
    for day in ["2027-02-29", "2026-13-01", "20 de noviembre"] {
        let refused = match read(tool, json!({ "date": day })) {
            Err(error) => error.code(),
            Ok(read) => read
                .parse::<arguments::AvailableSlots>()
                .unwrap_err()
                .code(),
        };
        assert_eq!(refused, ErrorCode::InvalidArguments, "{day}");
    }
}

#[test]
fn dental_urgency_is_for_dentists() {
    let tool = find("check_dental_urgency").unwrap();
    assert!(tool.is_for(Vertical::Dental));
    assert!(!tool.is_for(Vertical::Restaurant));
}
