//! Why a partition could not be used.

use quipu_core::{Error, ErrorCode};
use std::io::{self, ErrorKind};

/// What went wrong with the files of a partition.
#[derive(Debug)]
pub(crate) enum Fault {
    /// What is there cannot be trusted. It is dropped and read again from the change log.
    Damaged(String),
    /// The disk, or the process, is at its limits; reading again would not help.
    Unusable(io::Error),
}

pub(crate) type Outcome<T> = Result<T, Fault>;

impl Fault {
    pub(crate) fn damaged(what: impl Into<String>) -> Self {
        Self::Damaged(what.into())
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Damaged(what) => f.write_str(what),
            Self::Unusable(error) => error.fmt(f),
        }
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        if says_damage(error.kind()) {
            Self::Damaged(error.to_string())
        } else {
            Self::Unusable(error)
        }
    }
}

impl From<tantivy::TantivyError> for Fault {
    fn from(error: tantivy::TantivyError) -> Self {
        match error {
            tantivy::TantivyError::IoError(inner) if !says_damage(inner.kind()) => {
                Self::Unusable(io::Error::new(inner.kind(), inner.to_string()))
            }
            other => Self::Damaged(other.to_string()),
        }
    }
}

/// Whether an error is about what a file holds, and not about who reads it.
fn says_damage(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::NotFound
            | ErrorKind::UnexpectedEof
            | ErrorKind::InvalidData
            | ErrorKind::InvalidInput
            | ErrorKind::IsADirectory
            | ErrorKind::NotADirectory
    )
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Unusable(error) if error.kind() == ErrorKind::StorageFull => {
                Error::new(ErrorCode::StorageFull).caused_by(error)
            }
            other => Error::internal(other.to_string()),
        }
    }
}
