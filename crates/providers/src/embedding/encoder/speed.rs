//! How long the encoder takes on this machine.

use super::{BEGINNING, END, EncoderEmbedder, Model, cores, in_threads};
use crate::embedding::encoder::forward::Desk;
use crate::embedding::encoder::weights::MOST_TOKENS;
use quipu_core::{Error, Result};
use std::time::{Duration, Instant};

impl EncoderEmbedder {
    /// The middle one of the times that a text of so many tokens took, on one core.
    ///
    /// # Errors
    /// When the bundled weights cannot be read.
    pub fn time_of_question(&self, tokens: usize, runs: usize) -> Result<Duration> {
        let model = Model::bundled().map_err(Error::internal)?;
        let ids = text(tokens, 0);
        let mut desk = Desk::default();
        let mut times: Vec<Duration> = (0..runs.max(1))
            .map(|_| {
                let start = Instant::now();
                let vector = model.weights.vector(self.kernel, &ids, &mut desk);
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
        let texts: Vec<Vec<u16>> = (0..passages).map(|at| text(tokens, at)).collect();
        let start = Instant::now();
        let vectors = in_threads(cores(), false, passages, |at, desk| {
            model.weights.vector(self.kernel, &texts[at], desk)
        });
        let seconds = start.elapsed().as_secs_f64();
        Ok(f64::from(u32::try_from(vectors.len()).unwrap_or(u32::MAX)) / seconds)
    }
}

/// So many tokens of the vocabulary, others for each number.
fn text(tokens: usize, number: usize) -> Vec<u16> {
    let inside = tokens.clamp(2, MOST_TOKENS) - 2;
    let first = u16::try_from(number % 39_000).unwrap_or_default();
    let words = std::iter::successors(Some(first), |word| Some((word + 7_919) % 39_000));
    let words = words.map(|word| word + 200).take(inside);
    std::iter::once(BEGINNING)
        .chain(words)
        .chain([END])
        .collect()
}
