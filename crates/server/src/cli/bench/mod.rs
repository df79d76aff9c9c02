//! Commands that measure this very binary, as its users would use it.

mod availability;
mod channels;
mod footprint;
mod ingest;
mod made;
mod retrieval;
mod turn;
mod watch;

pub(super) use watch::{Watch, descendants};

use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Bench {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// What can be booked: ten people, ninety days, five thousand appointments.
    Availability {
        /// For programs.
        #[arg(long)]
        json: bool,
    },
    /// How soon deliveries of a channel are acknowledged, and whether everything is answered once while
    /// servers are killed.
    Channels(channels::Channels),
    /// Memory at rest and time to start, on a fresh data folder.
    Footprint {
        /// For programs.
        #[arg(long)]
        json: bool,
        /// Starts on the existing folder; the middle one counts.
        #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
        starts: u32,
    },
    /// From upload to searchable: pages and megabytes per second, memory, and what each stage took.
    Ingest {
        /// A folder of files. Without one, files are made: a text PDF of 1,000 pages in ten files
        /// and a CSV of 10,000 rows.
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
        /// For programs.
        #[arg(long)]
        json: bool,
    },
    /// From question to candidates: models, latency, recall against exact, growth with tenants and
    /// chunks, on made-up knowledge.
    Retrieval(retrieval::Retrieval),
    /// From a customer's message to the answer, without what the model takes: guard, supervisor,
    /// whole turns, streaming.
    Turn(turn::Turn),
}

/// Measures. Some of it goes to a database that whoever measures names.
pub(super) async fn run(bench: Bench, database_url: Option<&str>) -> anyhow::Result<()> {
    match bench.what {
        What::Availability { json } => availability::run(json).await,
        What::Channels(channels) => channels::run(channels, database_url).await,
        What::Footprint { json, starts } => footprint::run(json, starts).await,
        What::Ingest { dir, json } => ingest::run(dir.as_deref(), json).await,
        What::Retrieval(retrieval) => retrieval::run(retrieval).await,
        What::Turn(turn) => turn::run(turn).await,
    }
}
