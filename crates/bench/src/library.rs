//! Made-up knowledge: a change log that says the same whenever it is asked and keeps nothing.

mod chance;
mod vectors;
mod words;

pub(crate) use chance::Chance;
pub(crate) use vectors::{DIMENSIONS, TOPICS};
pub(crate) use words::Words;

use async_trait::async_trait;
use quipu_core::analysis::Question;
use quipu_core::embedding::EmbeddingConfig;
use quipu_core::engine::{ChangeLog, Changes, DocumentEntries, Entry, Partition, Probe};
use quipu_core::knowledge::{ChunkTells, KbScope, ReadableKb};
use quipu_core::language::Language;
use quipu_core::retrieval::RetrievalScope;
use quipu_core::{AgentId, ChunkId, DocumentId, KnowledgeBaseId, Result, TenantId};
use std::ops::Range;
use std::sync::Arc;
use uuid::Uuid;
use vectors::Vectors;

const CHUNKS_OF_A_DOCUMENT: u64 = 20;
const DOCUMENTS_OF_A_PORTION: u64 = 100;
/// Where the seeds of questions begin, far from those of chunks.
const FIRST_QUESTION: u64 = 1 << 40;
/// The ids of made-up tenants and knowledge bases begin here, where no real one is.
const FIRST_ID: u128 = 0xbe9c_0000_0000_0000_0000_0000_0000_0000;

/// What a made-up knowledge base holds.
#[derive(Clone, Debug)]
pub(crate) struct Shelf {
    pub(crate) chunks: u64,
    /// The topics of its vectors; they are anywhere when there are none.
    pub(crate) topics: Option<Range<u64>>,
}

/// Knowledge bases, each of a tenant of its own.
pub(crate) struct Library {
    shelves: Vec<Shelf>,
    /// The number of the first chunk of each.
    first: Vec<u64>,
    words: Arc<Words>,
    vectors: Vectors,
    model: String,
    /// How many words a text has.
    length: usize,
}

impl Library {
    pub(crate) fn new(
        shelves: Vec<Shelf>,
        words: Arc<Words>,
        model: String,
        length: usize,
    ) -> Self {
        let mut next = 0;
        let first = shelves.iter().map(|base| {
            next += base.chunks;
            next - base.chunks
        });
        Self {
            first: first.collect(),
            shelves,
            words,
            vectors: Vectors::new(),
            model,
            length,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.shelves.len()
    }

    pub(crate) fn chunks(&self, base: usize) -> u64 {
        self.shelves[base].chunks
    }

    fn base_of(&self, partition: Partition) -> Option<usize> {
        let number = partition.knowledge_base().uuid().as_u128();
        let number = usize::try_from(number.checked_sub(FIRST_ID)?).ok()?;
        (number < self.shelves.len()).then_some(number)
    }

    /// A scope with one knowledge base. Nobody assigned it: neither it nor its tenant exists.
    pub(crate) fn scope(&self, base: usize) -> RetrievalScope {
        let partition = partition(base);
        let readable = ReadableKb {
            id: partition.knowledge_base(),
            name: "Bench".to_owned(),
            scope: KbScope::Global,
            language: Language::Es,
            priority: 0,
            search_weight: 1.0,
            index_version: self.version(base),
            searched_with: EmbeddingConfig::default(),
            tells: ChunkTells::default(),
        };
        let agent = AgentId::from_uuid(Uuid::from_u128(FIRST_ID));
        RetrievalScope::grant(partition.tenant(), agent, None, vec![readable])
    }

    /// The version at which everything was said.
    pub(crate) fn version(&self, base: usize) -> i64 {
        i64::try_from(self.documents(base)).unwrap_or(i64::MAX)
    }

    fn documents(&self, base: usize) -> u64 {
        self.chunks(base).div_ceil(CHUNKS_OF_A_DOCUMENT)
    }

    /// The numbers of its chunks.
    pub(crate) fn numbers(&self, base: usize) -> Range<u64> {
        self.first[base]..self.first[base] + self.chunks(base)
    }

    /// The vector of a chunk, by its number.
    pub(crate) fn vector(&self, base: usize, number: u64) -> Vec<f32> {
        self.vector_of(base, &mut Chance::new(number.wrapping_mul(77)))
    }

    fn vector_of(&self, base: usize, chance: &mut Chance) -> Vec<f32> {
        self.vectors
            .vector(self.shelves[base].topics.as_ref(), chance)
    }

    /// The vector of a question about what the knowledge base is about.
    pub(crate) fn question_vector(&self, base: usize, number: u64) -> Vec<f32> {
        let seed = FIRST_QUESTION + ((base as u64) << 20) + number;
        self.vector_of(base, &mut Chance::new(seed.wrapping_mul(0x0100_0000_01b3)))
    }

    /// Asks with words and a vector.
    pub(crate) fn probe(&self, base: usize, text: &str, vector: Vec<f32>, limit: usize) -> Probe {
        Probe {
            version: self.version(base),
            question: Question::read(text, Language::Es, Language::Es),
            dense: Some((self.model.clone(), vector)),
            documents: None,
            limit,
        }
    }

    fn entry(&self, base: usize, number: u64) -> Entry {
        let mut chance = Chance::new(number.wrapping_mul(77));
        let vector = self.vector_of(base, &mut chance);
        // Half as long up to half as long again.
        let length = self.length / 2 + chance.below(self.length);
        Entry {
            chunk: chunk_id(number),
            terms: self.words.terms(length, &mut chance),
            title_terms: self.words.terms(4, &mut chance),
            vectors: vec![(self.model.clone(), vector)],
        }
    }
}

/// The partition of a made-up knowledge base, by its place in a library.
pub(crate) fn partition(base: usize) -> Partition {
    let id = Uuid::from_u128(FIRST_ID + base as u128);
    Partition::named(TenantId::from_uuid(id), KnowledgeBaseId::from_uuid(id))
}

pub(crate) fn chunk_id(number: u64) -> ChunkId {
    ChunkId::from_uuid(Uuid::from_u128(u128::from(number) + 1))
}

/// The number of a chunk that was found.
pub(crate) fn chunk_number(id: Uuid) -> u64 {
    u64::try_from(id.as_u128().wrapping_sub(1)).unwrap_or(u64::MAX)
}

#[async_trait]
impl ChangeLog for Library {
    async fn changes(&self, partition: Partition, since: i64) -> Result<Changes> {
        let Some(base) = self.base_of(partition) else {
            return Ok(Changes::default());
        };
        let documents = self.documents(base);
        let begin = u64::try_from(since).unwrap_or(0);
        let end = documents.min(begin + DOCUMENTS_OF_A_PORTION);
        let numbers = self.numbers(base);
        let document = |document: u64| {
            let first = numbers.start + document * CHUNKS_OF_A_DOCUMENT;
            let last = (first + CHUNKS_OF_A_DOCUMENT).min(numbers.end);
            DocumentEntries {
                document: DocumentId::from_uuid(Uuid::from_u128(u128::from(first) + 1)),
                entries: (first..last)
                    .map(|number| self.entry(base, number))
                    .collect(),
            }
        };
        Ok(Changes {
            documents: (begin..end).map(document).collect(),
            version: i64::try_from(end.max(begin)).unwrap_or(i64::MAX),
            more: end < documents,
            from_start: false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_log_says_each_chunk_once_and_the_same_again() {
        let base = |chunks, topics| Shelf { chunks, topics };
        let shelves = vec![base(4_050, Some(0..3)), base(70, None)];
        let library = Library::new(shelves, Words::all(), "m".to_owned(), 10);
        for at in 0..library.len() {
            let mut chunks = Vec::new();
            let mut since = 0;
            loop {
                let changes = library.changes(partition(at), since).await.unwrap();
                since = changes.version;
                for entry in changes.documents.into_iter().flat_map(|d| d.entries) {
                    let number = chunk_number(entry.chunk.uuid());
                    assert_eq!(entry.vectors[0].1, library.vector(at, number));
                    chunks.push(number);
                }
                if !changes.more {
                    break;
                }
            }
            assert_eq!(since, library.version(at));
            assert_eq!(chunks, library.numbers(at).collect::<Vec<_>>());
        }
        let unknown = Partition::named(
            TenantId::from_uuid(Uuid::nil()),
            KnowledgeBaseId::from_uuid(Uuid::nil()),
        );
        assert!(
            library
                .changes(unknown, 0)
                .await
                .unwrap()
                .documents
                .is_empty()
        );
    }
}
