//! What an operator may decide about models that write.

use crate::breaker::BreakerSettings;
use crate::network::RetrySettings;
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct ModelSettings {
    /// Where OpenAI answers, up to and including `/v1`: itself, or a gateway of the operator's.
    pub openai_base_url: String,
    /// Where Anthropic answers, up to and including `/v1`.
    pub anthropic_base_url: String,
    /// Where Gemini answers, up to and including `/v1beta`.
    pub gemini_base_url: String,
    /// The Ollama server of the operator's, for tenants that name none. Without one they have to.
    pub ollama_base_url: Option<String>,
    /// Hosts (`host` or `host:port`) that a tenant may name as a server although they are not
    /// public, such as a model server next door. Every tenant may then ask them.
    pub allow_hosts: Vec<String>,
    /// How long connecting may take.
    pub connect_timeout: Duration,
    /// How long a server may think before the first piece of an answer.
    pub first_timeout: Duration,
    /// How long it may be silent between two pieces.
    pub idle_timeout: Duration,
    /// No configuration of a tenant gives a whole answer more time than this.
    pub longest_timeout: Duration,
    /// A call is made again only before the first piece of its answer.
    pub retry: RetrySettings,
    /// Its deadline plays no part here: calls have the times above.
    pub breaker: BreakerSettings,
}

impl Default for ModelSettings {
    fn default() -> Self {
        Self {
            openai_base_url: "https://api.openai.com/v1".to_owned(),
            anthropic_base_url: "https://api.anthropic.com/v1".to_owned(),
            gemini_base_url: "https://generativelanguage.googleapis.com/v1beta".to_owned(),
            ollama_base_url: None,
            allow_hosts: Vec::new(),
            connect_timeout: Duration::from_secs(5),
            first_timeout: Duration::from_secs(15),
            idle_timeout: Duration::from_secs(30),
            longest_timeout: Duration::from_mins(5),
            retry: RetrySettings {
                attempts: 3,
                first_wait: Duration::from_millis(500),
                longest_wait: Duration::from_secs(20),
            },
            breaker: BreakerSettings::default(),
        }
    }
}
