//! A stand-in for `TikTok` Business Messaging.

mod webhook;

use crate::account::{SimulatedAccount, SimulatedChannel};
use crate::customer::SimulatedCustomer;
use crate::delivery::QueuedDelivery;
use crate::failure::{FailureManner, SimulatedFailure};
use crate::graph::file_url;
use crate::ids;
use crate::message::{MessageState, SignalKind, SimulatedSignal};
use crate::outgoing::{Outgoing, Taken, broken_response, json_response};
use crate::server::MOST_BODY_BYTES;
use crate::state::{RequestRecord, SimulatorState, remembered};
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, Response, Uri};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
pub(crate) use webhook::{echo_body, incoming_body, read_body};

const SEND: &str = "/open_api/v1.3/business/message/send/";
const DOWNLOAD: &str = "/open_api/v1.3/business/message/media/download/";
const ACCOUNT: &str = "/open_api/v1.3/business/get/";
const MOST_TEXT_CHARS: usize = 6000;
const TYPING_MILLISECONDS: i64 = 10_000;
/// The business has its answer before its message comes back.
const ECHO_PAUSE: Duration = Duration::from_millis(50);

/// Something that `TikTok` refuses. It says so with status 200.
struct TiktokError {
    status: u16,
    code: i64,
    message: String,
    retry_after: Option<u64>,
}

impl TiktokError {
    fn new(code: i64, message: impl Into<String>) -> Self {
        Self {
            status: 200,
            code,
            message: message.into(),
            retry_after: None,
        }
    }

    fn parameter(message: impl Into<String>) -> Self {
        Self::new(40_002, message)
    }
}

impl From<SimulatedFailure> for TiktokError {
    fn from(failure: SimulatedFailure) -> Self {
        Self {
            status: failure.status,
            code: failure.code,
            message: failure.message,
            retry_after: failure.retry_after,
        }
    }
}

pub(crate) async fn answer(
    State(state): State<Arc<SimulatorState>>,
    request: Request,
) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let bytes = to_bytes(body, MOST_BODY_BYTES).await;
    let length = bytes.as_ref().map_or(0, axum::body::Bytes::len);
    let said: Value = bytes
        .ok()
        .and_then(|bytes| serde_json::from_slice(&bytes).ok())
        .unwrap_or_default();
    let mut account_id = String::new();
    let answer = serve(
        &state,
        &parts.method,
        &parts.uri,
        &parts.headers,
        &said,
        &mut account_id,
    );
    let broken = answer.as_ref().is_ok_and(|taken| taken.broken);
    let (status, code, message, data, retry_after) = match answer {
        Ok(taken) => (200, 0, "OK".to_owned(), taken.answer, None),
        Err(error) => (
            error.status,
            error.code,
            error.message,
            json!({}),
            error.retry_after,
        ),
    };
    let body = json!({
        "code": code, "message": message, "request_id": ids::trace_id(), "data": data,
    });
    let record = RequestRecord {
        account_id,
        at: state.clock.now(),
        method: parts.method.to_string(),
        path: parts.uri.path().to_owned(),
        body: remembered(&said, length),
        status,
        answer: body.clone(),
    };
    state.edit(|records| records.log_request(record));
    if broken {
        return broken_response();
    }
    json_response(status, &body, retry_after)
}

fn serve(
    state: &Arc<SimulatorState>,
    method: &Method,
    uri: &Uri,
    headers: &HeaderMap,
    body: &Value,
    account_id: &mut String,
) -> Result<Taken, TiktokError> {
    let token = headers
        .get("access-token")
        .and_then(|token| token.to_str().ok());
    let token = token.ok_or_else(|| TiktokError::new(40_104, "Access token is required."))?;
    let query = url::form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    let asked = query.into_owned().find(|(name, _)| name == "business_id");
    let business_id = body["business_id"]
        .as_str()
        .map(str::to_owned)
        .or(asked.map(|(_, id)| id));
    let business_id = business_id
        .ok_or_else(|| TiktokError::parameter("business_id: Missing data for required field."))?;
    let known = state.read(|records| {
        records
            .accounts()
            .any(|account| is_tiktok(account) && account.token == token)
    });
    if !known {
        return Err(TiktokError::new(
            40_105,
            "Access token is incorrect or has been revoked.",
        ));
    }
    let account = state.account(&business_id);
    let account = account.filter(|account| is_tiktok(account) && account.token == token);
    let account =
        account.ok_or_else(|| TiktokError::new(40_001, "No permission to operate the account."))?;
    account_id.clone_from(&account.account_id);
    match (method, uri.path()) {
        (&Method::POST, SEND) => send(state, &account, body),
        (&Method::POST, DOWNLOAD) => download(state, &account, body).map(Taken::from),
        (&Method::GET, ACCOUNT) => Ok(Taken::from(json!({
            "username": "negocio_de_prueba", "display_name": account.shown_name(),
            "profile_image": "", "is_business_account": true, "followers_count": 0,
        }))),
        _ => Err(TiktokError::new(40_006, "no schema found")),
    }
}

fn is_tiktok(account: &SimulatedAccount) -> bool {
    account.channel == SimulatedChannel::Tiktok
}

fn send(
    state: &Arc<SimulatorState>,
    account: &SimulatedAccount,
    body: &Value,
) -> Result<Taken, TiktokError> {
    if body["recipient_type"] != "CONVERSATION" {
        return Err(TiktokError::parameter(
            "recipient_type: Must be one of: CONVERSATION.",
        ));
    }
    let customer = conversation(state, account, &body["recipient"])?;
    if body["message_type"] == "SENDER_ACTION" {
        return show(state, account, &customer, &body["sender_action"]).map(Taken::from);
    }
    if body["message_type"] != "TEXT" {
        return Err(TiktokError::parameter(
            "message_type: Must be one of: TEXT, SENDER_ACTION.",
        ));
    }
    let text = body["text"]["body"].as_str().unwrap_or_default();
    if text.is_empty() || text.chars().count() > MOST_TEXT_CHARS {
        let message = format!("text.body: Length must be between 1 and {MOST_TEXT_CHARS}.");
        return Err(TiktokError::parameter(message));
    }
    let planned = state.edit(|records| records.next_failure(&account.account_id));
    let broken = match planned {
        Some(failure) if failure.manner == FailureManner::BrokenConnection => true,
        Some(failure) => return Err(failure.into()),
        None => false,
    };
    let mut outgoing = Outgoing::new("text");
    outgoing.text = Some(text.to_owned());
    let answered = &body["referenced_message_info"]["referenced_message_id"];
    outgoing.reply_to = answered.as_str().map(str::to_owned);
    let message = outgoing.into_message(&account.account_id, &customer.id, body);
    let message = state.record(account, message);
    let echo = QueuedDelivery {
        body: echo_body(account, &customer, &message, "API"),
        message_id: Some(message.id.clone()),
        becomes: Some(MessageState::Delivered),
        pause: ECHO_PAUSE,
    };
    state.deliver_later(&account.account_id, echo);
    Ok(Taken {
        answer: json!({ "message": { "message_id": message.id } }),
        broken,
    })
}

/// There is a conversation with whoever has written, and with nobody else.
fn conversation(
    state: &SimulatorState,
    account: &SimulatedAccount,
    id: &Value,
) -> Result<SimulatedCustomer, TiktokError> {
    let known = state.read(|records| {
        let mut customers = records.customers(&account.account_id);
        customers
            .find(|record| {
                record.wrote_at.is_some() && *id == ids::conversation_id(account, &record.customer)
            })
            .map(|record| record.customer.clone())
    });
    known.ok_or_else(|| TiktokError::parameter("recipient: The conversation does not exist."))
}

fn show(
    state: &SimulatorState,
    account: &SimulatedAccount,
    customer: &SimulatedCustomer,
    action: &Value,
) -> Result<Value, TiktokError> {
    let kind = match action.as_str() {
        Some("TYPING") => SignalKind::Typing,
        Some("MARK_READ") => SignalKind::Read,
        _ => {
            return Err(TiktokError::parameter(
                "sender_action: Must be one of: TYPING, MARK_READ.",
            ));
        }
    };
    let now = state.clock.now();
    state.edit(|records| {
        records.signal(SimulatedSignal {
            account_id: account.account_id.clone(),
            customer_id: customer.id.clone(),
            at: now,
            kind,
            message_id: None,
        });
        if kind == SignalKind::Read {
            records.read_all(&account.account_id, &customer.id);
        } else if let Some(record) = records.customer_mut(&account.account_id, &customer.id) {
            record.typing_until = now + TYPING_MILLISECONDS;
        }
    });
    Ok(json!({}))
}

/// Says where a file of a customer lies.
fn download(
    state: &SimulatorState,
    account: &SimulatedAccount,
    body: &Value,
) -> Result<Value, TiktokError> {
    conversation(state, account, &body["conversation_id"])?;
    let text = |name: &str| {
        let text = body[name].as_str();
        text.ok_or_else(|| {
            TiktokError::parameter(format!("{name}: Missing data for required field."))
        })
    };
    let (message_id, media_id) = (text("message_id")?, text("media_id")?);
    let media = match text("media_type")? {
        "IMAGE" => "image",
        "VIDEO" => "video",
        _ => {
            return Err(TiktokError::parameter(
                "media_type: Must be one of: IMAGE, VIDEO.",
            ));
        }
    };
    let is_there = state.read(|records| {
        let message = records.message(&account.account_id, message_id);
        let file = message.and_then(|message| message.file.as_ref());
        let own = file
            .is_some_and(|file| file.file_id.as_deref() == Some(media_id) && file.media == media);
        own && records.file(media_id).is_some()
    });
    if !is_there {
        return Err(TiktokError::parameter(
            "media_id: There is no such file in the message.",
        ));
    }
    Ok(json!({ "download_url": file_url(&state.url(), media_id) }))
}
