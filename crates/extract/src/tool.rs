//! Programs of the system that a child may ask for help. They inherit its limits.

use quipu_core::extraction::Failure;
use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};
use std::ffi::OsStr;
use std::io::{ErrorKind, Read, Write};
use std::process::{Child, Command, Stdio};

/// More than any page or document may say.
const MOST_OUTPUT: u64 = 32 * 1024 * 1024;
const LONGEST_COMPLAINT: u64 = 4096;

pub(crate) struct Tool(Command);

#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) bytes: Vec<u8>,
    pub(crate) complaint: String,
    pub(crate) succeeded: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// It is not installed.
    Missing,
    Failed(Failure),
}

impl Tool {
    pub(crate) fn new(name: &str) -> Self {
        let mut command = Command::new(name);
        command.stderr(Stdio::piped()).stdout(Stdio::piped());
        Self(command)
    }

    pub(crate) fn args<S: AsRef<OsStr>>(&mut self, args: impl IntoIterator<Item = S>) -> &mut Self {
        self.0.args(args);
        self
    }

    pub(crate) fn stdin(&mut self, stdin: impl Into<Stdio>) -> &mut Self {
        self.0.stdin(stdin);
        self
    }

    /// Throws its complaints away, for a program whose output another one reads.
    pub(crate) fn silent(&mut self) -> &mut Self {
        self.0.stderr(Stdio::null());
        self
    }

    pub(crate) fn spawn(&mut self) -> Result<Child, Problem> {
        let child = self.0.spawn().map_err(|error| match error.kind() {
            ErrorKind::NotFound => Problem::Missing,
            ErrorKind::OutOfMemory => Problem::Failed(Failure::OutOfMemory),
            _ => Problem::Failed(Failure::Crashed),
        })?;
        share_memory(&child);
        Ok(child)
    }

    /// Runs the program with this on its standard input.
    pub(crate) fn run(&mut self, input: &[u8]) -> Result<Output, Problem> {
        self.stdin(Stdio::piped());
        let mut child = self.spawn()?;
        let stdin = child.stdin.take();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                // A program that has seen enough stops listening.
                let _ = stdin.map(|mut stdin| stdin.write_all(input));
            });
            collect(child)
        })
    }
}

/// Leaves a program half of what this process may use, so that both together stay below it.
fn share_memory(child: &Child) {
    let own = getrlimit(Resource::As);
    let half = Rlimit {
        current: own.current.map(|bytes| bytes / 2),
        maximum: own.maximum.map(|bytes| bytes / 2),
    };
    if let Some(id) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // A program that has already ended needs no memory.
        let _ = prlimit(Some(id), Resource::As, half);
    }
}

/// Waits for a program and takes what it says, but not more than allowed.
pub(crate) fn collect(mut child: Child) -> Result<Output, Problem> {
    let stderr = child.stderr.take();
    let (bytes, complaint) = std::thread::scope(|scope| {
        let complaint = scope.spawn(move || {
            let mut complaint = Vec::new();
            if let Some(mut stderr) = stderr {
                let _ = (&mut stderr)
                    .take(LONGEST_COMPLAINT)
                    .read_to_end(&mut complaint);
                let _ = std::io::copy(&mut stderr, &mut std::io::sink());
            }
            String::from_utf8_lossy(&complaint).into_owned()
        });
        let mut bytes = Vec::new();
        if let Some(stdout) = child.stdout.take() {
            let _ = stdout.take(MOST_OUTPUT + 1).read_to_end(&mut bytes);
        }
        if bytes.len() as u64 > MOST_OUTPUT {
            let _ = child.kill();
        }
        (bytes, complaint.join().unwrap_or_default())
    });
    let status = child
        .wait()
        .map_err(|_| Problem::Failed(Failure::Crashed))?;
    if bytes.len() as u64 > MOST_OUTPUT {
        return Err(Problem::Failed(Failure::TooLong));
    }
    Ok(Output {
        bytes,
        complaint,
        succeeded: status.success(),
    })
}
