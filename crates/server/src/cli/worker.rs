use super::serve::until_told;
use crate::config::Config;
use crate::worker::{self, WorkerSettings};
use crate::{setup, telemetry};
use anyhow::bail;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

pub(super) async fn run(config: Config) -> anyhow::Result<()> {
    let traces = telemetry::start(&config.telemetry)?;
    let settings = WorkerSettings::from(&config);
    if settings.workers == 0 {
        bail!("configuration: jobs.workers is 0; a worker needs at least 1");
    }
    let app = Arc::new(setup::build_worker_app(&config).await?);
    let stop = CancellationToken::new();
    let workers = tokio::spawn(worker::run(app, settings, stop.clone()));
    println!("Quipu is working on jobs, {} at a time", settings.workers);
    until_told().await;
    stop.cancel();
    workers.await?;
    traces.flush();
    Ok(())
}
