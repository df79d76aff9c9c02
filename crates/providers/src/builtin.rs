//! The responder that is always there: no key, no network, no invention. It answers with the
//! sentences of the passages that cover the question, and says so when there are none.

mod block;
mod choose;
mod judged;
mod matches;
mod small_talk;
mod units;

use async_trait::async_trait;
use block::Block;
use choose::{Asked, Choice};
use judged::UnitJudge;
use quipu_core::analysis::{self, Question};
use quipu_core::language::Language;
use quipu_core::phrases;
use quipu_core::ports::{Reply, ReplyPart, ReplyRequest, Responder, ResponderError, Speaker};
use quipu_core::retrieval::Passage;
use units::Unit;

/// How many blocks an answer quotes.
const MAX_BLOCKS: usize = 3;
/// How many passages are read, whatever the caller sends.
const MAX_PASSAGES: usize = 20;

#[derive(Debug, Default)]
pub struct BuiltinResponder {
    judge: UnitJudge,
}

#[async_trait]
impl Responder for BuiltinResponder {
    fn name(&self) -> &'static str {
        "builtin"
    }

    async fn reply(&self, request: &ReplyRequest) -> Result<Reply, ResponderError> {
        let parts = reply(request, &self.judge).await;
        Ok(Reply { parts })
    }
}

async fn reply(request: &ReplyRequest, judge: &UnitJudge) -> Vec<ReplyPart> {
    let asked = questions(request);
    if asked.is_empty() {
        return vec![said(small_talk::answer(request))];
    }
    let passages = &request.passages[..request.passages.len().min(MAX_PASSAGES)];
    let units = units::cut(passages, request.language);
    let mut blocks: Vec<Block> = Vec::new();
    let mut unanswered = false;
    for question in &asked {
        let mut found = found(question, passages, &units, request, judge).await;
        if found.is_empty() {
            // Two questions in one breath: each half may have an answer of its own.
            for half in halves(&question.text) {
                found.extend(self::found(&half, passages, &units, request, judge).await);
            }
        }
        unanswered |= found.is_empty();
        for block in found {
            if !blocks.iter().any(|known| known.overlaps(&block)) {
                blocks.push(block);
            }
        }
    }
    blocks.truncate(MAX_BLOCKS);
    if blocks.is_empty() {
        return vec![said(phrases::no_information(
            &request.company_name,
            request.language,
        ))];
    }
    quoted(request, &units, &blocks, unanswered)
}

async fn found(
    question: &Asked,
    passages: &[Passage],
    units: &[Unit<'_>],
    request: &ReplyRequest,
    judge: &UnitJudge,
) -> Vec<Block> {
    let choice = Choice::new(question, request.language, units);
    let judged = judge.judge(question, passages, units, &choice).await;
    choice.blocks(judged.as_ref())
}

/// The two sides of a question that joins two.
fn halves(question: &str) -> Vec<Asked> {
    let joined = [" y ", " and "]
        .into_iter()
        .find_map(|and| question.split_once(and));
    let Some((first, second)) = joined else {
        return Vec::new();
    };
    let side = |text: &str| Asked {
        text: text.trim().to_owned(),
        context: None,
    };
    vec![side(first), side(second)]
}

/// The questions of the message, each with what was said before it when it is too short to stand
/// alone.
fn questions(request: &ReplyRequest) -> Vec<Asked> {
    let language = request.language;
    let plain =
        |text: &str| analysis::without_names(text, &request.agent_name, &request.company_name);
    let message = plain(&request.question);
    let customer = request
        .history
        .iter()
        .rev()
        .filter(|turn| turn.speaker == Speaker::Customer);
    let mut before = customer
        .map(|turn| plain(&turn.text))
        .find(|text| !Question::read(text, language, language).is_empty());
    let mut asked = Vec::new();
    for text in analysis::questions(&message, language) {
        let short = Question::read(text, language, language).is_short();
        let context = before.replace(text.to_owned()).filter(|_| short);
        asked.push(Asked {
            text: text.to_owned(),
            context,
        });
    }
    asked
}

fn quoted(
    request: &ReplyRequest,
    units: &[Unit<'_>],
    blocks: &[Block],
    unanswered: bool,
) -> Vec<ReplyPart> {
    let mut parts = Vec::new();
    if blocks
        .iter()
        .any(|block| units[block.first].language != request.language)
    {
        parts.push(said(match request.language {
            Language::Es => "Esto es lo que dice nuestra información, en inglés:".to_owned(),
            Language::En => "Here is what our information says, in Spanish:".to_owned(),
        }));
    }
    for block in blocks {
        let (text, source) = block.render(units, &request.passages);
        parts.push(ReplyPart {
            text,
            source: Some(source),
        });
    }
    if unanswered {
        parts.push(said(match request.language {
            Language::Es => "De lo demás que preguntas no tengo información.".to_owned(),
            Language::En => "I don't have information about the rest of your question.".to_owned(),
        }));
    }
    parts
}

fn said(text: String) -> ReplyPart {
    ReplyPart { text, source: None }
}

#[cfg(test)]
mod tests;
