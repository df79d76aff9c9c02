//! Logs for people and programs, traces for a collector, metrics for Prometheus.

use crate::config::{LogFormat, Telemetry};
use anyhow::Context;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::WithExportConfig;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use std::io::IsTerminal;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

/// Kept until the end, when the last spans are sent.
#[derive(Default)]
pub struct Traces(Option<SdkTracerProvider>);

impl Traces {
    /// Sends what is still waiting. Losing spans is no reason to fail.
    pub fn flush(&self) {
        if let Some(provider) = &self.0 {
            drop(provider.shutdown());
        }
    }
}

/// Starts logging and, when an endpoint is configured, exporting traces.
///
/// # Errors
/// When the exporter cannot be set up.
pub fn start(settings: &Telemetry) -> anyhow::Result<Traces> {
    let filter = EnvFilter::try_new(&settings.log)?;
    // Logs go to standard error: standard output is for what a command was asked to print.
    let out = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    let logs = match settings.format {
        LogFormat::Pretty => out.compact().boxed(),
        LogFormat::Json => out.json().flatten_event(true).boxed(),
    };
    let (traces, exported) = if settings.otlp_endpoint.is_empty() {
        (Traces::default(), None)
    } else {
        let exporter = opentelemetry_otlp::SpanExporter::builder()
            .with_http()
            .with_endpoint(&settings.otlp_endpoint)
            .build()
            .context("telemetry.otlp_endpoint cannot be used")?;
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_resource(Resource::builder().with_service_name("quipu").build())
            .build();
        let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("quipu"));
        (Traces(Some(provider)), Some(layer))
    };
    tracing_subscriber::registry()
        .with(exported)
        .with(logs)
        .with(filter)
        .try_init()?;
    Ok(traces)
}

/// Starts collecting metrics; the handle renders them.
///
/// # Errors
/// When a recorder is installed already.
pub fn start_metrics() -> anyhow::Result<PrometheusHandle> {
    let handle = PrometheusBuilder::new()
        .set_buckets_for_metric(
            Matcher::Full("quipu_context_tokens".to_owned()),
            &[
                50.0, 100.0, 250.0, 500.0, 1_000.0, 1_500.0, 2_000.0, 3_000.0, 4_000.0, 8_000.0,
            ],
        )?
        .set_buckets_for_metric(
            Matcher::Full("quipu_retrieval_relevance".to_owned()),
            &[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
        )?
        .set_buckets(&[
            0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
        ])?
        .install_recorder()?;
    describe_work();
    describe_search();
    Ok(handle)
}

/// What requests, jobs, answers and providers are counted by.
fn describe_work() {
    metrics::describe_counter!(
        "quipu_http_requests_total",
        "Requests by route, method and status"
    );
    metrics::describe_histogram!("quipu_http_request_seconds", "Time to answer, by route");
    metrics::describe_gauge!("quipu_jobs", "Jobs by state");
    metrics::describe_counter!("quipu_jobs_finished_total", "Jobs by kind and outcome");
    metrics::describe_counter!("quipu_events_total", "Events sent to endpoints, by outcome");
    metrics::describe_counter!("quipu_n8n_total", "Questions to n8n, by outcome");
    metrics::describe_counter!(
        "quipu_answers_total",
        "Answers, grounded in knowledge or not"
    );
    metrics::describe_histogram!(
        "quipu_ingest_stage_seconds",
        "Time a document spends in each stage of its processing"
    );
    metrics::describe_histogram!("quipu_turn_seconds", "Time from a question to its answer");
    metrics::describe_counter!(
        "quipu_turn_tokens_total",
        "Tokens that models read and wrote for answers, by direction"
    );
    metrics::describe_counter!(
        "quipu_turn_tool_calls_total",
        "Tools that were called for answers"
    );
    metrics::describe_counter!(
        "quipu_turns_not_kept_total",
        "Answers that were given and not written down, because too many waited"
    );
    metrics::describe_counter!(
        "quipu_escalations_total",
        "Conversations that were handed to a person"
    );
    metrics::describe_counter!("quipu_feedback_total", "Opinions on answers");
    metrics::describe_counter!(
        "quipu_prompt_regenerations_total",
        "Prompts that were compiled anew"
    );
    metrics::describe_histogram!(
        "quipu_model_call_seconds",
        "Time a model takes to answer, by provider"
    );
    metrics::describe_counter!(
        "quipu_model_tokens_total",
        "Tokens that models read and wrote, by provider and kind"
    );
    metrics::describe_histogram!(
        "quipu_embedding_call_seconds",
        "Time a provider of vectors takes to answer"
    );
    metrics::describe_histogram!(
        "quipu_rerank_call_seconds",
        "Time a service takes to judge passages again"
    );
    metrics::describe_counter!(
        "quipu_provider_calls_total",
        "Calls of providers, by provider and outcome"
    );
    metrics::describe_counter!(
        "quipu_retrievals_not_logged_total",
        "Searches that were not written down, because too many waited"
    );
    metrics::describe_gauge!(
        "quipu_breaker_state",
        "Circuit breakers of responders and search engines: 0 closed, 1 half open, 2 open"
    );
    metrics::describe_gauge!(
        "quipu_breakers_open",
        "How many tenants' circuit breakers of a provider are open"
    );
}

/// What tells how search does.
fn describe_search() {
    metrics::describe_histogram!("quipu_retrieval_seconds", "Time to find passages");
    metrics::describe_counter!(
        "quipu_retrievals_total",
        "Searches, those that found something and those that did not"
    );
    metrics::describe_histogram!(
        "quipu_context_tokens",
        "Tokens of the passages that a search found"
    );
    metrics::describe_histogram!(
        "quipu_retrieval_relevance",
        "How surely the passages of a search answer, on the average, 0 to 1"
    );
    metrics::describe_histogram!(
        "quipu_embedding_seconds",
        "Time to make vectors of questions and passages, by provider and purpose"
    );
    metrics::describe_counter!(
        "quipu_embedding_tokens_total",
        "Tokens that providers of vectors read, by provider"
    );
    metrics::describe_histogram!(
        "quipu_engine_search_seconds",
        "Time a search engine across the network takes to answer"
    );
    metrics::describe_counter!(
        "quipu_turns_total",
        "Answers, those for which something that is known was found and the others"
    );
}
