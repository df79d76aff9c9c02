//! Parts of a search that run at the same time.

use crate::fault::Outcome;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// From how many chunks on it is worth having several threads.
const MANY: usize = if cfg!(test) { 500 } else { 50_000 };
/// A search takes no more threads than this, so that others find room too.
const MOST: usize = 4;

/// How many threads a search among so many chunks takes.
pub(super) fn worth(chunks: usize) -> usize {
    if chunks < MANY {
        return 1;
    }
    thread::available_parallelism()
        .map_or(1, NonZero::get)
        .min(MOST)
}

/// Does something with each part, on so many threads. The caller's does its share.
pub(super) fn each<P: Sync, T: Send>(
    threads: usize,
    parts: &[P],
    act: impl Fn(&P) -> Outcome<T> + Sync,
) -> Outcome<Vec<T>> {
    if threads < 2 || parts.len() < 2 {
        return parts.iter().map(act).collect();
    }
    let next = AtomicUsize::new(0);
    let work = || -> Vec<(usize, Outcome<T>)> {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            match parts.get(at) {
                Some(part) => done.push((at, act(part))),
                None => return done,
            }
        }
    };
    let mut done = thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads.min(parts.len()))
            .map(|_| scope.spawn(work))
            .collect();
        let mut done = work();
        for helper in helpers {
            match helper.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}
