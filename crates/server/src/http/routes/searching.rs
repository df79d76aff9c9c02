//! A search as people ask for it and what it answers, shared by the routes that search.

use quipu_agents::clean_passages;
use quipu_app::search::{Names, SearchInput, Searched};
use quipu_core::knowledge::{BusinessThing, SearchFilter};
use quipu_core::retrieval::{Passage, RawScores};
use quipu_core::{ChunkId, DocumentId, KnowledgeBaseId};
use quipu_knowledge::{
    CONTEXT_TOKENS, ContextSource, DEFAULT_THRESHOLD, DEFAULT_TOP_K, Mode, context,
};
use serde::{Deserialize, Deserializer, Serialize};
use std::time::Duration;
use utoipa::ToSchema;

pub(super) const NAMES: Names = Names {
    top_k: "top_k",
    threshold: "similarity_threshold",
};

#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum SearchMode {
    /// By meaning and by words.
    #[default]
    Hybrid,
    /// By meaning alone.
    Dense,
    /// By words alone.
    Lexical,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RagQuery {
    #[schema(
        min_length = 1,
        max_length = 4000,
        example = "¿cuánto cuesta la limpieza?"
    )]
    query: String,
    /// Only these of the knowledge bases that can be searched here; all of them when empty.
    #[serde(default)]
    #[schema(max_items = 1000)]
    knowledge_base_ids: Vec<KnowledgeBaseId>,
    /// How many chunks are wanted.
    #[serde(default = "default_top_k")]
    #[schema(minimum = 1, maximum = 20, default = 5)]
    top_k: usize,
    /// The least similarity of a chunk.
    #[serde(default = "default_threshold")]
    #[schema(minimum = 0, maximum = 1, default = 0.7)]
    similarity_threshold: f32,
    #[serde(default)]
    mode: SearchMode,
    /// Whether the best are judged again, more closely; as the installation has it when nothing is
    /// said.
    #[serde(default)]
    rerank: Option<bool>,
    #[serde(default)]
    filters: Filters,
}

fn default_top_k() -> usize {
    DEFAULT_TOP_K
}

fn default_threshold() -> f32 {
    DEFAULT_THRESHOLD
}

/// Which documents are looked at; all of them when nothing is said.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Filters {
    #[serde(default)]
    #[schema(max_items = 1000)]
    document_ids: Vec<DocumentId>,
    #[serde(default)]
    category: Option<String>,
    /// All of these.
    #[serde(default)]
    #[schema(max_items = 50)]
    tags: Vec<String>,
    /// Values that the document's metadata has under these keys.
    #[serde(default)]
    #[schema(value_type = Object, example = json!({ "sucursal": "Miraflores" }))]
    metadata: serde_json::Map<String, serde_json::Value>,
    #[serde(default)]
    date_range: Option<DateRange>,
}

/// Days, both included. A document without a date of its own has the day it was added. An instant,
/// such as `2026-01-01T00:00:00Z`, stands for its day: the one it says, or the one of UTC where it
/// names an offset.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct DateRange {
    #[serde(default, deserialize_with = "day")]
    #[schema(value_type = Option<String>, example = "2026-01-01")]
    from: Option<jiff::civil::Date>,
    #[serde(default, deserialize_with = "day")]
    #[schema(value_type = Option<String>, example = "2026-12-31T23:59:59Z")]
    to: Option<jiff::civil::Date>,
}

/// A day, or the day of an instant.
fn day<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<jiff::civil::Date>, D::Error> {
    let Some(text) = Option::<String>::deserialize(deserializer)? else {
        return Ok(None);
    };
    let text = text.trim();
    // What names an offset is an instant; everything else says its day itself.
    let day = match text.parse::<jiff::Timestamp>() {
        Ok(instant) => Ok(instant.to_zoned(jiff::tz::TimeZone::UTC).date()),
        Err(_) => text.parse(),
    };
    day.map(Some).map_err(|_| {
        serde::de::Error::custom("not a day such as 2026-01-31, nor 2026-01-31T08:00:00Z")
    })
}

impl RagQuery {
    pub(super) fn into_input(self) -> SearchInput {
        let Filters {
            document_ids: documents,
            category,
            tags,
            metadata,
            date_range,
        } = self.filters;
        let (from, to) = date_range.map_or((None, None), |range| (range.from, range.to));
        SearchInput {
            query: self.query,
            top_k: self.top_k,
            threshold: self.similarity_threshold,
            mode: match self.mode {
                SearchMode::Hybrid => Mode::Hybrid,
                SearchMode::Dense => Mode::Dense,
                SearchMode::Lexical => Mode::Lexical,
            },
            rerank: self.rerank,
            knowledge_bases: self.knowledge_base_ids,
            filter: SearchFilter {
                documents,
                category,
                tags: tags.iter().map(|tag| tag.trim().to_lowercase()).collect(),
                metadata,
                from,
                to,
            },
        }
    }
}

#[derive(Serialize, ToSchema)]
pub(super) struct RagResult {
    /// The best chunk first.
    chunks: Vec<RagChunk>,
    /// The chunks as a model is given them, fenced as data and numbered.
    formatted_context: String,
    /// What the numbers in the context stand for.
    sources: Vec<ContextSource>,
    search_time_ms: u64,
    total_chunks_searched: usize,
    timings: StageTimings,
    /// What the search had to do without: `embedding` when only words could be looked for,
    /// `engine` when a knowledge base could not be searched, `rerank` when nobody judged again.
    degraded: Vec<&'static str>,
}

/// What a test search answers.
#[derive(Serialize, ToSchema)]
pub(super) struct TrialResult {
    #[serde(flatten)]
    found: RagResult,
    /// The chunks in few words, the best first.
    results: Vec<TrialHit>,
}

#[derive(Serialize, ToSchema)]
struct TrialHit {
    content: String,
    document_name: Option<String>,
    page_number: Option<i32>,
    similarity_score: f32,
}

impl From<Searched> for TrialResult {
    fn from(searched: Searched) -> Self {
        let found = RagResult::from(searched);
        let results = found.chunks.iter().map(|chunk| TrialHit {
            content: chunk.content.clone(),
            document_name: chunk.document_name.clone(),
            page_number: chunk.page_number,
            similarity_score: chunk.similarity_score,
        });
        Self {
            results: results.collect(),
            found,
        }
    }
}

#[derive(Serialize, ToSchema)]
struct RagChunk {
    content: String,
    document_id: DocumentId,
    document_name: Option<String>,
    /// The page on which what was asked for stands.
    page_number: Option<i32>,
    /// The pages on which the chunk begins and ends.
    page_start: Option<i32>,
    page_end: Option<i32>,
    /// The headings above it, outermost first.
    headings: Vec<String>,
    /// Where the document was read, when it is a web page.
    source_url: Option<String>,
    /// How surely it answers, 0 to 1.
    similarity_score: f32,
    /// What each leg measured.
    raw_scores: RawScores,
    #[schema(value_type = Object)]
    metadata: serde_json::Value,
    chunk_id: ChunkId,
    knowledge_base_id: KnowledgeBaseId,
    /// `document`, or what of the business it tells about, such as `faq` or `instruction`.
    #[schema(example = "document")]
    kind: String,
    /// Whether it is for whoever answers customers and not to be told to them. Only who may read the
    /// catalogue (`business:read`) is shown such chunks.
    internal: bool,
    /// Positions in characters of the document's extracted text.
    start_char: i32,
    end_char: i32,
}

/// Milliseconds of each step.
#[derive(Serialize, ToSchema)]
struct StageTimings {
    embedding: f64,
    search: f64,
    rerank: f64,
    reading: f64,
    total: f64,
}

impl From<Passage> for RagChunk {
    fn from(passage: Passage) -> Self {
        let thing = passage.business;
        Self {
            internal: thing.as_ref().is_some_and(BusinessThing::is_internal),
            kind: thing.map_or_else(|| "document".to_owned(), |thing| thing.kind),
            content: passage.content,
            document_id: passage.document_id,
            document_name: passage.title,
            page_number: passage.page_number,
            page_start: passage.pages.first(),
            page_end: passage.pages.last(),
            headings: passage.headings,
            source_url: passage.source_url,
            similarity_score: passage.similarity,
            raw_scores: passage.raw,
            metadata: passage.metadata,
            chunk_id: passage.chunk_id,
            knowledge_base_id: passage.knowledge_base_id,
            start_char: passage.start_char,
            end_char: passage.end_char,
        }
    }
}

impl From<Searched> for RagResult {
    fn from(searched: Searched) -> Self {
        let found = searched.retrieval;
        // This is for a model; people see each passage as it stands.
        let mut told = found.passages.clone();
        clean_passages(&mut told);
        let context = context(&searched.scope, &told, searched.language, CONTEXT_TOKENS);
        let mut degraded = Vec::new();
        if found.missing.meaning {
            degraded.push("embedding");
        }
        if found.missing.knowledge {
            degraded.push("engine");
        }
        if found.missing.reranking {
            degraded.push("rerank");
        }
        Self {
            chunks: found.passages.into_iter().map(Into::into).collect(),
            formatted_context: context.text,
            sources: context.sources,
            search_time_ms: u64::try_from(found.timings.total.as_millis()).unwrap_or(u64::MAX),
            total_chunks_searched: found.total_chunks_searched,
            timings: StageTimings {
                embedding: millis(found.timings.embedding),
                search: millis(found.timings.search),
                rerank: millis(found.timings.rerank),
                reading: millis(found.timings.reading),
                total: millis(found.timings.total),
            },
            degraded,
        }
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_day_is_read_from_dates_and_instants() {
        let from = |text: &str| {
            let range: Result<DateRange, _> = serde_json::from_value(json!({ "from": text }));
            range.map(|range| range.from.map(|day| day.to_string()).unwrap_or_default())
        };
        for (text, day) in [
            ("2026-01-31", "2026-01-31"),
            ("2026-01-31T23:30:00", "2026-01-31"),
            ("2026-01-31T23:30:00.000Z", "2026-01-31"),
            ("2026-01-31T23:30:00-05:00", "2026-02-01"),
        ] {
            assert_eq!(from(text).unwrap(), day);
        }
        for wrong in [
            "",
            "ayer",
            "31/01/2026",
            "2026-02-30",
            "2026-13-01T00:00:00Z",
        ] {
            assert!(from(wrong).is_err(), "{wrong}");
        }
        let open: DateRange = serde_json::from_value(json!({ "from": null })).unwrap();
        assert_eq!((open.from, open.to), (None, None));
    }
}
