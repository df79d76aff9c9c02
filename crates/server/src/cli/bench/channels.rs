//! What a channel gets of the product: how soon a delivery is acknowledged, and whether everything is
//! answered once, whatever is delivered twice and whoever is killed.

mod acknowledgement;
mod arrivals;
mod balancer;
mod chance;
mod customer;
mod drill;
mod fleet;
mod inspection;
mod line;
mod verdict;

use crate::cli::own_tenant::OwnTenant;
use crate::cli::told;
use crate::demo::DEMO;
use acknowledgement::Acknowledgement;
use anyhow::{Context, bail};
use chance::Chance;
use clap::{Args, value_parser};
use drill::{Drill, DrillPlan};
use fleet::Fleet;
use inspection::Inspection;
use line::ChannelLine;
use quipu_bench::Machine;
use serde::Serialize;
use std::sync::Arc;
use verdict::Verdict;

#[derive(Args)]
pub(super) struct Channels {
    /// Messages that are written while servers are killed.
    #[arg(long, default_value_t = 10_000, value_parser = value_parser!(u32).range(1..=1_000_000))]
    messages: u32,
    /// Customers who write them.
    #[arg(long, default_value_t = 1_000, value_parser = value_parser!(u32).range(1..=1_000))]
    conversations: u32,
    /// Deliveries a second: while acknowledgement is measured, and at most while servers are killed.
    #[arg(long, default_value_t = 200, value_parser = value_parser!(u32).range(1..=10_000))]
    rate: u32,
    /// How long acknowledgement is measured; with 0 it is not.
    #[arg(long, default_value_t = 10, value_parser = value_parser!(u32).range(0..=3_600))]
    seconds: u32,
    /// How often a server is killed (SIGKILL) and started again.
    #[arg(long, default_value_t = 5, value_parser = value_parser!(u32).range(0..=1_000))]
    kills: u32,
    /// Servers on one database. Two need PostgreSQL (--database-url).
    #[arg(long, default_value_t = 1, value_parser = value_parser!(u32).range(1..=2))]
    servers: u32,
    /// The same seed throws the same dice: who writes what, and when which server is killed.
    #[arg(long)]
    seed: Option<u64>,
    /// For programs.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    version: &'static str,
    machine: Machine,
    seed: u64,
    database: &'static str,
    servers: usize,
    passed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    acknowledgement: Option<Acknowledgement>,
    drill: Drill,
    verdict: Verdict,
}

pub(super) async fn run(channels: Channels, database_url: Option<&str>) -> anyhow::Result<()> {
    let is_shared = fleet::is_shared(database_url);
    if channels.servers > 1 && !is_shared {
        bail!("several servers share a database of PostgreSQL; name an empty one (--database-url)");
    }
    let seed = match channels.seed {
        Some(seed) => seed,
        None => getrandom::u64().context("random bytes")?,
    };
    eprintln!("seed {seed}");
    let mut line = ChannelLine::open().await?;
    let servers = usize::try_from(channels.servers)?;
    let mut fleet = Fleet::start(servers, database_url, &line.url()).await?;
    if fleet.first()?.administrator().is_none() {
        bail!("somebody uses the database already; name an empty one (--database-url)");
    }
    let tenant = OwnTenant::make(fleet.first()?, "measured").await?;
    let tenant = tenant.inside(DEMO.slug, &fleet.url());
    line.connect(&tenant, &fleet.url()).await?;
    let inspection = Inspection::open(fleet.folder(), database_url).await?;
    let line = Arc::new(line);
    let mut report = measure(&channels, seed, &line, &mut fleet, &inspection).await?;
    report.database = if is_shared { "PostgreSQL" } else { "SQLite" };
    inspection.close().await?;
    fleet.end().await?;
    told::tell(&report, channels.json, print)?;
    if !report.passed {
        bail!("not every message was answered once, and in order");
    }
    Ok(())
}

async fn measure(
    channels: &Channels,
    seed: u64,
    line: &Arc<ChannelLine>,
    fleet: &mut Fleet,
    inspection: &Inspection,
) -> anyhow::Result<Report> {
    let mut chance = Chance::new(seed);
    let conversations = usize::try_from(channels.conversations)?;
    let (rate, seconds) = (channels.rate, channels.seconds);
    let mut acknowledgement = None;
    if seconds > 0 {
        eprintln!("{rate} deliveries a second for {seconds} seconds");
        let measured =
            acknowledgement::measure(line, conversations, rate, seconds, &mut chance).await?;
        acknowledgement = Some(measured);
        inspection.until_quiet(line).await?;
    }
    let plan = DrillPlan {
        messages: usize::try_from(channels.messages)?,
        conversations,
        kills: usize::try_from(channels.kills)?,
        rate,
    };
    eprintln!(
        "{} messages of {conversations} customers, {} kills",
        plan.messages, plan.kills
    );
    let drill = drill::run(line, fleet, plan, &mut chance).await?;
    inspection.until_quiet(line).await?;
    let verdict = verdict::judge(inspection, line).await?;
    Ok(Report {
        version: env!("CARGO_PKG_VERSION"),
        machine: Machine::here(),
        seed,
        database: "SQLite",
        servers: fleet.count(),
        passed: verdict.is_right() && drill.waited_in_vain == 0,
        acknowledgement,
        drill,
        verdict,
    })
}

fn print(report: &Report) {
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
    println!(
        "{}, {} server(s), seed {}",
        report.database, report.servers, report.seed
    );
    if let Some(measured) = &report.acknowledgement {
        println!("\nacknowledgement, in ms from when a delivery is due");
        row("deliveries", measured.deliveries);
        row("a second", measured.rate);
        row("p50", format!("{:.1}", measured.p50_ms));
        row("p95", format!("{:.1}", measured.p95_ms));
        row("p99", format!("{:.1}", measured.p99_ms));
        row("slowest", format!("{:.1}", measured.slowest_ms));
        row("not acknowledged the first time", measured.not_at_once);
    }
    let drill = &report.drill;
    println!("\ndrill");
    row("messages", drill.messages);
    row("customers", drill.conversations);
    row("written in bursts, delivered in any order", drill.in_bursts);
    row("delivered twice", drill.duplicates);
    row("kills", drill.kills);
    row("of them before an answer was known to be sent", drill.aimed);
    row("delivered again, not acknowledged", drill.redelivered);
    row("answers waited for in vain", drill.waited_in_vain);
    row("seconds", format!("{:.1}", drill.seconds));
    let verdict = &report.verdict;
    println!("\nall messages");
    row("messages", verdict.messages);
    row("answered never", verdict.answered_never);
    row("answered once", verdict.answered_once);
    row("answered more than once", verdict.answered_more);
    row("stored never", verdict.stored_never);
    row("stored more than once", verdict.stored_more);
    row("stored, and written by nobody", verdict.strange);
    row("answers", verdict.answers);
    row("answers to nothing", verdict.unasked);
    row("conversations out of order", verdict.out_of_order);
    row("handed to the channel again", verdict.handed_again);
    row("given up", verdict.failed);
    row("arrived, and sent by nobody", verdict.unknown);
    println!("{}", if report.passed { "passed" } else { "FAILED" });
}

fn row(name: &str, value: impl std::fmt::Display) {
    println!("  {name:<46} {value:>10}");
}
