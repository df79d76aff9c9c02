use crate::http::extract::{InTenant, Query};
use crate::http::streams::OpenStream;
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::request::Parts;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures::{Stream, stream};
use quipu_app::{Actor, live};
use quipu_core::live::{LiveEvent, LiveKind};
use quipu_core::validate::{Checks, Problem};
use quipu_core::{Error, ErrorCode};
use serde::{Deserialize, Serialize};
use std::collections::{HashSet, VecDeque};
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::time::{Instant, Interval, MissedTickBehavior};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

const HEARTBEAT: Duration = Duration::from_secs(15);
/// A browser connects again at once. What was taken from somebody is noticed much earlier.
const LONGEST_SECONDS: u64 = 1_800;
/// How often it is asked whether whoever listens may still do so.
const CHECK: Duration = Duration::from_secs(5);

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct ChangesParams {
    /// How long to stay at most.
    #[param(minimum = 1, maximum = 1800, default = 1800)]
    seconds: Option<u64>,
}

/// One server-sent event.
#[derive(ToSchema)]
#[expect(
    dead_code,
    reason = "events are written as they go; this describes them"
)]
struct ChangeEvent {
    event: ChangeEventName,
    data: ChangedThing,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(
    dead_code,
    reason = "events are written as they go; this describes them"
)]
enum ChangeEventName {
    /// The stream begins, or it fell behind: whatever is shown may have changed.
    Ready,
    /// A thing was made, changed or deleted.
    Changed,
}

/// A thing that changed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, ToSchema)]
struct ChangedThing {
    kind: LiveKind,
    id: Uuid,
}

/// What changes in the tenant, as it changes.
///
/// Each event `changed` names a thing that was made, changed or deleted, of those that whoever listens
/// may read; what it says now is read from its own route. The stream begins with `ready`, and says it
/// again when it fell behind: then anything may have changed. It ends after half an hour at the latest:
/// connect again to go on.
#[utoipa::path(
    get,
    path = "/api/v1/events",
    tag = "tenant",
    operation_id = "follow_changes",
    params(ChangesParams),
    security(("bearer" = [])),
    responses((status = 200, description = "The events", body = ChangeEvent, content_type = "text/event-stream"))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Query(params): Query<ChangesParams>,
    parts: Parts,
) -> Result<impl IntoResponse, ApiError> {
    let seconds = params.seconds.unwrap_or(LONGEST_SECONDS);
    if !(1..=LONGEST_SECONDS).contains(&seconds) {
        let mut checks = Checks::new();
        checks.problem("seconds", Problem::Range { min: 1, max: 1800 });
        checks.finish()?;
    }
    let places = match actor.user_id() {
        Some(_) => &state.followers,
        None => &state.following_programs,
    };
    if !live::may_listen(&actor) {
        return Err(Error::new(ErrorCode::Forbidden).into());
    }
    let open = places.enter(actor.tenant_id(), actor.rate_caller())?;
    let receiver = state.app.live.listen();
    let mut checks = tokio::time::interval_at(Instant::now() + CHECK, CHECK);
    checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let follower = ChangeFollower {
        state,
        actor,
        parts,
        open,
        receiver,
        until: Instant::now() + Duration::from_secs(seconds),
        checks,
        waiting: VecDeque::from([ready()]),
    };
    Ok(Sse::new(follower.events()).keep_alive(KeepAlive::new().interval(HEARTBEAT)))
}

/// Somebody who listens.
struct ChangeFollower {
    state: AppState,
    actor: Actor,
    /// The request, by which whoever sent it is known again.
    parts: Parts,
    open: OpenStream,
    receiver: Receiver<LiveEvent>,
    until: Instant,
    checks: Interval,
    waiting: VecDeque<Event>,
}

impl ChangeFollower {
    fn events(self) -> impl Stream<Item = Result<Event, Infallible>> {
        stream::unfold(self, async |mut follower| {
            loop {
                if let Some(event) = follower.waiting.pop_front() {
                    return Some((Ok(event), follower));
                }
                tokio::select! {
                    () = follower.open.stopped() => return None,
                    () = tokio::time::sleep_until(follower.until) => return None,
                    _ = follower.checks.tick() => follower.check().await?,
                    heard = follower.receiver.recv() => follower.hear(&heard)?,
                }
            }
        })
    }

    /// Nothing when whoever listens may do so no more.
    async fn check(&mut self) -> Option<()> {
        match InTenant::again(&mut self.parts, &self.state).await {
            Ok(actor) => self.actor = actor,
            // The database may come back; a right that was taken away does not.
            Err(refused) if refused.0.status() >= 500 => {}
            Err(_) => return None,
        }
        Some(())
    }

    /// Takes what was heard together with all that waits behind it, each thing once.
    fn hear(&mut self, heard: &Result<LiveEvent, RecvError>) -> Option<()> {
        let mut told = HashSet::new();
        let mut next = match heard {
            Ok(event) => Ok(*event),
            Err(RecvError::Lagged(behind)) => Err(TryRecvError::Lagged(*behind)),
            Err(RecvError::Closed) => return None,
        };
        loop {
            match next {
                Ok(event) => {
                    let thing = ChangedThing {
                        kind: event.kind,
                        id: event.subject,
                    };
                    if live::concerns(&self.actor, &event) && told.insert(thing) {
                        self.waiting.extend(changed(thing));
                    }
                }
                Err(TryRecvError::Lagged(_)) => {
                    self.waiting.clear();
                    self.waiting.push_back(ready());
                }
                Err(TryRecvError::Empty | TryRecvError::Closed) => return Some(()),
            }
            next = self.receiver.try_recv();
        }
    }
}

fn ready() -> Event {
    Event::default().event("ready").data("{}")
}

fn changed(thing: ChangedThing) -> Option<Event> {
    Event::default().event("changed").json_data(thing).ok()
}
