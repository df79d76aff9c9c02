//! Passwords: argon2id, a bounded number at a time.

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use quipu_core::{Error, Result};
use secrecy::{ExposeSecret, SecretString};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Each hash takes about 19 MiB and tens of milliseconds of one core, so that only a few run at
/// once and the rest wait: a flood of sign-ins cannot take the memory of the server.
pub struct Passwords {
    permits: Arc<Semaphore>,
    /// Verified when there is no such person, so that the answer takes as long either way.
    decoy: String,
}

impl Passwords {
    /// # Errors
    /// When the operating system gives no random bytes.
    pub fn new(at_once: usize) -> Result<Self> {
        let decoy = hash(&SecretString::from(crate::token::generate("")?))?;
        Ok(Self {
            permits: Arc::new(Semaphore::new(at_once.max(1))),
            decoy,
        })
    }

    /// # Errors
    /// When hashing fails, which is a defect.
    pub async fn hash(&self, password: &SecretString) -> Result<String> {
        let password = password.clone();
        self.run(move || hash(&password)).await?
    }

    /// Whether the password matches. `None` stands for "there is no such person".
    ///
    /// # Errors
    /// When verifying fails for another reason than a wrong password.
    pub async fn verify(&self, password: &SecretString, stored: Option<String>) -> Result<bool> {
        let known = stored.is_some();
        let stored = stored.unwrap_or_else(|| self.decoy.clone());
        let password = password.clone();
        let matches = self
            .run(move || {
                Argon2::default()
                    .verify_password(password.expose_secret().as_bytes(), stored.as_str())
                    .is_ok()
            })
            .await?;
        Ok(matches && known)
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let permit = self
            .permits
            .clone()
            .acquire_owned()
            .await
            .map_err(Error::internal)?;
        tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        })
        .await
        .map_err(Error::internal)
    }
}

fn hash(password: &SecretString) -> Result<String> {
    Argon2::default()
        .hash_password(password.expose_secret().as_bytes())
        .map(|hash| hash.to_string())
        .map_err(|e| Error::internal(e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_right_password_matches() {
        let passwords = Passwords::new(1).unwrap();
        let stored = passwords.hash(&"correcta-123".into()).await.unwrap();
        assert!(stored.starts_with("$argon2id$"), "{stored}");
        assert!(
            passwords
                .verify(&"correcta-123".into(), Some(stored.clone()))
                .await
                .unwrap()
        );
        assert!(
            !passwords
                .verify(&"otra".into(), Some(stored))
                .await
                .unwrap()
        );
        assert!(!passwords.verify(&"otra".into(), None).await.unwrap());
    }
}
