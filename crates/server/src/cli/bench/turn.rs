//! What the product takes of an answer, beside what the model itself takes: the guard and the
//! supervisor alone, and whole turns against a model that answers at once.

mod clinic;
mod messages;
mod mind;
mod streaming;
mod whole;

use anyhow::bail;
use clap::{Args, ValueEnum};
use clinic::Clinic;
use quipu_bench::{Figure, Machine, Target, Times, Unit};
use quipu_core::embedding::{BUILTIN_ENCODER, BUILTIN_STATIC};
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;
use whole::Bounds;

#[derive(Args)]
pub(super) struct Turn {
    /// Turns that are asked for one after the other, and again as many by several customers at once.
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    turns: u32,
    /// With whose vectors the knowledge is searched: `static` or `encoder`; both when nothing is said.
    #[arg(long)]
    model: Option<VectorModel>,
    /// For programs.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum VectorModel {
    Static,
    Encoder,
}

#[derive(Serialize)]
struct Report {
    version: &'static str,
    machine: Machine,
    parts: Vec<Part>,
}

/// Figures that belong together.
#[derive(Serialize)]
struct Part {
    name: String,
    /// Data and settings, so that the figures can be read alone.
    about: String,
    figures: Vec<Figure>,
}

impl Part {
    fn new(name: impl Into<String>, about: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            about: about.into(),
            figures: Vec::new(),
        }
    }

    fn add(&mut self, name: impl Into<String>, value: f64, unit: Unit, target: Option<Target>) {
        let figure = Figure::new(name, value, unit);
        self.figures.push(match target {
            Some(target) => figure.with(target),
            None => figure,
        });
    }

    fn times(&mut self, times: &Times, unit: Unit, most: [Option<f64>; 2]) {
        let shown = |time: Duration| match unit {
            Unit::Microseconds => time.as_secs_f64() * 1e6,
            _ => time.as_secs_f64() * 1e3,
        };
        for (name, time, most) in [("p50", times.p50(), most[0]), ("p99", times.p99(), most[1])] {
            self.add(name, shown(time), unit, most.map(Target::AtMost));
        }
    }
}

pub(super) async fn run(turn: Turn) -> anyhow::Result<()> {
    let turns = usize::try_from(turn.turns)?;
    let mut parts = vec![mind::guard(), mind::supervisor()];
    // With the quicker of the two models a KB keeps everything within the bounds of a turn; the
    // encoder takes longer for every question.
    for (kind, model, bounds) in [
        (VectorModel::Static, BUILTIN_STATIC, whole::STATIC),
        (VectorModel::Encoder, BUILTIN_ENCODER, whole::ENCODER),
    ] {
        if turn.model.is_some_and(|wanted| wanted != kind) {
            continue;
        }
        eprintln!("a clinic whose knowledge has vectors of {model}");
        let clinic = Arc::new(Clinic::open(model).await?);
        // Where requests are answered, too: the thread that starts a program waits for others.
        let measured = tokio::spawn(measure(clinic.clone(), turns, bounds)).await?;
        if let Some(clinic) = Arc::into_inner(clinic) {
            clinic.close().await?;
        }
        parts.extend(measured?);
    }
    show(
        &Report {
            version: env!("CARGO_PKG_VERSION"),
            machine: Machine::here(),
            parts,
        },
        turn.json,
    )
}

async fn measure(clinic: Arc<Clinic>, turns: usize, bounds: Bounds) -> anyhow::Result<Vec<Part>> {
    let mut parts = whole::measure(&clinic, turns, bounds).await?;
    if bounds == whole::STATIC {
        parts.push(streaming::sentences(&clinic, turns).await?);
        parts.push(streaming::slow_model(&clinic, turns).await?);
    }
    Ok(parts)
}

fn show(report: &Report, json: bool) -> anyhow::Result<()> {
    if json {
        println!("{}", serde_json::to_string_pretty(report)?);
    } else {
        let machine = &report.machine;
        println!(
            "quipu {} ({} build); {}, {} cores, {} MiB, {} {}",
            report.version,
            machine.build,
            machine.processor,
            machine.cores,
            machine.memory_mib,
            machine.system,
            machine.architecture
        );
        for part in &report.parts {
            println!("\n{}\n  {}", part.name, part.about);
            for figure in &part.figures {
                println!("{figure}");
            }
        }
    }
    let mut figures = report.parts.iter().flat_map(|part| &part.figures);
    if figures.any(|figure| figure.met == Some(false)) {
        bail!("not every bound was met");
    }
    Ok(())
}
