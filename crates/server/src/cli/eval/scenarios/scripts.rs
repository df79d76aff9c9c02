//! What a scripted model says and calls in each scenario.

use super::file::{Scenario, read_json};
use anyhow::{Context, bail};
use quipu_scripted::{Step, fill_from};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// More steps than any turn takes.
const MOST_STEPS: usize = 20;

/// From the id of a scenario to its turns, each a list of what the model does one after another.
pub(super) struct Scripts(BTreeMap<String, Vec<Vec<Written>>>);

/// One thing the model does: it says something, calls tools, or both. Texts and arguments hold none
/// of what the scenario says: they name what a tool returned in the same turn, as
/// `{{tool.get_service_info.price_range}}`, or what the scenario holds, as
/// `{{scenario.tenant.services.0.name}}`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    calls: Vec<Call>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    name: String,
    #[serde(default = "nothing")]
    arguments: Value,
}

fn nothing() -> Value {
    Value::Object(serde_json::Map::new())
}

impl Scripts {
    pub(super) fn read(file: &Path) -> anyhow::Result<Self> {
        let scripts: BTreeMap<String, Vec<Vec<Written>>> = read_json(file)?;
        for (id, turns) in &scripts {
            for (at, steps) in turns.iter().enumerate() {
                let here = || format!("turn {} of {id} in {}", at + 1, file.display());
                if steps.len() > MOST_STEPS {
                    bail!("{} has more than {MOST_STEPS} steps", here());
                }
                for step in steps {
                    if step.text.is_none() && step.calls.is_empty() {
                        bail!("{} has a step that says and calls nothing", here());
                    }
                }
            }
        }
        Ok(Self(scripts))
    }

    /// The steps of each turn of a scenario.
    pub(super) fn of(&self, scenario: &Scenario) -> anyhow::Result<Vec<Vec<Step>>> {
        let id = &scenario.id;
        let turns = self.0.get(id);
        let turns = turns.with_context(|| format!("there is no script for the scenario {id}"))?;
        let (written, wanted) = (turns.len(), scenario.turns.len());
        if written != wanted {
            bail!("the script of {id} has {written} turns, and the scenario {wanted}");
        }
        let steps = turns.iter();
        Ok(steps
            .map(|steps| steps.iter().map(|step| step.of(&scenario.raw)).collect())
            .collect())
    }
}

impl Written {
    fn of(&self, scenario: &Value) -> Step {
        let filled = |text: &str, escaped| fill_from(text, "scenario", scenario, escaped);
        let arguments: Vec<String> = self
            .calls
            .iter()
            .map(|call| filled(&call.arguments.to_string(), true))
            .collect();
        let calls = self.calls.iter().zip(&arguments);
        let calls: Vec<(&str, &str)> = calls
            .map(|(call, arguments)| (call.name.as_str(), arguments.as_str()))
            .collect();
        let said = self.text.as_deref().map(|text| filled(text, false));
        let said: Vec<&str> = said.as_deref().into_iter().collect();
        Step::says_and_calls(&said, &calls)
    }
}
