//! From candidates to passages: the texts, read from the database, without what says the same
//! twice.

use super::candidate::Candidate;
use super::duplicates::Fingerprint;
use super::{Query, Retrieval, Search};
use crate::ingest::embedding_text;
use quipu_core::analysis::{Question, terms};
use quipu_core::chunking::ChunkPages;
use quipu_core::knowledge::{Chunk, ReadableKb};
use quipu_core::ports::ChunkReader;
use quipu_core::retrieval::{Passage, RetrievalScope};
use quipu_core::{ChunkId, Result};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Instant;
use tokio::time::timeout;

/// How often texts are looked up again when what was found is gone.
const MAX_LOOKUPS: usize = 3;
/// How many more texts are read at first than are wanted.
const SPARE: usize = 2;

/// The chunks that were read for this search, by their ids, and where more of them are read.
#[derive(Default)]
pub(super) struct ReadTexts<'s> {
    chunks: HashMap<ChunkId, Chunk>,
    reader: Option<Box<dyn ChunkReader + 's>>,
}

impl ReadTexts<'_> {
    pub(super) fn get(&self, chunk: ChunkId) -> Option<&Chunk> {
        self.chunks.get(&chunk)
    }

    /// Lets others have what reading takes: no more texts are wanted, or not soon.
    pub(super) fn close(&mut self) {
        self.reader = None;
    }
}

/// A passage as models read it: below the title of its document and its headings.
pub(super) fn text(chunk: &Chunk) -> String {
    embedding_text(
        chunk.document_title.as_deref(),
        &chunk.headings,
        &chunk.content,
    )
}

impl<'s> Search<'s> {
    /// Reads the texts of the best and keeps those that say something of their own.
    pub(super) async fn read(
        &self,
        scope: &RetrievalScope,
        query: &Query,
        candidates: &[Candidate],
        texts: &mut ReadTexts<'s>,
        retrieval: &mut Retrieval,
    ) -> Result<()> {
        let reading = Instant::now();
        let mut kept = Kept::default();
        let mut rest = candidates;
        for lookup in 0..MAX_LOOKUPS {
            if kept.0.len() >= query.top_k || rest.is_empty() {
                break;
            }
            // Few say the same twice, so that hardly more than are wanted are read at first.
            let at_once = match lookup {
                0 => query.top_k + SPARE,
                _ => 3 * query.top_k,
            };
            let (now, later) = rest.split_at(rest.len().min(at_once));
            rest = later;
            for (chunk, candidate) in self.texts(scope, now, texts, retrieval).await? {
                if kept.0.len() < query.top_k {
                    kept.offer(chunk, candidate);
                }
            }
        }
        retrieval.passages = kept.passages(scope, query);
        retrieval.timings.reading = reading.elapsed();
        Ok(())
    }

    /// These candidates with their chunks, in their order, without those that are gone. None, when
    /// they cannot be read in time.
    pub(super) async fn texts(
        &self,
        scope: &RetrievalScope,
        candidates: &[Candidate],
        texts: &mut ReadTexts<'s>,
        retrieval: &mut Retrieval,
    ) -> Result<Vec<(Chunk, Candidate)>> {
        if !self.look_up(scope, candidates, texts, retrieval).await? {
            return Ok(Vec::new());
        }
        let read = candidates.iter().map(|candidate| {
            let chunk = texts.chunks.remove(&candidate.chunk);
            (chunk, candidate)
        });
        let mut found = Vec::new();
        for (chunk, candidate) in read {
            retrieval.stale |= chunk.is_none();
            // Going by the scope rather than by what came back leaves out any chunk that a faulty
            // source returned from a knowledge base the scope does not hold.
            let chunk = chunk
                .filter(|chunk| scope.contains(chunk.knowledge_base_id))
                .filter(|chunk| scope.shows(chunk.business.as_ref()));
            found.extend(chunk.map(|chunk| (chunk, candidate.clone())));
        }
        Ok(found)
    }

    /// Reads the chunks of these candidates that were not read before. False when they are not there
    /// in time.
    pub(super) async fn look_up(
        &self,
        scope: &RetrievalScope,
        candidates: &[Candidate],
        texts: &mut ReadTexts<'s>,
        retrieval: &mut Retrieval,
    ) -> Result<bool> {
        let ids = candidates.iter().map(|candidate| candidate.chunk);
        let ids: Vec<ChunkId> = ids.filter(|id| texts.get(*id).is_none()).collect();
        if ids.is_empty() {
            return Ok(true);
        }
        let reading = async {
            let reader = self.reader(scope, texts).await?;
            reader.findable(&ids).await
        };
        let Ok(found) = timeout(self.deadlines.search, reading).await else {
            tracing::warn!("the texts of what was found were not read in time");
            retrieval.missing.knowledge = true;
            return Ok(false);
        };
        let found = found?.into_iter().map(|chunk| (chunk.id, chunk));
        texts.chunks.extend(found);
        Ok(true)
    }

    /// Gets ready to read what will be wanted in a moment. Not in time is no harm yet.
    pub(super) async fn prepare(
        &self,
        scope: &RetrievalScope,
        texts: &mut ReadTexts<'s>,
    ) -> Result<()> {
        match timeout(self.deadlines.search, self.reader(scope, texts)).await {
            Ok(ready) => ready.map(drop),
            Err(_) => Ok(()),
        }
    }

    async fn reader<'t>(
        &self,
        scope: &RetrievalScope,
        texts: &'t mut ReadTexts<'s>,
    ) -> Result<&'t (dyn ChunkReader + 's)> {
        let reader = match texts.reader.take() {
            Some(open) => open,
            None => self.chunks.open(scope).await?,
        };
        Ok(&**texts.reader.insert(reader))
    }
}

/// The passages that candidates with their texts become. What is below the threshold goes first,
/// so that it never stands in for a better one that says the same.
pub(super) fn passages(
    scope: &RetrievalScope,
    query: &Query,
    read: Vec<(Chunk, Candidate)>,
) -> Vec<Passage> {
    let mut kept = Kept::default();
    for (chunk, candidate) in read {
        if candidate.similarity() >= query.threshold && kept.0.len() < query.top_k {
            kept.offer(chunk, candidate);
        }
    }
    kept.passages(scope, query)
}

/// What says something of its own, the best first.
#[derive(Default)]
struct Kept(Vec<(Chunk, Candidate, Arc<Fingerprint>)>);

impl Kept {
    fn offer(&mut self, chunk: Chunk, candidate: Candidate) {
        let fingerprint = Fingerprint::of(&chunk.content);
        let known = |(other, _, its): &(Chunk, Candidate, Arc<Fingerprint>)| {
            repeats(&chunk, other) || fingerprint.is_like(&chunk.content, its, &other.content)
        };
        if !self.0.iter().any(known) {
            self.0.push((chunk, candidate, fingerprint));
        }
    }

    fn passages(self, scope: &RetrievalScope, query: &Query) -> Vec<Passage> {
        let best = self.0.into_iter().take(query.top_k);
        best.filter_map(|(chunk, candidate, _)| {
            let kb = scope.knowledge_bases().get(candidate.kb)?;
            Some(passage(kb, query, chunk, &candidate))
        })
        .collect()
    }
}

fn repeats(a: &Chunk, b: &Chunk) -> bool {
    if a.content == b.content {
        return true;
    }
    if a.document_id != b.document_id {
        return false;
    }
    let shared = a.end_char.min(b.end_char) - a.start_char.max(b.start_char);
    let shorter = (a.end_char - a.start_char).min(b.end_char - b.start_char);
    // Neighbours share a fifth by design; what shares more than half adds little.
    shared.saturating_mul(2) > shorter
}

/// The page on which what was asked for stands: of the pages of a chunk the one that has most of the
/// question's ideas, and where several have as many, the one with most of the text.
fn page_asked_for(kb: &ReadableKb, query: &Query, chunk: &Chunk) -> Option<i32> {
    if chunk.pages.first() == chunk.pages.last() {
        return chunk.page_number;
    }
    let question = Question::read_once(&query.text, query.language, kb.language);
    let mut best: Option<(f32, i32)> = None;
    for (page, text) in chunk.pages.parts(&chunk.content) {
        let terms: HashSet<String> = terms(text, kb.language).into_iter().collect();
        let ideas = question.concepts.iter();
        let worth: f32 = ideas
            .map(|idea| idea.strength(|term| terms.contains(term)))
            .sum();
        let better = best.is_none_or(|(most, _)| {
            worth > most || worth >= most && Some(page) == chunk.page_number
        });
        if better {
            best = Some((worth, page));
        }
    }
    best.filter(|(worth, _)| *worth > 0.0)
        .map(|(_, page)| page)
        .or(chunk.page_number)
}

fn passage(kb: &ReadableKb, query: &Query, chunk: Chunk, candidate: &Candidate) -> Passage {
    let page_number = page_asked_for(kb, query, &chunk).filter(|_| kb.tells.page_number);
    Passage {
        chunk_id: chunk.id,
        document_id: chunk.document_id,
        knowledge_base_id: chunk.knowledge_base_id,
        title: chunk.document_title,
        source: chunk.source,
        content: chunk.content,
        start_char: chunk.start_char,
        end_char: chunk.end_char,
        page_number,
        pages: if kb.tells.page_number {
            chunk.pages
        } else {
            ChunkPages::default()
        },
        headings: chunk.headings,
        source_url: chunk.source_url.filter(|_| kb.tells.source_url),
        file_type: chunk.file_type,
        metadata: chunk.metadata,
        business: chunk.business,
        similarity: candidate.similarity(),
        raw: candidate.raw,
    }
}
