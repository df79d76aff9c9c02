//! Who a visitor is: a number, and our signature below it.

use jiff::SignedDuration;
use quipu_channels::signature::{hmac_sha256, is_hex_signature};
use quipu_core::{ConnectionId, Result, Timestamp};
use secrecy::{ExposeSecret, SecretString};
use std::fmt;

/// How tokens of visitors begin.
const PREFIX: &str = "qw_";
/// How long a session counts after it was signed.
pub(super) const LIFETIME: SignedDuration = SignedDuration::from_hours(30 * 24);
/// One that was signed longer ago is signed anew when it is used.
const RENEWED_AFTER: SignedDuration = SignedDuration::from_hours(24);
/// What is signed, so that no other signature with the secret is taken for a session.
const PURPOSE: &[u8] = b"quipu web visitor 1";

/// The number of a visitor. It is drawn, and says nothing of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct VisitorId(u128);

impl VisitorId {
    pub(super) fn draw() -> Result<Self> {
        let mut bytes = [0; 16];
        crate::token::fill(&mut bytes)?;
        Ok(Self(u128::from_be_bytes(bytes)))
    }

    pub(super) const fn number(self) -> u128 {
        self.0
    }
}

impl fmt::Display for VisitorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// A visitor whose session counts.
#[derive(Clone, Copy, Debug)]
pub struct WebVisitor {
    pub(super) id: VisitorId,
    /// In seconds since 1970.
    expires: i64,
}

impl WebVisitor {
    /// Whether their session was signed a while ago.
    pub(super) fn is_aging(&self, now: Timestamp) -> bool {
        let left = self.expires.saturating_sub(now.as_second());
        left < (LIFETIME - RENEWED_AFTER).as_secs()
    }
}

/// A token for a visitor, which counts from now on.
pub(super) fn sign(
    secret: &SecretString,
    connection: ConnectionId,
    visitor: VisitorId,
    now: Timestamp,
) -> String {
    let expires = now.as_second().saturating_add(LIFETIME.as_secs());
    let key = secret.expose_secret().as_bytes();
    let number = visitor.number().to_be_bytes();
    let (site, until) = (connection.uuid(), expires.to_be_bytes());
    let mac = hmac_sha256(key, &[PURPOSE, site.as_bytes(), &number, &until]);
    format!("{PREFIX}{visitor}.{expires}.{}", hex::encode(mac))
}

/// The visitor of a token that was signed with the secret of this very connection and has not expired.
pub(super) fn read(
    secret: &SecretString,
    connection: ConnectionId,
    token: &str,
    now: Timestamp,
) -> Option<WebVisitor> {
    let mut parts = token.strip_prefix(PREFIX)?.split('.');
    let (number, expires, signature) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || number.len() != 32 {
        return None;
    }
    let number = u128::from_str_radix(number, 16).ok()?;
    let expires: i64 = expires.parse().ok()?;
    let key = secret.expose_secret().as_bytes();
    let (drawn, until) = (number.to_be_bytes(), expires.to_be_bytes());
    let site = connection.uuid();
    let signed: [&[u8]; 4] = [PURPOSE, site.as_bytes(), &drawn, &until];
    // Anybody can sign with a secret that is empty.
    let is_ours = !key.is_empty() && is_hex_signature(key, &signed, signature);
    (is_ours && expires > now.as_second()).then_some(WebVisitor {
        id: VisitorId(number),
        expires,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hours: i64) -> Timestamp {
        Timestamp::from_second(1_773_756_000 + hours * 3600).unwrap()
    }

    #[test]
    fn a_session_counts_for_thirty_days_on_its_own_connection() {
        let (secret, other) = (SecretString::from("a secret"), SecretString::from("other"));
        let [here, elsewhere] = [1, 2].map(|_| ConnectionId::generate(at(0)));
        let visitor = VisitorId::draw().unwrap();
        let token = sign(&secret, here, visitor, at(0));
        let found = read(&secret, here, &token, at(1)).unwrap();
        assert_eq!(found.id, visitor);
        assert_eq!(visitor.to_string().len(), 32);
        assert!(!found.is_aging(at(23)) && found.is_aging(at(25)));
        assert!(read(&secret, here, &token, at(30 * 24 - 1)).is_some());
        assert!(read(&secret, here, &token, at(30 * 24)).is_none());
        assert!(read(&other, here, &token, at(1)).is_none());
        assert!(read(&secret, elsewhere, &token, at(1)).is_none());
        let nothing = SecretString::from("");
        let forged = sign(&nothing, here, visitor, at(0));
        assert!(read(&nothing, here, &forged, at(1)).is_none());
    }

    #[test]
    fn nothing_of_a_session_can_be_changed() {
        let secret = SecretString::from("a secret");
        let here = ConnectionId::generate(at(0));
        let token = sign(&secret, here, VisitorId::draw().unwrap(), at(0));
        let parts: Vec<&str> = token["qw_".len()..].split('.').collect();
        let other = VisitorId::draw().unwrap().to_string();
        for forged in [
            format!("qw_{other}.{}.{}", parts[1], parts[2]),
            format!("qw_{}.9999999999.{}", parts[0], parts[2]),
            format!("qw_{}.{}.{}", parts[0], parts[1], "0".repeat(64)),
            format!("qw_{}.{}.", parts[0], parts[1]),
            format!("{token}.x"),
            token.replace("qw_", "qs_"),
            "qw_".to_owned(),
            String::new(),
        ] {
            assert!(read(&secret, here, &forged, at(1)).is_none(), "{forged}");
        }
    }
}
