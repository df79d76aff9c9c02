//! The dynamic part: what a model is told for one message, after the stable part.

use super::texts::{Turn, texts};
use super::wording::{fill, one_line, visible};
use crate::specialist::declaration;
use crate::tokens::{count, cut, cut_at_sentence};
use jiff::Zoned;
use quipu_core::agent::{AssistantType, Medium, Specialist, Vertical};
use quipu_core::calendar::describe_now;
use quipu_core::language::Language;
use quipu_core::retrieval::Passage;

/// What the instructions and the learned answers of a message may take, each.
const EXTRA_TOKENS: usize = 250;
const EXTRA_COUNT: usize = 8;
/// What passages may take at most, whatever is asked for.
const MOST_PASSAGE_TOKENS: usize = 8_000;
const MOST_PASSAGES: usize = 20;
/// The beginning of a passage is worth showing from here on.
const FEWEST_PASSAGE_TOKENS: usize = 40;
const NAME_CHARS: usize = 80;
const TITLE_CHARS: usize = 120;
const QUESTION_CHARS: usize = 200;

/// What is known when a message comes in.
#[derive(Clone, Debug)]
pub struct TurnContext<'a> {
    pub language: Language,
    /// Of the tenant, such as `es-PE`.
    pub locale: &'a str,
    /// The moment, in the zone of the branch or the tenant.
    pub now: Zoned,
    pub vertical: Vertical,
    pub assistant_type: AssistantType,
    pub medium: Medium,
    /// Who takes the message.
    pub specialist: Specialist,
    pub customer_name: Option<&'a str>,
    pub branch: Option<&'a str>,
    /// Instructions of the business that matter for this message, the most important first.
    pub instructions: &'a [&'a str],
    /// Answers of people to questions like this one, the most alike first.
    pub learned: &'a [LearnedAnswer<'a>],
    /// The guard let the message pass, but not without doubt.
    pub caution: bool,
    /// What was found, the best first; `None` when nothing was searched for.
    pub passages: Option<&'a [Quoted<'a>]>,
    /// What the passages may take.
    pub passage_tokens: usize,
}

/// An answer that a person gave and somebody approved.
#[derive(Clone, Copy, Debug)]
pub struct LearnedAnswer<'a> {
    pub question: &'a str,
    pub answer: &'a str,
}

/// A text of the business, to be quoted.
#[derive(Clone, Copy, Debug)]
pub struct Quoted<'a> {
    pub title: Option<&'a str>,
    pub text: &'a str,
}

impl<'a> From<&'a Passage> for Quoted<'a> {
    fn from(passage: &'a Passage) -> Self {
        Self {
            title: passage.title.as_deref(),
            text: &passage.content,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DynamicPart {
    pub text: String,
    pub tokens: usize,
    /// How many of the passages are shown. They are numbered from 1 in the order they were given, and
    /// a citation of any other number rests on nothing.
    pub passages: usize,
}

/// What follows the stable part for one message.
#[must_use]
pub fn dynamic(turn: &TurnContext<'_>) -> String {
    dynamic_part(turn).text
}

/// The same, with what it takes and how many passages it shows.
#[must_use]
pub fn dynamic_part(turn: &TurnContext<'_>) -> DynamicPart {
    let words = &texts(turn.language).common.turn;
    let mut blocks = vec![circumstances(turn, words), part(turn, words)];
    blocks.extend(instructions(turn, words));
    blocks.extend(learned(turn, words));
    let (passages, shown) = passages(turn, words);
    blocks.extend(passages);
    // It stands last, where it is heeded most.
    if turn.caution {
        blocks.push(format!("{}\n{}", words.caution, words.caution_text.trim()));
    }
    let text = blocks.join("\n\n");
    DynamicPart {
        tokens: count(&text),
        passages: shown,
        text,
    }
}

fn circumstances(turn: &TurnContext<'_>, words: &Turn) -> String {
    let now = describe_now(&turn.now, turn.locale, turn.language);
    let mut lines = vec![fill(&words.now, &[("now", &now)])];
    let known = [
        (&words.customer, "name", turn.customer_name),
        (&words.branch, "branch", turn.branch),
    ];
    for (text, key, value) in known {
        let value = one_line(value.unwrap_or_default(), NAME_CHARS);
        if !value.is_empty() {
            lines.push(fill(text, &[(key, &value)]));
        }
    }
    lines.join("\n")
}

fn part(turn: &TurnContext<'_>, words: &Turn) -> String {
    let declared = declaration(turn.specialist);
    let told = declared.lines(turn.language);
    let few = &texts(turn.language).delivery(turn.medium).few;
    let purpose = fill(&words.purpose, &[("purpose", &told.purpose)]);
    let mut lines = vec![words.part.clone(), purpose];
    let rules = told.lines.iter().map(|line| fill(line, &[("few", few)]));
    lines.extend(rules.map(|line| format!("- {line}")));
    let handoffs: Vec<String> = declared
        .handoffs(turn.vertical, turn.assistant_type)
        .map(|handoff| format!("- {}", handoff.text(turn.language)))
        .collect();
    if !handoffs.is_empty() {
        lines.push(words.handoffs.clone());
        lines.extend(handoffs);
    }
    lines.join("\n")
}

fn instructions(turn: &TurnContext<'_>, words: &Turn) -> Option<String> {
    let lines = turn.instructions.iter().map(|text| visible(text));
    within(&words.instructions, lines.map(|text| format!("- {text}")))
}

fn learned(turn: &TurnContext<'_>, words: &Turn) -> Option<String> {
    let lines = turn.learned.iter().map(|learned| {
        // A customer wrote the question, and must not write a heading with it.
        let question = one_line(learned.question, QUESTION_CHARS);
        let question = fill(&words.question, &[("question", &question)]);
        let answer = visible(learned.answer).replace('\n', "\n  ");
        let answer = fill(&words.answer, &[("answer", &answer)]);
        format!("- {question}\n  {answer}")
    });
    within(&words.learned, lines)
}

/// The first lines that have room, under their heading.
fn within(heading: &str, lines: impl Iterator<Item = String>) -> Option<String> {
    let mut room = EXTRA_TOKENS;
    let mut told = vec![heading.to_owned()];
    for line in lines.take(EXTRA_COUNT) {
        let small = line.len() <= room * 24;
        if let Some(left) = room.checked_sub(if small { count(&line) } else { usize::MAX }) {
            room = left;
            told.push(line);
        }
    }
    (told.len() > 1).then(|| told.join("\n"))
}

/// What was found as quoted data, and how many of the passages that is.
fn passages(turn: &TurnContext<'_>, words: &Turn) -> (Option<String>, usize) {
    let Some(found) = turn.passages else {
        return (None, 0);
    };
    let cite = match turn.medium {
        Medium::Messaging => &words.cite_messaging,
        Medium::Voice => &words.cite_voice,
    };
    let mut told = vec![format!(
        "{}\n{} {cite}",
        words.passages, words.passages_rule
    )];
    let mut room = turn.passage_tokens.min(MOST_PASSAGE_TOKENS);
    for (index, passage) in found.iter().take(MOST_PASSAGES).enumerate() {
        let opening = match one_line(passage.title.unwrap_or_default(), TITLE_CHARS).as_str() {
            "" => format!("<source n=\"{}\">", index + 1),
            title => format!("<source n=\"{}\" title=\"{title}\">", index + 1),
        };
        let left = room.saturating_sub(count(&opening) + 8);
        let text = harmless(&visible(passage.text));
        // A passage without sentences, such as a table, is cut between words.
        let shown = match cut_at_sentence(&text, left) {
            "" => cut(&text, left),
            shown => shown,
        };
        let whole = shown.len() == text.len();
        if !whole && count(shown) < FEWEST_PASSAGE_TOKENS {
            break;
        }
        let quoted = format!("{opening}\n{shown}\n</source>");
        room = room.saturating_sub(count(&quoted) + 1);
        told.push(quoted);
        if !whole {
            break;
        }
    }
    match told.len() - 1 {
        0 => (Some(words.no_passages.clone()), 0),
        shown => (Some(told.join("\n")), shown),
    }
}

/// A text that cannot end the quote it stands in or begin another.
fn harmless(text: &str) -> String {
    let mut harmless = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        harmless.push_str(before);
        let name = after.trim_start_matches(|sign: char| sign == '/' || sign.is_whitespace());
        let tag = name
            .get(..6)
            .is_some_and(|name| name.eq_ignore_ascii_case("source"));
        harmless.push(if tag { '‹' } else { '<' });
        rest = after;
    }
    harmless.push_str(rest);
    harmless
}
