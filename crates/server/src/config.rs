//! The configuration: defaults compiled in, a file, the environment and flags over them.

mod check;
mod sections;
mod show;

pub use sections::*;
pub use show::without_password;

use anyhow::{Context, bail};
use figment::Figment;
use figment::providers::{Env, Format, Serialized, Toml};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub const DEFAULTS: &str = include_str!("../quipu.default.toml");

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    pub server: Server,
    pub data: Data,
    pub database: Database,
    pub auth: Auth,
    pub jobs: Jobs,
    pub turns: Turns,
    pub storage: Storage,
    pub uploads: Uploads,
    pub extraction: Extraction,
    pub fetch: Fetch,
    pub channels: Channels,
    pub search: Search,
    pub qdrant: Qdrant,
    pub embeddings: Embeddings,
    pub models: Models,
    pub rerank: Rerank,
    pub telemetry: Telemetry,
    pub demo: Demo,
}

/// Settings given on the command line.
#[derive(Clone, Debug, Default)]
pub struct Overrides(pub Vec<(&'static str, String)>);

impl Config {
    /// Processes on one data folder.
    pub(crate) const MOST_PROCESSES: usize = 64;

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

    /// Folders and files beside the database that are nobody else's, where they are there: originals,
    /// indexes, the keys of the demo tenants.
    #[must_use]
    pub fn private_paths(&self) -> Vec<PathBuf> {
        let url = self.storage_url();
        let originals = url.strip_prefix("file://").map(PathBuf::from);
        let indexes = (1..=Self::MOST_PROCESSES).map(|process| self.index_dir(process));
        let folders = originals.into_iter().chain(indexes);
        let keys = crate::demo::ALL.iter().map(crate::demo::key_file);
        let keys = keys.map(|name| self.data.dir.join(name));
        let all = folders.chain(keys);
        all.filter(|path| path.exists()).collect()
    }

    /// Where the embedded engine of a process keeps its partitions.
    #[must_use]
    pub fn index_dir(&self, process: usize) -> PathBuf {
        self.data.dir.join(match process {
            1 => "index".to_owned(),
            number => format!("index-{number}"),
        })
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

    /// How long models have in a turn: three quarters of the time of a request. The rest is enough for
    /// the product itself to answer in their place while somebody still waits.
    #[must_use]
    pub fn model_patience(&self) -> Duration {
        self.request_timeout() * 3 / 4
    }
}

/// A variable with one underscore too few would otherwise be ignored in silence.
fn refuse_unknown_variables() -> anyhow::Result<()> {
    const OURS: [&str; 4] = [
        "QUIPU_CONFIG",
        "QUIPU_MASTER_KEY",
        "QUIPU_API_KEY",
        "QUIPU_URL",
    ];
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
}
