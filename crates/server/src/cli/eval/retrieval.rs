//! Whether questions find their passages, and whether those without an answer find nothing.
//!
//! Each dataset is a tenant of its own on a server of this very binary: its documents are added and
//! its questions asked over the API, as anybody would.

mod dataset;

use super::entries::DatasetPart;
use crate::cli::own_server::{OwnFolder, OwnServer};
use crate::cli::own_tenant::{OwnTenant, text};
use crate::cli::told;
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use dataset::{Question, QuestionSet};
use futures::{StreamExt, TryStreamExt};
use reqwest::Method;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// What is asked for of each question.
const TOP_K: usize = 10;
/// At which a question counts as answered.
const DEFAULT_THRESHOLD: f64 = 0.7;
/// Requests under way at the same time.
const AT_ONCE: usize = 4;
/// Longer than it takes to load any dataset.
const PATIENCE: Duration = Duration::from_hours(1);

#[derive(Args)]
pub(super) struct Retrieval {
    /// A folder with docs.jsonl, queries.jsonl and qrels.tsv, a folder of such folders, or a file of
    /// businesses with their passages and questions, one a line.
    #[arg(long)]
    dataset: PathBuf,
    /// Of a file of businesses, those of this part.
    #[arg(long, value_enum)]
    split: Option<DatasetPart>,
    /// Have the best judged again.
    #[arg(long)]
    rerank: bool,
    #[arg(long, value_enum, default_value_t = Mode::Hybrid)]
    mode: Mode,
    /// The built-in model to search with.
    #[arg(long, value_enum, default_value_t = Model::Encoder)]
    model: Model,
    /// The search engine: embedded, pgvector or qdrant.
    #[arg(long, default_value = "embedded")]
    engine: String,
    /// The database to use instead of a temporary SQLite one.
    #[arg(long)]
    database_url: Option<String>,
    /// For programs.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Mode {
    Hybrid,
    Dense,
    Lexical,
}

impl Mode {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Hybrid => "hybrid",
            Self::Dense => "dense",
            Self::Lexical => "lexical",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Model {
    Encoder,
    Static,
}

impl Model {
    const fn name(self) -> &'static str {
        match self {
            Self::Encoder => quipu_core::embedding::BUILTIN_ENCODER,
            Self::Static => quipu_core::embedding::BUILTIN_STATIC,
        }
    }
}

/// What came of one question.
struct Outcome {
    kind: String,
    answerable: bool,
    hit: f64,
    recall: f64,
    reciprocal: f64,
    gain: f64,
    /// The similarity of the best, if there was one.
    best: Option<f64>,
}

#[derive(Clone, Debug, Serialize)]
struct Figures {
    questions: usize,
    #[serde(rename = "hit@1")]
    hit: f64,
    #[serde(rename = "recall@5")]
    recall: f64,
    #[serde(rename = "mrr@10")]
    reciprocal: f64,
    #[serde(rename = "ndcg@10")]
    gain: f64,
    unanswerable: usize,
    unanswerable_empty: Option<f64>,
    answerable_empty: f64,
}

/// How many answerable questions are lost and unanswerable ones refused at a threshold.
#[derive(Serialize)]
struct Point {
    threshold: f64,
    answerable_empty: f64,
    unanswerable_empty: f64,
}

#[derive(Serialize)]
struct Report {
    version: &'static str,
    engine: String,
    mode: &'static str,
    model: &'static str,
    split: Option<DatasetPart>,
    rerank: bool,
    overall: Figures,
    datasets: BTreeMap<String, Figures>,
    kinds: BTreeMap<String, Figures>,
    curve: Vec<Point>,
    seconds: f64,
}

pub(super) async fn run(retrieval: Retrieval) -> anyhow::Result<ExitCode> {
    let datasets = dataset::read_all(&retrieval.dataset, retrieval.split)?;
    let mut environment = vec![("QUIPU_SEARCH__ENGINE".to_owned(), retrieval.engine.clone())];
    if let Some(url) = &retrieval.database_url {
        environment.push(("QUIPU_DATABASE__URL".to_owned(), url.clone()));
    }
    for (name, value) in std::env::vars() {
        if name.starts_with("QUIPU_QDRANT__") {
            environment.push((name, value));
        }
    }
    let folder = OwnFolder::make("eval")?;
    let server = OwnServer::start(&folder, &environment).await?;
    let report = evaluate(&server, &retrieval, datasets).await;
    server.stop().await?;
    let report = report?;
    told::tell(&report, retrieval.json, print)?;
    Ok(ExitCode::SUCCESS)
}

async fn evaluate(
    server: &OwnServer,
    retrieval: &Retrieval,
    datasets: Vec<QuestionSet>,
) -> anyhow::Result<Report> {
    let began = Instant::now();
    let first = OwnTenant::make(server, "evaluation").await?;
    let mut by_dataset: BTreeMap<String, Vec<Outcome>> = BTreeMap::new();
    for (number, dataset) in datasets.iter().enumerate() {
        let tenant = first.another(&format!("dataset-{number}")).await?;
        let kb = load(&tenant, dataset, retrieval.model).await?;
        let outcomes = ask_all(&tenant, &kb, dataset, retrieval).await?;
        by_dataset.insert(dataset.name.clone(), outcomes);
    }
    let mut kinds: BTreeMap<String, Vec<&Outcome>> = BTreeMap::new();
    for outcome in by_dataset.values().flatten() {
        kinds.entry(outcome.kind.clone()).or_default().push(outcome);
    }
    let all: Vec<&Outcome> = by_dataset.values().flatten().collect();
    Ok(Report {
        version: env!("CARGO_PKG_VERSION"),
        engine: retrieval.engine.clone(),
        mode: retrieval.mode.as_str(),
        model: retrieval.model.name(),
        split: retrieval.split,
        rerank: retrieval.rerank,
        overall: figures(&all),
        datasets: by_dataset
            .iter()
            .map(|(name, of)| (name.clone(), figures(&of.iter().collect::<Vec<_>>())))
            .collect(),
        kinds: kinds
            .iter()
            .map(|(kind, of)| (kind.clone(), figures(of)))
            .collect(),
        curve: (0..=20)
            .map(|step| point(&all, f64::from(step) / 20.0))
            .collect(),
        seconds: began.elapsed().as_secs_f64(),
    })
}

/// Adds the documents and waits until the wanted model's vectors are searched.
async fn load(tenant: &OwnTenant, dataset: &QuestionSet, model: Model) -> anyhow::Result<String> {
    let body = json!({
        "name": dataset.name,
        // One passage, one chunk: that is what the judgements are about.
        "chunking_config": { "strategy": "paragraph", "chunk_size": 8000, "max_chunk_size": 16000 },
        "embedding_config": { "model": model.name() },
    });
    let made = tenant.post("/api/v1/knowledge-bases", &body).await?;
    let kb = text(&made, "id")?;
    let path = format!("/api/v1/knowledge-bases/{kb}/documents/text");
    futures::stream::iter(&dataset.docs)
        .map(|doc| {
            let mut body = json!({ "content": doc.text, "metadata": { "id": doc.id } });
            if !doc.title.trim().is_empty() {
                body["title"] = json!(doc.title.chars().take(255).collect::<String>());
            }
            let path = &path;
            async move {
                let added = tenant.post(path, &body).await;
                match added {
                    // The same text twice is one passage.
                    Err(error) if error.to_string().contains("DUPLICATE_DOCUMENT") => Ok(()),
                    other => other
                        .map(drop)
                        .with_context(|| format!("document {}", doc.id)),
                }
            }
        })
        .buffer_unordered(AT_ONCE)
        .try_collect::<Vec<()>>()
        .await?;
    let ready = async {
        loop {
            let path = format!("/api/v1/knowledge-bases/{kb}");
            let shown = tenant.ok(Method::GET, &path, None).await?;
            let stats = tenant
                .ok(Method::GET, &format!("{path}/stats"), None)
                .await?;
            if stats["documents_failed"].as_u64() != Some(0) {
                bail!("documents of {} were not processed", dataset.name);
            }
            let searched = shown["searched_with"]["model"].as_str();
            if stats["documents_pending"].as_u64() == Some(0) && searched == Some(model.name()) {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    tokio::time::timeout(PATIENCE, ready)
        .await
        .with_context(|| format!("{} took too long to load", dataset.name))??;
    Ok(kb)
}

async fn ask_all(
    tenant: &OwnTenant,
    kb: &str,
    dataset: &QuestionSet,
    retrieval: &Retrieval,
) -> anyhow::Result<Vec<Outcome>> {
    let nothing = HashMap::new();
    futures::stream::iter(&dataset.questions)
        .map(|question| {
            let judged = dataset.judged.get(&question.id).unwrap_or(&nothing);
            async move {
                let body = json!({
                    "query": question.text, "top_k": TOP_K, "similarity_threshold": 0,
                    "mode": retrieval.mode.as_str(), "rerank": retrieval.rerank,
                });
                let path = format!("/api/v1/knowledge-bases/{kb}/search");
                let found = tenant.post(&path, &body).await;
                let found = found.with_context(|| format!("question {}", question.id))?;
                anyhow::Ok(outcome(question, judged, &found))
            }
        })
        .buffered(AT_ONCE)
        .try_collect()
        .await
}

fn outcome(question: &Question, judged: &HashMap<String, u32>, found: &Value) -> Outcome {
    let chunks = found["chunks"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let mut ids: Vec<&str> = Vec::new();
    for chunk in chunks {
        let id = chunk["metadata"]["id"].as_str().unwrap_or_default();
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    let grade = |id: &str| judged.get(id).copied().unwrap_or(0);
    // Where there are two grades, only the upper one answers.
    let answers = judged.values().copied().max().unwrap_or(0);
    let right = |id: &&str| answers > 0 && grade(id) == answers;
    let wanted = judged.values().filter(|g| **g == answers).count().max(1);
    let first = ids.iter().position(&right);
    let gain = |grades: &[u32]| -> f64 {
        grades
            .iter()
            .take(TOP_K)
            .enumerate()
            .map(|(i, grade)| (f64::from(2_u32.pow(*grade)) - 1.0) / number(i + 2).log2())
            .sum()
    };
    let mut ideal: Vec<u32> = judged.values().copied().collect();
    ideal.sort_unstable_by(|a, b| b.cmp(a));
    let reached: Vec<u32> = ids.iter().map(|id| grade(id)).collect();
    Outcome {
        kind: question.kind.clone().unwrap_or_else(|| "all".to_owned()),
        answerable: !judged.is_empty(),
        hit: f64::from(u8::from(first == Some(0))),
        recall: number(ids.iter().take(5).filter(|id| right(id)).count()) / number(wanted),
        reciprocal: first.map_or(0.0, |at| 1.0 / number(at + 1)),
        gain: gain(&reached) / gain(&ideal).max(f64::MIN_POSITIVE),
        best: chunks
            .iter()
            .filter_map(|chunk| chunk["similarity_score"].as_f64())
            .reduce(f64::max),
    }
}

fn figures(outcomes: &[&Outcome]) -> Figures {
    let answerable: Vec<&&Outcome> = outcomes.iter().filter(|o| o.answerable).collect();
    let mean = |value: fn(&Outcome) -> f64| {
        answerable.iter().map(|o| value(o)).sum::<f64>() / number(answerable.len().max(1))
    };
    let at = point(outcomes, DEFAULT_THRESHOLD);
    let unanswerable = outcomes.len() - answerable.len();
    Figures {
        questions: answerable.len(),
        hit: mean(|o| o.hit),
        recall: mean(|o| o.recall),
        reciprocal: mean(|o| o.reciprocal),
        gain: mean(|o| o.gain),
        unanswerable,
        unanswerable_empty: (unanswerable > 0).then_some(at.unanswerable_empty),
        answerable_empty: at.answerable_empty,
    }
}

fn point(outcomes: &[&Outcome], threshold: f64) -> Point {
    let empty = |answerable: bool| {
        let of_kind = || outcomes.iter().filter(|o| o.answerable == answerable);
        let empty = of_kind().filter(|o| o.best.is_none_or(|best| best < threshold));
        number(empty.count()) / number(of_kind().count().max(1))
    };
    Point {
        threshold,
        answerable_empty: empty(true),
        unanswerable_empty: empty(false),
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of questions are small")]
fn number(count: usize) -> f64 {
    count as f64
}

fn print(report: &Report) {
    println!(
        "quipu {}, engine {}, mode {}, model {}{}{}",
        report.version,
        report.engine,
        report.mode,
        report.model,
        if report.rerank { ", judged again" } else { "" },
        report.split.map_or_else(String::new, |split| format!(
            ", {} businesses",
            split.as_str()
        )),
    );
    let names = report.datasets.keys().chain(report.kinds.keys());
    let width = names.map(String::len).max().unwrap_or(0).max(12);
    println!(
        "{:<width$}  {:>9}  {:>6}  {:>8}  {:>6}  {:>7}  {:>12}  {:>12}",
        "", "questions", "hit@1", "recall@5", "mrr@10", "ndcg@10", "ans. empty", "unans. empty"
    );
    let line = |name: &str, f: &Figures| {
        let unanswerable = f.unanswerable_empty.map_or_else(
            || "-".to_owned(),
            |share| format!("{share:.3} of {}", f.unanswerable),
        );
        println!(
            "{name:<width$}  {:>9}  {:>6.3}  {:>8.3}  {:>6.3}  {:>7.3}  {:>12.3}  {:>12}",
            f.questions, f.hit, f.recall, f.reciprocal, f.gain, f.answerable_empty, unanswerable
        );
    };
    for (name, figures) in &report.datasets {
        line(name, figures);
    }
    if report.kinds.len() > 1 {
        println!();
        for (kind, figures) in &report.kinds {
            line(kind, figures);
        }
    }
    println!();
    line("overall", &report.overall);
    if report.overall.unanswerable > 0 {
        println!(
            "\nHow many questions come back empty, of {} with an answer and {} without:",
            report.overall.questions, report.overall.unanswerable
        );
        println!("threshold   answerable lost   unanswerable refused");
        for point in &report.curve {
            println!(
                "{:>9.2}   {:>15.3}   {:>20.3}",
                point.threshold, point.answerable_empty, point.unanswerable_empty
            );
        }
    }
    println!("{:.1} seconds", report.seconds);
}
