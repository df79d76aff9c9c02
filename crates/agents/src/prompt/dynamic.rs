//! The dynamic part: what a model is told for one message, after the stable part.

use super::texts::{Turn, texts};
use super::tool_groups;
use super::wording::{fill, one_line, visible};
use crate::AgentKind;
use crate::desk::SentFile;
use crate::guard::Guard;
use crate::specialist::declaration;
use crate::tokens::{count, cut_at_sentence};
use jiff::Zoned;
use quipu_commerce::calendar::describe_now;
use quipu_core::agent::{Medium, Specialist};
use quipu_core::context::{ContextInput, Corpus, build, unfenced};
use quipu_core::language::Language;
use quipu_core::retrieval::Passage;

/// What the instructions and the learned answers of a message may take, each.
const EXTRA_TOKENS: usize = 250;
const EXTRA_COUNT: usize = 8;
/// What the number before a learned answer takes.
const NUMBER_TOKENS: usize = 4;
/// What passages may take at most, whatever is asked for.
const MOST_PASSAGE_TOKENS: usize = 8_000;
const MOST_PASSAGES: usize = 20;
const NAME_CHARS: usize = 80;
/// Stands where the name of a file would say more than its name.
const UNNAMED: &str = "…";
/// How many files of the customer are told of.
const MOST_FILES: usize = 3;
const QUESTION_CHARS: usize = 200;

/// What is known when a message comes in.
#[derive(Clone, Debug)]
pub struct TurnContext<'a> {
    pub language: Language,
    /// Of the tenant, such as `es-PE`.
    pub locale: &'a str,
    /// The moment, in the zone of the branch or the tenant.
    pub now: Zoned,
    /// What business it is, and what the agent does.
    pub kind: AgentKind,
    pub medium: Medium,
    /// Who takes the message.
    pub specialist: Specialist,
    pub customer_name: Option<&'a str>,
    pub branch: Option<&'a str>,
    /// What the customer sent lately, the latest first.
    pub files: &'a [SentFile],
    /// Instructions of the business that matter for this message, the most important first.
    pub instructions: &'a [&'a str],
    /// What the program asks for that the customer talks through, in its own words.
    pub caller: Option<&'a str>,
    /// Answers of people to questions like this one, the most alike first. They are numbered from 1.
    pub learned: &'a [LearnedAnswer<'a>],
    /// The guard let the message pass, but not without doubt.
    pub caution: bool,
    /// What was found, the best first; `None` when nothing was searched for.
    pub passages: Option<&'a [Passage]>,
    /// The knowledge bases that passages can come from.
    pub corpora: &'a [Corpus],
    /// What the passages may take.
    pub passage_tokens: usize,
}

/// An answer that a person gave and somebody approved.
#[derive(Clone, Copy, Debug)]
pub struct LearnedAnswer<'a> {
    pub question: &'a str,
    pub answer: &'a str,
}

#[derive(Clone, Debug)]
pub struct DynamicPart {
    pub text: String,
    /// Which of the instructions are told, by their place among those that were given.
    pub instructions: Vec<usize>,
    /// The passages as they are shown, in the order of their numbers, which begin with 1 or after the
    /// learned answers. A citation of any other number rests on nothing.
    pub passages: Vec<Passage>,
}

/// What follows the stable part for one message.
#[must_use]
pub fn dynamic(turn: &TurnContext<'_>) -> String {
    dynamic_part(turn).text
}

/// The same, with what of what was given it shows.
#[must_use]
pub fn dynamic_part(turn: &TurnContext<'_>) -> DynamicPart {
    let words = &texts(turn.language).common.turn;
    let mut blocks = vec![circumstances(turn, words), part(turn, words)];
    let (instructions, told) = instructions(turn, words);
    blocks.extend(instructions);
    if let Some(caller) = turn.caller {
        blocks.push(format!("{}\n{}", words.caller, unfenced(&visible(caller))));
    }
    let (learned, numbered) = learned(turn, words);
    blocks.extend(learned);
    let (passages, shown) = passages(turn, words, numbered);
    blocks.extend(passages);
    // It stands last, where it is heeded most.
    if turn.caution {
        blocks.push(format!("{}\n{}", words.caution, words.caution_text.trim()));
    }
    DynamicPart {
        text: blocks.join("\n\n"),
        instructions: told,
        passages: shown,
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
        if !value.is_empty() && !Guard::compiled().is_addressed_by(&value) {
            lines.push(fill(text, &[(key, &value)]));
        }
    }
    for file in turn.files.iter().take(MOST_FILES) {
        let mut name = one_line(&file.name, NAME_CHARS);
        if Guard::compiled().is_addressed_by(&name) {
            name = UNNAMED.to_owned();
        }
        let id = file.id.to_string();
        let filling = [("kind", &*file.kind), ("name", &*name), ("id", &*id)];
        lines.push(fill(&words.file, &filling));
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
    let forgone: Vec<&str> = declared.forgone(turn.kind).map(|tool| tool.name).collect();
    let tools = &texts(turn.language).common.tools;
    let trade = texts(turn.language).trade(turn.kind.vertical);
    lines.extend(tool_groups::forgone(tools, trade, &forgone));
    let handoffs: Vec<String> = declared
        .handoffs(turn.kind)
        .map(|handoff| format!("- {}", handoff.text(turn.language)))
        .collect();
    if !handoffs.is_empty() {
        lines.push(words.handoffs.clone());
        lines.extend(handoffs);
    }
    lines.join("\n")
}

/// The instructions that have room, and which of those given they are. The most important one is told
/// as far as its sentences have room when all of it has none.
fn instructions(turn: &TurnContext<'_>, words: &Turn) -> (Option<String>, Vec<usize>) {
    let lines = turn.instructions.iter().enumerate().map(|(at, text)| {
        let text = visible(text);
        match at {
            0 => format!("- {}", cut_at_sentence(&text, EXTRA_TOKENS - 2)),
            _ => format!("- {text}"),
        }
    });
    let (told, shown) = within(lines, 0);
    let block = (!told.is_empty()).then(|| format!("{}\n{}", words.instructions, told.join("\n")));
    (block, shown)
}

/// The learned answers that have room, numbered like the passages they were found as, and how many
/// they are.
fn learned(turn: &TurnContext<'_>, words: &Turn) -> (Option<String>, usize) {
    let lines = turn.learned.iter().map(|learned| line(learned, words));
    let (told, _) = within(lines, NUMBER_TOKENS);
    if told.is_empty() {
        return (None, 0);
    }
    let numbered = told.iter().enumerate();
    let told: Vec<String> = numbered
        .map(|(at, line)| format!("- [{}] {line}", at + 1))
        .collect();
    let block = format!(
        "{}\n{}\n{}",
        words.learned,
        cite(turn, words),
        told.join("\n")
    );
    (Some(block), told.len())
}

/// Which of these answers have room beside those before them.
#[must_use]
pub fn learned_with_room(language: Language, learned: &[LearnedAnswer<'_>]) -> Vec<usize> {
    let words = &texts(language).common.turn;
    within(
        learned.iter().map(|learned| line(learned, words)),
        NUMBER_TOKENS,
    )
    .1
}

fn line(learned: &LearnedAnswer<'_>, words: &Turn) -> String {
    // A customer wrote the question, and must not write a heading with it.
    let question = one_line(learned.question, QUESTION_CHARS);
    let question = fill(&words.question, &[("question", &question)]);
    let answer = visible(learned.answer).replace('\n', "\n  ");
    let answer = fill(&words.answer, &[("answer", &answer)]);
    format!("{question}\n  {answer}")
}

/// The lines that have room when each takes so many tokens more, and which of them they are.
fn within(lines: impl Iterator<Item = String>, more: usize) -> (Vec<String>, Vec<usize>) {
    let mut room = EXTRA_TOKENS;
    let (mut told, mut shown) = (Vec::new(), Vec::new());
    for (at, line) in lines.enumerate() {
        if told.len() == EXTRA_COUNT {
            break;
        }
        let small = line.len() <= room * 24;
        let empty = line.trim() == "-";
        let size = if small && !empty {
            count(&line)
        } else {
            usize::MAX
        };
        if let Some(left) = room.checked_sub(size.saturating_add(more)) {
            room = left;
            told.push(line);
            shown.push(at);
        }
    }
    (told, shown)
}

fn cite<'a>(turn: &TurnContext<'_>, words: &'a Turn) -> &'a str {
    match turn.medium {
        Medium::Messaging => &words.cite_messaging,
        Medium::Voice => &words.cite_voice,
    }
}

/// What was found as quoted data, numbered after what is numbered already, and the passages as they are
/// shown.
fn passages(
    turn: &TurnContext<'_>,
    words: &Turn,
    numbered: usize,
) -> (Option<String>, Vec<Passage>) {
    let Some(found) = turn.passages else {
        return (None, Vec::new());
    };
    let seen = &found[..found.len().min(MOST_PASSAGES)];
    let notice = format!("{} {}\n", words.passages_rule, cite(turn, words));
    let context = build(&ContextInput {
        corpora: turn.corpora,
        passages: seen,
        notice: &notice,
        first: numbered + 1,
        // What stands above them is not theirs to pay for.
        budget: turn.passage_tokens.min(MOST_PASSAGE_TOKENS) + count(&notice),
        count,
    });
    let sources = context.sources.iter().zip(context.contents);
    let told: Vec<Passage> = sources
        .filter_map(|(source, content)| {
            let first = source.chunk_ids.first()?;
            let passage = seen.iter().find(|passage| passage.chunk_id == *first)?;
            Some(Passage {
                content,
                start_char: source.start_char,
                end_char: source.end_char,
                ..passage.clone()
            })
        })
        .collect();
    if told.is_empty() {
        // What people answered is found, too.
        let nothing = (numbered == 0).then(|| words.no_passages.clone());
        return (nothing, told);
    }
    let text = format!("{}\n{}", words.passages, context.text.trim_end());
    (Some(text), told)
}
