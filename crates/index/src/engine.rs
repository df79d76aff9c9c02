//! The engine, as the rest of the product sees it.

use crate::fault::{Fault, Outcome};
use crate::keeper::{Goal, Keeper, at_once, blocking};
use crate::manifest::Manifest;
use crate::sealed;
use crate::settings::EmbeddedSettings;
use crate::slot::{Slot, folder_of};
use crate::snapshot::Snapshot;
use async_trait::async_trait;
use quipu_core::engine::{ChangeLog, Engine, Found, Partition, Probe};
use quipu_core::retrieval::RetrievalScope;
use quipu_core::{DocumentId, Error, KnowledgeBaseId, Result, TenantId};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// How often a search begins again after it found a partition broken.
const ATTEMPTS: usize = 3;
/// Up to how many chunks a search takes less than a millisecond.
const FEW: usize = 2_000;
/// What a removed partition is called until it is deleted.
const REMOVED: &str = ".removed-";
const LOCK: &str = ".lock";

/// Keeps words and vectors of each knowledge base in a folder of its own.
pub struct EmbeddedEngine {
    keeper: Arc<Keeper>,
}

/// What the engine has in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    pub open_partitions: usize,
    /// Estimated.
    pub memory_bytes: usize,
}

impl EmbeddedEngine {
    /// Takes possession of the folder. `None` when another process has it.
    ///
    /// # Errors
    /// When it cannot be written to.
    pub async fn open(settings: EmbeddedSettings, log: Arc<dyn ChangeLog>) -> Result<Option<Self>> {
        fs::create_dir_all(&settings.root).map_err(Fault::from)?;
        let Some(lock) = lock(&settings.root)? else {
            return Ok(None);
        };
        let root = settings.root.clone();
        blocking(move || sweep(&root)).await?;
        Ok(Some(Self {
            keeper: Arc::new(Keeper::new(settings, log, lock)),
        }))
    }

    #[must_use]
    pub fn usage(&self) -> Usage {
        Usage {
            open_partitions: self.keeper.slots.open(),
            memory_bytes: self.keeper.slots.memory(),
        }
    }

    /// Whether searches of a partition go through a graph.
    #[must_use]
    pub fn has_graph(&self, partition: Partition) -> bool {
        let snapshot = self.slot(partition).snapshot();
        snapshot.is_some_and(|snapshot| !snapshot.graphs.is_empty())
    }

    /// Whether a graph was built for a partition, be it that it is searched or that it was refused.
    #[must_use]
    pub fn has_tried_a_graph(&self, partition: Partition) -> bool {
        let snapshot = self.slot(partition).snapshot();
        snapshot.is_some_and(|snapshot| snapshot.refused || !snapshot.graphs.is_empty())
    }

    fn slot(&self, partition: Partition) -> Arc<Slot> {
        self.keeper.slots.get(&self.keeper.settings.root, partition)
    }

    fn make_room(&self) {
        let settings = &self.keeper.settings;
        self.keeper
            .slots
            .make_room(settings.memory_bytes, settings.max_open);
    }

    /// What the engine holds of a partition, without asking the log for more.
    async fn held(&self, partition: Partition) -> Result<Option<Arc<Snapshot>>> {
        let slot = self.slot(partition);
        let held = match slot.snapshot() {
            Some(snapshot) => Some(snapshot),
            None => self.keeper.reach(&slot, Goal::Open, None).await?,
        };
        drop(slot);
        self.make_room();
        Ok(held)
    }

    async fn search_slot(&self, slot: &Arc<Slot>, probe: &Probe) -> Result<Found> {
        let goal = Goal::Version(probe.version);
        let mut broken = None;
        for _ in 0..ATTEMPTS {
            let current = slot.snapshot().filter(|seen| seen.version >= probe.version);
            let snapshot = match current.filter(|_| broken.is_none() && !slot.is_removed()) {
                Some(snapshot) => Some(snapshot),
                None => self.keeper.reach(slot, goal, broken.take()).await?,
            };
            let Some(snapshot) = snapshot else {
                return Ok(Found::default());
            };
            let found = if snapshot.chunks() <= FEW {
                at_once(|| snapshot.search(probe))
            } else {
                let (seen, probe) = (Arc::clone(&snapshot), probe.clone());
                blocking(move || seen.search(&probe)).await
            };
            match found {
                Ok(found) => {
                    slot.note_whole(snapshot.table.whole_in_memory());
                    return Ok(found);
                }
                Err(Fault::Damaged(what)) => broken = Some((snapshot, what)),
                Err(fault) => return Err(fault.into()),
            }
        }
        Err(Error::internal(
            "the search index is damaged as often as it is made",
        ))
    }
}

#[async_trait]
impl Engine for EmbeddedEngine {
    fn name(&self) -> &'static str {
        "embedded"
    }

    async fn search(
        &self,
        scope: &RetrievalScope,
        kb: KnowledgeBaseId,
        probe: &Probe,
    ) -> Result<Found> {
        let Some(partition) = scope.partition(kb) else {
            return Ok(Found::default());
        };
        let slot = self.slot(partition);
        let found = self.search_slot(&slot, probe).await;
        drop(slot);
        self.make_room();
        found
    }

    async fn catch_up(&self, partition: Partition) -> Result<()> {
        let slot = self.slot(partition);
        let reached = self.keeper.reach(&slot, Goal::End, None).await;
        drop(slot);
        self.make_room();
        reached.map(drop)
    }

    async fn remove(&self, partition: Partition) -> Result<u64> {
        let slot = self.slot(partition);
        slot.remove();
        let keeper = Arc::clone(&self.keeper);
        // Once begun it is finished, whether or not anybody waits for it.
        let removal = tokio::spawn(async move {
            let mut desk = slot.desk().await;
            *desk = None;
            slot.publish(None, 0);
            let (root, folder) = (keeper.settings.root.clone(), slot.folder.clone());
            let removed = blocking(move || delete(&root, &folder)).await;
            keeper.slots.forget(&slot);
            removed
        });
        let removed = removal.await.map_err(Error::internal)?;
        Ok(removed?)
    }

    async fn count(&self, partition: Partition) -> Result<u64> {
        let held = self.held(partition).await?;
        Ok(held.map_or(0, |snapshot| snapshot.chunks() as u64))
    }

    async fn count_of(&self, partition: Partition, documents: &[DocumentId]) -> Result<u64> {
        let held = self.held(partition).await?;
        Ok(held.map_or(0, |snapshot| snapshot.chunks_of(documents) as u64))
    }

    async fn partitions(&self, tenant: Option<TenantId>) -> Result<Vec<Partition>> {
        let root = self.keeper.settings.root.clone();
        Ok(blocking(move || list(&root, tenant)).await?)
    }

    async fn reached(&self) -> Result<Vec<(Partition, i64)>> {
        let root = self.keeper.settings.root.clone();
        let read = move || {
            let partitions = list(&root, None)?.into_iter();
            // What cannot be read is seen to when it is opened.
            let reached = partitions.filter_map(|partition| {
                let manifest = Manifest::read(&folder_of(&root, partition)).ok()??;
                Some((partition, manifest.version))
            });
            Ok(reached.collect())
        };
        Ok(blocking(read).await?)
    }
}

/// Removes a folder of partitions, unless a process has it.
///
/// # Errors
/// When it cannot be removed.
pub async fn clear(root: &Path) -> Result<()> {
    let Some(lock) = lock(root)? else {
        return Ok(());
    };
    let root = root.to_owned();
    Ok(blocking(move || {
        // Whoever opens the folder from now on finds it empty or finds it locked.
        let removed = fs::remove_dir_all(root);
        drop(lock);
        Ok(removed?)
    })
    .await?)
}

fn lock(root: &Path) -> Result<Option<File>> {
    let file = File::create(root.join(LOCK)).map_err(Fault::from)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(Fault::from(error).into()),
    }
}

/// The partitions that have a folder, as the names of the folders say.
fn list(root: &Path, tenant: Option<TenantId>) -> Outcome<Vec<Partition>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root)? {
        let entry = entry?;
        let Ok(owner) = entry.file_name().to_string_lossy().parse::<TenantId>() else {
            continue;
        };
        if tenant.is_some_and(|tenant| tenant != owner) {
            continue;
        }
        for entry in fs::read_dir(entry.path())? {
            if let Ok(kb) = entry?.file_name().to_string_lossy().parse() {
                found.push(Partition::named(owner, kb));
            }
        }
    }
    Ok(found)
}

/// Finishes removals that were cut off.
fn sweep(root: &Path) -> Outcome<()> {
    for entry in fs::read_dir(root)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(REMOVED) {
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

/// Deletes a partition and returns how many chunks it held. It is moved away first, so that
/// nobody who still knows its name writes into it meanwhile.
fn delete(root: &Path, folder: &Path) -> Outcome<u64> {
    let chunks = match Manifest::read(folder) {
        Ok(Some(manifest)) => manifest.chunks,
        Ok(None) | Err(_) => 0,
    };
    let away = root.join(format!("{REMOVED}{}", sealed::fresh_name()?));
    match fs::rename(folder, &away) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(chunks),
        renamed => renamed?,
    }
    // A graph that is being written may leave a last file while the folder is emptied.
    if fs::remove_dir_all(&away).is_err() {
        fs::remove_dir_all(&away)?;
    }
    if let Some(tenant) = folder.parent() {
        // The last partition of a tenant takes the tenant's folder with it.
        drop(fs::remove_dir(tenant));
    }
    Ok(chunks)
}
