//! What handlers share.

use super::crowd::Crowd;
use super::session_cookie::SessionCookie;
use super::streams::Streams;
use crate::config::Config;
use metrics_exporter_prometheus::PrometheusHandle;
use quipu_app::App;
use secrecy::{ExposeSecret, SecretString};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Each asks the database twice a second for as long as it is open. Programs take no place from people.
const MOST_STREAMS: usize = 50;
const MOST_STREAMING_PROGRAMS: usize = 25;
/// One for each browser of a tenant. They ask the database together.
const MOST_FOLLOWERS: usize = 500;
const MOST_FOLLOWING_PROGRAMS: usize = 100;
/// What one person or program may take of them: as many as somebody has tabs, and never the places of all.
const STREAMS_OF_ONE: usize = 10;
const FOLLOWERS_OF_ONE: usize = 25;
/// Each reads the whole database of a tenant.
const MOST_EXPORTS: usize = 1;

#[derive(Clone)]
pub struct AppState {
    pub app: Arc<App>,
    pub http: Arc<HttpSettings>,
    pub metrics: PrometheusHandle,
    /// Who follows the documents of a knowledge base.
    pub(crate) streams: Streams,
    pub(crate) streaming_programs: Streams,
    /// Who follows all changes.
    pub(crate) followers: Streams,
    pub(crate) following_programs: Streams,
    /// Who takes everything of a tenant away.
    pub(crate) exports: Streams,
    /// What addresses have under way behind a proxy; without one, connections are counted instead.
    pub(crate) crowd: Option<Crowd>,
}

impl AppState {
    /// `stop` ends the answers that stay open, so that a stopping server does not wait for them.
    #[must_use]
    pub fn new(
        app: Arc<App>,
        config: &Config,
        metrics: PrometheusHandle,
        stop: CancellationToken,
    ) -> Self {
        Self {
            app,
            http: Arc::new(HttpSettings::from(config)),
            metrics,
            streams: Streams::new(stop.clone(), MOST_STREAMS, STREAMS_OF_ONE),
            streaming_programs: Streams::new(stop.clone(), MOST_STREAMING_PROGRAMS, STREAMS_OF_ONE),
            followers: Streams::new(stop.clone(), MOST_FOLLOWERS, FOLLOWERS_OF_ONE),
            following_programs: Streams::new(
                stop.clone(),
                MOST_FOLLOWING_PROGRAMS,
                FOLLOWERS_OF_ONE,
            ),
            exports: Streams::new(stop, MOST_EXPORTS, MOST_EXPORTS),
            crowd: config
                .server
                .trust_forwarded_for
                .then(|| Crowd::new(config.server.max_connections_per_address)),
        }
    }
}

#[derive(Clone, Debug)]
pub struct HttpSettings {
    pub timeout: Duration,
    pub max_body_bytes: usize,
    pub uploads: UploadSettings,
    pub cors_origins: Vec<String>,
    /// Where people reach this server; empty when nobody said.
    pub public_url: String,
    pub(crate) session_cookie: SessionCookie,
    pub trust_forwarded_for: bool,
    pub metrics_token: Option<SecretString>,
}

/// What requests that carry files may take.
#[derive(Clone, Copy, Debug)]
pub struct UploadSettings {
    pub timeout: Duration,
    pub max_request_bytes: u64,
    pub max_files: usize,
}

impl From<&Config> for HttpSettings {
    fn from(config: &Config) -> Self {
        let token = &config.telemetry.metrics_token;
        Self {
            timeout: config.request_timeout(),
            max_body_bytes: config.server.max_body_bytes,
            uploads: UploadSettings {
                timeout: Duration::from_secs(config.uploads.timeout_seconds),
                max_request_bytes: config.uploads.max_request_bytes,
                max_files: config.uploads.max_files,
            },
            cors_origins: config.server.cors_origins.clone(),
            public_url: config.server.public_url.clone(),
            session_cookie: SessionCookie {
                secure: config.uses_https(),
            },
            trust_forwarded_for: config.server.trust_forwarded_for,
            metrics_token: (!token.expose_secret().is_empty()).then(|| token.clone()),
        }
    }
}
