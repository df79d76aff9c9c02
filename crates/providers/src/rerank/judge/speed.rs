//! How long the judge takes on this machine.

use super::{JudgeModel, JudgeReranker, MOST_PASSAGE, MOST_QUESTION};
use crate::bundled::{cores, in_threads, tokens_to_time};
use quipu_core::{Error, Result};
use std::time::{Duration, Instant};

impl JudgeReranker {
    /// The middle one of the times that so many passages took, each read with a question, on all
    /// cores.
    ///
    /// # Errors
    /// When the bundled weights cannot be read.
    pub fn time_of_judging(
        &self,
        question: usize,
        passage: usize,
        passages: usize,
        runs: usize,
    ) -> Result<Duration> {
        let model = JudgeModel::bundled().map_err(Error::internal)?;
        let asked = tokens_to_time(question.min(MOST_QUESTION), 0);
        let read: Vec<Vec<u16>> = (1..=passages)
            .map(|number| tokens_to_time(passage.min(MOST_PASSAGE), number))
            .collect();
        let mut times: Vec<Duration> = (0..runs.max(1))
            .map(|_| {
                let start = Instant::now();
                let logits = in_threads(cores().min(passages), false, passages, |at, desk| {
                    model.logit_of(self.kernel, &asked, &read[at], desk)
                });
                std::hint::black_box(logits);
                start.elapsed()
            })
            .collect();
        times.sort_unstable();
        Ok(times[times.len() / 2])
    }
}
