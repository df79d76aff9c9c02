//! Whether whole conversations go as they should: plays scripts of customers against the product as
//! it runs, on a database, an index and a clock of their own.

mod business;
mod check;
mod customer;
mod file;
mod play;
mod scripts;
mod sent;
mod state;
mod unread;
mod world;
mod written;

use crate::cli::told;
use anyhow::bail;
use clap::{Args, ValueEnum};
use play::{Cast, Played, play};
use scripts::Scripts;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Args)]
pub(super) struct Scenarios {
    /// A file with a list of scenarios, as JSON: `now`, `tenant`, `customer`, `busy`, `turns` and
    /// what to `expect`.
    file: PathBuf,
    /// Who answers.
    #[arg(long, value_enum, default_value_t = Model::Builtin)]
    model: Model,
    /// What the scripted model says and calls: from the id of a scenario to its turns.
    #[arg(long, value_name = "FILE", required_if_eq("model", "scripted"))]
    scripts: Option<PathBuf>,
    /// Only the scenario with this id.
    #[arg(long, value_name = "ID")]
    only: Option<String>,
    /// Show the conversations.
    #[arg(long, short)]
    verbose: bool,
    /// For programs.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Model {
    /// What the product itself can do.
    Builtin,
    /// A model that does what its script says.
    Scripted,
}

#[derive(Serialize)]
struct Report {
    version: &'static str,
    model: &'static str,
    passed: usize,
    total: usize,
    scenarios: Vec<Played>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_input_tokens: Option<MeanInput>,
}

/// What a model is given to read for each of its answers, with either prompt.
#[derive(Serialize)]
struct MeanInput {
    minimal: f64,
    legacy: f64,
    /// All that is read for a message, in one call or several.
    minimal_message: f64,
    legacy_message: f64,
    /// What the minimal one is made of.
    minimal_parts: sent::Mean,
    legacy_parts: sent::Mean,
    /// How many scenarios pass with the legacy prompt.
    legacy_passed: usize,
}

pub(super) async fn run(arguments: Scenarios) -> anyhow::Result<ExitCode> {
    let mut scenarios = file::read(&arguments.file)?;
    if let Some(only) = &arguments.only {
        scenarios.retain(|scenario| scenario.id == *only);
        if scenarios.is_empty() {
            bail!("{} has no scenario {only}", arguments.file.display());
        }
    }
    let scripts = match (&arguments.scripts, arguments.model) {
        (Some(file), Model::Scripted) => Some(Scripts::read(file)?),
        (Some(_), Model::Builtin) => bail!("--scripts is for --model scripted"),
        (None, _) => None,
    };
    let mut report = Report {
        version: env!("CARGO_PKG_VERSION"),
        model: match arguments.model {
            Model::Builtin => "builtin",
            Model::Scripted => "scripted",
        },
        passed: 0,
        total: scenarios.len(),
        scenarios: Vec::new(),
        mean_input_tokens: None,
    };
    let mut legacy = Vec::new();
    for scenario in &scenarios {
        let cast = Cast {
            scripts: scripts.as_ref(),
            legacy_prompt: false,
        };
        let played = play(scenario, cast).await?;
        if !arguments.json {
            print(&played, arguments.verbose);
        }
        report.passed += usize::from(played.passed);
        report.scenarios.push(played);
        if scripts.is_some() {
            let cast = Cast {
                legacy_prompt: true,
                ..cast
            };
            legacy.push(play(scenario, cast).await?);
        }
    }
    let mean = |played: &[Played], of: fn(&Played) -> &[sent::Sent]| {
        let all = played.iter().flat_map(|played| of(played).iter().copied());
        sent::mean(&all.collect::<Vec<_>>())
    };
    let calls = |played: &[Played]| mean(played, |played| &played.sent);
    let message = |played: &[Played]| {
        let mean = mean(played, |played| &played.sent_a_message);
        mean.map_or(0.0, |mean| mean.all)
    };
    if let (Some(minimal), Some(with_all)) = (calls(&report.scenarios), calls(&legacy)) {
        report.mean_input_tokens = Some(MeanInput {
            minimal: minimal.all,
            legacy: with_all.all,
            minimal_message: message(&report.scenarios),
            legacy_message: message(&legacy),
            minimal_parts: minimal,
            legacy_parts: with_all,
            legacy_passed: legacy.iter().filter(|played| played.passed).count(),
        });
    }
    told::tell(&report, arguments.json, total)?;
    Ok(told::verdict(report.passed == report.total))
}

fn print(played: &Played, verbose: bool) {
    let verdict = if played.passed { "passed" } else { "FAILED" };
    println!("{verdict}  {:8} {}", played.id, played.title);
    for failure in &played.failures {
        println!("        {failure}");
    }
    for name in &played.not_loaded {
        println!("        not loaded: {name}");
    }
    if verbose {
        let turns = played.messages.iter().zip(&played.replies);
        for ((said, reply), note) in turns.zip(&played.notes) {
            println!("        > {said}");
            println!("        < {}", reply.replace('\n', "\n          "));
            println!("          [{note}]");
        }
        println!("        tools: {}", played.tools.join(", "));
    }
}

fn total(report: &Report) {
    println!("{} of {} passed", report.passed, report.total);
    if let Some(mean) = &report.mean_input_tokens {
        println!(
            "mean input tokens a model call: {:.0} with the minimal prompt, {:.0} with the legacy prompt",
            mean.minimal, mean.legacy
        );
        println!(
            "mean input tokens a message: {:.0} with the minimal prompt, {:.0} with the legacy prompt",
            mean.minimal_message, mean.legacy_message
        );
        for (name, parts) in [
            ("minimal", &mean.minimal_parts),
            ("legacy", &mean.legacy_parts),
        ] {
            println!(
                "  {name:8} told {:.0}, conversation {:.0}, calls and results {:.0}, tools {:.0}",
                parts.told, parts.said, parts.returned, parts.tools
            );
        }
    }
}
