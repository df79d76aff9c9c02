//! What a model is given to answer from: the passages that were found, within a budget of tokens.
//! A chat and a search lay it out alike.
//!
//! Everything that was retrieved stands between fences and is called data: a document that says
//! "ignore your instructions" is quoted, not obeyed, and cannot close its own fence.

use crate::knowledge::{KbScope, ReadableKb};
use crate::retrieval::Passage;
use crate::{ChunkId, DocumentId, KnowledgeBaseId};
use serde::Serialize;
use utoipa::ToSchema;

/// What is kept of a passage that does not fit whole. Shorter pieces say too little.
const SHORTEST_PIECE: usize = 60;

const OPEN: &str = "<<<";
const CLOSE: &str = ">>>";

/// A knowledge base as a model hears of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corpus {
    pub id: KnowledgeBaseId,
    pub name: String,
    /// It belongs to whoever asks.
    pub personal: bool,
}

impl From<&ReadableKb> for Corpus {
    fn from(kb: &ReadableKb) -> Self {
        Self {
            id: kb.id,
            name: kb.name.clone(),
            personal: kb.scope == KbScope::Personal,
        }
    }
}

/// What a context is built of.
#[derive(Clone, Copy, Debug)]
pub struct ContextInput<'a> {
    /// Where passages can come from.
    pub corpora: &'a [Corpus],
    /// The best first.
    pub passages: &'a [Passage],
    /// What stands above them: that they are data, and how they are used.
    pub notice: &'a str,
    /// The number of the first.
    pub first: usize,
    /// What all of it may take, in tokens.
    pub budget: usize,
    /// How many tokens a text has.
    pub count: fn(&str) -> usize,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Context {
    /// The sections with their passages; empty when nothing was found.
    pub text: String,
    /// What the numbers in the text stand for, in their order.
    pub sources: Vec<ContextSource>,
    /// The words of each, as they stand in their documents.
    pub contents: Vec<String>,
    pub tokens: usize,
}

/// A numbered passage of a context.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ContextSource {
    pub number: usize,
    pub knowledge_base_id: KnowledgeBaseId,
    pub document_id: DocumentId,
    pub title: Option<String>,
    pub page_number: Option<i32>,
    /// Positions in characters of the document's extracted text.
    pub start_char: i32,
    pub end_char: i32,
    /// The chunks it was joined from.
    pub chunk_ids: Vec<ChunkId>,
    pub similarity: f32,
}

/// Neighbouring passages, joined.
struct Excerpt {
    content: String,
    source: ContextSource,
}

/// Builds the context out of passages, the best of which comes first.
#[must_use]
pub fn build(input: &ContextInput<'_>) -> Context {
    let corpus = |kb: KnowledgeBaseId| input.corpora.iter().find(|it| it.id == kb);
    let personal = |kb| corpus(kb).is_some_and(|corpus| corpus.personal);
    let name = |kb| corpus(kb).map_or("", |corpus| corpus.name.as_str());
    let mut writer = Writer::new(input);
    let (own, shared): (Vec<_>, Vec<_>) = joined(input.passages)
        .into_iter()
        .partition(|excerpt| personal(excerpt.source.knowledge_base_id));
    // What is most alike gets its share of the budget first, whichever section it is in.
    let mut kept = fitting(shared, own, &writer, |kb| (input.count)(name(kb)));
    for (section, excerpts) in [
        ("[CORPUS GLOBAL]", &mut kept.0),
        ("[CORPUS PERSONAL]", &mut kept.1),
    ] {
        if excerpts.is_empty() {
            continue;
        }
        writer.section(section);
        for excerpt in ends_first(std::mem::take(excerpts)) {
            writer.write(name(excerpt.source.knowledge_base_id), excerpt);
        }
    }
    writer.finish()
}

/// Passages of one page of a document that touch or overlap become one, in the place of the better. Across
/// pages each keeps its own, which is what a citation names.
fn joined(passages: &[Passage]) -> Vec<Excerpt> {
    let mut excerpts: Vec<Excerpt> = Vec::new();
    for passage in passages {
        let neighbour = excerpts.iter_mut().find(|excerpt| {
            excerpt.source.document_id == passage.document_id
                && excerpt.source.page_number == passage.page_number
                && passage.start_char <= excerpt.source.end_char + 1
                && excerpt.source.start_char <= passage.end_char + 1
        });
        match neighbour {
            Some(excerpt) => join(excerpt, passage),
            None => excerpts.push(Excerpt {
                content: passage.content.clone(),
                source: ContextSource {
                    number: 0,
                    knowledge_base_id: passage.knowledge_base_id,
                    document_id: passage.document_id,
                    title: passage.title.clone(),
                    page_number: passage.page_number,
                    start_char: passage.start_char,
                    end_char: passage.end_char,
                    chunk_ids: vec![passage.chunk_id],
                    similarity: passage.similarity,
                },
            }),
        }
    }
    excerpts
}

/// Puts the part of a passage that is new before or behind an excerpt it touches.
fn join(excerpt: &mut Excerpt, passage: &Passage) {
    let source = &mut excerpt.source;
    source.chunk_ids.push(passage.chunk_id);
    let chars = |count: i32| usize::try_from(count).unwrap_or(0);
    if passage.end_char > source.end_char {
        let known = chars(source.end_char - passage.start_char);
        // A character between the two is the space that chunks leave out.
        if passage.start_char > source.end_char {
            excerpt.content.push(' ');
        }
        excerpt.content.extend(passage.content.chars().skip(known));
        source.end_char = passage.end_char;
    }
    if passage.start_char < source.start_char {
        let new = chars(source.start_char - passage.start_char);
        let mut content: String = passage.content.chars().take(new).collect();
        if passage.end_char < source.start_char {
            content.push(' ');
        }
        content.push_str(&excerpt.content);
        excerpt.content = content;
        source.start_char = passage.start_char;
    }
}

/// The excerpts that fit into the budget, the best first, each in its section.
fn fitting(
    shared: Vec<Excerpt>,
    own: Vec<Excerpt>,
    writer: &Writer<'_>,
    names: impl Fn(KnowledgeBaseId) -> usize,
) -> (Vec<Excerpt>, Vec<Excerpt>) {
    let mut all: Vec<(bool, Excerpt)> = shared
        .into_iter()
        .map(|excerpt| (false, excerpt))
        .chain(own.into_iter().map(|excerpt| (true, excerpt)))
        .collect();
    all.sort_by(|(_, a), (_, b)| b.source.similarity.total_cmp(&a.source.similarity));
    let (count, budget) = (writer.input.count, writer.input.budget);
    let mut left = budget.saturating_sub(count(writer.input.notice) + FRAME);
    let (mut shared, mut own) = (Vec::new(), Vec::new());
    for (personal, mut excerpt) in all {
        let title = excerpt.source.title.as_deref().map_or(0, count);
        let frame = PASSAGE_FRAME + title + names(excerpt.source.knowledge_base_id);
        let wanted = count(&excerpt.content);
        if frame + wanted > left {
            let room = left.saturating_sub(frame);
            if room < SHORTEST_PIECE {
                continue;
            }
            shorten(&mut excerpt, room, count);
        }
        left = left.saturating_sub(frame + count(&excerpt.content));
        if personal {
            own.push(excerpt);
        } else {
            shared.push(excerpt);
        }
    }
    (shared, own)
}

/// What the names of the sections take at most, and the frame of one passage.
const FRAME: usize = 24;
const PASSAGE_FRAME: usize = 24;

/// Keeps as many whole sentences of an excerpt as have room: half of one can say the opposite. What has
/// none, such as a table, is cut between words.
fn shorten(excerpt: &mut Excerpt, room: usize, count: fn(&str) -> usize) {
    let text = excerpt.content.as_str();
    let fits = |end: &usize| count(&text[..*end]) <= room;
    let longest = |ends: &[usize]| {
        let fitting = ends.partition_point(fits);
        ends[..fitting].last().copied().unwrap_or(0)
    };
    let mut end = 0;
    let mut words = Vec::new();
    let mut sentences = Vec::new();
    for word in text.split_inclusive(char::is_whitespace) {
        end += word.len();
        words.push(end);
        if word.ends_with('\n') || word.trim_end().ends_with(['.', '!', '?', '…']) {
            sentences.push(end);
        }
    }
    let whole = longest(&sentences);
    let end = if count(&text[..whole]) < SHORTEST_PIECE {
        longest(&words)
    } else {
        whole
    };
    excerpt.content.truncate(end);
    excerpt.content.truncate(excerpt.content.trim_end().len());
    let chars = i32::try_from(excerpt.content.chars().count()).unwrap_or(i32::MAX);
    excerpt.source.end_char = excerpt.source.start_char.saturating_add(chars);
}

/// The best first and the second best last: what stands in the middle is read least carefully.
fn ends_first(excerpts: Vec<Excerpt>) -> Vec<Excerpt> {
    let mut ordered = excerpts;
    if ordered.len() > 2 {
        let second = ordered.remove(1);
        ordered.push(second);
    }
    ordered
}

struct Writer<'a> {
    input: &'a ContextInput<'a>,
    text: String,
    sources: Vec<ContextSource>,
    contents: Vec<String>,
    kb: Option<String>,
}

impl<'a> Writer<'a> {
    const fn new(input: &'a ContextInput<'a>) -> Self {
        Self {
            input,
            text: String::new(),
            sources: Vec::new(),
            contents: Vec::new(),
            kb: None,
        }
    }

    fn section(&mut self, name: &str) {
        if self.text.is_empty() {
            self.text.push_str(self.input.notice);
        }
        self.text.push('\n');
        self.text.push_str(name);
        self.text.push('\n');
        self.kb = None;
    }

    fn write(&mut self, kb: &str, mut excerpt: Excerpt) {
        if self.kb.as_deref() != Some(kb) && !kb.trim().is_empty() {
            self.text.push_str(&one_line(kb));
            self.text.push_str(":\n");
            self.kb = Some(kb.to_owned());
        }
        let number = self.input.first + self.sources.len();
        excerpt.source.number = number;
        let title = excerpt.source.title.as_deref().map(one_line);
        let page = excerpt
            .source
            .page_number
            .map(|page| format!(", p. {page}"));
        let head = format!(
            "{OPEN} [{number}] {}{}\n",
            title.unwrap_or_default(),
            page.unwrap_or_default()
        );
        self.text.push_str(&head);
        self.text.push_str(&unfenced(&excerpt.content));
        self.text.push('\n');
        self.text.push_str(CLOSE);
        self.text.push('\n');
        self.sources.push(excerpt.source);
        self.contents.push(excerpt.content);
    }

    fn finish(self) -> Context {
        Context {
            tokens: (self.input.count)(&self.text),
            text: self.text,
            sources: self.sources,
            contents: self.contents,
        }
    }
}

/// A name or title cannot begin a line of its own.
fn one_line(text: &str) -> String {
    unfenced(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The text with marks in place of fences, without signs that nobody can see.
#[must_use]
pub fn unfenced(text: &str) -> String {
    let seen = |sign: &char| matches!(sign, '\n' | '\t') || !sign.is_control();
    let text: String = text.chars().filter(seen).collect();
    text.replace(OPEN, "‹‹‹").replace(CLOSE, "›››")
}
