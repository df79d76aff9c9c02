//! What runs in the child: one file, one task, and then the end of the process.

use crate::limits::{self, ChildLimits};
use crate::pdf::PdfReader;
use crate::wire::{self, Message, Reading};
use crate::{ocr, read, sandbox};
use quipu_core::extraction::Failure;
use quipu_core::format::Format;
use rustix::process::{Signal, getpgrp, getpid, getppid, kill_current_process_group};
use std::ffi::OsString;
use std::io::{BufWriter, Read};
use std::num::NonZeroU32;
use std::time::Duration;

/// The subcommand of our own binary that [`run`] stands behind.
pub const SUBCOMMAND: &str = "extract-child";

/// Recursion over a deep file ends at the depth limits of the readers, not at a small stack.
const STACK_BYTES: usize = 64 * 1024 * 1024;

const WATCH_EVERY: Duration = Duration::from_millis(500);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Read the text of the whole file.
    Read,
    /// Read a PDF with poppler, because our own reader broke on it.
    ReadWithPoppler,
    /// Recognise the text in the picture of one page of a PDF.
    RecognisePage(NonZeroU32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChildTask {
    pub format: Format,
    pub work: Work,
    pub limits: ChildLimits,
    /// The process that listens. The child does not outlive it.
    pub parent: u32,
}

impl ChildTask {
    /// The command line of a child with this task.
    #[must_use]
    pub fn arguments(&self) -> Vec<OsString> {
        let mut arguments = vec![
            SUBCOMMAND.to_owned(),
            format!("--format={}", self.format.as_str()),
            format!("--memory-bytes={}", self.limits.memory_bytes),
            format!("--cpu-seconds={}", self.limits.cpu.as_secs()),
            format!("--parent={}", self.parent),
        ];
        match self.work {
            Work::Read => {}
            Work::ReadWithPoppler => arguments.push("--poppler".to_owned()),
            Work::RecognisePage(page) => arguments.push(format!("--ocr-page={page}")),
        }
        arguments.into_iter().map(OsString::from).collect()
    }
}

/// Reads the file on standard input, writes what it holds to standard output, and returns the
/// exit code of the process. Call it before anything else happens in the process.
#[must_use]
pub fn run(task: ChildTask) -> u8 {
    if let Err(reason) = limits::set(task.limits) {
        eprintln!("the limits could not be set: {reason}");
        return Failure::GaveUp.exit_code();
    }
    sandbox::enter();
    watch_parent(task.parent);
    // A thread of our own: only its stack can be given a size.
    let worker = std::thread::Builder::new()
        .name("extract".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || perform(task));
    let failure = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(()))) => return 0,
        Ok(Ok(Err(failure))) => failure,
        // The panic has said what it was on standard error.
        Ok(Err(_)) => Failure::Crashed,
        Err(error) => {
            eprintln!("no thread: {error}");
            Failure::OutOfMemory
        }
    };
    eprintln!("{failure}");
    failure.exit_code()
}

/// Ends this process and all that it started as soon as its parent is gone. The kernel could send
/// a signal instead, but only to this process, and already when the parent's thread is gone.
fn watch_parent(parent: u32) {
    let watch = std::thread::Builder::new()
        .name("watch".to_owned())
        .stack_size(64 * 1024);
    let watching = watch.spawn(move || {
        loop {
            let now = getppid().map(|id| id.as_raw_pid().unsigned_abs());
            if now != Some(parent) {
                // A child started by hand is not at the head of its group, and others in the
                // group are none of its business.
                if getpgrp() == getpid() {
                    let _ = kill_current_process_group(Signal::KILL);
                }
                std::process::exit(i32::from(Failure::GaveUp.exit_code()));
            }
            std::thread::sleep(WATCH_EVERY);
        }
    });
    if let Err(error) = watching {
        eprintln!("debug: nobody watches the parent: {error}");
    }
}

fn perform(task: ChildTask) -> Result<(), Failure> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    let reading = match task.work {
        Work::RecognisePage(page) => Reading {
            segments: ocr::recognise_page(page)?.into_iter().collect(),
            ..Reading::default()
        },
        work => {
            let mut bytes = Vec::new();
            std::io::stdin()
                .lock()
                .take(Format::LARGEST + 1)
                .read_to_end(&mut bytes)
                .map_err(|_| Failure::Crashed)?;
            if bytes.len() as u64 > Format::LARGEST {
                return Err(Failure::TooLarge);
            }
            let reader = match work {
                Work::ReadWithPoppler => PdfReader::Poppler,
                _ => PdfReader::Own,
            };
            read(&bytes, task.format, reader, &mut |done| {
                // A parent that no longer listens ends the child soon enough.
                let _ = wire::line(&mut out, &Message::Progress(done));
                let _ = std::io::Write::flush(&mut out);
            })?
        }
    };
    wire::write(&mut out, reading).map_err(|_| Failure::Crashed)
}
