//! `TikTok` Business Messaging.
//!
//! A conversation is begun by the customer, and `TikTok` is answered to the conversation and not to a
//! person: no endpoint takes the id of a user. So the id of the conversation, which belongs to one
//! customer and one business, is how a customer is known here.

mod content;
mod errors;
mod fields;
mod inbound;
mod media;
mod outbound;
#[cfg(test)]
mod tests;

pub use errors::{explain, failure};
pub use inbound::parse;
pub(crate) use media::media;
pub(crate) use outbound::{report, send};

use crate::signature::{is_hex_signature, is_recent};
use quipu_core::Timestamp;
use secrecy::{ExposeSecret, SecretString};

/// Whether the header `Tiktok-Signature` is that of a body, and recent. All deliveries of an app are
/// signed with its secret, whichever business they are for.
#[must_use]
pub fn is_signed(
    app_secret: &SecretString,
    body: &[u8],
    header: Option<&str>,
    now: Timestamp,
) -> bool {
    let Some((time, signature)) = header.and_then(signature_parts) else {
        return false;
    };
    let Ok(seconds) = time.parse() else {
        return false;
    };
    let key = app_secret.expose_secret().as_bytes();
    // An empty secret is one that anybody knows.
    !key.is_empty()
        && is_hex_signature(key, &[time.as_bytes(), b".", body], signature)
        && is_recent(seconds, now)
}

/// The time and the signature in `t=…,s=…`. They are told by their names: their order is not promised.
fn signature_parts(header: &str) -> Option<(&str, &str)> {
    let part = |name: &str| {
        let mut parts = header.split(',').filter_map(|part| part.split_once('='));
        parts
            .find(|(key, _)| key.trim() == name)
            .map(|(_, value)| value.trim())
    };
    Some((part("t")?, part("s")?))
}
