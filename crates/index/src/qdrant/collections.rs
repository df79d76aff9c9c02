//! The collections: which there are, what they are called and by which fields they are searched.

use super::fault::{Fault, Outcome};
use super::point::{DENSE, WORDS, field};
use super::record;
use super::server::Server;
use super::settings::QdrantSettings;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

pub(super) struct Collections {
    server: Arc<Server>,
    prefix: String,
    replicas: Option<u32>,
    shards: Option<u32>,
    /// Those that this process has seen to.
    ready: Mutex<HashSet<String>>,
}

/// What a collection is for.
#[derive(Clone, Copy)]
enum Kind {
    Records,
    Words,
    Vectors(usize),
}

impl Collections {
    pub(super) fn new(settings: &QdrantSettings, server: Arc<Server>) -> Self {
        Self {
            server,
            prefix: settings.prefix.clone(),
            replicas: settings.replicas,
            shards: settings.shards,
            ready: Mutex::default(),
        }
    }

    /// Where the record of each partition is.
    pub(super) async fn records(&self) -> Outcome<String> {
        self.ensure(Kind::Records).await
    }

    /// Where chunks are found by their words.
    pub(super) async fn words(&self) -> Outcome<String> {
        self.ensure(Kind::Words).await
    }

    /// Where chunks are found by vectors of so many dimensions.
    pub(super) async fn vectors(&self, dimensions: usize) -> Outcome<String> {
        self.ensure(Kind::Vectors(dimensions)).await
    }

    /// All that hold vectors, whoever made them.
    pub(super) async fn all_vectors(&self) -> Outcome<Vec<(String, usize)>> {
        let mut found = Vec::new();
        for name in self.server.collections().await? {
            let rest = name.strip_prefix(&self.prefix);
            let dimensions = rest.and_then(|rest| rest.strip_prefix('_')?.parse().ok());
            if let Some(dimensions) = dimensions
                && name == self.name(Kind::Vectors(dimensions))
            {
                found.push((self.vectors(dimensions).await?, dimensions));
            }
        }
        Ok(found)
    }

    /// All that hold chunks, that of the words first.
    pub(super) async fn all(&self) -> Outcome<Vec<String>> {
        let mut all = vec![self.words().await?];
        all.extend(self.all_vectors().await?.into_iter().map(|(name, _)| name));
        Ok(all)
    }

    /// Forgets which collections there are, after one was not.
    pub(super) fn notice(&self, fault: &Fault) {
        if matches!(fault, Fault::Missing(_)) {
            self.seen().clear();
        }
    }

    fn seen(&self) -> std::sync::MutexGuard<'_, HashSet<String>> {
        self.ready.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn name(&self, kind: Kind) -> String {
        match kind {
            Kind::Records => format!("{}_partitions", self.prefix),
            Kind::Words => format!("{}_words", self.prefix),
            Kind::Vectors(dimensions) => format!("{}_{dimensions}", self.prefix),
        }
    }

    async fn ensure(&self, kind: Kind) -> Outcome<String> {
        let name = self.name(kind);
        if self.seen().contains(&name) {
            return Ok(name);
        }
        let mut body = shape(kind);
        if let Some(replicas) = self.replicas {
            body["replication_factor"] = json!(replicas);
            body["write_consistency_factor"] = json!(replicas / 2 + 1);
        }
        if let Some(shards) = self.shards {
            body["shard_number"] = json!(shards);
        }
        self.server.create(&name, &body).await?;
        // Whoever made it may have died before its fields were indexed.
        for (field, schema) in fields(kind) {
            self.server.index(&name, field, &schema).await?;
        }
        self.seen().insert(name.clone());
        Ok(name)
    }
}

fn shape(kind: Kind) -> Value {
    match kind {
        // A record has no vector, but a collection must be one of some.
        Kind::Records | Kind::Words => json!({
            "vectors": {},
            "sparse_vectors": { WORDS: {} },
        }),
        // Vectors are normalised or zero, so their product is their cosine. One graph over all
        // tenants would serve none of them, so there is one for each value of an indexed field.
        Kind::Vectors(dimensions) => json!({
            "vectors": { DENSE: { "size": dimensions, "distance": "Dot" } },
            "hnsw_config": { "m": 0, "payload_m": 16 },
        }),
    }
}

/// All fields by which points are looked for: clusters may refuse to filter by any other.
fn fields(kind: Kind) -> Vec<(&'static str, Value)> {
    let id = || json!("uuid");
    let mut fields = vec![
        (field::TENANT, json!({ "type": "uuid", "is_tenant": true })),
        (field::KNOWLEDGE_BASE, id()),
    ];
    match kind {
        Kind::Records => fields.extend([
            (record::WRITER, json!("keyword")),
            (record::BEAT, json!("integer")),
            (record::VERSION, json!("integer")),
            (record::INCARNATION, id()),
        ]),
        Kind::Words | Kind::Vectors(_) => fields.extend([
            (field::DOCUMENT, id()),
            (field::CHUNK, id()),
            (field::BORN, json!("integer")),
            (field::ENDED, json!("integer")),
        ]),
    }
    match kind {
        Kind::Records => {}
        Kind::Words => fields.extend([
            (field::LENGTH, json!("integer")),
            (field::TERMS, json!("keyword")),
        ]),
        Kind::Vectors(_) => fields.push((field::MODEL, json!("keyword"))),
    }
    fields
}
