//! One turn: from the customer's message and the passages found for it to the agent's answer.

use crate::citations::{Cited, cite};
use crate::conversation::language;
use quipu_core::Result;
use quipu_core::language::Language;
use quipu_core::phrases;
use quipu_core::ports::{ReplyRequest, Responder, Speaker, Turn};
use quipu_core::retrieval::{Citation, Passage};
use quipu_core::validate::{Checks, Problem};

/// How many messages before the question a responder gets to see.
const HISTORY: usize = 8;

#[derive(Clone, Debug)]
pub struct TurnInput {
    pub agent_name: String,
    pub company_name: String,
    /// The language to answer in when the conversation gives no hint.
    pub default_language: Language,
    /// The conversation so far; the last message is the customer's question.
    pub messages: Vec<Turn>,
    /// What was found for the question, the best first.
    pub passages: Vec<Passage>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub text: String,
    /// The pieces of the text in the order they are released; put together they are the text.
    pub parts: Vec<String>,
    pub citations: Vec<Citation>,
    /// The answer rests on at least one checked quote.
    pub grounded: bool,
    pub language: Language,
    /// Who was asked for the answer.
    pub responder: String,
    /// The responder failed and the text is an apology.
    pub degraded: bool,
}

/// Answers the last message of a conversation.
///
/// # Errors
/// `VALIDATION_FAILED` when the conversation does not end with a message of the customer.
/// A failing responder is no error: the customer gets an honest apology.
pub async fn answer(responder: &dyn Responder, turn: TurnInput) -> Result<Answer> {
    let language = language(&turn.messages, turn.default_language);
    let request = request(turn, language)?;
    let company = request.company_name.as_str();
    let only = |text: String| Cited {
        parts: vec![text],
        citations: Vec::new(),
    };
    let (cited, degraded) = match responder.reply(&request).await {
        Ok(reply) => {
            let cited = cite(&reply.parts, &request.passages);
            (
                cited.unwrap_or_else(|| only(phrases::no_information(company, language))),
                false,
            )
        }
        Err(_) => (only(phrases::apology(company, language)), true),
    };
    Ok(Answer {
        text: cited.parts.concat(),
        grounded: !cited.citations.is_empty(),
        parts: cited.parts,
        citations: cited.citations,
        language,
        responder: responder.name().to_owned(),
        degraded,
    })
}

fn request(turn: TurnInput, language: Language) -> Result<ReplyRequest> {
    let mut history = turn.messages;
    let Some(question) = history
        .pop()
        .filter(|last| last.speaker == Speaker::Customer)
    else {
        let mut checks = Checks::new();
        checks.problem("messages", Problem::Empty);
        return Err(checks.finish().expect_err("a problem was added"));
    };
    history.drain(..history.len().saturating_sub(HISTORY));
    Ok(ReplyRequest {
        agent_name: turn.agent_name,
        company_name: turn.company_name,
        language,
        question: question.text,
        history,
        passages: turn.passages,
    })
}
