//! Taking notes while a turn goes on.

use quipu_core::ChunkId;
use quipu_core::retrieval::Passage;
use quipu_core::turn::{Step, Trace};
use serde_json::Value;
use std::time::{Duration, Instant};

/// How many steps are kept. Turns are bounded long before.
const MOST_STEPS: usize = 100;

#[derive(Debug)]
pub(super) struct Notes {
    began: Instant,
    trace: Trace,
    /// Who answered last.
    responder: Option<String>,
}

/// What is kept of the result of a tool: enough to see what an answer was taken from.
const KEPT_RESULT: usize = 2_000;

/// The result of a tool as it is kept with the turn, cut where it is long.
pub(super) fn kept_result(result: &Value) -> Value {
    let text = result.to_string();
    if text.len() <= KEPT_RESULT {
        return result.clone();
    }
    let cut: String = text.chars().take(KEPT_RESULT).collect();
    Value::String(cut + "…")
}

pub(super) fn chunk_ids(passages: &[Passage]) -> Vec<ChunkId> {
    passages.iter().map(|passage| passage.chunk_id).collect()
}

impl Notes {
    pub(super) fn new() -> Self {
        Self {
            began: Instant::now(),
            trace: Trace::default(),
            responder: None,
        }
    }

    /// Notes a step that began at this moment and ends now.
    pub(super) fn step(&mut self, name: &str, began: Instant, details: Value) {
        if self.trace.steps.len() < MOST_STEPS {
            self.trace.steps.push(Step {
                name: name.to_owned(),
                at_us: micros(began - self.began),
                took_us: micros(began.elapsed()),
                details,
            });
        }
    }

    pub(super) fn answered_by(&mut self, name: String) {
        self.responder = Some(name);
    }

    pub(super) fn responder(&self) -> Option<&str> {
        self.responder.as_deref()
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    pub(super) const fn trace(&mut self) -> &mut Trace {
        &mut self.trace
    }

    pub(super) fn finish(mut self) -> Trace {
        self.trace.elapsed_us = micros(self.began.elapsed());
        self.trace
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
