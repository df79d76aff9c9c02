//! The ways a page cannot be had.

use quipu_core::extraction::Failure;
use quipu_core::ports::FetchError;

/// The longest explanation that goes to the log.
const LONGEST_WHY: usize = 300;

fn fault(failure: Failure, transient: bool, why: impl Into<String>) -> FetchError {
    let mut why = why.into();
    if why.len() > LONGEST_WHY {
        why.truncate(why.floor_char_boundary(LONGEST_WHY));
    }
    FetchError {
        failure,
        transient,
        why,
    }
}

/// We will not go there, now or later.
pub(crate) fn not_allowed(why: impl Into<String>) -> FetchError {
    fault(Failure::UrlNotAllowed, false, why)
}

/// It did not work this time.
pub(crate) fn unreachable(why: impl Into<String>) -> FetchError {
    fault(Failure::UrlUnreachable, true, why)
}

/// There is no such host.
pub(crate) fn unknown_host(why: impl Into<String>) -> FetchError {
    fault(Failure::UrlUnreachable, false, why)
}

/// The server was reached and does not hand the page over.
pub(crate) fn refused(why: impl Into<String>) -> FetchError {
    fault(Failure::UrlRefused, false, why)
}

pub(crate) fn too_large(why: impl Into<String>) -> FetchError {
    fault(Failure::UrlTooLarge, false, why)
}

pub(crate) fn content_type(why: impl Into<String>) -> FetchError {
    fault(Failure::UrlContentType, false, why)
}

/// Tells a client's error with its causes but without the address, which may carry a key in its
/// query.
pub(crate) fn explain(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}
