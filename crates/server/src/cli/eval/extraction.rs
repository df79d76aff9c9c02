//! Whether the text of real files is read.

use super::entries;
use crate::cli::own_server::{OwnFolder, OwnServer, mib};
use crate::cli::own_tenant::OwnTenant;
use crate::cli::told;
use anyhow::Context;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use unicode_normalization::UnicodeNormalization;

/// Longer than any file may take.
const PATIENCE: Duration = Duration::from_mins(2);
/// Of the words in an image, so many of a hundred must be recognised.
const RECOGNISED: usize = 80;

/// A line of the manifest.
#[derive(Deserialize)]
struct Expected {
    path: String,
    kind: Kind,
    #[serde(default)]
    must_contain: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// All words must be there.
    Text,
    /// Most words must be there.
    Ocr,
    /// There is no text to be had, and a reason must be given.
    MustReject,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Text, Self::Ocr, Self::MustReject];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Ocr => "ocr",
            Self::MustReject => "must_reject",
        }
    }
}

#[derive(Serialize)]
struct Found {
    path: String,
    kind: Kind,
    passed: bool,
    outcome: String,
    code: Option<String>,
    words: usize,
    missing: Vec<String>,
    chunks: usize,
    seconds: f64,
}

#[derive(Serialize)]
struct Report {
    version: &'static str,
    passed: bool,
    files: Vec<Found>,
    seconds: f64,
    peak_resident_kib: Option<u64>,
}

pub(super) async fn run(dir: &Path, json: bool) -> anyhow::Result<ExitCode> {
    let expected = manifest(dir)?;
    let folder = OwnFolder::make("eval")?;
    let server = OwnServer::start(&folder, &[]).await?;
    let report = evaluate(&server, dir, expected).await;
    server.stop().await?;
    let report = report?;
    told::tell(&report, json, print)?;
    Ok(told::verdict(report.passed))
}

fn manifest(dir: &Path) -> anyhow::Result<Vec<Expected>> {
    let file = dir.join("manifest.jsonl");
    entries::read(&file, |_| None)
}

async fn evaluate(
    server: &OwnServer,
    dir: &Path,
    expected: Vec<Expected>,
) -> anyhow::Result<Report> {
    let tenant = OwnTenant::make(server, "measured").await?;
    let kb = tenant.knowledge_base("Evaluation").await?;
    let began = Instant::now();
    let mut files = Vec::new();
    for expected in expected {
        let name = expected.path.clone();
        let one = evaluate_file(&tenant, &kb, dir, expected).await;
        files.push(one.with_context(|| name)?);
    }
    Ok(Report {
        version: env!("CARGO_PKG_VERSION"),
        passed: files.iter().all(|file| file.passed),
        files,
        seconds: began.elapsed().as_secs_f64(),
        peak_resident_kib: server.peak_resident().ok(),
    })
}

async fn evaluate_file(
    tenant: &OwnTenant,
    kb: &str,
    dir: &Path,
    expected: Expected,
) -> anyhow::Result<Found> {
    let bytes = std::fs::read(dir.join(&expected.path))?;
    let name = Path::new(&expected.path).file_name();
    let name = name.context("a path without a name")?.to_string_lossy();
    let began = Instant::now();
    let ended = tenant.take_in(kb, &name, bytes, PATIENCE).await?;
    let seconds = began.elapsed().as_secs_f64();
    let chunks = match &ended.document_id {
        Some(document) if ended.status == "completed" => tenant.chunks(kb, document).await?,
        _ => Vec::new(),
    };
    let text = alike(&chunks.join("\n"));
    let missing: Vec<String> = (expected.must_contain.iter())
        .filter(|word| !text.contains(&alike(word)))
        .cloned()
        .collect();
    let completed = ended.status == "completed" && !chunks.is_empty();
    let words = expected.must_contain.len();
    let passed = match expected.kind {
        Kind::Text => completed && missing.is_empty(),
        Kind::Ocr => completed && (words - missing.len()) * 100 >= words * RECOGNISED,
        Kind::MustReject => {
            matches!(ended.status.as_str(), "failed" | "refused") && ended.code.is_some()
        }
    };
    Ok(Found {
        path: expected.path,
        kind: expected.kind,
        passed,
        outcome: ended.status,
        code: ended.code,
        words,
        missing,
        chunks: chunks.len(),
        seconds,
    })
}

/// The same letter may be written in two ways, and a word stands at the beginning of a sentence in
/// one place and not in another.
fn alike(text: &str) -> String {
    text.to_lowercase().nfc().collect()
}

fn print(report: &Report) {
    let widest = report.files.iter().map(|file| file.path.chars().count());
    let width = widest.max().unwrap_or(0);
    println!(
        "{:<4}  {:<width$}  {:<11}  {:<9}  {:>6}  {:>7}  {:>8}",
        "", "file", "kind", "outcome", "chunks", "words", "seconds"
    );
    for file in &report.files {
        let words = format!("{}/{}", file.words - file.missing.len(), file.words);
        println!(
            "{:<4}  {:<width$}  {:<11}  {:<9}  {:>6}  {:>7}  {:>8.2}  {}",
            if file.passed { "ok" } else { "MISS" },
            file.path,
            file.kind.as_str(),
            file.outcome,
            file.chunks,
            words,
            file.seconds,
            remark(file)
        );
    }
    println!();
    for kind in Kind::ALL {
        let of_kind = || report.files.iter().filter(|file| file.kind == kind);
        if of_kind().next().is_some() {
            println!(
                "{:<11}  {} of {} as required",
                kind.as_str(),
                of_kind().filter(|file| file.passed).count(),
                of_kind().count()
            );
        }
    }
    let memory = report.peak_resident_kib.map_or_else(String::new, |kib| {
        format!(", the server's memory at most {}", mib(kib))
    });
    println!("{:.1} seconds{memory}", report.seconds);
}

fn remark(file: &Found) -> String {
    let missing = match file.kind {
        Kind::MustReject => String::new(),
        Kind::Text | Kind::Ocr if file.missing.is_empty() => String::new(),
        Kind::Text | Kind::Ocr => format!("missing: {}", file.missing.join(", ")),
    };
    match &file.code {
        Some(code) if missing.is_empty() => code.clone(),
        Some(code) => format!("{code}; {missing}"),
        None => missing,
    }
}
