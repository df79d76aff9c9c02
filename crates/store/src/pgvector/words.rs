//! Search by words, with the full text search of PostgreSQL.
//!
//! A chunk's text vector has each term as often as it counts, in halves. How often that is comes
//! back through the rank of the term alone: with all weights at one, the rank of a word that is
//! there `n` times is the sum of 1/i² up to `n`, divided by its limit. Everything else is measured
//! here, over all chunks that have any of the terms, as every engine measures.

use super::{Known, take_role};
use crate::error::sqlx as failed;
use crate::migrate::{APP_ROLE, PLATFORM_ROLE};
use futures::TryStreamExt;
use quipu_core::analysis::Question;
use quipu_core::analysis::bm25::{self, Counted, Score};
use quipu_core::engine::{Hit, Probe};
use quipu_core::{ChunkId, DocumentId, Result, TenantId};
use sea_orm::sqlx::{self, AssertSqlSafe, Postgres, Row, Transaction};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::sync::LazyLock;
use uuid::Uuid;

/// The most positions that a text vector keeps of a word. One that is there oftener says no more.
pub(super) const MOST_HALVES: u32 = 255;
/// A text vector takes no longer words than 2 kB.
const LONGEST_TERM: usize = 1_000;
/// What PostgreSQL divides a rank by: the sum of 1/i² without end.
const LIMIT: f32 = 1.644_934;

/// A chunk with some term of the question.
pub(super) struct Matched {
    pub(super) chunk: Uuid,
    pub(super) document: Uuid,
    score: Score,
}

/// All chunks of a partition with some term of a question, measured.
pub(super) struct Words {
    /// For each idea of the question, whether some chunk has it.
    pub(super) known: Vec<bool>,
    matched: Vec<Matched>,
    by_chunk: HashMap<Uuid, usize>,
}

impl Words {
    pub(super) async fn measure(
        tx: &mut Transaction<'_, Postgres>,
        tenant: TenantId,
        known: Known,
        probe: &Probe,
    ) -> Result<Self> {
        let question = corrected(tx, known.slot, &probe.question).await?;
        let (ids, counted) = matches(tx, tenant, known.slot, &question.sought()).await?;
        let (ideas, scores) = bm25::measure(&question, &counted, known.statistics);
        let matched: Vec<Matched> = ids
            .into_iter()
            .zip(scores)
            .map(|((chunk, document), score)| Matched {
                chunk,
                document,
                score,
            })
            .collect();
        let by_chunk = matched.iter().map(|m| m.chunk).zip(0..).collect();
        Ok(Self {
            known: ideas,
            matched,
            by_chunk,
        })
    }

    /// The chunks that answer best.
    pub(super) fn best(&self, probe: &Probe) -> Vec<&Matched> {
        let wanted: Option<HashSet<Uuid>> = probe
            .documents
            .as_ref()
            .map(|documents| documents.iter().map(|document| document.uuid()).collect());
        let mut best: Vec<&Matched> = self
            .matched
            .iter()
            .filter(|m| m.score.total() > 0.0)
            .filter(|m| {
                wanted
                    .as_ref()
                    .is_none_or(|wanted| wanted.contains(&m.document))
            })
            .collect();
        best.sort_unstable_by(|a, b| {
            let score = b.score.total().total_cmp(&a.score.total());
            score.then(a.chunk.cmp(&b.chunk))
        });
        best.truncate(probe.limit);
        best
    }

    /// A chunk with the measures of its words.
    pub(super) fn hit(&self, chunk: Uuid, document: Uuid, cosine: Option<f32>) -> Hit {
        let score = self
            .by_chunk
            .get(&chunk)
            .map_or_else(Score::default, |&at| self.matched[at].score);
        Hit {
            chunk: ChunkId::from_uuid(chunk),
            document: DocumentId::from_uuid(document),
            cosine,
            coverage: score.coverage,
            relevance: score.relevance,
        }
    }
}

/// The question with the words that may have been meant, and of its terms those that occur: one
/// that no chunk has need not be looked for in any.
async fn corrected(
    tx: &mut Transaction<'_, Postgres>,
    slot: i64,
    question: &Question,
) -> Result<Question> {
    let named: Vec<&str> = question.asked_by_name().into_iter().map(kept).collect();
    let mut terms: Vec<String> =
        sqlx::query_scalar("SELECT term FROM search_terms WHERE slot = $1 AND term = ANY($2)")
            .bind(slot)
            .bind(named)
            .fetch_all(&mut **tx)
            .await
            .map_err(failed)?;
    let vocabulary: HashSet<&str> = terms.iter().map(String::as_str).collect();
    let unknown = question.unknown(&vocabulary);
    let mut near: Vec<String> = Vec::new();
    for unknown in &unknown {
        let bytes = i32::try_from(unknown.word.len()).unwrap_or(i32::MAX);
        let letters = i32::try_from(unknown.word.chars().count()).unwrap_or(i32::MAX);
        let initials: Vec<String> = unknown.initials.iter().map(char::to_string).collect();
        let found: Vec<String> = sqlx::query_scalar(
            "SELECT term FROM search_terms WHERE slot = $1 AND (
               char_length(term) BETWEEN $2 - 1 AND $2 + 1
               OR (octet_length(term) BETWEEN $3 - 4 AND $3 + 4 AND left(term, 1) = ANY($4)))",
        )
        .bind(slot)
        .bind(letters)
        .bind(bytes)
        .bind(initials)
        .fetch_all(&mut **tx)
        .await
        .map_err(failed)?;
        near.extend(found);
    }
    drop(vocabulary);
    terms.extend(near);
    let vocabulary: HashSet<&str> = terms.iter().map(String::as_str).collect();
    let corrected = question.clone().corrected(&vocabulary);
    Ok(corrected.known_to(|term| vocabulary.contains(kept(term))))
}

/// The chunks that have any of the sought terms, and how often they have each.
///
/// Matching words is not leakproof, so that behind row-level security PostgreSQL would look at every
/// chunk of the table before it looks at any word. This one question is therefore asked past that
/// wall, of one tenant and one slot by name: a slot that came from behind the wall.
async fn matches(
    tx: &mut Transaction<'_, Postgres>,
    tenant: TenantId,
    slot: i64,
    sought: &[&str],
) -> Result<(Vec<(Uuid, Uuid)>, Vec<Counted>)> {
    let (mut ids, mut counted) = (Vec::new(), Vec::new());
    if sought.is_empty() {
        return Ok((ids, counted));
    }
    let lexemes: Vec<String> = sought.iter().map(|term| lexeme(slot, term)).collect();
    // Each text in a query of its own, so that it is read once and not for every chunk.
    let mut sql = String::from("SELECT chunk_id, document_id, length, ARRAY[");
    for index in 0..lexemes.len() {
        let comma = if index == 0 { "" } else { ", " };
        let _ = write!(
            sql,
            "{comma}ts_rank('{{1,1,1,1}}', words, (SELECT ${}::text::tsquery))",
            index + 4
        );
    }
    sql.push_str(
        "] FROM search_chunks WHERE tenant_id = $1 AND slot = $2 AND words @@ (SELECT $3::text::tsquery)",
    );
    take_role(tx, PLATFORM_ROLE).await?;
    let mut query = sqlx::query(AssertSqlSafe(sql))
        .bind(tenant.uuid())
        .bind(slot)
        .bind(lexemes.join(" | "));
    for lexeme in &lexemes {
        query = query.bind(lexeme);
    }
    let mut rows = query.fetch(&mut **tx);
    while let Some(row) = rows.try_next().await.map_err(failed)? {
        ids.push((
            row.try_get(0).map_err(failed)?,
            row.try_get(1).map_err(failed)?,
        ));
        let length: i32 = row.try_get(2).map_err(failed)?;
        let ranks: Vec<f32> = row.try_get(3).map_err(failed)?;
        counted.push(Counted {
            length: length.unsigned_abs(),
            halves: ranks.into_iter().map(times).collect(),
        });
    }
    drop(rows);
    take_role(tx, APP_ROLE).await?;
    Ok((ids, counted))
}

/// As much of a term as is kept.
pub(super) fn kept(term: &str) -> &str {
    &term[..term.floor_char_boundary(LONGEST_TERM)]
}

/// A term of a partition, as text vectors and queries write it.
pub(super) fn lexeme(slot: i64, term: &str) -> String {
    let quoted = kept(term).replace('\\', "\\\\").replace('\'', "''");
    format!("'{slot}/{quoted}'")
}

/// How often a word is there whose rank is this.
fn times(rank: f32) -> u32 {
    static RANKS: LazyLock<Vec<f32>> = LazyLock::new(|| {
        let mut sum = 0.0_f32;
        (1..=MOST_HALVES)
            .map(|i| {
                #[expect(clippy::cast_precision_loss, reason = "255² has 16 bits")]
                let squared = (i * i) as f32;
                sum += 1.0 / squared;
                sum / LIMIT
            })
            .collect()
    });
    if rank <= 0.0 {
        return 0;
    }
    let above = RANKS.partition_point(|&known| known < rank);
    let nearer = |a: usize, b: usize| (RANKS[a] - rank).abs() <= (RANKS[b] - rank).abs();
    let index = match above {
        0 => 0,
        above if above >= RANKS.len() => RANKS.len() - 1,
        above if nearer(above - 1, above) => above - 1,
        above => above,
    };
    u32::try_from(index + 1).unwrap_or(MOST_HALVES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rank_says_how_often() {
        let mut sum = 0.0_f64;
        for n in 1..=MOST_HALVES {
            sum += 1.0 / f64::from(n * n);
            #[expect(clippy::cast_possible_truncation, reason = "ranks are that short")]
            let rank = (sum / 1.644_934_066_85) as f32;
            assert_eq!(times(rank), n);
        }
        assert_eq!(times(0.0), 0);
    }

    #[test]
    fn terms_are_quoted() {
        assert_eq!(lexeme(7, "o'clock\\"), "'7/o''clock\\\\'");
        assert_eq!(kept(&"ñ".repeat(900)).len(), 1_000);
    }
}
