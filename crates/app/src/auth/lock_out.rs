//! Wrong passwords, counted so that guessing ends and nobody is locked out by somebody else.
//!
//! A few failures lock the door for whoever made them: the account together with the network they
//! came from. The right password still opens it from elsewhere. Guessing from very many networks is
//! bounded by a second, much larger count for the account alone.

use crate::{App, after, token};
use quipu_core::net::counted_as;
use quipu_core::{Error, ErrorCode, Result, UserId};
use quipu_store::PlatformTx;
use quipu_store::platform::SignInState;
use std::net::IpAddr;

/// How many times the failures that lock one network out lock an account for all of them.
const ALL_NETWORKS: i32 = 20;

/// Somebody who says a password.
pub(super) struct Attempt {
    /// What is counted, and how many times the usual number it takes. Always in this order, so that
    /// two attempts never wait for each other.
    counted: Vec<(String, i32)>,
    address: Option<IpAddr>,
}

impl Attempt {
    /// At the door, from an address.
    pub(super) fn of(email: &str, address: IpAddr) -> Self {
        let network = counted_as(address);
        Self {
            counted: vec![
                (token::hash(email), ALL_NETWORKS),
                (token::hash(&format!("{email} {network}")), 1),
            ],
            address: Some(address),
        }
    }

    /// By somebody who is signed in already.
    pub(super) fn inside(person: UserId) -> Self {
        Self {
            counted: vec![(token::hash(&format!("user:{person}")), 1)],
            address: None,
        }
    }

    pub(super) async fn refuse_locked(&self, tx: &PlatformTx) -> Result<()> {
        for (name, _) in &self.counted {
            refuse_if_locked(tx, tx.sign_in_failures().find(name).await?)?;
        }
        Ok(())
    }

    /// The same with the state held, after the password was checked: of many attempts made at once
    /// only the allowed number count, and not even the right password helps while the door is locked.
    pub(super) async fn refuse_locked_meanwhile(&self, tx: &PlatformTx) -> Result<()> {
        for (name, _) in &self.counted {
            refuse_if_locked(tx, tx.sign_in_failures().hold(name).await?)?;
        }
        Ok(())
    }

    /// Counts one that was wrong, for an account if there is one.
    pub(super) async fn count_failure(
        &self,
        app: &App,
        tx: &PlatformTx,
        account: Option<UserId>,
    ) -> Result<()> {
        let now = tx.now();
        let mut locked = false;
        for (name, times) in &self.counted {
            // Failures count within one lock-out window; older ones are forgotten.
            let recent = tx.sign_in_failures().find(name).await?;
            let recent =
                recent.filter(|state| after(state.first_failed_at, app.access.lockout) > now);
            let failures = recent.map_or(0, |state| state.failures) + 1;
            let most = app.access.lockout_failures.saturating_mul(*times);
            let full = failures >= most;
            let state = SignInState {
                failures: if full { 0 } else { failures },
                first_failed_at: recent.map_or(now, |state| state.first_failed_at),
                locked_until: full.then(|| after(now, app.access.lockout)),
            };
            tx.sign_in_failures().put(name, state).await?;
            locked |= full;
        }
        let user = account.map(|id| id.to_string()).unwrap_or_default();
        let address = self.address.map(|address| address.to_string());
        let address = address.unwrap_or_default();
        note("failed");
        tracing::warn!(user.id = %user, client.address = %address, "a password was wrong");
        if locked {
            note("locked");
            tracing::warn!(user.id = %user, client.address = %address, "too many passwords were wrong: locked for a while");
        }
        Ok(())
    }

    /// Forgets the failures of whoever got it right. Those of others still count for them.
    pub(super) async fn clear(&self, tx: &PlatformTx) -> Result<()> {
        match self.counted.last() {
            Some((name, _)) => tx.sign_in_failures().clear(name).await,
            None => Ok(()),
        }
    }

    /// Forgets all failures of the account that are known here: its password is a new one.
    pub(super) async fn forgive(&self, tx: &PlatformTx) -> Result<()> {
        for (name, _) in &self.counted {
            tx.sign_in_failures().clear(name).await?;
        }
        Ok(())
    }
}

/// Counts what became of a password.
pub(super) fn note(outcome: &'static str) {
    metrics::counter!("quipu_sign_ins_total", "outcome" => outcome).increment(1);
}

fn refuse_if_locked(tx: &PlatformTx, state: Option<SignInState>) -> Result<()> {
    match state.and_then(|state| state.locked_until) {
        Some(until) if until > tx.now() => {
            note("refused");
            Err(Error::new(ErrorCode::TooManyFailures).retry_at(tx.now(), until))
        }
        _ => Ok(()),
    }
}
