//! Searching one kind of text of the business.

use super::Scene;
use crate::catalogue;
use quipu_agents::tool::arguments::KnowledgeCategory;
use quipu_commerce::business::{
    Article, CatalogueItem, Competitor, Policy, ResponseTemplate, rank,
};
use quipu_core::Result;
use quipu_core::language::Language;
use quipu_core::retrieval::Passage;
use serde_json::{Value, json};

/// Whether a passage is one of a document or an article, and not of a thing that has a tool or a
/// category of its own.
pub(super) fn is_article(passage: &Passage) -> bool {
    let thing = passage.business.as_ref();
    thing.is_none_or(|thing| thing.kind == Article::KIND.as_str())
}

/// Searches what the business wrote of a kind that a search of its documents does not tell apart;
/// nothing for articles, which that search finds.
pub(super) async fn search(
    scene: Scene<'_>,
    category: KnowledgeCategory,
    query: &str,
    most: usize,
) -> Result<Option<Value>> {
    let found = match category {
        KnowledgeCategory::Articles => return Ok(None),
        KnowledgeCategory::Policies => of_kind::<Policy>(scene, query, most).await?,
        KnowledgeCategory::Templates => of_kind::<ResponseTemplate>(scene, query, most).await?,
        KnowledgeCategory::Competitors => of_kind::<Competitor>(scene, query, most).await?,
    };
    Ok(Some(json!({ "results": found, "degraded": false })))
}

async fn of_kind<T: CatalogueItem>(
    scene: Scene<'_>,
    query: &str,
    most: usize,
) -> Result<Vec<Value>> {
    let tx = scene.app.store.read(scene.actor.scope()).await?;
    let all = catalogue::active::<T>(&tx).await?;
    let all: Vec<_> = all
        .iter()
        .filter_map(|item| item.data.searchable())
        .collect();
    let texts = all
        .iter()
        .map(|found| format!("{} {}", found.title, found.text));
    let texts: Vec<String> = texts.collect();
    let language = Language::guess(query).unwrap_or(scene.agent.language);
    let ranked = rank(query, &texts, language);
    let found = ranked.iter().take(most).filter_map(|(at, share)| {
        let found = all.get(*at)?;
        Some(json!({
            "title": found.title,
            "content": found.text,
            "category": T::KIND.as_str(),
            "relevance_score": share,
        }))
    });
    Ok(found.collect())
}
