//! What a customer wants, told from the message alone: without a model across the network, in
//! microseconds, and with the reasons.
//!
//! Rules and a small model look at a message, and where the taught reader is sure, it has the last word. The
//! rules are files under `data/supervisor` that anybody can read
//! and extend: phrases, each with the intent it speaks for and its weight. The model is a small
//! linear one over pieces of words, trained from the phrases under `data/supervisor/phrases`; it
//! covers what no rule names and breaks ties. Both are weighed together with what the conversation
//! was about.

mod context;
mod model;
mod phrase;
mod replies;
mod rules;
mod spelling;
#[cfg(test)]
mod tests;
pub mod training;
mod vocabulary;
mod weighing;
mod words;

pub use context::{Awaiting, Context};

use model::Model;
use quipu_core::agent::Intent;
use quipu_core::reading::{Act, Reading};
use rules::{Meaning, Rules};
use serde::Serialize;
use spelling::Spelling;
use std::sync::LazyLock;

/// From here on a message does something.
const ACTS: f32 = 0.5;
/// From here on the reader is right more often than the rules.
const SURELY: f32 = 0.8;

/// The weights that belong to the phrases of this version.
const WEIGHTS: &[u8] = include_bytes!("../data/supervisor/weights.bin");

static COMPILED: LazyLock<Supervisor> = LazyLock::new(|| {
    // A test asks that the weights can be read; the rules alone would still be of use.
    let model = Model::read(WEIGHTS).unwrap_or_else(Model::blank);
    Supervisor::with(model)
});

/// Reads messages. There is one for all tenants, since it holds nothing but rules and weights.
pub struct Supervisor {
    rules: Rules,
    spelling: Spelling,
    model: Model,
}

/// What a message is about, inside of its intent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SubIntent {
    /// An invoice for tax: "factura", "CFDI", "boleta electrónica".
    Invoicing,
}

/// A rule that spoke.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Reason {
    pub intent: Intent,
    /// The phrase as it stands in the rules.
    pub phrase: &'static str,
    /// What it added to the intent; below zero where it spoke against it or the message refused it.
    pub weight: f32,
}

/// What the supervisor makes of a message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Understanding {
    /// Every intent with its share of certainty, the likeliest first; the shares add up to one.
    pub ranked: Vec<(Intent, f32)>,
    pub sub: Option<SubIntent>,
    /// Whether the message says yes or no to what was asked.
    pub affirms: Option<bool>,
    /// Whether the customer wants to talk to a person.
    pub asks_human: bool,
    /// The rules that spoke, for the likeliest intent first.
    pub reasons: Vec<Reason>,
    /// What the message does and how surely, if it was read.
    #[serde(skip)]
    pub acts: Vec<(Act, f32)>,
}

impl Understanding {
    /// The likeliest intent.
    #[must_use]
    pub fn intent(&self) -> Intent {
        self.ranked
            .first()
            .map_or(Intent::General, |(intent, _)| *intent)
    }

    /// Whether the reader is sure that the message does this.
    #[must_use]
    pub fn does(&self, act: Act) -> bool {
        let found = self.acts.iter().find(|(known, _)| *known == act);
        found.is_some_and(|(_, sure)| *sure >= ACTS)
    }

    /// Makes an intent the likeliest; the others share what is left as they did before.
    fn put_first(&mut self, intent: Intent, sure: f32) {
        let others = 1.0 - self.certainty(intent);
        let scale = if others > 0.0 {
            (1.0 - sure) / others
        } else {
            0.0
        };
        for (ranked, certainty) in &mut self.ranked {
            *certainty = if *ranked == intent {
                sure
            } else {
                *certainty * scale
            };
        }
        self.ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        self.reasons.sort_by_key(|reason| reason.intent != intent);
    }

    /// How certain an intent is, from 0 to 1.
    #[must_use]
    pub fn certainty(&self, intent: Intent) -> f32 {
        let found = self.ranked.iter().find(|(ranked, _)| *ranked == intent);
        found.map_or(0.0, |(_, certainty)| *certainty)
    }
}

impl Supervisor {
    /// The supervisor with the rules and weights of this version, made on first use.
    #[must_use]
    pub fn compiled() -> &'static Self {
        &COMPILED
    }

    fn with(model: Model) -> Self {
        Self {
            rules: Rules::compiled(),
            spelling: Spelling::compiled(),
            model,
        }
    }

    /// The same, where a reader that is sure says what the message wants.
    #[must_use]
    pub fn understand_read(
        &self,
        text: &str,
        context: &Context,
        reading: Option<&Reading>,
    ) -> Understanding {
        let mut understood = self.understand(text, context);
        understood.acts = reading.map_or_else(Vec::new, |reading| reading.acts.clone());
        let likeliest = reading.and_then(|reading| reading.intents.first());
        if let Some((intent, sure)) = likeliest.filter(|(_, sure)| *sure >= SURELY) {
            understood.put_first(*intent, *sure);
        }
        understood
    }

    /// Tells what a message wants. What goes beyond its first 1500 characters is not read.
    #[must_use]
    pub fn understand(&self, text: &str, context: &Context) -> Understanding {
        let words = words::read(text, &self.spelling);
        let message = self.rules.look_up(&words);
        let found = self.rules.find(&message, *context);
        let guessed = self.model.guess(&message, self.rules.lists());
        let affirms = replies::affirms(&message, &found);
        let weighed = weighing::weigh(&weighing::Evidence {
            message: &message,
            found: &found,
            guessed: &guessed,
            affirms,
            context,
        });
        let says = |meaning| found.iter().any(|found| found.meaning == meaning);
        Understanding {
            ranked: weighed.ranked,
            sub: says(Meaning::Invoicing).then_some(SubIntent::Invoicing),
            affirms,
            asks_human: weighed.asks_human,
            reasons: weighed.reasons,
            acts: Vec::new(),
        }
    }
}
