//! What was measured, for programs and for people.

mod table;

use crate::machine::Machine;
use crate::plan::{Data, Part};
use serde::Serialize;

#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub version: &'static str,
    pub machine: Machine,
    pub parts: Vec<PartReport>,
}

impl Report {
    /// Whether everything that has a target met it.
    #[must_use]
    pub fn is_met(&self) -> bool {
        let figures = self.parts.iter().flat_map(|part| &part.figures);
        figures.filter_map(|figure| figure.met).all(|met| met)
    }

    /// For people; the same as displaying it.
    #[must_use]
    pub fn table(&self) -> String {
        self.to_string()
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct PartReport {
    pub part: Part,
    /// Data and settings, so that the figures can be read alone.
    pub about: Vec<String>,
    pub figures: Vec<Figure>,
    /// Only of the part `recall`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub recall: Vec<RecallRow>,
    /// How long the part took, building included.
    pub seconds: f64,
}

impl PartReport {
    pub(crate) fn new(part: Part) -> Self {
        Self {
            part,
            about: Vec::new(),
            figures: Vec::new(),
            recall: Vec::new(),
            seconds: 0.0,
        }
    }

    pub(crate) fn about(&mut self, what: impl Into<String>) {
        self.about.push(what.into());
    }

    pub(crate) fn figure(&mut self, name: impl Into<String>, value: f64, unit: Unit) {
        self.figures.push(Figure::new(name, value, unit));
    }

    pub(crate) fn target(
        &mut self,
        name: impl Into<String>,
        value: f64,
        unit: Unit,
        target: Target,
    ) {
        self.figures
            .push(Figure::new(name, value, unit).with(target));
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    pub name: String,
    pub value: f64,
    pub unit: Unit,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub met: Option<bool>,
}

impl Figure {
    pub fn new(name: impl Into<String>, value: f64, unit: Unit) -> Self {
        Self {
            name: name.into(),
            value,
            unit,
            target: None,
            met: None,
        }
    }

    /// The same, measured by a target.
    #[must_use]
    pub fn with(self, target: Target) -> Self {
        Self {
            met: Some(target.is_met(self.value)),
            target: Some(target),
            ..self
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    Microseconds,
    Milliseconds,
    Seconds,
    PerSecond,
    /// So many times as much.
    Times,
    /// Of all that should have been found, the part that was.
    Share,
    Mebibytes,
    Count,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    AtMost(f64),
    AtLeast(f64),
}

impl Target {
    #[must_use]
    pub fn is_met(self, value: f64) -> bool {
        match self {
            Self::AtMost(most) => value <= most,
            Self::AtLeast(least) => value >= least,
        }
    }
}

/// What an engine found in a knowledge base.
#[derive(Clone, Debug, Serialize)]
pub struct RecallRow {
    pub data: Data,
    /// Vectors of the knowledge base, and its share of all.
    pub vectors: u64,
    pub share: f64,
    pub engine: String,
    pub recall_at_10: f64,
    pub p50_ms: f64,
    /// How many came back of the ten that were asked for, on average.
    pub returned: f64,
    /// Where a planner decides: whether its plan uses the index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uses_index: Option<bool>,
}
