//! Documents and what is made of them, made the way a worker makes it.

use quipu_core::chunking::ChunkPages;
use quipu_core::extraction::{DocumentInfo, SEGMENT_BREAK};
use quipu_core::knowledge::{Chunk, DocumentSource, NewDocument};
use quipu_core::{ChunkId, DocumentId, KnowledgeBaseId, Timestamp};
use quipu_store::TenantTx;
use quipu_store::tenant::{IngestItem, NewChunk, OpenKb};
use serde_json::json;

pub(crate) const ACTOR: &str = "fixture";
pub(crate) const MODEL: &str = "fixture/model";

/// A text that somebody typed, with everything about it named after it.
pub(crate) fn typed(now: Timestamp, content: &str) -> NewDocument {
    NewDocument {
        id: DocumentId::generate(now),
        source: DocumentSource::Manual,
        title: Some(content.to_owned()),
        filename: None,
        file_type: None,
        source_url: None,
        storage_path: None,
        text: Some(content.to_owned()),
        content_hash: content.to_owned(),
        size_bytes: i64::try_from(content.len()).unwrap(),
        preview: content.to_owned(),
        category: None,
        tags: vec![content.to_owned()],
        metadata: json!({}),
        business: None,
    }
}

/// Adds a text that somebody typed.
pub(crate) async fn add(tx: &TenantTx, kb: &OpenKb, content: &str) -> DocumentId {
    let new = typed(tx.now(), content);
    tx.documents().insert(kb, &new, ACTOR).await.unwrap();
    new.id
}

/// Adds a text and makes it searchable, with one chunk for each piece.
pub(crate) async fn add_searchable(tx: &TenantTx, kb: &OpenKb, pieces: &[&str]) -> DocumentId {
    let id = add(tx, kb, &pieces.join(SEGMENT_BREAK)).await;
    process(tx, id, pieces).await;
    id
}

/// Chunks that stand one after another in [`text_of`] the same pieces.
pub(crate) fn chunks(pieces: &[&str]) -> Vec<NewChunk> {
    let mut start = 0;
    pieces
        .iter()
        .zip(0..)
        .map(|(piece, index)| {
            let end = start + i32::try_from(piece.chars().count()).unwrap();
            let chunk = NewChunk {
                id: ChunkId::generate(Timestamp::UNIX_EPOCH),
                index,
                content: (*piece).to_owned(),
                tokens: 3,
                start_char: start,
                end_char: end,
                page_number: Some(index + 1),
                // As a chunk that was cut before they were kept.
                pages: ChunkPages::default(),
                headings: vec!["Guía".to_owned(), format!("Parte {index}")],
            };
            start = end + i32::try_from(SEGMENT_BREAK.len()).unwrap();
            chunk
        })
        .collect()
}

pub(crate) fn text_of(pieces: &[&str]) -> String {
    pieces.join(SEGMENT_BREAK)
}

pub(crate) async fn load(tx: &TenantTx, id: DocumentId) -> IngestItem {
    tx.ingest().load(id).await.unwrap().expect("the document")
}

/// Cuts the document into these pieces. Nobody sees them yet.
pub(crate) async fn build(tx: &TenantTx, id: DocumentId, pieces: &[&str]) -> IngestItem {
    let item = load(tx, id).await;
    let (text, info) = (text_of(pieces), DocumentInfo::default());
    tx.ingest()
        .build(&item, &text, &info, &text, &chunks(pieces))
        .await
        .unwrap();
    item
}

/// Gives the chunks from number `from` on their vectors, at most `limit` of them, and returns
/// which they were.
pub(crate) async fn embed(
    tx: &TenantTx,
    item: &IngestItem,
    from: i32,
    limit: u64,
) -> Vec<(ChunkId, Vec<f32>)> {
    let generation = item.next_generation();
    let waiting = tx
        .ingest()
        .unembedded(item.id, generation, MODEL, from, limit)
        .await
        .unwrap();
    let vectors: Vec<_> = waiting
        .iter()
        .map(|chunk| (chunk.id, vector(chunk.index)))
        .collect();
    let tokens = waiting.iter().map(|chunk| i64::from(chunk.tokens)).sum();
    tx.ingest()
        .add_vectors(item.kb.id, MODEL, &vectors, tokens)
        .await
        .unwrap();
    vectors
}

/// The whole walk of a document.
pub(crate) async fn process(tx: &TenantTx, id: DocumentId, pieces: &[&str]) {
    let item = build(tx, id, pieces).await;
    embed(tx, &item, 0, 1000).await;
    let generation = item.next_generation();
    assert!(tx.ingest().publish(&item, generation).await.unwrap());
}

/// A vector that no other chunk of the document has, with values that have no short decimal form.
pub(crate) fn vector(index: i32) -> Vec<f32> {
    #[expect(clippy::cast_precision_loss, reason = "the numbers are small")]
    let n = index as f32;
    vec![(n + 1.0) / 3.0, -n / 7.0, f32::MIN_POSITIVE, 0.0]
}

/// Every chunk that can be found in these knowledge bases, as an engine and a search after it would.
pub(crate) async fn searchable(tx: &TenantTx, kbs: &[KnowledgeBaseId]) -> Vec<Chunk> {
    let mut ids = Vec::new();
    for kb in kbs {
        let changes = tx.index_changes().since(*kb, 0, 10_000).await.unwrap();
        let documents: Vec<_> = changes.iter().map(|change| change.document).collect();
        for document in tx.index_changes().load(*kb, &documents).await.unwrap() {
            ids.extend(document.chunks.iter().map(|chunk| chunk.id));
        }
    }
    tx.chunks().findable(kbs, &ids).await.unwrap()
}
