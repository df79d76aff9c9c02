use crate::clock::SystemClock;
use crate::config::Config;
use crate::setup;
use std::sync::Arc;

pub(super) async fn run(config: &Config) -> anyhow::Result<()> {
    let store = setup::open_store(config, Arc::new(SystemClock)).await?;
    store.migrate().await?;
    println!("The schema is up to date.");
    Ok(())
}
