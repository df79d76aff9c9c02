//! What handlers share.

use crate::config::Config;
use metrics_exporter_prometheus::PrometheusHandle;
use quipu_app::App;
use secrecy::{ExposeSecret, SecretString};
use std::sync::Arc;
use std::time::Duration;

#[derive(Clone)]
pub struct AppState {
    pub app: Arc<App>,
    pub http: Arc<HttpSettings>,
    pub metrics: PrometheusHandle,
}

#[derive(Clone, Debug)]
pub struct HttpSettings {
    pub timeout: Duration,
    pub max_body_bytes: usize,
    pub cors_origins: Vec<String>,
    pub secure_cookies: bool,
    pub trust_forwarded_for: bool,
    pub metrics_token: Option<SecretString>,
}

impl From<&Config> for HttpSettings {
    fn from(config: &Config) -> Self {
        let token = &config.telemetry.metrics_token;
        Self {
            timeout: config.request_timeout(),
            max_body_bytes: config.server.max_body_bytes,
            cors_origins: config.server.cors_origins.clone(),
            secure_cookies: config.uses_https(),
            trust_forwarded_for: config.server.trust_forwarded_for,
            metrics_token: (!token.expose_secret().is_empty()).then(|| token.clone()),
        }
    }
}
