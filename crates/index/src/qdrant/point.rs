//! Chunks as points: what a point is called and what it holds.

use super::fault::{Fault, Outcome};
use quipu_core::analysis::bm25::{self, CONTENT_HALVES, TITLE_HALVES};
use quipu_core::engine::{Entry, Partition};
use quipu_core::{ChunkId, DocumentId};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};
use uuid::Uuid;

/// The end of a point whose end nobody has set. Numbers in filters are exact up to here.
pub(super) const FOREVER: i64 = (1 << 53) - 1;
/// The length of a chunk that counts as usual where only the order matters.
const USUAL_LENGTH: f32 = 100.0;

/// The names of what points hold.
pub(super) mod field {
    pub(in super::super) const TENANT: &str = "tenant_id";
    pub(in super::super) const KNOWLEDGE_BASE: &str = "knowledge_base_id";
    pub(in super::super) const DOCUMENT: &str = "document_id";
    pub(in super::super) const CHUNK: &str = "chunk_id";
    /// The version with which the point began to count.
    pub(in super::super) const BORN: &str = "born";
    /// The version with which it no longer counts.
    pub(in super::super) const ENDED: &str = "ended";
    pub(in super::super) const LENGTH: &str = "length";
    pub(in super::super) const TERMS: &str = "terms";
    /// How often each term occurs, in halves.
    pub(in super::super) const HALVES: &str = "halves";
    pub(in super::super) const MODEL: &str = "model";
}

/// The named vectors.
pub(super) const WORDS: &str = "words";
pub(super) const DENSE: &str = "dense";

/// The name of a point. It follows from what the point is, so that writing it again changes
/// nothing; and whoever reads it back can tell that it is of the right partition.
pub(super) fn id(partition: Partition, chunk: ChunkId, born: i64, model: &str) -> Uuid {
    named(&[
        b"chunk",
        partition.tenant().uuid().as_bytes(),
        partition.knowledge_base().uuid().as_bytes(),
        chunk.uuid().as_bytes(),
        &born.to_be_bytes(),
        model.as_bytes(),
    ])
}

/// The name of the record of a partition.
pub(super) fn record_id(partition: Partition) -> Uuid {
    named(&[
        b"record",
        partition.tenant().uuid().as_bytes(),
        partition.knowledge_base().uuid().as_bytes(),
    ])
}

fn named(parts: &[&[u8]]) -> Uuid {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    let digest = hash.finalize();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}

/// The dimension of a term in sparse vectors. Two terms may share one: what a search finds by them
/// is measured by the terms themselves.
pub(super) fn dimension(term: &str) -> u32 {
    crc32fast::hash(term.as_bytes())
}

/// The path of how often a term occurs, in letters that no path gives a meaning to.
pub(super) fn path(term: &str) -> String {
    format!("{}.{}", field::HALVES, key(term))
}

fn key(term: &str) -> String {
    use std::fmt::Write as _;
    let mut key = String::with_capacity(1 + 2 * term.len());
    key.push('t');
    for byte in term.bytes() {
        // Writing to a string cannot fail.
        let _ = write!(key, "{byte:02x}");
    }
    key
}

/// What all points of a chunk hold.
fn common(partition: Partition, document: DocumentId, chunk: ChunkId, born: i64) -> Value {
    json!({
        field::TENANT: partition.tenant().uuid(),
        field::KNOWLEDGE_BASE: partition.knowledge_base().uuid(),
        field::DOCUMENT: document.uuid(),
        field::CHUNK: chunk.uuid(),
        field::BORN: born,
        field::ENDED: FOREVER,
    })
}

/// The point by which a chunk is found by its words.
pub(super) fn of_words(
    partition: Partition,
    document: DocumentId,
    entry: &Entry,
    born: i64,
) -> Value {
    let mut halves: BTreeMap<&str, u32> = BTreeMap::new();
    let content = entry.terms.iter().map(|term| (term, CONTENT_HALVES));
    let title = entry.title_terms.iter().map(|term| (term, TITLE_HALVES));
    for (term, times) in content.chain(title) {
        *halves.entry(term).or_default() += times;
    }
    let mut payload = common(partition, document, entry.chunk, born);
    let counts: Map<String, Value> = halves
        .iter()
        .map(|(term, &halves)| (key(term), json!(halves)))
        .collect();
    payload[field::LENGTH] = json!(entry.terms.len());
    payload[field::TERMS] = json!(halves.keys().collect::<Vec<_>>());
    payload[field::HALVES] = Value::Object(counts);
    let vector = if halves.is_empty() {
        json!({})
    } else {
        json!({ WORDS: sparse(&halves, entry.terms.len()) })
    };
    json!({
        "id": id(partition, entry.chunk, born, ""),
        "vector": vector,
        "payload": payload,
    })
}

/// What each term adds to the order in which chunks are looked at: one for being there, and up to
/// one for being there often. The weights come with the question.
fn sparse(halves: &BTreeMap<&str, u32>, length: usize) -> Value {
    let length = f32::from(u16::try_from(length).unwrap_or(u16::MAX));
    let mut values: BTreeMap<u32, f32> = BTreeMap::new();
    for (term, &halves) in halves {
        let frequency = f32::from(u16::try_from(halves).unwrap_or(u16::MAX)) / 2.0;
        let worth = 1.0 + bm25::saturated(frequency, length, USUAL_LENGTH);
        let value = values.entry(dimension(term)).or_default();
        *value = value.max(worth);
    }
    json!({
        "indices": values.keys().collect::<Vec<_>>(),
        "values": values.values().collect::<Vec<_>>(),
    })
}

/// The point by which a chunk is found by its vector of a model.
pub(super) fn of_vector(
    partition: Partition,
    document: DocumentId,
    chunk: ChunkId,
    (model, vector): (&str, &[f32]),
    born: i64,
) -> Value {
    let mut payload = common(partition, document, chunk, born);
    payload[field::MODEL] = json!(model);
    json!({
        "id": id(partition, chunk, born, model),
        "vector": { DENSE: vector },
        "payload": payload,
    })
}

/// A point as it comes back.
#[derive(Debug, Deserialize)]
pub(super) struct Point {
    pub(super) id: Uuid,
    #[serde(default)]
    pub(super) score: f32,
    pub(super) payload: Payload,
}

#[derive(Debug, Deserialize)]
pub(super) struct Payload {
    document_id: Uuid,
    chunk_id: Uuid,
    born: i64,
    #[serde(default)]
    pub(super) length: u32,
    #[serde(default)]
    halves: HashMap<String, u32>,
}

/// What is asked back of every point.
pub(super) const ASKED: [&str; 3] = [field::DOCUMENT, field::CHUNK, field::BORN];

impl Point {
    /// Makes sure that a point is of the partition it was looked for in.
    pub(super) fn checked(&self, partition: Partition, model: &str) -> Outcome<()> {
        if self.id == id(partition, self.chunk(), self.payload.born, model) {
            Ok(())
        } else {
            Err(Fault::Garbled("a point that was not asked for".to_owned()))
        }
    }

    pub(super) fn chunk(&self) -> ChunkId {
        ChunkId::from_uuid(self.payload.chunk_id)
    }

    pub(super) fn document(&self) -> DocumentId {
        DocumentId::from_uuid(self.payload.document_id)
    }

    /// How often a term occurs that was asked for by its path.
    pub(super) fn halves(&self, term: &str) -> u32 {
        self.payload.halves.get(&key(term)).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quipu_core::{KnowledgeBaseId, TenantId};

    fn partition(tenant: u128, kb: u128) -> Partition {
        let tenant = TenantId::from_uuid(Uuid::from_u128(tenant));
        Partition::named(tenant, KnowledgeBaseId::from_uuid(Uuid::from_u128(kb)))
    }

    #[test]
    fn names_tell_partitions_versions_and_models_apart() {
        let chunk = ChunkId::from_uuid(Uuid::from_u128(7));
        let names = [
            id(partition(1, 2), chunk, 3, ""),
            id(partition(2, 1), chunk, 3, ""),
            id(partition(1, 2), chunk, 4, ""),
            id(partition(1, 2), chunk, 3, "m"),
            record_id(partition(1, 2)),
        ];
        let different: std::collections::HashSet<Uuid> = names.into_iter().collect();
        assert_eq!(different.len(), names.len());
        assert_eq!(names[0], id(partition(1, 2), chunk, 3, ""));
    }

    #[test]
    fn a_point_of_another_partition_is_not_believed() {
        let chunk = ChunkId::from_uuid(Uuid::from_u128(7));
        let entry = Entry {
            chunk,
            terms: vec!["limpiec".to_owned(), "limpiec".to_owned()],
            title_terms: vec!["limpiec".to_owned(), "#dinero".to_owned()],
            vectors: Vec::new(),
        };
        let document = DocumentId::from_uuid(Uuid::from_u128(9));
        let written = of_words(partition(1, 2), document, &entry, 5);
        let point: Point = serde_json::from_value(written).unwrap();
        assert!(point.checked(partition(1, 2), "").is_ok());
        assert!(point.checked(partition(3, 2), "").is_err());
        assert!(point.checked(partition(1, 2), "m").is_err());
        assert_eq!(point.halves("limpiec"), 7);
        assert_eq!(point.halves("#dinero"), 3);
        assert_eq!(point.halves("otro"), 0);
    }
}
