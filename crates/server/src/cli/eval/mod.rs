//! Measuring how good the product is, on data that its user brings.

mod channels;
mod entries;
mod extraction;
mod guard;
mod intents;
mod reading;
mod retrieval;
mod robustness;
mod scenarios;
mod urgency;

use clap::{Args, Subcommand};
use entries::{DatasetPart, ReadRows};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Args)]
pub(super) struct Eval {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Whether what channels deliver is read: recorded bodies become events, or are refused with a reason.
    Channels {
        /// A folder with `.json` files in folders that say what they are from: `whatsapp`, `messenger`,
        /// `instagram`, `tiktok` and `vapi`.
        folder: PathBuf,
        /// For programs.
        #[arg(long)]
        json: bool,
    },
    /// Whether the text of real files is read: uploads each to a server of this very binary.
    Extraction {
        /// A folder with files and a `manifest.jsonl`. Each line names a file's `path` and `kind`
        /// (`text`, `ocr` or `must_reject`) and the words that `must_contain` lists.
        dir: PathBuf,
        /// For programs.
        #[arg(long)]
        json: bool,
    },
    /// Whether attacks on an agent are told from what customers ordinarily write.
    Guard {
        /// Files with a message (`text`), its `label` (`attack`, `indirect_attack`,
        /// `indirect_payload` or `benign`), its `kind` and the `split` it is of on each line, as JSON.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Only this part of the files.
        #[arg(long)]
        split: Option<DatasetPart>,
        /// By the rules alone, as if no message had been read.
        #[arg(long)]
        rules_alone: bool,
        /// For programs.
        #[arg(long)]
        json: bool,
    },
    /// Whether what customers want is told rightly from their messages.
    Intents {
        /// Files with a message (`text`) and its `intent`, or its `labels` with the main one first,
        /// on each line, as JSON; `vertical`, `lang` and `split` where they are known.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Only this part of the files.
        #[arg(long)]
        split: Option<DatasetPart>,
        /// By the rules alone, as if no message had been read.
        #[arg(long)]
        rules_alone: bool,
        /// For programs.
        #[arg(long)]
        json: bool,
    },
    /// What the bundled reader makes of messages by itself: parts that name something, acts, intents and
    /// attacks.
    Reading {
        /// Files with a message (`text`) on each line, as JSON, and what is known of it: its `acts` and,
        /// in marks, its parts (`[el jueves](DATE)`), what the `agent` said before, its `intent` or
        /// `labels`, its `label` (`attack` or `benign`), the `split` it is of.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Only this part of the files.
        #[arg(long)]
        split: Option<DatasetPart>,
        /// For programs.
        #[arg(long)]
        json: bool,
    },
    /// Whether questions find their passages: loads a server of this very binary and searches it.
    Retrieval(retrieval::Retrieval),
    /// Whether damaged files get past the bounds of their readers: damages real ones over and over.
    Robustness {
        /// A folder of files to start from.
        dir: PathBuf,
        /// How long for each group of formats.
        #[arg(long, default_value_t = 10.0)]
        minutes: f64,
        /// Only this group: pdf, office, legacy or text.
        #[arg(long)]
        group: Option<String>,
        /// The same seed makes the same files.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// For programs.
        #[arg(long)]
        json: bool,
    },
    /// Whether whole conversations go as they should: plays them against the product as it runs.
    Scenarios(scenarios::Scenarios),
    /// Whether the urgency of what patients write to a dental clinic is told rightly.
    Urgency {
        /// A file with a message (`text` or `symptoms`) and its `level` on each line, as JSON.
        file: PathBuf,
        /// For programs.
        #[arg(long)]
        json: bool,
    },
}

pub(super) async fn run(eval: Eval) -> anyhow::Result<ExitCode> {
    match eval.what {
        What::Channels { folder, json } => channels::run(&folder, json),
        What::Extraction { dir, json } => extraction::run(&dir, json).await,
        What::Guard {
            files,
            split,
            rules_alone,
            json,
        } => guard::run(&files, &ReadRows::new(split, rules_alone), json).await,
        What::Intents {
            files,
            split,
            rules_alone,
            json,
        } => intents::run(&files, &ReadRows::new(split, rules_alone), json).await,
        What::Reading { files, split, json } => reading::run(&files, split, json).await,
        What::Retrieval(retrieval) => retrieval::run(retrieval).await,
        What::Robustness {
            dir,
            minutes,
            group,
            seed,
            json,
        } => robustness::run(&dir, minutes, group.as_deref(), seed, json).await,
        What::Scenarios(scenarios) => scenarios::run(scenarios).await,
        What::Urgency { file, json } => urgency::run(&file, json),
    }
}
