//! From a document to its chunks.

use crate::chunking::{self, SourceText, Topics};
use crate::tokens::TokenRuler;
use quipu_core::chunking::{ChunkPages, ChunkStrategy, ChunkingConfig};
use quipu_core::extraction::{Extracted, Failure};
use quipu_core::ports::{Embedder, Purpose};
use quipu_core::{Error, Result};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// No document has more chunks than this.
const MAX_CHUNKS: usize = 100_000;
/// What looking for the separators of one document may take.
const SEPARATING: Duration = Duration::from_secs(20);
/// Sentences handed to the embedder at once.
const SENTENCES: usize = 512;
/// The innermost headings that are embedded with a chunk: the outer ones are much the same for
/// all of a document.
const HEADINGS: usize = 2;
/// What is embedded of a title or a heading, in characters.
const LONGEST_LINE: usize = 200;

/// A chunk that has no id yet. Positions are in characters of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkDraft {
    pub index: i32,
    pub start_char: i32,
    pub end_char: i32,
    pub content: String,
    pub tokens: i32,
    /// The page on which most of it stands.
    pub page: Option<i32>,
    pub pages: ChunkPages,
    pub headings: Vec<String>,
}

/// Cuts a text into chunks of the default size.
#[must_use]
pub fn chunk(text: &str) -> Vec<ChunkDraft> {
    let source = SourceText::plain(text.to_owned());
    drafts(&source, &ChunkingConfig::default(), None).unwrap_or_default()
}

/// Cuts a document into chunks. The embedder is asked by the strategy `semantic` only, and for
/// every sentence: a model within the house suits it, one that is paid for does not.
///
/// The inner result is the document's fault: it has no words, or too many.
///
/// # Errors
/// When the embedder fails.
pub async fn chunk_document(
    extracted: &Extracted,
    config: &ChunkingConfig,
    embedder: &dyn Embedder,
) -> Result<Result<Vec<ChunkDraft>, Failure>> {
    let source = Arc::new(SourceText::new(extracted));
    let topics = match config.strategy {
        ChunkStrategy::Semantic => match find_topics(&source, config, embedder).await? {
            Ok(topics) => Some(topics),
            Err(failure) => return Ok(Err(failure)),
        },
        ChunkStrategy::Fixed | ChunkStrategy::Paragraph => None,
    };
    let config = config.clone();
    blocking(move || drafts(&source, &config, topics.as_ref())).await
}

async fn find_topics(
    source: &Arc<SourceText>,
    config: &ChunkingConfig,
    embedder: &dyn Embedder,
) -> Result<Result<Topics, Failure>> {
    let (text, settings) = (source.clone(), config.clone());
    let mut topics = match blocking(move || Topics::new(&text, &settings, &patience())).await? {
        Ok(topics) => topics,
        Err(failure) => return Ok(Err(failure)),
    };
    loop {
        let sentences = topics.pending(source, SENTENCES);
        if sentences.is_empty() {
            return Ok(Ok(topics));
        }
        let vectors = embedder.embed(&sentences, Purpose::Passage).await?.vectors;
        if vectors.len() != sentences.len() {
            return Err(Error::internal(format!(
                "{} gave {} vectors for {} texts",
                embedder.model(),
                vectors.len(),
                sentences.len()
            )));
        }
        topics.add(vectors);
    }
}

/// Runs out when looking for separators has taken long enough for any document.
fn patience() -> impl Fn() -> bool {
    let began = Instant::now();
    move || began.elapsed() > SEPARATING
}

fn drafts(
    source: &SourceText,
    config: &ChunkingConfig,
    topics: Option<&Topics>,
) -> Result<Vec<ChunkDraft>, Failure> {
    let tokens = TokenRuler::new(source.text()).ok_or(Failure::TooLong)?;
    let spans = chunking::chunk(source, config, &tokens, topics, &patience())?;
    match spans.len() {
        0 => return Err(Failure::NoText),
        1..=MAX_CHUNKS => {}
        _ => return Err(Failure::TooLong),
    }
    let drafts = spans
        .into_iter()
        .enumerate()
        .map(|(index, span)| ChunkDraft {
            index: number(index),
            start_char: number(span.start_char),
            end_char: number(span.end_char),
            content: span.text.to_owned(),
            tokens: number(span.tokens),
            page: span.page.and_then(|page| i32::try_from(page).ok()),
            pages: span.pages,
            headings: span.headings.to_vec(),
        });
    Ok(drafts.collect())
}

/// What is embedded for a chunk: the title (`None` where the knowledge base leaves it out) and the
/// headings above it, so that "S/ 120" is found as a price of what the section is about.
#[must_use]
pub fn embedding_text(title: Option<&str>, headings: &[String], content: &str) -> String {
    let inner = &headings[headings.len().saturating_sub(HEADINGS)..];
    let mut text = String::with_capacity(content.len() + 64);
    let mut before = None;
    for line in title.into_iter().chain(inner.iter().map(String::as_str)) {
        let line = line.trim();
        let end = line.char_indices().nth(LONGEST_LINE);
        let line = &line[..end.map_or(line.len(), |(at, _)| at)];
        // Said twice, it would count twice.
        if line.is_empty() || before == Some(line) || begins_with_line(content, line) {
            continue;
        }
        text.push_str(line);
        text.push('\n');
        before = Some(line);
    }
    text.push_str(content);
    text
}

/// Whether the first line of a text is this one, whatever marks it as a heading.
fn begins_with_line(text: &str, line: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    first
        .trim_start_matches(['#', '*', ' '])
        .trim_end_matches(['*', ':', ' '])
        == line
}

/// Positions are stored in 32 bits, far beyond what any document may hold.
fn number(value: usize) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(Error::internal)
}

#[cfg(test)]
mod tests;
