use crate::clock::SystemClock;
use crate::config::Config;
use crate::{master_key, private, setup};
use anyhow::{Context, bail};
use clap::Args;
use futures::StreamExt;
use quipu_core::format::Format;
use quipu_core::ports::Extractor;
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
            // Before the database is opened, which takes these rights away.
            report("private files", private_files(&config));
            report("database", database(&config).await);
            report("master key", key(&config));
            report("original files", originals(&config).await);
            report("reading files", extraction(&config).await);
            report("text recognition", text_recognition().await);
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

/// Whether others on this machine can read what tenants entrusted to it.
fn private_files(config: &Config) -> anyhow::Result<String> {
    let file = config.sqlite_file();
    let mut exposed = file.as_deref().map(private::exposed).unwrap_or_default();
    exposed.extend(private::open_to_others(&config.private_paths()));
    if exposed.is_empty() {
        return Ok(match file {
            Some(_) => "nobody else can read the database, the originals and the index".to_owned(),
            None => "nobody else can read the originals; the database is kept elsewhere".to_owned(),
        });
    }
    let files = exposed.iter();
    let files = files.map(|(file, rights)| format!("{} ({rights:o})", file.display()));
    bail!(
        "others on this machine could read {} until now; opening it takes these rights away",
        files.collect::<Vec<_>>().join(", ")
    )
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

async fn originals(config: &Config) -> anyhow::Result<String> {
    let url = config.storage_url();
    let local = url.strip_prefix("file://").map(std::path::Path::new);
    if local.is_some_and(|folder| !folder.exists()) {
        return Ok(format!("{url}, {NOT_YET}"));
    }
    setup::open_originals(config)?.check().await?;
    Ok(format!("{url} can be used"))
}

/// Reads a text the way the server reads files: in a confined child.
async fn extraction(config: &Config) -> anyhow::Result<String> {
    let text = futures::stream::once(async { Ok("quipu".into()) }).boxed();
    let read = setup::extractor(config)?
        .extract(text, Format::Txt, &|_| {})
        .await?;
    match read {
        Ok(_) => Ok("a confined process reads a file".to_owned()),
        Err(failure) => bail!("a confined process could not read a text: {failure}"),
    }
}

/// Scans can be read only where both programs are installed; everything else can do without.
async fn text_recognition() -> anyhow::Result<String> {
    let mut missing = Vec::new();
    for program in ["pdftoppm", "tesseract"] {
        let found = tokio::process::Command::new(program)
            .arg("--version")
            .output()
            .await;
        if found.is_err() {
            missing.push(program);
        }
    }
    if missing.is_empty() {
        return Ok("pdftoppm and tesseract are installed".to_owned());
    }
    Ok(format!(
        "scans will not be read: {} not installed (packages poppler-utils, tesseract-ocr, \
         tesseract-ocr-spa)",
        missing.join(" and ")
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
