//! The product as it runs, on a folder and a clock of its own.

use crate::cli::own_server::OwnFolder;
use crate::config::{Config, DEFAULTS};
use crate::worker::{self, WorkerSettings};
use crate::{master_key, setup};
use anyhow::{Context, bail};
use quipu_app::{Actor, App, bootstrap, jobs};
use quipu_core::job::JobStatus;
use quipu_core::page::PageRequest;
use quipu_core::{Clock, Timestamp};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// How long what was loaded may take until it can be searched.
const PATIENCE: Duration = Duration::from_mins(2);
const EVERY: Duration = Duration::from_millis(20);
/// How often the folder is tried to be removed, while connections to the database still close.
const REMOVALS: usize = 100;
/// Worlds of this process so far. What a file calls a scenario is no name for a folder.
static WORLDS: AtomicUsize = AtomicUsize::new(0);

/// A clock that stands where it is put.
pub(super) struct SetClock(Mutex<Timestamp>);

impl SetClock {
    pub(super) fn set(&self, now: Timestamp) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }
}

impl Clock for SetClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) struct World {
    pub(super) app: Arc<App>,
    pub(super) clock: Arc<SetClock>,
    stop: CancellationToken,
    workers: JoinHandle<()>,
    folder: OwnFolder,
}

impl World {
    /// Builds the product as a server does, with the defaults and nothing of this machine's
    /// configuration.
    pub(super) async fn build(now: Timestamp, model_hosts: Vec<String>) -> anyhow::Result<Self> {
        let number = WORLDS.fetch_add(1, Ordering::Relaxed);
        let folder = OwnFolder::make(&format!("scenario-{number}"))?;
        let mut config: Config = toml::from_str(DEFAULTS)?;
        folder.path().clone_into(&mut config.data.dir);
        config.models.allow_hosts = model_hosts;
        let clock = Arc::new(SetClock(Mutex::new(now)));
        let store = setup::open_store(&config, clock.clone()).await?;
        store.migrate().await?;
        let key = master_key::load(&config.data.dir, None)?;
        let app = setup::assemble(&config, store, clock.clone(), &key).await?;
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
            clock,
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
