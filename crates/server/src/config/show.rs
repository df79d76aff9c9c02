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
