//! The agent without a model, in four steps: what was heard is read, the state of the conversation takes it
//! in, the policy says what to do next, and sentences say it.
//!
//! The policy is a pure function. What it needs to know it asks for by stopping with a [`Request`]; whoever
//! drives it answers and runs it again from the beginning, which now comes further.

mod business;
mod choices;
mod facts;
mod opening;
mod policy;
mod profile;
mod read;
mod say;
mod state;
#[cfg(test)]
mod tests;

pub use business::{BusinessFacts, DESCRIBING};
pub use facts::{Known, Pending, QuotedText, Request, TurnFacts};
pub use opening::OpeningWords;
pub use policy::{DialogueStep, StepInput, step};
pub use profile::AgentProfile;
pub use read::{HeardMessage, MessageGuess};
pub use state::DialogueState;
