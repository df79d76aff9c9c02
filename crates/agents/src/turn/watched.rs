//! A desk that remembers what was asked of it.

use super::findings::clean;
use super::trace::{Notes, chunk_ids, kept_result};
use crate::conversation::SearchText;
use crate::desk::{Desk, Found};
use crate::tool::{Access, Tool};
use async_trait::async_trait;
use quipu_core::{Error, ErrorCode, Result};
use serde_json::{Value, json};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

pub(super) struct Watched<'a> {
    desk: &'a dyn Desk,
    /// Nothing may be changed in this turn.
    reads_only: bool,
    seen: Mutex<Seen>,
}

#[derive(Default)]
pub(super) struct Seen {
    steps: Vec<(&'static str, Instant, Value)>,
    pub(super) incomplete: bool,
    pub(super) looked_up: bool,
    pub(super) escalated: bool,
    calls: u32,
}

impl<'a> Watched<'a> {
    pub(super) fn new(desk: &'a dyn Desk, reads_only: bool) -> Self {
        Self {
            desk,
            reads_only,
            seen: Mutex::default(),
        }
    }

    fn seen(&self, note: impl FnOnce(&mut Seen)) {
        note(&mut self.seen.lock().unwrap_or_else(PoisonError::into_inner));
    }

    pub(super) fn finish(self, notes: &mut Notes) -> Seen {
        let mut seen = self
            .seen
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        for (name, began, details) in seen.steps.drain(..) {
            notes.step(name, began, details);
        }
        notes.trace().tool_calls += seen.calls;
        seen
    }
}

#[async_trait]
impl Desk for Watched<'_> {
    async fn call(&self, tool: &'static Tool, arguments: &Value, key: &str) -> Result<Value> {
        let began = Instant::now();
        if tool.access == Access::Write && self.reads_only {
            return Err(Error::new(ErrorCode::Forbidden));
        }
        let outcome = self.desk.call(tool, arguments, key).await;
        let error = outcome.as_ref().err().map(|error| error.code().as_str());
        self.seen(|seen| {
            seen.calls += 1;
            seen.looked_up |= error.is_none();
            seen.escalated |= error.is_none() && tool.name == "escalate_to_human";
            let result = outcome.as_ref().map_or(Value::Null, kept_result);
            let details = json!({
                "tool": tool.name, "arguments": arguments, "error": error, "result": result,
            });
            seen.steps.push(("tool", began, details));
        });
        outcome
    }

    async fn search(&self, question: &SearchText) -> Result<Found> {
        let began = Instant::now();
        let mut outcome = self.desk.search(question).await;
        let suspicious = outcome
            .as_mut()
            .map_or(0, |found| clean(&mut found.passages));
        self.seen(|seen| {
            if suspicious > 0 {
                let details = json!({ "suspicious_passages": suspicious });
                seen.steps.push(("guard", began, details));
            }
            let found = outcome.as_ref().ok();
            seen.incomplete |= found.is_none_or(|found| found.incomplete);
            let passages = found.map_or(0, |found| found.passages.len());
            let error = outcome.as_ref().err().map(ToString::to_string);
            let chunks = found.map(|found| chunk_ids(&found.passages));
            let details = json!({
                "query": question.text, "passages": passages, "chunks": chunks, "error": error,
            });
            seen.steps.push(("search", began, details));
        });
        outcome
    }
}
