//! What to measure, and how large.

use async_trait::async_trait;
use futures::future::BoxFuture;
use quipu_core::Result;
use quipu_core::engine::{ChangeLog, Engine, Partition};
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// Texts to vectors, with the built-in models.
    Embedding,
    /// From a question to its candidates, the question's vector included.
    Latency,
    /// Of the nearest vectors, the share that is found, by size of the knowledge base.
    Recall,
    /// Whether many tenants slow down each of them.
    Tenants,
    /// A million chunks, in one knowledge base and in a thousand. Takes long.
    Million,
}

impl Part {
    pub const ALL: [Self; 5] = [
        Self::Embedding,
        Self::Latency,
        Self::Recall,
        Self::Tenants,
        Self::Million,
    ];
    /// Those that are measured unless others are chosen.
    pub const USUAL: [Self; 4] = [Self::Embedding, Self::Latency, Self::Recall, Self::Tenants];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Embedding => "embedding",
            Self::Latency => "latency",
            Self::Recall => "recall",
            Self::Tenants => "tenants",
            Self::Million => "million",
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let part = Self::ALL.into_iter().find(|part| part.as_str() == name);
        let names = Self::ALL.map(Self::as_str).join(", ");
        part.ok_or_else(|| format!("`{name}` is not one of {names}"))
    }
}

/// How the vectors of knowledge bases lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Data {
    /// Near topics that the knowledge base has to itself.
    OwnTopics,
    /// Near topics that all knowledge bases have.
    SharedTopics,
    /// Anywhere.
    Diffuse,
}

impl Data {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OwnTopics => "each knowledge base has topics of its own",
            Self::SharedTopics => "all knowledge bases have the same topics",
            Self::Diffuse => "diffuse, without topics",
        }
    }
}

/// An engine that is held against the others.
#[async_trait]
pub trait Subject: Send + Sync {
    fn engine(&self) -> &dyn Engine;

    /// Waits until a partition that was taken in is searched as it will be from then on.
    ///
    /// # Errors
    /// When the engine cannot be reached.
    async fn settle(&self, partition: Partition) -> Result<()> {
        let _ = partition;
        Ok(())
    }
}

#[async_trait]
impl Subject for Box<dyn Engine> {
    fn engine(&self) -> &dyn Engine {
        self.as_ref()
    }
}

/// Starts an engine that is filled from a change log.
pub type EngineFactory =
    Box<dyn Fn(Arc<dyn ChangeLog>) -> BoxFuture<'static, Result<Box<dyn Subject>>> + Send + Sync>;

/// A PostgreSQL database that nobody uses: tables are made in it, filled and dropped.
#[derive(Clone, Debug)]
pub struct EmptyDatabase {
    pub url: String,
    /// The slugs of tenants that do not make the database one in use: the demo's.
    pub tenants: Vec<String>,
}

pub struct Plan {
    pub parts: Vec<Part>,
    /// Where folders are made and removed; the system's own place for such when not given.
    pub folder: Option<PathBuf>,
    /// For `recall`: pgvector, and the single table.
    pub database: Option<EmptyDatabase>,
    /// For `recall`: further engines by name. What they took in is removed from them afterwards.
    pub engines: Vec<(String, EngineFactory)>,
    /// How long the graph of a large knowledge base is waited for.
    pub graph_wait: Duration,
    pub embedding: EmbeddingPlan,
    pub latency: LatencyPlan,
    pub recall: RecallPlan,
    pub tenants: TenantsPlan,
    pub million: MillionPlan,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            parts: Part::USUAL.to_vec(),
            folder: None,
            database: None,
            engines: Vec::new(),
            graph_wait: Duration::from_hours(2),
            embedding: EmbeddingPlan::default(),
            latency: LatencyPlan::default(),
            recall: RecallPlan::default(),
            tenants: TenantsPlan::default(),
            million: MillionPlan::default(),
        }
    }
}

#[derive(Clone, Debug)]
pub struct EmbeddingPlan {
    pub questions: usize,
    pub passages: usize,
}

impl Default for EmbeddingPlan {
    fn default() -> Self {
        Self {
            questions: 1_000,
            passages: 200,
        }
    }
}

#[derive(Clone, Debug)]
pub struct LatencyPlan {
    /// Chunks of a small knowledge base, and of a large one that has no graph yet.
    pub small: u64,
    pub large: u64,
    pub questions: usize,
}

impl Default for LatencyPlan {
    fn default() -> Self {
        Self {
            small: 2_000,
            large: 50_000,
            questions: 1_000,
        }
    }
}

#[derive(Clone, Debug)]
pub struct RecallPlan {
    /// Vectors of all knowledge bases together.
    pub vectors: u64,
    /// Questions to each knowledge base.
    pub questions: usize,
    pub data: Vec<Data>,
}

impl Default for RecallPlan {
    fn default() -> Self {
        Self {
            vectors: 150_000,
            questions: 100,
            data: vec![Data::OwnTopics, Data::Diffuse],
        }
    }
}

#[derive(Clone, Debug)]
pub struct TenantsPlan {
    pub few: usize,
    pub many: usize,
    /// Chunks of each.
    pub chunks: u64,
    /// How many of the many are warm; those of the few all are.
    pub warm: usize,
    pub questions: usize,
}

impl Default for TenantsPlan {
    fn default() -> Self {
        Self {
            few: 10,
            many: 10_000,
            chunks: 200,
            warm: 500,
            questions: 4_000,
        }
    }
}

#[derive(Clone, Debug)]
pub struct MillionPlan {
    /// Chunks of the one large knowledge base.
    pub one: u64,
    /// How many small ones, and chunks of each.
    pub many: usize,
    pub each: u64,
    pub questions: usize,
    /// Each of these is held against every vector.
    pub recall_questions: usize,
}

impl Default for MillionPlan {
    fn default() -> Self {
        Self {
            one: 1_000_000,
            many: 1_000,
            each: 1_000,
            questions: 1_000,
            recall_questions: 50,
        }
    }
}
