//! The product as it runs, inside this process and on a folder of its own, for the commands that
//! look closer than a server lets them.

use super::own_server::OwnFolder;
use crate::config::{Config, DEFAULTS};
use crate::worker::{self, WorkerSettings};
use crate::{master_key, setup};
use anyhow::{Context, bail};
use quipu_app::{Actor, App, bootstrap, jobs};
use quipu_core::Clock;
use quipu_core::job::JobStatus;
use quipu_core::page::PageRequest;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// How long what was loaded may take until it can be searched.
const PATIENCE: Duration = Duration::from_mins(2);
const EVERY: Duration = Duration::from_millis(20);
/// How often the folder is tried to be removed, while connections to the database still close.
const REMOVALS: usize = 100;
/// How many there were in this process so far, which is what their folders are told apart by.
static MADE: AtomicUsize = AtomicUsize::new(0);

pub(super) struct OwnProduct {
    pub(super) app: Arc<App>,
    stop: CancellationToken,
    workers: JoinHandle<()>,
    folder: OwnFolder,
}

impl OwnProduct {
    /// Builds the product as a server does, with the defaults and nothing of this machine's
    /// configuration.
    pub(super) async fn build(
        purpose: &str,
        clock: Arc<dyn Clock>,
        model_hosts: Vec<String>,
    ) -> anyhow::Result<Self> {
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let folder = OwnFolder::make(&format!("{purpose}-{number}"))?;
        let mut config: Config = toml::from_str(DEFAULTS)?;
        folder.path().clone_into(&mut config.data.dir);
        config.models.allow_hosts = model_hosts;
        let store = setup::open_store(&config, clock.clone()).await?;
        store.migrate().await?;
        let key = master_key::load(&config.data.dir, None)?;
        let app = setup::assemble(&config, store, clock, &key).await?;
        let app = Arc::new(app);
        bootstrap::prepare(&app, &config.auth.admin_email).await?;
        let stop = CancellationToken::new();
        let workers = tokio::spawn(worker::run(
            app.clone(),
            WorkerSettings::from(&config),
            stop.clone(),
        ));
        Ok(Self {
            app,
            stop,
            workers,
            folder,
        })
    }

    /// Waits until nothing is left to do for a tenant.
    pub(super) async fn settled(&self, actor: &Actor) -> anyhow::Result<()> {
        let began = Instant::now();
        loop {
            let mut open = 0;
            for status in [JobStatus::Queued, JobStatus::Running] {
                let page = PageRequest::default();
                let found = jobs::list(&self.app, actor, Some(status), page).await?;
                open += found.data.len();
            }
            if open == 0 {
                break;
            }
            if began.elapsed() > PATIENCE {
                bail!("the business could not be searched after {PATIENCE:?}");
            }
            tokio::time::sleep(EVERY).await;
        }
        let page = PageRequest::default();
        let dead = jobs::list(&self.app, actor, Some(JobStatus::Dead), page).await?;
        if let Some(job) = dead.data.first() {
            bail!("a job of kind {} was given up", job.kind);
        }
        Ok(())
    }

    /// Ends the workers and removes the folder, once nothing writes into it any more.
    pub(super) async fn end(self) -> anyhow::Result<()> {
        self.stop.cancel();
        self.workers.await.context("the workers did not end")?;
        drop(self.app);
        for _ in 0..REMOVALS {
            drop(std::fs::remove_dir_all(self.folder.path()));
            tokio::time::sleep(EVERY).await;
            if !self.folder.path().exists() {
                break;
            }
        }
        Ok(())
    }
}
