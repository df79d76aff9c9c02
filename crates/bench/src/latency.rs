//! From a question to its candidates: its vector, its words, and both legs of a search.

use crate::embedded::{self, Embedded};
use crate::embedding::vector;
use crate::library::{Library, Shelf, TOPICS, Words, partition};
use crate::plan::{Plan, Subject};
use crate::report::{PartReport, Target, Unit};
use crate::times::{Times, ms};
use crate::{Progress, folder};
use quipu_core::Result;
use quipu_core::engine::Engine;
use quipu_core::ports::Embedder;
use quipu_index::EmbeddedSettings;
use quipu_providers::{EncoderEmbedder, StaticEmbedder};
use std::sync::Arc;

/// How many candidates of each leg the product asks an engine for.
pub(crate) const CANDIDATES: usize = 50;
/// How many words a text has, on average.
pub(crate) const WORDS_OF_A_CHUNK: usize = 80;
/// Questions that are asked before the time counts.
const WARM_UP: usize = 100;
/// The series of questions of this part.
const SERIES: u64 = 2;

struct Case<'a> {
    name: &'a str,
    embedder: &'a dyn Embedder,
    chunks: u64,
    p50: f64,
    p99: Option<f64>,
}

pub(crate) async fn measure(
    plan: &Plan,
    words: &Arc<Words>,
    report: &mut PartReport,
    progress: Progress<'_>,
) -> Result<()> {
    let sizes = &plan.latency;
    report.about(format!(
        "hybrid first stage with the question's vector: {} questions one at a time, none twice, {WARM_UP} before them to \
         warm up; {CANDIDATES} candidates of each leg; chunks of about {WORDS_OF_A_CHUNK} words",
        sizes.questions
    ));
    let (quick, encoder) = (StaticEmbedder::new(), EncoderEmbedder::new());
    let cases = [
        Case {
            name: "static",
            embedder: &quick,
            chunks: sizes.small,
            p50: 1.5,
            p99: Some(5.0),
        },
        Case {
            name: "static",
            embedder: &quick,
            chunks: sizes.large,
            p50: 6.0,
            p99: None,
        },
        Case {
            name: "encoder",
            embedder: &encoder,
            chunks: sizes.small,
            p50: 10.0,
            p99: None,
        },
    ];
    for (number, case) in cases.iter().enumerate() {
        progress(&format!("  {} chunks, {}", case.chunks, case.name));
        let base = Shelf {
            chunks: case.chunks,
            topics: Some(0..TOPICS),
        };
        let model = case.embedder.model().to_owned();
        let library = Arc::new(Library::new(
            vec![base],
            words.clone(),
            model,
            WORDS_OF_A_CHUNK,
        ));
        let folder = folder(plan)?;
        let settings = EmbeddedSettings::new(folder.path().to_owned());
        let subject = Embedded {
            engine: embedded::open(&settings, library.clone()).await?,
            settings,
            graph_wait: plan.graph_wait,
        };
        embedded::fill(&subject.engine, &library).await?;
        subject.settle(partition(0)).await?;
        if number == 0 {
            report.about(embedded::described(&subject.settings));
        }
        let times = ask(
            &subject.engine,
            &library,
            case.embedder,
            words,
            sizes.questions,
        )
        .await?;
        let name = format!("{} chunks, {}", case.chunks, case.name);
        report.target(
            format!("{name}: p50"),
            ms(times.p50()),
            Unit::Milliseconds,
            Target::AtMost(case.p50),
        );
        let p99 = ms(times.p99());
        match case.p99 {
            Some(most) => report.target(
                format!("{name}: p99"),
                p99,
                Unit::Milliseconds,
                Target::AtMost(most),
            ),
            None => report.figure(format!("{name}: p99"), p99, Unit::Milliseconds),
        }
    }
    Ok(())
}

async fn ask(
    engine: &dyn Engine,
    library: &Library,
    embedder: &dyn Embedder,
    words: &Words,
    count: usize,
) -> Result<Times> {
    let scope = library.scope(0);
    let kb = partition(0).knowledge_base();
    let first_stage = async |question: &str| {
        let vector = vector(embedder, question).await?;
        let probe = library.probe(0, question, vector, CANDIDATES);
        engine.search(&scope, kb, &probe).await
    };
    let questions = words.questions(SERIES, WARM_UP + count);
    let (warm, questions) = questions.split_at(WARM_UP);
    for question in warm {
        first_stage(question).await?;
    }
    let mut times = Times::default();
    for question in questions {
        times.take(first_stage(question)).await?;
    }
    Ok(times)
}
