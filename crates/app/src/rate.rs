//! Requests per minute, per tenant and key, and guesses per address. Kept in memory: each process
//! counts for itself.

use governor::clock::{Clock as _, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use quipu_core::net::counted_as;
use quipu_core::plan::Plan;
use quipu_core::{ConnectionId, Error, ErrorCode, TenantId};
use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use uuid::Uuid;

type Limiter = RateLimiter<NotKeyed, InMemoryState, DefaultClock, StateInformationMiddleware>;

/// Where a tenant stands, for the `RateLimit-*` headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateState {
    pub limit: u32,
    pub remaining: u32,
    /// Seconds until the allowance is whole again.
    pub reset_seconds: u64,
}

/// Who sends requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateCaller {
    /// It uses what the plan allows its tenant.
    Program(Uuid),
    /// They use an allowance of their own: nobody works less well because a program is busy, or because
    /// somebody else is, and they can always come and revoke it.
    Person(Uuid),
}

/// What one program may use of its tenant's allowance, of so many parts. A key in a public page that
/// somebody plays with leaves the rest to everybody else.
const KEY_SHARE: (u32, u32) = (3, 4);
/// Requests of a person in a minute, whatever the plan: a screen sends several for each that is opened.
const OF_PERSON: u32 = 600;

/// How many wrong secrets an address may present, and within which time.
const MOST_GUESSES: u32 = 20;
const GUESSING: Duration = Duration::from_mins(1);
/// How many addresses a tenant may invite that turn out to have an account elsewhere. Each of them
/// tells something about another tenant's people.
const MOST_PROBES: u32 = 10;
const PROBING: Duration = Duration::from_hours(1);
/// How often the models of a tenant's agents may be tried in a minute. Each time is paid for.
const MODEL_TRIALS: u32 = 10;
/// What a visitor of a site may write in a minute, and what all who come from one address may.
const OF_VISITOR: u32 = 20;
const OF_VISITORS: u32 = 60;
/// Requests to the chat of a site from one address in a minute. Several people may share it, and while
/// somebody answers them each asks every few seconds.
const OF_CHAT: u32 = 600;
/// How many addresses are remembered; beyond that they are all forgotten rather than grow without end.
const MOST_KEYS: usize = 100_000;

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
            if map.len() >= MOST_KEYS {
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

fn share_of(allowed: u32, (part, of): (u32, u32)) -> u32 {
    let share = (u64::from(allowed) * u64::from(part)).div_ceil(u64::from(of));
    u32::try_from(share).unwrap_or(allowed)
}

/// Counts what went wrong, by whom; what goes well costs nothing.
struct Mistakes<K> {
    most: u32,
    within: Duration,
    counts: Mutex<MistakeCounts<K>>,
}

/// How many of whom, and since when.
type MistakeCounts<K> = HashMap<K, (u32, Instant)>;

impl<K: Eq + Hash> Mistakes<K> {
    fn new(most: u32, within: Duration) -> Self {
        Self {
            most,
            within,
            counts: Mutex::new(HashMap::new()),
        }
    }

    fn check(&self, who: &K) -> Result<(), Error> {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        self.allowed(&counts, who)
    }

    fn count(&self, who: K) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        self.add(&mut counts, who);
    }

    /// Counts a mistake before it is made, so that many at once do not slip through.
    fn reserve(&self, who: K) -> Result<(), Error> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        self.allowed(&counts, &who)?;
        self.add(&mut counts, who);
        Ok(())
    }

    /// Takes back what was none after all.
    fn release(&self, who: &K) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((count, _)) = counts.get_mut(who) {
            *count = count.saturating_sub(1);
        }
    }

    fn allowed(&self, counts: &MistakeCounts<K>, who: &K) -> Result<(), Error> {
        match counts.get(who) {
            Some((count, since)) if *count >= self.most && since.elapsed() < self.within => {
                let wait = self.within.saturating_sub(since.elapsed());
                Err(Error::new(ErrorCode::TooManyFailures).retry_after(wait.as_secs() + 1))
            }
            _ => Ok(()),
        }
    }

    fn add(&self, counts: &mut MistakeCounts<K>, who: K) {
        if counts.len() >= MOST_KEYS {
            counts.clear();
        }
        let entry = counts.entry(who);
        let (count, since) = entry.or_insert_with(|| (0, Instant::now()));
        if since.elapsed() >= self.within {
            (*count, *since) = (0, Instant::now());
        }
        *count += 1;
    }
}

pub struct RateLimits {
    tenants: Keyed<TenantId>,
    programs: Keyed<Uuid>,
    people: Keyed<(TenantId, Uuid)>,
    addresses: Keyed<IpAddr>,
    guesses: Mistakes<IpAddr>,
    probes: Mistakes<TenantId>,
    trials: Keyed<TenantId>,
    visitors: Keyed<(ConnectionId, u128)>,
    visitors_from: Keyed<(ConnectionId, IpAddr)>,
    chats: Keyed<(ConnectionId, IpAddr)>,
    sign_ins_per_minute: u32,
}

impl RateLimits {
    #[must_use]
    pub fn new(sign_ins_per_minute: u32) -> Self {
        Self {
            tenants: Keyed::new(),
            programs: Keyed::new(),
            people: Keyed::new(),
            addresses: Keyed::new(),
            guesses: Mistakes::new(MOST_GUESSES, GUESSING),
            probes: Mistakes::new(MOST_PROBES, PROBING),
            trials: Keyed::new(),
            visitors: Keyed::new(),
            visitors_from: Keyed::new(),
            chats: Keyed::new(),
            sign_ins_per_minute,
        }
    }

    /// Counts one request of whoever sends it, and of the tenant where that is a program.
    ///
    /// # Errors
    /// `RATE_LIMITED` with the seconds to wait, together with the state for the headers.
    pub fn check_tenant(
        &self,
        tenant: TenantId,
        plan: &Plan,
        caller: RateCaller,
    ) -> Result<RateState, (RateState, Error)> {
        let allowed = plan.limits.requests_per_minute;
        let refused = |allowed: u32| {
            move |(state, wait): (RateState, Duration)| {
                let error = rate_limited(wait, allowed).with("plan", plan.slug.as_str());
                (state, error)
            }
        };
        let program = match caller {
            RateCaller::Program(program) => program,
            RateCaller::Person(person) => {
                let checked = self.people.check((tenant, person), OF_PERSON);
                return checked.map_err(refused(OF_PERSON));
            }
        };
        // The program first: what is refused to it costs the tenant nothing.
        let share = share_of(allowed, KEY_SHARE);
        let of_program = self.programs.check(program, share);
        let of_program = of_program.map_err(refused(share))?;
        let of_tenant = self.tenants.check(tenant, allowed);
        let of_tenant = of_tenant.map_err(refused(allowed))?;
        Ok(if of_program.remaining < of_tenant.remaining {
            of_program
        } else {
            of_tenant
        })
    }

    /// Whether an address may present one more secret.
    ///
    /// # Errors
    /// `TOO_MANY_FAILURES` with the seconds to wait, after too many that were wrong.
    pub fn may_guess(&self, address: IpAddr) -> Result<(), Error> {
        self.guesses.check(&counted_as(address))
    }

    /// Counts a secret that was wrong.
    pub fn guessed_wrong(&self, address: IpAddr) {
        self.guesses.count(counted_as(address));
    }

    /// Counts an address as if it had an account elsewhere, before that is known.
    ///
    /// # Errors
    /// `TOO_MANY_FAILURES` with the seconds to wait, after too many that had one.
    pub fn probe(&self, tenant: TenantId) -> Result<(), Error> {
        self.probes.reserve(tenant)
    }

    /// Takes an address back that turned out to have none.
    pub fn take_back_probe(&self, tenant: TenantId) {
        self.probes.release(&tenant);
    }

    /// Counts one trial of the models of an agent.
    ///
    /// # Errors
    /// `TOO_MANY_TRIALS` with the seconds to wait.
    pub fn may_try_models(&self, tenant: TenantId) -> Result<(), Error> {
        let checked = self.trials.check(tenant, MODEL_TRIALS);
        checked.map(|_| ()).map_err(|(_, wait)| {
            Error::new(ErrorCode::TooManyTrials)
                .with("value", MODEL_TRIALS)
                .retry_after(wait.as_secs() + 1)
        })
    }

    /// Counts one request to the chat of a site.
    ///
    /// # Errors
    /// `VISITOR_LIMITED` with the seconds to wait.
    pub fn check_chat(&self, site: ConnectionId, address: IpAddr) -> Result<(), Error> {
        let checked = self.chats.check((site, counted_as(address)), OF_CHAT);
        checked
            .map(|_| ())
            .map_err(|(_, wait)| visitor_limited(wait))
    }

    /// Counts one message that a visitor of a site writes. Who makes up visitors is told by their address.
    ///
    /// # Errors
    /// `VISITOR_LIMITED` with the seconds to wait.
    pub fn check_visitor(
        &self,
        site: ConnectionId,
        visitor: u128,
        address: IpAddr,
    ) -> Result<(), Error> {
        let of_visitor = self.visitors.check((site, visitor), OF_VISITOR);
        of_visitor.map_err(|(_, wait)| visitor_limited(wait))?;
        let from = (site, counted_as(address));
        let of_address = self.visitors_from.check(from, OF_VISITORS);
        of_address
            .map(|_| ())
            .map_err(|(_, wait)| visitor_limited(wait))
    }

    /// Counts one attempt to sign in, or to use a one-time token, from an address.
    ///
    /// # Errors
    /// `TOO_MANY_FAILURES` with the seconds to wait.
    pub fn check_sign_in(&self, address: IpAddr) -> Result<(), Error> {
        let address = counted_as(address);
        match self.addresses.check(address, self.sign_ins_per_minute) {
            Ok(_) => Ok(()),
            Err((_, wait)) => {
                Err(Error::new(ErrorCode::TooManyFailures).retry_after(wait.as_secs() + 1))
            }
        }
    }
}

fn visitor_limited(wait: Duration) -> Error {
    Error::new(ErrorCode::VisitorLimited).retry_after(wait.as_secs() + 1)
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

    fn program(number: u128) -> RateCaller {
        RateCaller::Program(Uuid::from_u128(number))
    }

    #[test]
    fn one_tenant_cannot_use_up_anothers_allowance() {
        let limits = RateLimits::new(10);
        let a = TenantId::generate(Timestamp::UNIX_EPOCH);
        let b = TenantId::generate(Timestamp::UNIX_EPOCH);
        let (of_a, of_b) = ([1, 2].map(program), program(3));
        for left in (0..4).rev() {
            let caller = of_a[usize::from(left == 0)];
            let state = limits.check_tenant(a, &plan(4), caller).unwrap();
            assert!(state.remaining <= left, "{state:?}");
        }
        let (state, error) = limits.check_tenant(a, &plan(4), of_a[1]).unwrap_err();
        assert_eq!(state.remaining, 0);
        assert_eq!(error.code(), ErrorCode::RateLimited);
        assert!(error.retry_after_seconds().unwrap() >= 1);
        assert!(limits.check_tenant(b, &plan(4), of_b).is_ok());
        // A larger plan takes effect at once.
        assert!(limits.check_tenant(a, &plan(30), of_a[1]).is_ok());
    }

    #[test]
    fn one_key_leaves_something_to_the_others() {
        let limits = RateLimits::new(10);
        let tenant = TenantId::generate(Timestamp::UNIX_EPOCH);
        let (widget, other) = (program(1), program(2));
        let served = (0..100)
            .take_while(|_| limits.check_tenant(tenant, &plan(20), widget).is_ok())
            .count();
        assert_eq!(served, 15);
        let (state, error) = limits.check_tenant(tenant, &plan(20), widget).unwrap_err();
        assert_eq!((state.limit, error.code()), (15, ErrorCode::RateLimited));
        assert!(limits.check_tenant(tenant, &plan(20), other).is_ok());
    }

    #[test]
    fn people_work_however_busy_programs_and_others_are() {
        let limits = RateLimits::new(10);
        let tenant = TenantId::generate(Timestamp::UNIX_EPOCH);
        for number in 0..100 {
            let _ = limits.check_tenant(tenant, &plan(20), program(number));
        }
        let (busy, calm) = [1, 2].map(Uuid::from_u128).map(RateCaller::Person).into();
        let served = (0..10_000)
            .take_while(|_| limits.check_tenant(tenant, &plan(20), busy).is_ok())
            .count();
        assert!(served >= OF_PERSON as usize, "{served}");
        assert!(limits.check_tenant(tenant, &plan(20), busy).is_err());
        assert!(limits.check_tenant(tenant, &plan(20), calm).is_ok());
        // They are somebody else in another tenant.
        let other = TenantId::generate(Timestamp::UNIX_EPOCH);
        assert!(limits.check_tenant(other, &plan(20), busy).is_ok());
    }

    #[test]
    fn guesses_are_counted_by_address_and_only_wrong_ones() {
        let limits = RateLimits::new(10);
        let (bad, good): (IpAddr, IpAddr) = ([198, 51, 100, 7].into(), [203, 0, 113, 9].into());
        for _ in 0..MOST_GUESSES {
            assert!(limits.may_guess(bad).is_ok());
            limits.guessed_wrong(bad);
        }
        let error = limits.may_guess(bad).unwrap_err();
        assert_eq!(error.code(), ErrorCode::TooManyFailures);
        for _ in 0..1000 {
            assert!(limits.may_guess(good).is_ok());
        }
    }

    #[test]
    fn a_visitor_is_limited_and_so_is_who_makes_up_visitors() {
        let limits = RateLimits::new(10);
        let site = ConnectionId::generate(Timestamp::UNIX_EPOCH);
        let (one, other): (IpAddr, IpAddr) = ([198, 51, 100, 7].into(), [203, 0, 113, 9].into());
        for _ in 0..OF_VISITOR {
            limits.check_visitor(site, 1, one).unwrap();
        }
        let error = limits.check_visitor(site, 1, other).unwrap_err();
        assert_eq!(error.code(), ErrorCode::VisitorLimited);
        assert!(error.retry_after_seconds().unwrap() >= 1);
        let served = (1_000_u128..1_500)
            .take_while(|visitor| limits.check_visitor(site, *visitor, one).is_ok())
            .count();
        assert!((30..=60).contains(&served), "{served}");
        assert!(limits.check_visitor(site, 2, other).is_ok());
        let another = ConnectionId::generate(Timestamp::UNIX_EPOCH);
        assert!(limits.check_visitor(another, 1, one).is_ok());
        assert!(limits.check_chat(site, one).is_ok());
    }

    #[test]
    fn addresses_that_are_tried_at_once_are_counted_before_anything_is_told_of_them() {
        let limits = RateLimits::new(10);
        let tenant = TenantId::generate(Timestamp::UNIX_EPOCH);
        for _ in 0..MOST_PROBES {
            limits.probe(tenant).unwrap();
        }
        let error = limits.probe(tenant).unwrap_err();
        assert_eq!(error.code(), ErrorCode::TooManyFailures);
        limits.take_back_probe(tenant);
        limits.probe(tenant).unwrap();
    }
}
