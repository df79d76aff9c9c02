//! Of the nearest vectors, the share that is found, by size of the knowledge base.
//!
//! All engines get the same vectors and the same questions, and are asked by vector alone for the ten
//! nearest, one question at a time. Beside them, in the same PostgreSQL, one table with one index for
//! everybody, filtered by knowledge base.

mod database;
mod pgvector;
mod single;

use crate::embedded::{self, Embedded};
use crate::exact::{self, NEAREST};
use crate::library::{DIMENSIONS, Library, Shelf, TOPICS, Words, partition};
use crate::plan::{Data, Plan, Subject};
use crate::report::{PartReport, RecallRow, Target, Unit};
use crate::times::{Times, ms, number, refused};
use crate::{Progress, folder};
use quipu_core::Result;
use quipu_index::EmbeddedSettings;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

/// The shares of the knowledge bases that are asked, in thousandths. A last one has the rest.
const SHARES: [u64; 4] = [1, 10, 100, 500];
/// Texts are short, since words are not what is measured.
const WORDS_OF_A_CHUNK: usize = 10;
const FEWEST_TOPICS: u64 = 4;
/// Questions that are asked before the time counts.
const WARM_UP: usize = 5;

/// What is asked of each knowledge base, and what should be found.
struct Asked {
    library: Arc<Library>,
    data: Data,
    /// By knowledge base, first those of the warming up.
    questions: Vec<Vec<Vec<f32>>>,
    wanted: Vec<Vec<Vec<u64>>>,
}

/// Knowledge bases of no more vectors than this are searched exactly.
const EXACT_UP_TO: u64 = 50_000;

/// What was found in one knowledge base.
struct Answered {
    times: Times,
    found: Vec<Vec<u64>>,
    uses_index: Option<bool>,
}

pub(crate) async fn measure(
    plan: &Plan,
    words: &Arc<Words>,
    report: &mut PartReport,
    progress: Progress<'_>,
) -> Result<()> {
    let store = match &plan.database {
        Some(database) => Some((database, database::open(database).await?)),
        None => None,
    };
    report.about(format!(
        "{} vectors of {DIMENSIONS} dimensions over {} knowledge bases; {} questions to each, by vector alone, for the \
         {NEAREST} nearest; compared with every vector in whole precision",
        plan.recall.vectors,
        SHARES.len() + 1,
        plan.recall.questions
    ));
    match &plan.database {
        Some(database) => report.about(database::described(database).await?),
        None => report
            .about("no PostgreSQL was given: neither pgvector nor the single table was measured"),
    }
    for &data in &plan.recall.data {
        progress(&format!("  {}: comparing every vector", data.as_str()));
        let asked = Asked::new(plan, words, data);
        let folder = folder(plan)?;
        let settings = EmbeddedSettings::new(folder.path().to_owned());
        let engine = embedded::open(&settings, asked.library.clone()).await?;
        let embedded = Embedded {
            engine,
            settings,
            graph_wait: plan.graph_wait,
        };
        asked
            .engine("embedded", &embedded, report, progress)
            .await?;
        drop(embedded);
        if let Some((database, store)) = &store {
            let subject = pgvector::Pgvector::open(store, database, asked.library.clone()).await?;
            asked.engine("pgvector", &subject, report, progress).await?;
            asked.remove(&subject).await?;
            single::measure(&asked, database, report, progress).await?;
        }
        for (name, factory) in &plan.engines {
            let subject = factory(asked.library.clone()).await?;
            asked
                .engine(name, subject.as_ref(), report, progress)
                .await?;
            asked.remove(subject.as_ref()).await?;
        }
    }
    let others = plan.engines.iter().map(|(name, _)| name.as_str());
    for engine in ["embedded", "pgvector"].into_iter().chain(others) {
        hold(engine, report);
    }
    Ok(())
}

/// Holds the worst recall of an engine against what it must reach: all of it where it searches
/// exactly, nearly all where a graph does.
fn hold(engine: &str, report: &mut PartReport) {
    for (is_large, size, least) in [(false, "up to", 1.0), (true, "above", 0.99)] {
        let rows = report.recall.iter().filter(|row| row.engine == engine);
        let rows = rows.filter(|row| (row.vectors > EXACT_UP_TO) == is_large);
        if let Some(worst) = rows.map(|row| row.recall_at_10).reduce(f64::min) {
            let name = format!("{engine}: worst recall@10, {size} {EXACT_UP_TO} vectors");
            report.target(name, worst, Unit::Share, Target::AtLeast(least));
        }
    }
}

impl Asked {
    fn new(plan: &Plan, words: &Arc<Words>, data: Data) -> Self {
        let shelves = shelves(plan.recall.vectors, data);
        let model = "bench".to_owned();
        let library = Library::new(shelves, words.clone(), model, WORDS_OF_A_CHUNK);
        let count = (WARM_UP + plan.recall.questions) as u64;
        let questions: Vec<Vec<Vec<f32>>> = (0..SHARES.len())
            .map(|base| {
                let vector = |number| library.question_vector(base, number);
                (0..count).map(vector).collect()
            })
            .collect();
        let wanted = questions
            .iter()
            .enumerate()
            .map(|(base, questions)| exact::nearest(&library, base, &questions[WARM_UP..]))
            .collect();
        Self {
            library: Arc::new(library),
            data,
            questions,
            wanted,
        }
    }

    /// Fills an engine and asks it.
    async fn engine(
        &self,
        name: &str,
        subject: &dyn Subject,
        report: &mut PartReport,
        progress: Progress<'_>,
    ) -> Result<()> {
        progress(&format!("  {name}: filling"));
        let begin = Instant::now();
        embedded::fill(subject.engine(), &self.library).await?;
        let filled = begin.elapsed();
        progress(&format!("  {name}: waiting for graphs"));
        for base in 0..self.library.len() {
            subject.settle(partition(base)).await?;
        }
        let settled = begin.elapsed().saturating_sub(filled);
        self.took(name, "filling", filled, report);
        self.took(name, "until graphs are there, after that", settled, report);
        progress(&format!("  {name}: asking"));
        for base in 0..SHARES.len() {
            let answered = self.ask(subject, base).await?;
            self.add(name, base, &answered, report);
        }
        Ok(())
    }

    async fn ask(&self, subject: &dyn Subject, base: usize) -> Result<Answered> {
        let kb = partition(base).knowledge_base();
        let scope = self.library.scope(base);
        let mut times = Times::default();
        let mut all = Vec::new();
        for (number, vector) in self.questions[base].iter().enumerate() {
            let probe = self.library.probe(base, "", vector.clone(), NEAREST);
            let search = subject.engine().search(&scope, kb, &probe);
            if number < WARM_UP {
                let found = search.await?;
                let (has, should) = (found.chunks as u64, self.library.chunks(base));
                if has != 0 && has != should {
                    return Err(refused(format!(
                        "{has} chunks are there instead of {should}"
                    )));
                }
            } else {
                all.push(exact::numbers(&times.take(search).await?));
            }
        }
        Ok(Answered {
            times,
            found: all,
            uses_index: None,
        })
    }

    fn add(&self, engine: &str, base: usize, answered: &Answered, report: &mut PartReport) {
        let vectors = self.library.chunks(base);
        let all: u64 = (0..self.library.len())
            .map(|base| self.library.chunks(base))
            .sum();
        let returned: usize = answered.found.iter().map(Vec::len).sum();
        report.recall.push(RecallRow {
            data: self.data,
            vectors,
            share: number(vectors) / number(all),
            engine: engine.to_owned(),
            recall_at_10: exact::recall(&self.wanted[base], &answered.found),
            p50_ms: ms(answered.times.p50()),
            returned: number(returned) / number(answered.found.len().max(1)),
            uses_index: answered.uses_index,
        });
    }

    fn took(&self, engine: &str, what: &str, time: std::time::Duration, report: &mut PartReport) {
        let data = match self.data {
            Data::OwnTopics => "own topics",
            Data::SharedTopics => "shared topics",
            Data::Diffuse => "diffuse",
        };
        let name = format!("{engine}, {data}: {what}");
        report.figure(name, time.as_secs_f64(), Unit::Seconds);
    }

    async fn remove(&self, subject: &dyn Subject) -> Result<()> {
        for base in 0..self.library.len() {
            subject.engine().remove(partition(base)).await?;
        }
        Ok(())
    }
}

/// The knowledge bases that are asked, and one with the rest.
fn shelves(vectors: u64, data: Data) -> Vec<Shelf> {
    let topics = |own: Range<u64>| match data {
        Data::OwnTopics => Some(own),
        Data::SharedTopics => Some(0..TOPICS),
        Data::Diffuse => None,
    };
    let (mut taken, mut topic) = (0, 0);
    let mut shelves = Vec::new();
    for share in SHARES {
        let chunks = (vectors * share / 1_000).max(1);
        let count = (TOPICS * share / 1_000).max(FEWEST_TOPICS);
        shelves.push(Shelf {
            chunks,
            topics: topics(topic..topic + count),
        });
        taken += chunks;
        topic += count;
    }
    shelves.push(Shelf {
        chunks: vectors.saturating_sub(taken),
        topics: topics(topic..TOPICS),
    });
    shelves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knowledge_bases_share_all_vectors_and_no_topics() {
        let shelves = shelves(150_000, Data::OwnTopics);
        let chunks: Vec<u64> = shelves.iter().map(|base| base.chunks).collect();
        assert_eq!(chunks, [150, 1_500, 15_000, 75_000, 58_350]);
        let topics: Vec<_> = shelves.iter().filter_map(|s| s.topics.clone()).collect();
        assert!(topics.windows(2).all(|pair| pair[0].end == pair[1].start));
        assert_eq!(topics[4].end, TOPICS);
    }
}
