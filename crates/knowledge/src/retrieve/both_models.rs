//! What both built-in models say of the best together.
//!
//! The encoder reads order and context, the quick model every word by itself. They err on different
//! passages, so that their cosines together rank better than those of the encoder alone. A chunk has
//! vectors of both: it is found by the quick one until the other is made.

use super::Search;
use super::candidate::{Candidate, Probed, measured};
use crate::score::{BOTH, Measured, is_encoder, together};
use quipu_core::embedding::EmbeddingConfig;
use quipu_core::retrieval::RetrievalScope;
use quipu_core::{ChunkId, Error, Result};
use std::collections::HashMap;
use tokio::time::timeout;

/// How many of the best are compared. What stands behind them hardly ever comes to the front.
const MOST_COMPARED: usize = 12;

/// The questions as models are asked them, and what each knowledge base had for each.
pub(super) struct BothModels<'a> {
    questions: &'a [String],
    found: &'a [Vec<Probed>],
}

impl<'a> BothModels<'a> {
    /// `None` where the encoder searched nothing.
    pub(super) fn new(questions: &'a [String], found: &'a [Vec<Probed>]) -> Option<Self> {
        let searched = found.iter().flatten().any(is_for);
        searched.then_some(Self { questions, found })
    }

    /// Judges each candidate anew for every question that found it, by its cosines of both models.
    /// `quick` are those of the second one, by question.
    fn judge(&self, candidates: &mut [Candidate], quick: &[HashMap<ChunkId, f32>]) {
        for (question, quick) in quick.iter().enumerate() {
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
                        let quick = quick.get(&candidate.chunk).copied();
                        let cosine = Some(together(hit.cosine, quick));
                        Some((place, Measured { cosine, ..*hit }))
                    })
                    .unzip();
                let judged = probed.profile(Some(BOTH)).judge(&measures, &probed.facts());
                for (place, judged) in places.into_iter().zip(judged) {
                    candidates[place].judged[question] = Some(judged.similarity);
                }
            }
        }
    }
}

/// Whether the encoder searched.
fn is_for(probed: &Probed) -> bool {
    probed.model().is_some_and(is_encoder)
}

impl Search<'_> {
    /// Compares the best by the quick model too, and puts them in the order of both. They stay as they
    /// are when that fails.
    pub(super) async fn compare(
        &self,
        scope: &RetrievalScope,
        both: &BothModels<'_>,
        candidates: &mut [Candidate],
    ) {
        let (best, rest) = candidates.split_at_mut(candidates.len().min(MOST_COMPARED));
        match self.quick_cosines(scope, both, best).await {
            Ok(quick) => both.judge(best, &quick),
            Err(error) => {
                tracing::warn!(%error, "what was found was not compared by the quick model");
                return;
            }
        }
        let least = best.iter().map(Candidate::similarity);
        let least = least.fold(f32::INFINITY, f32::min);
        for candidate in rest {
            candidate.lower_to(least);
        }
        candidates.sort_by(Candidate::best_first);
    }

    /// How near each of these is to each question by the quick model, where it has a vector of it.
    async fn quick_cosines(
        &self,
        scope: &RetrievalScope,
        both: &BothModels<'_>,
        best: &[Candidate],
    ) -> Result<Vec<HashMap<ChunkId, f32>>> {
        let quick = EmbeddingConfig::default().first();
        let ids: Vec<ChunkId> = best.iter().map(|candidate| candidate.chunk).collect();
        let model = quick.vector_model();
        let asking = async {
            let vectors = self.chunks.vectors(scope, &model, &ids).await?;
            let asked = self.vectors.embed(&quick, both.questions).await?;
            Ok::<_, Error>((asked, vectors))
        };
        let done = timeout(self.deadlines.search, asking).await;
        let (asked, vectors) = done.map_err(Error::internal)??;
        let near = |asked: &Vec<f32>| {
            let cosines = vectors.iter().map(|(chunk, its)| (*chunk, dot(asked, its)));
            cosines.collect()
        };
        Ok(asked.iter().map(near).collect())
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use crate::fixtures::{EPOCH, chunk, kb, scope};
    use crate::retrieve::{Deadlines, Query, Search};
    use async_trait::async_trait;
    use quipu_core::embedding::{BUILTIN_ENCODER, EmbeddingConfig};
    use quipu_core::engine::{Engine, Found, Hit, Partition, Probe};
    use quipu_core::knowledge::{Chunk, ReadableKb};
    use quipu_core::language::Language;
    use quipu_core::ports::{ChunkSource, QuestionVectors};
    use quipu_core::retrieval::RetrievalScope;
    use quipu_core::{ChunkId, DocumentId, Error, ErrorCode, KnowledgeBaseId, Result, TenantId};
    use std::collections::HashMap;

    const QUESTION: &str = "¿dónde queda la clínica?";

    /// An encoder to which all of these texts are alike, and a quick model that knows one of them.
    struct AlikeWorld {
        chunks: Vec<Chunk>,
        known: &'static str,
        quick: bool,
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
        async fn embed(&self, config: &EmbeddingConfig, texts: &[String]) -> Result<Vec<Vec<f32>>> {
            if config.model == BUILTIN_ENCODER {
                return Ok(vec![vec![1.0, 0.0]; texts.len()]);
            }
            if !self.quick {
                return Err(Error::new(ErrorCode::EmbeddingUnavailable));
            }
            let near =
                |text: &String| text.contains(self.known) || QUESTION.contains(text.as_str());
            let vector = |text| {
                if near(text) {
                    vec![1.0, 0.0]
                } else {
                    vec![0.0, 1.0]
                }
            };
            Ok(texts.iter().map(vector).collect())
        }
    }

    #[async_trait]
    impl ChunkSource for AlikeWorld {
        async fn findable(&self, _: &RetrievalScope, ids: &[ChunkId]) -> Result<Vec<Chunk>> {
            let chunks = self.chunks.iter().filter(|chunk| ids.contains(&chunk.id));
            Ok(chunks.cloned().collect())
        }

        async fn vectors(
            &self,
            _: &RetrievalScope,
            _: &str,
            ids: &[ChunkId],
        ) -> Result<HashMap<ChunkId, Vec<f32>>> {
            let known = self.chunks.iter().filter(|chunk| ids.contains(&chunk.id));
            let vector = |chunk: &Chunk| {
                if chunk.content == self.known {
                    vec![1.0, 0.0]
                } else {
                    vec![0.0, 1.0]
                }
            };
            Ok(known.map(|chunk| (chunk.id, vector(chunk))).collect())
        }
    }

    async fn first(kb: &ReadableKb, world: &AlikeWorld) -> (String, f32) {
        let search = Search {
            engine: world,
            vectors: world,
            chunks: world,
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
    async fn the_quick_model_tells_apart_what_the_encoder_cannot() {
        let mut own = kb(0, 1.0);
        own.searched_with.model = BUILTIN_ENCODER.to_owned();
        let texts = ["Abrimos a las nueve", "Atendemos niños", "Frente al parque"];
        let mut world = AlikeWorld {
            chunks: texts.iter().map(|text| chunk(own.id, text)).collect(),
            known: texts[2],
            quick: true,
        };
        let (best, both) = first(&own, &world).await;
        assert_eq!(best, texts[2]);
        // Without it they are as they were found.
        world.quick = false;
        let (best, alone) = first(&own, &world).await;
        assert_eq!(best, texts[0]);
        assert!(both > alone, "{both} {alone}");
        // What the quick model searched it has compared already.
        world.quick = true;
        own.searched_with.model = EmbeddingConfig::default().first().model;
        assert_eq!(first(&own, &world).await.0, texts[0]);
    }
}
