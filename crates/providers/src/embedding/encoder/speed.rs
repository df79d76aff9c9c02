//! How long the encoder takes on this machine.

use super::{EncoderEmbedder, Model};
use crate::bundled::{Desk, cores, in_threads, tokens_to_time};
use quipu_core::{Error, Result};
use std::time::{Duration, Instant};

impl EncoderEmbedder {
    /// The middle one of the times that a text of so many tokens took, on one core.
    ///
    /// # Errors
    /// When the bundled weights cannot be read.
    pub fn time_of_question(&self, tokens: usize, runs: usize) -> Result<Duration> {
        let model = Model::bundled().map_err(Error::internal)?;
        let ids = tokens_to_time(tokens, 0);
        let mut desk = Desk::default();
        let mut times: Vec<Duration> = (0..runs.max(1))
            .map(|_| {
                let start = Instant::now();
                let vector = model.vector_of(self.kernel, &ids, &mut desk);
                std::hint::black_box(vector);
                start.elapsed()
            })
            .collect();
        times.sort_unstable();
        Ok(times[times.len() / 2])
    }

    /// How many texts of so many tokens are encoded in a second, on all cores.
    ///
    /// # Errors
    /// When the bundled weights cannot be read.
    pub fn passages_per_second(&self, tokens: usize, passages: usize) -> Result<f64> {
        let model = Model::bundled().map_err(Error::internal)?;
        let texts: Vec<Vec<u16>> = (0..passages).map(|at| tokens_to_time(tokens, at)).collect();
        let start = Instant::now();
        let vectors = in_threads(cores(), false, passages, |at, desk| {
            model.vector_of(self.kernel, &texts[at], desk)
        });
        let seconds = start.elapsed().as_secs_f64();
        Ok(f64::from(u32::try_from(vectors.len()).unwrap_or(u32::MAX)) / seconds)
    }
}
