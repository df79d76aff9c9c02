//! The best of what was found, compared with the question word by word.
//!
//! A vector says what a passage is about as a whole. Whether it speaks of the very thing that was asked
//! for shows in single words, or in those that mean the same. Comparing them takes the texts, so that
//! it is done for the best only.

use super::candidate::{Candidate, Probed, measured};
use super::read::{ReadTexts, text};
use super::{Retrieval, Search};
use crate::score::{Measured, is_compared};
use futures::future::join;
use quipu_core::ports::{ChunkVersion, PassageWords};
use quipu_core::retrieval::RetrievalScope;
use quipu_core::{ChunkId, Result};
use std::collections::HashMap;
use tokio::time::timeout;

/// How many of the best are compared. What stands behind them hardly ever comes to the front.
const MOST_COMPARED: usize = 12;

/// The questions as models are asked them, and what each knowledge base had for each.
pub(super) struct AskedFor<'a> {
    pub(super) questions: &'a [String],
    pub(super) found: &'a [Vec<Probed>],
}

/// How near each chunk is to a question.
type Nearness = HashMap<ChunkId, f32>;

impl AskedFor<'_> {
    fn is_compared(&self, candidate: &Candidate) -> bool {
        self.found[candidate.kb].iter().any(is_for)
    }

    /// Judges each candidate anew for every question that found it.
    fn judge(&self, candidates: &mut [Candidate], near: &[Nearness]) {
        for (question, near) in near.iter().enumerate() {
            for (kb, probed) in self.found.iter().enumerate() {
                let Some(probed) = probed.get(question).filter(|probed| is_for(probed)) else {
                    continue;
                };
                let hits = probed.found.hits.iter();
                let hits: HashMap<ChunkId, Measured> =
                    hits.map(|hit| (hit.chunk, measured(hit))).collect();
                let (places, measures): (Vec<usize>, Vec<Measured>) = candidates
                    .iter()
                    .enumerate()
                    .filter(|(_, candidate)| candidate.kb == kb)
                    .filter_map(|(place, candidate)| {
                        let hit = hits.get(&candidate.chunk)?;
                        let nearness = near.get(&candidate.chunk).copied();
                        Some((place, Measured { nearness, ..*hit }))
                    })
                    .unzip();
                let profile = probed.profile(probed.model(), true);
                let judged = profile.judge(&measures, &probed.facts());
                for (place, judged) in places.into_iter().zip(judged) {
                    candidates[place].judged[question] = Some(judged.similarity);
                }
            }
        }
    }
}

fn is_for(probed: &Probed) -> bool {
    probed.model().is_some_and(is_compared)
}

impl<'s> Search<'s> {
    /// Compares the best and puts them in their new order. They stay as they are when that fails.
    ///
    /// # Errors
    /// When the texts cannot be read.
    pub(super) async fn compare(
        &self,
        scope: &RetrievalScope,
        asked: &AskedFor<'_>,
        candidates: &mut [Candidate],
        texts: &mut ReadTexts<'s>,
        retrieval: &mut Retrieval,
    ) -> Result<()> {
        let (best, rest) = candidates.split_at_mut(candidates.len().min(MOST_COMPARED));
        if !best.iter().any(|candidate| asked.is_compared(candidate)) {
            return Ok(());
        }
        let compared: Vec<Candidate> = best
            .iter()
            .filter(|candidate| asked.is_compared(candidate))
            .cloned()
            .collect();
        let words = self.words_of(scope, &compared, texts, retrieval).await?;
        // Whose texts will be wanted is not known yet, but where they are read can be opened while the
        // words are compared.
        let preparing = self.prepare(scope, texts);
        let (prepared, near) = join(preparing, self.nearness(asked, words)).await;
        prepared?;
        let Some(near) = near else {
            return Ok(());
        };
        asked.judge(best, &near);
        if let Some(last) = near.last() {
            for candidate in best.iter_mut() {
                candidate.nearness = last.get(&candidate.chunk).copied();
            }
        }
        let least = best.iter().map(Candidate::similarity);
        let least = least.fold(f32::INFINITY, f32::min);
        // The rest stay behind them, in the order they had.
        for candidate in rest {
            candidate.lower_to(least);
        }
        best.sort_by(Candidate::best_first);
        Ok(())
    }

    /// The words of these. Only those that nobody asked for before have to be read.
    ///
    /// # Errors
    /// When the texts cannot be read.
    async fn words_of(
        &self,
        scope: &RetrievalScope,
        compared: &[Candidate],
        texts: &mut ReadTexts<'s>,
        retrieval: &mut Retrieval,
    ) -> Result<Vec<(ChunkId, PassageWords)>> {
        let version = |candidate: &Candidate| ChunkVersion {
            chunk: candidate.chunk,
            version: scope.knowledge_bases()[candidate.kb].index_version,
        };
        let mut words = Vec::with_capacity(compared.len());
        let mut unknown = Vec::new();
        for candidate in compared {
            match self.words.known(version(candidate)) {
                Some(known) => words.push((candidate.chunk, known)),
                None => unknown.push(candidate.clone()),
            }
        }
        self.look_up(scope, &unknown, texts, retrieval).await?;
        words.extend(unknown.iter().filter_map(|candidate| {
            let text = text(texts.get(candidate.chunk)?);
            let read = self.words.read(version(candidate), &text);
            Some((candidate.chunk, read))
        }));
        Ok(words)
    }

    /// How near each of these is to each question.
    async fn nearness(
        &self,
        asked: &AskedFor<'_>,
        words: Vec<(ChunkId, PassageWords)>,
    ) -> Option<Vec<Nearness>> {
        let (chunks, passages): (Vec<ChunkId>, Vec<PassageWords>) = words.into_iter().unzip();
        let comparing = self.words.nearness(asked.questions, &passages);
        let Ok(near) = timeout(self.deadlines.search, comparing).await else {
            tracing::warn!("what was found was not compared in time");
            return None;
        };
        let of_question = |near: Vec<f32>| chunks.iter().copied().zip(near).collect();
        Some(near?.into_iter().map(of_question).collect())
    }
}

#[cfg(test)]
mod tests {
    use crate::fixtures::{EPOCH, chunk, kb, scope};
    use crate::retrieve::{Deadlines, Query, Search};
    use async_trait::async_trait;
    use quipu_core::embedding::{BUILTIN_ENCODER, EmbeddingConfig, EmbeddingProvider};
    use quipu_core::engine::{Engine, Found, Hit, Partition, Probe};
    use quipu_core::knowledge::{Chunk, ReadableKb};
    use quipu_core::language::Language;
    use quipu_core::ports::{
        ChunkReader, ChunkSource, ChunkVersion, PassageWords, QuestionVectors, WordComparer,
    };
    use quipu_core::retrieval::RetrievalScope;
    use quipu_core::{ChunkId, DocumentId, KnowledgeBaseId, Result, TenantId};
    use std::collections::HashMap;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const QUESTION: &str = "¿dónde queda la clínica?";

    /// A model to which all of these texts are alike, and a comparer that knows one of them.
    struct AlikeWorld {
        chunks: Vec<Chunk>,
        known: &'static str,
        compares: bool,
        words: Mutex<HashMap<ChunkVersion, PassageWords>>,
        words_read: AtomicUsize,
    }

    impl AlikeWorld {
        fn new(own: &ReadableKb, texts: &[&str], known: &'static str) -> Self {
            Self {
                chunks: texts.iter().map(|text| chunk(own.id, text)).collect(),
                known,
                compares: true,
                words: Mutex::default(),
                words_read: AtomicUsize::new(0),
            }
        }
    }

    #[async_trait]
    impl Engine for AlikeWorld {
        fn name(&self) -> &'static str {
            "alike"
        }

        async fn search(&self, _: &RetrievalScope, _: KnowledgeBaseId, _: &Probe) -> Result<Found> {
            let hits = self.chunks.iter().map(|chunk| Hit {
                chunk: chunk.id,
                document: DocumentId::generate(EPOCH),
                cosine: Some(0.3),
                coverage: 0.0,
                relevance: 0.0,
            });
            Ok(Found {
                known: Vec::new(),
                chunks: self.chunks.len(),
                hits: hits.collect(),
            })
        }

        async fn catch_up(&self, _: Partition) -> Result<()> {
            Ok(())
        }

        async fn remove(&self, _: Partition) -> Result<u64> {
            Ok(0)
        }

        async fn count(&self, _: Partition) -> Result<u64> {
            Ok(self.chunks.len() as u64)
        }

        async fn count_of(&self, _: Partition, _: &[DocumentId]) -> Result<u64> {
            Ok(0)
        }

        async fn partitions(&self, _: Option<TenantId>) -> Result<Vec<Partition>> {
            Ok(Vec::new())
        }
    }

    #[async_trait]
    impl QuestionVectors for AlikeWorld {
        async fn embed(&self, _: &EmbeddingConfig, texts: &[String]) -> Result<Vec<Vec<f32>>> {
            Ok(vec![vec![1.0, 0.0]; texts.len()])
        }
    }

    #[async_trait]
    impl WordComparer for AlikeWorld {
        fn known(&self, passage: ChunkVersion) -> Option<PassageWords> {
            self.words.lock().unwrap().get(&passage).cloned()
        }

        fn read(&self, passage: ChunkVersion, text: &str) -> PassageWords {
            self.words_read.fetch_add(1, Ordering::Relaxed);
            let words: PassageWords = [u16::from(text.contains(self.known))].into();
            self.words.lock().unwrap().insert(passage, words.clone());
            words
        }

        async fn nearness(
            &self,
            questions: &[String],
            passages: &[PassageWords],
        ) -> Option<Vec<Vec<f32>>> {
            assert_eq!(questions, [QUESTION]);
            let near = |words: &PassageWords| if words[0] == 1 { 0.6 } else { 0.3 };
            let near = passages.iter().map(near).collect();
            self.compares.then(|| vec![near])
        }
    }

    #[async_trait]
    impl ChunkSource for AlikeWorld {
        async fn open(&self, _: &RetrievalScope) -> Result<Box<dyn ChunkReader + '_>> {
            Ok(Box::new(self))
        }
    }

    #[async_trait]
    impl ChunkReader for &AlikeWorld {
        async fn findable(&self, ids: &[ChunkId]) -> Result<Vec<Chunk>> {
            let chunks = self.chunks.iter().filter(|chunk| ids.contains(&chunk.id));
            Ok(chunks.cloned().collect())
        }
    }

    async fn first(kb: &ReadableKb, world: &AlikeWorld) -> (String, f32) {
        let search = Search {
            engine: world,
            vectors: world,
            chunks: world,
            words: world,
            reranker: None,
            deadlines: Deadlines::default(),
        };
        let query = Query {
            threshold: 0.0,
            ..Query::new(QUESTION.to_owned(), Language::Es)
        };
        let found = search.retrieve(&scope(&[kb]), &query).await.unwrap();
        let best = &found.passages[0];
        (best.content.clone(), best.similarity)
    }

    #[tokio::test]
    async fn words_tell_apart_what_vectors_cannot() {
        let texts = ["Abrimos a las nueve", "Atendemos niños", "Frente al parque"];
        for model in [
            BUILTIN_ENCODER.to_owned(),
            EmbeddingConfig::default().first().model,
        ] {
            let mut own = kb(0, 1.0);
            own.searched_with.model = model;
            let mut world = AlikeWorld::new(&own, &texts, texts[2]);
            let (best, compared) = first(&own, &world).await;
            assert_eq!(best, texts[2]);
            // Without it they are as they were found.
            world.compares = false;
            let (best, alone) = first(&own, &world).await;
            assert_eq!(best, texts[0]);
            assert!(compared > alone, "{compared} {alone}");
            // What another model found is not compared.
            world.compares = true;
            own.searched_with.provider = EmbeddingProvider::Openai;
            own.searched_with.model = "text-embedding-3-small".to_owned();
            assert_eq!(first(&own, &world).await.0, texts[0]);
        }
    }

    #[tokio::test]
    async fn the_words_of_a_version_are_read_once() {
        let texts = [
            "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve",
        ];
        let mut own = kb(0, 1.0);
        let world = AlikeWorld::new(&own, &texts, texts[8]);
        let read = async |own: &ReadableKb| {
            assert_eq!(first(own, &world).await.0, texts[8]);
            world.words_read.swap(0, Ordering::Relaxed)
        };
        assert_eq!(read(&own).await, 9);
        assert_eq!(read(&own).await, 0);
        // A later version may read differently.
        own.index_version += 1;
        assert_eq!(read(&own).await, 9);
    }
}
