//! Questions that an agent could not answer, gathered by what they ask for.

#[cfg(test)]
mod tests;

use crate::lead::words;
use crate::learning::{LONGEST_QUESTION, without_personal_data};
use crate::text::preview;
use crate::{AgentId, ConversationId, LeadId, Timestamp, TurnId};
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use utoipa::ToSchema;
use uuid::Uuid;

/// How many questions are looked at, the newest ones.
pub const MOST_QUESTIONS: u64 = 2_000;
/// How many gaps are told.
pub const MOST_GAPS: usize = 100;
/// How many questions of one gap are told.
pub const MOST_SHOWN: usize = 20;
/// The least likeness of a question to those that it is put with, on average. On forty ways to ask for
/// ten things a third of it is above what 99 of 100 pairs of different things have, and below what more
/// than half of the pairs have that ask for the same.
const ALIKE: f32 = 0.35;

/// How long an answer takes until agents know it. What is asked in vain meanwhile, such as by whoever
/// wrote it and tries it out, does not say that it did not help.
const SINKS_IN: SignedDuration = SignedDuration::from_mins(2);

words! {
    /// Why a question counts as not answered.
    GapReason {
        /// Nothing that is known was told.
        Unanswered = "unanswered",
        /// Somebody said that the answer did not help.
        Unhelpful = "unhelpful",
    }
}

words! {
    /// What became of a gap.
    GapStatus {
        Open = "open",
        /// There is a frequent question for it, and nobody has asked in vain since.
        Answered = "answered",
        /// Nobody wants it answered.
        Dismissed = "dismissed",
    }
}

/// What somebody decided about a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GapDecision {
    pub status: GapStatus,
    pub faq_id: Option<Uuid>,
    pub by: String,
    pub at: Timestamp,
}

/// A question that was asked in vain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedInVain {
    pub turn_id: TurnId,
    pub agent_id: AgentId,
    pub conversation_id: Option<ConversationId>,
    pub lead_id: Option<LeadId>,
    pub question: String,
    pub reason: GapReason,
    pub asked_at: Timestamp,
    pub decision: Option<GapDecision>,
}

/// One of the questions of a gap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GapQuestion {
    pub turn_id: TurnId,
    pub agent_id: AgentId,
    pub conversation_id: Option<ConversationId>,
    #[schema(example = "¿hay donde dejar el carro?")]
    pub question: String,
    pub reason: GapReason,
    pub asked_at: Timestamp,
}

/// Something that customers ask for and agents do not know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct KnowledgeGap {
    /// The turn of its oldest question. Any turn of it names the gap.
    pub id: TurnId,
    pub status: GapStatus,
    /// The question that is most like all of them, without what identifies a customer.
    #[schema(example = "¿Tienen estacionamiento?")]
    pub question: String,
    /// How often it was asked in vain, since it was answered where it was.
    pub asked: u64,
    /// By how many known customers.
    pub customers: u64,
    pub agents: Vec<AgentId>,
    pub first_asked_at: Timestamp,
    pub last_asked_at: Timestamp,
    /// The frequent question that was made of it.
    pub faq_id: Option<Uuid>,
    /// Who decided, as the audit log calls them.
    pub decided_by: Option<String>,
    pub decided_at: Option<Timestamp>,
    /// The newest of its questions.
    pub questions: Vec<GapQuestion>,
}

/// Questions that ask for the same, with the sum of their vectors.
#[derive(Default)]
struct LikeQuestions {
    members: Vec<usize>,
    sum: Vec<f32>,
}

/// What was asked in vain, oldest first, put together by vectors of length one.
///
/// Each question joins those that it is most like on average, or stands alone. In the order of time,
/// what was put together once stays together while more is asked.
#[must_use]
pub fn gather(asked: &[AskedInVain], vectors: &[Vec<f32>]) -> Vec<Vec<usize>> {
    let mut groups: Vec<LikeQuestions> = Vec::new();
    for (i, vector) in vectors.iter().enumerate().take(asked.len()) {
        #[expect(
            clippy::cast_precision_loss,
            reason = "there are at most a few thousand"
        )]
        let likeness = |group: &LikeQuestions| dot(&group.sum, vector) / group.members.len() as f32;
        let best = groups
            .iter()
            .enumerate()
            .map(|(place, group)| (place, likeness(group)))
            .max_by(|one, other| one.1.total_cmp(&other.1));
        let place = match best {
            Some((place, likeness)) if likeness >= ALIKE => place,
            _ => {
                groups.push(LikeQuestions {
                    members: Vec::new(),
                    sum: vec![0.0; vector.len()],
                });
                groups.len() - 1
            }
        };
        let group = &mut groups[place];
        group.members.push(i);
        add(&mut group.sum, vector);
    }
    groups.into_iter().map(|group| group.members).collect()
}

/// What these questions, which ask for the same, come to.
#[must_use]
pub fn gap(asked: &[AskedInVain], vectors: &[Vec<f32>], members: &[usize]) -> Option<KnowledgeGap> {
    let oldest = &asked[*members.first()?];
    let decisions = members.iter().filter_map(|i| asked[*i].decision.as_ref());
    let decided = decisions.max_by_key(|decision| decision.at);
    let since: Vec<usize> = match decided {
        // What nobody wants answered stays so however often it is asked.
        Some(decided) if decided.status == GapStatus::Answered => {
            let later = members.iter().copied();
            let known = decided.at + SINKS_IN;
            later.filter(|i| asked[*i].asked_at > known).collect()
        }
        _ => members.to_vec(),
    };
    let (status, counted) = match decided {
        Some(decided) if decided.status == GapStatus::Dismissed => (GapStatus::Dismissed, since),
        Some(_) if since.is_empty() => (GapStatus::Answered, members.to_vec()),
        // Nobody decided yet, or the answer did not reach those who asked later.
        None | Some(_) => (GapStatus::Open, since),
    };
    // What was taken back is nobody's decision any more.
    let stands = decided.filter(|decided| decided.status != GapStatus::Open);
    let known: HashSet<LeadId> = counted.iter().filter_map(|i| asked[*i].lead_id).collect();
    let mut agents: Vec<AgentId> = counted.iter().map(|i| asked[*i].agent_id).collect();
    agents.sort_unstable();
    agents.dedup();
    let times = || counted.iter().map(|i| asked[*i].asked_at);
    let shown = counted.iter().rev().take(MOST_SHOWN).map(|i| &asked[*i]);
    Some(KnowledgeGap {
        id: oldest.turn_id,
        status,
        question: plainest(asked, vectors, &counted),
        asked: counted.len() as u64,
        customers: known.len() as u64,
        agents,
        first_asked_at: times().min()?,
        last_asked_at: times().max()?,
        faq_id: decided.and_then(|decided| decided.faq_id),
        decided_by: stands.map(|decided| decided.by.clone()),
        decided_at: stands.map(|decided| decided.at),
        questions: shown.map(GapQuestion::from).collect(),
    })
}

impl From<&AskedInVain> for GapQuestion {
    fn from(asked: &AskedInVain) -> Self {
        Self {
            turn_id: asked.turn_id,
            agent_id: asked.agent_id,
            conversation_id: asked.conversation_id,
            question: asked.question.clone(),
            reason: asked.reason,
            asked_at: asked.asked_at,
        }
    }
}

/// The question that is most like all of them; the newest of two. What it is like on the whole is told by
/// their sum: each is looked at once, and not beside every other.
fn plainest(asked: &[AskedInVain], vectors: &[Vec<f32>], members: &[usize]) -> String {
    let length = members.first().map_or(0, |i| vectors[*i].len());
    let mut all = vec![0.0; length];
    for i in members {
        add(&mut all, &vectors[*i]);
    }
    let best = members
        .iter()
        .map(|i| (*i, dot(&all, &vectors[*i])))
        .max_by(|one, other| one.1.total_cmp(&other.1));
    let question = best.map(|(i, _)| asked[i].question.as_str());
    let question = question.unwrap_or_default();
    preview(&without_personal_data(question, None), LONGEST_QUESTION - 1)
}

fn add(sum: &mut [f32], vector: &[f32]) {
    for (sum, value) in sum.iter_mut().zip(vector) {
        *sum += value;
    }
}

fn dot(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}
