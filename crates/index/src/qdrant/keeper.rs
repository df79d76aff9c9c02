//! Brings partitions up to date with the change log, one writer at a time.

use super::fault::{Fault, Outcome};
use super::record::{Claim, Record, Records};
use super::writer::Writer;
use quipu_core::Error;
use quipu_core::engine::{ChangeLog, Changes, Partition};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

/// How often the log may begin anew while it is read, before that is taken for an error.
const BEGINNINGS: usize = 3;
/// How long to wait before looking again whether somebody else has finished.
const LOOK: Duration = Duration::from_millis(50);
/// How often a writer shows that it lives before it is taken for dead.
const BEATS: u32 = 5;

pub(super) struct Keeper {
    pub(super) records: Arc<Records>,
    pub(super) writer: Writer,
    log: Arc<dyn ChangeLog>,
    silence: Duration,
    slots: Mutex<HashMap<Partition, Weak<Slot>>>,
}

/// What this process knows of a partition.
#[derive(Default)]
pub(super) struct Slot {
    /// Held by the one task of this process that writes.
    pub(super) desk: tokio::sync::Mutex<()>,
    /// How many wait to remove the partition: whoever writes makes way.
    removals: AtomicUsize,
}

/// How far a partition is to be brought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Goal {
    Version(i64),
    /// To the end of the log.
    End,
    /// The same, from nothing: what is there cannot be trusted.
    Anew(uuid::Uuid),
}

impl Keeper {
    pub(super) fn new(
        records: Arc<Records>,
        writer: Writer,
        log: Arc<dyn ChangeLog>,
        silence: Duration,
    ) -> Self {
        Self {
            records,
            writer,
            log,
            silence,
            slots: Mutex::default(),
        }
    }

    pub(super) fn slot(&self, partition: Partition) -> Arc<Slot> {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = slots.get(&partition).and_then(Weak::upgrade) {
            return slot;
        }
        slots.retain(|_, slot| slot.strong_count() > 0);
        let slot = Arc::new(Slot::default());
        slots.insert(partition, Arc::downgrade(&slot));
        slot
    }

    /// Brings a partition to a goal and returns its record.
    ///
    /// The work goes on when the caller goes away: others may be waiting for it, and a claim that
    /// is dropped half-way keeps everybody waiting.
    pub(super) async fn reach(
        self: &Arc<Self>,
        partition: Partition,
        goal: Goal,
    ) -> Outcome<Option<Record>> {
        let keeper = Arc::clone(self);
        let work = tokio::spawn(async move {
            loop {
                let slot = keeper.slot(partition);
                let _desk = slot.desk.lock().await;
                match keeper.advance(&slot, partition, goal).await {
                    // Somebody waits to remove it, or somebody else has it now.
                    Err(Fault::Changed) => tokio::time::sleep(LOOK).await,
                    reached => return reached,
                }
            }
        });
        work.await.map_err(broken_off)?
    }

    async fn advance(
        &self,
        slot: &Slot,
        partition: Partition,
        goal: Goal,
    ) -> Outcome<Option<Record>> {
        loop {
            let record = self.records.read(partition).await?;
            let anew = match (goal, &record) {
                (Goal::Version(version), Some(record)) if record.version >= version => {
                    return Ok(Some(record.clone()));
                }
                (Goal::Version(version), None) if version <= 0 => return Ok(None),
                (Goal::Anew(broken), Some(record)) => record.incarnation == broken,
                _ => false,
            };
            let known = match &record {
                Some(record) if !anew => record.reached,
                _ => 0,
            };
            let changes = self.changes(partition, known).await?;
            let unfinished = record
                .as_ref()
                .is_some_and(|record| !record.tidy || record.version < record.reached);
            let moves = changes.version > known || changes.from_start;
            if !moves && !anew && !unfinished {
                return Ok(record);
            }
            let Some((claim, record)) = self.claim(slot, partition, record).await? else {
                continue;
            };
            let work = self.take_in(slot, &claim, record, changes, anew);
            return self.under(&claim, work).await.map(Some);
        }
    }

    /// Takes in portions to the end of the log, and lets searches see them.
    async fn take_in(
        &self,
        slot: &Slot,
        claim: &Claim,
        mut record: Record,
        mut changes: Changes,
        anew: bool,
    ) -> Outcome<Record> {
        if anew {
            record = self.writer.empty(claim).await?;
        } else {
            self.writer.tidy(claim, &record).await?;
        }
        let mut beginnings = 0;
        loop {
            beginnings += usize::from(changes.from_start);
            let before = record.reached;
            record = self.writer.apply(claim, record, &changes).await?;
            if !changes.more {
                return self.writer.publish(claim, &record).await;
            }
            let moved = record.reached > before || changes.from_start;
            if !moved || beginnings > BEGINNINGS {
                let stuck = "the change log says there is more but does not go on";
                return Err(Fault::Log(Error::internal(stuck)));
            }
            if slot.removals.load(Ordering::SeqCst) > 0 {
                return Err(Fault::Changed);
            }
            changes = self.changes(claim.partition, record.reached).await?;
        }
    }

    async fn changes(&self, partition: Partition, since: i64) -> Outcome<Changes> {
        let changes = self.log.changes(partition, since).await;
        changes.map_err(Fault::Log)
    }

    /// Claims a partition as it was seen. Waits for another process that has it, unless that one
    /// has died. `None` when the partition is to be looked at again.
    async fn claim(
        &self,
        slot: &Slot,
        partition: Partition,
        seen: Option<Record>,
    ) -> Outcome<Option<(Claim, Record)>> {
        let since = Instant::now();
        if let Some(seen) = seen.as_ref().filter(|seen| seen.is_claimed()) {
            while since.elapsed() < self.silence {
                tokio::time::sleep(LOOK).await;
                let now = self.records.read(partition).await?;
                if now.is_none_or(|now| !now.is_as_silent_as(seen)) {
                    return Ok(None);
                }
                if slot.removals.load(Ordering::SeqCst) > 0 {
                    return Err(Fault::Changed);
                }
            }
            tracing::warn!(
                tenant.id = %partition.tenant(),
                knowledge_base.id = %partition.knowledge_base(),
                "A process died while it brought a search index up to date; this one goes on"
            );
        }
        self.records.claim(partition, seen.as_ref()).await
    }

    /// Works under a claim, showing all the while that somebody does, and gives it back.
    async fn under<T>(&self, claim: &Claim, work: impl Future<Output = Outcome<T>>) -> Outcome<T> {
        let alive = async {
            for beat in claim.beat + 1.. {
                tokio::time::sleep(self.silence / BEATS).await;
                self.records.beat(claim, beat).await?;
            }
            Err(Fault::Changed)
        };
        let done = tokio::select! {
            done = work => done,
            // Whoever cannot show that it lives must not go on: it counts as dead.
            lost = alive => lost,
        };
        // Should this fail, others find out that nobody is behind the claim.
        if let Err(fault) = self.records.release(claim).await {
            tracing::debug!(cause = %fault, "A claim was not given back");
        }
        done
    }

    /// Forgets a partition. Returns how many chunks it held.
    pub(super) async fn remove(self: &Arc<Self>, partition: Partition) -> Outcome<u64> {
        let keeper = Arc::clone(self);
        // Once begun it is finished, whether or not anybody waits for it.
        let work = tokio::spawn(async move {
            let slot = keeper.slot(partition);
            slot.removals.fetch_add(1, Ordering::SeqCst);
            let desk = slot.desk.lock().await;
            slot.removals.fetch_sub(1, Ordering::SeqCst);
            let removed = keeper.erase(partition).await;
            drop(desk);
            removed
        });
        work.await.map_err(broken_off)?
    }

    async fn erase(&self, partition: Partition) -> Outcome<u64> {
        // Another removal that waits is no reason to make way.
        let undisturbed = Slot::default();
        loop {
            let seen = self.records.read(partition).await?;
            // It is claimed even when there is no record, so that nobody begins one meanwhile.
            let claimed = self.claim(&undisturbed, partition, seen).await?;
            let Some((claim, record)) = claimed else {
                tokio::time::sleep(LOOK).await;
                continue;
            };
            let work = async {
                self.writer.empty(&claim).await?;
                self.records.delete(&claim).await?;
                Ok(record.chunks)
            };
            return self.under(&claim, work).await;
        }
    }
}

fn broken_off(error: tokio::task::JoinError) -> Fault {
    Fault::Log(Error::internal(error))
}
