use crate::clock::SystemClock;
use crate::config::Config;
use crate::{master_key, setup};
use anyhow::{Context, bail};
use clap::Args;
use secrecy::SecretString;
use std::sync::Arc;
use std::time::Duration;

#[derive(Args)]
pub(super) struct Doctor {
    /// Ask a running server instead of looking at this machine.
    #[arg(long, value_name = "URL")]
    url: Option<String>,
}

pub(super) async fn run(
    load: impl Fn() -> anyhow::Result<Config>,
    doctor: Doctor,
) -> anyhow::Result<()> {
    if let Some(url) = doctor.url {
        return ask(&url).await;
    }
    let mut ills = 0;
    let mut report = |what: &str, found: anyhow::Result<String>| match found {
        Ok(detail) => println!("ok    {what}: {detail}"),
        Err(error) => {
            ills += 1;
            println!("FAIL  {what}: {error:#}");
        }
    };
    match load() {
        Err(error) => report("configuration", Err(error)),
        Ok(config) => {
            report("configuration", Ok("valid".to_owned()));
            report("database", database(&config).await);
            report("master key", key(&config));
        }
    }
    if ills > 0 {
        bail!("{ills} of the checks failed");
    }
    Ok(())
}

const NOT_YET: &str = "not there yet; the first start makes it";

/// Looking makes nothing: what is not there is reported as such.
fn key(config: &Config) -> anyhow::Result<String> {
    let given = std::env::var("QUIPU_MASTER_KEY")
        .ok()
        .map(SecretString::from);
    if given.is_none() && !config.data.dir.join("master.key").exists() {
        return Ok(NOT_YET.to_owned());
    }
    master_key::load(&config.data.dir, given.as_ref())?;
    Ok("readable".to_owned())
}

async fn database(config: &Config) -> anyhow::Result<String> {
    if config.sqlite_file().is_some_and(|file| !file.exists()) {
        return Ok(format!("SQLite, {NOT_YET}"));
    }
    let store = setup::open_store(config, Arc::new(SystemClock)).await?;
    let kind = if store.is_postgres() {
        "PostgreSQL"
    } else {
        "SQLite"
    };
    let pending = store.pending_migrations().await?;
    if pending > 0 {
        return Ok(format!(
            "{kind}, {pending} migrations to run (`quipu migrate` or `quipu serve`)"
        ));
    }
    let depth = store.platform_read().await?.queue().depth().await?;
    Ok(format!(
        "{kind}, schema up to date; jobs: {} queued, {} running, {} dead",
        depth.queued, depth.running, depth.dead
    ))
}

async fn ask(url: &str) -> anyhow::Result<()> {
    let client = reqwest::Client::builder()
        .timeout(Duration::from_secs(10))
        .build()?;
    let response = client
        .get(format!("{}/readyz", url.trim_end_matches('/')))
        .send()
        .await
        .with_context(|| format!("no server answers at {url}; is `quipu serve` running?"))?;
    let status = response.status();
    println!("{}", response.text().await?);
    if !status.is_success() {
        bail!("the server at {url} is not ready ({status})");
    }
    Ok(())
}
