//! The partitions that are open, and which of them make room.

use crate::slot::Slot;
use quipu_core::engine::Partition;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Default)]
pub(crate) struct Slots {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    open: HashMap<Partition, (Arc<Slot>, u64)>,
    /// Counts uses, so that the slot that was used longest ago is known.
    uses: u64,
}

impl Slots {
    pub(crate) fn get(&self, root: &Path, partition: Partition) -> Arc<Slot> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.uses += 1;
        let now = inner.uses;
        let (slot, used) = inner
            .open
            .entry(partition)
            .or_insert_with(|| (Arc::new(Slot::new(root, partition)), 0));
        *used = now;
        Arc::clone(slot)
    }

    /// Lets the next one who asks for the partition begin anew.
    pub(crate) fn forget(&self, slot: &Arc<Slot>) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let known = inner.open.get(&slot.partition);
        if known.is_some_and(|(known, _)| Arc::ptr_eq(known, slot)) {
            inner.open.remove(&slot.partition);
        }
    }

    /// Closes partitions that nobody uses, the one used longest ago first, until the rest is
    /// within bounds. The one used last stays: closing it would only mean opening it again.
    pub(crate) fn make_room(&self, memory_bytes: usize, max_open: usize) {
        let mut closed = Vec::new();
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let mut memory: usize = inner.open.values().map(|(slot, _)| slot.memory()).sum();
        if memory > memory_bytes || inner.open.len() > max_open.max(1) {
            let last = inner.uses;
            let mut idle: Vec<(u64, Partition)> = inner
                .open
                .iter()
                // Whoever uses a slot holds it, and nobody can begin to while this is locked.
                .filter(|(_, (slot, used))| Arc::strong_count(slot) == 1 && *used != last)
                .map(|(partition, (_, used))| (*used, *partition))
                .collect();
            idle.sort_unstable();
            for (_, partition) in idle {
                if memory <= memory_bytes && inner.open.len() <= max_open.max(1) {
                    break;
                }
                if let Some((slot, _)) = inner.open.remove(&partition) {
                    memory -= slot.memory().min(memory);
                    closed.push(slot);
                }
            }
        }
        drop(inner);
        drop(closed);
    }

    pub(crate) fn open(&self) -> usize {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.open.len()
    }

    pub(crate) fn memory(&self) -> usize {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.open.values().map(|(slot, _)| slot.memory()).sum()
    }
}
