//! What an operator may decide about judging passages again.

use crate::breaker::BreakerSettings;
use crate::embedding::LocalSettings;
use crate::network::RetrySettings;
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct RerankSettings {
    /// Where Cohere answers: itself, or a gateway of the operator's. Without a path, `/v2/rerank`
    /// is asked for; with one, `/rerank` behind it, unless it already ends so.
    pub cohere_base_url: String,
    /// Hosts (`host` or `host:port`) that a tenant may name as a server although they are not
    /// public, such as a model server next door. Every tenant may then ask them.
    pub allow_hosts: Vec<String>,
    /// How long connecting may take.
    pub connect_timeout: Duration,
    /// How long one call may take, from connecting to the last byte. It is to be shorter than what
    /// a search waits for: a call that nobody waits for any more is neither a success nor a
    /// failure, so a server that is always slow would never be left alone.
    pub timeout: Duration,
    /// A call is made twice at most, because somebody waits.
    pub retry: RetrySettings,
    /// Its deadline plays no part here: calls have the time above.
    pub breaker: BreakerSettings,
    /// How many passages the encoder remembers the vectors of, all tenants together, and how many pairs of
    /// question and passage the judge remembers. A vector takes one and a half kilobytes.
    pub cached_passages: usize,
    pub local: LocalSettings,
}

impl Default for RerankSettings {
    fn default() -> Self {
        Self {
            cohere_base_url: "https://api.cohere.com".to_owned(),
            allow_hosts: Vec::new(),
            connect_timeout: Duration::from_secs(1),
            timeout: Duration::from_millis(1_500),
            retry: RetrySettings {
                attempts: 2,
                first_wait: Duration::from_millis(100),
                longest_wait: Duration::from_millis(500),
            },
            breaker: BreakerSettings::default(),
            cached_passages: 4_096,
            local: LocalSettings::default(),
        }
    }
}
