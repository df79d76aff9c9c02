//! Training the weights of the supervisor from phrases. The same phrases give the same weights, byte
//! by byte, on every machine: the order of training comes from a fixed seed, and only operations
//! that every processor rounds alike are used.

use super::context::Context;
use super::model::{self, Guess, INTENTS, Model, ROWS};
use super::{Supervisor, words};
use quipu_core::agent::Intent;

/// How often every phrase is looked at.
const ROUNDS: usize = 24;
/// How far a weight moves at first. It moves less the more often it has moved.
const STEP: f32 = 0.35;
/// How strongly weights are drawn back to zero, so that one phrase alone makes none large.
const DRAW: f32 = 2e-5;
/// What keeps the first step of a weight from being endless.
const CALM: f32 = 1e-3;
/// Every so many phrases one is kept aside to measure with.
const KEPT_ASIDE: usize = 5;
/// The most phrases that are read, and how long a phrase may be.
const MAX_PHRASES: usize = 100_000;
const MAX_PHRASE_BYTES: usize = 2000;

/// A phrase and what it wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    pub intent: Intent,
    pub text: String,
}

/// How well phrases that were kept aside are told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    pub phrases: usize,
    /// The share that the weights alone tell rightly.
    pub model: f64,
    /// The share that the supervisor as a whole tells rightly.
    pub supervisor: f64,
}

/// The phrases of a file: one on each line that is neither empty nor a comment.
pub fn examples(intent: Intent, file: &str) -> impl Iterator<Item = Example> {
    file.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#') && line.len() <= MAX_PHRASE_BYTES)
        .map(move |line| Example {
            intent,
            text: line.to_owned(),
        })
}

/// Trains weights and gives the file that holds them.
#[must_use]
pub fn train(examples: &[Example]) -> Vec<u8> {
    let reader = Supervisor::with(Model::blank());
    fit(&reader, examples.iter().take(MAX_PHRASES)).to_bytes()
}

/// Trains on four fifths of the phrases and measures on the rest.
#[must_use]
pub fn measure(examples: &[Example]) -> Measured {
    let kept_aside = |at: &usize| at.is_multiple_of(KEPT_ASIDE);
    let numbered = || examples.iter().take(MAX_PHRASES).enumerate();
    let reader = Supervisor::with(Model::blank());
    let model = fit(
        &reader,
        numbered().filter(|(at, _)| !kept_aside(at)).map(|(_, e)| e),
    );
    let trained = Supervisor::with(model);
    let (mut phrases, mut by_model, mut by_supervisor) = (0_u32, 0_u32, 0_u32);
    for (_, example) in numbered().filter(|(at, _)| kept_aside(at)) {
        phrases += 1;
        by_model += u32::from(likeliest(&trained.guess(&example.text)) == example.intent);
        let understood = trained.understand(&example.text, &Context::default());
        by_supervisor += u32::from(understood.intent() == example.intent);
    }
    let share = |count: u32| f64::from(count) / f64::from(phrases.max(1));
    Measured {
        phrases: phrases as usize,
        model: share(by_model),
        supervisor: share(by_supervisor),
    }
}

impl Supervisor {
    /// What the weights alone make of a text.
    pub(super) fn guess(&self, text: &str) -> Guess {
        let words = words::read(text, &self.spelling);
        let message = self.rules.look_up(&words);
        self.model.guess(&message, self.rules.lists())
    }

    fn rows(&self, text: &str) -> Vec<usize> {
        let words = words::read(text, &self.spelling);
        let message = self.rules.look_up(&words);
        let mut rows = Vec::new();
        model::features(&message, self.rules.lists(), |row| rows.push(row));
        rows
    }
}

pub(super) fn likeliest(guess: &Guess) -> Intent {
    let ranked = Intent::ALL.iter().zip(guess);
    let best = ranked.max_by(|a, b| a.1.total_cmp(b.1));
    best.map_or(Intent::General, |(intent, _)| *intent)
}

/// Logistic regression over all intents at once, phrase by phrase, with steps that shrink for each
/// weight by how much it has moved already.
fn fit<'a>(reader: &Supervisor, examples: impl Iterator<Item = &'a Example>) -> Model {
    let examples: Vec<(usize, Vec<usize>)> = examples
        .map(|example| (place(example.intent), reader.rows(&example.text)))
        .collect();
    let mut weights = vec![[0.0_f32; INTENTS]; ROWS];
    let mut moved = vec![[0.0_f32; INTENTS]; ROWS];
    let mut order: Vec<usize> = (0..examples.len()).collect();
    let mut chance = Chance(0x5eed);
    for _ in 0..ROUNDS {
        chance.shuffle(&mut order);
        for &at in &order {
            let (intent, rows) = &examples[at];
            let count = u16::try_from(rows.len()).unwrap_or(u16::MAX).max(1);
            let worth = 1.0 / f32::from(count).sqrt();
            let mut scores = [0.0_f32; INTENTS];
            for &row in rows {
                for (score, weight) in scores.iter_mut().zip(&weights[row]) {
                    *score += weight * worth;
                }
            }
            let mut pull = model::shares(&scores);
            pull[*intent] -= 1.0;
            for &row in rows {
                let (weights, moved) = (&mut weights[row], &mut moved[row]);
                for ((weight, moved), pull) in weights.iter_mut().zip(moved).zip(&pull) {
                    let slope = pull * worth + DRAW * *weight;
                    *moved += slope * slope;
                    *weight -= STEP * slope / (moved.sqrt() + CALM);
                }
            }
        }
    }
    Model::rounded(&weights)
}

fn place(intent: Intent) -> usize {
    let found = Intent::ALL.iter().position(|other| *other == intent);
    found.unwrap_or_default()
}

/// Numbers that look like chance and are the same every time.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn shuffle(&mut self, order: &mut [usize]) {
        for last in (1..order.len()).rev() {
            let other = self.next() % (last as u64 + 1);
            order.swap(last, usize::try_from(other).unwrap_or(0));
        }
    }
}
