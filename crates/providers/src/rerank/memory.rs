//! The vectors of passages that were judged lately. The questions to a knowledge base find much
//! the same passages, and what was not done in time for one of them is done for the next.

use crate::recent::Recent;
use quipu_core::TenantId;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What one tenant has judged stays its own: whether a passage is known shows in the time it takes.
pub(super) struct Memory {
    /// Nobody knows the numbers behind it, so nobody can make two texts look the same.
    hasher: RandomState,
    vectors: Mutex<Recent<(TenantId, u64), Vec<f32>>>,
}

impl Memory {
    pub(super) fn new(most: usize) -> Self {
        Self {
            hasher: RandomState::new(),
            vectors: Mutex::new(Recent::new(most)),
        }
    }

    pub(super) fn get(&self, tenant: TenantId, text: &str) -> Option<Vec<f32>> {
        let key = (tenant, self.hasher.hash_one(text));
        self.vectors().get(&key).cloned()
    }

    pub(super) fn keep(&self, tenant: TenantId, text: &str, vector: &[f32]) {
        let key = (tenant, self.hasher.hash_one(text));
        self.vectors().insert(key, vector.to_vec());
    }

    fn vectors(&self) -> MutexGuard<'_, Recent<(TenantId, u64), Vec<f32>>> {
        // At worst a vector is missing after a panic, and then it is made again.
        self.vectors.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
