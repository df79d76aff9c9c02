//! What search takes and what it finds, measured on made-up knowledge: the models and engines of the
//! product, and the single table with a single index that it does without, in one run on one machine.
//!
//! Everything here is below HTTP. Tenants, knowledge bases and texts are made up while they are
//! read; nothing of a running server is touched.

mod embedded;
mod embedding;
mod exact;
mod latency;
mod library;
mod machine;
mod million;
mod plan;
mod recall;
mod report;
mod tenants;
mod times;

pub use machine::Machine;
pub use plan::{
    Data, EmbeddingPlan, EmptyDatabase, EngineFactory, LatencyPlan, MillionPlan, Part, Plan,
    RecallPlan, Subject, TenantsPlan,
};
pub use report::{Figure, PartReport, RecallRow, Report, Target, Unit};
pub use times::Times;

use library::Words;
use quipu_core::{Error, Result};
use std::time::Instant;
use tempfile::TempDir;

/// Told what is being done, for whoever waits.
pub type Progress<'a> = &'a (dyn Fn(&str) + Send + Sync);

/// Measures what the plan says, one part after the other.
///
/// # Errors
/// When a folder or the database cannot be used, or is in use already.
pub async fn run(plan: Plan, progress: Progress<'_>) -> Result<Report> {
    let words = Words::all();
    let mut parts = Vec::new();
    for part in &plan.parts {
        progress(&format!("{part}:"));
        let begin = Instant::now();
        let mut report = PartReport::new(*part);
        match part {
            Part::Embedding => embedding::measure(&plan.embedding, &words, &mut report).await?,
            Part::Latency => {
                latency::measure(&plan, &words, &mut report, progress).await?;
            }
            Part::Recall => recall::measure(&plan, &words, &mut report, progress).await?,
            Part::Tenants => tenants::measure(&plan, &words, &mut report, progress).await?,
            Part::Million => million::measure(&plan, &words, &mut report, progress).await?,
        }
        report.seconds = begin.elapsed().as_secs_f64();
        parts.push(report);
    }
    Ok(Report {
        version: env!("CARGO_PKG_VERSION"),
        machine: Machine::here(),
        parts,
    })
}

/// A folder for what is measured, which goes away with it.
fn folder(plan: &Plan) -> Result<TempDir> {
    let made = match &plan.folder {
        Some(folder) => tempfile::tempdir_in(folder),
        None => tempfile::tempdir(),
    };
    made.map_err(Error::internal)
}
