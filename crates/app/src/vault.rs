//! Encryption of the secrets tenants entrust to us.

use aes_gcm::aead::{Aead, Payload};
use aes_gcm::{Aes256Gcm, KeyInit, Nonce};
use quipu_core::{Error, ErrorCode, Result, TenantId};
use secrecy::{ExposeSecret, SecretString};

const NONCE: usize = 12;

/// AES-256-GCM under the installation's master key. The tenant and the name are bound into each
/// sealed value, so one that was moved to another tenant or name does not open.
pub struct Vault {
    cipher: Aes256Gcm,
}

impl Vault {
    #[must_use]
    pub fn new(master_key: &[u8; 32]) -> Self {
        Self {
            cipher: Aes256Gcm::new(master_key.into()),
        }
    }

    /// # Errors
    /// When the operating system gives no random bytes.
    pub fn seal(&self, tenant: TenantId, name: &str, value: &SecretString) -> Result<Vec<u8>> {
        let mut nonce = [0_u8; NONCE];
        crate::token::fill(&mut nonce)?;
        let bound = bound(tenant, name);
        let payload = Payload {
            msg: value.expose_secret().as_bytes(),
            aad: &bound,
        };
        let sealed = self
            .cipher
            .encrypt(&Nonce::from(nonce), payload)
            .map_err(|_| Error::internal("sealing a secret failed"))?;
        Ok([nonce.as_slice(), &sealed].concat())
    }

    /// # Errors
    /// `SECRET_UNREADABLE` when the master key is another one or the value was tampered with.
    pub fn open(&self, tenant: TenantId, name: &str, sealed: &[u8]) -> Result<SecretString> {
        let unreadable = || Error::new(ErrorCode::SecretUnreadable).with("name", name);
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE>().ok_or_else(unreadable)?;
        let bound = bound(tenant, name);
        let payload = Payload {
            msg: sealed,
            aad: &bound,
        };
        let plain = self
            .cipher
            .decrypt(&Nonce::from(*nonce), payload)
            .map_err(|_| unreadable())?;
        String::from_utf8(plain)
            .map(SecretString::from)
            .map_err(|_| unreadable())
    }
}

fn bound(tenant: TenantId, name: &str) -> Vec<u8> {
    [tenant.uuid().as_bytes().as_slice(), name.as_bytes()].concat()
}

/// What may be shown of a secret.
#[must_use]
pub fn mask(value: &str) -> String {
    let length = value.chars().count();
    if length < 12 {
        return "••••".to_owned();
    }
    let tail: String = value.chars().skip(length - 4).collect();
    format!("••••{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use quipu_core::Timestamp;

    #[test]
    fn a_secret_opens_only_where_it_was_sealed() {
        let vault = Vault::new(&[7; 32]);
        let (a, b) = (
            TenantId::generate(Timestamp::UNIX_EPOCH),
            TenantId::generate(Timestamp::UNIX_EPOCH),
        );
        let sealed = vault.seal(a, "openai_api_key", &"sk-123".into()).unwrap();
        assert!(!sealed.windows(6).any(|w| w == b"sk-123"));
        assert_eq!(
            vault
                .open(a, "openai_api_key", &sealed)
                .unwrap()
                .expose_secret(),
            "sk-123"
        );
        assert!(vault.open(b, "openai_api_key", &sealed).is_err());
        assert!(vault.open(a, "other", &sealed).is_err());
        assert!(
            Vault::new(&[8; 32])
                .open(a, "openai_api_key", &sealed)
                .is_err()
        );
        assert!(vault.open(a, "openai_api_key", &sealed[..5]).is_err());
        assert_ne!(
            sealed,
            vault.seal(a, "openai_api_key", &"sk-123".into()).unwrap()
        );
    }

    #[test]
    fn masks_show_little() {
        assert_eq!(mask("short"), "••••");
        assert_eq!(mask("sk-abcdefghijkl"), "••••ijkl");
    }
}
