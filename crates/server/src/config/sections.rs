//! The sections of the configuration. What each setting means is said in `quipu.default.toml`.

use super::show;
use quipu_core::reranking::RerankProvider;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Server {
    pub bind: SocketAddr,
    pub public_url: String,
    pub cors_origins: Vec<String>,
    pub max_connections: usize,
    pub max_connections_per_address: usize,
    pub request_timeout_seconds: u64,
    pub max_body_bytes: usize,
    pub trust_forwarded_for: bool,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Data {
    pub dir: PathBuf,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Database {
    #[serde(serialize_with = "show::secret_address")]
    pub url: SecretString,
    pub max_connections: u32,
    pub acquire_timeout_seconds: u64,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Auth {
    pub admin_email: String,
    pub session_hours: u64,
    pub reset_hours: u64,
    pub lockout_failures: i32,
    pub lockout_minutes: u64,
    pub sign_ins_per_minute: u32,
    pub password_hashes_at_once: usize,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Jobs {
    pub workers: usize,
    pub per_tenant: u32,
    pub lease_seconds: u64,
    pub poll_milliseconds: u64,
    pub max_attempts: i32,
    pub shutdown_seconds: u64,
    pub keep_days: u64,
}

impl Jobs {
    /// How many jobs of one tenant run at the same time.
    #[must_use]
    pub fn per_tenant(&self) -> u32 {
        if self.per_tenant > 0 {
            return self.per_tenant;
        }
        u32::try_from(self.workers.saturating_sub(1))
            .unwrap_or(u32::MAX)
            .max(1)
    }
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Turns {
    pub retention_days: u64,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Storage {
    pub url: String,
    #[serde(serialize_with = "show::secrets")]
    pub options: BTreeMap<String, SecretString>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Uploads {
    pub max_request_bytes: u64,
    pub max_files: usize,
    pub timeout_seconds: u64,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Extraction {
    pub at_once: usize,
    pub memory_bytes: u64,
    pub cpu_seconds: u64,
    pub wall_seconds: u64,
    pub ocr_max_pages: u32,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Channels {
    pub graph_url: String,
    pub instagram_url: String,
    pub tiktok_url: String,
    pub vapi_url: String,
    pub graph_version: String,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Fetch {
    pub allow_networks: Vec<String>,
    pub timeout_seconds: u64,
    pub site_pause_milliseconds: u64,
}

/// Which engine finds chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SearchEngine {
    Embedded,
    Pgvector,
    Qdrant,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    pub engine: SearchEngine,
    pub memory_bytes: usize,
    pub max_open: usize,
    pub embedding_deadline_milliseconds: u64,
    pub search_deadline_milliseconds: u64,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Qdrant {
    #[serde(serialize_with = "show::address")]
    pub url: String,
    #[serde(serialize_with = "show::secret")]
    pub api_key: SecretString,
    pub certificates: PathBuf,
    pub prefix: String,
    pub replicas: u32,
    pub timeout_seconds: u64,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Embeddings {
    #[serde(serialize_with = "show::secret")]
    pub openai_api_key: SecretString,
    #[serde(serialize_with = "show::address")]
    pub openai_base_url: String,
    #[serde(serialize_with = "show::secret")]
    pub cohere_api_key: SecretString,
    #[serde(serialize_with = "show::address")]
    pub cohere_base_url: String,
    pub allow_hosts: Vec<String>,
    pub models_dir: PathBuf,
    pub models_download: bool,
    pub question_timeout_seconds: u64,
    pub passage_timeout_seconds: u64,
    pub cached_questions: usize,
}

/// Those who write answers.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Models {
    #[serde(serialize_with = "show::address")]
    pub openai_base_url: String,
    #[serde(serialize_with = "show::secret")]
    pub anthropic_api_key: SecretString,
    #[serde(serialize_with = "show::address")]
    pub anthropic_base_url: String,
    #[serde(serialize_with = "show::secret")]
    pub gemini_api_key: SecretString,
    #[serde(serialize_with = "show::address")]
    pub gemini_base_url: String,
    #[serde(serialize_with = "show::address")]
    pub ollama_base_url: String,
    pub allow_hosts: Vec<String>,
    pub first_timeout_seconds: u64,
    pub idle_timeout_seconds: u64,
    pub breaker_seconds: u64,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Rerank {
    pub provider: RerankProvider,
    pub always: bool,
    pub model: String,
    #[serde(serialize_with = "show::address")]
    pub base_url: String,
    #[serde(serialize_with = "show::secret")]
    pub api_key: SecretString,
    pub deadline_milliseconds: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    Pretty,
    Json,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Telemetry {
    pub log: String,
    pub format: LogFormat,
    #[serde(serialize_with = "show::address")]
    pub otlp_endpoint: String,
    #[serde(serialize_with = "show::secret")]
    pub metrics_token: SecretString,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Demo {
    pub enabled: bool,
}
