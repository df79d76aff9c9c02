//! Brings partitions up to date with the change log, and back into shape when they are damaged.

use crate::fault::{Fault, Outcome};
use crate::settings::EmbeddedSettings;
use crate::slot::{Desk, Slot};
use crate::slots::Slots;
use crate::snapshot::Snapshot;
use crate::store::{Batch, Store};
use quipu_core::engine::ChangeLog;
use quipu_core::{Error, Result};
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use tokio::sync::{Semaphore, oneshot};
use tokio::task::spawn_blocking;

/// How many partitions are written at a time: each writer takes memory of its own.
const WRITERS: usize = 4;

/// How often the log may begin anew while it is read, before that is taken for an error.
const BEGINNINGS: usize = 3;

pub(crate) struct Keeper {
    pub(crate) settings: EmbeddedSettings,
    pub(crate) slots: Slots,
    log: Arc<dyn ChangeLog>,
    writers: Semaphore,
    builders: Semaphore,
    /// Held as long as anybody may still write below the root.
    _lock: File,
}

/// How far a partition is to be brought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Goal {
    /// To whatever it holds.
    Open,
    /// To a version.
    Version(i64),
    /// To the end of the log.
    End,
}

/// Why a partition was not brought there.
enum Trouble {
    /// The change log could not be read.
    Log(Error),
    /// What is on the disk is of no use.
    Kept(Fault),
    /// What changed could not be written.
    Taking(Fault),
}

impl Keeper {
    pub(crate) fn new(settings: EmbeddedSettings, log: Arc<dyn ChangeLog>, lock: File) -> Self {
        Self {
            settings,
            slots: Slots::default(),
            log,
            writers: Semaphore::new(WRITERS),
            builders: Semaphore::new(1),
            _lock: lock,
        }
    }

    /// Brings a partition to a goal. One that somebody found `broken` is made anew. `None` when it
    /// was removed or holds nothing.
    ///
    /// The work goes on when the caller goes away: others may be waiting for it.
    pub(crate) async fn reach(
        self: &Arc<Self>,
        slot: &Arc<Slot>,
        goal: Goal,
        broken: Option<(Arc<Snapshot>, String)>,
    ) -> Result<Option<Arc<Snapshot>>> {
        let (keeper, slot) = (Arc::clone(self), Arc::clone(slot));
        let (done, reached) = oneshot::channel();
        tokio::spawn(async move {
            let mut desk = slot.desk().await;
            let outcome = keeper.advance(&slot, &mut desk, goal, broken).await;
            let tidy = matches!(outcome, Ok((_, true)));
            drop(done.send(outcome.map(|(snapshot, _)| snapshot)));
            if tidy {
                keeper.tidy(slot, desk).await;
            }
        });
        reached
            .await
            .unwrap_or_else(|_| Err(Error::internal("bringing a partition up to date failed")))
    }

    /// Also says whether there may be something to tidy.
    async fn advance(
        &self,
        slot: &Arc<Slot>,
        desk: &mut Desk,
        goal: Goal,
        broken: Option<(Arc<Snapshot>, String)>,
    ) -> Result<(Option<Arc<Snapshot>>, bool)> {
        let mut wipe = false;
        if let Some((broken, what)) = broken {
            // Somebody else may have seen to it already.
            if slot
                .snapshot()
                .is_some_and(|current| Arc::ptr_eq(&current, &broken))
            {
                give_up(slot, desk, &what);
                wipe = true;
            }
        }
        let mut again = false;
        loop {
            match self.try_advance(slot, desk, goal, wipe).await {
                Ok(reached) => return Ok(reached),
                Err(Trouble::Log(error)) => return Err(error),
                Err(Trouble::Kept(Fault::Damaged(what))) if !wipe => {
                    give_up(slot, desk, &what);
                    wipe = true;
                }
                // What is on the disk is read again, and checked, before it is blamed.
                Err(Trouble::Taking(Fault::Damaged(_))) if !again => {
                    **desk = None;
                    again = true;
                    wipe = false;
                }
                Err(Trouble::Kept(fault) | Trouble::Taking(fault)) => {
                    **desk = None;
                    return Err(fault.into());
                }
            }
        }
    }

    async fn try_advance(
        &self,
        slot: &Arc<Slot>,
        desk: &mut Desk,
        goal: Goal,
        wipe: bool,
    ) -> Result<(Option<Arc<Snapshot>>, bool), Trouble> {
        if slot.is_removed() {
            **desk = None;
            slot.publish(None, 0);
            return Ok((None, false));
        }
        let opens = desk.is_none();
        if opens {
            let (folder, settings) = (slot.folder.clone(), self.settings.clone());
            let opened = blocking(move || {
                if wipe {
                    Store::wipe(&folder, &settings)
                } else {
                    Store::open(&folder, &settings)
                }
            });
            **desk = Some(opened.await.map_err(Trouble::Kept)?);
            slot.publish(None, 0);
        }
        let written = self.take_in(slot, desk, goal, wipe).await?;
        if slot.is_removed() {
            return Ok((None, false));
        }
        let known = slot.snapshot();
        if let (Some(store), Some(known)) = (&**desk, &known)
            && !written
            && known.version >= store.version()
        {
            return Ok((Some(Arc::clone(known)), false));
        }
        // Whoever wrote last may have been killed before it was tidied, or while a graph was built.
        let untidy = written || opens;
        if desk.as_ref().is_none_or(|store| !store.is_settled()) {
            return Ok((None, untidy));
        }
        let snapshot = self.publish(slot, desk).await.map_err(Trouble::Kept)?;
        Ok((Some(snapshot), untidy))
    }

    /// Takes in portions of the log until the goal is reached. Returns whether there were any.
    async fn take_in(
        &self,
        slot: &Arc<Slot>,
        desk: &mut Desk,
        goal: Goal,
        wiped: bool,
    ) -> Result<bool, Trouble> {
        let mut written = false;
        let mut batch: Option<Batch> = None;
        let mut log_was_read = false;
        let mut beginnings = 0;
        while let Some(store) = &**desk {
            let enough = match goal {
                Goal::Open => !wiped && (store.is_settled() || store.is_unborn()),
                Goal::Version(version) => store.is_settled() && store.version() >= version,
                Goal::End => false,
            };
            if enough && !log_was_read {
                break;
            }
            let since = batch
                .as_ref()
                .map_or(store.version(), |batch| batch.version);
            let changes = self
                .log
                .changes(slot.partition, since)
                .await
                .map_err(Trouble::Log)?;
            log_was_read = true;
            if slot.is_removed() {
                break;
            }
            beginnings += usize::from(changes.from_start);
            let moves = changes.version > since || changes.from_start;
            if changes.more && (!moves || beginnings > BEGINNINGS) {
                let stuck = Error::internal("the change log says there is more but does not go on");
                return Err(Trouble::Log(stuck));
            }
            let pending = batch.get_or_insert_default();
            pending.add(changes);
            let there = matches!(goal, Goal::Version(version) if pending.version >= version)
                && store.settles_with(pending);
            let done = pending.at_end || there;
            if done || pending.entries() >= self.settings.batch_entries {
                let pending = batch.take().unwrap_or_default();
                written |= pending.entries() > 0 || pending.clear;
                self.write(desk, pending).await.map_err(Trouble::Taking)?;
            }
            if done {
                break;
            }
        }
        Ok(written)
    }

    async fn write(&self, desk: &mut Desk, batch: Batch) -> Outcome<()> {
        let Some(mut store) = desk.take() else {
            return Ok(());
        };
        let permit = self.writers.acquire().await;
        let store = blocking(move || store.apply(&batch).map(|()| store)).await?;
        drop(permit);
        **desk = Some(store);
        Ok(())
    }

    /// Lets searches see what the partition holds now.
    async fn publish(&self, slot: &Slot, desk: &mut Desk) -> Outcome<Arc<Snapshot>> {
        let Some(mut store) = desk.take() else {
            return Err(Fault::damaged("the partition is not open"));
        };
        let seen = blocking(move || store.snapshot().map(|snapshot| (store, snapshot)));
        let (store, snapshot) = seen.await?;
        let snapshot = Arc::new(snapshot);
        slot.publish(Some(Arc::clone(&snapshot)), store.in_memory());
        **desk = Some(store);
        Ok(snapshot)
    }

    /// Merges what is in small pieces, and has a graph built where one is missing.
    async fn tidy(self: Arc<Self>, slot: Arc<Slot>, mut desk: Desk) {
        if slot.is_removed() {
            return;
        }
        let Some(mut store) = desk.take() else {
            return;
        };
        let permit = self.writers.acquire().await;
        let tidied = blocking(move || store.tidy().map(|changed| (store, changed))).await;
        drop(permit);
        let plan = match tidied {
            Ok((store, changed)) => {
                let settled = store.is_settled();
                let plan = store.plan_graph();
                *desk = Some(store);
                if changed && settled && self.publish(&slot, &mut desk).await.is_err() {
                    return;
                }
                plan.filter(|_| settled)
            }
            // The partition is opened anew, and checked, by whoever needs it next.
            Err(fault) => return tracing::debug!(cause = %fault, "An index was not tidied"),
        };
        drop(desk);
        if let Some(plan) = plan
            && slot.begin_building()
        {
            tokio::spawn(async move {
                self.build(&slot, plan).await;
                slot.end_building();
            });
        }
    }

    async fn build(&self, slot: &Arc<Slot>, mut plan: crate::store::GraphPlan) {
        loop {
            let permit = self.builders.acquire().await;
            let built = blocking(move || plan.build().map(|built| (plan, built))).await;
            drop(permit);
            let (built_for, built) = match built {
                Ok(built) => built,
                Err(fault) => return tracing::debug!(cause = %fault, "A graph was not built"),
            };
            let mut desk = slot.desk().await;
            if slot.is_removed() {
                return built.graph.doom();
            }
            let Some(mut store) = desk.take() else {
                return built.graph.doom();
            };
            let installed = blocking(move || {
                let installed = store.install(&built_for, built)?;
                Ok((store, installed))
            });
            let Ok((store, installed)) = installed.await else {
                return;
            };
            let next = store.plan_graph().filter(|_| installed);
            let settled = store.is_settled();
            *desk = Some(store);
            if !installed || !settled || self.publish(slot, &mut desk).await.is_err() {
                return;
            }
            match next {
                Some(next) => plan = next,
                None => return,
            }
        }
    }
}

/// Closes a partition that cannot be used.
fn give_up(slot: &Slot, desk: &mut Desk, what: &str) {
    let (tenant, kb) = (slot.partition.tenant(), slot.partition.knowledge_base());
    tracing::warn!(
        tenant.id = %tenant,
        knowledge_base.id = %kb,
        cause = what,
        "The search index of knowledge base {kb} of tenant {tenant} cannot be used and is read \
         again from the database"
    );
    **desk = None;
    slot.publish(None, 0);
}

/// Does blocking work elsewhere. A panic there can only come from what a file holds.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Outcome<T> + Send + 'static,
) -> Outcome<T> {
    spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(Fault::damaged(format!("the index broke off: {error}"))))
}

/// Does work right here that takes less than handing it to another thread and waiting for that.
pub(crate) fn at_once<T>(work: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(Fault::damaged("the index broke off")))
}
