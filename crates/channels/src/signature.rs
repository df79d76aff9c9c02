//! Signatures over what arrives and over what is sent.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use quipu_core::Timestamp;
use sha2::Sha256;
use subtle::ConstantTimeEq;

type HmacSha256 = Hmac<Sha256>;

/// How far the clock of a sender may be from ours.
pub const REPLAY_WINDOW_SECONDS: i64 = 300;

/// HMAC-SHA256 of some parts, one after another.
#[must_use]
pub fn hmac_sha256(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = <HmacSha256 as KeyInit>::new_from_slice(key)
        .unwrap_or_else(|_| unreachable!("a key of any length is taken"));
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

/// Whether a hexadecimal signature is that of the parts. Takes as long whichever sign is wrong.
#[must_use]
pub fn is_hex_signature(key: &[u8], parts: &[&[u8]], signature: &str) -> bool {
    let mut said = [0; 32];
    if hex::decode_to_slice(signature.trim(), &mut said).is_err() {
        return false;
    }
    hmac_sha256(key, parts).ct_eq(&said).into()
}

/// Whether two secrets are the same, whatever their lengths. Takes as long whichever sign is wrong.
#[must_use]
pub fn is_same_secret(said: &str, ours: &str) -> bool {
    let digest = |text: &str| hmac_sha256(b"compared", &[text.as_bytes()]);
    !ours.is_empty() && bool::from(digest(said).ct_eq(&digest(ours)))
}

/// Whether a moment is close enough to ours to be no replay.
#[must_use]
pub fn is_recent(seconds: i64, now: Timestamp) -> bool {
    now.as_second().abs_diff(seconds) <= REPLAY_WINDOW_SECONDS.unsigned_abs()
}

/// The headers of [Standard Webhooks](https://www.standardwebhooks.com) over a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookHeaders {
    pub id: String,
    pub timestamp: i64,
    pub signature: String,
}

/// How secrets of Standard Webhooks begin.
const SECRET_PREFIX: &str = "whsec_";

/// Signs a body as Standard Webhooks asks. The secret is `whsec_` and base64, or any text.
#[must_use]
pub fn sign_webhook(secret: &str, id: &str, at: Timestamp, body: &[u8]) -> WebhookHeaders {
    let timestamp = at.as_second();
    let head = format!("{id}.{timestamp}.");
    let mac = hmac_sha256(&webhook_key(secret), &[head.as_bytes(), body]);
    WebhookHeaders {
        id: id.to_owned(),
        timestamp,
        signature: format!("v1,{}", STANDARD.encode(mac)),
    }
}

/// Whether one of the signatures in a header of Standard Webhooks is that of the body, and recent.
#[must_use]
pub fn is_webhook_signature(
    secret: &str,
    headers: &WebhookHeaders,
    now: Timestamp,
    body: &[u8],
) -> bool {
    let head = format!("{}.{}.", headers.id, headers.timestamp);
    let mac = hmac_sha256(&webhook_key(secret), &[head.as_bytes(), body]);
    let signatures = headers.signature.split_ascii_whitespace();
    let is_ours = |signature: &str| {
        let said = signature
            .strip_prefix("v1,")
            .and_then(|said| STANDARD.decode(said).ok());
        said.is_some_and(|said| mac.as_slice().ct_eq(&said).into())
    };
    // Every one is compared, so that nothing tells which was the right one.
    let ours = signatures.filter(|signature| is_ours(signature)).count();
    ours > 0 && is_recent(headers.timestamp, now)
}

fn webhook_key(secret: &str) -> Vec<u8> {
    let encoded = secret.strip_prefix(SECRET_PREFIX);
    let decoded = encoded.and_then(|encoded| STANDARD.decode(encoded).ok());
    decoded.unwrap_or_else(|| secret.as_bytes().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    /// The example of the specification.
    #[test]
    fn a_body_is_signed_as_the_standard_says() {
        let at = Timestamp::from_second(1_614_265_330).unwrap();
        let body = br#"{"test": 2432232314}"#;
        let headers = sign_webhook(SECRET, "msg_p5jXN8AQM9LWM0D4loKWxJek", at, body);
        assert_eq!(
            headers.signature,
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        );
        assert!(is_webhook_signature(SECRET, &headers, at, body));
        let late = Timestamp::from_second(1_614_265_330 + 301).unwrap();
        assert!(!is_webhook_signature(SECRET, &headers, late, body));
        assert!(!is_webhook_signature("whsec_b3Ro", &headers, at, body));
        assert!(!is_webhook_signature(SECRET, &headers, at, b"{}"));
    }

    #[test]
    fn a_signature_in_hexadecimal_is_that_of_its_parts() {
        let key = b"key";
        let said = hex::encode(hmac_sha256(key, &[b"The quick brown fox ", b"jumps"]));
        assert!(is_hex_signature(
            key,
            &[b"The quick brown fox jumps"],
            &said
        ));
        assert!(!is_hex_signature(
            key,
            &[b"The quick brown fox jumped"],
            &said
        ));
        for wrong in ["", "zz", &said[1..], &format!("{said}00")] {
            assert!(!is_hex_signature(
                key,
                &[b"The quick brown fox jumps"],
                wrong
            ));
        }
    }

    #[test]
    fn no_secret_is_no_secret() {
        assert!(is_same_secret("a", "a"));
        assert!(!is_same_secret("a", "ab"));
        assert!(!is_same_secret("", ""));
    }
}
