//! Whether what customers want is told rightly.

use super::entries::{self, DatasetPart, ReadRows};
use crate::cli::told;
use quipu_agents::supervisor::{Context, Supervisor};
use quipu_core::agent::{Intent, Vertical};
use quipu_core::language::Language;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

/// What must hold.
const ACCURACY: f64 = 0.90;
const MACRO_F1: f64 = 0.88;

/// A line of a file: a message and what it wants, as one intent or as several, the main one first.
#[derive(Deserialize)]
struct Row {
    text: String,
    #[serde(default)]
    intent: Option<Intent>,
    #[serde(default)]
    labels: Vec<Intent>,
    #[serde(default)]
    vertical: Option<Vertical>,
    #[serde(default, alias = "lang")]
    language: Option<String>,
    #[serde(default)]
    split: Option<DatasetPart>,
}

impl Row {
    fn expected(&self) -> Option<Intent> {
        self.intent.or(self.labels.first().copied())
    }
}

#[derive(Serialize)]
struct Miss {
    text: String,
    expected: &'static str,
    got: &'static str,
    certainty: f32,
    phrases: Vec<&'static str>,
}

/// How often each intent was taken for each other.
type Confusion = BTreeMap<&'static str, BTreeMap<&'static str, u32>>;

#[derive(Serialize)]
struct Report {
    version: &'static str,
    rows: usize,
    accuracy: f64,
    macro_f1: f64,
    passed: bool,
    confusion: Confusion,
    misses: Vec<Miss>,
}

pub(super) async fn run(
    files: &[PathBuf],
    read: &ReadRows,
    json: bool,
) -> anyhow::Result<ExitCode> {
    let mut rows = Vec::new();
    for file in files {
        rows.extend(entries::read(file, flaw)?);
    }
    read.keep(&mut rows, |row| row.split)?;
    let report = evaluate(&rows, read).await?;
    told::tell(&report, json, print)?;
    Ok(told::verdict(report.passed))
}

fn flaw(row: &Row) -> Option<&'static str> {
    row.expected().is_none().then_some("names no intent")
}

async fn evaluate(rows: &[Row], read: &ReadRows) -> anyhow::Result<Report> {
    let supervisor = Supervisor::compiled();
    let mut confusion = Confusion::new();
    let mut misses = Vec::new();
    for row in rows {
        let Some(expected) = row.expected() else {
            continue;
        };
        let context = Context {
            vertical: row.vertical.unwrap_or(Vertical::General),
            language: Language::parse_or_default(row.language.as_deref().unwrap_or("es")),
            ..Context::default()
        };
        let reading = read.read(&row.text).await?;
        let understood = supervisor.understand_read(&row.text, &context, reading.as_ref());
        let got = understood.intent();
        let taken_for = confusion.entry(expected.as_str()).or_default();
        *taken_for.entry(got.as_str()).or_default() += 1;
        if got != expected {
            misses.push(Miss {
                text: row.text.clone(),
                expected: expected.as_str(),
                got: got.as_str(),
                certainty: understood.certainty(got),
                phrases: understood.reasons.iter().map(|r| r.phrase).collect(),
            });
        }
    }
    let (accuracy, macro_f1) = (accuracy(&confusion), macro_f1(&confusion));
    Ok(Report {
        version: env!("CARGO_PKG_VERSION"),
        rows: rows.len(),
        accuracy,
        macro_f1,
        passed: accuracy >= ACCURACY && macro_f1 >= MACRO_F1,
        confusion,
        misses,
    })
}

fn hits(confusion: &Confusion, intent: &str) -> u32 {
    let row = confusion.get(intent);
    row.and_then(|row| row.get(intent)).copied().unwrap_or(0)
}

fn accuracy(confusion: &Confusion) -> f64 {
    let all: u32 = confusion.values().flat_map(BTreeMap::values).sum();
    let right: u32 = confusion.keys().map(|intent| hits(confusion, intent)).sum();
    f64::from(right) / f64::from(all.max(1))
}

/// The mean of the F1 of every intent that the rows ask for.
fn macro_f1(confusion: &Confusion) -> f64 {
    let of_intent = |intent: &str| {
        let asked: u32 = confusion[intent].values().sum();
        let said: u32 = confusion.values().filter_map(|row| row.get(intent)).sum();
        2.0 * f64::from(hits(confusion, intent)) / f64::from((asked + said).max(1))
    };
    let sum: f64 = confusion.keys().map(|intent| of_intent(intent)).sum();
    let intents = u32::try_from(confusion.len()).unwrap_or(u32::MAX);
    sum / f64::from(intents.max(1))
}

fn print(report: &Report) {
    println!("messages  {}", report.rows);
    println!("accuracy  {:.1} %", report.accuracy * 100.0);
    println!("macro F1  {:.3}", report.macro_f1);
    for (expected, taken_for) in &report.confusion {
        let counts: Vec<String> = taken_for
            .iter()
            .map(|(got, count)| format!("{got} {count}"))
            .collect();
        println!("  {expected:<10} {}", counts.join(", "));
    }
    for miss in &report.misses {
        println!(
            "  {} instead of {}: {} [{}]",
            miss.got,
            miss.expected,
            miss.text,
            miss.phrases.join(", ")
        );
    }
    println!("{}", if report.passed { "passed" } else { "FAILED" });
}
