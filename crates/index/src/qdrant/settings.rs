//! Where the Qdrant server is and how it is spoken to.

use secrecy::SecretString;
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct QdrantSettings {
    /// The address of the REST interface, such as `https://qdrant.example:6333`.
    pub url: String,
    pub api_key: Option<SecretString>,
    /// Certificates, in PEM, that are trusted beside those of the machine.
    pub certificates: Option<Vec<u8>>,
    /// What the names of all collections begin with.
    pub prefix: String,
    /// How many copies of each part of a new collection a cluster keeps. A change counts when most
    /// of them have it; the cluster does not read from one that missed it.
    pub replicas: Option<u32>,
    /// How many parts a new collection has; the server decides when not given.
    pub shards: Option<u32>,
    pub connect_timeout: Duration,
    /// How long one call may take.
    pub timeout: Duration,
    /// How often a call is made before it has failed.
    pub attempts: u32,
    /// How long the second attempt waits, at most; each after it twice as long.
    pub first_wait: Duration,
    /// The longest answer that is read.
    pub answer_bytes: usize,
    /// Up to so many chunks that have a word of the question are all looked at.
    pub exact_matches: u64,
    /// Up to so many vectors are all compared; a graph is walked for more.
    pub exact_vectors: u64,
    /// A writer that was not heard of for so long has died.
    pub writer_silence: Duration,
}

impl QdrantSettings {
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            api_key: None,
            certificates: None,
            prefix: "quipu".to_owned(),
            replicas: None,
            shards: None,
            connect_timeout: Duration::from_secs(3),
            timeout: Duration::from_secs(15),
            attempts: 4,
            first_wait: Duration::from_millis(100),
            answer_bytes: 64 << 20,
            exact_matches: 10_000,
            exact_vectors: 50_000,
            writer_silence: Duration::from_secs(15),
        }
    }
}
