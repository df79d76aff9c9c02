//! How a text would be cut, before anything is changed.

use super::load;
use crate::{Actor, App, embeddings, knowledge_bases};
use quipu_core::chunking::ChunkingConfig;
use quipu_core::embedding::EmbeddingConfig;
use quipu_core::extraction::{Extracted, SEGMENT_BREAK, Segment};
use quipu_core::format::Format;
use quipu_core::tenancy::TenantScope;
use quipu_core::validate::{Checks, Problem};
use quipu_core::{DocumentId, Error, ErrorCode, KnowledgeBaseId, Result};
use quipu_knowledge::{ChunkDraft, chunk_document};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use utoipa::ToSchema;

const MAX_TYPED_CHARS: usize = 100_000;
/// How much of a long document is cut: whoever looks at the first chunks waits for no more.
const MAX_CUT_CHARS: usize = 1_000_000;
const MAX_CHUNKS: u32 = 50;
/// Characters of chunks in one answer.
const MAX_ANSWER_CHARS: usize = 40_000;
/// A larger original is not read again for this.
const LARGEST_ORIGINAL: u64 = 25 * 1024 * 1024;
/// Nor is one waited for any longer.
const LONGEST_READING: Duration = Duration::from_secs(12);

/// What is cut, and how. Exactly one of `document_id` and `text` is given.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PreviewChunks {
    /// A document of the knowledge base.
    #[serde(default)]
    pub document_id: Option<DocumentId>,
    #[serde(default)]
    #[schema(
        min_length = 1,
        max_length = 100_000,
        example = "La limpieza dental cuesta S/ 120.\n\nEl blanqueamiento cuesta S/ 350."
    )]
    pub text: Option<String>,
    /// The knowledge base's own when absent.
    #[serde(default)]
    pub chunking_config: Option<ChunkingConfig>,
    /// The most chunks that are shown.
    #[serde(default = "default_limit")]
    #[schema(minimum = 1, maximum = 50, default = 20)]
    pub limit: u32,
}

fn default_limit() -> u32 {
    20
}

/// The first chunks that there would be, and what all of them would be like.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ChunkPreview {
    /// As many as were asked for and as have room in an answer.
    pub data: Vec<PreviewedChunk>,
    /// How many there would be.
    pub total: u64,
    pub characters: SizeSummary,
    pub tokens: SizeSummary,
    /// Whether the document is so long that only its beginning was cut.
    pub partial: bool,
    /// Whether pages and headings are known. They are not where the text that is kept was cut, because
    /// the original is gone, too large or too slow to read.
    pub structured: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PreviewedChunk {
    pub chunk_index: i32,
    pub content: String,
    pub content_tokens: i32,
    /// The page on which most of it stands.
    pub page_number: Option<i32>,
    /// Positions in characters of the text.
    pub start_char: i32,
    pub end_char: i32,
    /// The headings above it, outermost first.
    pub headings: Vec<String>,
}

/// How long the chunks are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct SizeSummary {
    pub smallest: u64,
    pub average: u64,
    pub largest: u64,
}

impl SizeSummary {
    fn of(sizes: impl Iterator<Item = i32>) -> Self {
        let (mut summary, mut sum, mut count) = (Self::default(), 0, 0);
        for size in sizes {
            let size = u64::try_from(size).unwrap_or(0);
            summary.smallest = if count == 0 {
                size
            } else {
                summary.smallest.min(size)
            };
            summary.largest = summary.largest.max(size);
            sum += size;
            count += 1;
        }
        summary.average = sum.checked_div(count).unwrap_or(0);
        summary
    }
}

/// A text with what is known about its stretches.
struct ReadText {
    extracted: Extracted,
    structured: bool,
}

impl ReadText {
    fn plain(text: String, structured: bool) -> Self {
        let segment = Segment {
            text,
            ..Segment::default()
        };
        Self {
            extracted: Extracted {
                segments: vec![segment],
                ..Extracted::default()
            },
            structured,
        }
    }
}

/// Cuts a text or a document as it would be with this configuration, and keeps nothing of it.
///
/// # Errors
/// `NOT_FOUND` when knowledge base or document is not there or is somebody else's, `FORBIDDEN` for
/// whoever could not save the configuration, `VALIDATION_FAILED`, or `DOCUMENT_STATE` for a document
/// whose text nobody has read yet.
pub async fn preview_chunks(
    app: &App,
    actor: &Actor,
    kb: KnowledgeBaseId,
    input: PreviewChunks,
) -> Result<ChunkPreview> {
    let mut checks = Checks::new();
    checks.range("limit", input.limit.into(), 1, MAX_CHUNKS.into());
    if let Some(config) = &input.chunking_config {
        config.check(&mut checks);
    }
    if let Some(text) = &input.text {
        checks.text("text", text, MAX_TYPED_CHARS);
    }
    if input.text.is_some() == input.document_id.is_some() {
        let fields = "document_id, text".to_owned();
        checks.problem("text", Problem::OneOf { fields });
    }
    checks.finish()?;

    let tx = app.store.read(actor.scope()).await?;
    let kb = knowledge_bases::open(&tx, actor, kb).await?;
    knowledge_bases::may_manage(actor, &kb)?;
    let config = input
        .chunking_config
        .unwrap_or_else(|| kb.chunking_config.clone());
    drop(tx);
    let _place = app.heavy.previews.enter(actor.tenant_id()).await?;
    let read = match (input.text, input.document_id) {
        (Some(text), _) => ReadText::plain(text, true),
        (None, Some(id)) => {
            let tx = app.store.read(actor.scope()).await?;
            let document = load(&tx, &kb, id).await?;
            let original = tx.documents().original(&kb, id).await?;
            let kept = tx.chunks().text(&kb, id).await?;
            drop(tx);
            let (path, typed) = original.map_or((None, None), |it| (it.storage_path, it.text));
            let again = match (typed, path.zip(document.file_type)) {
                (Some(typed), _) => Some(ReadText::plain(typed, true)),
                (None, Some((path, format))) => read_again(app, actor.scope(), &path, format).await,
                (None, None) => None,
            };
            again
                .or_else(|| kept.map(|text| ReadText::plain(text, false)))
                .ok_or_else(|| Error::new(ErrorCode::DocumentState))?
        }
        (None, None) => return Err(Error::new(ErrorCode::DocumentState)),
    };
    let ReadText {
        mut extracted,
        structured,
    } = read;
    let partial = shorten(&mut extracted, MAX_CUT_CHARS);
    let builtin = EmbeddingConfig::default().first();
    let embedder = embeddings::embedder(app, actor.scope(), &builtin).await?;
    let cut = chunk_document(&extracted, &config, embedder.as_ref()).await?;
    let drafts = cut.map_err(|failure| {
        tracing::debug!(code = failure.code(), "a text was not cut for a preview");
        Error::new(ErrorCode::DocumentState)
    })?;
    Ok(ChunkPreview {
        total: drafts.len() as u64,
        characters: SizeSummary::of(drafts.iter().map(|it| it.end_char - it.start_char)),
        tokens: SizeSummary::of(drafts.iter().map(|it| it.tokens)),
        data: shown(drafts, &config, input.limit),
        partial,
        structured,
    })
}

/// Reads the original once more, as processing it again would. `None` when that would take too long or
/// comes to nothing.
async fn read_again(app: &App, scope: TenantScope, path: &str, format: Format) -> Option<ReadText> {
    let original = app.originals.read(scope, path).await.ok()??;
    if original.size > LARGEST_ORIGINAL {
        return None;
    }
    let reading = app.extractor.extract(original.bytes, format, &|_| {});
    let read = tokio::time::timeout(LONGEST_READING, reading).await;
    let extracted = read.ok()?.ok()?.ok()?;
    Some(ReadText {
        extracted,
        structured: true,
    })
}

/// Leaves out what stands beyond so many characters. Returns whether anything did.
fn shorten(extracted: &mut Extracted, most: usize) -> bool {
    let mut left = most;
    for at in 0..extracted.segments.len() {
        let text = &mut extracted.segments[at].text;
        if let Some((end, _)) = text.char_indices().nth(left) {
            text.truncate(end);
            extracted.segments.truncate(at + 1);
            return true;
        }
        left -= text.chars().count();
        left = left.saturating_sub(SEGMENT_BREAK.len());
    }
    false
}

/// The first ones, as far as an answer has room for them, with what the configuration tells of them.
fn shown(drafts: Vec<ChunkDraft>, config: &ChunkingConfig, limit: u32) -> Vec<PreviewedChunk> {
    let mut room = MAX_ANSWER_CHARS;
    drafts
        .into_iter()
        .take(limit as usize)
        .map_while(|draft| {
            if room == 0 {
                return None;
            }
            let content: String = draft.content.chars().take(room).collect();
            room -= content.chars().count();
            Some(PreviewedChunk {
                chunk_index: draft.index,
                content,
                content_tokens: draft.tokens,
                page_number: draft.page.filter(|_| config.include_page_number),
                start_char: draft.start_char,
                end_char: draft.end_char,
                headings: draft.headings,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[&str]) -> Extracted {
        let segment = |text: &&str| Segment {
            text: (*text).to_owned(),
            ..Segment::default()
        };
        Extracted {
            segments: texts.iter().map(segment).collect(),
            ..Extracted::default()
        }
    }

    #[test]
    fn what_is_too_long_ends_between_two_characters() {
        for (texts, most, left, cut) in [
            (&["ñandú", "llama"][..], 20, "ñandú\n\nllama", false),
            (&["ñandú", "llama"], 9, "ñandú\n\nll", true),
            (&["ñandú", "llama"], 3, "ñan", true),
            (&["ñandú"], 5, "ñandú", false),
        ] {
            let mut extracted = of(texts);
            assert_eq!(shorten(&mut extracted, most), cut, "{most}");
            assert_eq!(extracted.text(), left);
        }
    }

    #[test]
    fn sizes_are_summed_up() {
        assert_eq!(SizeSummary::of([].into_iter()), SizeSummary::default());
        let summary = SizeSummary::of([30, 10, 20].into_iter());
        assert_eq!(
            (summary.smallest, summary.average, summary.largest),
            (10, 20, 30)
        );
    }
}
