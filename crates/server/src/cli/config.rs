use crate::config::{Config, DEFAULTS};
use clap::{Args, Subcommand};

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
    match command.what {
        What::Show => print!("{}", load()?.show()?),
        What::Default => print!("{DEFAULTS}"),
    }
    Ok(())
}
