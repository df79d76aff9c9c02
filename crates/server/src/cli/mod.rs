//! The command line.

mod admin;
mod bench;
mod chat;
mod config;
mod doctor;
mod eval;
mod extract;
mod migrate;
mod openapi;
mod own_product;
mod own_server;
mod own_tenant;
mod reindex;
mod serve;
mod simulate;
mod told;
mod tools;
mod train;
mod worker;

use crate::config::{Config, Overrides};
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Business agents that answer from their own knowledge, many tenants on one installation.
#[derive(Parser)]
#[command(name = "quipu", version)]
pub struct Cli {
    /// A file with the settings that differ from the defaults.
    #[arg(long, global = true, env = "QUIPU_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// The folder for everything kept on this machine (data.dir).
    #[arg(long, global = true, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Where the database is (database.url).
    #[arg(long, global = true, value_name = "URL")]
    database_url: Option<String>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Start the server, with workers in the same process.
    Serve(serve::Serve),
    /// Serve stand-ins of the channels, with a page to write as a customer.
    Simulate(simulate::Simulate),
    /// Run workers alone, beside servers that share the database.
    Worker,
    /// Talk to an agent from the terminal.
    Chat(chat::Chat),
    /// Bring the database's schema up to date.
    Migrate,
    /// Make the search index anew from the database.
    Reindex(reindex::Reindex),
    /// Look at the configuration.
    Config(config::ConfigCommand),
    /// Check that everything the server needs is in order.
    Doctor(doctor::Doctor),
    /// Manage administrators from the machine itself.
    Admin(admin::Admin),
    /// Print the text of a file.
    Extract(extract::Extract),
    #[command(name = quipu_extract::SUBCOMMAND, hide = true)]
    ExtractChild(extract::ExtractChild),
    /// Print the OpenAPI document.
    Openapi,
    /// The tools that agents have.
    Tools(tools::Tools),
    /// Measure.
    Bench(bench::Bench),
    /// Check against what is known to be right.
    Eval(eval::Eval),
    /// Train what the binary carries, from files of its sources.
    Train(train::Train),
}

/// Runs a command to its end.
#[must_use]
pub fn run(cli: Cli) -> ExitCode {
    // A child confines itself before there is any other thread.
    if let Command::ExtractChild(child) = &cli.command {
        return child.run();
    }
    crate::private::make_private();
    let result = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime.block_on(dispatch(cli)),
        Err(error) => Err(error.into()),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("quipu: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn dispatch(cli: Cli) -> anyhow::Result<ExitCode> {
    let mut overrides = Overrides::default();
    if let Some(dir) = &cli.data_dir {
        overrides.0.push(("data.dir", dir.display().to_string()));
    }
    if let Some(url) = &cli.database_url {
        overrides.0.push(("database.url", url.clone()));
    }
    if let Command::Serve(serve) = &cli.command
        && let Some(bind) = serve.bind
    {
        overrides.0.push(("server.bind", bind.to_string()));
    }
    let load = || Config::load(cli.config.as_deref(), overrides.clone());
    let done = match cli.command {
        Command::Serve(_) => serve::run(load()?).await,
        Command::Simulate(simulate) => simulate::run(&simulate).await,
        Command::Worker => worker::run(load()?).await,
        Command::Chat(chat) => chat::run(&load()?, chat).await,
        Command::Migrate => migrate::run(&load()?).await,
        Command::Reindex(reindex) => reindex::run(&load()?, reindex).await,
        Command::Config(command) => config::run(&command, load),
        Command::Doctor(doctor) => doctor::run(load, doctor).await,
        Command::Admin(admin) => admin::run(&load()?, admin).await,
        Command::Extract(extract) => return extract::run(extract).await,
        Command::ExtractChild(_) => unreachable!("a child has no runtime"),
        Command::Eval(eval) => return eval::run(eval).await,
        Command::Openapi => openapi::run(),
        Command::Tools(tools) => tools::run(&tools),
        Command::Bench(bench) => bench::run(bench, cli.database_url.as_deref()).await,
        Command::Train(train) => train::run(&train),
    };
    done.map(|()| ExitCode::SUCCESS)
}
