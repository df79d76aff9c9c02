//! What the thinking rooms need from the outside, as traits. `server` joins them to back ends.

use crate::Result;
use crate::knowledge::Chunk;
use crate::language::Language;
use crate::retrieval::{Passage, RetrievalScope};
use async_trait::async_trait;

/// Reads the chunks a scope may see.
#[async_trait]
pub trait ChunkSource: Send + Sync {
    /// Every searchable chunk of the scope's knowledge bases.
    async fn chunks(&self, scope: &RetrievalScope) -> Result<Vec<Chunk>>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    Customer,
    Agent,
}

#[derive(Clone, Debug)]
pub struct Turn {
    pub speaker: Speaker,
    pub text: String,
}

/// What a responder is given to answer with, and nothing else.
#[derive(Clone, Debug)]
pub struct ReplyRequest {
    pub agent_name: String,
    pub company_name: String,
    pub language: Language,
    pub question: String,
    pub history: Vec<Turn>,
    pub passages: Vec<Passage>,
}

/// One sentence or block of an answer and the passage it rests on, if any.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplyPart {
    pub text: String,
    /// Index into the request's passages, and the words of it that were used.
    pub source: Option<(usize, String)>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    pub parts: Vec<ReplyPart>,
}

/// How a responder failed, by what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResponderError {
    /// Worth trying again or elsewhere.
    Transient(String),
    /// The same request will fail again.
    Permanent(String),
}

/// Makes an answer out of a question and passages.
#[async_trait]
pub trait Responder: Send + Sync {
    fn name(&self) -> &str;
    async fn reply(&self, request: &ReplyRequest) -> Result<Reply, ResponderError>;
}
