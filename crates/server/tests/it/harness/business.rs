//! A business that can be visited: one thing of every kind, and an appointment.

use super::{Client, id};
use serde_json::{Value, json};
use uuid::Uuid;

/// The kinds of things a catalogue has: where they are, and what the parameter is called.
pub(crate) const KINDS: [(&str, &str); 14] = [
    ("/api/v1/branches", "branch_id"),
    ("/api/v1/staff", "staff_id"),
    ("/api/v1/tables", "table_id"),
    ("/api/v1/services", "service_id"),
    ("/api/v1/menu-categories", "menu_category_id"),
    ("/api/v1/menu-items", "menu_item_id"),
    ("/api/v1/delivery-zones", "delivery_zone_id"),
    ("/api/v1/policies", "policy_id"),
    ("/api/v1/faqs", "faq_id"),
    ("/api/v1/articles", "article_id"),
    ("/api/v1/response-templates", "response_template_id"),
    ("/api/v1/competitors", "competitor_id"),
    ("/api/v1/rewards", "reward_id"),
    ("/api/v1/instructions", "instruction_id"),
];

/// What stands in the paths of business data and appointments, by the parameter's name.
#[derive(Clone, Debug)]
pub(crate) struct BusinessIds(pub(crate) Vec<(String, String)>);

impl BusinessIds {
    pub(super) fn of_nothing() -> Self {
        let names = KINDS.iter().map(|(_, name)| *name);
        let names = names.chain(["appointment_id"]);
        let nothing = |name: &str| (name.to_owned(), Uuid::now_v7().to_string());
        Self(names.map(nothing).collect())
    }

    /// One of each in a tenant, each named after it.
    pub(super) async fn made(client: &Client, slug: &str) -> Self {
        let mut ids = Vec::new();
        let (mut branch, mut staff) = (Value::Null, Value::Null);
        for (path, name) in KINDS {
            let mut body = sample(path, &format!("{slug} {name}"));
            if path.ends_with("/tables") {
                body["branch_id"] = branch.clone();
            }
            if path.ends_with("/staff") {
                body["branches"] = json!([branch]);
            }
            if path.ends_with("/services") {
                body["staff"] = json!([staff]);
            }
            let made = client.post(path, body).await.ok(201);
            match path {
                "/api/v1/branches" => branch = made["id"].clone(),
                "/api/v1/staff" => staff = made["id"].clone(),
                _ => {}
            }
            ids.push((name.to_owned(), id(&made)));
        }
        let find = |wanted: &str| {
            ids.iter()
                .find(|(name, _)| name == wanted)
                .unwrap()
                .1
                .clone()
        };
        let wanted = json!({
            "service_id": find("service_id"),
            "start": "2026-03-18T10:00",
            "customer_name": format!("Cliente de {slug}"),
        });
        let made = client.post("/api/v1/appointments", wanted).await.ok(201);
        ids.push(("appointment_id".to_owned(), id(&made)));
        Self(ids)
    }

    pub(crate) fn get(&self, wanted: &str) -> &str {
        let found = self.0.iter().find(|(name, _)| name == wanted);
        &found.expect("an id of that name").1
    }
}

/// Something of a kind that is right, with a name.
pub(crate) fn sample(path: &str, name: &str) -> Value {
    let soles = |amount: i64| json!({ "amount": amount, "currency": "PEN" });
    match path {
        "/api/v1/branches" => json!({ "name": name, "hours": always_open() }),
        "/api/v1/staff" | "/api/v1/menu-categories" => json!({ "name": name }),
        "/api/v1/services" => json!({ "name": name, "price_min": soles(12_000) }),
        "/api/v1/tables" => json!({ "name": name, "seats": 4, "branch_id": Uuid::nil() }),
        "/api/v1/menu-items" => json!({ "name": name, "price": soles(1_500) }),
        "/api/v1/delivery-zones" => json!({ "name": name, "fee": soles(500) }),
        "/api/v1/policies" => json!({ "kind": "payment", "title": name, "policy": name }),
        "/api/v1/faqs" => json!({ "question": name, "answer": name }),
        "/api/v1/articles" => json!({ "title": name, "content": name }),
        "/api/v1/response-templates" => json!({ "name": name, "text": "Hola {{nombre}}" }),
        "/api/v1/competitors" => json!({ "name": name, "strategy": name }),
        "/api/v1/rewards" => json!({ "name": name, "tokens": 10 }),
        "/api/v1/instructions" => json!({ "type": "rule", "title": name, "content": name }),
        other => panic!("nothing is known about {other}"),
    }
}

pub(crate) fn always_open() -> Value {
    open_every_day(&[("00:00", "00:00")])
}

pub(crate) fn open_every_day(intervals: &[(&str, &str)]) -> Value {
    let interval = |(from, to): &(&str, &str)| json!({ "from": from, "to": to });
    let day: Vec<Value> = intervals.iter().map(interval).collect();
    let days = [
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
    ];
    let week: serde_json::Map<String, Value> = days
        .iter()
        .map(|name| ((*name).to_owned(), json!(day)))
        .collect();
    json!({ "weekly": week })
}
