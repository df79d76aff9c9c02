//! Search by meaning: exact inside the knowledge base, through its own graph once it has one.

use super::PgvectorSettings;
use crate::error::sqlx as failed;
use quipu_core::{DocumentId, Result};
use sea_orm::sqlx::{self, AssertSqlSafe, Postgres, Row, Transaction};
use std::collections::HashMap;
use std::fmt::Write as _;
use uuid::Uuid;

/// Vectors longer than this go into a graph in half precision.
const LONGEST_WHOLE: usize = 2_000;
/// Vectors longer than this go into no graph.
const LONGEST_HALF: usize = 4_000;
/// The most that pgvector lets a search of a graph look at together.
const BROADEST: u32 = 1_000;

/// A chunk with the cosine of its vector.
pub(super) struct Near {
    pub(super) chunk: Uuid,
    pub(super) document: Uuid,
    pub(super) cosine: f32,
}

/// A vector that is looked for among those of one model in one partition.
pub(super) struct Query<'a> {
    pub(super) slot: i64,
    pub(super) model: &'a str,
    pub(super) dimensions: i32,
    vector: String,
}

/// The type as which vectors of this length go into a graph.
pub(super) fn graph_type(dimensions: usize) -> Option<String> {
    if dimensions <= LONGEST_WHOLE {
        Some(format!("vector({dimensions})"))
    } else if dimensions <= LONGEST_HALF {
        Some(format!("halfvec({dimensions})"))
    } else {
        None
    }
}

impl<'a> Query<'a> {
    pub(super) fn new(slot: i64, model: &'a str, vector: &[f32]) -> Self {
        Self {
            slot,
            model,
            dimensions: i32::try_from(vector.len()).unwrap_or(i32::MAX),
            vector: written(vector),
        }
    }

    /// The nearest vectors, nearest first.
    pub(super) async fn nearest(
        &self,
        tx: &mut Transaction<'_, Postgres>,
        documents: Option<&[DocumentId]>,
        limit: usize,
        graph: bool,
        settings: PgvectorSettings,
    ) -> Result<Vec<Near>> {
        // A few documents are read one by one: no graph is faster, and none is as exact.
        if !graph || documents.is_some() {
            return self.exactly(tx, documents, limit).await;
        }
        let near = self.through_graph(tx, limit, settings).await?;
        if near.len() < limit {
            // A graph may run out of what it can reach. Whoever asks gets all there is.
            return self.exactly(tx, None, limit).await;
        }
        Ok(near)
    }

    /// Looks at every vector. The expression that is ordered by is of no graph, so that none is
    /// taken. What stands in a query of its own is read once; a plan that was made before values
    /// were known would read the text anew for every row, which takes forty times as long.
    async fn exactly(
        &self,
        tx: &mut Transaction<'_, Postgres>,
        documents: Option<&[DocumentId]>,
        limit: usize,
    ) -> Result<Vec<Near>> {
        let filter = match documents {
            Some(_) => "AND document_id = ANY($6)",
            None => "",
        };
        let sql = format!(
            "SELECT chunk_id, document_id, (-(embedding <#> (SELECT $4::text::vector)))::real
             FROM search_vectors
             WHERE slot = $1 AND model = $2 AND dimensions = $3 {filter}
             ORDER BY embedding <#> (SELECT $4::text::vector) LIMIT $5"
        );
        let mut query = sqlx::query(AssertSqlSafe(sql))
            .bind(self.slot)
            .bind(self.model)
            .bind(self.dimensions)
            .bind(&self.vector)
            .bind(i64::try_from(limit).unwrap_or(i64::MAX));
        if let Some(documents) = documents {
            query = query.bind(super::uuids(documents));
        }
        let rows = query.fetch_all(&mut **tx).await.map_err(failed)?;
        rows.iter().map(near).collect()
    }

    /// Has the graph name twice as many as are wanted and measures those exactly: in half
    /// precision the order of close ones is chance.
    async fn through_graph(
        &self,
        tx: &mut Transaction<'_, Postgres>,
        limit: usize,
        settings: PgvectorSettings,
    ) -> Result<Vec<Near>> {
        let dimensions = usize::try_from(self.dimensions).unwrap_or(usize::MAX);
        let Some(kind) = graph_type(dimensions) else {
            return self.exactly(tx, None, limit).await;
        };
        let wanted = u32::try_from(2 * limit).unwrap_or(BROADEST);
        let breadth = settings.graph_breadth.max(wanted).clamp(1, BROADEST);
        let settings = format!(
            "SET LOCAL hnsw.ef_search = {breadth}; SET LOCAL hnsw.iterative_scan = strict_order;
             SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL jit = off"
        );
        sqlx::raw_sql(AssertSqlSafe(settings))
            .execute(&mut **tx)
            .await
            .map_err(failed)?;
        // Whether a graph serves is decided before values are known, hence those of its condition
        // stand in the statement.
        let sql = format!(
            "SELECT chunk_id, document_id, (-(embedding <#> $1::text::vector))::real FROM (
               SELECT chunk_id, document_id, embedding FROM search_vectors
               WHERE {} ORDER BY embedding::{kind} <#> $1::text::{kind} LIMIT $2) AS close
             ORDER BY embedding <#> $1::text::vector LIMIT $3",
            condition(self.slot, self.model, self.dimensions)
        );
        let rows = sqlx::query(AssertSqlSafe(sql))
            .persistent(false)
            .bind(&self.vector)
            .bind(i64::from(wanted))
            .bind(i64::try_from(limit).unwrap_or(i64::MAX))
            .fetch_all(&mut **tx)
            .await
            .map_err(failed)?;
        rows.iter().map(near).collect()
    }

    /// The cosines of these chunks, where they have a vector.
    pub(super) async fn cosines(
        &self,
        tx: &mut Transaction<'_, Postgres>,
        chunks: &[Uuid],
    ) -> Result<HashMap<Uuid, f32>> {
        if chunks.is_empty() {
            return Ok(HashMap::new());
        }
        let rows = sqlx::query(
            "SELECT chunk_id, document_id, (-(embedding <#> (SELECT $4::text::vector)))::real
             FROM search_vectors
             WHERE slot = $1 AND model = $2 AND dimensions = $3 AND chunk_id = ANY($5)",
        )
        .bind(self.slot)
        .bind(self.model)
        .bind(self.dimensions)
        .bind(&self.vector)
        .bind(chunks)
        .fetch_all(&mut **tx)
        .await
        .map_err(failed)?;
        rows.iter()
            .map(|row| near(row).map(|near| (near.chunk, near.cosine)))
            .collect()
    }
}

/// The vectors that a graph is of.
pub(super) fn condition(slot: i64, model: &str, dimensions: i32) -> String {
    let model = model.replace('\\', "\\\\").replace('\'', "\\'");
    format!("slot = {slot} AND model = E'{model}' AND dimensions = {dimensions}")
}

fn near(row: &sqlx::postgres::PgRow) -> Result<Near> {
    Ok(Near {
        chunk: row.try_get(0).map_err(failed)?,
        document: row.try_get(1).map_err(failed)?,
        cosine: row.try_get(2).map_err(failed)?,
    })
}

/// A vector as pgvector reads it.
pub(super) fn written(vector: &[f32]) -> String {
    let mut written = String::with_capacity(2 + 12 * vector.len());
    written.push('[');
    for (index, x) in vector.iter().enumerate() {
        if index > 0 {
            written.push(',');
        }
        let _ = write!(written, "{x}");
    }
    written.push(']');
    written
}
