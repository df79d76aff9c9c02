//! Errors as Graph writes them.

use crate::failure::SimulatedFailure;
use crate::ids;
use serde_json::{Value, json};

/// Something that Graph refuses.
#[derive(Clone, Debug)]
pub(crate) struct GraphError {
    pub(crate) status: u16,
    code: i64,
    subcode: Option<i64>,
    kind: &'static str,
    message: String,
    details: Option<String>,
    pub(crate) retry_after: Option<u64>,
}

impl GraphError {
    pub(crate) fn new(status: u16, code: i64, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            subcode: None,
            kind: "OAuthException",
            message: message.into(),
            details: None,
            retry_after: None,
        }
    }

    /// A parameter that is not what the reference asks for.
    pub(crate) fn parameter(message: impl AsRef<str>) -> Self {
        Self::new(400, 100, format!("(#100) {}", message.as_ref()))
    }

    pub(crate) fn missing(parameter: &str) -> Self {
        Self::new(400, 131_008, "(#131008) Required parameter is missing")
            .details(format!("The parameter {parameter} is required."))
    }

    pub(crate) fn value(details: impl Into<String>) -> Self {
        Self::new(400, 131_009, "(#131009) Parameter value is not valid").details(details)
    }

    pub(crate) fn token() -> Self {
        Self::new(
            401,
            190,
            "Error validating access token: the session is invalid because the token is not known",
        )
    }

    pub(crate) fn unknown_object(id: &str) -> Self {
        let message = format!(
            "Unsupported request. Object with ID '{id}' does not exist, cannot be loaded due to \
             missing permissions, or does not support this operation"
        );
        Self::new(400, 100, message)
            .subcode(33)
            .kind("GraphMethodException")
    }

    pub(crate) fn unknown_path(path: &str) -> Self {
        Self::new(400, 2500, format!("Unknown path components: {path}"))
    }

    pub(crate) fn details(mut self, details: impl Into<String>) -> Self {
        self.details = Some(details.into());
        self
    }

    pub(crate) const fn subcode(mut self, subcode: i64) -> Self {
        self.subcode = Some(subcode);
        self
    }

    pub(crate) const fn kind(mut self, kind: &'static str) -> Self {
        self.kind = kind;
        self
    }

    pub(crate) fn body(&self) -> Value {
        let mut error = json!({
            "message": self.message, "type": self.kind, "code": self.code,
            "fbtrace_id": ids::trace_id(),
        });
        if let Some(subcode) = self.subcode {
            error["error_subcode"] = subcode.into();
        }
        if let Some(details) = &self.details {
            error["error_data"] = json!({ "messaging_product": "whatsapp", "details": details });
        }
        json!({ "error": error })
    }
}

impl From<&SimulatedFailure> for GraphError {
    fn from(failure: &SimulatedFailure) -> Self {
        let message = format!("(#{}) {}", failure.code, failure.message);
        Self {
            subcode: failure.subcode,
            retry_after: failure.retry_after,
            ..Self::new(failure.status, failure.code, message)
        }
    }
}
