//! A stand-in for Qdrant: it does just enough of what Qdrant does, remembers what it was asked, and
//! fails when its script says so.

mod store;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, Response};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;
pub use store::Points;
use store::Store;
use tokio::net::TcpListener;
use tokio::sync::Notify;

pub const KEY: &str = "clave-muy-secreta-1234";

/// What the server does with a call instead of answering it.
#[derive(Clone)]
pub enum Step {
    Status(u16),
    /// Answers after a while.
    Slow(Duration),
    Body(String),
    /// Sends the beginning of an answer and hangs up.
    HangUp,
}

pub struct Seen {
    pub path: String,
    pub headers: HeaderMap,
    pub body: Value,
}

#[derive(Default)]
struct State {
    script: VecDeque<Step>,
    seen: Vec<Seen>,
    store: Store,
    /// How many more calls are answered before all are left hanging.
    calls_left: Option<usize>,
    /// Told when a call is left hanging.
    hanging: Arc<Notify>,
}

pub struct QdrantStandIn {
    url: String,
    state: Arc<Mutex<State>>,
}

impl QdrantStandIn {
    /// Begins to listen on a free port.
    ///
    /// # Panics
    /// When there is none.
    pub async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State::default()));
        let shared = Arc::clone(&state);
        let router = Router::new().fallback(move |request| answer(Arc::clone(&shared), request));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, state }
    }

    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// What is done with the next calls.
    pub fn script(&self, steps: &[Step]) {
        self.with(|state| state.script.extend(steps.iter().cloned()));
    }

    /// What it was asked since it was last looked at.
    #[must_use]
    pub fn seen(&self) -> Vec<Seen> {
        self.with(|state| std::mem::take(&mut state.seen))
    }

    /// Changes the points of a collection behind everybody's back.
    pub fn change(&self, suffix: &str, change: impl Fn(&mut Points)) {
        self.with(|state| {
            let collections = state.store.collections.iter_mut();
            for (_, points) in collections.filter(|(name, _)| name.ends_with(suffix)) {
                change(points);
            }
        });
    }

    /// Lets calls hang after so many. What comes back is told when one does.
    #[must_use]
    pub fn stall_after(&self, calls: usize) -> Arc<Notify> {
        self.with(|state| {
            state.calls_left = Some(calls);
            state.hanging = Arc::default();
            Arc::clone(&state.hanging)
        })
    }

    pub fn go_on(&self) {
        self.with(|state| state.calls_left = None);
    }

    /// Loses everything.
    pub fn clear(&self) {
        self.with(|state| state.store.collections.clear());
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
        match &mut state.calls_left {
            Some(0) => {
                state.hanging.notify_one();
                Some(Step::Slow(Duration::from_hours(1)))
            }
            Some(left) => {
                *left -= 1;
                state.script.pop_front()
            }
            None => state.script.pop_front(),
        }
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
    let result = state.lock().unwrap().store.act(&parts.method, &path, &body);
    match result {
        Some(result) => with(200, json!({ "result": result, "status": "ok" }).to_string()),
        None => with(404, "{\"status\":{\"error\":\"Not found\"}}".to_owned()),
    }
}
