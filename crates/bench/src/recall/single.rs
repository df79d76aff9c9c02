//! One table with one index for everybody, filtered by knowledge base: the design that the engines
//! are held against.

use super::database::connect;
use super::{Answered, Asked, SHARES, WARM_UP};
use crate::Progress;
use crate::exact::NEAREST;
use crate::library::{DIMENSIONS, chunk_id, chunk_number, partition};
use crate::plan::EmptyDatabase;
use crate::report::PartReport;
use crate::times::Times;
use quipu_core::{Error, Result};
use sea_orm::sqlx::{self, AssertSqlSafe, Connection, PgConnection, Row};
use std::fmt::Write as _;
use std::time::Instant;
use uuid::Uuid;

/// A schema of its own: nothing that is there already can be in its way.
const SCHEMA: &str = "quipu_bench";
const TABLE: &str = "quipu_bench.kb_chunks";
const INDEX: &str = "kb_chunks_embedding_idx";
/// Rows that are written by one statement.
const ROWS: usize = 500;

struct Index {
    name: &'static str,
    about: &'static str,
    made: &'static str,
    /// What is set before a search.
    setting: &'static str,
}

const INDEXES: [Index; 2] = [
    Index {
        name: "one table, ivfflat",
        about: "lists 100, probes 1",
        made: "USING ivfflat (embedding vector_cosine_ops) WITH (lists = 100)",
        setting: "SET ivfflat.probes = 1",
    },
    Index {
        name: "one table, hnsw",
        about: "m 16, ef_construction 64, ef_search 40",
        made: "USING hnsw (embedding vector_cosine_ops) WITH (m = 16, ef_construction = 64)",
        setting: "SET hnsw.ef_search = 40",
    },
];

/// How a statement with the knowledge base as a parameter is planned.
#[derive(Clone, Copy, PartialEq)]
enum Planned {
    /// Once for all knowledge bases, as inside a function that is called again and again.
    Once,
    /// For each question, with an eye on how many rows its knowledge base has.
    Anew,
}

impl Planned {
    const fn setting(self) -> &'static str {
        match self {
            Self::Once => "SET plan_cache_mode = force_generic_plan",
            Self::Anew => "SET plan_cache_mode = force_custom_plan",
        }
    }
}

pub(super) async fn measure(
    asked: &Asked,
    database: &EmptyDatabase,
    report: &mut PartReport,
    progress: Progress<'_>,
) -> Result<()> {
    let mut own = connect(database).await?;
    let measured = in_table(&mut own, asked, report, progress).await;
    let dropped = run(&mut own, &format!("DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")).await;
    drop(own.close().await);
    measured.and(dropped)
}

async fn in_table(
    own: &mut PgConnection,
    asked: &Asked,
    report: &mut PartReport,
    progress: Progress<'_>,
) -> Result<()> {
    progress("  one table: filling");
    let begin = Instant::now();
    // More memory for making an index changes how long it takes, not what it finds.
    run(
        own,
        &format!(
            "SET statement_timeout = 0; SET maintenance_work_mem = '512MB';
             DROP SCHEMA IF EXISTS {SCHEMA} CASCADE; CREATE SCHEMA {SCHEMA};
             CREATE TABLE {TABLE} (id uuid PRIMARY KEY, tenant_id uuid NOT NULL,
               knowledge_base_id uuid NOT NULL, embedding vector({DIMENSIONS}) NOT NULL)"
        ),
    )
    .await?;
    for base in 0..asked.library.len() {
        fill(own, asked, base).await?;
    }
    asked.took("one table", "filling", begin.elapsed(), report);
    for index in &INDEXES {
        progress(&format!("  {}: making the index", index.name));
        let begin = Instant::now();
        run(
            own,
            &format!("CREATE INDEX {INDEX} ON {TABLE} {}", index.made),
        )
        .await?;
        run(own, &format!("ANALYZE {TABLE}; {}", index.setting)).await?;
        asked.took(index.name, "making the index", begin.elapsed(), report);
        progress(&format!("  {}: asking", index.name));
        let name = format!("{} ({})", index.name, index.about);
        for base in 0..SHARES.len() {
            let once = ask(own, asked, base, Planned::Once).await?;
            asked.add(&name, base, &once, report);
            let anew = ask(own, asked, base, Planned::Anew).await?;
            // Where both plans are alike, so are the figures.
            if once.uses_index != anew.uses_index {
                let name = format!("{name}, planned anew for each question");
                asked.add(&name, base, &anew, report);
            }
        }
        run(own, &format!("DROP INDEX {SCHEMA}.{INDEX}")).await?;
    }
    Ok(())
}

async fn fill(own: &mut PgConnection, asked: &Asked, base: usize) -> Result<()> {
    let partition = partition(base);
    let insert = format!(
        "INSERT INTO {TABLE} (id, tenant_id, knowledge_base_id, embedding)
         SELECT id, $1, $2, embedding::vector FROM unnest($3::uuid[], $4::text[]) AS rows (id, embedding)"
    );
    let numbers: Vec<u64> = asked.library.numbers(base).collect();
    for numbers in numbers.chunks(ROWS) {
        let ids: Vec<Uuid> = numbers.iter().map(|n| chunk_id(*n).uuid()).collect();
        let vectors: Vec<String> = numbers
            .iter()
            .map(|number| written(&asked.library.vector(base, *number)))
            .collect();
        sqlx::query(AssertSqlSafe(insert.clone()))
            .bind(partition.tenant().uuid())
            .bind(partition.knowledge_base().uuid())
            .bind(ids)
            .bind(vectors)
            .execute(&mut *own)
            .await
            .map_err(Error::internal)?;
    }
    Ok(())
}

fn select(knowledge_base: &str, vector: &str) -> String {
    format!(
        "SELECT id FROM {TABLE} WHERE knowledge_base_id = {knowledge_base}
         ORDER BY embedding <=> {vector} LIMIT {NEAREST}"
    )
}

async fn ask(
    own: &mut PgConnection,
    asked: &Asked,
    base: usize,
    planned: Planned,
) -> Result<Answered> {
    run(own, planned.setting()).await?;
    let kb = partition(base).knowledge_base().uuid();
    let uses_index = uses_index(own, kb, &asked.questions[base][0]).await?;
    let sql = select("$1", "$2::text::vector");
    let mut times = Times::default();
    let mut found = Vec::new();
    for (number, vector) in asked.questions[base].iter().enumerate() {
        let query = sqlx::query(AssertSqlSafe(sql.clone()))
            .bind(kb)
            .bind(written(vector))
            .fetch_all(&mut *own);
        let rows = async { query.await.map_err(Error::internal) };
        if number < WARM_UP {
            rows.await?;
            continue;
        }
        let rows = times.take(rows).await?;
        let ids = rows.iter().map(|row| row.try_get::<Uuid, _>(0));
        let numbers = ids.map(|id| id.map(chunk_number));
        found.push(numbers.collect::<Result<_, _>>().map_err(Error::internal)?);
    }
    Ok(Answered {
        times,
        found,
        uses_index: Some(uses_index),
    })
}

/// Whether the planner uses the index for the very statement that is asked, as things are set.
async fn uses_index(own: &mut PgConnection, kb: Uuid, vector: &[f32]) -> Result<bool> {
    let sql = select("$1", "$2::text::vector");
    run(
        own,
        &format!("PREPARE nearest_of_one (uuid, text) AS {sql}"),
    )
    .await?;
    let vector = written(vector);
    let sql = format!("EXPLAIN EXECUTE nearest_of_one ('{kb}', '{vector}')");
    let rows = sqlx::raw_sql(AssertSqlSafe(sql))
        .fetch_all(&mut *own)
        .await
        .map_err(Error::internal)?;
    run(own, "DEALLOCATE nearest_of_one").await?;
    let lines = rows.iter().map(|row| row.try_get::<String, _>(0));
    let lines: Vec<String> = lines.collect::<Result<_, _>>().map_err(Error::internal)?;
    Ok(lines.iter().any(|line| line.contains(INDEX)))
}

async fn run(own: &mut PgConnection, sql: &str) -> Result<()> {
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
        .execute(own)
        .await
        .map_err(Error::internal)?;
    Ok(())
}

/// A vector as pgvector reads it.
fn written(vector: &[f32]) -> String {
    let mut written = String::from("[");
    for (at, x) in vector.iter().enumerate() {
        if at > 0 {
            written.push(',');
        }
        let _ = write!(written, "{x}");
    }
    written.push(']');
    written
}
