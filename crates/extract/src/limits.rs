//! What a child takes away from itself before it looks at a file.
//!
//! The limits are inherited by every program the child starts, and nothing in the child or below
//! it can raise them again.

use rustix::process::{Resource, Rlimit, setrlimit};
use std::time::Duration;

/// What one child may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChildLimits {
    /// Address space, which bounds the memory in use from above.
    pub memory_bytes: u64,
    pub cpu: Duration,
}

/// Pipes, libraries, fonts and language data; a file needs no more.
const OPEN_FILES: u64 = 128;

const FILE_BYTES: u64 = 4 * 1024 * 1024;

/// Sets the limits of this process and of all it will start.
///
/// # Errors
/// Which limit could not be set. A child without its limits must not read anything.
pub(crate) fn set(limits: ChildLimits) -> Result<(), String> {
    let cpu = limits.cpu.as_secs().max(1);
    for (resource, soft, hard) in [
        (Resource::As, limits.memory_bytes, limits.memory_bytes),
        // The soft limit ends the process with a signal that says why.
        (Resource::Cpu, cpu, cpu + 1),
        // Everything goes through pipes; whatever writes a file does not write a large one.
        (Resource::Fsize, FILE_BYTES, FILE_BYTES),
        (Resource::Core, 0, 0),
        (Resource::Nofile, OPEN_FILES, OPEN_FILES),
    ] {
        let limit = Rlimit {
            current: Some(soft),
            maximum: Some(hard),
        };
        setrlimit(resource, limit).map_err(|error| format!("{resource:?}: {error}"))?;
    }
    Ok(())
}
