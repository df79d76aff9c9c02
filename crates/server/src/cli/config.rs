use crate::config::{Config, DEFAULTS};
use clap::{Args, Subcommand};
use std::io::Write;

#[derive(Args)]
pub(super) struct ConfigCommand {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Print what is in force, with secrets masked.
    Show,
    /// Print every setting with its default and what it means.
    Default,
}

pub(super) fn run(
    command: &ConfigCommand,
    load: impl Fn() -> anyhow::Result<Config>,
) -> anyhow::Result<()> {
    let mut out = std::io::stdout();
    match command.what {
        What::Show => write!(out, "{}", load()?.show()?)?,
        What::Default => write!(out, "{DEFAULTS}")?,
    }
    Ok(())
}
