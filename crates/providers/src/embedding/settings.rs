//! What an operator may decide about the models of knowledge bases.

use crate::breaker::BreakerSettings;
use crate::network::RetrySettings;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct EmbeddingSettings {
    /// Where OpenAI answers, up to and including `/v1`: itself, or a gateway of the operator's.
    pub openai_base_url: String,
    /// Where Cohere answers, up to and including `/v2`.
    pub cohere_base_url: String,
    /// Hosts (`host` or `host:port`) that a tenant may name as a `custom` server although they are
    /// not public, such as a model server next door. Every tenant may then ask them.
    pub allow_hosts: Vec<String>,
    /// How long connecting may take.
    pub connect_timeout: Duration,
    /// How long one call for chunks may take, from connecting to the last byte.
    pub passage_timeout: Duration,
    /// How long one call for a question may take: somebody waits for the answer.
    pub question_timeout: Duration,
    pub retry: RetrySettings,
    /// Its deadline plays no part here: calls have the times above.
    pub breaker: BreakerSettings,
    /// How many questions each embedder remembers the vectors of.
    pub cached_questions: usize,
    pub local: LocalSettings,
}

impl Default for EmbeddingSettings {
    fn default() -> Self {
        Self {
            openai_base_url: "https://api.openai.com/v1".to_owned(),
            cohere_base_url: "https://api.cohere.com/v2".to_owned(),
            allow_hosts: Vec::new(),
            connect_timeout: Duration::from_secs(5),
            passage_timeout: Duration::from_mins(1),
            question_timeout: Duration::from_secs(15),
            retry: RetrySettings::default(),
            breaker: BreakerSettings::default(),
            cached_questions: 256,
            local: LocalSettings::default(),
        }
    }
}

/// The models that this process runs itself.
#[derive(Clone, Debug)]
pub struct LocalSettings {
    /// The folder below which all of them lie. Without one there are none.
    pub models_dir: Option<PathBuf>,
    /// Whether a model that is not there is fetched from the hub. Any tenant may then fill the
    /// folder with models of its choice.
    pub download: bool,
    pub hub_base_url: String,
    /// The largest model that is fetched or read, in bytes of its weights.
    pub most_bytes: u64,
    /// How many texts' batches are worked on at once, over all models.
    pub concurrent_batches: usize,
    /// How many models are kept in memory.
    pub kept_models: usize,
}

impl Default for LocalSettings {
    fn default() -> Self {
        Self {
            models_dir: None,
            download: false,
            hub_base_url: "https://huggingface.co".to_owned(),
            most_bytes: 3 * 1024 * 1024 * 1024,
            concurrent_batches: 2,
            kept_models: 2,
        }
    }
}
