//! What an agent may learn from the answers that people gave in its place.

mod redact;
#[cfg(test)]
mod tests;

pub use redact::without_personal_data;

use crate::conversation::{Message, MessageRole};
use crate::lead::words;
use crate::text::{fold, preview};
use crate::{AgentId, ConversationId, LearnedAnswerId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// How many answers of one hand-off are proposed.
pub const MOST_PROPOSED: usize = 5;
/// How many proposals of a tenant wait for somebody to decide. Further ones are not kept.
pub const MOST_WAITING: u64 = 1_000;
/// A question is the title of what is made of it.
pub const LONGEST_QUESTION: usize = 300;
pub const LONGEST_ANSWER: usize = 4_000;
/// What has fewer words says nothing that is worth knowing.
const FEWEST_WORDS: usize = 3;

words! {
    /// What became of a proposal.
    LearnedStatus {
        Proposed = "proposed",
        Approved = "approved",
        Rejected = "rejected",
    }
}

/// A question that a person answered, for somebody to decide whether agents may know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LearnedAnswer {
    pub id: LearnedAnswerId,
    pub agent_id: Option<AgentId>,
    /// Where it was asked and answered.
    pub conversation_id: Option<ConversationId>,
    pub status: LearnedStatus,
    pub question: String,
    pub answer: String,
    /// The frequent question that it became.
    pub faq_id: Option<Uuid>,
    /// Who decided, as the audit log calls them.
    pub decided_by: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A question and the answer that a person gave to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesson {
    pub question: String,
    pub answer: String,
}

/// The questions of a conversation that people answered from an instant on, with what they answered
/// and without what identifies the customer. What was said is given oldest first.
#[must_use]
pub fn lessons(said: &[Message], since: Timestamp, customer: Option<&str>) -> Vec<Lesson> {
    let mut lessons = Vec::new();
    let (mut question, mut answer) = (String::new(), String::new());
    for message in said {
        match message.role {
            MessageRole::User => {
                if !answer.is_empty() {
                    lessons.push((std::mem::take(&mut question), std::mem::take(&mut answer)));
                }
                add(&mut question, &message.text, " ");
            }
            MessageRole::Human if message.created_at >= since && !question.is_empty() => {
                add(&mut answer, &message.text, "\n");
            }
            // What was answered before is not asked any more.
            MessageRole::Human => question.clear(),
            // An agent that says that somebody will come has answered nothing.
            MessageRole::Assistant | MessageRole::System | MessageRole::Note => {}
        }
    }
    if !answer.is_empty() {
        lessons.push((question, answer));
    }
    lessons
        .into_iter()
        .map(|(question, answer)| Lesson {
            question: preview(
                &without_personal_data(&question, customer),
                LONGEST_QUESTION - 1,
            ),
            answer: shortened(&without_personal_data(&answer, customer)),
        })
        .take(MOST_PROPOSED)
        .collect()
}

/// Adds what a message says beyond good manners.
fn add(to: &mut String, text: &str, between: &str) {
    if is_small_talk(text) {
        return;
    }
    if !to.is_empty() {
        to.push_str(between);
    }
    // A control sign has no place in a question that is kept.
    to.extend(
        text.trim()
            .chars()
            .filter(|c| !c.is_control() || c.is_whitespace()),
    );
}

/// Whether a message is too short to say anything, or nothing but a greeting or thanks.
fn is_small_talk(text: &str) -> bool {
    const MANNERS: &[&str] = &[
        "hola",
        "holi",
        "buenos",
        "buenas",
        "buen",
        "dia",
        "dias",
        "tarde",
        "tardes",
        "noche",
        "noches",
        "saludos",
        "que",
        "tal",
        "como",
        "esta",
        "estas",
        "estan",
        "muy",
        "muchas",
        "muchisimas",
        "gracias",
        "mil",
        "ok",
        "okey",
        "vale",
        "perfecto",
        "listo",
        "claro",
        "si",
        "no",
        "de",
        "nada",
        "por",
        "favor",
        "adios",
        "hasta",
        "luego",
        "pronto",
        "bien",
        "y",
        "a",
        "usted",
        "ustedes",
        "senor",
        "senora",
        "senorita",
        "hello",
        "hi",
        "good",
        "morning",
        "afternoon",
        "evening",
        "thanks",
        "thank",
        "you",
        "very",
        "much",
        "please",
        "bye",
        "how",
        "are",
    ];
    let words: Vec<String> = crate::text::words(text).map(fold).collect();
    // Folding keeps the ñ, and the list is written without it.
    let manner = |word: &String| MANNERS.contains(&word.replace('ñ', "n").as_str());
    words.len() < FEWEST_WORDS || words.iter().all(manner)
}

fn shortened(text: &str) -> String {
    let text = text.trim();
    if text.chars().count() <= LONGEST_ANSWER {
        return text.to_owned();
    }
    preview(text, LONGEST_ANSWER - 1)
}
