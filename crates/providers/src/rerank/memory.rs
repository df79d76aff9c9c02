//! What was worked out lately about the texts of a tenant. The questions to a knowledge base find
//! much the same passages, and what was not done in time for one of them is done for the next.

use crate::recent::Recent;
use quipu_core::TenantId;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What one tenant has worked out stays its own: whether a text is known shows in the time it takes.
pub(super) struct TextMemory<V> {
    /// Nobody knows the numbers behind it, so nobody can make two texts look the same.
    hasher: RandomState,
    known: Mutex<Recent<(TenantId, u64), V>>,
}

impl<V: Clone> TextMemory<V> {
    pub(super) fn new(most: usize) -> Self {
        Self {
            hasher: RandomState::new(),
            known: Mutex::new(Recent::new(most)),
        }
    }

    pub(super) fn get(&self, tenant: TenantId, text: impl Hash) -> Option<V> {
        let key = (tenant, self.hasher.hash_one(text));
        self.known().get(&key).cloned()
    }

    pub(super) fn keep(&self, tenant: TenantId, text: impl Hash, value: V) {
        let key = (tenant, self.hasher.hash_one(text));
        self.known().insert(key, value);
    }

    fn known(&self) -> MutexGuard<'_, Recent<(TenantId, u64), V>> {
        // At worst a value is missing after a panic, and then it is made again.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
