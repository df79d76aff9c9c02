//! A second, closer look at the best of what was found.
//!
//! A search compares one vector and some words with thousands of chunks. A reranker reads the
//! question and the passage together, or compares them by a better model, and is given only the
//! best few. Whoever fails or takes too long costs the second look and nothing else.

use super::candidate::{Candidate, Probed, measured};
use super::read::{ReadTexts, text};
use super::{Query, Retrieval, Search};
use crate::score::{Measured, is_encoder, is_quick, logit, sigmoid, with_judge};
use quipu_core::knowledge::Chunk;
use quipu_core::ports::{RerankError, Reranked, Reranker};
use quipu_core::reranking::BUILTIN_JUDGE;
use quipu_core::retrieval::RetrievalScope;
use quipu_core::{ChunkId, Result};
use std::collections::HashMap;
use std::time::Instant;
use tokio::time::timeout;

/// How many are read at least, whether or not they are judged: as many as can be wanted.
const READ: usize = 50;
/// How much is read of the question before a short one, in characters.
const LONGEST_BEFORE: usize = 300;

/// Who looks again, and at what.
pub(super) struct Again<'a> {
    reranker: &'a dyn Reranker,
    /// How many of the best are judged.
    most: usize,
    question: String,
    /// What each knowledge base had for that question.
    probed: Vec<&'a Probed>,
}

impl<'a> Again<'a> {
    /// What was found for the last question says most: it is the one that was asked, with the one
    /// before it when it does not stand alone.
    pub(super) fn new(
        reranker: &'a dyn Reranker,
        query: &Query,
        all: &'a [Vec<Probed>],
    ) -> Option<Self> {
        Some(Self {
            reranker,
            most: reranker.most_passages(),
            question: asked(query),
            probed: all
                .iter()
                .map(|of_kb| of_kb.last())
                .collect::<Option<_>>()?,
        })
    }

    /// Whether anything is to be judged. What was searched with the model of the reranker it would
    /// only judge as before.
    pub(super) fn is_worth_it(&self, candidates: &[Candidate]) -> bool {
        let mut best = candidates.iter().take(self.most);
        best.any(|candidate| self.is_new_to(candidate))
    }

    /// The encoder knows more than quick vectors, and less than the models that people pay for.
    fn is_new_to(&self, candidate: &Candidate) -> bool {
        let searched = self.probed[candidate.kb].model();
        if is_encoder(self.reranker.model()) {
            return searched.is_none_or(is_quick);
        }
        searched != Some(self.reranker.model())
    }

    /// Judges by what the reranker said of these candidates, in their order.
    fn judge(&self, candidates: &mut [&mut Candidate], said: &Reranked) {
        match said {
            Reranked::Cosines { model, cosines } => {
                self.judge_by_cosines(candidates, model, cosines);
            }
            Reranked::Relevances(relevances) if self.reranker.model() == BUILTIN_JUDGE => {
                let before: Vec<f32> = candidates.iter().map(|one| one.similarity()).collect();
                let anew = with_judge(&before, relevances);
                for (candidate, similarity) in candidates.iter_mut().zip(anew) {
                    candidate.judged.fill(Some(similarity));
                }
            }
            Reranked::Relevances(relevances) => {
                for (candidate, relevance) in candidates.iter_mut().zip(relevances) {
                    for similarity in candidate.judged.iter_mut().flatten() {
                        *similarity = with_service(*similarity, *relevance);
                    }
                }
            }
        }
    }

    /// The cosines take the place of those of the search, knowledge base by knowledge base, and the
    /// words count as they did. What was judged by the weaker model of the question without the one
    /// before it would only stand in the way, so the new judgement stands for both.
    fn judge_by_cosines(&self, candidates: &mut [&mut Candidate], model: &str, cosines: &[f32]) {
        let mut anew: HashMap<(usize, ChunkId), f32> = HashMap::new();
        for (kb, probed) in self.probed.iter().enumerate() {
            let words: HashMap<ChunkId, Measured> = probed
                .found
                .hits
                .iter()
                .map(|hit| (hit.chunk, measured(hit)))
                .collect();
            let (chunks, measures): (Vec<ChunkId>, Vec<Measured>) = candidates
                .iter()
                .zip(cosines)
                .filter(|(candidate, _)| candidate.kb == kb)
                .map(|(candidate, cosine)| {
                    // One that was found for the question before this one has its words of there.
                    let raw = candidate.raw;
                    let found = words.get(&candidate.chunk).copied().unwrap_or(Measured {
                        cosine: None,
                        coverage: raw.coverage,
                        relevance: raw.relevance,
                        nearness: None,
                    });
                    let anew = Measured {
                        cosine: Some(*cosine),
                        nearness: candidate.nearness,
                        ..found
                    };
                    (candidate.chunk, anew)
                })
                .unzip();
            let compared = measures.iter().any(|measured| measured.nearness.is_some());
            let judged = probed
                .profile(Some(model), compared)
                .judge(&measures, &probed.facts());
            let judged = judged.iter().map(|judged| judged.similarity);
            anew.extend(chunks.into_iter().map(|chunk| (kb, chunk)).zip(judged));
        }
        for candidate in candidates.iter_mut() {
            if let Some(similarity) = anew.get(&(candidate.kb, candidate.chunk)) {
                candidate.judged.fill(Some(*similarity));
            }
        }
    }
}

/// What a reranker is asked: the question, and behind it the end of the one before when it does not
/// stand alone. Rerankers read only so much, and must not read the one before instead.
fn asked(query: &Query) -> String {
    let Some(before) = &query.context else {
        return query.text.clone();
    };
    let from = before.char_indices().rev().nth(LONGEST_BEFORE - 1);
    let end = &before[from.map_or(0, |(at, _)| at)..];
    format!("{}\n{end}", query.text)
}

/// How surely a passage answers by two judgements, each from 0 to 1: the mean of what they are
/// worth as evidence, so that a sure one outweighs one that cannot tell. Neither the weights nor
/// the relevances of any service were fitted to what the similarity is fitted to; a threshold
/// means about as much as without a second look, not exactly as much.
fn with_service(similarity: f32, relevance: f32) -> f32 {
    sigmoid(f32::midpoint(logit(similarity), logit(relevance)))
}

impl<'s> Search<'s> {
    /// The best with their texts, in the order of the search.
    pub(super) async fn read_best(
        &self,
        scope: &RetrievalScope,
        mut candidates: Vec<Candidate>,
        texts: &mut ReadTexts<'s>,
        retrieval: &mut Retrieval,
    ) -> Result<Vec<(Chunk, Candidate)>> {
        let reading = Instant::now();
        candidates.truncate(READ);
        let read = self.texts(scope, &candidates, texts, retrieval).await;
        retrieval.timings.reading = reading.elapsed();
        read
    }

    /// Has the best judged again. They stay as they are when that fails.
    pub(super) async fn judge_again(
        &self,
        again: &Again<'_>,
        mut read: Vec<(Chunk, Candidate)>,
        retrieval: &mut Retrieval,
    ) -> Vec<(Chunk, Candidate)> {
        let most = again.most.min(read.len());
        let (texts, mut candidates): (Vec<String>, Vec<&mut Candidate>) = read[..most]
            .iter_mut()
            .filter(|(_, candidate)| again.is_new_to(candidate))
            .map(|(chunk, candidate)| (text(chunk), candidate))
            .unzip();
        if texts.is_empty() {
            return read;
        }
        let began = Instant::now();
        let model = again.reranker.model();
        let looking = again.reranker.rerank(&again.question, &texts);
        let said = match timeout(self.deadlines.rerank, looking).await {
            Ok(said) => said.and_then(|said| checked(said, texts.len())),
            Err(_) => Err(RerankError::Transient("it was not done in time".to_owned())),
        };
        retrieval.timings.rerank = began.elapsed();
        match said {
            Ok(said) => {
                again.judge(&mut candidates, &said);
                // Nobody knows of the rest what is known now of these.
                let (looked_at, rest) = read.split_at_mut(most);
                let least = looked_at
                    .iter()
                    .map(|(_, candidate)| candidate.similarity());
                let least = least.fold(f32::INFINITY, f32::min);
                for (_, candidate) in rest {
                    candidate.lower_to(least);
                }
                // Those that were lowered to the same keep their order.
                read.sort_by(|(_, a), (_, b)| a.by_rank(b));
            }
            Err(error) => {
                tracing::warn!(model, %error, "what was found was not judged again");
                retrieval.missing.reranking = true;
            }
        }
        read
    }
}

/// What a reranker said, if it is a judgement of every passage.
fn checked(said: Reranked, count: usize) -> std::result::Result<Reranked, RerankError> {
    let (numbers, least) = match &said {
        Reranked::Cosines { cosines, .. } => (cosines, -1.0),
        Reranked::Relevances(relevances) => (relevances, 0.0),
    };
    if numbers.len() != count {
        let why = format!("{} judgements of {count} passages", numbers.len());
        return Err(RerankError::Permanent(why));
    }
    // Vectors are of length one up to what is rounded.
    let odd = |number: &&f32| !(least - 0.01..=1.01).contains(*number);
    if let Some(odd) = numbers.iter().find(odd) {
        let why = format!("a judgement of {odd}");
        return Err(RerankError::Permanent(why));
    }
    Ok(said)
}

#[cfg(test)]
mod tests;
