//! What the thinking rooms need from the outside, as traits. `server` joins them to back ends.

use crate::chat::{ChatError, ChatEvent, ChatRequest, ModelConfig};
use crate::embedding::{EmbeddingConfig, EmbeddingProvider};
use crate::extraction::{Extracted, Failure};
use crate::format::Format;
use crate::health::ProviderHealth;
use crate::knowledge::Chunk;
use crate::language::Language;
use crate::reading::Reading;
use crate::reranking::RerankConfig;
use crate::retrieval::{Passage, RetrievalScope};
use crate::website::{OutlineKind, PageOutline};
use crate::{ChunkId, Error, ErrorCode, Result, TenantId};
use async_trait::async_trait;
use bytes::Bytes;
use futures_core::stream::BoxStream;
use secrecy::SecretString;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Where the chunks that a scope may see are read.
#[async_trait]
pub trait ChunkSource: Send + Sync {
    /// The chunks of a scope, as they are at this moment.
    ///
    /// # Errors
    /// When the database cannot be read.
    async fn open(&self, scope: &RetrievalScope) -> Result<Box<dyn ChunkReader + '_>>;
}

/// Reads chunks, all of them as they were at one moment.
#[async_trait]
pub trait ChunkReader: Send + Sync {
    /// Those of these chunks that can be found.
    ///
    /// # Errors
    /// When the database cannot be read.
    async fn findable(&self, ids: &[ChunkId]) -> Result<Vec<Chunk>>;
}

/// A chunk as it reads at a version of its knowledge base: its text never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ChunkVersion {
    pub chunk: ChunkId,
    pub version: i64,
}

/// The different words of a passage, as numbers that only its comparer understands.
pub type PassageWords = Arc<[u16]>;

/// Compares questions with passages word by word.
#[async_trait]
pub trait WordComparer: Send + Sync {
    /// The words of a passage that was read before, if they are still at hand. Such a passage can be
    /// compared without its text.
    fn known(&self, passage: ChunkVersion) -> Option<PassageWords>;

    /// The words of a passage, kept at hand for the next question.
    fn read(&self, passage: ChunkVersion, text: &str) -> PassageWords;

    /// How near each passage comes to the words of each question, 0 to 1, question by question. A
    /// word that all of the passages have tells none of them apart and counts little. `None` when
    /// nothing can be compared.
    async fn nearness(
        &self,
        questions: &[String],
        passages: &[PassageWords],
    ) -> Option<Vec<Vec<f32>>>;
}

/// Reads what a customer's message says.
#[async_trait]
pub trait MessageReader: Send + Sync {
    /// The message, read after what the agent said before.
    ///
    /// # Errors
    /// When its model cannot be used.
    async fn read(&self, before: &str, message: &str) -> Result<Reading>;
}

/// Turns questions into vectors of whatever model a knowledge base is searched with.
#[async_trait]
pub trait QuestionVectors: Send + Sync {
    /// One vector for each text, in order.
    ///
    /// # Errors
    /// When the model cannot be reached.
    async fn embed(&self, config: &EmbeddingConfig, texts: &[String]) -> Result<Vec<Vec<f32>>>;
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

/// A file on its way, in pieces, so that nobody holds the whole of it.
pub type ByteStream = BoxStream<'static, Result<Bytes>>;

/// Reads the text out of a file without letting the file harm the process.
#[async_trait]
pub trait Extractor: Send + Sync {
    /// The inner result is the file's fault and will be the same next time; the outer one is
    /// ours, and another attempt may succeed.
    ///
    /// `progress` is told how much of the work is done, from 0 to 1.
    ///
    /// # Errors
    /// When the extracting process cannot be started or the original cannot be read.
    async fn extract(
        &self,
        original: ByteStream,
        format: Format,
        progress: &(dyn Fn(f32) + Send + Sync),
    ) -> Result<Result<Extracted, Failure>>;

    /// Reads the text on a picture: a PNG, JPEG or WEBP, told by its content. The inner result is
    /// the picture's fault and the outer one ours, as with a document. A text that is found is
    /// never empty.
    ///
    /// # Errors
    /// When the extracting process cannot be started or the picture cannot be read from where it
    /// lies.
    async fn recognise(&self, picture: ByteStream) -> Result<Result<String, Failure>>;

    /// Reads where a page leads to, or what a sitemap lists. The inner result is the file's fault
    /// and the outer one ours.
    ///
    /// # Errors
    /// When the extracting process cannot be started.
    async fn outline(
        &self,
        _file: Bytes,
        _kind: OutlineKind,
    ) -> Result<Result<PageOutline, Failure>> {
        Ok(Err(Failure::Unsupported))
    }
}

/// What a text is embedded for. Some models tell the two apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// To be found.
    Passage,
    /// To find.
    Question,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Embedded {
    /// One for each text, in order.
    pub vectors: Vec<Vec<f32>>,
    /// What the provider counted, where it counts.
    pub tokens: Option<u64>,
}

/// How an embedder failed, by what to do about it. The texts are for the log and hold no key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EmbedError {
    /// Worth trying again later.
    Transient(String),
    /// The same request will fail again.
    Permanent(String),
}

impl From<EmbedError> for Error {
    fn from(error: EmbedError) -> Self {
        match error {
            EmbedError::Transient(why) => Self::new(ErrorCode::EmbeddingUnavailable).caused_by(why),
            EmbedError::Permanent(why) => Self::new(ErrorCode::EmbeddingRefused).caused_by(why),
        }
    }
}

/// Turns texts into vectors. All vectors of one model have the same length and are normalised.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// Name and version. Vectors of different models are never compared.
    fn model(&self) -> &str;

    fn dimensions(&self) -> usize;

    /// One vector per text, in order. A text without a known word gives the zero vector.
    ///
    /// # Errors
    /// When the model cannot be reached, or does not answer as a model does.
    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Embedded, EmbedError>;
}

/// Knows the embedder of every knowledge base.
pub trait Embedders: Send + Sync {
    /// The embedder for a configuration, whose vectors are kept under its `vector_model`. The key
    /// is the tenant's own for the provider. It opens no connection and reads no model yet.
    ///
    /// # Errors
    /// When the configuration lacks something, such as the key, or points where nobody may go.
    fn of(
        &self,
        tenant: TenantId,
        config: &EmbeddingConfig,
        key: Option<SecretString>,
    ) -> Result<Arc<dyn Embedder>>;

    /// The providers that this program has.
    fn offered(&self) -> Vec<EmbeddingProvider> {
        EmbeddingProvider::ALL.to_vec()
    }

    /// The servers of vectors that a tenant asked lately, and whether they are being asked.
    fn health(&self, _tenant: TenantId) -> Vec<ProviderHealth> {
        Vec::new()
    }
}

/// What a second, closer look at passages says of each of them, in their order.
#[derive(Clone, Debug, PartialEq)]
pub enum Reranked {
    /// How alike the vectors of the question and the passage are, by the model of that name and
    /// version. They are worth what cosines of that model are worth wherever they come from.
    Cosines { model: String, cosines: Vec<f32> },
    /// How surely each passage answers, 0 to 1.
    Relevances(Vec<f32>),
}

/// How a reranker failed, by what to do about it. The texts are for the log and hold no key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RerankError {
    /// Worth trying again later.
    Transient(String),
    /// The same request will fail again.
    Permanent(String),
}

impl From<EmbedError> for RerankError {
    fn from(error: EmbedError) -> Self {
        match error {
            EmbedError::Transient(why) => Self::Transient(why),
            EmbedError::Permanent(why) => Self::Permanent(why),
        }
    }
}

impl fmt::Display for RerankError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transient(why) | Self::Permanent(why) => f.write_str(why),
        }
    }
}

/// Judges passages that were found for a question more closely than the search could.
#[async_trait]
pub trait Reranker: Send + Sync {
    /// Name and version. For one that compares vectors it is the model of the vectors: what was
    /// searched with that model needs no second look.
    fn model(&self) -> &str;

    /// How many passages it can be given while somebody waits.
    fn most_passages(&self) -> usize {
        50
    }

    /// Judges every passage.
    ///
    /// # Errors
    /// When the model cannot be reached, or does not answer as a model does.
    async fn rerank(&self, question: &str, passages: &[String]) -> Result<Reranked, RerankError>;
}

/// Knows every reranker.
pub trait Rerankers: Send + Sync {
    /// The reranker for a configuration; `None` where nobody is to judge again. The key is the
    /// tenant's own for the provider. It opens no connection and reads no model yet.
    ///
    /// # Errors
    /// When the configuration lacks something, such as the key, or points where nobody may go.
    fn of(
        &self,
        tenant: TenantId,
        config: &RerankConfig,
        key: Option<SecretString>,
    ) -> Result<Option<Arc<dyn Reranker>>>;

    /// The judges that a tenant asked lately, and whether they are being asked.
    fn health(&self, _tenant: TenantId) -> Vec<ProviderHealth> {
        Vec::new()
    }
}

/// An answer on its way. It ends with `Finished` or with an error.
pub type ChatStream = BoxStream<'static, Result<ChatEvent, ChatError>>;

/// A model that writes.
#[async_trait]
pub trait ChatModel: Send + Sync {
    /// Provider and model, such as `openai/gpt-4.1-mini`.
    fn name(&self) -> &str;

    /// Asks, and returns when the first piece of the answer is there. Until then the model is asked
    /// again where that may help; afterwards the stream says what went wrong. Dropping either ends
    /// the call. [`crate::chat::gather`] makes a whole answer of the stream.
    ///
    /// # Errors
    /// When there is no answer to be had.
    async fn chat(&self, request: &ChatRequest) -> Result<ChatStream, ChatError>;
}

/// Knows every model that writes.
pub trait ChatModels: Send + Sync {
    /// The model for a configuration. The key is the tenant's own for the provider. It opens no
    /// connection yet.
    ///
    /// # Errors
    /// When the configuration lacks something, such as the key, or points where nobody may go.
    fn of(
        &self,
        tenant: TenantId,
        config: &ModelConfig,
        key: Option<SecretString>,
    ) -> Result<Arc<dyn ChatModel>>;

    /// A model that asks these one after the other until one of them answers.
    fn first_of(&self, models: Vec<Arc<dyn ChatModel>>) -> Arc<dyn ChatModel>;

    /// The models that a tenant asked lately, and whether they are being asked.
    fn health(&self, _tenant: TenantId) -> Vec<ProviderHealth> {
        Vec::new()
    }
}

/// What was found behind an address.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// Where the redirects ended.
    pub url: String,
    pub content_type: Option<String>,
    /// What the server or the address calls the file, such as `carta.pdf`.
    pub filename: String,
    pub body: Bytes,
}

/// How a page could not be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchError {
    pub failure: Failure,
    /// Worth another attempt later.
    pub transient: bool,
    /// For the log: what happened, without secrets.
    pub why: String,
}

/// What somebody who reads a whole website asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisitKind {
    /// A page or a document. A redirect is told and not followed.
    Page,
    /// The file that says what may be read. What is longer than anybody reads of it is left out.
    Robots,
    /// A list of pages, perhaps compressed.
    Sitemap,
}

/// One request to a website.
#[derive(Clone, Debug)]
pub struct VisitRequest<'a> {
    pub url: &'a str,
    pub kind: VisitKind,
    /// What the server called the version that is known already, and when that one was made: it
    /// need not send the same again.
    pub etag: Option<&'a str>,
    pub last_modified: Option<&'a str>,
}

/// What a website answered.
#[derive(Clone, Debug)]
pub struct VisitedPage {
    pub status: u16,
    /// Where the answer comes from; for the redirect of a page, where it leads.
    pub url: String,
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    /// What was sent, when the answer is that there is something.
    pub page: Option<Fetched>,
}

/// Reads a public web page, and only that: never an address inside the house.
#[async_trait]
pub trait PageFetcher: Send + Sync {
    async fn fetch(&self, url: &str) -> Result<Fetched, FetchError>;

    /// Asks for something of a website. Every address is checked as for a single page.
    ///
    /// # Errors
    /// When there is no answer, or one that nobody can read.
    async fn visit(&self, request: &VisitRequest<'_>) -> Result<VisitedPage, FetchError>;
}

/// What is posted to where a tenant points.
#[derive(Clone, Debug)]
pub struct WebhookRequest<'a> {
    pub url: &'a str,
    /// Names and values beside those that every such request has.
    pub headers: &'a [(&'static str, SecretString)],
    /// JSON.
    pub body: Bytes,
    /// How long everything may take together.
    pub patience: Duration,
}

/// What was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookAnswer {
    pub status: u16,
    /// The beginning of what came with it.
    pub body: String,
}

/// Why there was no answer. The texts are for the log and hold no address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WebhookError {
    /// Nobody may be asked to go there.
    NotAllowed(String),
    Unreachable(String),
}

impl fmt::Display for WebhookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAllowed(why) | Self::Unreachable(why) => f.write_str(why),
        }
    }
}

/// Posts to where a tenant points: never to an address inside the house, and no further than there.
#[async_trait]
pub trait WebhookSender: Send + Sync {
    /// Whether an address may be posted to, as far as that shows before it is looked up.
    ///
    /// # Errors
    /// `NotAllowed`, and why.
    fn check(&self, url: &str) -> Result<(), WebhookError>;

    /// Posts once. Any answer is an answer, whatever its status; a redirect is not followed.
    ///
    /// # Errors
    /// When there is no answer.
    async fn post(&self, request: &WebhookRequest<'_>) -> Result<WebhookAnswer, WebhookError>;
}
