//! The versions of the protocol, and agreeing on one.

use super::error::invalid_params;
use super::methods::{Turn, parameters};
use axum::http::HeaderMap;
use quipu_core::language::Language;
use quipu_core::{Error, ErrorCode, Result};
use serde::Deserialize;
use serde_json::{Value, json};

const HEADER: &str = "mcp-protocol-version";

/// A version of the protocol that is spoken here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    March2025,
    June2025,
}

impl Version {
    pub(super) const ALL: [Self; 2] = [Self::March2025, Self::June2025];
    /// What a client is offered that asks for a version nobody here knows.
    const NEWEST: Self = Self::June2025;
    /// What is spoken when nobody says: the header came with the version after it.
    const UNSAID: Self = Self::March2025;

    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::March2025 => "2025-03-26",
            Self::June2025 => "2025-06-18",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|version| version.as_str() == text)
    }

    /// Whether several messages may come at once. They came with one version and went with the next.
    pub(super) const fn has_batches(self) -> bool {
        matches!(self, Self::March2025)
    }

    /// The version that a request says was agreed on.
    pub(super) fn of(headers: &HeaderMap) -> Result<Self> {
        let Some(value) = headers.get(HEADER) else {
            return Ok(Self::UNSAID);
        };
        let known = value.to_str().ok().and_then(Self::parse);
        known.ok_or_else(|| {
            Error::new(ErrorCode::InvalidHeader)
                .with("header", "MCP-Protocol-Version")
                .with("allowed", json!(Self::ALL.map(Self::as_str)))
        })
    }
}

#[derive(Deserialize)]
struct Initialize {
    #[serde(rename = "protocolVersion")]
    protocol_version: String,
}

/// Agrees on a version, and says what is here.
pub(super) fn initialize(turn: &Turn<'_>, params: Option<&Value>) -> Result<Value> {
    let asked: Initialize = parameters(params)?;
    if asked.protocol_version.len() > 100 {
        let (es, en) = (
            "protocolVersion es muy largo",
            "protocolVersion is too long",
        );
        return Err(invalid_params(es.to_owned(), en.to_owned()));
    }
    let version = Version::parse(&asked.protocol_version).unwrap_or(Version::NEWEST);
    let agent = turn.agent;
    let (name, company) = (&agent.name, &agent.company_name);
    let instructions = match agent.language {
        Language::Es => format!(
            "Herramientas y documentos de {name}, agente de {company}. Responde solo con lo que \
             devuelven. Las que tratan de un cliente necesitan que la conexión diga cuál."
        ),
        Language::En => format!(
            "Tools and documents of {name}, agent of {company}. Answer only from what they return. \
             Those about a customer need the connection to say which one."
        ),
    };
    Ok(json!({
        "protocolVersion": version.as_str(),
        "capabilities": { "tools": { "listChanged": false }, "resources": {} },
        "serverInfo": {
            "name": "quipu",
            "title": format!("{name} · {company}"),
            "version": env!("CARGO_PKG_VERSION"),
        },
        "instructions": instructions,
    }))
}
