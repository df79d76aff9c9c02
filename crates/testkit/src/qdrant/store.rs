//! What the stand-in keeps, and how it finds it: by looking at everything.

use axum::http::Method;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The points of a collection, by their names.
pub type Points = BTreeMap<String, Value>;

#[derive(Default)]
pub(crate) struct Store {
    pub(crate) collections: BTreeMap<String, Points>,
}

impl Store {
    /// Does what a call asks for; `None` when there is no such collection or call.
    pub(crate) fn act(&mut self, method: &Method, path: &str, body: &Value) -> Option<Value> {
        let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
        let Some(&name) = parts.get(1) else {
            let names = self.collections.keys();
            let listed: Vec<Value> = names.map(|name| json!({ "name": name })).collect();
            return Some(json!({ "collections": listed }));
        };
        let rest = parts[2..].join("/");
        if rest == "exists" {
            return Some(json!({ "exists": self.collections.contains_key(name) }));
        }
        if rest.is_empty() {
            self.collections.entry(name.to_owned()).or_default();
            return Some(json!(true));
        }
        let points = self.collections.get_mut(name)?;
        match (method.as_str(), rest.as_str()) {
            ("PUT", "index") => {}
            ("PUT", "points") => upsert(points, body),
            ("POST", "points/payload") => set(points, body),
            ("POST", "points/delete") => points.retain(|id, point| !is_match(id, point, body)),
            _ => return look(points, &rest, body),
        }
        Some(json!({ "operation_id": 1, "status": "completed" }))
    }
}

fn upsert(points: &mut Points, body: &Value) {
    let insert_only = body["update_mode"] == "insert_only";
    for point in body["points"].as_array().unwrap() {
        let id = point["id"].as_str().unwrap().to_owned();
        if !insert_only || !points.contains_key(&id) {
            points.insert(id, point.clone());
        }
    }
}

fn set(points: &mut Points, body: &Value) {
    let change = body["payload"].as_object().unwrap();
    for (id, point) in points {
        if is_match(id, point, body) {
            let held = point["payload"].as_object_mut().unwrap();
            held.extend(change.clone());
        }
    }
}

fn look(points: &Points, what: &str, body: &Value) -> Option<Value> {
    let matching = || {
        let matching = points
            .iter()
            .filter(|(id, point)| is_match(id, point, body));
        matching.map(|(_, point)| point)
    };
    Some(match what {
        "points" => {
            let ids = body["ids"].as_array().unwrap().iter();
            ids.filter_map(|id| points.get(id.as_str().unwrap()).cloned())
                .collect()
        }
        "points/count" => json!({ "count": matching().count() }),
        "points/scroll" => {
            let from = body["offset"].as_str().unwrap_or_default();
            let limit = usize::try_from(body["limit"].as_u64().unwrap()).unwrap();
            let mut page: Vec<&Value> = matching()
                .filter(|point| point["id"].as_str().unwrap() >= from)
                .take(limit + 1)
                .collect();
            let next = page.get(limit).map(|point| point["id"].clone());
            page.truncate(limit);
            json!({ "points": page, "next_page_offset": next })
        }
        "points/query" => query(matching(), body),
        "points/query/batch" => {
            let searches = body["searches"].as_array().unwrap().iter();
            searches
                .map(|search| look(points, "points/query", search).unwrap())
                .collect()
        }
        "facet" => facet(matching(), body["key"].as_str().unwrap()),
        _ => return None,
    })
}

fn query<'a>(points: impl Iterator<Item = &'a Value>, body: &Value) -> Value {
    let name = body["using"].as_str().unwrap_or_default();
    let mut found: Vec<(f64, &Value)> = points
        .map(|point| (product(&body["query"], &point["vector"][name]), point))
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.truncate(usize::try_from(body["limit"].as_u64().unwrap()).unwrap());
    let points: Vec<Value> = found
        .into_iter()
        .map(|(score, point)| {
            json!({ "id": point["id"], "score": score, "payload": point["payload"] })
        })
        .collect();
    json!({ "points": points })
}

fn product(a: &Value, b: &Value) -> f64 {
    let numbers = |value: &Value| -> Vec<f64> {
        let values = value.as_array().into_iter().flatten();
        values.map(|value| value.as_f64().unwrap()).collect()
    };
    if !a["indices"].is_array() {
        let (a, b) = (numbers(a), numbers(b));
        return a.iter().zip(&b).map(|(a, b)| a * b).sum();
    }
    let sparse = |value: &Value| -> Vec<(Value, f64)> {
        let indices = value["indices"].as_array().cloned().unwrap_or_default();
        indices.into_iter().zip(numbers(&value["values"])).collect()
    };
    let b = sparse(b);
    let common = sparse(a).into_iter().filter_map(|(index, value)| {
        let (_, other) = b.iter().find(|(other, _)| *other == index)?;
        Some(value * other)
    });
    common.sum()
}

fn facet<'a>(points: impl Iterator<Item = &'a Value>, key: &str) -> Value {
    let mut counts: BTreeMap<String, (Value, u64)> = BTreeMap::new();
    for point in points {
        for value in values(&point["payload"][key]) {
            let entry = counts.entry(value.to_string()).or_insert((value, 0));
            entry.1 += 1;
        }
    }
    let hits: Vec<Value> = counts
        .into_values()
        .map(|(value, count)| json!({ "value": value, "count": count }))
        .collect();
    json!({ "hits": hits })
}

fn values(held: &Value) -> Vec<Value> {
    match held {
        Value::Array(values) => values.clone(),
        value => vec![value.clone()],
    }
}

fn is_match(id: &str, point: &Value, body: &Value) -> bool {
    let conditions = body["filter"]["must"].as_array();
    conditions.into_iter().flatten().all(|condition| {
        if let Some(ids) = condition["has_id"].as_array() {
            return ids.iter().any(|wanted| wanted == id);
        }
        let held = &point["payload"][condition["key"].as_str().unwrap()];
        let wanted = &condition["match"];
        if let Some(any) = wanted["any"].as_array() {
            return values(held).iter().any(|value| any.contains(value));
        }
        if !wanted.is_null() {
            return values(held).contains(&wanted["value"]);
        }
        let range = condition["range"].as_object().unwrap();
        let held = held.as_i64().unwrap();
        range.iter().all(|(than, value)| {
            let value = value.as_i64().unwrap();
            match than.as_str() {
                "gt" => held > value,
                "gte" => held >= value,
                "lt" => held < value,
                _ => held <= value,
            }
        })
    })
}
