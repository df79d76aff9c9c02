//! Looking up what the business knows.

use super::{Scene, Turn, categories};
use crate::{catalogue, search as searching};
use quipu_agents::guard::Guard;
use quipu_agents::tool::arguments::{FaqQuestion, KnowledgeQuestion, Symptoms};
use quipu_commerce::business::{Faq, Item, name_key, rank};
use quipu_core::Result;
use quipu_core::language::Language;
use quipu_core::validate::{Checks, Problem};
use quipu_knowledge::{MAX_TOP_K, Query};
use quipu_language::urgency::assess_symptoms;
use serde_json::{Value, json};

/// How many answers a model gets to see.
const MOST_ANSWERS: usize = 5;
const MOST_LISTED: usize = 100;
const DEFAULT_PASSAGES: u16 = 3;

pub(super) async fn faq(turn: &Turn<'_>, asked: FaqQuestion) -> Result<Value> {
    let mut all = catalogue::active::<Faq>(turn.tx).await?;
    if let Some(category) = asked.category.as_deref().map(name_key) {
        all.retain(|faq| faq.data.category.as_deref().map(name_key) == Some(category.clone()));
    }
    let tell = |faq: &Item<Faq>| {
        json!({
            "question": faq.data.question,
            "answer": faq.data.answer,
            "category": faq.data.category,
        })
    };
    let Some(question) = &asked.question else {
        let questions = all.iter().take(MOST_LISTED).map(|faq| &faq.data.question);
        let questions: Vec<&String> = questions.collect();
        return Ok(json!({ "faqs": [], "questions": questions }));
    };
    let texts: Vec<String> = all
        .iter()
        .map(|faq| format!("{} {}", faq.data.question, faq.data.answer))
        .collect();
    let ranked = rank(question, &texts, turn.language());
    let found: Vec<Value> = ranked
        .iter()
        .take(MOST_ANSWERS)
        .filter_map(|(at, share)| {
            let mut told = tell(all.get(*at)?);
            told["relevance_score"] = json!(share);
            Some(told)
        })
        .collect();
    Ok(json!({ "faqs": found }))
}

/// Searches what the agent may quote, as a turn does before it is asked for: without what is internal
/// to the business, and without sentences that speak to the assistant. A provider may take its time,
/// in which no transaction is open.
pub(super) async fn search(scene: Scene<'_>, asked: KnowledgeQuestion) -> Result<Value> {
    let most = usize::from(asked.top_k.unwrap_or(DEFAULT_PASSAGES));
    if let Some(category) = asked.category
        && let Some(found) = categories::search(scene, category, &asked.query, most).await?
    {
        return Ok(found);
    }
    let person = searching::reader_of_agent(scene.actor, scene.agent, scene.lead.is_some());
    let tx = scene.app.store.read(scene.actor.scope()).await?;
    let scope = searching::grant(&tx, scene.actor, scene.agent, person).await?;
    drop(tx);
    let language = Language::guess(&asked.query).unwrap_or(scene.agent.language);
    let query = Query {
        // Of one kind alone, some of what is found is another.
        top_k: asked.category.map_or(most, |_| MAX_TOP_K),
        second_look: scene.app.reranking.of_searches(),
        ..Query::new(asked.query, language)
    };
    let words = searching::WhoseWords::of(scene.lead);
    let found = searching::retrieve(scene.app, scene.actor, &scope, &query, words).await?;
    let passages: Vec<Value> = found
        .passages
        .iter()
        .filter(|passage| asked.category.is_none() || categories::is_article(passage))
        .filter_map(|passage| {
            let content = quotable(&passage.content)?;
            Some(json!({
                "title": passage.title,
                "content": content,
                "document_id": passage.document_id,
                "knowledge_base_id": passage.knowledge_base_id,
                "chunk_id": passage.chunk_id,
                "start_char": passage.start_char,
                "end_char": passage.end_char,
                "page_number": passage.page_number,
                "pages": passage.pages,
                "relevance_score": passage.similarity,
            }))
        })
        .take(most)
        .collect();
    Ok(json!({ "results": passages, "degraded": found.missing.any() }))
}

/// A passage without the sentences in it that speak to the assistant, if anything is left.
fn quotable(passage: &str) -> Option<String> {
    let content = Guard::compiled().cleaned(passage);
    (!content.trim().is_empty()).then(|| content.into_owned())
}

pub(super) fn urgency(turn: &Turn<'_>, asked: &Symptoms) -> Result<Value> {
    let mut checks = Checks::new();
    for (at, symptom) in asked.symptoms.iter().enumerate() {
        if symptom.trim().is_empty() {
            checks.problem(&format!("symptoms[{at}]"), Problem::Empty);
        } else if symptom.chars().count() > 1_000 {
            checks.problem(&format!("symptoms[{at}]"), Problem::TooLong { max: 1_000 });
        }
    }
    checks.finish()?;
    let assessed = assess_symptoms(&asked.symptoms, turn.language());
    Ok(json!({
        "urgency_level": assessed.level,
        "recommendation": assessed.recommendation,
        "should_escalate": assessed.should_escalate,
        "reasons": assessed.reasons,
    }))
}
