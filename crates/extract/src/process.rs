//! One child: started, listened to, and ended with everything it started.

use crate::child::ChildTask;
use crate::spool::Spool;
use crate::wire::{Assembly, LONGEST_LINE, Reading};
use quipu_core::extraction::Failure;
use quipu_core::{Error, Result};
use rustix::process::{Pid, Signal, kill_process_group};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdout, Command};

/// How much of a child's last words is kept.
const LAST_WORDS: u64 = 8 * 1024;

/// What Rust's allocator and poppler say when there is no more memory.
const OUT_OF_MEMORY_WORDS: [&str; 4] = [
    "memory allocation of",
    "Out of memory",
    "bad_alloc",
    "Cannot allocate memory",
];

pub(crate) struct Bounds {
    pub(crate) wall: Duration,
    pub(crate) output_bytes: usize,
}

/// Runs a child on a file to its end, whatever that is.
///
/// The child and all that it started are gone when this returns, and also when the future is
/// dropped before it does.
///
/// # Errors
/// When the child cannot be started.
pub(crate) async fn run(
    program: &Path,
    task: ChildTask,
    file: &Spool,
    bounds: &Bounds,
    progress: &(dyn Fn(f32) + Send + Sync),
) -> Result<Result<Reading, Failure>> {
    let mut group = Group::start(program, task, file)?;
    let (Some(stdout), Some(stderr)) = (group.child.stdout.take(), group.child.stderr.take())
    else {
        return Err(Error::internal("the child has no pipes"));
    };
    let mut assembly = Assembly::new(bounds.output_bytes);
    let listening = tokio::time::timeout(bounds.wall, async {
        tokio::try_join!(listen(stdout, &mut assembly, progress), last_words(stderr))
    });
    let heard = match listening.await {
        Ok(heard) => heard.map(|((), words)| words),
        Err(_) => Err(Failure::TimedOut),
    };
    // A process that has closed its pipes has already decided how it ends, so that the signal
    // changes nothing for it and only takes what it left behind. It must be sent before the
    // child is waited for: until then nobody else can have its number.
    group.kill();
    let status = group.child.wait().await.map_err(Error::internal)?;
    let words = match heard {
        Ok(words) => words,
        Err(failure) => return Ok(Err(failure)),
    };
    if status.success() {
        return Ok(assembly.finish().ok_or(Failure::Crashed));
    }
    let failure = classify(status, &words);
    tracing::debug!(
        %failure,
        %status,
        work = %task.work,
        "an extracting process ended badly: {}",
        words.lines().last().unwrap_or_default()
    );
    if failure == Failure::GaveUp {
        return Err(Error::internal(words));
    }
    Ok(Err(failure))
}

/// A child at the head of its own process group.
struct Group {
    id: Option<Pid>,
    child: Child,
}

impl Group {
    fn start(program: &Path, task: ChildTask, file: &Spool) -> Result<Self> {
        let mut command = Command::new(program);
        command
            .args(task.arguments())
            .stdin(Stdio::from(file.reopen()?))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .env_clear()
            // Text recognition takes one core per page, and pages run side by side.
            .env("OMP_THREAD_LIMIT", "1")
            // Each thread would reserve address space of its own, and that is what is limited.
            .env("MALLOC_ARENA_MAX", "1")
            // So would our own allocator, which besides keeps what it once had, and starts a thread.
            .env(
                "MALLOC_CONF",
                "background_thread:false,narenas:1,retain:false",
            )
            .process_group(0)
            .kill_on_drop(true);
        for name in ["PATH", "LANG", "TESSDATA_PREFIX"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        let child = command.spawn().map_err(Error::internal)?;
        let id = child
            .id()
            .and_then(|id| i32::try_from(id).ok())
            .and_then(Pid::from_raw);
        Ok(Self { id, child })
    }

    /// Ends the whole group. Does nothing the second time.
    fn kill(&mut self) {
        if let Some(id) = self.id.take() {
            // The group is empty when everything in it has ended by itself.
            let _ = kill_process_group(id, Signal::KILL);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}

async fn listen(
    stdout: ChildStdout,
    assembly: &mut Assembly,
    progress: &(dyn Fn(f32) + Send + Sync),
) -> Result<(), Failure> {
    let mut stdout = BufReader::with_capacity(64 * 1024, stdout);
    let mut line = Vec::new();
    loop {
        line.clear();
        let most = LONGEST_LINE as u64;
        let read = (&mut stdout).take(most).read_until(b'\n', &mut line).await;
        match read {
            Ok(0) => return Ok(()),
            // The last line of a child that was cut off is as good as none.
            Ok(_) if line.last() != Some(&b'\n') => {
                return if line.len() >= LONGEST_LINE {
                    Err(Failure::TooLong)
                } else {
                    Ok(())
                };
            }
            Ok(_) => {
                if let Some(done) = assembly.take(&line)? {
                    progress(done);
                }
            }
            Err(_) => return Err(Failure::Crashed),
        }
    }
}

/// The beginning of what a child writes to standard error. The rest is read and thrown away, so
/// that a child that complains a lot does not stand still.
async fn last_words(mut stderr: ChildStderr) -> Result<String, Failure> {
    let mut words = Vec::new();
    let _ = (&mut stderr).take(LAST_WORDS).read_to_end(&mut words).await;
    let _ = tokio::io::copy(&mut stderr, &mut tokio::io::sink()).await;
    Ok(String::from_utf8_lossy(&words).into_owned())
}

fn classify(status: ExitStatus, words: &str) -> Failure {
    let out_of_memory = OUT_OF_MEMORY_WORDS.iter().any(|w| words.contains(w));
    let killed_by = |signal: Signal| status.signal() == Some(signal.as_raw());
    match status.code().and_then(|code| u8::try_from(code).ok()) {
        Some(code) => match Failure::from_exit_code(code) {
            Some(Failure::Crashed) | None if out_of_memory => Failure::OutOfMemory,
            Some(failure) => failure,
            None => Failure::Crashed,
        },
        None if killed_by(Signal::XCPU) => Failure::TimedOut,
        // Nobody but the kernel kills a child before we do, and it does so for memory.
        None if out_of_memory || killed_by(Signal::KILL) => Failure::OutOfMemory,
        None => Failure::Crashed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_is_told_by_code_signal_and_last_words() {
        let exited = |code: u8| ExitStatus::from_raw(i32::from(code) << 8);
        let signalled = |signal: Signal| ExitStatus::from_raw(signal.as_raw());
        let aborted = "memory allocation of 4096 bytes failed";
        for (status, words, failure) in [
            (exited(10), "", Failure::Encrypted),
            (exited(13), aborted, Failure::Damaged),
            (exited(22), "", Failure::Crashed),
            (exited(22), aborted, Failure::OutOfMemory),
            (exited(101), "", Failure::Crashed),
            (signalled(Signal::ABORT), aborted, Failure::OutOfMemory),
            (
                signalled(Signal::ABORT),
                "overflowed its stack",
                Failure::Crashed,
            ),
            (signalled(Signal::SEGV), "", Failure::Crashed),
            (signalled(Signal::XCPU), "", Failure::TimedOut),
            (signalled(Signal::KILL), "", Failure::OutOfMemory),
        ] {
            assert_eq!(classify(status, words), failure, "{status} {words}");
        }
    }
}
