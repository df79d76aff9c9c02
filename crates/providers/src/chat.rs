//! Models that write: one port over the protocols of OpenAI, Anthropic, Gemini and Ollama, all of
//! them in pieces, with tools and pictures; and several models behind one another.

mod anthropic;
mod chain;
#[cfg(test)]
mod fixtures;
mod flow;
mod frames;
mod gemini;
mod ollama;
mod openai;
mod plain;
mod protocol;
mod quirks;
mod refusal;
mod registry;
mod remote;
mod schema;
mod settings;

pub use chain::Chain;
pub use registry::ProviderModels;
pub use settings::ModelSettings;
