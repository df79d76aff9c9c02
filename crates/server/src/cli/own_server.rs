//! A server of this very binary on a temporary folder, for the commands that measure.

use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// A data folder that goes away with its owner.
pub(super) struct OwnFolder(PathBuf);

impl OwnFolder {
    pub(super) fn make(purpose: &str) -> anyhow::Result<Self> {
        let name = format!("quipu-{purpose}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("{} cannot be made", folder.display()))?;
        Ok(Self(folder))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for OwnFolder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

pub(super) struct OwnServer {
    process: Child,
    pub(super) url: String,
    /// From exec to ready.
    pub(super) start: Duration,
    /// What it printed until it was ready.
    said: Vec<String>,
}

impl OwnServer {
    /// Starts this binary and waits until `/readyz` says yes.
    pub(super) async fn start(
        folder: &OwnFolder,
        environment: &[(String, String)],
    ) -> anyhow::Result<Self> {
        let began = Instant::now();
        let mut process = Command::new(std::env::current_exe()?)
            .args(["serve", "--bind", "127.0.0.1:0", "--data-dir"])
            .arg(folder.path())
            .env("QUIPU_TELEMETRY__LOG", "error")
            // Nothing that is measured may end up in somebody's real installation.
            .env_remove("QUIPU_CONFIG")
            .env_remove("QUIPU_DATABASE__URL")
            .env_remove("QUIPU_STORAGE__URL")
            .envs(environment.iter().cloned())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let out = process.stdout.take().context("the server has no output")?;
        let mut lines = BufReader::new(out).lines();
        let mut said = Vec::new();
        let url = loop {
            let Some(line) = lines.next_line().await? else {
                bail!("the server did not start")
            };
            if let Some(rest) = line.strip_prefix("Quipu is ready at ") {
                break rest.split(' ').next().unwrap_or_default().to_owned();
            }
            said.push(line);
        };
        let client = reqwest::Client::new();
        while !client
            .get(format!("{url}/readyz"))
            .send()
            .await
            .is_ok_and(|r| r.status().is_success())
        {
            if began.elapsed() > Duration::from_mins(1) {
                bail!("the server did not become ready");
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        let start = began.elapsed();
        // The pipe is drained, so that the server never waits for a reader.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Ok(Self {
            process,
            url,
            start,
            said,
        })
    }

    /// The administrator and the password that a first start prints.
    pub(super) fn administrator(&self) -> Option<(&str, &str)> {
        let word = |before: &str| {
            let rest = (self.said.iter()).find_map(|line| line.strip_prefix(before))?;
            rest.split(' ').next()
        };
        Some((word("Administrator: ")?, word("One-time password: ")?))
    }

    pub(super) fn id(&self) -> anyhow::Result<u32> {
        self.process.id().context("the server is gone")
    }

    /// Resident memory now, in KiB.
    pub(super) fn resident(&self) -> anyhow::Result<u64> {
        self.memory("VmRSS:")
    }

    /// The most resident memory there ever was, in KiB.
    pub(super) fn peak_resident(&self) -> anyhow::Result<u64> {
        self.memory("VmHWM:")
    }

    fn memory(&self, what: &str) -> anyhow::Result<u64> {
        let id = self.id()?;
        let status = std::fs::read_to_string(format!("/proc/{id}/status"))
            .context("resident memory can be read on Linux only")?;
        let line = status.lines().find_map(|line| line.strip_prefix(what));
        let kib = line
            .and_then(|line| line.trim().strip_suffix(" kB"))
            .with_context(|| format!("no {what}"))?;
        Ok(kib.trim().parse()?)
    }

    pub(super) async fn stop(mut self) -> anyhow::Result<()> {
        self.process.kill().await?;
        Ok(())
    }
}

/// For people.
pub(super) fn mib(kib: u64) -> String {
    format!("{}.{} MiB", kib / 1024, kib % 1024 * 10 / 1024)
}
