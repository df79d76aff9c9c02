//! How each channel signs what it delivers.

use crate::account::{SimulatedAccount, SimulatedChannel};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;
use std::fmt::Write as _;

/// HMAC-SHA256 of some parts, one after another.
pub(crate) fn hmac_sha256(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(key)
        .unwrap_or_else(|_| unreachable!("a key of any length is taken"));
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

/// The header that a delivery carries.
pub(crate) fn delivery_header(
    account: &SimulatedAccount,
    now_milliseconds: i64,
    body: &[u8],
) -> (&'static str, String) {
    let key = account.app_secret.as_bytes();
    match account.channel {
        SimulatedChannel::Whatsapp | SimulatedChannel::Instagram | SimulatedChannel::Messenger => {
            let signature = hex::encode(hmac_sha256(key, &[body]));
            ("x-hub-signature-256", format!("sha256={signature}"))
        }
        SimulatedChannel::Tiktok => {
            let at = now_milliseconds / 1000;
            let signature = hmac_sha256(key, &[at.to_string().as_bytes(), b".", body]);
            (
                "tiktok-signature",
                format!("t={at},s={}", hex::encode(signature)),
            )
        }
        SimulatedChannel::Voice => ("x-vapi-secret", account.app_secret.clone()),
    }
}

/// What a business adds to its token to prove that it knows the secret of its app.
pub(crate) fn app_secret_proof(account: &SimulatedAccount) -> String {
    hex::encode(hmac_sha256(
        account.app_secret.as_bytes(),
        &[account.token.as_bytes()],
    ))
}

/// JSON as the servers of Meta write it, with every slash and every sign beyond ASCII escaped. What is
/// signed are these bytes, so a receiver that signs what it has read again is found out.
pub(crate) fn escaped_json(value: &Value) -> String {
    let mut escaped = String::new();
    for sign in value.to_string().chars() {
        match sign {
            '/' => escaped.push_str("\\/"),
            sign if sign.is_ascii() => escaped.push(sign),
            sign => {
                for unit in sign.encode_utf16(&mut [0; 2]) {
                    // Writing into a string cannot fail.
                    let _ = write!(escaped, "\\u{unit:04x}");
                }
            }
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn escaped_json_means_the_same() {
        let value = json!({ "name": "Ñusta/😀", "path": "a\\b\"c" });
        let escaped = escaped_json(&value);
        assert!(escaped.is_ascii());
        assert!(
            escaped.contains("\\u00d1usta\\/\\ud83d\\ude00"),
            "{escaped}"
        );
        assert_eq!(serde_json::from_str::<Value>(&escaped).unwrap(), value);
    }

    /// The example of RFC 4231, number 2.
    #[test]
    fn a_code_over_a_body_is_that_of_the_standard() {
        let code = hmac_sha256(b"Jefe", &[b"what do ya want ", b"for nothing?"]);
        assert_eq!(
            hex::encode(code),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }

    #[test]
    fn each_channel_signs_in_its_own_header() {
        let header = |channel| {
            let account = SimulatedAccount::new(channel, "1", "http://localhost");
            delivery_header(&account, 1_700_000_000_123, b"{}")
        };
        let (name, value) = header(SimulatedChannel::Tiktok);
        assert_eq!(name, "tiktok-signature");
        assert!(value.starts_with("t=1700000000,s="));
        assert_eq!(value.len(), "t=1700000000,s=".len() + 64);
        assert_eq!(header(SimulatedChannel::Messenger).0, "x-hub-signature-256");
        let voice = header(SimulatedChannel::Voice);
        assert_eq!(voice, ("x-vapi-secret", "app-secret-of-1".to_owned()));
    }
}
