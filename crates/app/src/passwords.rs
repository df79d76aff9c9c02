//! Passwords: argon2id, a bounded number at a time.

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use quipu_core::{Error, Result};
use secrecy::{ExposeSecret, SecretString};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, mpsc};
use tokio::sync::oneshot;

type Work = Box<dyn FnOnce() + Send>;

/// Each hash takes about 19 MiB and tens of milliseconds of one core, so a few threads do them all
/// and the rest wait: a flood of sign-ins takes a bounded part of the memory. The threads are our
/// own, because what the allocator keeps for reuse it keeps per thread.
pub struct Passwords {
    queue: mpsc::Sender<Work>,
}

/// Verified when there is no such person, so that the answer takes as long either way.
static DECOY: LazyLock<String> = LazyLock::new(|| {
    let nobodys = crate::token::generate("").map(SecretString::from);
    // Nothing matches an empty one either.
    nobodys
        .and_then(|password| hash(&password))
        .unwrap_or_default()
});

impl Passwords {
    /// # Errors
    /// When the operating system gives no threads.
    pub fn new(at_once: usize) -> Result<Self> {
        let (queue, work) = mpsc::channel::<Work>();
        let work = Arc::new(Mutex::new(work));
        for _ in 0..at_once.max(1) {
            let work = work.clone();
            std::thread::Builder::new()
                .name("passwords".to_owned())
                .spawn(move || {
                    // Before the first who signs in, and while the rest of the house starts.
                    LazyLock::force(&DECOY);
                    loop {
                        let next = work.lock().unwrap_or_else(PoisonError::into_inner).recv();
                        // The queue ends with the house.
                        let Ok(next) = next else { return };
                        next();
                    }
                })
                .map_err(Error::internal)?;
        }
        Ok(Self { queue })
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
        let password = password.clone();
        let matches = self
            .run(move || {
                let stored = stored.unwrap_or_else(|| DECOY.clone());
                Argon2::default()
                    .verify_password(password.expose_secret().as_bytes(), stored.as_str())
                    .is_ok()
            })
            .await?;
        Ok(matches && known)
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let (done, result) = oneshot::channel();
        let work: Work = Box::new(move || {
            // Nobody waits for the work of a request that was given up.
            if !done.is_closed() {
                let _ = done.send(work());
            }
        });
        self.queue
            .send(work)
            .map_err(|_| Error::internal("the password threads are gone"))?;
        result.await.map_err(Error::internal)
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
