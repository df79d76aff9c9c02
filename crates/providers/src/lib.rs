//! Who writes the answers. The built-in responder quotes the passages and needs nothing else; any
//! other is put behind a guard, because a provider across the network will fail one day. Models that
//! write, of four protocols behind one port, each behind a breaker of its own. And who turns texts
//! into vectors, or judges what was found by them a second time: the bundled models,
//! which need nothing else either, or the provider of a tenant's choice.

mod breaker;
mod builtin;
mod bundled;
mod chat;
mod embedding;
mod engine;
mod guarded;
#[cfg(feature = "local-models")]
mod local;
mod network;
mod reader;
mod recent;
#[cfg(test)]
mod recorded;
mod rerank;
mod word_by_word;

pub use breaker::{BreakerSettings, BreakerState};
pub use builtin::BuiltinResponder;
pub use chat::{Chain, ModelSettings, ProviderModels};
pub use embedding::{
    Cached, EmbeddingSettings, EncoderEmbedder, LocalSettings, ProviderEmbedders, StaticEmbedder,
};
pub use engine::GuardedEngine;
pub use guarded::GuardedResponder;
pub use network::RetrySettings;
pub use reader::BuiltinReader;
pub use rerank::{EncoderReranker, JudgeReranker, ProviderRerankers, RerankSettings};
pub use word_by_word::BuiltinWords;
