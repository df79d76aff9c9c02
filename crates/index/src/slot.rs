//! The place of a partition in the engine.

use crate::snapshot::Snapshot;
use crate::store::Store;
use quipu_core::engine::Partition;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use tokio::sync::{Mutex, OwnedMutexGuard};

/// Whoever holds it is the only writer of the partition. `None` when it is not open.
pub(crate) type Desk = OwnedMutexGuard<Option<Store>>;

pub(crate) struct Slot {
    pub(crate) partition: Partition,
    pub(crate) folder: PathBuf,
    desk: Arc<Mutex<Option<Store>>>,
    snapshot: RwLock<Option<Arc<Snapshot>>>,
    removed: AtomicBool,
    building: AtomicBool,
    memory: AtomicUsize,
    whole: AtomicUsize,
}

/// Where a partition lies.
pub(crate) fn folder_of(root: &Path, partition: Partition) -> PathBuf {
    root.join(partition.tenant().to_string())
        .join(partition.knowledge_base().to_string())
}

impl Slot {
    pub(crate) fn new(root: &Path, partition: Partition) -> Self {
        Self {
            folder: folder_of(root, partition),
            partition,
            desk: Arc::default(),
            snapshot: RwLock::default(),
            removed: AtomicBool::new(false),
            building: AtomicBool::new(false),
            memory: AtomicUsize::new(0),
            whole: AtomicUsize::new(0),
        }
    }

    pub(crate) async fn desk(&self) -> Desk {
        Arc::clone(&self.desk).lock_owned().await
    }

    /// What can be searched now, if anything can.
    pub(crate) fn snapshot(&self) -> Option<Arc<Snapshot>> {
        let held = self.snapshot.read().unwrap_or_else(PoisonError::into_inner);
        held.clone()
    }

    pub(crate) fn publish(&self, snapshot: Option<Arc<Snapshot>>, memory: usize) {
        let whole = snapshot.as_ref();
        let whole = whole.map_or(0, |snapshot| snapshot.table.whole_in_memory());
        let mut held = self
            .snapshot
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let old = std::mem::replace(&mut *held, snapshot);
        drop(held);
        drop(old);
        self.memory.store(memory, Ordering::Relaxed);
        self.note_whole(whole);
    }

    /// Notes what the whole vectors take that searches have brought into memory.
    pub(crate) fn note_whole(&self, bytes: usize) {
        self.whole.store(bytes, Ordering::Relaxed);
    }

    pub(crate) fn memory(&self) -> usize {
        self.memory.load(Ordering::Relaxed) + self.whole.load(Ordering::Relaxed)
    }

    /// From now on whoever has this slot finds nothing in it.
    pub(crate) fn remove(&self) {
        self.removed.store(true, Ordering::SeqCst);
    }

    pub(crate) fn is_removed(&self) -> bool {
        self.removed.load(Ordering::SeqCst)
    }

    /// Whether the caller is the one who may build graphs now.
    pub(crate) fn begin_building(&self) -> bool {
        !self.building.swap(true, Ordering::SeqCst)
    }

    pub(crate) fn end_building(&self) {
        self.building.store(false, Ordering::SeqCst);
    }
}
