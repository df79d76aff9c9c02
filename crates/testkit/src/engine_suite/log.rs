use async_trait::async_trait;
use quipu_core::engine::{ChangeLog, Changes, DocumentEntries, Entry, Partition};
use quipu_core::{DocumentId, Error, ErrorCode, Result};
use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;
use std::time::Duration;

/// A change log in memory. Like the database's it has each document once, at its last change.
#[derive(Default)]
pub struct FakeLog {
    state: Mutex<State>,
}

struct State {
    partitions: HashMap<Partition, Kept>,
    portion: usize,
    delay: Duration,
    reads: usize,
    reads_from_start: usize,
    unreadable: bool,
    /// It becomes unreadable after so many more readings.
    readings_left: Option<usize>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            partitions: HashMap::new(),
            portion: 50,
            delay: Duration::ZERO,
            reads: 0,
            reads_from_start: 0,
            unreadable: false,
            readings_left: None,
        }
    }
}

#[derive(Default)]
struct Kept {
    version: i64,
    /// What is asked for from before this version begins from the start.
    horizon: i64,
    documents: HashMap<DocumentId, (i64, Vec<Entry>)>,
}

impl FakeLog {
    /// Changes documents, one version each, and returns the last version.
    pub fn write(&self, partition: Partition, changes: Vec<DocumentEntries>) -> i64 {
        self.with(|state| {
            let kept = state.partitions.entry(partition).or_default();
            for change in changes {
                kept.version += 1;
                let version = kept.version;
                kept.documents
                    .insert(change.document, (version, change.entries));
            }
            kept.version
        })
    }

    pub fn version(&self, partition: Partition) -> i64 {
        self.with(|state| {
            state
                .partitions
                .get(&partition)
                .map_or(0, |kept| kept.version)
        })
    }

    /// All that can be found.
    pub fn entries(&self, partition: Partition) -> Vec<(DocumentId, Entry)> {
        self.with(|state| {
            let kept = state.partitions.get(&partition);
            let documents = kept.into_iter().flat_map(|kept| &kept.documents);
            documents
                .flat_map(|(id, (_, entries))| entries.iter().map(|entry| (*id, entry.clone())))
                .collect()
        })
    }

    /// Drops what says that documents are gone, so that a reader must begin from the start.
    pub fn forget(&self, partition: Partition) {
        self.with(|state| {
            let kept = state.partitions.entry(partition).or_default();
            kept.documents.retain(|_, (_, entries)| !entries.is_empty());
            kept.version += 1;
            kept.horizon = kept.version;
        });
    }

    /// Drops a partition with all it had.
    pub fn drop_partition(&self, partition: Partition) {
        self.with(|state| drop(state.partitions.remove(&partition)));
    }

    /// How many documents a portion has.
    pub fn set_portion(&self, documents: usize) {
        self.with(|state| state.portion = documents);
    }

    /// How long each reading takes.
    pub fn set_delay(&self, delay: Duration) {
        self.with(|state| state.delay = delay);
    }

    pub fn set_unreadable(&self, unreadable: bool) {
        self.with(|state| {
            state.unreadable = unreadable;
            state.readings_left = None;
        });
    }

    /// Lets it be read so many more times.
    pub fn break_after(&self, readings: usize) {
        self.with(|state| state.readings_left = Some(readings));
    }

    /// How often it was read.
    pub fn reads(&self) -> usize {
        self.with(|state| state.reads)
    }

    /// How often it was read by somebody who knew nothing.
    pub fn reads_from_start(&self) -> usize {
        self.with(|state| state.reads_from_start)
    }

    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.state.lock().expect("a log that no test broke"))
    }
}

#[async_trait]
impl ChangeLog for FakeLog {
    async fn changes(&self, partition: Partition, since: i64) -> Result<Changes> {
        let (changes, delay) = self.with(|state| {
            state.reads += 1;
            state.reads_from_start += usize::from(since == 0);
            if let Some(left) = &mut state.readings_left {
                state.unreadable |= *left == 0;
                *left = left.saturating_sub(1);
            }
            if state.unreadable {
                return (Err(Error::new(ErrorCode::DatabaseUnavailable)), state.delay);
            }
            let portion = state.portion;
            let kept = state.partitions.entry(partition).or_default();
            let from_start = since > 0 && since < kept.horizon;
            let since = if from_start { 0 } else { since };
            let mut ordered: BTreeMap<i64, DocumentEntries> = BTreeMap::new();
            for (&document, (version, entries)) in &kept.documents {
                if *version > since {
                    let entries = entries.clone();
                    ordered.insert(*version, DocumentEntries { document, entries });
                }
            }
            // What is before the horizon comes at once: going on from the middle of it would be
            // going on from where the log does not reach.
            let before = ordered.range(..=kept.horizon).count();
            let portion = portion.max(before);
            let more = ordered.len() > portion;
            let taken: Vec<(i64, DocumentEntries)> = ordered.into_iter().take(portion).collect();
            let version = match taken.last() {
                Some((version, _)) if more => (*version).max(kept.horizon),
                _ => kept.version,
            };
            let changes = Changes {
                documents: taken.into_iter().map(|(_, document)| document).collect(),
                version,
                more,
                from_start,
            };
            (Ok(changes), state.delay)
        });
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        changes
    }
}
