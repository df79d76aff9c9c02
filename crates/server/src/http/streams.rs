//! Answers that stay open: how many a tenant may have, and that they end with the server.

use quipu_app::rate::RateCaller;
use quipu_core::{Error, ErrorCode, Result, TenantId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio_util::sync::CancellationToken;

#[derive(Clone)]
pub(crate) struct Streams {
    stop: CancellationToken,
    most: usize,
    each: usize,
    open: Arc<Mutex<HashMap<TenantId, Vec<RateCaller>>>>,
}

impl Streams {
    /// So many for each tenant, and so many of them for each of its people and programs.
    pub(super) fn new(stop: CancellationToken, most: usize, each: usize) -> Self {
        Self {
            stop,
            most,
            each,
            open: Arc::default(),
        }
    }

    /// A place for one more, given back when it is dropped.
    ///
    /// # Errors
    /// `BUSY` when the tenant has as many open as it may, or whoever asks has.
    pub(crate) fn enter(&self, tenant: TenantId, caller: RateCaller) -> Result<OpenStream> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let callers = open.entry(tenant).or_default();
        let own = callers.iter().filter(|one| **one == caller).count();
        if callers.len() >= self.most || own >= self.each {
            return Err(Error::new(ErrorCode::Busy).retry_after(5));
        }
        callers.push(caller);
        Ok(OpenStream {
            tenant,
            caller,
            streams: self.clone(),
        })
    }
}

pub(crate) struct OpenStream {
    tenant: TenantId,
    caller: RateCaller,
    streams: Streams,
}

impl OpenStream {
    /// Returns when the server stops.
    pub(crate) async fn stopped(&self) {
        self.streams.stop.cancelled().await;
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let open = &self.streams.open;
        let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(callers) = open.get_mut(&self.tenant) {
            if let Some(at) = callers.iter().position(|one| *one == self.caller) {
                callers.swap_remove(at);
            }
            if callers.is_empty() {
                open.remove(&self.tenant);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenants_places_are_its_own_and_come_back() {
        let streams = Streams::new(CancellationToken::new(), 3, 3);
        let now = quipu_core::Timestamp::UNIX_EPOCH;
        let (a, b) = (TenantId::generate(now), TenantId::generate(now));
        let caller = RateCaller::Person(a.uuid());
        let enter = |tenant| streams.enter(tenant, caller);
        let mut held: Vec<OpenStream> = (0..3).map(|_| enter(a).unwrap()).collect();
        assert!(enter(a).is_err());
        drop(enter(b).unwrap());
        held.pop();
        held.push(enter(a).unwrap());
        assert!(enter(a).is_err());
        held.clear();
        assert!(streams.open.lock().unwrap().is_empty());
    }

    #[test]
    fn nobody_takes_the_places_of_the_others_in_a_tenant() {
        let streams = Streams::new(CancellationToken::new(), 4, 2);
        let tenant = TenantId::generate(quipu_core::Timestamp::UNIX_EPOCH);
        let (key, other) = (tenant.uuid(), uuid::Uuid::nil());
        let (key, other) = (RateCaller::Program(key), RateCaller::Program(other));
        let first = streams.enter(tenant, key).unwrap();
        let _second = streams.enter(tenant, key).unwrap();
        assert!(streams.enter(tenant, key).is_err());
        let _others = streams.enter(tenant, other).unwrap();
        drop(first);
        assert!(streams.enter(tenant, key).is_ok());
    }
}
