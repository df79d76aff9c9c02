//! What an error of the storage means to whoever asked.

use quipu_core::{Error, ErrorCode};
use std::error::Error as StdError;
use std::io;

pub(super) fn storage(error: object_store::Error) -> Error {
    let code = match &error {
        // A path or a call that we should not have made.
        object_store::Error::InvalidPath { .. }
        | object_store::Error::NotImplemented { .. }
        | object_store::Error::NotSupported { .. }
        | object_store::Error::JoinError { .. } => ErrorCode::Internal,
        other => root_io(other).map_or(ErrorCode::StorageUnavailable, classify),
    };
    Error::new(code).caused_by(error)
}

pub(super) fn io(error: io::Error) -> Error {
    Error::new(classify(&error)).caused_by(error)
}

pub(super) fn unavailable(why: &'static str) -> Error {
    Error::new(ErrorCode::StorageUnavailable).caused_by(why)
}

fn classify(error: &io::Error) -> ErrorCode {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => ErrorCode::StorageFull,
        _ => ErrorCode::StorageUnavailable,
    }
}

/// Whether a file or folder on the way was not there, or no longer.
pub(super) fn names_nothing(error: &object_store::Error) -> bool {
    root_io(error).is_some_and(|io| io.kind() == io::ErrorKind::NotFound)
}

/// The operating system's own error inside the library's.
fn root_io(error: &object_store::Error) -> Option<&io::Error> {
    let mut cause: Option<&(dyn StdError + 'static)> = Some(error);
    while let Some(inner) = cause {
        if let Some(io) = inner.downcast_ref::<io::Error>() {
            return Some(io);
        }
        cause = inner.source();
    }
    None
}
