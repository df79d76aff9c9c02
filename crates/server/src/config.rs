//! The configuration: defaults compiled in, a file, the environment and flags over them.

use anyhow::{Context, bail};
use figment::Figment;
use figment::providers::{Env, Format, Serialized, Toml};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub const DEFAULTS: &str = include_str!("../quipu.default.toml");

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    pub server: Server,
    pub data: Data,
    pub database: Database,
    pub auth: Auth,
    pub jobs: Jobs,
    pub storage: Storage,
    pub uploads: Uploads,
    pub extraction: Extraction,
    pub fetch: Fetch,
    pub telemetry: Telemetry,
    pub demo: Demo,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Server {
    pub bind: SocketAddr,
    pub public_url: String,
    pub cors_origins: Vec<String>,
    pub max_connections: usize,
    pub request_timeout_seconds: u64,
    pub max_body_bytes: usize,
    pub trust_forwarded_for: bool,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Data {
    pub dir: PathBuf,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Database {
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

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Storage {
    pub url: String,
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
pub struct Fetch {
    pub allow_networks: Vec<String>,
    pub timeout_seconds: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    Pretty,
    Json,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Telemetry {
    pub log: String,
    pub format: LogFormat,
    pub otlp_endpoint: String,
    pub metrics_token: SecretString,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Demo {
    pub enabled: bool,
}

fn between(key: &str, value: u64, min: u64, max: u64) -> anyhow::Result<()> {
    if (min..=max).contains(&value) {
        return Ok(());
    }
    bail!("configuration: {key} is {value}; give it a value from {min} to {max}")
}

/// Settings given on the command line.
#[derive(Clone, Debug, Default)]
pub struct Overrides(pub Vec<(&'static str, String)>);

impl Config {
    /// Reads and checks the configuration.
    ///
    /// # Errors
    /// Names the key and what to do about it.
    pub fn load(file: Option<&Path>, overrides: Overrides) -> anyhow::Result<Self> {
        let mut figment = Figment::from(Toml::string(DEFAULTS));
        if let Some(file) = file {
            let text = std::fs::read_to_string(file).with_context(|| {
                format!("the configuration file {} cannot be read", file.display())
            })?;
            figment = figment.merge(Toml::string(&text));
        }
        refuse_unknown_variables()?;
        // Only QUIPU_SECTION__KEY: names such as QUIPU_MASTER_KEY are not settings of this file.
        let environment = Env::prefixed("QUIPU_")
            .filter(|key| key.as_str().contains("__"))
            .split("__");
        figment = figment.merge(environment);
        for (key, value) in overrides.0 {
            figment = figment.merge(Serialized::default(key, value));
        }
        let config: Self = figment.extract().map_err(|error| explain(&error))?;
        config.check()?;
        Ok(config)
    }

    fn check(&self) -> anyhow::Result<()> {
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
        self.check_files()?;
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

    /// The database's address, with the default filled in.
    #[must_use]
    pub fn database_url(&self) -> SecretString {
        if !self.database.url.expose_secret().is_empty() {
            return self.database.url.clone();
        }
        format!("sqlite://{}", self.data.dir.join("quipu.db").display()).into()
    }

    /// Where originals are kept, with the default filled in.
    #[must_use]
    pub fn storage_url(&self) -> String {
        if !self.storage.url.is_empty() {
            return self.storage.url.clone();
        }
        let folder = self.data.dir.join("originals");
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        format!("file://{}", folder.display())
    }

    /// The SQLite file, when that is the database.
    #[must_use]
    pub fn sqlite_file(&self) -> Option<PathBuf> {
        let url = self.database_url();
        let path = url.expose_secret().strip_prefix("sqlite:")?;
        let path = path.strip_prefix("//").unwrap_or(path);
        Some(PathBuf::from(path.split('?').next().unwrap_or(path)))
    }

    #[must_use]
    pub fn uses_https(&self) -> bool {
        self.server.public_url.starts_with("https://")
    }

    #[must_use]
    pub fn request_timeout(&self) -> Duration {
        Duration::from_secs(self.server.request_timeout_seconds)
    }

    /// What is in force, as a file, with secrets masked.
    ///
    /// # Errors
    /// When it cannot be written as TOML, which is a defect.
    pub fn show(&self) -> anyhow::Result<String> {
        #[derive(Serialize)]
        struct Shown<'a> {
            server: &'a Server,
            data: &'a Data,
            database: ShownDatabase,
            auth: &'a Auth,
            jobs: &'a Jobs,
            storage: ShownStorage<'a>,
            uploads: &'a Uploads,
            extraction: &'a Extraction,
            fetch: &'a Fetch,
            telemetry: ShownTelemetry<'a>,
            demo: &'a Demo,
        }
        #[derive(Serialize)]
        struct ShownDatabase {
            url: String,
            max_connections: u32,
            acquire_timeout_seconds: u64,
        }
        #[derive(Serialize)]
        struct ShownStorage<'a> {
            url: String,
            options: BTreeMap<&'a str, &'static str>,
        }
        #[derive(Serialize)]
        struct ShownTelemetry<'a> {
            log: &'a str,
            format: LogFormat,
            otlp_endpoint: String,
            metrics_token: &'a str,
        }
        let metrics_token = if self.telemetry.metrics_token.expose_secret().is_empty() {
            ""
        } else {
            "••••"
        };
        Ok(toml::to_string(&Shown {
            server: &self.server,
            data: &self.data,
            database: ShownDatabase {
                url: without_password(self.database_url().expose_secret()),
                max_connections: self.database.max_connections,
                acquire_timeout_seconds: self.database.acquire_timeout_seconds,
            },
            auth: &self.auth,
            jobs: &self.jobs,
            storage: ShownStorage {
                url: self.storage_url(),
                // Some of them are keys; none is worth telling which.
                options: self
                    .storage
                    .options
                    .keys()
                    .map(|name| (name.as_str(), "••••"))
                    .collect(),
            },
            uploads: &self.uploads,
            extraction: &self.extraction,
            fetch: &self.fetch,
            telemetry: ShownTelemetry {
                log: &self.telemetry.log,
                format: self.telemetry.format,
                otlp_endpoint: without_password(&self.telemetry.otlp_endpoint),
                metrics_token,
            },
            demo: &self.demo,
        })?)
    }
}

/// A variable with one underscore too few would otherwise be ignored in silence.
fn refuse_unknown_variables() -> anyhow::Result<()> {
    const OURS: [&str; 3] = ["QUIPU_CONFIG", "QUIPU_MASTER_KEY", "QUIPU_API_KEY"];
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        let known = !name.starts_with("QUIPU_")
            || name.contains("__")
            || OURS.contains(&name.as_ref())
            || name.starts_with("QUIPU_TEST_")
            || name.starts_with("QUIPU_FUZZ_");
        if !known {
            bail!(
                "configuration: {name} is not a setting; section and key are joined by two \
                 underscores, as in QUIPU_SERVER__BIND"
            );
        }
    }
    Ok(())
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

/// An address as it may be shown: whatever stands between `:` and `@`, or in a `password=`, is
/// not for eyes.
#[must_use]
pub fn without_password(url: &str) -> String {
    let mut shown = url.to_owned();
    if let Some((scheme, rest)) = url.split_once("://") {
        // A password may itself hold an `@` or a `/`: the last `@` before the query ends it.
        let before_query = rest.split('?').next().unwrap_or_default();
        if let Some((credentials, _)) = before_query.rsplit_once('@') {
            let user = credentials.split(':').next().unwrap_or_default();
            let masked = if credentials.contains(':') {
                format!("{user}:••••")
            } else {
                user.to_owned()
            };
            shown = format!("{scheme}://{masked}{}", &rest[credentials.len()..]);
        }
    }
    if let Some(start) = shown.find("password=") {
        let start = start + "password=".len();
        let end = shown[start..].find('&').map_or(shown.len(), |i| start + i);
        shown.replace_range(start..end, "••••");
    }
    shown
}

fn explain(error: &figment::Error) -> anyhow::Error {
    let key = error.path.join(".");
    let what = match &error.kind {
        figment::error::Kind::UnknownField(field, allowed) => {
            // The path may end in the unknown field itself; the place is the section around it.
            let section = key.strip_suffix(field.as_str()).unwrap_or(&key);
            let place = match section.trim_end_matches('.') {
                "" => String::new(),
                section => format!(" in [{section}]"),
            };
            return anyhow::anyhow!(
                "configuration: there is no setting {field:?}{place}; known ones are {}",
                allowed.join(", ")
            );
        }
        kind => kind.to_string(),
    };
    anyhow::anyhow!(
        "configuration: {key} is not valid: {what}; `quipu config default` explains each setting"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_valid_and_shown_whole() {
        let config = Config::load(None, Overrides::default()).unwrap();
        let shown: toml::Table = config.show().unwrap().parse().unwrap();
        let defaults: toml::Table = DEFAULTS.parse().unwrap();
        for (section, settings) in &defaults {
            for key in settings.as_table().unwrap().keys() {
                assert!(
                    shown[section].get(key).is_some(),
                    "{section}.{key} is not shown"
                );
            }
        }
    }

    #[test]
    fn errors_name_the_key_and_the_fix() {
        let fail = |text: &str| {
            let dir = tempfile::tempdir().unwrap();
            let file = dir.path().join("quipu.toml");
            std::fs::write(&file, text).unwrap();
            Config::load(Some(&file), Overrides::default())
                .unwrap_err()
                .to_string()
        };
        let error = fail("[server]\nbind = \"nowhere\"");
        assert!(error.contains("server.bind"), "{error}");
        let error = fail("[server]\nbond = 1");
        assert!(error.contains("bond") && error.contains("bind"), "{error}");
        let error = fail("[jobs]\nlease_seconds = 0");
        assert!(
            error.contains("jobs.lease_seconds") && error.contains("1 to 3600"),
            "{error}"
        );
        let error = fail("[database]\nurl = \"mysql://x\"");
        assert!(
            error.contains("database.url") && error.contains("postgres://"),
            "{error}"
        );
    }

    #[test]
    fn passwords_are_masked() {
        let masked = without_password("postgres://u:p@ss@h:5432/d?x=1");
        assert_eq!(masked, "postgres://u:••••@h:5432/d?x=1");
        let masked = without_password("postgresql:///d?host=/s&password=x&user=u");
        assert_eq!(masked, "postgresql:///d?host=/s&password=••••&user=u");
        let masked = without_password("postgres://u:se/kret@h/d");
        assert_eq!(masked, "postgres://u:••••@h/d");
        assert_eq!(without_password("sqlite:///a/b.db"), "sqlite:///a/b.db");
    }
}
