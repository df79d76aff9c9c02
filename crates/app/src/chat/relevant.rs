//! What a search found, sorted by who it is for: customers, or whoever answers them.

use crate::{Actor, App, learning};
use quipu_agents::{Found, Guidance};
use quipu_commerce::business::{CatalogueItem, Faq, Instruction, ItemKind};
use quipu_core::retrieval::Passage;
use quipu_core::{BranchId, DocumentId, Result};
use quipu_store::TenantTx;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// How many instructions are told for one message.
const MOST_INSTRUCTIONS: usize = 5;

/// What customers may be told in the words it is written in, and what is for whoever answers: how to
/// behave goes apart as instructions; how to speak of competitors, and templates with their places
/// still empty, are found by tools and quoted to nobody.
pub(super) async fn sort(
    app: &App,
    actor: &Actor,
    passages: Vec<Passage>,
    branch: Option<BranchId>,
) -> Result<Found> {
    let questions = things(&passages, Faq::KIND);
    let told = things(&passages, Instruction::KIND);
    let mut found = Found::default();
    if !questions.is_empty() || !told.is_empty() {
        let tx = app.store.read(actor.scope()).await?;
        found.learned = learned(&tx, &questions).await?;
        let best_first: Vec<DocumentId> = passages.iter().map(|found| found.document_id).collect();
        found.instructions = instructions(&tx, &best_first, &told, branch).await?;
    }
    found.passages = passages.into_iter().filter(is_quotable).collect();
    Ok(found)
}

fn is_quotable(passage: &Passage) -> bool {
    let thing = passage.business.as_ref();
    thing.is_none_or(|thing| !thing.is_internal())
}

/// The things of a kind that passages tell about, by the documents they are in.
fn things(passages: &[Passage], kind: ItemKind) -> HashMap<DocumentId, Uuid> {
    let things = passages.iter().filter_map(|passage| {
        let thing = passage.business.as_ref()?;
        let id = thing.id.parse().ok()?;
        (thing.kind == kind.as_str()).then_some((passage.document_id, id))
    });
    things.collect()
}

/// Which of these questions an agent learned from people.
async fn learned(
    tx: &TenantTx,
    questions: &HashMap<DocumentId, Uuid>,
) -> Result<HashSet<DocumentId>> {
    let ids: Vec<Uuid> = questions.values().copied().collect();
    let faqs = tx.catalogue().some::<Faq>(&ids).await?;
    let is_learned = |id: &Uuid| {
        faqs.get(id)
            .is_some_and(|faq| learning::is_learned(&faq.data))
    };
    let learned = questions.iter().filter(|(_, id)| is_learned(id));
    Ok(learned.map(|(document, _)| *document).collect())
}

/// The instructions among what was found, the most important first and then those that matter most.
/// Those that stand in every prompt are told already, and what holds for another branch, or for one
/// while nobody knows which, is not told.
async fn instructions(
    tx: &TenantTx,
    best_first: &[DocumentId],
    found: &HashMap<DocumentId, Uuid>,
    branch: Option<BranchId>,
) -> Result<Vec<Guidance>> {
    let ids: Vec<Uuid> = found.values().copied().collect();
    let mut known = tx.catalogue().some::<Instruction>(&ids).await?;
    let best_first = best_first.iter().filter_map(|document| found.get(document));
    let mut told: Vec<(Uuid, Instruction)> = best_first
        .filter_map(|id| Some((*id, known.remove(id)?.data)))
        .filter(|(_, told)| told.active && !told.include_in_prompt)
        .filter(|(_, told)| told.branch_id.is_none() || told.branch_id == branch)
        .collect();
    told.sort_by_key(|(_, told)| Reverse(told.priority));
    told.truncate(MOST_INSTRUCTIONS);
    let guidance = told.into_iter().map(|(id, told)| Guidance {
        id,
        text: told.content,
    });
    Ok(guidance.collect())
}
