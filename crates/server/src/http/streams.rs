//! Answers that stay open: how many a tenant may have, and that they end with the server.

use quipu_core::{Error, ErrorCode, Result, TenantId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio_util::sync::CancellationToken;

#[derive(Clone)]
pub(crate) struct Streams {
    stop: CancellationToken,
    most: usize,
    open: Arc<Mutex<HashMap<TenantId, usize>>>,
}

impl Streams {
    /// So many for each tenant.
    pub(super) fn new(stop: CancellationToken, most: usize) -> Self {
        Self {
            stop,
            most,
            open: Arc::default(),
        }
    }

    /// A place for one more, given back when it is dropped.
    ///
    /// # Errors
    /// `BUSY` when the tenant has as many open as it may.
    pub(crate) fn enter(&self, tenant: TenantId) -> Result<OpenStream> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(tenant).or_default();
        if *count >= self.most {
            return Err(Error::new(ErrorCode::Busy).retry_after(5));
        }
        *count += 1;
        Ok(OpenStream {
            tenant,
            streams: self.clone(),
        })
    }
}

pub(crate) struct OpenStream {
    tenant: TenantId,
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
        if let Some(count) = open.get_mut(&self.tenant) {
            *count -= 1;
            if *count == 0 {
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
        let streams = Streams::new(CancellationToken::new(), 3);
        let now = quipu_core::Timestamp::UNIX_EPOCH;
        let (a, b) = (TenantId::generate(now), TenantId::generate(now));
        let mut held: Vec<OpenStream> = (0..3).map(|_| streams.enter(a).unwrap()).collect();
        assert!(streams.enter(a).is_err());
        drop(streams.enter(b).unwrap());
        held.pop();
        held.push(streams.enter(a).unwrap());
        assert!(streams.enter(a).is_err());
        held.clear();
        assert!(streams.open.lock().unwrap().is_empty());
    }
}
