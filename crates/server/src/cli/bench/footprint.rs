//! Memory at rest and time to start.

use crate::cli::own_server::{OwnFolder, OwnServer, mib};
use serde::Serialize;
use std::time::Duration;

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

pub(super) async fn run(json: bool, starts: u32) -> anyhow::Result<()> {
    let found = footprint(&OwnFolder::make("footprint")?, starts).await?;
    if json {
        println!("{}", serde_json::to_string_pretty(&found)?);
        return Ok(());
    }
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

async fn footprint(folder: &OwnFolder, starts: u32) -> anyhow::Result<Footprint> {
    let server = OwnServer::start(folder, &[]).await?;
    let first = server.start;
    server.stop().await?;
    let mut times = Vec::new();
    for _ in 1..starts {
        let server = OwnServer::start(folder, &[]).await?;
        times.push(server.start.as_millis());
        server.stop().await?;
    }
    let server = OwnServer::start(folder, &[]).await?;
    times.push(server.start.as_millis());
    tokio::time::sleep(Duration::from_secs(5)).await;
    let idle = server.resident()?;
    ask(folder, &server.url, 100).await?;
    tokio::time::sleep(Duration::from_secs(5)).await;
    let used = server.resident()?;
    server.stop().await?;
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

async fn ask(folder: &OwnFolder, url: &str, questions: usize) -> anyhow::Result<()> {
    let key = std::fs::read_to_string(folder.path().join(crate::demo::KEY_FILE))?;
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
