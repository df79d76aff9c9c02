//! From upload to searchable, through the API of a real server.

use super::made;
use super::watch::Watch;
use crate::cli::own_server::{OwnFolder, OwnServer, mib};
use crate::cli::own_tenant::OwnTenant;
use crate::cli::told;
use anyhow::{Context, bail};
use futures::StreamExt;
use quipu_core::format::{Format, sniff};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// Files on their way at the same time, so that no worker waits for the next upload.
const AT_ONCE: usize = 4;
const PATIENCE: Duration = Duration::from_mins(10);

#[derive(Serialize)]
struct Report {
    version: &'static str,
    build: &'static str,
    cores: usize,
    data: String,
    groups: Vec<Group>,
    /// Seconds that the stages took, added up over all files.
    stage_seconds: BTreeMap<String, f64>,
    server_peak_kib: u64,
    largest_child_peak_kib: u64,
    all_children_peak_kib: u64,
}

/// The files of one format.
#[derive(Serialize)]
struct Group {
    format: String,
    files: usize,
    completed: usize,
    /// Names and reasons of those that were not.
    not_completed: Vec<String>,
    bytes: u64,
    pages: u64,
    chunks: u64,
    seconds: f64,
    pages_per_second: f64,
    megabytes_per_second: f64,
    chunks_per_second: f64,
}

pub(super) async fn run(dir: Option<&Path>, json: bool) -> anyhow::Result<()> {
    let (data, files) = match dir {
        Some(dir) => (dir.display().to_string(), read(dir)?),
        None => ("made for the purpose".to_owned(), make()),
    };
    if files.is_empty() {
        bail!("there are no files to measure with in {data}");
    }
    let report = measure(data, files).await?;
    told::tell(&report, json, print)?;
    Ok(())
}

type Files = BTreeMap<String, Vec<(String, Vec<u8>)>>;

fn read(dir: &Path) -> anyhow::Result<Files> {
    let mut files = Files::new();
    let entries =
        std::fs::read_dir(dir).with_context(|| format!("{} cannot be read", dir.display()))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.is_file()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let bytes = std::fs::read(path)?;
        let format = sniff(&bytes, &name).map_or("other", Format::as_str);
        let group = files.entry(format.to_owned()).or_default();
        group.push((name.into_owned(), bytes));
    }
    Ok(files)
}

fn make() -> Files {
    let pdfs = (0..10).map(|n| (format!("texto-{n}.pdf"), made::pdf(n, 100)));
    let csv = ("precios.csv".to_owned(), made::csv(10_000));
    Files::from([
        ("pdf".to_owned(), pdfs.collect()),
        ("csv".to_owned(), vec![csv]),
    ])
}

async fn measure(data: String, files: Files) -> anyhow::Result<Report> {
    let folder = OwnFolder::make("ingest")?;
    let server = OwnServer::start(&folder, &[]).await?;
    let tenant = OwnTenant::make(&server, "measured").await?;
    let watch = Watch::start(server.id()?);
    let mut groups = Vec::new();
    for (format, files) in files {
        let kb = tenant.knowledge_base(&format).await?;
        groups.push(group(&tenant, &kb, format, files).await?);
    }
    let seen = watch.stop();
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        build: if cfg!(debug_assertions) {
            "debug"
        } else {
            "release"
        },
        cores: std::thread::available_parallelism()?.get(),
        data,
        groups,
        stage_seconds: stages(&server).await?,
        server_peak_kib: seen.server.max(server.peak_resident()?),
        largest_child_peak_kib: seen.largest_child,
        all_children_peak_kib: seen.all_children,
    };
    server.stop().await?;
    Ok(report)
}

async fn group(
    tenant: &OwnTenant,
    kb: &str,
    format: String,
    files: Vec<(String, Vec<u8>)>,
) -> anyhow::Result<Group> {
    let count = files.len();
    let bytes: u64 = files.iter().map(|(_, bytes)| bytes.len() as u64).sum();
    let began = Instant::now();
    let ended: Vec<_> = futures::stream::iter(files)
        .map(async |(name, bytes)| {
            let ended = tenant.take_in(kb, &name, bytes, PATIENCE).await?;
            anyhow::Ok((name, ended))
        })
        .buffer_unordered(AT_ONCE)
        .collect()
        .await;
    let seconds = began.elapsed().as_secs_f64();
    let mut not_completed = Vec::new();
    let (mut pages, mut chunks) = (0, 0);
    for file in ended {
        let (name, ended) = file?;
        let Some(id) = ended.document_id.filter(|_| ended.status == "completed") else {
            let why = ended.code.unwrap_or(ended.status);
            not_completed.push(format!("{name}: {why}"));
            continue;
        };
        let document = tenant.document(kb, &id).await?;
        pages += document["pages_count"].as_u64().unwrap_or(0);
        chunks += document["chunks_count"].as_u64().unwrap_or(0);
    }
    #[allow(clippy::cast_precision_loss)]
    let per_second = |amount: u64| amount as f64 / seconds;
    #[allow(clippy::cast_precision_loss)]
    let megabytes = bytes as f64 / 1e6;
    Ok(Group {
        format,
        files: count,
        completed: count - not_completed.len(),
        not_completed,
        bytes,
        pages,
        chunks,
        seconds,
        pages_per_second: per_second(pages),
        megabytes_per_second: megabytes / seconds,
        chunks_per_second: per_second(chunks),
    })
}

/// What the server counted for itself.
async fn stages(server: &OwnServer) -> anyhow::Result<BTreeMap<String, f64>> {
    let metrics = reqwest::get(format!("{}/metrics", server.url)).await?;
    let metrics = metrics.text().await?;
    let sums = metrics.lines().filter_map(|line| {
        let rest = line.strip_prefix("quipu_ingest_stage_seconds_sum{stage=\"")?;
        let (stage, value) = rest.split_once("\"} ")?;
        Some((stage.to_owned(), value.parse().ok()?))
    });
    Ok(sums.collect())
}

fn print(report: &Report) {
    println!(
        "quipu {} ({} build), {} cores, SQLite, files {}",
        report.version, report.build, report.cores, report.data
    );
    println!(
        "  {:<6} {:>5} {:>5} {:>9} {:>6} {:>7} {:>8} {:>8} {:>7} {:>9}",
        "format", "files", "done", "MB", "pages", "chunks", "s", "pages/s", "MB/s", "chunks/s"
    );
    for group in &report.groups {
        #[allow(clippy::cast_precision_loss)]
        let megabytes = group.bytes as f64 / 1e6;
        println!(
            "  {:<6} {:>5} {:>5} {megabytes:>9.2} {:>6} {:>7} {:>8.2} {:>8.1} {:>7.2} {:>9.0}",
            group.format,
            group.files,
            group.completed,
            group.pages,
            group.chunks,
            group.seconds,
            group.pages_per_second,
            group.megabytes_per_second,
            group.chunks_per_second,
        );
        for failed in &group.not_completed {
            println!("         {failed}");
        }
    }
    println!("  seconds in each stage, added up over all files:");
    for (stage, seconds) in &report.stage_seconds {
        println!("    {stage:<10} {seconds:>8.2}");
    }
    println!("  peak memory: server {}", mib(report.server_peak_kib));
    println!(
        "               largest child {}, all children {}",
        mib(report.largest_child_peak_kib),
        mib(report.all_children_peak_kib)
    );
}
