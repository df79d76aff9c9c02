//! What a configuration must keep to.

use super::{Config, SearchEngine};
use anyhow::bail;
use quipu_core::origin::ServerOrigin;
use quipu_core::reranking::RerankProvider;
use secrecy::ExposeSecret;

impl Config {
    pub(super) fn check(&self) -> anyhow::Result<()> {
        between(
            "server.request_timeout_seconds",
            self.server.request_timeout_seconds,
            1,
            600,
        )?;
        between(
            "server.max_connections",
            self.server.max_connections as u64,
            1,
            1_000_000,
        )?;
        between(
            "server.max_connections_per_address",
            self.server.max_connections_per_address as u64,
            1,
            1_000_000,
        )?;
        between(
            "server.max_body_bytes",
            self.server.max_body_bytes as u64,
            1024,
            1 << 30,
        )?;
        between(
            "database.max_connections",
            u64::from(self.database.max_connections),
            1,
            1000,
        )?;
        between(
            "database.acquire_timeout_seconds",
            self.database.acquire_timeout_seconds,
            1,
            300,
        )?;
        between("auth.session_hours", self.auth.session_hours, 1, 24 * 365)?;
        between("auth.reset_hours", self.auth.reset_hours, 1, 24 * 30)?;
        let failures = u64::try_from(self.auth.lockout_failures).unwrap_or(0);
        between("auth.lockout_failures", failures, 1, 1000)?;
        between(
            "auth.lockout_minutes",
            self.auth.lockout_minutes,
            1,
            24 * 60,
        )?;
        between(
            "auth.sign_ins_per_minute",
            u64::from(self.auth.sign_ins_per_minute),
            1,
            100_000,
        )?;
        between(
            "auth.password_hashes_at_once",
            self.auth.password_hashes_at_once as u64,
            1,
            256,
        )?;
        between("jobs.workers", self.jobs.workers as u64, 0, 256)?;
        between("jobs.lease_seconds", self.jobs.lease_seconds, 1, 3600)?;
        between(
            "jobs.poll_milliseconds",
            self.jobs.poll_milliseconds,
            10,
            60_000,
        )?;
        between(
            "jobs.max_attempts",
            u64::try_from(self.jobs.max_attempts).unwrap_or(0),
            1,
            100,
        )?;
        between("jobs.shutdown_seconds", self.jobs.shutdown_seconds, 0, 600)?;
        between("jobs.keep_days", self.jobs.keep_days, 1, 3650)?;
        between("turns.retention_days", self.turns.retention_days, 1, 3650)?;
        self.check_files()?;
        self.check_search()?;
        self.check_texts()
    }

    /// What concerns files and web pages.
    fn check_files(&self) -> anyhow::Result<()> {
        between("jobs.per_tenant", u64::from(self.jobs.per_tenant), 0, 256)?;
        between(
            "uploads.max_request_bytes",
            self.uploads.max_request_bytes,
            1 << 20,
            1 << 34,
        )?;
        between(
            "uploads.max_files",
            self.uploads.max_files as u64,
            1,
            10_000,
        )?;
        between(
            "uploads.timeout_seconds",
            self.uploads.timeout_seconds,
            1,
            3600,
        )?;
        let extraction = &self.extraction;
        between("extraction.at_once", extraction.at_once as u64, 0, 256)?;
        between(
            "extraction.memory_bytes",
            extraction.memory_bytes,
            256 << 20,
            64 << 30,
        )?;
        between("extraction.cpu_seconds", extraction.cpu_seconds, 1, 3600)?;
        between("extraction.wall_seconds", extraction.wall_seconds, 1, 3600)?;
        between(
            "extraction.ocr_max_pages",
            u64::from(extraction.ocr_max_pages),
            0,
            10_000,
        )?;
        between("fetch.timeout_seconds", self.fetch.timeout_seconds, 1, 600)?;
        let pause = self.fetch.site_pause_milliseconds;
        between("fetch.site_pause_milliseconds", pause, 0, 60_000)?;
        let channels = &self.channels;
        for (key, address) in [
            ("graph_url", &channels.graph_url),
            ("instagram_url", &channels.instagram_url),
            ("tiktok_url", &channels.tiktok_url),
            ("vapi_url", &channels.vapi_url),
        ] {
            if ServerOrigin::named(address).is_none() {
                bail!(
                    "configuration: channels.{key} is {address:?}; give scheme and host, such as \
                     https://graph.facebook.com"
                );
            }
        }
        for network in &self.fetch.allow_networks {
            if network.parse::<quipu_fetch::IpNet>().is_err() {
                bail!(
                    "configuration: fetch.allow_networks has {network:?}; give networks as \
                     10.1.0.0/16"
                );
            }
        }
        Ok(())
    }

    /// What concerns search and the models behind it.
    fn check_search(&self) -> anyhow::Result<()> {
        let search = &self.search;
        let database = self.database.url.expose_secret();
        if search.engine == SearchEngine::Pgvector && !database.starts_with("postgres") {
            bail!(
                "configuration: search.engine is \"pgvector\", which is an extension of \
                 PostgreSQL; give database.url as postgres://… or use the engine \"embedded\""
            );
        }
        let qdrant = &self.qdrant;
        if search.engine == SearchEngine::Qdrant && !qdrant.url.starts_with("http") {
            bail!(
                "configuration: qdrant.url is {:?}; give it as https://host:6333",
                qdrant.url
            );
        }
        let is_plain = |letter: u8| letter.is_ascii_alphanumeric() || b"_-".contains(&letter);
        if qdrant.prefix.is_empty() || !qdrant.prefix.bytes().all(is_plain) {
            bail!(
                "configuration: qdrant.prefix is {:?}; give it letters, digits, _ and -",
                qdrant.prefix
            );
        }
        between("qdrant.replicas", qdrant.replicas.into(), 1, 32)?;
        between("qdrant.timeout_seconds", qdrant.timeout_seconds, 1, 600)?;
        between(
            "search.memory_bytes",
            search.memory_bytes as u64,
            16 << 20,
            1 << 40,
        )?;
        between("search.max_open", search.max_open as u64, 1, 100_000)?;
        between(
            "search.embedding_deadline_milliseconds",
            search.embedding_deadline_milliseconds,
            10,
            60_000,
        )?;
        between(
            "search.search_deadline_milliseconds",
            search.search_deadline_milliseconds,
            10,
            60_000,
        )?;
        between(
            "rerank.deadline_milliseconds",
            self.rerank.deadline_milliseconds,
            10,
            60_000,
        )?;
        self.check_rerank()?;
        let models = &self.models;
        if let Some(odd) = models.allow_hosts.iter().find(|host| !is_host(host)) {
            bail!("configuration: models.allow_hosts has {odd:?}; give hosts as host or host:port");
        }
        for (name, seconds) in [
            ("models.first_timeout_seconds", models.first_timeout_seconds),
            ("models.idle_timeout_seconds", models.idle_timeout_seconds),
            ("models.breaker_seconds", models.breaker_seconds),
        ] {
            between(name, seconds, 1, 600)?;
        }
        let embeddings = &self.embeddings;
        if let Some(odd) = embeddings.allow_hosts.iter().find(|host| !is_host(host)) {
            bail!(
                "configuration: embeddings.allow_hosts has {odd:?}; give hosts as host or host:port"
            );
        }
        between(
            "embeddings.question_timeout_seconds",
            embeddings.question_timeout_seconds,
            1,
            600,
        )?;
        between(
            "embeddings.passage_timeout_seconds",
            embeddings.passage_timeout_seconds,
            1,
            600,
        )?;
        between(
            "embeddings.cached_questions",
            embeddings.cached_questions as u64,
            0,
            100_000,
        )
    }

    fn check_rerank(&self) -> anyhow::Result<()> {
        let rerank = &self.rerank;
        let is_address = |url: &str| url.starts_with("http://") || url.starts_with("https://");
        let wrong = match rerank.provider {
            RerankProvider::None if rerank.always => "always is set, and provider is \"none\"",
            RerankProvider::Local
                if !rerank.model.is_empty()
                    && self.embeddings.models_dir.as_os_str().is_empty() =>
            {
                "model is named, and embeddings.models_dir, where it would lie, is empty"
            }
            RerankProvider::Cohere
                if !rerank.base_url.is_empty() && !is_address(&rerank.base_url) =>
            {
                "base_url is no address; give it as https://host"
            }
            RerankProvider::Cohere
                if rerank.base_url.is_empty() && !rerank.api_key.expose_secret().is_empty() =>
            {
                "api_key is for a server at base_url; the key of Cohere is embeddings.cohere_api_key"
            }
            _ => return Ok(()),
        };
        bail!("configuration: rerank.{wrong}")
    }

    fn check_texts(&self) -> anyhow::Result<()> {
        let url = self.database.url.expose_secret();
        let known = ["", "sqlite:", "postgres://", "postgresql://"];
        if !known.iter().any(|p| {
            if p.is_empty() {
                url.is_empty()
            } else {
                url.starts_with(p)
            }
        }) {
            bail!(
                "configuration: database.url must be empty (SQLite in data.dir) or start with \
                 sqlite:, postgres:// or postgresql://"
            );
        }
        let public = &self.server.public_url;
        if !public.is_empty() && !is_origin(public) {
            bail!(
                "configuration: server.public_url is {public:?}; give it as https://host, without \
                 a path"
            );
        }
        for origin in &self.server.cors_origins {
            if !is_origin(origin) {
                bail!(
                    "configuration: server.cors_origins has {origin:?}; give origins as \
                     https://host, without a path"
                );
            }
        }
        if !self.auth.admin_email.contains('@') {
            bail!(
                "configuration: auth.admin_email is {:?}; give it an e-mail address",
                self.auth.admin_email
            );
        }
        let endpoint = &self.telemetry.otlp_endpoint;
        if !endpoint.is_empty() && !endpoint.starts_with("http") {
            bail!(
                "configuration: telemetry.otlp_endpoint is {endpoint:?}; give it as \
                 http://host:4318/v1/traces"
            );
        }
        if let Err(error) = tracing_subscriber::EnvFilter::try_new(&self.telemetry.log) {
            bail!("configuration: telemetry.log is not a filter ({error}); try \"info\"");
        }
        Ok(())
    }
}

fn between(key: &str, value: u64, min: u64, max: u64) -> anyhow::Result<()> {
    if (min..=max).contains(&value) {
        return Ok(());
    }
    bail!("configuration: {key} is {value}; give it a value from {min} to {max}")
}

/// A host, or a host and a port.
fn is_host(text: &str) -> bool {
    let text = text.trim();
    let bare = text
        .rsplit_once(':')
        .filter(|(host, _)| !host.ends_with(':'));
    let (host, port) = bare.map_or((text, None), |(host, port)| (host, Some(port)));
    let is_address = text.parse::<std::net::IpAddr>().is_ok();
    is_address
        || (is_origin(&format!("http://{host}"))
            && port.is_none_or(|port| port.parse::<u16>().is_ok()))
}

fn is_origin(text: &str) -> bool {
    let host = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    host.is_some_and(|host| {
        !host.is_empty()
            && host
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b".-:[]".contains(&b))
    })
}

#[cfg(test)]
mod tests {
    use super::is_host;

    #[test]
    fn hosts_have_a_port_at_most() {
        for host in [
            "ollama.internal",
            "127.0.0.1:11434",
            "::1",
            "[::1]:80",
            " gpu-1 ",
        ] {
            assert!(is_host(host), "{host:?}");
        }
        for other in [
            "",
            "http://127.0.0.1:1",
            "a/b",
            "host:",
            "host:puerto",
            "host:70000",
            "a b",
        ] {
            assert!(!is_host(other), "{other:?}");
        }
    }
}
