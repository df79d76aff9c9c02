//! Whether many tenants slow down each of them.
//!
//! Two engines in one process: one with few tenants, one with many. Of the many, a part is in use at
//! the same time, as large as the engine's own limits let stay open; the rest lies on the disk. Both
//! are asked in turns, so that whatever else the machine does meets both alike, and every partition
//! was opened before. What opening one takes is told apart.

use crate::embedded;
use crate::latency::{CANDIDATES, WORDS_OF_A_CHUNK};
use crate::library::{Chance, Library, Shelf, TOPICS, Words, partition};
use crate::plan::{Plan, TenantsPlan};
use crate::report::{PartReport, Target, Unit};
use crate::times::{Times, ms, number};
use crate::{Progress, folder};
use quipu_core::Result;
use quipu_core::engine::Engine;
use quipu_index::{EmbeddedEngine, EmbeddedSettings};
use std::path::Path;
use std::sync::Arc;

/// How often the two engines take turns.
const TURNS: usize = 40;
/// Topics of a tenant.
const TOPICS_EACH: u64 = 3;
/// The most partitions that are opened to see how long it takes.
const COLD: usize = 1_000;
/// The series of questions of this part.
const SERIES: u64 = 3;

/// An engine with tenants, some of whom are in use.
struct House {
    engine: EmbeddedEngine,
    library: Arc<Library>,
    in_use: Vec<usize>,
    times: Times,
}

impl House {
    async fn search(&self, base: usize, text: &str, asked: u64) -> Result<()> {
        let vector = self.library.question_vector(base, asked);
        let probe = self.library.probe(base, text, vector, CANDIDATES);
        let kb = partition(base).knowledge_base();
        let scope = self.library.scope(base);
        self.engine.search(&scope, kb, &probe).await.map(drop)
    }

    /// Asks tenants in use by chance, a question each.
    async fn turn(&mut self, questions: &[String], chance: &mut Chance) -> Result<()> {
        for (asked, text) in questions.iter().enumerate() {
            let base = *chance.of(&self.in_use);
            let vector = self.library.question_vector(base, asked as u64);
            let probe = self.library.probe(base, text, vector, CANDIDATES);
            let kb = partition(base).knowledge_base();
            let scope = self.library.scope(base);
            let search = self.engine.search(&scope, kb, &probe);
            self.times.take(search).await?;
        }
        Ok(())
    }
}

pub(crate) async fn measure(
    plan: &Plan,
    words: &Arc<Words>,
    report: &mut PartReport,
    progress: Progress<'_>,
) -> Result<()> {
    let sizes = &plan.tenants;
    let few_folder = folder(plan)?;
    let many_folder = folder(plan)?;
    progress(&format!("  filling {} tenants", sizes.few));
    let mut few = house(few_folder.path(), words, sizes, sizes.few).await?;
    progress(&format!("  filling {} tenants", sizes.many));
    let mut many = house(many_folder.path(), words, sizes, sizes.many).await?;
    let settings = EmbeddedSettings::new(many_folder.path().to_owned());
    report.about(embedded::described(&settings));
    report.about(format!(
        "{} and {} tenants of {} chunks; {} and {} of them in use and warm, asked in turns and by chance, {} questions \
         each; searching alone, the question's vector is given",
        sizes.few,
        sizes.many,
        sizes.chunks,
        few.in_use.len(),
        many.in_use.len(),
        sizes.questions
    ));
    progress("  asking");
    for house in [&few, &many] {
        for &base in house.in_use.iter().chain(&house.in_use) {
            house.search(base, "¿Cuánto cuesta la limpieza?", 0).await?;
        }
    }
    let each = sizes.questions.div_ceil(TURNS);
    let questions = words.questions(SERIES, each * TURNS);
    let mut chance = Chance::new(SERIES);
    for questions in questions.chunks(each) {
        few.turn(questions, &mut chance).await?;
        many.turn(questions, &mut chance).await?;
    }
    let (before, after) = (ms(few.times.p50()), ms(many.times.p50()));
    let of = |tenants| format!("{tenants} tenants, warm");
    report.figure(
        format!("{}: p50", of(sizes.few)),
        before,
        Unit::Milliseconds,
    );
    report.figure(
        format!("{}: p50", of(sizes.many)),
        after,
        Unit::Milliseconds,
    );
    report.figure(
        format!("{}: p99", of(sizes.few)),
        ms(few.times.p99()),
        Unit::Milliseconds,
    );
    report.figure(
        format!("{}: p99", of(sizes.many)),
        ms(many.times.p99()),
        Unit::Milliseconds,
    );
    report.target(
        "p50 with many tenants against few",
        after / before.max(1e-9),
        Unit::Times,
        Target::AtMost(1.3),
    );
    let usage = many.engine.usage();
    report.figure(
        "partitions open at the end (fewer than in use: some were closed)",
        number(usage.open_partitions),
        Unit::Count,
    );
    report.figure(
        "memory of those, as the engine estimates it",
        number(usage.memory_bytes >> 10) / 1024.0,
        Unit::Mebibytes,
    );
    cold(&many, words, report).await
}

/// Fills an engine, and opens it anew so that nothing is left of filling it.
async fn house(
    root: &Path,
    words: &Arc<Words>,
    sizes: &TenantsPlan,
    tenants: usize,
) -> Result<House> {
    let shelves = (0..tenants as u64).map(|tenant| {
        let first = tenant * TOPICS_EACH % TOPICS;
        Shelf {
            chunks: sizes.chunks,
            topics: Some(first..first + TOPICS_EACH),
        }
    });
    let library = Arc::new(Library::new(
        shelves.collect(),
        words.clone(),
        "bench".to_owned(),
        WORDS_OF_A_CHUNK,
    ));
    let settings = EmbeddedSettings::new(root.to_owned());
    let engine = embedded::open(&settings, library.clone()).await?;
    embedded::fill(&engine, &library).await?;
    drop(engine);
    // Spread over all, so that none is in use because it was made last.
    let in_use = sizes.warm.clamp(1, tenants.max(1));
    Ok(House {
        engine: embedded::open(&settings, library.clone()).await?,
        library,
        in_use: (0..in_use).map(|at| at * tenants / in_use).collect(),
        times: Times::default(),
    })
}

/// Opens tenants that are not in use.
async fn cold(house: &House, words: &Words, report: &mut PartReport) -> Result<()> {
    let closed: Vec<usize> = (0..house.library.len())
        .filter(|base| house.in_use.binary_search(base).is_err())
        .collect();
    if closed.is_empty() {
        return Ok(());
    }
    let step = closed.len().div_ceil(COLD);
    let mut times = Times::default();
    let questions = words.questions(SERIES + 100, COLD);
    for (&base, text) in closed.iter().step_by(step).zip(&questions) {
        times.take(house.search(base, text, 0)).await?;
    }
    report.about("opening: the first search of a tenant that was closed; its files may be in the system's cache");
    report.figure("opening a tenant: p50", ms(times.p50()), Unit::Milliseconds);
    report.figure("opening a tenant: p99", ms(times.p99()), Unit::Milliseconds);
    Ok(())
}
