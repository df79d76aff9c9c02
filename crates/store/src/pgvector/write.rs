//! Taking in what changed, a portion in one transaction.

use super::{Known, enter, known, uuids};
use crate::error::sqlx as failed;
use quipu_core::analysis::bm25::{CONTENT_HALVES, Statistics, TITLE_HALVES};
use quipu_core::engine::{Changes, DocumentEntries, Entry, Partition};
use quipu_core::{DocumentId, Result};
use sea_orm::sqlx::{self, PgPool, Postgres, Transaction};
use std::collections::BTreeMap;
use uuid::Uuid;

/// Rows that are written by one statement.
const ROWS: usize = 500;

pub(super) enum Written {
    Reached(Known),
    /// The partition is no longer where the changes go on from.
    Overtaken,
    Removed,
}

/// Makes the row of a partition, unless somebody else did.
pub(super) async fn create(pool: &PgPool, partition: Partition) -> Result<Known> {
    loop {
        let mut tx = pool.begin().await.map_err(failed)?;
        enter(&mut tx, partition.tenant()).await?;
        sqlx::query(
            "INSERT INTO search_partitions (tenant_id, knowledge_base_id, owner_user_id)
             VALUES ($1, $2, (SELECT owner_user_id FROM knowledge_bases
                              WHERE tenant_id = $1 AND id = $2))
             ON CONFLICT DO NOTHING",
        )
        .bind(partition.tenant().uuid())
        .bind(partition.knowledge_base().uuid())
        .execute(&mut *tx)
        .await
        .map_err(failed)?;
        let made = known(&mut tx, partition).await?;
        tx.commit().await.map_err(failed)?;
        if let Some(made) = made {
            return Ok(made);
        }
    }
}

/// Writes a portion, provided that the partition is still as it was.
pub(super) async fn apply(
    pool: &PgPool,
    partition: Partition,
    before: Known,
    changes: Changes,
) -> Result<Written> {
    let mut tx = pool.begin().await.map_err(failed)?;
    enter(&mut tx, partition.tenant()).await?;
    patiently(&mut tx).await?;
    // One writer at a time: the others find the version moved when it is their turn.
    let version: Option<i64> =
        sqlx::query_scalar("SELECT version FROM search_partitions WHERE slot = $1 FOR UPDATE")
            .bind(before.slot)
            .fetch_optional(&mut *tx)
            .await
            .map_err(failed)?;
    match version {
        None => return Ok(Written::Removed),
        Some(version) if version != before.version => return Ok(Written::Overtaken),
        Some(_) => {}
    }
    let documents: Vec<DocumentId> = changes.documents.iter().map(|d| d.document).collect();
    let forgotten = (!changes.from_start).then_some(documents.as_slice());
    let (gone, shorter) = forget(&mut tx, before.slot, forgotten).await?;
    insert(&mut tx, partition, before.slot, &changes.documents).await?;
    let entries = || changes.documents.iter().flat_map(|d| &d.entries);
    let added = i64::try_from(entries().count()).unwrap_or(i64::MAX);
    let longer: i64 = entries().map(|entry| i64::from(length(entry))).sum();
    let (chunks, length): (i64, i64) = sqlx::query_as(
        "UPDATE search_partitions SET version = $2, chunks = chunks + $3, length = length + $4
         WHERE slot = $1 RETURNING chunks, length",
    )
    .bind(before.slot)
    .bind(changes.version)
    .bind(added - gone)
    .bind(longer - shorter)
    .fetch_one(&mut *tx)
    .await
    .map_err(failed)?;
    tx.commit().await.map_err(failed)?;
    Ok(Written::Reached(Known {
        slot: before.slot,
        version: changes.version,
        statistics: Statistics {
            chunks: chunks.unsigned_abs(),
            length: length.unsigned_abs(),
        },
    }))
}

/// Removes a partition and returns what it was.
pub(super) async fn remove(pool: &PgPool, partition: Partition) -> Result<Option<Known>> {
    let mut tx = pool.begin().await.map_err(failed)?;
    enter(&mut tx, partition.tenant()).await?;
    patiently(&mut tx).await?;
    // Whoever writes has the row; afterwards it is read again, since they may have added to it.
    let slot: Option<i64> = sqlx::query_scalar(
        "SELECT slot FROM search_partitions WHERE tenant_id = $1 AND knowledge_base_id = $2 FOR UPDATE",
    )
    .bind(partition.tenant().uuid())
    .bind(partition.knowledge_base().uuid())
    .fetch_optional(&mut *tx)
    .await
    .map_err(failed)?;
    let Some(slot) = slot else {
        return Ok(None);
    };
    let removed = known(&mut tx, partition).await?;
    sqlx::query("DELETE FROM search_partitions WHERE slot = $1")
        .bind(slot)
        .execute(&mut *tx)
        .await
        .map_err(failed)?;
    tx.commit().await.map_err(failed)?;
    Ok(removed)
}

/// Much may be written or deleted at once, and to begin again would take as long.
async fn patiently(tx: &mut Transaction<'_, Postgres>) -> Result<()> {
    sqlx::raw_sql("SET LOCAL statement_timeout = 0")
        .execute(&mut **tx)
        .await
        .map_err(failed)?;
    Ok(())
}

fn length(entry: &Entry) -> i32 {
    i32::try_from(entry.terms.len()).unwrap_or(i32::MAX)
}

/// Forgets documents, or everything. Returns how many chunks they had, and how long those were.
async fn forget(
    tx: &mut Transaction<'_, Postgres>,
    slot: i64,
    documents: Option<&[DocumentId]>,
) -> Result<(i64, i64)> {
    let filter = match documents {
        Some(_) => "slot = $1 AND document_id = ANY($2)",
        None => "slot = $1 AND $2::uuid[] IS NULL",
    };
    let documents = documents.map(uuids);
    let vectors = format!("DELETE FROM search_vectors WHERE {filter}");
    sqlx::query(sqlx::AssertSqlSafe(vectors))
        .bind(slot)
        .bind(documents.as_deref())
        .execute(&mut **tx)
        .await
        .map_err(failed)?;
    // Chunks know their terms with the slot in front.
    let chunks = format!(
        "WITH gone AS (DELETE FROM search_chunks WHERE {filter} RETURNING words, length),
              counted AS (
                SELECT substr(lexeme, strpos(lexeme, '/') + 1) AS term, count(*) AS chunks
                FROM gone, unnest(gone.words) GROUP BY 1),
              fewer AS (
                UPDATE search_terms t SET chunks = t.chunks - counted.chunks
                FROM counted WHERE t.slot = $1 AND t.term = counted.term)
         SELECT count(*), COALESCE(sum(length), 0)::bigint FROM gone"
    );
    let gone: (i64, i64) = sqlx::query_as(sqlx::AssertSqlSafe(chunks))
        .bind(slot)
        .bind(documents.as_deref())
        .fetch_one(&mut **tx)
        .await
        .map_err(failed)?;
    sqlx::query("DELETE FROM search_terms WHERE slot = $1 AND chunks <= 0")
        .bind(slot)
        .execute(&mut **tx)
        .await
        .map_err(failed)?;
    Ok(gone)
}

async fn insert(
    tx: &mut Transaction<'_, Postgres>,
    partition: Partition,
    slot: i64,
    documents: &[DocumentEntries],
) -> Result<()> {
    let entries: Vec<(Uuid, &Entry)> = documents
        .iter()
        .flat_map(|d| d.entries.iter().map(|entry| (d.document.uuid(), entry)))
        .collect();
    for rows in entries.chunks(ROWS) {
        insert_words(tx, partition, slot, rows).await?;
        insert_vectors(tx, partition, slot, rows).await?;
    }
    Ok(())
}

async fn insert_words(
    tx: &mut Transaction<'_, Postgres>,
    partition: Partition,
    slot: i64,
    rows: &[(Uuid, &Entry)],
) -> Result<()> {
    let mut documents = Vec::new();
    let mut chunks = Vec::new();
    let mut lengths: Vec<i32> = Vec::new();
    let mut words = Vec::new();
    let mut terms: BTreeMap<String, i64> = BTreeMap::new();
    for (document, entry) in rows {
        documents.push(*document);
        chunks.push(entry.chunk.uuid());
        lengths.push(length(entry));
        let halves = halves(entry);
        words.push(written(slot, &halves));
        for term in halves.into_keys() {
            *terms.entry(term).or_default() += 1;
        }
    }
    sqlx::query(
        "INSERT INTO search_chunks
           (tenant_id, owner_user_id, slot, document_id, chunk_id, length, words)
         SELECT $1, (SELECT owner_user_id FROM search_partitions WHERE slot = $2), $2,
           document_id, chunk_id, length, words::tsvector
         FROM unnest($3::uuid[], $4::uuid[], $5::int[], $6::text[])
           AS rows (document_id, chunk_id, length, words)",
    )
    .bind(partition.tenant().uuid())
    .bind(slot)
    .bind(documents)
    .bind(chunks)
    .bind(lengths)
    .bind(words)
    .execute(&mut **tx)
    .await
    .map_err(failed)?;
    let (terms, counts): (Vec<String>, Vec<i64>) = terms.into_iter().unzip();
    sqlx::query(
        "INSERT INTO search_terms (tenant_id, owner_user_id, slot, term, chunks)
         SELECT $1, (SELECT owner_user_id FROM search_partitions WHERE slot = $2), $2,
           term, chunks FROM unnest($3::text[], $4::bigint[]) AS rows (term, chunks)
         ON CONFLICT (slot, term) DO UPDATE SET chunks = search_terms.chunks + excluded.chunks",
    )
    .bind(partition.tenant().uuid())
    .bind(slot)
    .bind(terms)
    .bind(counts)
    .execute(&mut **tx)
    .await
    .map_err(failed)?;
    Ok(())
}

async fn insert_vectors(
    tx: &mut Transaction<'_, Postgres>,
    partition: Partition,
    slot: i64,
    rows: &[(Uuid, &Entry)],
) -> Result<()> {
    let mut documents = Vec::new();
    let mut chunks = Vec::new();
    let mut models = Vec::new();
    let mut dimensions: Vec<i32> = Vec::new();
    let mut vectors = Vec::new();
    for (document, entry) in rows {
        for (model, vector) in &entry.vectors {
            documents.push(*document);
            chunks.push(entry.chunk.uuid());
            models.push(model.clone());
            dimensions.push(i32::try_from(vector.len()).unwrap_or(i32::MAX));
            vectors.push(super::dense::written(vector));
        }
    }
    sqlx::query(
        "INSERT INTO search_vectors
           (tenant_id, owner_user_id, slot, document_id, chunk_id, model, dimensions, embedding)
         SELECT $1, (SELECT owner_user_id FROM search_partitions WHERE slot = $2), $2,
           document_id, chunk_id, model, dimensions, embedding::vector
         FROM unnest($3::uuid[], $4::uuid[], $5::text[], $6::int[], $7::text[])
           AS rows (document_id, chunk_id, model, dimensions, embedding)",
    )
    .bind(partition.tenant().uuid())
    .bind(slot)
    .bind(documents)
    .bind(chunks)
    .bind(models)
    .bind(dimensions)
    .bind(vectors)
    .execute(&mut **tx)
    .await
    .map_err(failed)?;
    Ok(())
}

/// How often each term counts, in halves.
fn halves(entry: &Entry) -> BTreeMap<String, u32> {
    let mut halves = BTreeMap::new();
    let content = entry.terms.iter().map(|term| (term, CONTENT_HALVES));
    let title = entry.title_terms.iter().map(|term| (term, TITLE_HALVES));
    for (term, times) in content.chain(title) {
        let term = super::words::kept(term).to_owned();
        *halves.entry(term).or_default() += times;
    }
    halves
}

/// The terms as full text search reads them: each with as many positions as it counts halves.
fn written(slot: i64, halves: &BTreeMap<String, u32>) -> String {
    use std::fmt::Write as _;
    let mut written = String::new();
    for (term, &times) in halves {
        written.push_str(&super::words::lexeme(slot, term));
        for position in 1..=times.min(super::words::MOST_HALVES) {
            written.push(if position == 1 { ':' } else { ',' });
            let _ = write!(written, "{position}");
        }
        written.push(' ');
    }
    written
}
