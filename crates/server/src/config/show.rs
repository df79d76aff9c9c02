//! The configuration as it may be shown.

use super::Config;
use secrecy::{ExposeSecret, SecretString};
use serde::Serializer;
use std::collections::BTreeMap;

const MASK: &str = "••••";

impl Config {
    /// What is in force, as a file, with secrets masked.
    ///
    /// # Errors
    /// When it cannot be written as TOML, which is a defect.
    pub fn show(&self) -> anyhow::Result<String> {
        let mut shown = self.clone();
        shown.database.url = self.database_url();
        shown.storage.url = self.storage_url();
        Ok(toml::to_string(&shown)?)
    }
}

pub(super) fn secret<S: Serializer>(secret: &SecretString, to: S) -> Result<S::Ok, S::Error> {
    let is_given = !secret.expose_secret().is_empty();
    to.serialize_str(if is_given { MASK } else { "" })
}

/// Some of them are keys; none is worth telling which.
pub(super) fn secrets<S: Serializer>(
    secrets: &BTreeMap<String, SecretString>,
    to: S,
) -> Result<S::Ok, S::Error> {
    to.collect_map(secrets.keys().map(|name| (name, MASK)))
}

pub(super) fn address<S: Serializer>(url: &str, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&without_password(url))
}

pub(super) fn secret_address<S: Serializer>(url: &SecretString, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&without_password(url.expose_secret()))
}

/// An address as it may be shown: whatever stands between `:` and `@`, what the parts of its query are
/// set to, unless a database is told so where it is, and what stands behind `#` is not for eyes.
#[must_use]
pub fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    let (rest, fragment) = split(rest, '#');
    let (rest, query) = split(rest, '?');
    let mut shown = format!("{scheme}://");
    // A password may itself hold an `@` or a `/`: the last `@` ends it.
    if let Some((credentials, host)) = rest.rsplit_once('@') {
        shown.push_str(credentials.split(':').next().unwrap_or_default());
        if credentials.contains(':') {
            shown.push_str(":••••");
        }
        shown.push('@');
        shown.push_str(host);
    } else {
        shown.push_str(rest);
    }
    let is_database = ["postgres", "postgresql", "sqlite"].contains(&scheme);
    for (number, part) in query
        .into_iter()
        .flat_map(|query| query.split('&'))
        .enumerate()
    {
        shown.push(if number == 0 { '?' } else { '&' });
        match part.split_once('=') {
            Some((name, _)) if !is_database || name == "password" => {
                shown.push_str(name);
                shown.push_str("=••••");
            }
            _ if is_database => shown.push_str(part),
            _ => shown.push_str(MASK),
        }
    }
    if fragment.is_some() {
        shown.push_str("#••••");
    }
    shown
}

fn split(text: &str, at: char) -> (&str, Option<&str>) {
    text.split_once(at)
        .map_or((text, None), |(before, behind)| (before, Some(behind)))
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
        let masked = without_password("https://gate.example/v1?api_key=sk-1&x#sk-2");
        assert_eq!(masked, "https://gate.example/v1?api_key=••••&••••#••••");
    }
}
