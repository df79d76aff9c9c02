//! What an agent can look up and do in a turn, for the tenant and the customer of that turn.

use super::relevant;
use super::stage::RehearsalStage;
use super::visit::Visit;
use crate::search::WhoseWords;
use crate::{Actor, App, search, tools};
use async_trait::async_trait;
use quipu_agents::tool::Tool;
use quipu_agents::{Desk, Found, SearchText};
use quipu_core::agent::{Agent, AgentSettings};
use quipu_core::context::Corpus;
use quipu_core::embedding::{BUILTIN_STATIC, EmbeddingConfig};
use quipu_core::ports::Purpose;
use quipu_core::retrieval::RetrievalScope;
use quipu_core::{BranchId, Error, Result};
use quipu_knowledge::{MAX_TOP_K, Query};
use serde_json::Value;

pub(super) struct TurnDesk<'a> {
    pub(super) app: &'a App,
    pub(super) actor: &'a Actor,
    pub(super) agent: &'a Agent,
    pub(super) settings: &'a AgentSettings,
    pub(super) visit: &'a Visit,
    pub(super) scope: &'a RetrievalScope,
    /// The branch that the conversation is about, where that is known.
    pub(super) branch: Option<BranchId>,
    /// A model answers.
    pub(super) model: bool,
    /// Who is there in a rehearsal.
    pub(super) stage: Option<&'a RehearsalStage>,
}

#[async_trait]
impl Desk for TurnDesk<'_> {
    async fn call(&self, tool: &'static Tool, arguments: &Value, key: &str) -> Result<Value> {
        // What is undone is not remembered as done.
        let key = if self.stage.is_some() { "" } else { key };
        let actor = self.actor.with_key(key);
        let scene = tools::Scene {
            app: self.app,
            actor: &actor,
            agent: self.agent,
            lead: self.visit.lead(),
            conversation: self.visit.conversation(),
            same_words: key.starts_with(super::SAID),
            stage: self.stage,
        };
        tools::call_in_turn(scene, tool, arguments.clone()).await
    }

    async fn likeness(&self, words: &str, names: &[String]) -> Result<Vec<f32>> {
        // The quick model is always there, and nobody pays for it.
        let config = EmbeddingConfig::named(BUILTIN_STATIC, None)
            .ok_or_else(|| Error::internal("the built-in model has no name"))?;
        let embedder = self
            .app
            .embedders
            .of(self.actor.tenant_id(), &config, None)?;
        let mut texts = vec![words.to_owned()];
        texts.extend_from_slice(names);
        let vectors = embedder.embed(&texts, Purpose::Question).await?.vectors;
        let Some((asked, names)) = vectors.split_first() else {
            return Ok(Vec::new());
        };
        let likeness = |name: &Vec<f32>| asked.iter().zip(name).map(|(a, b)| a * b).sum();
        Ok(names.iter().map(likeness).collect())
    }

    async fn search(&self, question: &SearchText) -> Result<Found> {
        let query = Query::new(question.text.clone(), question.language);
        let wanted = usize::from(self.settings.top_k);
        let query = Query {
            threshold: self.settings.similarity_threshold,
            context: question.context.clone(),
            // A model reads for itself what it is given; without one, the very sentences are judged.
            second_look: self.app.reranking.of_searches(),
            // What a model is told apart takes no place from what it may quote.
            top_k: if self.model { 2 * wanted } else { wanted }.min(MAX_TOP_K),
            ..query
        };
        let words = WhoseWords::of(self.visit.lead());
        let retrieval = search::retrieve(self.app, self.actor, self.scope, &query, words).await?;
        let passages = retrieval.passages;
        let mut found = relevant::sort(self.app, self.actor, passages, self.branch).await?;
        found.passages.truncate(wanted);
        found.corpora = self
            .scope
            .knowledge_bases()
            .iter()
            .map(Corpus::from)
            .collect();
        found.incomplete = retrieval.missing.any();
        Ok(found)
    }
}
