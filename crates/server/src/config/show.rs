//! The configuration as it may be shown.

use super::{
    Auth, Config, Data, Demo, Extraction, Fetch, Jobs, LogFormat, Search, Server, Uploads,
};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use std::collections::BTreeMap;

impl Config {
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
            search: &'a Search,
            embeddings: ShownEmbeddings<'a>,
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
        #[derive(Serialize)]
        struct ShownEmbeddings<'a> {
            openai_api_key: &'static str,
            openai_base_url: String,
            cohere_api_key: &'static str,
            cohere_base_url: String,
            allow_hosts: &'a [String],
            question_timeout_seconds: u64,
            passage_timeout_seconds: u64,
            cached_questions: usize,
        }
        let embeddings = &self.embeddings;
        let metrics_token = masked(&self.telemetry.metrics_token);
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
            search: &self.search,
            embeddings: ShownEmbeddings {
                openai_api_key: masked(&embeddings.openai_api_key),
                openai_base_url: without_password(&embeddings.openai_base_url),
                cohere_api_key: masked(&embeddings.cohere_api_key),
                cohere_base_url: without_password(&embeddings.cohere_base_url),
                allow_hosts: &embeddings.allow_hosts,
                question_timeout_seconds: embeddings.question_timeout_seconds,
                passage_timeout_seconds: embeddings.passage_timeout_seconds,
                cached_questions: embeddings.cached_questions,
            },
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

fn masked(secret: &SecretString) -> &'static str {
    if secret.expose_secret().is_empty() {
        ""
    } else {
        "••••"
    }
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

#[cfg(test)]
mod tests {
    use super::without_password;

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
