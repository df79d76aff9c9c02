//! Work of the bundled models on several cores.

use super::transformer::Desk;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Threads for one batch, whatever the machine has.
const MOST_THREADS: usize = 32;
/// The niceness of work that gives way.
#[cfg(target_os = "linux")]
const LEAST_URGENT: i32 = 19;

pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, |cores| cores.get().min(MOST_THREADS))
}

/// Results number 0 to `number`, each made by the first thread that is free.
pub(crate) fn in_threads<T: Send>(
    threads: usize,
    gives_way: bool,
    number: usize,
    make: impl Fn(usize, &mut Desk) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let work = || {
        if gives_way {
            give_way();
        }
        let mut desk = Desk::default();
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= number {
                return done;
            }
            done.push((at, make(at, &mut desk)));
        }
    };
    let mut done = thread::scope(|scope| {
        // The thread that calls is used for other things afterwards and must stay as it is.
        let own = usize::from(!gives_way);
        let others: Vec<_> = (own..threads).map(|_| scope.spawn(work)).collect();
        let mut done = if gives_way { Vec::new() } else { work() };
        for other in others {
            match other.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, made)| made).collect()
}

/// Has this thread, which ends with its work, take only what others leave of the processor.
fn give_way() {
    // Elsewhere this would be about the whole process.
    #[cfg(target_os = "linux")]
    rustix::process::setpriority_process(None, LEAST_URGENT).ok();
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn only_the_threads_of_a_batch_give_way() {
        let niceness = || rustix::process::getpriority_process(None).unwrap();
        let before = niceness();
        for (gives_way, expected) in [(false, before), (true, LEAST_URGENT)] {
            let seen = in_threads(2, gives_way, 8, |_, _| niceness());
            assert_eq!(seen, vec![expected; 8]);
            assert_eq!(niceness(), before, "the caller goes on as it was");
        }
    }
}
