use crate::config::Config;
use crate::demo;
use crate::http::{self, AppState, ConnectionLimits, router};
use crate::worker::WorkerSettings;
use crate::{setup, telemetry, worker};
use anyhow::Context;
use clap::Args;
use quipu_app::bootstrap::{self, NewAdministrator};
use quipu_app::{App, index, secrets};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// How long the start waits for the index to be compared with the database.
const LONGEST_SWEEP: Duration = Duration::from_secs(10);

#[derive(Args)]
pub(super) struct Serve {
    /// Address and port to listen on (server.bind).
    #[arg(long, value_name = "ADDRESS")]
    pub(super) bind: Option<SocketAddr>,
}

pub(super) async fn run(config: Config) -> anyhow::Result<()> {
    let traces = telemetry::start(&config.telemetry)?;
    let metrics = telemetry::start_metrics()?;
    raise_file_limit(config.server.max_connections);
    // The port first: a second server on the same data stops here, before it touches anything.
    let listener = TcpListener::bind(config.server.bind)
        .await
        .with_context(|| format!("cannot listen on {} (server.bind)", config.server.bind))?;
    let address = listener.local_addr()?;
    let app = Arc::new(setup::build_app(&config).await?);
    secrets::check_master_key(&app).await.context(
        "the master key is not the one the stored secrets were sealed with: bring back \
         master.key or QUIPU_MASTER_KEY",
    )?;
    let administrator = first_start(&app, &config).await?;
    // Before anybody searches or changes anything: what the index knows may no longer be true. A
    // server of the engine's that is away is no reason to wait.
    let swept = tokio::time::timeout(LONGEST_SWEEP, index::sweep(&app)).await;
    if !matches!(swept, Ok(Ok(_))) {
        tracing::warn!("the index was not compared with the database; that is tried again later");
    }

    let stop = CancellationToken::new();
    let workers = tokio::spawn(worker::run(
        app.clone(),
        WorkerSettings::from(&config),
        stop.clone(),
    ));
    let service = router(AppState::new(app.clone(), &config, metrics, stop.clone()));
    // Once more: what was loaded meanwhile may have pushed it off the screen.
    if let Some(admin) = administrator {
        let (email, password) = (admin.email, admin.one_time_password);
        println!("Sign in as {email} with the one-time password {password}");
    }
    println!("Quipu is ready at http://{address} (documentation at http://{address}/docs)");
    tracing::info!(%address, "listening on {address}");
    tokio::spawn({
        let stop = stop.clone();
        async move {
            until_told().await;
            tracing::info!("stopping: no new requests, finishing what is under way");
            stop.cancel();
        }
    });
    let limits = ConnectionLimits::from(&config);
    http::serve(listener, service, limits, stop, config.request_timeout()).await;
    workers.await?;
    traces.flush();
    match Arc::into_inner(app) {
        Some(app) => app.store.close().await.map_err(Into::into),
        None => Ok(()),
    }
}

/// Raises the number of files that may be open, of which each connection takes one, as far as the
/// system lets us: what people are given by default is less than what is to be served.
fn raise_file_limit(connections: usize) {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        let Some(soft) = limit.current else {
            return;
        };
        limit.current = limit.maximum;
        if limit.maximum.is_none_or(|most| most > soft)
            && let Err(error) = setrlimit(Resource::Nofile, limit)
        {
            tracing::warn!(%error, "the number of open files stays limited to {soft}");
        }
        let now = getrlimit(Resource::Nofile).current;
        if now.is_some_and(|now| now < connections as u64) {
            tracing::info!(
                "fewer files may be open than server.max_connections ({connections}): raise the hard limit (ulimit -Hn, LimitNOFILE)"
            );
        }
    }
    #[cfg(not(unix))]
    let _ = connections;
}

/// Makes plans and administrator when there are none, and the demo tenants the first time. The
/// marker makes a demo that was cut off come back complete.
async fn first_start(app: &App, config: &Config) -> anyhow::Result<Option<NewAdministrator>> {
    let pending = config.data.dir.join("demo-pending");
    let is_first = !app
        .store
        .platform_read()
        .await?
        .users()
        .any_super_admin()
        .await?;
    if is_first && config.demo.enabled {
        std::fs::write(&pending, "")?;
    }
    let administrator = bootstrap::prepare(app, &config.auth.admin_email).await?;
    if let Some(admin) = &administrator {
        println!("Administrator: {}", admin.email);
        println!(
            "One-time password: {} (shown once; change it after signing in)",
            admin.one_time_password
        );
    }
    if config.demo.enabled && pending.exists() {
        for demo in &demo::ALL {
            let key = bootstrap::load_demo(app, demo).await?;
            let file = config.data.dir.join(demo::key_file(demo));
            write_private(&file, &key)?;
            println!(
                "Demo tenant: {} (agent {}), key in {}",
                demo.tenant,
                demo.agent,
                file.display()
            );
        }
        std::fs::remove_file(&pending)?;
    }
    Ok(administrator)
}

fn write_private(file: &Path, text: &str) -> anyhow::Result<()> {
    use std::io::Write;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut out = options
        .open(file)
        .with_context(|| format!("{} cannot be written", file.display()))?;
    writeln!(out, "{text}")?;
    Ok(())
}

/// Until Ctrl-C or the signal service managers send.
pub(super) async fn until_told() {
    let interrupted = async {
        drop(tokio::signal::ctrl_c().await);
    };
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut terminate) => {
                tokio::select! {
                    () = interrupted => {}
                    _ = terminate.recv() => {}
                }
            }
            Err(_) => interrupted.await,
        }
    }
    #[cfg(not(unix))]
    interrupted.await;
}
