//! Those of business data, appointments and tools.

use super::business::{KINDS, sample};
use super::operations::{Content, Needs, Operation};
use quipu_core::access::Permission::{
    AgentsRead, BusinessRead, BusinessWrite, Chat, CustomersRead, CustomersWrite,
};
use serde_json::{Value, json};

/// The operations of one kind are named after what it is called, one and many.
const NAMES: [(&str, &str); 14] = [
    ("branch", "branches"),
    ("staff", "staff"),
    ("table", "tables"),
    ("service", "services"),
    ("menu_category", "menu_categories"),
    ("menu_item", "menu_items"),
    ("delivery_zone", "delivery_zones"),
    ("policy", "policies"),
    ("faq", "faqs"),
    ("article", "articles"),
    ("response_template", "response_templates"),
    ("competitor", "competitors"),
    ("reward", "rewards"),
    ("instruction", "instructions"),
];

pub(super) fn business(name: &str) -> Vec<(&'static str, Operation)> {
    let (read, write) = (
        Needs::Permission(BusinessRead),
        Needs::Permission(BusinessWrite),
    );
    let mut table: Vec<(String, Needs, Content)> = Vec::new();
    for ((path, _), (one, many)) in KINDS.iter().zip(NAMES) {
        let made = Content::Json(sample(path, &format!("{name} {one}")));
        table.push((format!("list_{many}"), read, Content::Nothing));
        table.push((format!("create_{one}"), write, made));
        table.push((format!("get_{one}"), read, Content::Nothing));
        table.push((format!("update_{one}"), write, Content::Json(json!({}))));
        table.push((format!("delete_{one}"), write, Content::Nothing));
    }
    for many in ["services", "menu_items", "faqs", "instructions"] {
        let file = Content::Csv("nombre,pregunta,título\n".to_owned());
        table.push((format!("import_{many}"), write, file));
        table.push((format!("export_{many}"), read, Content::Nothing));
    }
    let named = table.into_iter().map(|(id, needs, body)| {
        // The table of operations is made anew for each test and lives as long as that.
        let id: &'static str = id.leak();
        (id, Operation { needs, body })
    });
    named.chain(others(name)).collect()
}

#[rustfmt::skip]
fn others(name: &str) -> Vec<(&'static str, Operation)> {
    let may = Needs::Permission;
    let nothing = uuid::Uuid::now_v7();
    let table: Vec<(&str, Needs, Option<Value>)> = vec![
        ("get_business", may(BusinessRead), None),
        ("put_business", may(BusinessWrite), Some(json!({ "slogan": name }))),
        ("find_availability", may(BusinessRead), None),
        ("list_appointments", may(CustomersRead), None),
        ("create_appointment", may(CustomersWrite), Some(json!({ "service_id": nothing, "start": "2026-03-18T11:00" }))),
        ("get_appointment", may(CustomersRead), None),
        ("update_appointment", may(CustomersWrite), Some(json!({ "notes": name }))),
        ("confirm_appointment", may(CustomersWrite), None),
        ("cancel_appointment", may(CustomersWrite), Some(json!({}))),
        ("reschedule_appointment", may(CustomersWrite), Some(json!({ "start": "2026-03-18T12:00" }))),
        ("complete_appointment", may(CustomersWrite), None),
        ("miss_appointment", may(CustomersWrite), None),
        ("get_branch_calendar", may(CustomersRead), None),
        ("get_staff_calendar", may(CustomersRead), None),
        ("revoke_calendars", may(BusinessWrite), None),
        ("open_calendar", Needs::Nothing, None),
        ("list_tools", may(AgentsRead), None),
        ("call_tool", may(Chat), Some(json!({}))),
        ("list_tool_calls", may(CustomersRead), None),
    ];
    table
        .into_iter()
        .map(|(id, needs, body)| (id, Operation { needs, body: body.into() }))
        .collect()
}
