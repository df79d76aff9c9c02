//! Requests per minute, per tenant. Kept in memory: each process counts for itself.

use governor::clock::{Clock as _, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use quipu_core::plan::Plan;
use quipu_core::{Error, ErrorCode, TenantId};
use std::collections::HashMap;
use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

type Limiter = RateLimiter<NotKeyed, InMemoryState, DefaultClock, StateInformationMiddleware>;

/// Where a tenant stands, for the `RateLimit-*` headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateState {
    pub limit: u32,
    pub remaining: u32,
    /// Seconds until the allowance is whole again.
    pub reset_seconds: u64,
}

/// A limiter per key, made anew when the allowance changes.
struct Keyed<K> {
    limiters: Mutex<HashMap<K, (u32, Arc<Limiter>)>>,
}

impl<K: Eq + Hash> Keyed<K> {
    fn new() -> Self {
        Self {
            limiters: Mutex::new(HashMap::new()),
        }
    }

    fn check(&self, key: K, per_minute: u32) -> Result<RateState, (RateState, Duration)> {
        let limiter = {
            let mut map = self.limiters.lock().unwrap_or_else(PoisonError::into_inner);
            // Keys come from outside (addresses): forget them all rather than grow without end.
            if map.len() >= 100_000 {
                map.clear();
            }
            let entry = map
                .entry(key)
                .or_insert_with(|| (per_minute, limiter(per_minute)));
            if entry.0 != per_minute {
                *entry = (per_minute, limiter(per_minute));
            }
            entry.1.clone()
        };
        let state = |remaining: u32| RateState {
            limit: per_minute,
            remaining,
            reset_seconds: (u64::from(per_minute.saturating_sub(remaining)) * 60)
                .div_ceil(u64::from(per_minute.max(1))),
        };
        match limiter.check() {
            Ok(snapshot) => Ok(state(snapshot.remaining_burst_capacity())),
            Err(until) => Err((
                state(0),
                until.wait_time_from(DefaultClock::default().now()),
            )),
        }
    }
}

fn limiter(per_minute: u32) -> Arc<Limiter> {
    let quota = Quota::per_minute(NonZeroU32::new(per_minute).unwrap_or(NonZeroU32::MIN));
    Arc::new(RateLimiter::direct(quota).with_middleware())
}

pub struct RateLimits {
    tenants: Keyed<TenantId>,
    addresses: Keyed<std::net::IpAddr>,
    sign_ins_per_minute: u32,
}

impl RateLimits {
    #[must_use]
    pub fn new(sign_ins_per_minute: u32) -> Self {
        Self {
            tenants: Keyed::new(),
            addresses: Keyed::new(),
            sign_ins_per_minute,
        }
    }

    /// Counts one request of a tenant.
    ///
    /// # Errors
    /// `RATE_LIMITED` with the seconds to wait, together with the state for the headers.
    pub fn check_tenant(
        &self,
        tenant: TenantId,
        plan: &Plan,
    ) -> Result<RateState, (RateState, Error)> {
        let allowed = plan.limits.requests_per_minute;
        self.tenants
            .check(tenant, allowed)
            .map_err(|(state, wait)| {
                (
                    state,
                    rate_limited(wait, allowed).with("plan", plan.slug.as_str()),
                )
            })
    }

    /// Counts one attempt to sign in, or to use a one-time token, from an address.
    ///
    /// # Errors
    /// `TOO_MANY_FAILURES` with the seconds to wait.
    pub fn check_sign_in(&self, address: std::net::IpAddr) -> Result<(), Error> {
        match self.addresses.check(address, self.sign_ins_per_minute) {
            Ok(_) => Ok(()),
            Err((_, wait)) => {
                Err(Error::new(ErrorCode::TooManyFailures).retry_after(wait.as_secs() + 1))
            }
        }
    }
}

fn rate_limited(wait: Duration, allowed: u32) -> Error {
    Error::new(ErrorCode::RateLimited)
        .with("limit", "requests_per_minute")
        .with("value", allowed)
        .retry_after(wait.as_secs() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quipu_core::Timestamp;
    use quipu_core::plan::PlanLimits;

    fn plan(requests_per_minute: u32) -> Plan {
        Plan {
            slug: "free".into(),
            name: "Free".into(),
            limits: PlanLimits {
                ai_agents_enabled: true,
                max_agents: None,
                max_members: None,
                max_knowledge_bases: None,
                max_documents_per_kb: None,
                max_kb_bytes: None,
                max_storage_bytes: None,
                monthly_credits: 0,
                requests_per_minute,
            },
        }
    }

    #[test]
    fn one_tenant_cannot_use_up_anothers_allowance() {
        let limits = RateLimits::new(10);
        let a = TenantId::generate(Timestamp::UNIX_EPOCH);
        let b = TenantId::generate(Timestamp::UNIX_EPOCH);
        for left in (0..3).rev() {
            assert_eq!(limits.check_tenant(a, &plan(3)).unwrap().remaining, left);
        }
        let (state, error) = limits.check_tenant(a, &plan(3)).unwrap_err();
        assert_eq!(state.remaining, 0);
        assert_eq!(error.code(), ErrorCode::RateLimited);
        assert!(error.retry_after_seconds().unwrap() >= 1);
        assert!(limits.check_tenant(b, &plan(3)).is_ok());
        // A larger plan takes effect at once.
        assert!(limits.check_tenant(a, &plan(30)).is_ok());
    }
}
