//! The use cases of Quipu.
//!
//! Each is a function that takes the [`App`] and an [`Actor`] (somebody inside one tenant) or a
//! principal (somebody before a tenant is chosen), checks the right and the limits, and does its
//! work in one transaction. Only this crate makes tenant scopes and retrieval scopes.

pub mod actor;
pub mod agent_documents;
pub mod agents;
pub mod api_keys;
pub mod appointments;
pub mod audit;
pub mod auth;
pub mod availability;
pub mod bootstrap;
pub mod business;
pub mod catalogue;
pub mod channels;
pub mod chat;
pub mod conversations;
mod customer;
pub mod documents;
pub mod embeddings;
pub mod events;
pub mod export;
pub mod gaps;
pub mod heavy;
pub mod index;
pub mod ingest;
pub mod invoices;
pub mod jobs;
pub mod knowledge;
pub mod knowledge_bases;
pub mod leads;
pub mod learning;
pub mod limits;
pub mod live;
pub mod loyalty;
pub mod members;
mod merge;
pub mod n8n;
mod once;
pub mod orders;
pub mod passwords;
pub mod plans;
pub mod prices;
pub mod profile;
pub mod prompting;
pub mod rate;
pub mod rehearsals;
mod removal;
pub mod retrievals;
pub mod search;
pub mod secrets;
pub mod tenants;
pub mod token;
pub mod tools;
pub mod turns;
pub mod usage;
pub mod users;
pub mod vault;
pub mod websites;

pub use actor::{Actor, RequestInfo};

use quipu_core::engine::Engine;
use quipu_core::ports::{
    ChatModels, Embedders, Extractor, PageFetcher, Responder, WebhookSender, WordComparer,
};
use quipu_core::{Clock, Timestamp};
use quipu_store::{Originals, Store};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;

/// How strict the house is with people who sign in.
#[derive(Clone, Copy, Debug)]
pub struct AccessSettings {
    pub session_ttl: Duration,
    pub reset_ttl: Duration,
    /// Failures within the window that lock an address.
    pub lockout_failures: i32,
    pub lockout: Duration,
}

/// Everything a use case needs, made once by the server.
pub struct App {
    pub store: Store,
    pub clock: Arc<dyn Clock>,
    /// Since when this process is there.
    pub started_at: Timestamp,
    pub vault: vault::Vault,
    pub passwords: passwords::Passwords,
    pub responder: Arc<dyn Responder>,
    /// Where the original files are kept.
    pub originals: Originals,
    pub extractor: Arc<dyn Extractor>,
    pub embedders: Arc<dyn Embedders>,
    pub provider_keys: embeddings::ProviderKeys,
    /// What vectors took, until it is written down.
    pub embedding_log: Arc<embeddings::EmbeddingLog>,
    /// Where chunks are found by their words and vectors.
    pub engine: Arc<dyn Engine>,
    pub deadlines: quipu_knowledge::Deadlines,
    /// Who compares the best of what was found with the question word by word.
    pub words: Arc<dyn WordComparer>,
    /// Who marks what customers say.
    pub read_messages: chat::ReadMessages,
    pub reranking: search::Reranking,
    pub retrieval_log: retrievals::RetrievalLog,
    /// Who writes answers, beside the product itself.
    pub models: Arc<dyn ChatModels>,
    pub model_keys: chat::ModelKeys,
    /// How long models have in a turn. What is left of the time of a request is for the product
    /// itself, which answers when they do not.
    pub model_patience: Duration,
    pub prompts: chat::Prompts,
    pub turn_log: chat::TurnLog,
    pub turns: chat::TurnQueue,
    /// Tells whoever looks at something that it changed.
    pub live: live::LiveFeed,
    /// Who speaks to the servers of the channels.
    pub channels: quipu_channels::ChannelClient,
    pub fetcher: Arc<dyn PageFetcher>,
    /// Who posts to where tenants point.
    pub webhooks: Arc<dyn WebhookSender>,
    /// How others reach this server, without a slash at the end; empty where nobody said.
    pub public_url: String,
    /// How long a website is left alone between two of its pages.
    pub site_pause: Duration,
    pub rate: rate::RateLimits,
    pub heavy: heavy::HeavyWork,
    pub access: AccessSettings,
    /// Rung after a job was queued, so that an idle worker does not wait for its next look.
    pub new_work: Notify,
    /// Attempts a job gets before it is given up.
    pub job_attempts: i32,
}

impl App {
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }
}

/// A later or earlier instant; durations come from the configuration and are bounded there.
pub(crate) fn after(at: Timestamp, by: Duration) -> Timestamp {
    let by = jiff::SignedDuration::try_from(by).unwrap_or(jiff::SignedDuration::MAX);
    at.saturating_add(by).unwrap_or(at)
}
