//! A stand-in for providers of models that write: it does what its script says, in whichever of
//! four protocols it is asked, and remembers what it was asked.

mod asked;
mod placeholder;
mod script;
mod wire;

pub use asked::{Asked, Dialect};
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::Response;
use futures::stream::unfold;
pub use placeholder::fill_from;
use script::Act;
pub use script::Step;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use wire::Written;

#[derive(Default)]
struct State {
    script: Mutex<Vec<Step>>,
    asked: Mutex<Vec<Asked>>,
    forgets: AtomicBool,
    /// When each piece of an answer left.
    left: Mutex<Vec<Instant>>,
    /// Answers that are on their way.
    open: AtomicUsize,
    /// Nanoseconds that it took to read what was asked and to write what is answered.
    worked: AtomicU64,
}

pub struct ScriptedModel {
    address: SocketAddr,
    state: Arc<State>,
}

impl ScriptedModel {
    /// Begins to listen on a free port. Each request is answered by the first step that is left
    /// and that wants it; a request that no step wants is refused with status 418.
    ///
    /// # Panics
    /// When there is no free port.
    pub async fn start(script: impl IntoIterator<Item = Step>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(State::default());
        lock(&state.script).extend(script);
        let shared = Arc::clone(&state);
        let router = Router::new().fallback(move |request| answer(Arc::clone(&shared), request));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, state }
    }

    /// What is done with later requests, behind what the script says already.
    pub fn add(&self, steps: impl IntoIterator<Item = Step>) {
        lock(&self.state.script).extend(steps);
    }

    /// Forgets what is left of the script, and says how many steps that was.
    #[must_use]
    pub fn clear(&self) -> usize {
        let mut script = lock(&self.state.script);
        let left = script.len();
        script.clear();
        left
    }

    /// Host and port, as a list of allowed hosts names it.
    #[must_use]
    pub fn host(&self) -> String {
        self.address.to_string()
    }

    /// The base address that a configuration names for a protocol.
    #[must_use]
    pub fn base(&self, dialect: Dialect) -> String {
        let path = match dialect {
            Dialect::Openai | Dialect::Anthropic => "/v1",
            Dialect::Gemini => "/v1beta",
            Dialect::Ollama => "",
        };
        format!("http://{}{path}", self.address)
    }

    /// Keeps nothing of what is asked from now on, which would be a lot where speed is measured.
    pub fn forget(&self) {
        self.state.forgets.store(true, Ordering::Relaxed);
    }

    /// All that was asked, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<Asked> {
        lock(&self.state.asked).clone()
    }

    /// When each piece of the answers left, since this was last asked.
    #[must_use]
    pub fn departures(&self) -> Vec<Instant> {
        std::mem::take(&mut *lock(&self.state.left))
    }

    /// What the stand-in itself took so far, beside any delay of its script: to read what it was asked
    /// and to make its answer up.
    #[must_use]
    pub fn own_time(&self) -> Duration {
        Duration::from_nanos(self.state.worked.load(Ordering::Relaxed))
    }

    /// How many answers are on their way. One that nobody reads any more is not.
    #[must_use]
    pub fn open_answers(&self) -> usize {
        self.state.open.load(Ordering::SeqCst)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn answer(state: Arc<State>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX)
        .await
        .unwrap_or_default();
    let began = Instant::now();
    let asked = Asked::new(&parts.uri, parts.headers, &body);
    let step = {
        let mut script = lock(&state.script);
        let at = script.iter().position(|step| step.wants(&asked));
        let step = at.map(|at| script[at].clone());
        if let Some(at) = at
            && script[at].use_up()
        {
            script.remove(at);
        }
        step
    };
    if !state.forgets.load(Ordering::Relaxed) {
        lock(&state.asked).push(asked.clone());
    }
    let Some(step) = step else {
        return whole(418, &[], "the script has no step for this".to_owned());
    };
    let read = began.elapsed();
    // Sleeping for no time takes a millisecond.
    if !step.delay.is_zero() {
        tokio::time::sleep(step.delay).await;
    }
    let began = Instant::now();
    let dialect = asked.dialect;
    match &step.act {
        Act::Status {
            status,
            headers,
            name,
        } => whole(*status, headers, wire::error(dialect, *status, name)),
        Act::Raw { status, body } => whole(*status, &[], body.clone()),
        Act::Hang => std::future::pending().await,
        act => {
            let response = streamed(&state, dialect, wire::write(act, &step, &asked), &step);
            drop(asked);
            let worked = (read + began.elapsed()).as_nanos();
            let worked = u64::try_from(worked).unwrap_or(u64::MAX);
            state.worked.fetch_add(worked, Ordering::Relaxed);
            response
        }
    }
}

fn whole(status: u16, headers: &[(String, String)], body: String) -> Response<Body> {
    let mut response = Response::builder()
        .status(status)
        .header("content-type", "application/json");
    for (name, value) in headers {
        response = response.header(name, value);
    }
    response.body(Body::from(body)).unwrap()
}

/// Counts an answer while somebody reads it.
struct Open(Arc<State>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::SeqCst);
    }
}

fn streamed(
    state: &Arc<State>,
    dialect: Dialect,
    written: Vec<Written>,
    step: &Step,
) -> Response<Body> {
    state.open.fetch_add(1, Ordering::SeqCst);
    let open = Open(Arc::clone(state));
    let pieces = match step.cut_every {
        Some(size) => written
            .into_iter()
            .flat_map(|w| w.cut(size))
            .collect::<Vec<_>>(),
        None => wire::together(written),
    };
    let stream = unfold((pieces.into_iter(), open), |(mut pieces, open)| async {
        let piece = match pieces.next()? {
            Written::Bytes(bytes) => {
                lock(&open.0.left).push(Instant::now());
                Ok(bytes)
            }
            Written::Pause(pause) => {
                tokio::time::sleep(pause).await;
                Ok(Vec::new())
            }
            Written::HangUp => {
                // What was written before must have left.
                tokio::time::sleep(Duration::from_millis(20)).await;
                Err(std::io::Error::other("the line is cut"))
            }
            Written::Silence => std::future::pending().await,
        };
        Some((piece, (pieces, open)))
    });
    let kind = match dialect {
        Dialect::Ollama => "application/x-ndjson",
        _ => "text/event-stream; charset=utf-8",
    };
    Response::builder()
        .header("content-type", kind)
        .body(Body::from_stream(stream))
        .unwrap()
}
