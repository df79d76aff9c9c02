//! How long searches take in a partition of a size, measured with texts and vectors of chance.

use crate::engine::EmbeddedEngine;
use crate::kernel;
use crate::settings::EmbeddedSettings;
use async_trait::async_trait;
use quipu_core::analysis::{self, Question};
use quipu_core::engine::{ChangeLog, Changes, DocumentEntries, Engine, Entry, Partition, Probe};
use quipu_core::language::Language;
use quipu_core::retrieval::RetrievalScope;
use quipu_core::{ChunkId, DocumentId, Error, KnowledgeBaseId, Result};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use uuid::Uuid;

const MODEL: &str = "bench";
const DIMENSIONS: usize = 384;
const TOPICS: u64 = 500;
const WORDS: u64 = 30_000;
const CHUNKS_OF_A_DOCUMENT: u64 = 20;
const DOCUMENTS_OF_A_PORTION: u64 = 100;
/// How many questions the recall is taken from: each is held against every vector.
const RECALL_QUESTIONS: usize = 50;

#[derive(Clone, Debug)]
pub struct BenchPlan {
    /// An empty folder.
    pub root: PathBuf,
    pub chunks: u64,
    pub questions: usize,
    /// Whether to wait until the graph of a large partition is built.
    pub wait_for_graph: Duration,
}

#[derive(Clone, Copy, Debug)]
pub struct BenchFigures {
    pub chunks: u64,
    pub build: Duration,
    /// How long opening the partition and the first search took.
    pub open: Duration,
    pub p50: Duration,
    pub p99: Duration,
    /// Words alone.
    pub words_p50: Duration,
    /// Of the ten nearest by vector, the share that was found.
    pub recall: f32,
    pub memory_bytes: usize,
}

/// Opens the folder as soon as the last tasks of an engine before it have let it go.
async fn open(settings: &EmbeddedSettings, library: &Arc<Library>) -> Result<EmbeddedEngine> {
    loop {
        let opened = EmbeddedEngine::open(settings.clone(), library.clone()).await?;
        if let Some(engine) = opened {
            return Ok(engine);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Fills a partition and searches it. The scope must have the knowledge base.
///
/// # Errors
/// When the folder cannot be used.
pub async fn bench(
    scope: &RetrievalScope,
    kb: KnowledgeBaseId,
    plan: &BenchPlan,
) -> Result<BenchFigures> {
    let partition = scope
        .partition(kb)
        .ok_or_else(|| Error::internal("the scope does not have the knowledge base"))?;
    let library = Arc::new(Library::new(plan.chunks));
    let settings = EmbeddedSettings::new(plan.root.clone());
    let exact_rows = settings.exact_rows as u64;
    let engine = open(&settings, &library).await?;
    let begin = Instant::now();
    engine.catch_up(partition).await?;
    let build = begin.elapsed();
    while plan.chunks > exact_rows
        && begin.elapsed() < build + plan.wait_for_graph
        && !engine.has_graph(partition)
    {
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    drop(engine);
    let begin = Instant::now();
    let engine = open(&settings, &library).await?;
    engine.search(scope, kb, &library.probe(0)).await?;
    let open = begin.elapsed();
    let mut times = Vec::new();
    let mut words = Vec::new();
    let mut found = Vec::new();
    for number in 0..plan.questions {
        let mut probe = library.probe(number as u64);
        let begin = Instant::now();
        let answer = engine.search(scope, kb, &probe).await?;
        times.push(begin.elapsed());
        if found.len() < RECALL_QUESTIONS {
            found.push((probe.clone(), answer));
        }
        probe.dense = None;
        let begin = Instant::now();
        engine.search(scope, kb, &probe).await?;
        words.push(begin.elapsed());
    }
    times.sort_unstable();
    words.sort_unstable();
    let at = |times: &[Duration], part: usize| {
        let place = (times.len() * part / 100).min(times.len().saturating_sub(1));
        times.get(place).copied().unwrap_or_default()
    };
    Ok(BenchFigures {
        chunks: plan.chunks,
        build,
        open,
        p50: at(&times, 50),
        p99: at(&times, 99),
        words_p50: at(&words, 50),
        recall: library.recall(&found),
        memory_bytes: engine.usage().memory_bytes,
    })
}

/// A change log that makes up what it says.
struct Library {
    chunks: u64,
    words: Vec<(String, String)>,
    topics: Vec<Vec<f32>>,
}

impl Library {
    fn new(chunks: u64) -> Self {
        let word = |number: u64| {
            let mut chance = Chance(number);
            let letters = (0..8).map(|n| {
                let letters: &[u8] = if n % 2 == 0 {
                    b"bcdfglmnprstvz"
                } else {
                    b"aeiou"
                };
                char::from(letters[chance.below(letters.len() as u64)])
            });
            let word: String = letters.collect();
            let term = analysis::terms(&word, Language::Es)
                .pop()
                .unwrap_or_default();
            (word, term)
        };
        let topic = |number| {
            let mut chance = Chance(number);
            (0..DIMENSIONS).map(|_| chance.part()).collect()
        };
        Self {
            chunks,
            words: (0..WORDS).map(word).collect(),
            topics: (0..TOPICS).map(|number| topic(number + WORDS)).collect(),
        }
    }

    /// Words are as unequally frequent as those of a language.
    fn word(&self, chance: &mut Chance) -> &(String, String) {
        let mut number = chance.below(WORDS);
        for _ in 0..3 {
            number = number.min(chance.below(WORDS));
        }
        &self.words[number]
    }

    fn vector(&self, chance: &mut Chance) -> Vec<f32> {
        let topic = &self.topics[chance.below(TOPICS)];
        let mut vector: Vec<f32> = topic.iter().map(|x| x + 0.7 * chance.part()).collect();
        let length = kernel::dot(&vector, &vector).sqrt();
        for x in &mut vector {
            *x /= length;
        }
        vector
    }

    fn entry(&self, number: u64) -> Entry {
        let mut chance = Chance(number.wrapping_mul(77));
        let vector = self.vector(&mut chance);
        let length = 40 + chance.below(80);
        Entry {
            chunk: ChunkId::from_uuid(Uuid::from_u128(number.into())),
            terms: (0..length)
                .map(|_| self.word(&mut chance).1.clone())
                .collect(),
            title_terms: (0..3).map(|_| self.word(&mut chance).1.clone()).collect(),
            vectors: vec![(MODEL.to_owned(), vector)],
        }
    }

    fn probe(&self, number: u64) -> Probe {
        let mut chance = Chance(number.wrapping_add(1 << 40));
        let vector = self.vector(&mut chance);
        let words: Vec<&str> = (0..4).map(|_| self.word(&mut chance).0.as_str()).collect();
        Probe {
            version: 1,
            question: Question::read(&words.join(" "), Language::Es, Language::Es),
            dense: Some((MODEL.to_owned(), vector)),
            documents: None,
            limit: 10,
        }
    }

    fn recall(&self, found: &[(Probe, quipu_core::engine::Found)]) -> f32 {
        let mut best: Vec<Vec<f32>> = vec![Vec::new(); found.len()];
        for number in 0..self.chunks {
            let vector = self.vector(&mut Chance(number.wrapping_mul(77)));
            for ((probe, _), best) in found.iter().zip(&mut best) {
                if let Some((_, query)) = &probe.dense {
                    best.push(kernel::dot(query, &vector));
                }
                if best.len() > 1_000 {
                    best.sort_unstable_by(|a, b| b.total_cmp(a));
                    best.truncate(10);
                }
            }
        }
        let (mut hits, mut all) = (0_u16, 0_u16);
        for ((_, found), mut best) in found.iter().zip(best) {
            best.sort_unstable_by(|a, b| b.total_cmp(a));
            best.truncate(10);
            for cosine in best {
                let is_found = |hit: &quipu_core::engine::Hit| {
                    hit.cosine
                        .is_some_and(|found| (found - cosine).abs() < 1e-6)
                };
                all += 1;
                hits += u16::from(found.hits.iter().any(is_found));
            }
        }
        f32::from(hits) / f32::from(all.max(1))
    }
}

#[async_trait]
impl ChangeLog for Library {
    async fn changes(&self, _: Partition, since: i64) -> Result<Changes> {
        let documents = self.chunks.div_ceil(CHUNKS_OF_A_DOCUMENT);
        let first = u64::try_from(since).unwrap_or(0);
        let end = documents.min(first + DOCUMENTS_OF_A_PORTION);
        let document = |number: u64| {
            let chunks = number * CHUNKS_OF_A_DOCUMENT..(number + 1) * CHUNKS_OF_A_DOCUMENT;
            DocumentEntries {
                document: DocumentId::from_uuid(Uuid::from_u128(number.into())),
                entries: chunks
                    .take_while(|&chunk| chunk < self.chunks)
                    .map(|chunk| self.entry(chunk))
                    .collect(),
            }
        };
        Ok(Changes {
            documents: (first..end).map(document).collect(),
            version: i64::try_from(end).unwrap_or(i64::MAX),
            more: end < documents,
            from_start: false,
        })
    }
}

/// Chance that repeats itself.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: u64) -> usize {
        usize::try_from(self.next() % end).unwrap_or(0)
    }

    /// Around zero.
    fn part(&mut self) -> f32 {
        let bytes = self.next().to_le_bytes();
        bytes[..4]
            .iter()
            .map(|&byte| f32::from(byte) / 256.0 - 0.498)
            .sum()
    }
}
