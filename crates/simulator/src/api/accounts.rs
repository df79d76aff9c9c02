//! Accounts, what they are told to do wrong, and what they have seen.

use super::{Answer, ApiError, Told};
use crate::account::{SimulatedAccount, SimulatedChannel};
use crate::failure::{FailureManner, PlannedFailure, SimulatedFailure};
use crate::n8n::{MOST_DELAY_MILLISECONDS, N8nAnswer};
use crate::state::SimulatorState;
use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

const MOST_TIMES: usize = 10_000;
const MOST_FORWARD_SECONDS: u64 = 400 * 24 * 60 * 60;
/// How much of what was asked and delivered is shown.
const SHOWN: usize = 50;

/// The body, or why it is none that is taken.
pub(super) fn body<T>(body: Result<Json<T>, JsonRejection>) -> Result<T, ApiError> {
    body.map(|Json(body)| body).map_err(|rejection| {
        let status = rejection.status().as_u16();
        let message = match &rejection {
            JsonRejection::MissingJsonContentType(_) => {
                "the content-type is not application/json".to_owned()
            }
            other => other.body_text(),
        };
        ApiError { status, message }
    })
}

pub(super) fn found(state: &SimulatorState, id: &str) -> Result<SimulatedAccount, ApiError> {
    state.account(id).ok_or_else(ApiError::no_account)
}

pub(super) async fn list(State(state): State<Arc<SimulatorState>>) -> Told {
    state.read(|records| {
        let accounts = records.accounts().map(|account| {
            json!({
                "account": account,
                "failures_left": records.failures_left(&account.account_id),
            })
        });
        Told(json!({ "url": state.url(), "accounts": accounts.collect::<Vec<_>>() }))
    })
}

pub(super) async fn connect(
    State(state): State<Arc<SimulatorState>>,
    asked: Result<Json<SimulatedAccount>, JsonRejection>,
) -> Answer {
    let account = body(asked)?;
    if let Some(fault) = account.fault() {
        return Err(ApiError::bad(fault));
    }
    state.edit(|records| records.connect(account.clone()));
    Ok(Told(json!({ "account": account })))
}

/// The handshake of Meta. The others have none.
pub(super) async fn verify(
    State(state): State<Arc<SimulatorState>>,
    Path(id): Path<String>,
) -> Answer {
    let account = found(&state, &id)?;
    if matches!(
        account.channel,
        SimulatedChannel::Tiktok | SimulatedChannel::Voice
    ) {
        return Err(ApiError::bad("the channel asks for no challenge"));
    }
    let verification = state.verify(&account).await?;
    Ok(Told(
        json!({ "right": verification.right, "reason": verification.reason }),
    ))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FailuresAsked {
    code: i64,
    #[serde(default)]
    status: Option<u16>,
    #[serde(default)]
    subcode: Option<i64>,
    #[serde(default)]
    message: Option<String>,
    #[serde(default)]
    retry_after: Option<u64>,
    #[serde(default)]
    manner: FailureManner,
    #[serde(default = "once")]
    times: usize,
}

const fn once() -> usize {
    1
}

/// What is left out is as the channel documents it for the code.
pub(super) async fn fail(
    State(state): State<Arc<SimulatorState>>,
    Path(id): Path<String>,
    asked: Result<Json<FailuresAsked>, JsonRejection>,
) -> Answer {
    let account = found(&state, &id)?;
    let asked = body(asked)?;
    if !(1..=MOST_TIMES).contains(&asked.times) {
        return Err(ApiError::bad(format!("times is 1 to {MOST_TIMES}")));
    }
    if asked
        .status
        .is_some_and(|status| !(200..=599).contains(&status))
    {
        return Err(ApiError::bad("status is 200 to 599"));
    }
    let known = SimulatedFailure::by_code(account.channel, asked.code);
    let mut failure =
        known.unwrap_or_else(|| SimulatedFailure::new(400, asked.code, "Unknown error"));
    failure.status = asked.status.unwrap_or(failure.status);
    failure.subcode = asked.subcode.or(failure.subcode);
    failure.message = asked
        .message
        .unwrap_or(failure.message)
        .chars()
        .take(500)
        .collect();
    failure.retry_after = asked.retry_after;
    failure.manner = asked.manner;
    let planned = PlannedFailure {
        failure,
        times: asked.times,
    };
    let left = state.edit(|records| {
        records.plan(&id, planned);
        records.failures_left(&id)
    });
    Ok(Told(json!({ "failures_left": left })))
}

pub(super) async fn heal(
    State(state): State<Arc<SimulatorState>>,
    Path(id): Path<String>,
) -> Answer {
    found(&state, &id)?;
    state.edit(|records| records.forget_failures(&id));
    Ok(Told(json!({ "failures_left": 0 })))
}

pub(super) async fn documented(
    State(state): State<Arc<SimulatorState>>,
    Path(id): Path<String>,
) -> Answer {
    let account = found(&state, &id)?;
    Ok(Told(
        json!({ "failures": SimulatedFailure::documented(account.channel) }),
    ))
}

/// What was asked and delivered last, the newest first.
pub(super) async fn requests(
    State(state): State<Arc<SimulatorState>>,
    Path(id): Path<String>,
) -> Answer {
    found(&state, &id)?;
    let (requests, deliveries, signals) = state.read(|records| {
        (
            records
                .requests(&id)
                .rev()
                .take(SHOWN)
                .cloned()
                .collect::<Vec<_>>(),
            records
                .deliveries(&id)
                .rev()
                .take(SHOWN)
                .cloned()
                .collect::<Vec<_>>(),
            records.signals(&id).cloned().collect::<Vec<_>>(),
        )
    });
    let last = signals.len().saturating_sub(SHOWN);
    Ok(Told(
        json!({ "requests": requests, "deliveries": deliveries, "signals": signals[last..] }),
    ))
}

pub(super) async fn n8n(State(state): State<Arc<SimulatorState>>, Path(id): Path<String>) -> Told {
    let received = state.read(|records| records.n8n.received(&id));
    Told(json!({ "received": received }))
}

pub(super) async fn n8n_answers(
    State(state): State<Arc<SimulatorState>>,
    Path(id): Path<String>,
    asked: Result<Json<N8nAnswer>, JsonRejection>,
) -> Answer {
    let answer = body(asked)?;
    if !(200..=599).contains(&answer.status) || answer.delay_milliseconds > MOST_DELAY_MILLISECONDS
    {
        let fault = format!(
            "status is 200 to 599 and delay_milliseconds at most {MOST_DELAY_MILLISECONDS}"
        );
        return Err(ApiError::bad(fault));
    }
    state.edit(|records| records.n8n.answer_with(&id, Some(answer.clone())));
    Ok(Told(json!({ "answer": answer })))
}

pub(super) async fn n8n_forgets(
    State(state): State<Arc<SimulatorState>>,
    Path(id): Path<String>,
) -> Told {
    state.edit(|records| records.n8n.answer_with(&id, None));
    Told(json!({ "answer": N8nAnswer::default() }))
}

pub(super) async fn clock(State(state): State<Arc<SimulatorState>>) -> Told {
    Told(json!({ "now": state.clock.now() }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClockAsked {
    forward_seconds: u64,
}

/// Puts the clock forward, so that a window closes without waiting for it.
pub(super) async fn advance(
    State(state): State<Arc<SimulatorState>>,
    asked: Result<Json<ClockAsked>, JsonRejection>,
) -> Answer {
    let seconds = body(asked)?.forward_seconds;
    if seconds > MOST_FORWARD_SECONDS {
        return Err(ApiError::bad(format!(
            "forward_seconds is at most {MOST_FORWARD_SECONDS}"
        )));
    }
    state.clock.advance(Duration::from_secs(seconds));
    // What depends on the time looks different now.
    Ok(Told(json!({ "now": state.edit(|_| state.clock.now()) })))
}
