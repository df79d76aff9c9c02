//! Whether a delivery comes from Meta. Messenger and Instagram are signed in the same way.

use crate::signature::{is_hex_signature, is_same_secret};
use secrecy::{ExposeSecret, SecretString};

/// How a signature begins in its header.
const SCHEME: &str = "sha256=";
/// Meta's challenges are numbers of about ten digits.
const LONGEST_CHALLENGE: usize = 200;

/// Whether a header `X-Hub-Signature-256` is that of a raw body.
#[must_use]
pub fn is_signed(app_secret: &SecretString, body: &[u8], header: Option<&str>) -> bool {
    let secret = app_secret.expose_secret().as_bytes();
    let Some(signature) = header.and_then(|header| header.trim().strip_prefix(SCHEME)) else {
        return false;
    };
    // Anybody can sign with a secret that is empty.
    !secret.is_empty() && is_hex_signature(secret, &[body], signature)
}

/// What is answered when an address is being connected: the challenge, where the token is ours.
#[must_use]
pub fn challenge(verify_token: &SecretString, query: &[(String, String)]) -> Option<String> {
    let value = |name: &str| {
        let pair = query.iter().find(|(key, _)| key == name);
        pair.map_or("", |(_, value)| value.as_str())
    };
    let is_ours = is_same_secret(value("hub.verify_token"), verify_token.expose_secret());
    let challenge = value("hub.challenge");
    // It is shown to whoever asks, so nothing that a browser could run may stand in it.
    let is_plain = (1..=LONGEST_CHALLENGE).contains(&challenge.len())
        && challenge
            .bytes()
            .all(|byte| byte == b' ' || byte.is_ascii_graphic());
    (is_ours && is_plain && value("hub.mode") == "subscribe").then(|| challenge.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::hmac_sha256;

    fn signed(secret: &str, body: &[u8]) -> String {
        let mac = hmac_sha256(secret.as_bytes(), &[body]);
        format!("sha256={}", hex::encode(mac))
    }

    #[test]
    fn a_body_is_signed_by_the_secret_of_the_app_alone() {
        let secret = SecretString::from("app secret");
        let body = br#"{"object":"whatsapp_business_account"}"#;
        let header = signed("app secret", body);
        assert!(is_signed(&secret, body, Some(&header)));
        assert!(!is_signed(&secret, b"{}", Some(&header)));
        assert!(!is_signed(&secret, body, Some(&signed("another", body))));
        assert!(!is_signed(&secret, body, None));
        let bare = &header[SCHEME.len()..];
        for wrong in ["", "sha256=", bare, &header.replace("sha256", "sha1")] {
            assert!(!is_signed(&secret, body, Some(wrong)));
        }
        let none = SecretString::from("");
        assert!(!is_signed(&none, body, Some(&signed("", body))));
    }

    fn asked(mode: &str, token: &str, challenge: &str) -> Vec<(String, String)> {
        let pairs = [
            ("hub.mode", mode),
            ("hub.challenge", challenge),
            ("hub.verify_token", token),
        ];
        pairs
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .into()
    }

    #[test]
    fn a_challenge_comes_back_to_whoever_knows_the_token() {
        let token = SecretString::from("ours");
        let answer = |mode, said, number: &str| challenge(&token, &asked(mode, said, number));
        assert_eq!(answer("subscribe", "ours", "1158").as_deref(), Some("1158"));
        assert_eq!(answer("subscribe", "theirs", "1158"), None);
        assert_eq!(answer("unsubscribe", "ours", "1158"), None);
        assert_eq!(answer("subscribe", "ours", ""), None);
        assert_eq!(answer("subscribe", "ours", "11\n58"), None);
        assert_eq!(answer("subscribe", "ours", "ñ"), None);
        assert_eq!(answer("subscribe", "ours", &"1".repeat(201)), None);
        assert_eq!(challenge(&token, &[]), None);
        let none = SecretString::from("");
        assert_eq!(challenge(&none, &asked("subscribe", "", "1158")), None);
    }
}
