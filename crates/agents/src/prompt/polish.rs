//! The personality of an agent in a model's own words: what the model is asked for, and what is taken
//! of its answer.

use super::sections::Writer;
use super::stable::{PERSONALITY_TOKENS, compile, compile_polished};
use super::texts::texts;
use super::wording::{fill, one_line, visible};
use super::{LeftOut, PromptInput};
use crate::facts::Evidence;
use crate::guard::{Guard, SUSPICIOUS};
use crate::tokens::count;
use quipu_core::agent::PolishProblem;
use quipu_core::chat::{ChatMessage, ChatRequest};
use quipu_core::language::Language;

const NAME_CHARS: usize = 120;
/// The longest answer that is waited for, in tokens. Models that think count that as well.
const ANSWER_TOKENS: u32 = 4_000;
/// What is longer, in bytes, is not looked at.
const LONGEST: usize = PERSONALITY_TOKENS * 24;

/// What a model is asked for, so that it puts the personality of an agent into better words.
#[must_use]
pub fn polish_request(input: &PromptInput<'_>) -> ChatRequest {
    let texts = texts(input.language);
    let company = one_line(input.company_name, NAME_CHARS);
    let words = [
        ("company", company.as_str()),
        ("business", &texts.trade(input.vertical).business),
    ];
    ChatRequest {
        system: fill(texts.common.polish.text.trim(), &words),
        messages: vec![ChatMessage::user(Writer::new(input).manner())],
        max_tokens: Some(ANSWER_TOKENS),
        ..ChatRequest::default()
    }
}

/// What is taken of a model's answer.
///
/// # Errors
/// Why nothing is. The personality then stays as it was written.
pub fn take_polished(input: &PromptInput<'_>, said: &str) -> Result<String, PolishProblem> {
    if said.len() > LONGEST {
        return Err(PolishProblem::TooLong);
    }
    let text = visible(without_fence(said));
    let plain = Writer::new(input).manner();
    // Fewer words than this cannot say what the plain text says.
    if count(&text) < count(&plain) / 4 {
        return Err(PolishProblem::TooShort);
    }
    let known = compile(input);
    let polished = compile_polished(input, &text);
    let section = polished
        .sections
        .iter()
        .find(|one| one.name == "personality");
    let fits = section.is_some_and(|section| section.tokens <= PERSONALITY_TOKENS);
    // Better words must not cost the business any of its own.
    let whole = known.left_out == polished.left_out || polished.left_out == LeftOut::default();
    if !(fits && whole) {
        return Err(PolishProblem::TooLong);
    }
    let opens_section = |line: &str| {
        let line = line.trim_start();
        line.starts_with('#') && !line.starts_with("##")
    };
    if text.lines().any(opens_section) {
        return Err(PolishProblem::Heading);
    }
    if Language::guess(&text) != Some(input.language) {
        return Err(PolishProblem::OtherLanguage);
    }
    if changes_rules(&text, &plain) {
        return Err(PolishProblem::Guard);
    }
    let mut evidence = Evidence::new();
    evidence.text(&known.stable);
    if evidence.unsupported(&text).is_empty() {
        Ok(text)
    } else {
        Err(PolishProblem::Facts)
    }
}

/// Whether the guard finds more in a text than in the plain one, which speaks to an assistant as well.
fn changes_rules(text: &str, plain: &str) -> bool {
    let verdict = Guard::compiled().judge_passage(text);
    if !verdict.suspicious {
        return false;
    }
    let usual = Guard::compiled().judge_passage(plain).score;
    verdict.sentences.iter().any(|range| {
        if *range == (0..text.len()) {
            verdict.score >= usual + SUSPICIOUS
        } else {
            !plain.contains(text[range.clone()].trim())
        }
    })
}

/// A text without the fence that models like to put around what they were asked for.
fn without_fence(text: &str) -> &str {
    let text = text.trim();
    let inside = text
        .strip_prefix("```")
        .and_then(|rest| rest.split_once('\n'))
        .and_then(|(_, rest)| rest.trim_end().strip_suffix("```"));
    inside.unwrap_or(text)
}
