use crate::http::extract::{InTenant, Path, Query};
use crate::http::streams::OpenStream;
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures::{Stream, stream};
use jiff::SignedDuration;
use quipu_app::{Actor, documents};
use quipu_core::knowledge::ProcessingStatus;
use quipu_core::validate::{Checks, Problem};
use quipu_core::{DocumentId, Error, ErrorCode, KnowledgeBaseId, Result, Timestamp};
use serde::Deserialize;
use std::collections::{HashMap, VecDeque};
use std::convert::Infallible;
use std::time::Duration;
use tokio::time::Instant;
use utoipa::{IntoParams, ToSchema};

/// How often the database is asked. It works whichever process does the work.
const LOOK: Duration = Duration::from_millis(500);
const HEARTBEAT: Duration = Duration::from_secs(15);
const LONGEST_SECONDS: u64 = 300;
/// Looks between two checks that whoever listens may still do so.
const LOOKS_PER_CHECK: u32 = 10;
/// A change is dated when it is made and seen when its transaction ends. Looking back this far
/// again finds those that ended late.
const OVERLAP: SignedDuration = SignedDuration::from_secs(5);
/// How long ago a stream can have been left to be taken up again.
const MEMORY: SignedDuration = SignedDuration::from_hours(24);
/// Events collected in one look; the rest comes with the next.
const MAX_WAITING: usize = 1000;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct EventsParams {
    /// How long to stay at most.
    #[param(minimum = 1, maximum = 300, default = 300)]
    seconds: Option<u64>,
}

/// One server-sent event.
#[derive(ToSchema)]
#[expect(
    dead_code,
    reason = "events are written as they go; this describes them"
)]
struct DocumentEvent {
    event: DocumentEventName,
    /// When it changed; send it as `Last-Event-ID` to go on from here.
    id: String,
    /// JSON: how far the document is, as its status route tells it.
    data: String,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(
    dead_code,
    reason = "events are written as they go; this describes them"
)]
enum DocumentEventName {
    Document,
}

/// How far the documents are, as it changes.
///
/// Each event `document` holds a document's processing status. The stream begins with what changed
/// in the last few seconds, or since `Last-Event-ID`, and ends after five minutes at the latest:
/// connect again to go on.
#[utoipa::path(
    get,
    path = "/api/v1/knowledge-bases/{kb_id}/events",
    tag = "knowledge",
    operation_id = "follow_knowledge_base",
    params(
        ("kb_id" = KnowledgeBaseId, Path),
        EventsParams,
        ("Last-Event-ID" = Option<String>, Header, description = "The `id` of the last event that was seen.", format = DateTime),
    ),
    security(("bearer" = [])),
    responses((status = 200, description = "The events", body = DocumentEvent, content_type = "text/event-stream"))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(kb): Path<KnowledgeBaseId>,
    Query(params): Query<EventsParams>,
    parts: Parts,
) -> Result<impl IntoResponse, ApiError> {
    let seconds = params.seconds.unwrap_or(LONGEST_SECONDS);
    if !(1..=LONGEST_SECONDS).contains(&seconds) {
        let mut checks = Checks::new();
        checks.problem("seconds", Problem::Range { min: 1, max: 300 });
        checks.finish()?;
    }
    let since = since(&parts.headers, state.app.now())?;
    let places = match actor.user_id() {
        Some(_) => &state.streams,
        None => &state.streaming_programs,
    };
    let open = places.enter(actor.tenant_id(), actor.rate_caller())?;
    let mut watch = Watch {
        state,
        actor,
        kb,
        parts,
        open,
        until: Instant::now() + Duration::from_secs(seconds),
        looks: 0,
        since,
        told: HashMap::new(),
        waiting: VecDeque::new(),
    };
    // Whoever may not listen is told so instead of being given an empty stream.
    watch.look().await?;
    let events = watch.events();
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(HEARTBEAT)))
}

/// Where to begin: now, or where the client left off.
fn since(headers: &HeaderMap, now: Timestamp) -> Result<Timestamp> {
    let Some(value) = headers.get("last-event-id") else {
        return Ok(now);
    };
    let since: Option<Timestamp> = value.to_str().ok().and_then(|text| text.parse().ok());
    let since = since
        .ok_or_else(|| Error::new(ErrorCode::InvalidHeader).with("header", "Last-Event-ID"))?;
    Ok(since.clamp(earlier(now, MEMORY), now))
}

fn earlier(than: Timestamp, by: SignedDuration) -> Timestamp {
    than.saturating_sub(by).unwrap_or(than)
}

struct Watch {
    state: AppState,
    actor: Actor,
    kb: KnowledgeBaseId,
    /// The request, by which whoever sent it is known again.
    parts: Parts,
    open: OpenStream,
    until: Instant,
    looks: u32,
    since: Timestamp,
    /// What was told of the documents that the next look finds again.
    told: HashMap<DocumentId, ProcessingStatus>,
    waiting: VecDeque<ProcessingStatus>,
}

impl Watch {
    fn events(self) -> impl Stream<Item = Result<Event, Infallible>> {
        stream::unfold(self, async |mut watch| {
            loop {
                if let Some(status) = watch.waiting.pop_front() {
                    return Some((Ok(event(&status)?), watch));
                }
                tokio::select! {
                    () = watch.open.stopped() => return None,
                    () = tokio::time::sleep_until(watch.until) => return None,
                    () = tokio::time::sleep(LOOK) => {}
                }
                match watch.look().await {
                    Ok(()) => {}
                    // The database may come back; a right that was taken away does not.
                    Err(error) if error.status() >= 500 => {
                        tracing::debug!(%error, "a look for events failed");
                    }
                    Err(_) => return None,
                }
            }
        })
    }

    /// Collects what changed since the last look.
    async fn look(&mut self) -> Result<()> {
        self.looks += 1;
        if self.looks.is_multiple_of(LOOKS_PER_CHECK) {
            let again = InTenant::again(&mut self.parts, &self.state).await;
            self.actor = again.map_err(|refused| refused.0)?;
        }
        let mut from = earlier(self.since, OVERLAP);
        let mut after = None;
        while self.waiting.len() < MAX_WAITING {
            let found =
                documents::events(&self.state.app, &self.actor, self.kb, from, after).await?;
            let Some(last) = found.last() else { break };
            (from, after) = (last.updated_at, Some(last.document_id));
            for status in found {
                self.since = self.since.max(status.updated_at);
                if self.told.get(&status.document_id) != Some(&status) {
                    self.told.insert(status.document_id, status.clone());
                    self.waiting.push_back(status);
                }
            }
        }
        let horizon = earlier(self.since, OVERLAP);
        self.told.retain(|_, status| status.updated_at >= horizon);
        Ok(())
    }
}

fn event(status: &ProcessingStatus) -> Option<Event> {
    Event::default()
        .event("document")
        .id(status.updated_at.to_string())
        .json_data(status)
        .ok()
}
