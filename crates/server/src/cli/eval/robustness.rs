//! Damaged files by the thousand: nothing a file does may get past the bounds of its reader.

use crate::cli::bench::Watch;
use crate::cli::own_server::mib;
use crate::cli::told;
use anyhow::{Context, bail};
use bytes::Bytes;
use futures::StreamExt;
use quipu_core::format::{Format, sniff};
use quipu_core::ports::Extractor;
use quipu_extract::{ChildExtractor, ExtractSettings, PAGE_WALL};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// What a reader may take here: less than in a server, so that more files are tried.
const WALL: Duration = Duration::from_secs(20);
/// How much longer than its bound a reader may take to be gone, on a busy machine.
const SLACK: Duration = Duration::from_secs(10);
const MEMORY: u64 = 1 << 30;
/// Pages of a PDF that are recognised, each by a reader of its own.
const OCR_PAGES: u32 = 2;

#[derive(Serialize)]
struct Report {
    groups: Vec<Group>,
    /// Processes of readers that were still there at the end.
    left_over: usize,
}

#[derive(Serialize)]
struct Group {
    name: &'static str,
    seeds: usize,
    files: u64,
    seconds: f64,
    outcomes: BTreeMap<String, u64>,
    slowest_seconds: f64,
    largest_child_kib: u64,
    oldest_child_seconds: f64,
    /// Files that got past a bound, kept beside the report.
    escapes: Vec<String>,
}

/// Formats that are read by the same code.
const GROUPS: [(&str, &[Format]); 4] = [
    ("pdf", &[Format::Pdf]),
    ("office", &[Format::Docx, Format::Xlsx, Format::Pptx]),
    ("legacy", &[Format::Doc, Format::Xls, Format::Ppt]),
    (
        "text",
        &[
            Format::Txt,
            Format::Md,
            Format::Html,
            Format::Csv,
            Format::Json,
        ],
    ),
];

pub(super) async fn run(
    dir: &Path,
    minutes: f64,
    only: Option<&str>,
    seed: u64,
    json: bool,
) -> anyhow::Result<ExitCode> {
    let seeds = read(dir)?;
    let time = Duration::try_from_secs_f64(minutes * 60.0).context("--minutes")?;
    let mut groups = Vec::new();
    for (name, formats) in GROUPS {
        if only.is_some_and(|only| only != name) {
            continue;
        }
        let own: Vec<_> = seeds
            .iter()
            .filter(|(format, _)| formats.contains(format))
            .cloned()
            .collect();
        if own.is_empty() {
            continue;
        }
        groups.push(group(name, own, time, seed).await?);
    }
    if groups.is_empty() {
        bail!("{} has no files to start from", dir.display());
    }
    // Whatever was killed is gone by now.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let report = Report {
        left_over: crate::cli::bench::descendants(std::process::id()),
        groups,
    };
    told::tell(&report, json, print)?;
    let held = report.left_over == 0 && report.groups.iter().all(|g| g.escapes.is_empty());
    Ok(told::verdict(held))
}

fn read(dir: &Path) -> anyhow::Result<Vec<(Format, Vec<u8>)>> {
    let entries =
        std::fs::read_dir(dir).with_context(|| format!("{} cannot be read", dir.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut seeds = Vec::new();
    for path in paths.iter().filter(|path| path.is_file()) {
        let bytes = std::fs::read(path)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if let Some(format) = sniff(&bytes, &name) {
            seeds.push((format, bytes));
        }
    }
    Ok(seeds)
}

async fn group(
    name: &'static str,
    seeds: Vec<(Format, Vec<u8>)>,
    time: Duration,
    seed: u64,
) -> anyhow::Result<Group> {
    let extractor = ChildExtractor::new(
        std::env::current_exe()?,
        ExtractSettings {
            wall: WALL,
            cpu: WALL,
            memory_bytes: MEMORY,
            ocr_max_pages: OCR_PAGES as usize,
            ..ExtractSettings::default()
        },
    );
    let watch = Watch::start(std::process::id());
    let began = Instant::now();
    let mut dice = Dice(seed ^ 0x9E37_79B9_7F4A_7C15);
    let mut report = Group {
        name,
        seeds: seeds.len(),
        files: 0,
        seconds: 0.0,
        outcomes: BTreeMap::new(),
        slowest_seconds: 0.0,
        largest_child_kib: 0,
        oldest_child_seconds: 0.0,
        escapes: Vec::new(),
    };
    let at_once = std::thread::available_parallelism().map_or(1, usize::from);
    while began.elapsed() < time {
        let batch: Vec<_> = (0..at_once)
            .map(|_| {
                let (format, bytes) = &seeds[dice.below(seeds.len())];
                let other = &seeds[dice.below(seeds.len())].1;
                (*format, damaged(bytes, other, &mut dice))
            })
            .collect();
        let ended: Vec<_> = futures::stream::iter(batch)
            .map(async |(format, bytes)| {
                let file = Bytes::from(bytes);
                let stream = futures::stream::once(std::future::ready(Ok(file.clone()))).boxed();
                let started = Instant::now();
                let outcome = extractor.extract(stream, format, &|_| {}).await;
                (format, file, outcome, started.elapsed())
            })
            .buffer_unordered(at_once)
            .collect()
            .await;
        for (format, file, outcome, took) in ended {
            report.files += 1;
            report.slowest_seconds = report.slowest_seconds.max(took.as_secs_f64());
            let name = match &outcome {
                Ok(Ok(_)) => "text".to_owned(),
                Ok(Err(failure)) => failure.code().to_owned(),
                Err(error) => format!("ERROR {error}"),
            };
            if outcome.is_err() || took > WALL + OCR_PAGES * PAGE_WALL + SLACK {
                let kept = format!(
                    "escape-{}-{}.{}",
                    report.name,
                    report.files,
                    format.as_str()
                );
                std::fs::write(&kept, &file)?;
                report
                    .escapes
                    .push(format!("{kept}: {name} after {took:?}"));
            }
            *report.outcomes.entry(name).or_default() += 1;
        }
    }
    report.seconds = began.elapsed().as_secs_f64();
    let peaks = watch.stop();
    report.largest_child_kib = peaks.largest_child;
    report.oldest_child_seconds = peaks.oldest_child.as_secs_f64();
    if peaks.oldest_child > WALL.max(PAGE_WALL) + SLACK {
        report
            .escapes
            .push("a child lived longer than it may".to_owned());
    }
    if report.largest_child_kib > MEMORY / 1024 {
        report
            .escapes
            .push("a child took more memory than it may".to_owned());
    }
    Ok(report)
}

/// One to several injuries of the kinds that happen to files, or are done to them.
fn damaged(bytes: &[u8], other: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for _ in 0..=dice.below(4) {
        if out.is_empty() {
            break;
        }
        let at = dice.below(out.len());
        let end = (at + 1 + dice.below(64)).min(out.len());
        match dice.below(9) {
            0 => out[at] ^= 1 << dice.below(8),
            1 => {
                for _ in 0..=dice.below(200) {
                    let at = dice.below(out.len());
                    out[at] = dice.byte();
                }
            }
            2 => out.truncate(at),
            3 => drop(out.drain(at..end)),
            4 => {
                let piece = out[at..end].to_vec();
                for _ in 0..=dice.below(200) {
                    out.splice(at..at, piece.iter().copied());
                }
            }
            5 => {
                let from = dice.below(other.len().max(1));
                let to = (from + dice.below(4096)).min(other.len());
                out.splice(
                    at..end,
                    other.get(from..to).unwrap_or_default().iter().copied(),
                );
            }
            6 => out[at..end].fill([0, 0xFF, b'9', b'['][dice.below(4)]),
            7 => swap_numbers(&mut out, at, dice),
            _ => {
                let nested =
                    [b"[".as_slice(), b"<<", b"<a>", b"{\"a\":", b"(", b">"][dice.below(6)];
                let nested = nested.repeat(1 + dice.below(20_000));
                out.splice(at..at, nested);
            }
        }
        out.truncate(8 << 20);
    }
    out
}

/// Lengths, counts and offsets are what parsers trust: makes the next number in the text huge,
/// zero or negative.
fn swap_numbers(out: &mut Vec<u8>, from: usize, dice: &mut Dice) {
    let Some(start) = out[from..].iter().position(u8::is_ascii_digit) else {
        return;
    };
    let start = from + start;
    let length = out[start..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let numbers = [
        "0",
        "-1",
        "4294967295",
        "2147483648",
        "18446744073709551615",
        "1e308",
        "99999999",
    ];
    let number = numbers[dice.below(numbers.len())];
    out.splice(start..start + length, number.bytes());
}

/// Repeatable chance: the same seed makes the same files.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % (bound.max(1) as u64)).unwrap_or(0)
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[3]
    }
}

fn print(report: &Report) {
    for group in &report.groups {
        println!(
            "{}: {} files made from {} in {:.0} s; slowest {:.1} s, largest child {}, oldest {:.1} s",
            group.name,
            group.files,
            group.seeds,
            group.seconds,
            group.slowest_seconds,
            mib(group.largest_child_kib),
            group.oldest_child_seconds
        );
        for (outcome, count) in &group.outcomes {
            println!("  {count:>7}  {outcome}");
        }
        for escape in &group.escapes {
            println!("  ESCAPE   {escape}");
        }
    }
    println!("processes left over: {}", report.left_over);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_repeatable_and_bounded() {
        let (a, b) = (b"%PDF-1.5 /Length 12 obj".repeat(50), vec![7; 5000]);
        for seed in 1..200 {
            let once = damaged(&a, &b, &mut Dice(seed));
            assert_eq!(once, damaged(&a, &b, &mut Dice(seed)));
            assert!(once.len() <= 8 << 20);
        }
    }
}
