use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use serde::Serialize;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

#[derive(Args)]
pub(super) struct Bench {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Memory at rest and time to start, of this very binary on a fresh data folder.
    Footprint {
        /// For programs.
        #[arg(long)]
        json: bool,
        /// Starts on the existing folder; the middle one counts.
        #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
        starts: u32,
    },
}

#[derive(Serialize)]
struct Footprint {
    version: &'static str,
    build: &'static str,
    cores: usize,
    /// First start: migrations, administrator, demo tenant.
    first_start_ms: u128,
    /// Median of starts on the existing folder, from exec to ready.
    start_ms: u128,
    start_ms_all: Vec<u128>,
    /// Five seconds after being ready.
    idle_resident_kib: u64,
    /// After a hundred questions and five more seconds.
    used_resident_kib: u64,
    binary_bytes: u64,
}

pub(super) async fn run(bench: Bench) -> anyhow::Result<()> {
    let What::Footprint { json, starts } = bench.what;
    let folder = std::env::temp_dir().join(format!("quipu-footprint-{}", std::process::id()));
    let measured = footprint(&folder, starts).await;
    drop(std::fs::remove_dir_all(&folder));
    let found = measured?;
    if json {
        println!("{}", serde_json::to_string_pretty(&found)?);
        return Ok(());
    }
    let mib = |kib: u64| format!("{}.{} MiB", kib / 1024, kib % 1024 * 10 / 1024);
    println!(
        "quipu {} ({} build), {} cores, SQLite, demo tenant",
        found.version, found.build, found.cores
    );
    println!("  first start to ready      {:>8} ms", found.first_start_ms);
    println!(
        "  start to ready (median)   {:>8} ms   {:?}",
        found.start_ms, found.start_ms_all
    );
    println!(
        "  resident memory, idle     {:>12}",
        mib(found.idle_resident_kib)
    );
    println!(
        "  resident memory, used     {:>12}",
        mib(found.used_resident_kib)
    );
    println!(
        "  binary                    {:>12}",
        mib(found.binary_bytes / 1024)
    );
    Ok(())
}

async fn footprint(folder: &Path, starts: u32) -> anyhow::Result<Footprint> {
    let (mut server, _, first) = start(folder).await?;
    stop(&mut server).await?;
    let mut times = Vec::new();
    for _ in 1..starts {
        let (mut server, _, time) = start(folder).await?;
        times.push(time.as_millis());
        stop(&mut server).await?;
    }
    let (mut server, url, time) = start(folder).await?;
    times.push(time.as_millis());
    tokio::time::sleep(Duration::from_secs(5)).await;
    let idle = resident(&server)?;
    ask(folder, &url, 100).await?;
    tokio::time::sleep(Duration::from_secs(5)).await;
    let used = resident(&server)?;
    stop(&mut server).await?;
    let mut sorted = times.clone();
    sorted.sort_unstable();
    Ok(Footprint {
        version: env!("CARGO_PKG_VERSION"),
        build: if cfg!(debug_assertions) {
            "debug"
        } else {
            "release"
        },
        cores: std::thread::available_parallelism()?.get(),
        first_start_ms: first.as_millis(),
        start_ms: sorted[sorted.len() / 2],
        start_ms_all: times,
        idle_resident_kib: idle,
        used_resident_kib: used,
        binary_bytes: std::env::current_exe()?.metadata()?.len(),
    })
}

/// Starts this binary and waits until `/readyz` says yes.
async fn start(folder: &Path) -> anyhow::Result<(Child, String, Duration)> {
    let began = Instant::now();
    let mut server = Command::new(std::env::current_exe()?)
        .args(["serve", "--bind", "127.0.0.1:0", "--data-dir"])
        .arg(folder)
        .env("QUIPU_TELEMETRY__LOG", "error")
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    let out = server.stdout.take().context("the server has no output")?;
    let mut lines = BufReader::new(out).lines();
    let url = loop {
        let Some(line) = lines.next_line().await? else {
            bail!("the server did not start")
        };
        if let Some(rest) = line.strip_prefix("Quipu is ready at ") {
            break rest.split(' ').next().unwrap_or_default().to_owned();
        }
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
    let time = began.elapsed();
    // The pipe is drained, so that the server never waits for a reader.
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    Ok((server, url, time))
}

async fn ask(folder: &Path, url: &str, questions: usize) -> anyhow::Result<()> {
    let key = std::fs::read_to_string(folder.join(crate::demo::KEY_FILE))?;
    let client = reqwest::Client::new();
    let body = serde_json::json!({
        "messages": [{ "role": "user", "content": "¿a cómo la limpieza?" }], "stream": false,
    });
    for _ in 0..questions {
        let request = client
            .post(format!("{url}/api/agents/maya/chat"))
            .bearer_auth(key.trim());
        request.json(&body).send().await?.error_for_status()?;
    }
    Ok(())
}

fn resident(server: &Child) -> anyhow::Result<u64> {
    let id = server.id().context("the server is gone")?;
    let status = std::fs::read_to_string(format!("/proc/{id}/status"))
        .context("resident memory can be read on Linux only")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line
        .and_then(|line| line.trim().strip_suffix(" kB"))
        .context("no VmRSS")?;
    Ok(kib.trim().parse()?)
}

async fn stop(server: &mut Child) -> anyhow::Result<()> {
    server.kill().await?;
    Ok(())
}
