//! Finding the passages of a scope that answer a question.
//!
//! Scope, question, two legs (meaning and words) over every knowledge base at once, one score for
//! both, and then the texts of the best, read from the database: what was deleted meanwhile is not
//! there. These are compared with the question word by word, and looked at again where that is wanted.
//! Each step has a deadline. A search that lost a step goes on without it and says so.

mod candidate;
mod compare;
mod duplicates;
mod read;
mod rerank;

use candidate::Probed;
use compare::AskedFor;
use futures::future::join_all;
use quipu_core::analysis::{Question, without_frame};
use quipu_core::embedding::EmbeddingConfig;
use quipu_core::engine::{Engine, Probe};
use quipu_core::knowledge::ReadableKb;
use quipu_core::language::Language;
use quipu_core::ports::{ChunkSource, QuestionVectors, Reranker, WordComparer};
use quipu_core::retrieval::{Passage, RetrievalScope};
use quipu_core::validate::{Checks, Problem};
use quipu_core::{DocumentId, Result};
use read::ReadTexts;
use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};
use tokio::time::timeout;

pub const DEFAULT_TOP_K: usize = 5;
pub const MAX_TOP_K: usize = 20;

/// The least similarity at which a passage is worth answering from: what the score is fitted to.
pub const DEFAULT_THRESHOLD: f32 = 0.7;

/// How many candidates each leg gives, at least.
const CANDIDATES: usize = 50;

/// Which legs search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    #[default]
    Hybrid,
    Dense,
    Lexical,
}

/// Whether the best are judged again by the reranker of the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SecondLook {
    #[default]
    None,
    /// As many as the reranker takes.
    Best,
}

#[derive(Clone, Debug)]
pub struct Query {
    pub text: String,
    /// The question before this one, when this one is too short to stand alone.
    pub context: Option<String>,
    pub language: Language,
    /// How many passages are wanted, from 1 to [`MAX_TOP_K`].
    pub top_k: usize,
    /// The least similarity of a passage, from 0 to 1.
    pub threshold: f32,
    pub mode: Mode,
    /// Only these documents, when given.
    pub documents: Option<Vec<DocumentId>>,
    pub second_look: SecondLook,
}

impl Query {
    #[must_use]
    pub fn new(text: String, language: Language) -> Self {
        Self {
            text,
            context: None,
            language,
            top_k: DEFAULT_TOP_K,
            threshold: DEFAULT_THRESHOLD,
            mode: Mode::Hybrid,
            documents: None,
            second_look: SecondLook::None,
        }
    }
}

/// How long each step may take.
#[derive(Clone, Copy, Debug)]
pub struct Deadlines {
    pub embedding: Duration,
    pub search: Duration,
    pub rerank: Duration,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self {
            embedding: Duration::from_secs(5),
            search: Duration::from_secs(5),
            rerank: Duration::from_secs(2),
        }
    }
}

/// What a search is made with.
#[derive(Clone, Copy)]
pub struct Search<'a> {
    pub engine: &'a dyn Engine,
    pub vectors: &'a dyn QuestionVectors,
    pub chunks: &'a dyn ChunkSource,
    pub words: &'a dyn WordComparer,
    /// Who judges the best again. A query that wants that and finds nobody goes without, and it is
    /// said.
    pub reranker: Option<&'a dyn Reranker>,
    pub deadlines: Deadlines,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    pub embedding: Duration,
    pub search: Duration,
    /// Having the best judged again.
    pub rerank: Duration,
    /// Reading the texts of what was found, but for those whose words were not known yet.
    pub reading: Duration,
    pub total: Duration,
}

/// What a search had to do without.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// The question has no vector: only words were looked for.
    pub meaning: bool,
    /// Some knowledge base could not be searched at all.
    pub knowledge: bool,
    /// What was found is in the order of the search alone, although it was to be judged again.
    pub reranking: bool,
}

impl Missing {
    #[must_use]
    pub fn any(self) -> bool {
        self.meaning || self.knowledge || self.reranking
    }
}

#[derive(Clone, Debug, Default)]
pub struct Retrieval {
    /// The best passage first.
    pub passages: Vec<Passage>,
    pub total_chunks_searched: usize,
    pub timings: Timings,
    pub missing: Missing,
    /// Something that was found is gone, or has made way for a new version.
    pub stale: bool,
}

impl Search<'_> {
    /// Searches the knowledge bases of a scope, each by its own statistics.
    ///
    /// # Errors
    /// `VALIDATION_FAILED` when `top_k` or `threshold` is out of range, or when the texts of what
    /// was found cannot be read.
    pub async fn retrieve(&self, scope: &RetrievalScope, query: &Query) -> Result<Retrieval> {
        check(query)?;
        let started = Instant::now();
        let mut retrieval = Retrieval::default();
        // A greeting asks for nothing.
        let asked = Question::read_once(&query.text, query.language, query.language);
        if asked.is_empty() || scope.knowledge_bases().is_empty() {
            retrieval.timings.total = started.elapsed();
            return Ok(retrieval);
        }
        // A message with several questions is looked for as a whole: each of them alone finds less.
        let mut questions = vec![query.text.clone()];
        let before = query.context.as_ref();
        questions.extend(before.map(|before| format!("{before}\n{}", query.text)));

        // Whoever greets and asks kindly means the same as who does not.
        let plain: Vec<String> = questions
            .iter()
            .map(|question| without_frame(question).to_owned())
            .collect();
        let vectors = self.embed(scope, query, &plain, &mut retrieval).await;
        let embedded = Instant::now();
        retrieval.timings.embedding = embedded - started;

        let found = self
            .search(scope, query, &questions, &vectors, &mut retrieval)
            .await;
        let mut candidates = candidate::judge(scope, &found);
        let asked = AskedFor {
            questions: &plain,
            found: &found,
        };
        let mut texts = ReadTexts::default();
        self.compare(scope, &asked, &mut candidates, &mut texts, &mut retrieval)
            .await?;
        retrieval.timings.search = embedded.elapsed();

        let wanted = query.second_look != SecondLook::None;
        let reranker = self.reranker.filter(|_| wanted);
        retrieval.missing.reranking = wanted && reranker.is_none();
        let again = reranker.and_then(|reranker| rerank::Again::new(reranker, query, &found));
        if let Some(again) = again.filter(|again| again.is_worth_it(&candidates)) {
            let read = self
                .read_best(scope, candidates, &mut texts, &mut retrieval)
                .await?;
            texts.close();
            let judged = self.judge_again(&again, read, &mut retrieval).await;
            retrieval.passages = read::passages(scope, query, judged);
        } else {
            candidates.retain(|candidate| candidate.similarity() >= query.threshold);
            self.read(scope, query, &candidates, &mut texts, &mut retrieval)
                .await?;
        }
        retrieval.timings.total = started.elapsed();
        Ok(retrieval)
    }

    /// The vectors of the questions, model by model. A model that fails or takes too long has none.
    async fn embed(
        &self,
        scope: &RetrievalScope,
        query: &Query,
        questions: &[String],
        retrieval: &mut Retrieval,
    ) -> HashMap<String, Vec<Vec<f32>>> {
        let mut vectors = HashMap::new();
        if query.mode == Mode::Lexical {
            return vectors;
        }
        let kbs = scope.knowledge_bases().iter();
        let models: BTreeMap<String, &EmbeddingConfig> = kbs
            .map(|kb| (kb.searched_with.vector_model(), &kb.searched_with))
            .collect();
        // All at once: what one of them takes is not taken from the others' time.
        let embedded = join_all(models.into_iter().map(async |(model, config)| {
            let of_model = self.embed_with(&model, config, questions).await;
            (model, of_model)
        }));
        for (model, of_model) in embedded.await {
            retrieval.missing.meaning |= of_model.is_empty();
            vectors.insert(model, of_model);
        }
        vectors
    }

    async fn embed_with(
        &self,
        model: &str,
        config: &EmbeddingConfig,
        questions: &[String],
    ) -> Vec<Vec<f32>> {
        let embedding = self.vectors.embed(config, questions);
        match timeout(self.deadlines.embedding, embedding).await {
            Ok(Ok(of_model)) if of_model.len() == questions.len() => of_model,
            Ok(Ok(_)) => {
                tracing::warn!(model, "a model gave too few vectors for a question");
                Vec::new()
            }
            Ok(Err(error)) => {
                tracing::warn!(model, %error, "a question was not embedded");
                Vec::new()
            }
            Err(_) => {
                tracing::warn!(model, "a question was not embedded in time");
                Vec::new()
            }
        }
    }

    /// What each knowledge base has for each question.
    async fn search(
        &self,
        scope: &RetrievalScope,
        query: &Query,
        questions: &[String],
        vectors: &HashMap<String, Vec<Vec<f32>>>,
        retrieval: &mut Retrieval,
    ) -> Vec<Vec<Probed>> {
        // Knowledge bases of one language are asked in the same words.
        let words = |i: usize, language: Language| {
            let read = Question::read_once(&questions[i], query.language, language);
            let ideas = read.concepts.len();
            match query.mode {
                Mode::Dense => (Question::default(), ideas),
                _ => (Question::clone(&read), ideas),
            }
        };
        let probes = scope.knowledge_bases().iter().map(|kb| {
            let model = kb.searched_with.vector_model();
            let of_model = vectors.get(&model).map(Vec::as_slice).unwrap_or_default();
            let probes: Vec<(Probe, usize)> = (0..questions.len())
                .map(|i| {
                    let (question, ideas) = words(i, kb.language);
                    let probe = Probe {
                        version: kb.index_version,
                        question,
                        dense: of_model
                            .get(i)
                            .map(|vector| (model.clone(), vector.clone())),
                        documents: query.documents.clone(),
                        limit: CANDIDATES.max(4 * query.top_k),
                    };
                    (probe, ideas)
                })
                .collect();
            join_all(
                probes
                    .into_iter()
                    .map(|(probe, ideas)| self.search_one(scope, kb, probe, ideas)),
            )
        });
        let all = join_all(probes).await;
        for probed in &all {
            retrieval.missing.knowledge |= probed.iter().any(|probed| probed.failed);
            let chunks = probed.iter().map(|probed| probed.found.chunks).max();
            retrieval.total_chunks_searched += chunks.unwrap_or(0);
        }
        all
    }

    async fn search_one(
        &self,
        scope: &RetrievalScope,
        kb: &ReadableKb,
        probe: Probe,
        ideas: usize,
    ) -> Probed {
        let search = self.engine.search(scope, kb.id, &probe);
        let found = match timeout(self.deadlines.search, search).await {
            Ok(Ok(found)) => Some(found),
            Ok(Err(error)) => {
                tracing::warn!(kb.id = %kb.id, %error, "a knowledge base was not searched");
                None
            }
            Err(_) => {
                tracing::warn!(kb.id = %kb.id, "a knowledge base was not searched in time");
                None
            }
        };
        Probed {
            failed: found.is_none(),
            found: found.unwrap_or_default(),
            probe,
            ideas,
        }
    }
}

fn check(query: &Query) -> Result<()> {
    let mut checks = Checks::new();
    let top_k = i64::try_from(query.top_k).unwrap_or(i64::MAX);
    checks.range("top_k", top_k, 1, 20);
    if !(0.0..=1.0).contains(&query.threshold) {
        checks.problem("threshold", Problem::Range { min: 0, max: 1 });
    }
    checks.finish()
}

#[cfg(test)]
mod tests;
