//! The chat on the site of a business: which sites may show it, and how it looks there.

use crate::language::Language;
use crate::origin::ServerOrigin;
use crate::validate::{Checks, Problem};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use utoipa::ToSchema;

/// Hosts that are the machine of whoever builds a site: what is sent to them leaves it nowhere.
const OWN_MACHINE: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The chat of a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WebSettings {
    /// The sites that may show the chat, each by its scheme, host and port. They are reached over `https`,
    /// but for `localhost`.
    #[schema(min_items = 1, max_items = 20, example = json!(["https://clinica.example"]))]
    pub allowed_origins: Vec<String>,
    /// What stands above the chat; the name of the business when left out.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 60, example = "Clínica Sonrisa")]
    pub title: Option<String>,
    /// What the visitor reads before anybody has said anything.
    #[serde(default)]
    #[schema(
        min_length = 1,
        max_length = 300,
        example = "¡Hola! ¿En qué te ayudamos?"
    )]
    pub greeting: Option<String>,
    /// The colour of the button and of what the visitor says.
    #[serde(default = "teal")]
    #[schema(
        pattern = "^#[0-9a-fA-F]{6}$",
        default = "#0f766e",
        example = "#0f766e"
    )]
    pub accent: String,
    /// The language of the buttons and notices; that of the page when left out.
    #[serde(default)]
    pub language: Option<Language>,
    /// What the visitor is told of their data, below the field to write in. Addresses become links.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 500)]
    pub privacy_note: Option<String>,
}

fn teal() -> String {
    "#0f766e".to_owned()
}

impl WebSettings {
    pub const MAX_ORIGINS: usize = 20;

    /// Checks them as a field of something else.
    pub fn check(&self, checks: &mut Checks, field: &str) {
        self.check_origins(checks, &format!("{field}.allowed_origins"));
        let title = self.title.as_deref();
        checks.optional_line(&format!("{field}.title"), title, 60);
        for (name, text, most) in [
            ("greeting", &self.greeting, 300),
            ("privacy_note", &self.privacy_note, 500),
        ] {
            if let Some(text) = text {
                checks.lines(&format!("{field}.{name}"), text, most);
            }
        }
        let digits = self.accent.strip_prefix('#');
        let is_colour = digits
            .is_some_and(|rest| rest.len() == 6 && rest.bytes().all(|b| b.is_ascii_hexdigit()));
        if !is_colour {
            let allowed = "#rrggbb".to_owned();
            checks.problem(&format!("{field}.accent"), Problem::Unknown { allowed });
        }
    }

    fn check_origins(&self, checks: &mut Checks, field: &str) {
        if self.allowed_origins.is_empty() {
            checks.problem(field, Problem::Empty);
        }
        if self.allowed_origins.len() > Self::MAX_ORIGINS {
            let max = Self::MAX_ORIGINS;
            checks.problem(field, Problem::TooMany { max });
        }
        let mut seen = HashSet::new();
        let origins = self.allowed_origins.iter().take(Self::MAX_ORIGINS);
        for (at, text) in origins.enumerate() {
            let field = format!("{field}[{at}]");
            let problem = match ServerOrigin::named(text).filter(is_trusted) {
                None => Problem::NotAnAddress,
                Some(origin) if !seen.insert(origin.as_str().to_owned()) => Problem::Duplicate,
                Some(_) => continue,
            };
            checks.problem(&field, problem);
        }
    }

    /// Whether a page may show the chat, by the `Origin` that its browser sends. What is no origin, such
    /// as `null`, is none of those allowed.
    #[must_use]
    pub fn allows(&self, origin: &str) -> bool {
        let mut allowed = self.allowed_origins.iter();
        allowed.any(|text| ServerOrigin::named(text).is_some_and(|one| one.as_str() == origin))
    }
}

/// Whether it is one site, into whose pages nobody on the way can put words.
fn is_trusted(origin: &ServerOrigin) -> bool {
    if origin.as_str().contains('*') {
        return false;
    }
    let Some(place) = origin.as_str().strip_prefix("http://") else {
        return true;
    };
    OWN_MACHINE.iter().any(|host| {
        let port = place.strip_prefix(host);
        port.is_some_and(|port| port.is_empty() || port.starts_with(':'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn settings(origins: &[&str]) -> WebSettings {
        let settings = json!({ "allowed_origins": origins });
        serde_json::from_value(settings).unwrap()
    }

    fn problems(settings: &WebSettings) -> usize {
        let mut checks = Checks::new();
        settings.check(&mut checks, "web");
        let error = checks.finish().err();
        error.map_or(0, |error| {
            error.details()["fields"].as_array().map_or(0, Vec::len)
        })
    }

    #[test]
    fn a_site_is_named_by_its_origin_and_nothing_else() {
        let fine = settings(&[
            "https://clinica.example",
            "https://www.clinica.example:8443/",
            "http://localhost:3000",
            "http://127.0.0.1:8080",
            "http://[::1]",
        ]);
        assert_eq!(problems(&fine), 0);
        for wrong in [
            "",
            "*",
            "null",
            "clinica.example",
            "https://*.clinica.example",
            "https://clinica.example/chat",
            "https://ana@clinica.example",
            "http://clinica.example",
            "http://localhost.malo.example",
            "http://127.0.0.1.malo.example",
            "file:///chat.html",
        ] {
            assert_eq!(problems(&settings(&[wrong])), 1, "{wrong}");
        }
        assert_eq!(problems(&settings(&[])), 1);
        let many: Vec<String> = (0..21).map(|n| format!("https://{n}.example")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(problems(&settings(&many)), 1);
        let twice = settings(&["https://a.example", "https://A.example/"]);
        assert_eq!(problems(&twice), 1);
    }

    #[test]
    fn only_the_very_origin_is_allowed() {
        let site = settings(&["https://Clinica.example/", "http://localhost:3000"]);
        for allowed in ["https://clinica.example", "http://localhost:3000"] {
            assert!(site.allows(allowed), "{allowed}");
        }
        for other in [
            "",
            "null",
            "http://clinica.example",
            "https://clinica.example:8443",
            "https://clinica.example.malo.net",
            "https://www.clinica.example",
            "http://localhost",
        ] {
            assert!(!site.allows(other), "{other}");
        }
    }

    #[test]
    fn the_look_is_bounded() {
        let mut site = settings(&["https://a.example"]);
        assert_eq!(site.accent, "#0f766e");
        for wrong in ["", "red", "#fff", "#12345g", "#0f766e;x"] {
            site.accent = wrong.to_owned();
            assert_eq!(problems(&site), 1, "{wrong}");
        }
        site.accent = "#ABCDEF".to_owned();
        site.greeting = Some("Hola.\n¿En qué te ayudo?".to_owned());
        site.privacy_note = Some("x".repeat(501));
        site.title = Some("Dos\nlíneas".to_owned());
        assert_eq!(problems(&site), 2);
    }
}
