//! Looking at the memory of a server and of the processes it starts, while it works.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

/// How often memory is looked at. Shorter-lived processes may be missed.
const EVERY: Duration = Duration::from_millis(20);

/// The most that was seen, in KiB.
#[derive(Debug, Default)]
struct Peaks {
    server: AtomicU64,
    largest_child: AtomicU64,
    all_children: AtomicU64,
    oldest_child_ms: AtomicU64,
}

pub(in crate::cli) struct Watch {
    peaks: Arc<Peaks>,
    task: JoinHandle<()>,
}

/// The most there was, memory in KiB.
pub(in crate::cli) struct Seen {
    pub(in crate::cli) server: u64,
    pub(in crate::cli) largest_child: u64,
    pub(in crate::cli) all_children: u64,
    /// How long the process lived that lived longest.
    pub(in crate::cli) oldest_child: Duration,
}

impl Watch {
    pub(in crate::cli) fn start(server: u32) -> Self {
        let peaks = Arc::new(Peaks::default());
        let task = tokio::spawn({
            let peaks = peaks.clone();
            async move {
                let mut born = HashMap::new();
                loop {
                    look(server, &peaks, &mut born);
                    tokio::time::sleep(EVERY).await;
                }
            }
        });
        Self { peaks, task }
    }

    pub(in crate::cli) fn stop(self) -> Seen {
        self.task.abort();
        let read = |peak: &AtomicU64| peak.load(Ordering::Relaxed);
        Seen {
            server: read(&self.peaks.server),
            largest_child: read(&self.peaks.largest_child),
            all_children: read(&self.peaks.all_children),
            oldest_child: Duration::from_millis(read(&self.peaks.oldest_child_ms)),
        }
    }
}

fn look(server: u32, peaks: &Peaks, born: &mut HashMap<u32, Instant>) {
    let processes = processes();
    born.retain(|id, _| processes.contains_key(id));
    let mut total = 0;
    for (id, (_, kib)) in &processes {
        if *id == server {
            peaks.server.fetch_max(*kib, Ordering::Relaxed);
        } else if descends(&processes, *id, server) {
            total += kib;
            peaks.largest_child.fetch_max(*kib, Ordering::Relaxed);
            let age = born.entry(*id).or_insert_with(Instant::now).elapsed();
            let age = u64::try_from(age.as_millis()).unwrap_or(u64::MAX);
            peaks.oldest_child_ms.fetch_max(age, Ordering::Relaxed);
        }
    }
    peaks.all_children.fetch_max(total, Ordering::Relaxed);
}

/// How many processes there are below this one.
pub(in crate::cli) fn descendants(of: u32) -> usize {
    let processes = processes();
    let below = |id: &&u32| **id != of && descends(&processes, **id, of);
    processes.keys().filter(below).count()
}

fn descends(processes: &Processes, mut id: u32, ancestor: u32) -> bool {
    // A process of ours is at most a few steps below.
    for _ in 0..8 {
        match processes.get(&id) {
            Some((parent, _)) if *parent == ancestor => return true,
            Some((parent, _)) => id = *parent,
            None => return false,
        }
    }
    false
}

/// Each process with its parent and its resident memory.
type Processes = HashMap<u32, (u32, u64)>;

fn processes() -> Processes {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return HashMap::new();
    };
    entries
        .flatten()
        .filter_map(|entry| {
            let id = entry.file_name().to_str()?.parse().ok()?;
            let status = std::fs::read_to_string(entry.path().join("status")).ok()?;
            let field = |name: &str| {
                let line = status.lines().find_map(|line| line.strip_prefix(name))?;
                line.split_whitespace().next()?.parse::<u64>().ok()
            };
            let parent = u32::try_from(field("PPid:")?).ok()?;
            // A process that has ended and was not waited for has no memory.
            Some((id, (parent, field("VmRSS:").unwrap_or(0))))
        })
        .collect()
}
