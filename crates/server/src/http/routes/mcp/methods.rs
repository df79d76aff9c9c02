//! Which method does what.

use super::customer::Customer;
use super::error::{RpcError, Voice, invalid_params};
use super::protocol::initialize;
use super::{resources, tools};
use crate::http::AppState;
use quipu_app::Actor;
use quipu_core::agent::Agent;
use quipu_core::{Error, ErrorCode, Result, unreadable};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Who asks what agent, and for whom.
pub(super) struct Turn<'a> {
    pub(super) state: &'a AppState,
    pub(super) actor: &'a Actor,
    pub(super) agent: &'a Agent,
    /// The customer whom the connection names.
    pub(super) customer: Customer,
    pub(super) voice: Voice,
}

impl Turn<'_> {
    /// How use cases are told which agent is meant.
    pub(super) fn agent_id(&self) -> String {
        self.agent.id.to_string()
    }

    /// Answers one request.
    pub(super) async fn answer(
        &self,
        method: &str,
        params: Option<&Value>,
    ) -> Result<Value, RpcError> {
        let outcome = match method {
            "initialize" => initialize(self, params),
            "ping" => Ok(json!({})),
            "tools/list" => tools::list(self, params).await,
            "tools/call" => tools::call(self, params).await,
            "resources/list" => resources::list(self, params).await,
            "resources/templates/list" => resources::templates(params),
            "resources/read" => resources::read(self, params).await,
            _ => Err(Error::new(ErrorCode::UnknownMethod).with("method", method)),
        };
        outcome.map_err(|error| self.voice.refuse(&error))
    }
}

/// The parameters of a method. What later versions of the protocol add to them is passed over.
pub(super) fn parameters<T: DeserializeOwned>(params: Option<&Value>) -> Result<T> {
    let params = params.cloned().unwrap_or_else(|| json!({}));
    serde_json::from_value(params).map_err(|error| {
        let (es, en) = unreadable::reason(&error);
        invalid_params(es, en)
    })
}

/// What listings take.
#[derive(Deserialize)]
pub(super) struct Listing {
    pub(super) cursor: Option<String>,
}

/// Reads the parameters of a listing that has one page, which no cursor leads beyond.
pub(super) fn only_page(params: Option<&Value>) -> Result<()> {
    let asked: Listing = parameters(params)?;
    match asked.cursor {
        None => Ok(()),
        Some(_) => Err(Error::new(ErrorCode::InvalidCursor)),
    }
}
