//! How refusals are said in JSON-RPC.

use crate::http::error::ErrorInfo;
use quipu_core::language::Language;
use quipu_core::{Error, ErrorCode};
use serde::Serialize;
use utoipa::ToSchema;

/// The numbers of JSON-RPC and of the protocol.
const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;
const INTERNAL: i32 = -32603;
const RESOURCE_NOT_FOUND: i32 = -32002;
/// Left to servers: everything that `data.code` says better.
const REFUSED: i32 = -32000;

/// An error of JSON-RPC, with our own error in `data`.
#[derive(Serialize, ToSchema)]
pub(super) struct RpcError {
    #[schema(example = -32602)]
    code: i32,
    message: String,
    data: ErrorInfo,
}

/// In which language errors are said, and under which id they are found in the logs.
#[derive(Clone, Debug)]
pub(super) struct Voice {
    pub(super) language: Language,
    pub(super) request_id: String,
}

impl Voice {
    pub(super) fn tell(&self, error: &Error) -> ErrorInfo {
        if error.status() == 500 {
            tracing::error!(error = %error, code = %error.code(), "request failed: {error}");
        }
        ErrorInfo::of(error, self.language, self.request_id.clone())
    }

    pub(super) fn refuse(&self, error: &Error) -> RpcError {
        let code = match error.code() {
            ErrorCode::InvalidJson => INVALID_REQUEST,
            ErrorCode::UnknownMethod => METHOD_NOT_FOUND,
            ErrorCode::UnknownTool
            | ErrorCode::InvalidArguments
            | ErrorCode::InvalidCursor
            | ErrorCode::ValidationFailed => INVALID_PARAMS,
            ErrorCode::NotFound => RESOURCE_NOT_FOUND,
            _ if error.status() == 500 => INTERNAL,
            _ => REFUSED,
        };
        let data = self.tell(error);
        RpcError {
            code,
            message: data.message.clone(),
            data,
        }
    }
}

/// `INVALID_ARGUMENTS` for parameters of a method.
pub(super) fn invalid_params(es: String, en: String) -> Error {
    Error::new(ErrorCode::InvalidArguments)
        .with("problems", en.clone())
        .with_texts("problems", es, en)
}
