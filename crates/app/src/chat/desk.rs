//! What an agent can look up and do in a turn, for the tenant and the customer of that turn.

use super::visit::Visit;
use crate::{Actor, App, search, tools};
use async_trait::async_trait;
use quipu_agents::tool::Tool;
use quipu_agents::{Desk, Found, SearchText};
use quipu_core::Result;
use quipu_core::agent::Agent;
use quipu_core::business::{CatalogueItem, Competitor, Instruction, ItemKind, ResponseTemplate};
use quipu_core::retrieval::{Passage, RetrievalScope};
use quipu_knowledge::Query;
use serde_json::Value;

pub(super) struct TurnDesk<'a> {
    pub(super) app: &'a App,
    pub(super) actor: &'a Actor,
    pub(super) agent: &'a Agent,
    pub(super) visit: &'a Visit,
    pub(super) scope: &'a RetrievalScope,
}

#[async_trait]
impl Desk for TurnDesk<'_> {
    async fn call(&self, tool: &'static Tool, arguments: &Value, key: &str) -> Result<Value> {
        let actor = self.actor.with_key(key);
        let scene = tools::Scene {
            app: self.app,
            actor: &actor,
            agent: self.agent,
            lead: self.visit.lead(),
            conversation: self.visit.conversation(),
        };
        tools::call_in_turn(scene, tool, arguments.clone()).await
    }

    async fn search(&self, question: &SearchText) -> Result<Found> {
        let query = Query {
            context: question.context.clone(),
            rerank: self.app.reranking.always,
            ..Query::new(question.text.clone(), question.language)
        };
        let retrieval = search::retrieve(self.app, self.actor, self.scope, &query).await?;
        Ok(Found {
            incomplete: retrieval.missing.any(),
            passages: quotable(self.app, self.actor, retrieval.passages).await?,
        })
    }
}

/// What customers may be told in the words it is written in. How to behave, how to speak of
/// competitors, and templates with their places still empty, are for whoever answers and not for them.
async fn quotable(app: &App, actor: &Actor, mut passages: Vec<Passage>) -> Result<Vec<Passage>> {
    if passages.is_empty() {
        return Ok(passages);
    }
    let ids: Vec<_> = passages.iter().map(|passage| passage.document_id).collect();
    let kinds = [Competitor::KIND, Instruction::KIND, ResponseTemplate::KIND].map(ItemKind::as_str);
    let tx = app.store.read(actor.scope()).await?;
    let kept_back = tx.documents().of_business(&ids, &kinds).await?;
    passages.retain(|passage| !kept_back.contains(&passage.document_id));
    Ok(passages)
}
