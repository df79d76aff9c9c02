//! A stand-in for Graph: WhatsApp, Messenger and Instagram.

mod error;
mod node;
pub(crate) mod pages;
pub(crate) mod whatsapp;

use crate::account::{SimulatedAccount, SimulatedChannel};
use crate::outgoing::{Taken, broken_response, json_response};
use crate::server::MOST_BODY_BYTES;
use crate::signature::app_secret_proof;
use crate::state::{RequestRecord, SimulatorState, remembered};
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{Method, Response};
use error::GraphError;
pub(crate) use node::file_url;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// Older versions are answered as the oldest one is; later ones are not there yet.
const LATEST_VERSION: u32 = 26;

/// A request to Graph, taken apart.
struct GraphRequest {
    method: Method,
    path: Vec<String>,
    query: HashMap<String, String>,
    body: Value,
    token: Option<String>,
}

/// Answers whatever has no other address here.
pub(crate) async fn answer(
    State(state): State<Arc<SimulatorState>>,
    request: Request,
) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let Ok(bytes) = to_bytes(body, MOST_BODY_BYTES).await else {
        let error = GraphError::new(413, 1, "Please reduce the amount of data you're asking for");
        return json_response(error.status, &error.body(), None);
    };
    let request = GraphRequest::new(&parts, &bytes);
    let mut account_id = request.path.get(1).cloned().unwrap_or_default();
    let answer = serve(&state, &request, &mut account_id);
    let (status, body, broken, retry_after) = match answer {
        Ok(taken) => (200, taken.answer, taken.broken, None),
        Err(error) => (error.status, error.body(), false, error.retry_after),
    };
    let record = RequestRecord {
        account_id,
        at: state.clock.now(),
        method: parts.method.to_string(),
        path: parts.uri.path().to_owned(),
        body: remembered(&request.body, bytes.len()),
        status,
        answer: body.clone(),
    };
    state.edit(|records| records.log_request(record));
    if broken {
        return broken_response();
    }
    json_response(status, &body, retry_after)
}

impl GraphRequest {
    fn new(parts: &Parts, bytes: &[u8]) -> Self {
        let path = parts.uri.path().split('/').filter(|part| !part.is_empty());
        let query = parts.uri.query().unwrap_or_default();
        let query: HashMap<String, String> = url::form_urlencoded::parse(query.as_bytes())
            .into_owned()
            .collect();
        let header = parts.headers.get("authorization");
        let bearer = header.and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
        let token = bearer
            .map(str::to_owned)
            .or_else(|| query.get("access_token").cloned());
        Self {
            method: parts.method.clone(),
            path: path.map(str::to_owned).collect(),
            query,
            body: serde_json::from_slice(bytes).unwrap_or_default(),
            token,
        }
    }

    /// A parameter of the address or of the body.
    fn parameter(&self, name: &str) -> Option<&str> {
        let said = self.query.get(name).map(String::as_str);
        said.or_else(|| self.body[name].as_str())
    }
}

fn serve(
    state: &Arc<SimulatorState>,
    request: &GraphRequest,
    account_id: &mut String,
) -> Result<Taken, GraphError> {
    let [version, id, edge @ ..] = request.path.as_slice() else {
        return Err(GraphError::unknown_path(&request.path.join("/")));
    };
    let number = version
        .strip_prefix('v')
        .and_then(|version| version.split_once('.'));
    let number =
        number.and_then(|(major, minor)| minor.parse::<u32>().ok().and(major.parse().ok()));
    if !number.is_some_and(|major: u32| (1..=LATEST_VERSION).contains(&major)) || edge.len() > 1 {
        return Err(GraphError::unknown_path(&request.path.join("/")));
    }
    let token = request.token.as_deref().ok_or_else(GraphError::token)?;
    let accounts: Vec<SimulatedAccount> = state.read(|records| {
        let ours = records
            .accounts()
            .filter(|account| account.token == token && is_graph(account));
        ours.cloned().collect()
    });
    let account = accounts.first().ok_or_else(GraphError::token)?;
    let named = accounts.iter().find(|account| account.account_id == *id);
    let account = named.unwrap_or(account);
    account_id.clone_from(&account.account_id);
    check_proof(request, account)?;
    let id = if id == "me" { &account.account_id } else { id };
    let edge = edge.first().map(String::as_str);
    match (&request.method, edge) {
        (&Method::POST, Some("messages")) if account.account_id == *id => {
            if !request.body.is_object() {
                return Err(GraphError::parameter("The body is not a JSON object."));
            }
            match account.channel {
                SimulatedChannel::Whatsapp => whatsapp::send(state, account, &request.body),
                _ => pages::send(state, account, &request.body),
            }
        }
        (&Method::GET, None) => node::read(state, request, account, id).map(Taken::from),
        (_, Some("subscribed_apps")) => {
            node::subscribed(state, request, account, id).map(Taken::from)
        }
        (&Method::GET, Some("message_templates")) if is_parent(account, id) => {
            node::templates(request, account).map(Taken::from)
        }
        (&Method::GET, Some("phone_numbers")) if is_parent(account, id) => {
            Ok(node::numbers(&accounts, id).into())
        }
        _ => Err(GraphError::unknown_object(id)),
    }
}

const fn is_graph(account: &SimulatedAccount) -> bool {
    matches!(
        account.channel,
        SimulatedChannel::Whatsapp | SimulatedChannel::Messenger | SimulatedChannel::Instagram
    )
}

fn is_parent(account: &SimulatedAccount, id: &str) -> bool {
    account.channel == SimulatedChannel::Whatsapp && account.parent() == id
}

fn check_proof(request: &GraphRequest, account: &SimulatedAccount) -> Result<(), GraphError> {
    match request.parameter("appsecret_proof") {
        Some(proof) if proof != app_secret_proof(account) => {
            let error = GraphError::new(
                400,
                100,
                "Invalid appsecret_proof provided in the API argument",
            );
            Err(error.kind("GraphMethodException"))
        }
        _ => Ok(()),
    }
}
