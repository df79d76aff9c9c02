//! What customers ask for and agents do not know: looked at, answered for all agents, or let be.

use crate::heavy::HeldPlace;
use crate::turns::{Period, bounded};
use crate::{Actor, App, agents, catalogue, profile};
use jiff::SignedDuration;
use quipu_commerce::business::{CatalogueItem, Faq, Item};
use quipu_core::access::Permission;
use quipu_core::analysis::{Question, without_frame};
use quipu_core::embedding::{BUILTIN_STATIC, EmbeddingConfig};
use quipu_core::gap::{
    AskedInVain, GapDecision, GapStatus, KnowledgeGap, MOST_GAPS, MOST_QUESTIONS, gap, gather,
};
use quipu_core::language::Language;
use quipu_core::learning::{LONGEST_ANSWER, LONGEST_QUESTION};
use quipu_core::page::fitting;
use quipu_core::ports::Purpose;
use quipu_core::validate::Checks;
use quipu_core::{Error, Result, Timestamp, TurnId};
use quipu_store::TenantTx;
use quipu_store::tenant::{TurnViewer, Within};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

/// How much of a message is compared with others.
const COMPARED_CHARS: usize = 400;

/// Which gaps are wanted.
#[derive(Clone, Debug, Default)]
pub struct GapFilter {
    /// The agent's id or slug; all agents when left out.
    pub agent: Option<String>,
    pub status: Option<GapStatus>,
    pub period: Period,
}

/// What was asked in vain in a time.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct FoundGaps {
    pub from: Timestamp,
    pub to: Timestamp,
    /// Those that were asked for most often first, a hundred at most.
    pub data: Vec<KnowledgeGap>,
    /// How many there are, told or not.
    pub total: u64,
    /// There were more questions than are looked at: only the newest 2,000 are.
    pub truncated: bool,
}

/// What agents answer from now on.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerGap {
    #[schema(min_length = 1, max_length = 300, example = "¿Tienen estacionamiento?")]
    pub question: String,
    #[schema(
        min_length = 1,
        max_length = 4000,
        example = "Sí, frente al local, gratis la primera hora."
    )]
    pub answer: String,
    #[serde(default)]
    #[schema(min_length = 1, max_length = 100)]
    pub category: Option<String>,
}

/// The newest questions of a time.
struct ReadQuestions {
    asked: Vec<AskedInVain>,
    truncated: bool,
}

/// The questions of a time with their vectors, put together by what they ask for.
struct GatheredQuestions {
    asked: Vec<AskedInVain>,
    vectors: Vec<Vec<f32>>,
    groups: Vec<Vec<usize>>,
    truncated: bool,
}

impl GatheredQuestions {
    fn gaps(&self) -> impl Iterator<Item = KnowledgeGap> {
        let groups = self.groups.iter();
        groups.filter_map(|members| gap(&self.asked, &self.vectors, members))
    }

    /// The questions of the gap to which this one belongs.
    fn with(&self, id: TurnId) -> Option<Vec<usize>> {
        let holds = |members: &&Vec<usize>| members.iter().any(|i| self.asked[*i].turn_id == id);
        self.groups.iter().find(holds).cloned()
    }
}

/// A gap that somebody decides about, among all the questions around it.
struct GapAtHand {
    found: GatheredQuestions,
    members: Vec<usize>,
}

impl GapAtHand {
    fn turns(&self) -> Vec<TurnId> {
        let turns = self.members.iter().map(|i| self.found.asked[*i].turn_id);
        turns.collect()
    }

    /// The gap as it is once this was decided.
    fn decided(mut self, decision: &GapDecision) -> Result<KnowledgeGap> {
        for i in &self.members {
            self.found.asked[*i].decision = Some(decision.clone());
        }
        let told = gap(&self.found.asked, &self.found.vectors, &self.members);
        told.ok_or_else(|| Error::not_found("gap"))
    }
}

/// What was asked in vain, most often asked first.
///
/// # Errors
/// `FORBIDDEN` without the permission to see customers, `NOT_FOUND` for the agent, `VALIDATION_FAILED`
/// for the period.
pub async fn list(app: &App, actor: &Actor, filter: &GapFilter) -> Result<FoundGaps> {
    actor.require(Permission::CustomersRead)?;
    let (from, to) = bounded(app, filter.period)?;
    let place = app.heavy.gaps.enter(actor.tenant_id()).await?;
    let tx = app.store.read(actor.scope()).await?;
    let agent = match filter.agent.as_deref() {
        Some(agent) => Some(agents::find(&tx, agent).await?.id),
        None => None,
    };
    let read = read_questions(&tx, Within { agent, from, to }).await?;
    drop(tx);
    let (found, _) = gathered(app, actor, read, place).await?;
    let wanted = |gap: &KnowledgeGap| filter.status.is_none_or(|status| gap.status == status);
    let mut gaps: Vec<KnowledgeGap> = found.gaps().filter(wanted).collect();
    gaps.sort_by_key(|gap| std::cmp::Reverse((gap.asked, gap.last_asked_at)));
    let total = gaps.len() as u64;
    gaps.truncate(MOST_GAPS);
    gaps.truncate(fitting(&gaps));
    Ok(FoundGaps {
        from,
        to,
        data: gaps,
        total,
        truncated: found.truncated,
    })
}

/// Makes a frequent question of a gap, which every agent knows then. Where one was made of it that did not
/// help, that one says it better.
///
/// # Errors
/// `NOT_FOUND`, `VALIDATION_FAILED`, `ALREADY_EXISTS` when another one has that question, or
/// `TOO_MANY_ITEMS`.
pub async fn answer(
    app: &App,
    actor: &Actor,
    id: TurnId,
    input: AnswerGap,
) -> Result<KnowledgeGap> {
    may_decide(actor)?;
    let mut checks = Checks::new();
    let question = checks.optional_line("question", Some(&input.question), LONGEST_QUESTION);
    checks.text("answer", &input.answer, LONGEST_ANSWER);
    checks.finish()?;
    let at_hand = at_hand(app, actor, id).await?;
    let tx = app.store.begin(actor.scope()).await?;
    let turns = at_hand.turns();
    let faq = Faq {
        question: question.unwrap_or(input.question),
        answer: input.answer,
        category: input.category,
        tags: Vec::new(),
        active: true,
    };
    // Of two who answer at once, the second makes the answer of the first a better one.
    tx.profile().lock_plan().await?;
    let before = tx.gaps().faq_of(&turns).await?;
    let faq_id = keep(app, &tx, before, faq).await?;
    let decision = GapDecision {
        status: GapStatus::Answered,
        faq_id: Some(faq_id),
        by: actor.name(),
        at: app.now(),
    };
    tx.gaps().decide(&turns, &decision).await?;
    let details = json!({ "faq_id": faq_id, "questions": turns.len() });
    actor
        .audit(&tx, "gap.answer", format!("turn:{id}"), details)
        .await?;
    let told = at_hand.decided(&decision)?;
    tx.commit().await?;
    app.new_work.notify_one();
    Ok(told)
}

/// Writes a frequent question down: a new one, or a better one in the place of that which did not help.
async fn keep(app: &App, tx: &TenantTx, before: Option<Uuid>, faq: Faq) -> Result<Uuid> {
    let currency = profile::currency(tx).await?;
    if let Some(id) = before {
        tx.catalogue().lock(&[id]).await?;
        if let Some(Item { data: known, .. }) = tx.catalogue().find::<Faq>(id).await? {
            let faq = Faq {
                category: faq.category.or(known.category),
                tags: known.tags,
                ..faq
            };
            catalogue::save(app, tx, currency, id, faq).await?;
            return Ok(id);
        }
    }
    catalogue::room_for(tx, Faq::KIND, 1).await?;
    catalogue::insert(app, tx, currency, faq).await
}

/// Lets a gap be: nobody wants it answered, however often it is asked.
///
/// # Errors
/// `NOT_FOUND`, or `FORBIDDEN` without the permissions.
pub async fn dismiss(app: &App, actor: &Actor, id: TurnId) -> Result<KnowledgeGap> {
    may_decide(actor)?;
    decide(app, actor, id, GapStatus::Dismissed, "gap.dismiss").await
}

/// Takes back what was decided about a gap. A frequent question that was made of it stays, and is what
/// the next answer makes better.
///
/// # Errors
/// `NOT_FOUND`, or `FORBIDDEN` without the permissions.
pub async fn reopen(app: &App, actor: &Actor, id: TurnId) -> Result<KnowledgeGap> {
    may_decide(actor)?;
    decide(app, actor, id, GapStatus::Open, "gap.reopen").await
}

async fn decide(
    app: &App,
    actor: &Actor,
    id: TurnId,
    status: GapStatus,
    action: &'static str,
) -> Result<KnowledgeGap> {
    let at_hand = at_hand(app, actor, id).await?;
    let turns = at_hand.turns();
    let tx = app.store.begin(actor.scope()).await?;
    let decision = GapDecision {
        status,
        faq_id: tx.gaps().faq_of(&turns).await?,
        by: actor.name(),
        at: app.now(),
    };
    tx.gaps().decide(&turns, &decision).await?;
    let details = json!({ "questions": turns.len() });
    actor
        .audit(&tx, action, format!("turn:{id}"), details)
        .await?;
    let told = at_hand.decided(&decision)?;
    tx.commit().await?;
    Ok(told)
}

/// The questions are those of customers, and the answer is one of the business.
fn may_decide(actor: &Actor) -> Result<()> {
    actor.require(Permission::CustomersRead)?;
    actor.require(Permission::BusinessWrite)
}

/// The gap of a turn: among the newest questions, or among those that were the newest when it was asked.
async fn at_hand(app: &App, actor: &Actor, id: TurnId) -> Result<GapAtHand> {
    let missing = || Error::not_found("gap");
    let lately = lately(app)?;
    let place = app.heavy.gaps.enter(actor.tenant_id()).await?;
    let tx = app.store.read(actor.scope()).await?;
    let read = read_questions(&tx, lately).await?;
    drop(tx);
    let (found, place) = gathered(app, actor, read, place).await?;
    if let Some(members) = found.with(id) {
        return Ok(GapAtHand { found, members });
    }
    if !found.truncated {
        return Err(missing());
    }
    let everybody = TurnViewer {
        user: None,
        customers: true,
    };
    let tx = app.store.read(actor.scope()).await?;
    let turn = tx.turns().find(id, everybody).await?.ok_or_else(missing)?;
    let to = turn.summary.created_at + SignedDuration::from_micros(1);
    let read = read_questions(&tx, Within { to, ..lately }).await?;
    drop(tx);
    let (found, _) = gathered(app, actor, read, place).await?;
    let members = found.with(id).ok_or_else(missing)?;
    Ok(GapAtHand { found, members })
}

/// As far back as anything is decided about.
fn lately(app: &App) -> Result<Within> {
    let (from, to) = bounded(app, Period::longest(app))?;
    Ok(Within {
        agent: None,
        from,
        to,
    })
}

async fn read_questions(tx: &TenantTx, within: Within) -> Result<ReadQuestions> {
    let asked = tx.gaps().asked(within, MOST_QUESTIONS).await?;
    Ok(ReadQuestions {
        truncated: asked.len() as u64 == MOST_QUESTIONS,
        asked,
    })
}

/// Puts questions together by what they ask for. Nothing in the database waits for it. The place goes along to
/// the threads that do it: who asks and goes away leaves them at work.
async fn gathered(
    app: &App,
    actor: &Actor,
    read: ReadQuestions,
    place: HeldPlace,
) -> Result<(GatheredQuestions, HeldPlace)> {
    let ReadQuestions {
        mut asked,
        truncated,
    } = read;
    let reading = tokio::task::spawn_blocking(move || {
        // Thanks and greetings ask for nothing.
        asked.retain(|asked| {
            !Question::read_once(&asked.question, Language::Es, Language::Es).is_empty()
        });
        let plain = asked.iter().map(|asked| without_frame(&asked.question));
        let texts: Vec<String> = plain
            .map(|plain| plain.chars().take(COMPARED_CHARS).collect())
            .collect();
        (asked, texts, place)
    });
    let (asked, texts, place) = reading.await.map_err(Error::internal)?;
    let vectors = if texts.is_empty() {
        Vec::new()
    } else {
        // The quick model compares thousands while somebody waits, and nobody pays for it.
        let config = EmbeddingConfig::named(BUILTIN_STATIC, None)
            .ok_or_else(|| Error::internal("the built-in model has no name"))?;
        let embedder = app.embedders.of(actor.tenant_id(), &config, None)?;
        embedder.embed(&texts, Purpose::Question).await?.vectors
    };
    let gathering = tokio::task::spawn_blocking(move || {
        let groups = gather(&asked, &vectors);
        let gathered = GatheredQuestions {
            asked,
            vectors,
            groups,
            truncated,
        };
        (gathered, place)
    });
    gathering.await.map_err(Error::internal)
}
