//! The product itself answers, from tools, knowledge and templates.

use super::dialogue::{DialogueDriver, stored};
use super::reply::key;
use super::rounds::Failure;
use super::sentences::Sentences;
use super::trace::Notes;
use super::watched::Watched;
use super::{Answer, Listener, Taking, Told};
use crate::citations::cite;
use quipu_core::phrases;
use quipu_core::turn::DegradedReason;
use serde_json::json;
use std::time::Instant;

/// A text without the sentences at its beginning that were said before.
fn not_again(text: &str, said: &str) -> String {
    let said: Vec<String> = sentences(said).iter().map(|said| key(said)).collect();
    let told = sentences(text);
    let new = told.iter().position(|told| !said.contains(&key(told)));
    told[new.unwrap_or(0)..].concat()
}

fn sentences(text: &str) -> Vec<String> {
    let mut cutter = Sentences::default();
    let mut all = cutter.push(text);
    all.extend(cutter.finish());
    all
}

impl Taking<'_> {
    /// The product itself answers, from tools, knowledge and templates, after what a model said
    /// before it failed.
    pub(super) async fn without_model(
        &self,
        mut notes: Notes,
        listener: &mut dyn Listener,
        failure: Option<Failure>,
        said: &str,
    ) -> Answer {
        let setting = &self.input.setting;
        let watched = Watched::new(self.desk, self.softened);
        let driver = DialogueDriver {
            setting,
            spoken: self.spoken,
            readings: &self.input.readings,
            language: self.language,
            plain: self.desk,
            desk: &watched,
            quoter: self.quoter,
            key: &self.input.key,
            only_reads: self.softened,
        };
        let step = driver.answer(self.before.clone(), self.understood).await;
        let seen = watched.finish(&mut notes);
        let only = |text: String| (vec![text], Vec::new());
        let incomplete = seen.incomplete.then_some(DegradedReason::SearchIncomplete);
        let degraded = failure.map(|failure| failure.reason()).or(incomplete);
        let mut knows = seen.looked_up;
        let (mut parts, citations, temperature, failed, state) = match step {
            Ok(step) => {
                knows = (knows || step.informed) && !step.ignorant && !step.failed;
                let (parts, citations) = match cite(&step.parts, &step.passages) {
                    Some(cited) => (cited.parts, cited.citations),
                    None => only(phrases::no_information(
                        &setting.company_name,
                        self.language,
                    )),
                };
                let temperature = Some(step.temperature);
                (parts, citations, temperature, step.failed, Some(step.state))
            }
            Err(error) => {
                notes.step(
                    "fallback",
                    Instant::now(),
                    json!({ "error": error.to_string() }),
                );
                let (parts, none) = only(phrases::apology(&setting.company_name, self.language));
                (parts, none, None, true, None)
            }
        };
        // What was said has left already, and is not said again; only a blank between the two may be missing.
        if let Some(first) = parts.first_mut() {
            *first = not_again(first, said);
        }
        let blank = if said.is_empty() || said.ends_with(char::is_whitespace) {
            ""
        } else {
            " "
        };
        if let Some(first) = parts.first_mut() {
            first.insert_str(0, blank);
        }
        for part in &parts {
            listener.text(part);
        }
        if !said.is_empty() {
            parts.insert(0, said.to_owned());
        }
        let whole = parts.concat();
        self.answer(
            notes,
            Told {
                choices: state
                    .as_ref()
                    .map(|state| state.choices(self.language))
                    .unwrap_or_default(),
                dialogue: state.map(|state| stored(&state, &whole)),
                grounded: !citations.is_empty() || knows,
                parts,
                citations,
                responder: "builtin".to_owned(),
                degraded: degraded.or(failed.then_some(DegradedReason::LookupFailed)),
                temperature,
                escalated: seen.escalated,
                ..Told::default()
            },
        )
    }
}
