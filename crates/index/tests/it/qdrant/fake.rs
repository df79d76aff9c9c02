//! A server that does just enough of what Qdrant does, remembers what it was asked, and fails when
//! its script says so.

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, Method, Response};
use quipu_index::QdrantSettings;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::TcpListener;

pub(crate) const KEY: &str = "clave-muy-secreta-1234";

/// What the server does with a call instead of answering it.
#[derive(Clone)]
pub(crate) enum Step {
    Status(u16),
    /// Answers after a while.
    Slow(Duration),
    Body(String),
    /// Sends the beginning of an answer and hangs up.
    HangUp,
}

pub(crate) struct Seen {
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

#[derive(Default)]
struct State {
    script: VecDeque<Step>,
    seen: Vec<Seen>,
    /// The points of each collection, by their names.
    collections: BTreeMap<String, BTreeMap<String, Value>>,
}

pub(crate) struct Fake {
    url: String,
    state: Arc<Mutex<State>>,
}

impl Fake {
    pub(crate) async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State::default()));
        let shared = Arc::clone(&state);
        let router = Router::new().fallback(move |request| answer(Arc::clone(&shared), request));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, state }
    }

    /// Settings with waits that a test bears.
    pub(crate) fn settings(&self) -> QdrantSettings {
        let mut settings = QdrantSettings::new(self.url.clone());
        settings.api_key = Some(KEY.into());
        settings.first_wait = Duration::from_millis(1);
        settings.writer_silence = Duration::from_millis(500);
        settings
    }

    /// What is done with the next calls.
    pub(crate) fn script(&self, steps: &[Step]) {
        self.with(|state| state.script.extend(steps.iter().cloned()));
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.with(|state| std::mem::take(&mut state.seen))
    }

    /// Changes the points of a collection behind everybody's back.
    pub(crate) fn change(&self, suffix: &str, change: impl Fn(&mut BTreeMap<String, Value>)) {
        self.with(|state| {
            let collections = state.collections.iter_mut();
            for (_, points) in collections.filter(|(name, _)| name.ends_with(suffix)) {
                change(points);
            }
        });
    }

    /// Loses everything.
    pub(crate) fn clear(&self) {
        self.with(|state| state.collections.clear());
    }

    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.state.lock().unwrap())
    }
}

async fn answer(state: Arc<Mutex<State>>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let path = parts.uri.path().to_owned();
    let step = {
        let mut state = state.lock().unwrap();
        state.seen.push(Seen {
            path: path.clone(),
            headers: parts.headers,
            body: body.clone(),
        });
        state.script.pop_front()
    };
    let with = |status: u16, body: String| {
        let response = Response::builder().status(status);
        response.body(Body::from(body)).unwrap()
    };
    match step {
        Some(Step::Status(status)) => {
            return with(
                status,
                format!("{{\"status\":{{\"error\":\"no, {KEY}\"}}}}"),
            );
        }
        Some(Step::Body(body)) => return with(200, body),
        Some(Step::HangUp) => {
            let response = Response::builder().header("content-length", "1000");
            return response.body(Body::from("{\"result\":")).unwrap();
        }
        Some(Step::Slow(wait)) => tokio::time::sleep(wait).await,
        None => {}
    }
    let result = act(&mut state.lock().unwrap(), &parts.method, &path, &body);
    match result {
        Some(result) => with(200, json!({ "result": result, "status": "ok" }).to_string()),
        None => with(404, "{\"status\":{\"error\":\"Not found\"}}".to_owned()),
    }
}

fn act(state: &mut State, method: &Method, path: &str, body: &Value) -> Option<Value> {
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    let Some(&name) = parts.get(1) else {
        let names = state.collections.keys();
        let named: Vec<Value> = names.map(|name| json!({ "name": name })).collect();
        return Some(json!({ "collections": named }));
    };
    let rest = parts[2..].join("/");
    if rest == "exists" {
        return Some(json!({ "exists": state.collections.contains_key(name) }));
    }
    if rest.is_empty() {
        state.collections.entry(name.to_owned()).or_default();
        return Some(json!(true));
    }
    let points = state.collections.get_mut(name)?;
    let matching = |points: &BTreeMap<String, Value>| -> Vec<String> {
        let matching = points
            .iter()
            .filter(|(id, point)| is_match(id, point, body));
        matching.map(|(id, _)| id.clone()).collect()
    };
    let found = matching(points);
    let listed = || -> Vec<Value> { found.iter().map(|id| points[id].clone()).collect() };
    Some(match (method.as_str(), rest.as_str()) {
        ("PUT", "index") => json!({}),
        ("PUT", "points") => {
            for point in body["points"].as_array().unwrap() {
                let id = point["id"].as_str().unwrap().to_owned();
                points.insert(id, point.clone());
            }
            json!({})
        }
        ("POST", "points") => {
            let ids = body["ids"].as_array().unwrap().iter();
            ids.filter_map(|id| points.get(id.as_str().unwrap()).cloned())
                .collect()
        }
        ("POST", "points/payload") => {
            for id in found {
                let kept = points.get_mut(&id).unwrap()["payload"].as_object_mut();
                kept.unwrap()
                    .extend(body["payload"].as_object().unwrap().clone());
            }
            json!({})
        }
        ("POST", "points/delete") => {
            points.retain(|id, _| !found.contains(id));
            json!({})
        }
        ("POST", "points/count") => json!({ "count": found.len() }),
        ("POST", "points/scroll") => json!({ "points": listed(), "next_page_offset": null }),
        ("POST", "points/query") => json!({ "points": listed() }),
        ("POST", "facet") => {
            let key = body["key"].as_str().unwrap();
            let mut counts: Vec<(Value, u64)> = Vec::new();
            for point in listed() {
                let value = &point["payload"][key];
                for value in value.as_array().unwrap_or(&vec![value.clone()]) {
                    match counts.iter_mut().find(|(known, _)| known == value) {
                        Some((_, count)) => *count += 1,
                        None => counts.push((value.clone(), 1)),
                    }
                }
            }
            let hits = counts.iter();
            let hits: Vec<Value> = hits
                .map(|(value, count)| json!({ "value": value, "count": count }))
                .collect();
            json!({ "hits": hits })
        }
        _ => return None,
    })
}

fn is_match(id: &str, point: &Value, body: &Value) -> bool {
    let conditions = body["filter"]["must"].as_array();
    conditions.into_iter().flatten().all(|condition| {
        if let Some(ids) = condition["has_id"].as_array() {
            return ids.iter().any(|wanted| wanted == id);
        }
        let held = &point["payload"][condition["key"].as_str().unwrap()];
        let held = match held {
            Value::Array(values) => values.clone(),
            value => vec![value.clone()],
        };
        let wanted = &condition["match"];
        if let Some(any) = wanted["any"].as_array() {
            return held.iter().any(|value| any.contains(value));
        }
        if !wanted.is_null() {
            return held.contains(&wanted["value"]);
        }
        let number = held[0].as_i64().unwrap();
        condition["range"]
            .as_object()
            .unwrap()
            .iter()
            .all(|(than, value)| {
                let value = value.as_i64().unwrap();
                match than.as_str() {
                    "gt" => number > value,
                    "gte" => number >= value,
                    "lt" => number < value,
                    _ => number <= value,
                }
            })
    })
}
