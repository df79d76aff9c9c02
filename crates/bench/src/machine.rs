//! The machine, and what this process takes of its memory.

use serde::Serialize;
use std::fs;

#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    pub processor: String,
    pub cores: usize,
    pub memory_mib: u64,
    pub system: &'static str,
    pub architecture: &'static str,
    pub build: &'static str,
}

impl Machine {
    #[must_use]
    pub fn here() -> Self {
        Self {
            processor: processor().unwrap_or_else(|| "unknown processor".to_owned()),
            cores: cores(),
            memory_mib: kib("/proc/meminfo", "MemTotal:").unwrap_or(0) / 1024,
            system: std::env::consts::OS,
            architecture: std::env::consts::ARCH,
            build: if cfg!(debug_assertions) {
                "debug"
            } else {
                "release"
            },
        }
    }
}

pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn processor() -> Option<String> {
    let info = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// Resident memory of this process in MiB, where the system tells it.
pub(crate) fn resident() -> Option<f64> {
    mib("VmRSS:")
}

/// The most there was since the start, or since the last [`forget_peak`].
pub(crate) fn peak() -> Option<f64> {
    mib("VmHWM:")
}

/// Lets the peak begin anew. Where the system does not allow it, the old one stays.
pub(crate) fn forget_peak() {
    drop(fs::write("/proc/self/clear_refs", "5"));
}

fn mib(field: &str) -> Option<f64> {
    let kib = u32::try_from(kib("/proc/self/status", field)?).ok()?;
    Some(f64::from(kib) / 1024.0)
}

fn kib(file: &str, field: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(field))?;
    line.split_whitespace().next()?.parse().ok()
}
