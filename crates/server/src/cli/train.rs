//! Training what the binary carries. Nothing here is needed to run a server.

use anyhow::Context;
use clap::{Args, Subcommand};
use quipu_agents::supervisor::training;
use quipu_core::agent::Intent;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(super) struct Train {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// The weights by which the supervisor tells what customers want.
    Intents {
        /// A folder with a file of phrases for each intent: `booking.txt`, one phrase on each line.
        phrases: PathBuf,
        /// Where to write the weights.
        out: PathBuf,
    },
}

pub(super) fn run(train: &Train) -> anyhow::Result<()> {
    match &train.what {
        What::Intents { phrases, out } => intents(phrases, out),
    }
}

fn intents(phrases: &Path, out: &Path) -> anyhow::Result<()> {
    let mut examples = Vec::new();
    for intent in Intent::ALL {
        let file = phrases.join(format!("{}.txt", intent.as_str()));
        let text = std::fs::read_to_string(&file)
            .with_context(|| format!("{} cannot be read", file.display()))?;
        examples.extend(training::examples(*intent, &text));
    }
    let measured = training::measure(&examples);
    let weights = training::train(&examples);
    std::fs::write(out, &weights)
        .with_context(|| format!("{} cannot be written", out.display()))?;
    println!("phrases                    {}", examples.len());
    println!("kept aside to measure with {}", measured.phrases);
    println!("told by the weights        {:.1} %", measured.model * 100.0);
    println!(
        "told by the supervisor     {:.1} %",
        measured.supervisor * 100.0
    );
    println!("bytes                      {}", weights.len());
    Ok(())
}
