//! Whether the urgency of what patients write is told rightly.

use super::entries;
use crate::cli::told;
use quipu_core::language::Language;
use quipu_language::urgency::{assess, assess_symptoms};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::ExitCode;

/// What must hold: most levels exactly right, nearly all within one, and no emergency taken for
/// anything less than urgent.
const EXACT: f64 = 0.75;
const WITHIN_ONE: f64 = 0.97;
const EMERGENCY: u8 = 5;
const URGENT: u8 = 4;

/// A line of the file: what a patient writes, or what was noted, and the level it is.
#[derive(Deserialize)]
struct Row {
    #[serde(default, alias = "text", alias = "message")]
    words: Option<String>,
    #[serde(default)]
    symptoms: Vec<String>,
    #[serde(alias = "urgency_level", alias = "urgency", alias = "expected")]
    level: u8,
    #[serde(default, alias = "lang")]
    language: Option<String>,
}

#[derive(Serialize)]
struct Miss {
    words: String,
    expected: u8,
    got: u8,
    rules: Vec<String>,
}

#[derive(Serialize)]
struct Report {
    version: &'static str,
    rows: usize,
    exact: f64,
    within_one: f64,
    emergencies: usize,
    emergencies_underrated: usize,
    passed: bool,
    misses: Vec<Miss>,
}

pub(super) fn run(file: &Path, json: bool) -> anyhow::Result<ExitCode> {
    let report = evaluate(&entries::read(file, flaw)?);
    told::tell(&report, json, print)?;
    Ok(told::verdict(report.passed))
}

fn flaw(row: &Row) -> Option<&'static str> {
    let silent = row.words.is_none() && row.symptoms.is_empty();
    silent.then_some("says nothing")
}

fn evaluate(rows: &[Row]) -> Report {
    let (mut exact, mut within_one) = (0, 0);
    let (mut emergencies, mut underrated) = (0, 0);
    let mut misses = Vec::new();
    for row in rows {
        let language = Language::parse_or_default(row.language.as_deref().unwrap_or("es"));
        let assessed = match &row.words {
            Some(words) => assess(words, language),
            None => assess_symptoms(&row.symptoms, language),
        };
        let got = u8::from(assessed.level);
        exact += usize::from(got == row.level);
        within_one += usize::from(got.abs_diff(row.level) <= 1);
        if row.level == EMERGENCY {
            emergencies += 1;
            underrated += usize::from(got < URGENT);
        }
        if got != row.level {
            let words = row.words.clone();
            misses.push(Miss {
                words: words.unwrap_or_else(|| row.symptoms.join("; ")),
                expected: row.level,
                got,
                rules: assessed
                    .reasons
                    .into_iter()
                    .map(|reason| reason.rule)
                    .collect(),
            });
        }
    }
    let share = |count: usize| {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let all = u32::try_from(rows.len()).unwrap_or(u32::MAX);
        f64::from(count) / f64::from(all)
    };
    let (exact, within_one) = (share(exact), share(within_one));
    Report {
        version: env!("CARGO_PKG_VERSION"),
        rows: rows.len(),
        exact,
        within_one,
        emergencies,
        emergencies_underrated: underrated,
        passed: exact >= EXACT && within_one >= WITHIN_ONE && underrated == 0,
        misses,
    }
}

fn print(report: &Report) {
    println!("messages               {}", report.rows);
    println!("exact                  {:.1} %", report.exact * 100.0);
    println!("within one level       {:.1} %", report.within_one * 100.0);
    println!(
        "emergencies underrated {} of {}",
        report.emergencies_underrated, report.emergencies
    );
    for miss in &report.misses {
        println!(
            "  {} instead of {}: {} [{}]",
            miss.got,
            miss.expected,
            miss.words,
            miss.rules.join(", ")
        );
    }
    println!("{}", if report.passed { "passed" } else { "FAILED" });
}
