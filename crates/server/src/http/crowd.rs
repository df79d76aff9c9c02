//! How much of the server one address has at a time.

use quipu_core::net::counted_as;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

/// Counts what each address has open. An address that has nothing open takes no room.
#[derive(Clone, Debug)]
pub struct Crowd {
    open: Arc<Mutex<HashMap<IpAddr, usize>>>,
    most: usize,
}

/// Something of an address that is open, until it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    crowd: Crowd,
    address: IpAddr,
}

impl Crowd {
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self {
            open: Arc::default(),
            most,
        }
    }

    /// One place more for an address, unless it has as many as it may.
    pub(super) fn enter(&self, address: IpAddr) -> Option<Place> {
        let address = counted_as(address);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(address).or_insert(0);
        if *count >= self.most {
            return None;
        }
        *count += 1;
        let crowd = self.clone();
        Some(Place { crowd, address })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let open = &self.crowd.open;
        let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_and_given_back() {
        let crowd = Crowd::new(2);
        let (one, two): (IpAddr, IpAddr) = ([1, 1, 1, 1].into(), [1, 1, 1, 2].into());
        let first = crowd.enter(one).unwrap();
        let second = crowd.enter(one).unwrap();
        assert!(crowd.enter(one).is_none());
        assert!(crowd.enter(two).is_some());
        drop(first);
        let third = crowd.enter(one).unwrap();
        drop((second, third));
        assert!(crowd.open.lock().unwrap().is_empty());
    }
}
