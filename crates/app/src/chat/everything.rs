//! Everything that a business has, gathered for a prompt that holds all of it.

use super::plain;
use crate::{Actor, catalogue, knowledge_bases, search};
use quipu_agents::prompt::{LEGACY_TOKENS, LegacyInput, LegacyPrompt, PromptInput, legacy};
use quipu_commerce::business::{
    Article, Branch, CatalogueItem, Competitor, DeliveryZone, Dish, Faq, Instruction, Item, Policy,
    ResponseTemplate, Service, Staff,
};
use quipu_core::Result;
use quipu_core::agent::Agent;
use quipu_core::knowledge::{DocumentFilter, DocumentSort, DocumentStatus, KbScope};
use quipu_core::language::Language;
use quipu_core::page::{MAX_LIMIT, PageRequest};
use quipu_store::TenantTx;
use std::collections::HashMap;
use uuid::Uuid;

/// Documents are read while there may be room for them: a token is hardly ever longer than this.
const TOKEN_BYTES: usize = 8;
/// Of more documents it is only told that there are some.
const MOST_DOCUMENTS: usize = 1_000;

/// Everything the business has, in one prompt.
pub(super) async fn everything(
    tx: &TenantTx,
    actor: &Actor,
    agent: &Agent,
    input: PromptInput<'_>,
) -> Result<LegacyPrompt> {
    let branches = catalogue::active::<Branch>(tx).await?;
    let staff = catalogue::active::<Staff>(tx).await?;
    let names = names(&branches).chain(names(&staff)).collect();
    let words = Words {
        names,
        language: input.language,
    };
    let instructions = words.all::<Instruction>(tx).await?;
    let services = words.all::<Service>(tx).await?;
    let menu = words.all::<Dish>(tx).await?;
    let zones = words.all::<DeliveryZone>(tx).await?;
    let branches = words.each(&branches);
    let staff = words.each(&staff);
    let policies = words.all::<Policy>(tx).await?;
    let faqs = words.all::<Faq>(tx).await?;
    let templates = words.all::<ResponseTemplate>(tx).await?;
    let competitors = words.all::<Competitor>(tx).await?;
    let articles = words.all::<Article>(tx).await?;
    let (documents, unread) = documents(tx, actor, agent).await?;
    Ok(legacy(&LegacyInput {
        agent: input,
        instructions: &instructions,
        services: &services,
        menu: &menu,
        zones: &zones,
        branches: &branches,
        staff: &staff,
        policies: &policies,
        faqs: &faqs,
        templates: &templates,
        competitors: &competitors,
        articles: &articles,
        documents: &documents,
        unread,
    }))
}

/// How things are told in words.
struct Words {
    names: HashMap<Uuid, String>,
    language: Language,
}

impl Words {
    async fn all<T: CatalogueItem>(&self, tx: &TenantTx) -> Result<Vec<String>> {
        Ok(self.each(&catalogue::active::<T>(tx).await?))
    }

    /// Each thing as text: what a search would read of it, or else all that it says.
    fn each<T: CatalogueItem>(&self, items: &[Item<T>]) -> Vec<String> {
        let words = |item: &Item<T>| match item.data.searchable() {
            Some(found) => format!("{}: {}", found.title, found.text),
            None => plain::in_words(&item.data, &self.names, self.language),
        };
        items.iter().map(words).collect()
    }
}

fn names<T: CatalogueItem>(items: &[Item<T>]) -> impl Iterator<Item = (Uuid, String)> {
    items
        .iter()
        .map(|item| (item.id, item.data.name().to_owned()))
}

/// The documents that every customer of the agent may be told about, as far as there can be room for
/// them, and how many more there are. What is in the catalogue is told already.
async fn documents(tx: &TenantTx, actor: &Actor, agent: &Agent) -> Result<(Vec<String>, usize)> {
    let findable = DocumentFilter {
        status: Some(DocumentStatus::Completed),
        enabled: Some(true),
        ..DocumentFilter::default()
    };
    let scope = search::grant(tx, actor, agent, None).await?;
    let shared = scope.knowledge_bases().iter();
    let shared = shared.filter(|kb| matches!(kb.scope, KbScope::Global | KbScope::Agent));
    let mut room = LEGACY_TOKENS * TOKEN_BYTES;
    let (mut texts, mut seen, mut unread) = (Vec::new(), 0, 0);
    for kb in shared {
        let open = knowledge_bases::open(tx, actor, kb.id).await?;
        let mut page = PageRequest::parse(Some(MAX_LIMIT), None)?;
        loop {
            let documents = tx.documents();
            let listed = documents.list(&open, &findable, DocumentSort::Newest, page);
            let listed = listed.await?;
            for document in listed.data {
                seen += 1;
                if room == 0 {
                    unread += 1;
                } else if let Some(text) = tx.chunks().text(&open, document.id).await? {
                    room = room.saturating_sub(text.len());
                    let title = document.title.as_deref().unwrap_or(&kb.name);
                    texts.push(format!("{title}:\n{text}"));
                }
            }
            let Some(cursor) = listed.next_cursor.filter(|_| seen < MOST_DOCUMENTS) else {
                break;
            };
            page = PageRequest::parse(Some(MAX_LIMIT), Some(&cursor))?;
        }
    }
    Ok((texts, unread))
}
