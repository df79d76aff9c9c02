//! How fast search is and what it misses, on made-up knowledge.

use crate::cli::told;
use crate::demo::DEMO;
use clap::Args;
use quipu_bench::{EmptyDatabase, EngineFactory, MillionPlan, Part, Plan, RecallPlan, TenantsPlan};
use quipu_core::engine::Engine;
use quipu_index::{QdrantEngine, QdrantSettings};
use secrecy::SecretString;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Retrieval {
    /// What to measure: embedding, latency, recall, tenants or million. Several times for several;
    /// all but million when nothing is said.
    #[arg(long, value_name = "PART")]
    part: Vec<Part>,
    /// An empty PostgreSQL database with pgvector. With it, `recall` measures that engine too, and
    /// one table with one index for everybody beside it.
    #[arg(long, value_name = "URL")]
    postgres: Option<String>,
    /// A Qdrant server, whose collections `quipu_bench_…` are made and emptied. With it, `recall`
    /// measures that engine too.
    #[arg(long, value_name = "URL")]
    qdrant: Option<String>,
    #[arg(
        long,
        value_name = "KEY",
        env = "QUIPU_QDRANT__API_KEY",
        hide_env_values = true
    )]
    qdrant_key: Option<String>,
    /// Where to make the folders that are measured; they are removed again.
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Vectors of all knowledge bases together, for `recall`.
    #[arg(long, default_value_t = RecallPlan::default().vectors)]
    vectors: u64,
    /// The many tenants that `tenants` compares with ten.
    #[arg(long, default_value_t = TenantsPlan::default().many)]
    tenants: usize,
    /// Chunks of the one knowledge base of `million`.
    #[arg(long, default_value_t = MillionPlan::default().one)]
    chunks: u64,
    /// For programs.
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(retrieval: Retrieval) -> anyhow::Result<()> {
    let mut plan = Plan {
        folder: retrieval.folder,
        database: retrieval.postgres.map(|url| EmptyDatabase {
            url,
            tenants: vec![DEMO.tenant.to_owned()],
        }),
        ..Plan::default()
    };
    if !retrieval.part.is_empty() {
        plan.parts = retrieval.part;
    }
    if let Some(url) = retrieval.qdrant {
        let settings = QdrantSettings {
            api_key: retrieval.qdrant_key.map(SecretString::from),
            prefix: "quipu_bench".to_owned(),
            ..QdrantSettings::new(url)
        };
        let start: EngineFactory = Box::new(move |log| {
            let engine = QdrantEngine::new(&settings, log);
            Box::pin(async move { Ok(Box::new(Box::new(engine?) as Box<dyn Engine>) as _) })
        });
        plan.engines.push(("qdrant".to_owned(), start));
    }
    plan.recall.vectors = retrieval.vectors;
    plan.tenants.many = retrieval.tenants;
    plan.million.one = retrieval.chunks;
    let report = quipu_bench::run(plan, &|what| eprintln!("{what}")).await?;
    told::tell(&report, retrieval.json, |report| println!("{report}"))
}
