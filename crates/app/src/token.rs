//! Random tokens and the hashes they are kept as.
//!
//! A token carries 256 bits of chance, so a plain SHA-256 is enough to store it safely; the slow
//! hash is for passwords, which carry far less.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use quipu_core::{Error, Result};
use sha2::{Digest, Sha256};

pub const SESSION: &str = "qs_";
pub const API_KEY: &str = "qk_";
pub const RESET: &str = "qr_";

/// A new token with its prefix, which tells people and scanners what they have found.
///
/// # Errors
/// When the operating system gives no random bytes.
pub fn generate(prefix: &str) -> Result<String> {
    let mut bytes = [0_u8; 32];
    fill(&mut bytes)?;
    Ok(format!("{prefix}{}", URL_SAFE_NO_PAD.encode(bytes)))
}

/// A password that can be read aloud and typed: sixteen letters and digits without look-alikes.
///
/// # Errors
/// When the operating system gives no random bytes.
pub fn one_time_password() -> Result<String> {
    const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut bytes = [0_u8; 16];
    fill(&mut bytes)?;
    let letters: Vec<char> = bytes
        .iter()
        .map(|b| char::from(ALPHABET[usize::from(b % 32)]))
        .collect();
    Ok(letters
        .chunks(4)
        .map(String::from_iter)
        .collect::<Vec<_>>()
        .join("-"))
}

#[must_use]
pub fn hash(token: &str) -> String {
    hex::encode(Sha256::digest(token.as_bytes()))
}

pub(crate) fn fill(bytes: &mut [u8]) -> Result<()> {
    getrandom::fill(bytes).map_err(|e| Error::internal(e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_differ_and_their_hashes_are_stable() {
        let (a, b) = (generate(API_KEY).unwrap(), generate(API_KEY).unwrap());
        assert_ne!(a, b);
        assert!(a.starts_with("qk_") && a.len() == 46);
        assert_eq!(hash("x"), hash("x"));
        assert_eq!(one_time_password().unwrap().len(), 19);
    }
}
