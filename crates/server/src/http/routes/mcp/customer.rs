//! For whom a tool is called.
//!
//! Whoever set up the connection says so in headers, or the program that calls says so in `_meta`,
//! which no model writes. Arguments, which models write, are never asked.

use super::error::invalid_params;
use axum::http::HeaderMap;
use quipu_app::tools::ToolContext;
use quipu_core::{Error, ErrorCode, Result};
use serde_json::Value;
use std::str::FromStr;

const LEAD: &str = "quipu/lead_id";
const CONVERSATION: &str = "quipu/conversation_id";

/// The customer whom the headers of a request name.
#[derive(Clone, Debug, Default)]
pub(super) struct Customer(ToolContext);

impl Customer {
    pub(super) fn of(headers: &HeaderMap) -> Result<Self> {
        Ok(Self(ToolContext {
            lead_id: header(headers, "X-Quipu-Lead")?,
            conversation_id: header(headers, "X-Quipu-Conversation")?,
        }))
    }

    /// Whether the connection is for a customer.
    pub(super) fn is_named(&self) -> bool {
        self.0.lead_id.is_some() || self.0.conversation_id.is_some()
    }

    /// The customer of one call. What the connection says, a call cannot say otherwise.
    pub(super) fn of_call(&self, meta: Option<&Value>) -> Result<ToolContext> {
        Ok(ToolContext {
            lead_id: agreed(self.0.lead_id, meta, LEAD)?,
            conversation_id: agreed(self.0.conversation_id, meta, CONVERSATION)?,
        })
    }
}

fn header<T: FromStr>(headers: &HeaderMap, name: &'static str) -> Result<Option<T>> {
    let Some(value) = headers.get(name) else {
        return Ok(None);
    };
    let id = value.to_str().ok().and_then(|text| text.parse().ok());
    match id {
        Some(id) => Ok(Some(id)),
        None => Err(Error::new(ErrorCode::InvalidHeader).with("header", name)),
    }
}

fn agreed<T: FromStr + PartialEq>(
    fixed: Option<T>,
    meta: Option<&Value>,
    name: &str,
) -> Result<Option<T>> {
    let Some(said) = meta.and_then(|meta| meta.get(name)) else {
        return Ok(fixed);
    };
    let Some(said) = said.as_str().and_then(|text| text.parse::<T>().ok()) else {
        return Err(invalid_params(
            format!("_meta[\"{name}\"] no es un id"),
            format!("_meta[\"{name}\"] is not an id"),
        ));
    };
    if fixed.as_ref().is_some_and(|fixed| *fixed != said) {
        return Err(invalid_params(
            format!("_meta[\"{name}\"] no es el de la conexión"),
            format!("_meta[\"{name}\"] is not the one of the connection"),
        ));
    }
    Ok(Some(said))
}
