//! Writing as a customer, and looking at what was written.

use super::accounts::{body, found};
use super::written::{WrittenBody, is_media_type};
use super::{Answer, ApiError, Told};
use crate::account::SimulatedChannel;
use crate::attachments::file_response;
use crate::customer::SimulatedCustomer;
use crate::failure::SimulatedFailure;
use crate::graph::whatsapp::WINDOW_MILLISECONDS;
use crate::ids;
use crate::incoming::{Delivered, MOST_FILE_BYTES};
use crate::message::{MessageState, SimulatedMessage};
use crate::state::{CustomerRecord, FileRecord, SimulatorState};
use crate::voice::{SimulatedCall, VoiceEvent};
use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, JsonRejection};
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

#[derive(Deserialize)]
pub(super) struct ConversationAsked {
    #[serde(default)]
    customer: Option<String>,
    /// What the page has already.
    #[serde(default)]
    known: Option<u64>,
}

/// The conversation with a customer, or with all of them. Nothing but the version and who is typing
/// where nothing has changed.
pub(super) async fn list(
    State(state): State<Arc<SimulatorState>>,
    Path(id): Path<String>,
    Query(asked): Query<ConversationAsked>,
) -> Answer {
    let account = found(&state, &id)?;
    let now = state.clock.now();
    let told = state.read(|records| {
        let typing = records.customers(&id).any(|record| {
            asked
                .customer
                .as_ref()
                .is_some_and(|id| *id == record.customer.id)
                && record.typing_until > now
        });
        let mut told = json!({ "version": records.version, "now": now, "typing": typing });
        if asked.known != Some(records.version) {
            let customers = records
                .customers(&id)
                .map(|record| shown(account.channel, record, now));
            let wanted = |message: &&SimulatedMessage| {
                asked
                    .customer
                    .as_ref()
                    .is_none_or(|id| *id == message.customer_id)
            };
            told["customers"] = customers.collect();
            told["failures_left"] = records.failures_left(&id).into();
            told["messages"] = json!(records.messages(&id).filter(wanted).collect::<Vec<_>>());
        }
        told
    });
    Ok(Told(told))
}

fn shown(channel: SimulatedChannel, record: &CustomerRecord, now: i64) -> Value {
    let open = record
        .wrote_at
        .is_some_and(|at| now - at <= WINDOW_MILLISECONDS);
    // TikTok and the telephone have no such window.
    let has_window = !matches!(channel, SimulatedChannel::Tiktok | SimulatedChannel::Voice);
    json!({ "customer": record.customer, "wrote_at": record.wrote_at, "window_open": open || !has_window })
}

fn told(delivered: &Delivered) -> Told {
    Told(json!({ "status": delivered.status, "message_id": delivered.message_id }))
}

pub(super) async fn write(
    State(state): State<Arc<SimulatorState>>,
    Path(id): Path<String>,
    asked: Result<Json<WrittenBody>, JsonRejection>,
) -> Answer {
    found(&state, &id)?;
    let asked = body(asked)?;
    let content = asked.content.read(&state)?;
    let delivered = state.write(&id, &asked.customer, content).await?;
    Ok(told(&delivered))
}

#[derive(Deserialize)]
pub(super) struct UploadAsked {
    #[serde(default)]
    filename: Option<String>,
}

/// Takes the bytes of a file as they are. A message names it afterwards.
pub(super) async fn upload(
    State(state): State<Arc<SimulatorState>>,
    Path(id): Path<String>,
    Query(asked): Query<UploadAsked>,
    headers: HeaderMap,
    bytes: Result<Bytes, BytesRejection>,
) -> Answer {
    found(&state, &id)?;
    let too_large = || ApiError {
        status: 413,
        message: format!("a file has at most {MOST_FILE_BYTES} bytes"),
    };
    let bytes = bytes.map_err(|_| too_large())?;
    if bytes.len() > MOST_FILE_BYTES {
        return Err(too_large());
    }
    let mime_type = headers
        .get("content-type")
        .and_then(|value| value.to_str().ok());
    let mime_type = mime_type.filter(|kind| is_media_type(kind) && !bytes.is_empty());
    let Some(mime_type) = mime_type else {
        return Err(ApiError::bad("a file has bytes and a content-type"));
    };
    let file = FileRecord {
        id: ids::file_id(),
        account_id: id,
        mime_type: mime_type.to_owned(),
        filename: asked.filename.map(|name| name.chars().take(240).collect()),
        bytes: Arc::new(bytes.to_vec()),
    };
    let told = json!({ "file_id": file.id });
    state.edit(|records| records.add_file(file));
    Ok(Told(told))
}

/// The bytes of a file, for the page.
pub(super) async fn file(
    State(state): State<Arc<SimulatorState>>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let file = state.read(|records| records.file(&id).cloned());
    file.map(|file| file_response(&file))
        .ok_or_else(|| ApiError {
            status: 404,
            message: "there is no such file".to_owned(),
        })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EchoAsked {
    customer: SimulatedCustomer,
    text: String,
    /// The program that wrote it, such as the inbox of a page. A telephone is none.
    #[serde(default)]
    app_id: Option<u64>,
}

pub(super) async fn echo(
    State(state): State<Arc<SimulatorState>>,
    Path(id): Path<String>,
    asked: Result<Json<EchoAsked>, JsonRejection>,
) -> Answer {
    found(&state, &id)?;
    let asked = body(asked)?;
    let delivered = state
        .echo(&id, &asked.customer, &asked.text, asked.app_id)
        .await?;
    Ok(told(&delivered))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StatusAsked {
    message_id: String,
    status: String,
    /// Why it failed.
    #[serde(default)]
    code: Option<i64>,
}

pub(super) async fn status(
    State(state): State<Arc<SimulatorState>>,
    Path(id): Path<String>,
    asked: Result<Json<StatusAsked>, JsonRejection>,
) -> Answer {
    let account = found(&state, &id)?;
    let asked = body(asked)?;
    let (becomes, failure) = match (asked.status.as_str(), asked.code) {
        ("sent", None) => (MessageState::Sent, None),
        ("delivered", None) => (MessageState::Delivered, None),
        ("read", None) => (MessageState::Read, None),
        ("failed", code) => {
            let code = code.unwrap_or(131_026);
            let known = SimulatedFailure::by_code(account.channel, code);
            let failure =
                known.unwrap_or_else(|| SimulatedFailure::new(400, code, "Unknown error"));
            (MessageState::Failed, Some(failure))
        }
        _ => {
            return Err(ApiError::bad(
                "status is sent, delivered, read or failed; failed has a code",
            ));
        }
    };
    state.report(&id, &asked.message_id, becomes, failure.as_ref())?;
    Ok(Told(json!({ "message_id": asked.message_id })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RepeatAsked {
    message_id: String,
}

pub(super) async fn repeat(
    State(state): State<Arc<SimulatorState>>,
    Path(id): Path<String>,
    asked: Result<Json<RepeatAsked>, JsonRejection>,
) -> Answer {
    found(&state, &id)?;
    let delivered = state.repeat(&id, &body(asked)?.message_id).await?;
    Ok(told(&delivered))
}

#[derive(Deserialize)]
pub(super) struct CallAsked {
    customer: SimulatedCustomer,
    /// A call that has begun; a new one where this is left out.
    #[serde(default)]
    call_id: Option<String>,
    #[serde(flatten)]
    event: VoiceEvent,
}

pub(super) async fn call(
    State(state): State<Arc<SimulatorState>>,
    Path(id): Path<String>,
    asked: Result<Json<CallAsked>, JsonRejection>,
) -> Answer {
    found(&state, &id)?;
    let asked = body(asked)?;
    let mut call = SimulatedCall::new(asked.customer);
    if let Some(call_id) = asked.call_id {
        call.id = call_id.chars().take(200).collect();
    }
    let answer = state.play(&id, &call, &asked.event).await?;
    Ok(Told(
        json!({ "call_id": call.id, "status": answer.status, "body": answer.body }),
    ))
}
