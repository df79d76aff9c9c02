//! A million chunks, in one knowledge base and in a thousand.

use crate::embedded::{self, Embedded};
use crate::exact;
use crate::latency::{CANDIDATES, WORDS_OF_A_CHUNK};
use crate::library::{Chance, Library, Shelf, TOPICS, Words, partition};
use crate::machine::{forget_peak, peak, resident};
use crate::plan::{Plan, Subject};
use crate::report::{PartReport, Target, Unit};
use crate::times::{Times, ms, number};
use crate::{Progress, folder};
use quipu_core::Result;
use quipu_core::engine::Engine;
use quipu_index::{EmbeddedEngine, EmbeddedSettings};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// Topics of a small knowledge base.
const TOPICS_EACH: u64 = 5;
/// Questions that are asked before the time counts.
const WARM_UP: usize = 100;
/// What a search may take, what the process may hold, and what must be found.
const LONGEST_MS: f64 = 10.0;
const MOST_MEBIBYTES: f64 = 1_430.0;
const LEAST_RECALL: f64 = 0.99;
/// The series of questions of this part.
const SERIES: u64 = 4;

pub(crate) async fn measure(
    plan: &Plan,
    words: &Arc<Words>,
    report: &mut PartReport,
    progress: Progress<'_>,
) -> Result<()> {
    let sizes = &plan.million;
    report.about(format!(
        "hybrid search without the question's vector, {} questions, {CANDIDATES} candidates of each leg; recall@10 by vector \
         alone, {} questions against every vector; memory is that of this process, which opened the folder anew",
        sizes.questions, sizes.recall_questions
    ));
    let one = vec![Shelf {
        chunks: sizes.one,
        topics: Some(0..TOPICS),
    }];
    let many = (0..sizes.many as u64).map(|kb| {
        let first = kb * TOPICS_EACH % TOPICS;
        Shelf {
            chunks: sizes.each,
            topics: Some(first..first + TOPICS_EACH),
        }
    });
    let cases = [
        (format!("1 × {}", sizes.one), one),
        (format!("{} × {}", sizes.many, sizes.each), many.collect()),
    ];
    for (name, shelves) in cases {
        if shelves.iter().all(|base: &Shelf| base.chunks == 0) {
            continue;
        }
        let model = "bench".to_owned();
        let library = Library::new(shelves, words.clone(), model, WORDS_OF_A_CHUNK);
        case(plan, &name, Arc::new(library), words, report, progress).await?;
    }
    Ok(())
}

async fn case(
    plan: &Plan,
    name: &str,
    library: Arc<Library>,
    words: &Words,
    report: &mut PartReport,
    progress: Progress<'_>,
) -> Result<()> {
    let folder = folder(plan)?;
    let settings = EmbeddedSettings::new(folder.path().to_owned());
    report.about(format!("{name}: {}", embedded::described(&settings)));
    build(plan, name, &settings, &library, report, progress).await?;
    progress(&format!("  {name}: searching"));
    forget_peak();
    let begin = Instant::now();
    let engine = embedded::open(&settings, library.clone()).await?;
    search(
        &engine,
        &library,
        0,
        "¿Cuánto cuesta la limpieza?",
        0,
        CANDIDATES,
    )
    .await?;
    let opened = begin.elapsed();
    let questions = words.questions(SERIES, WARM_UP + plan.million.questions);
    let mut chance = Chance::new(SERIES);
    // With many knowledge bases, every one is opened before the time counts.
    for base in 0..library.len() {
        search(&engine, &library, base, &questions[0], 1, CANDIDATES).await?;
    }
    let (mut times, mut by_vector) = (Times::default(), Times::default());
    for (asked, text) in questions.iter().enumerate() {
        let base = chance.below(library.len());
        let both = search(&engine, &library, base, text, asked as u64, CANDIDATES);
        if asked < WARM_UP {
            both.await?;
            continue;
        }
        times.take(both).await?;
        let alone = search(&engine, &library, base, "", asked as u64, CANDIDATES);
        by_vector.take(alone).await?;
    }
    let opened = ms(opened);
    report.figure(
        format!("{name}: opening and first search"),
        opened,
        Unit::Milliseconds,
    );
    let (p50, p99) = (ms(times.p50()), ms(times.p99()));
    let most = Target::AtMost(LONGEST_MS);
    report.target(format!("{name}: p50"), p50, Unit::Milliseconds, most);
    report.figure(format!("{name}: p99"), p99, Unit::Milliseconds);
    report.figure(
        format!("{name}: p50 by vector alone"),
        ms(by_vector.p50()),
        Unit::Milliseconds,
    );
    for (what, value) in [
        ("resident memory while searching", resident()),
        ("its peak since it was opened", peak()),
    ] {
        if let Some(value) = value {
            let most = Target::AtMost(MOST_MEBIBYTES);
            report.target(format!("{name}: {what}"), value, Unit::Mebibytes, most);
        }
    }
    let usage = engine.usage();
    report.figure(
        format!("{name}: partitions open"),
        number(usage.open_partitions),
        Unit::Count,
    );
    progress(&format!("  {name}: comparing with every vector"));
    let recall = recall(&engine, &library, plan.million.recall_questions).await?;
    let least = Target::AtLeast(LEAST_RECALL);
    report.target(format!("{name}: recall@10"), recall, Unit::Share, least);
    Ok(())
}

async fn build(
    plan: &Plan,
    name: &str,
    settings: &EmbeddedSettings,
    library: &Arc<Library>,
    report: &mut PartReport,
    progress: Progress<'_>,
) -> Result<()> {
    progress(&format!("  {name}: filling"));
    if let Some(resident) = resident() {
        report.figure(
            format!("{name}: resident memory before"),
            resident,
            Unit::Mebibytes,
        );
    }
    forget_peak();
    let subject = Embedded {
        engine: embedded::open(settings, library.clone()).await?,
        settings: settings.clone(),
        graph_wait: plan.graph_wait,
    };
    let begin = Instant::now();
    embedded::fill(&subject.engine, library).await?;
    let filled = begin.elapsed();
    report.figure(
        format!("{name}: filling"),
        filled.as_secs_f64(),
        Unit::Seconds,
    );
    if library.chunks(0) > settings.exact_rows as u64 {
        progress(&format!("  {name}: waiting for the graph"));
        for base in 0..library.len() {
            subject.settle(partition(base)).await?;
        }
        report.figure(
            format!("{name}: until the graph is there, after that"),
            begin.elapsed().saturating_sub(filled).as_secs_f64(),
            Unit::Seconds,
        );
    }
    if let Some(peak) = peak() {
        report.figure(
            format!("{name}: peak of memory while filling"),
            peak,
            Unit::Mebibytes,
        );
    }
    Ok(())
}

async fn search(
    engine: &EmbeddedEngine,
    library: &Library,
    base: usize,
    text: &str,
    asked: u64,
    limit: usize,
) -> Result<Vec<u64>> {
    let vector = library.question_vector(base, asked);
    let probe = library.probe(base, text, vector, limit);
    let kb = partition(base).knowledge_base();
    let found = engine.search(&library.scope(base), kb, &probe).await?;
    Ok(exact::numbers(&found))
}

/// Asks by vector alone, knowledge bases by chance, and compares with every vector of each.
async fn recall(engine: &EmbeddedEngine, library: &Library, questions: usize) -> Result<f64> {
    let mut chance = Chance::new(SERIES + 1);
    let mut asked: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
    for question in 0..questions as u64 {
        let base = chance.below(library.len());
        asked.entry(base).or_default().push((1 << 18) + question);
    }
    let (mut wanted, mut found) = (Vec::new(), Vec::new());
    for (base, questions) in asked {
        let vectors: Vec<Vec<f32>> = questions
            .iter()
            .map(|question| library.question_vector(base, *question))
            .collect();
        wanted.extend(exact::nearest(library, base, &vectors));
        for question in questions {
            found.push(search(engine, library, base, "", question, exact::NEAREST).await?);
        }
    }
    Ok(exact::recall(&wanted, &found))
}
