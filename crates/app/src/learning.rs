//! What agents may learn from the answers that people gave in their place.

use crate::{Actor, App, catalogue, profile};
use quipu_commerce::business::{CatalogueItem, Faq};
use quipu_core::access::Permission;
use quipu_core::conversation::{Conversation, MessageRole};
use quipu_core::history::Subject;
use quipu_core::learning::{
    LONGEST_ANSWER, LONGEST_QUESTION, LearnedAnswer, LearnedStatus, Lesson, MOST_WAITING, lessons,
};
use quipu_core::page::{Page, PageRequest};
use quipu_core::validate::Checks;
use quipu_core::{Error, ErrorCode, LearnedAnswerId, Result, Timestamp};
use quipu_store::TenantTx;
use quipu_store::tenant::Decision;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// How much of a conversation is looked at.
const MOST_MESSAGES: u64 = 100;
/// What the questions are tagged with that agents learned.
const TAG: &str = "aprendido";

/// Whether an agent learned a frequent question from people.
pub(crate) fn is_learned(faq: &Faq) -> bool {
    faq.tags.iter().any(|tag| tag == TAG)
}

/// How a proposal is approved.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ApproveAnswer {
    /// The question in better words.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 300)]
    pub question: Option<String>,
    /// The answer in better words.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 4000)]
    pub answer: Option<String>,
}

/// Newest first.
///
/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn list(
    app: &App,
    actor: &Actor,
    status: Option<LearnedStatus>,
    page: PageRequest,
) -> Result<Page<LearnedAnswer>> {
    actor.require(Permission::BusinessRead)?;
    let tx = app.store.read(actor.scope()).await?;
    tx.learned_answers().list(status, page).await
}

/// Makes a frequent question of a proposal, in its own or in better words.
///
/// # Errors
/// `NOT_FOUND`, `VALIDATION_FAILED`, `LEARNED_ANSWER_STATE` when it was decided already,
/// `ALREADY_EXISTS` when that question is answered already, or `TOO_MANY_ITEMS`.
pub async fn approve(
    app: &App,
    actor: &Actor,
    id: LearnedAnswerId,
    input: ApproveAnswer,
) -> Result<LearnedAnswer> {
    actor.require(Permission::BusinessWrite)?;
    let mut checks = Checks::new();
    let question = checks.optional_line("question", input.question.as_deref(), LONGEST_QUESTION);
    if let Some(answer) = &input.answer {
        checks.text("answer", answer, LONGEST_ANSWER);
    }
    checks.finish()?;
    let tx = app.store.begin(actor.scope()).await?;
    let proposed = undecided(&tx, id).await?;
    let lesson = Lesson {
        question: question.unwrap_or(proposed.question),
        answer: input.answer.unwrap_or(proposed.answer),
    };
    catalogue::room_for(&tx, Faq::KIND, 1).await?;
    let currency = profile::currency(&tx).await?;
    let faq = Faq {
        question: lesson.question.clone(),
        answer: lesson.answer.clone(),
        category: None,
        tags: vec![TAG.to_owned()],
        active: true,
    };
    let faq_id = catalogue::insert(app, &tx, currency, faq).await?;
    let by = actor.name();
    let decision = Decision {
        status: LearnedStatus::Approved,
        lesson,
        faq_id: Some(faq_id),
        by: &by,
    };
    let decided = decide(&tx, actor, id, &decision, "learned_answer.approve").await?;
    tx.commit().await?;
    app.new_work.notify_one();
    Ok(decided)
}

/// # Errors
/// `NOT_FOUND`, or `LEARNED_ANSWER_STATE` when it was decided already.
pub async fn reject(app: &App, actor: &Actor, id: LearnedAnswerId) -> Result<LearnedAnswer> {
    actor.require(Permission::BusinessWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    let proposed = undecided(&tx, id).await?;
    let by = actor.name();
    let decision = Decision {
        status: LearnedStatus::Rejected,
        lesson: Lesson {
            question: proposed.question,
            answer: proposed.answer,
        },
        faq_id: None,
        by: &by,
    };
    let decided = decide(&tx, actor, id, &decision, "learned_answer.reject").await?;
    tx.commit().await?;
    Ok(decided)
}

/// Proposes what a person answered since the agent answered last, in a conversation that is locked
/// and about to go back to its agent or to be closed. What was proposed from it before is not proposed again.
pub(crate) async fn propose(tx: &TenantTx, conversation: &Conversation) -> Result<()> {
    let waiting = tx.learned_answers().count_waiting().await?;
    let room = usize::try_from(MOST_WAITING.saturating_sub(waiting)).unwrap_or(usize::MAX);
    if room == 0 {
        return Ok(());
    }
    let id = conversation.id;
    let history = tx.history().of(Subject::Conversation, id.uuid()).await?;
    let released = history
        .iter()
        .rfind(|entry| entry.action == "handoff_released");
    let since = released.map_or(Timestamp::UNIX_EPOCH, |entry| entry.at);
    let roles = [MessageRole::User, MessageRole::Human];
    let said = tx.messages().recent(id, MOST_MESSAGES, &roles).await?;
    let lead = tx.leads().find(conversation.lead_id).await?;
    let name = lead.and_then(|lead| lead.name);
    let known = tx.learned_answers().of_conversation(id).await?;
    let new = lessons(&said, since, name.as_deref());
    for lesson in new
        .iter()
        .filter(|lesson| !known.contains(lesson))
        .take(room)
    {
        tx.learned_answers().insert(conversation, lesson).await?;
    }
    Ok(())
}

async fn undecided(tx: &TenantTx, id: LearnedAnswerId) -> Result<LearnedAnswer> {
    let found = tx.learned_answers().lock(id).await?;
    let found = found.ok_or_else(|| Error::not_found("learned_answer"))?;
    if found.status != LearnedStatus::Proposed {
        return Err(Error::new(ErrorCode::LearnedAnswerState));
    }
    Ok(found)
}

async fn decide(
    tx: &TenantTx,
    actor: &Actor,
    id: LearnedAnswerId,
    decision: &Decision<'_>,
    action: &'static str,
) -> Result<LearnedAnswer> {
    tx.learned_answers().decide(id, decision).await?;
    let target = format!("learned_answer:{id}");
    let details = json!({ "faq_id": decision.faq_id });
    actor.audit(tx, action, target, details).await?;
    let decided = tx.learned_answers().lock(id).await?;
    decided.ok_or_else(|| Error::internal("a proposal vanished while it was decided"))
}
