//! What a model finds when it searches by itself, numbered so that it can be cited like what it was shown.

use super::findings::cleaned;
use super::reply::Draft;
use super::trace::Notes;
use quipu_commerce::business::ItemKind;
use quipu_core::chunking::ChunkPages;
use quipu_core::knowledge::DocumentSource;
use quipu_core::retrieval::{Passage, RawScores};
use quipu_core::{ChunkId, DocumentId, KnowledgeBaseId};
use serde::Deserialize;
use serde_json::{Value, json};

/// The tool whose results are passages.
pub(super) const SEARCH: &str = "search_knowledge_base";

/// A result of the tool, as far as a citation needs it.
#[derive(Deserialize)]
struct FoundPassage {
    chunk_id: ChunkId,
    document_id: DocumentId,
    knowledge_base_id: KnowledgeBaseId,
    title: Option<String>,
    content: String,
    start_char: i32,
    end_char: i32,
    page_number: Option<i32>,
    #[serde(default)]
    pages: ChunkPages,
    relevance_score: f32,
}

impl From<FoundPassage> for Passage {
    fn from(found: FoundPassage) -> Self {
        Self {
            chunk_id: found.chunk_id,
            document_id: found.document_id,
            knowledge_base_id: found.knowledge_base_id,
            title: found.title,
            source: DocumentSource::Manual,
            content: found.content,
            start_char: found.start_char,
            end_char: found.end_char,
            page_number: found.page_number,
            pages: found.pages,
            headings: Vec::new(),
            source_url: None,
            file_type: None,
            metadata: Value::Null,
            business: None,
            similarity: found.relevance_score,
            raw: RawScores::default(),
        }
    }
}

/// The result as a model is shown it: each passage with the number it is cited by, without what speaks to the
/// assistant in it, and without what only the program needs. What cannot be cited stays as it is.
pub(super) fn numbered(mut result: Value, draft: &mut Draft<'_>, notes: &mut Notes) -> Value {
    let Some(found) = result.get_mut("results").and_then(Value::as_array_mut) else {
        return result;
    };
    let shown = std::mem::take(found).into_iter().filter_map(|item| {
        let Ok(passage) = FoundPassage::deserialize(&item) else {
            keep_internal(&item, draft);
            return Some(item);
        };
        let passage = cleaned(vec![passage.into()], notes).pop()?;
        let mut told = json!({ "content": passage.content });
        if let Some(title) = &passage.title {
            told["title"] = json!(title);
        }
        if let Some(page) = passage.page_number {
            told["page_number"] = json!(page);
        }
        told["cite_as"] = json!(format!("[{}]", draft.citable(passage)));
        Some(told)
    });
    *found = shown.collect();
    result
}

/// How to speak of a competitor is for the agent alone, whichever tool tells it.
fn keep_internal(item: &Value, draft: &mut Draft<'_>) {
    if item["category"] == ItemKind::Competitor.as_str()
        && let Some(text) = item["content"].as_str()
    {
        draft.checker().keep_secret(text);
    }
}
