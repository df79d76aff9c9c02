//! Whether a message tries to turn the agent against the business or other customers, whether a
//! document speaks to the assistant, and whether an answer tells what it must not.
//!
//! Words are read through their disguises and put into concepts, and rules over concepts that stand close
//! together give a score. In messages it is weighed with what the taught reader says. Concepts, rules and
//! forms are the tables below `data/guard`, which explain themselves.

mod decode;
mod directives;
mod fold;
mod lexicon;
pub mod output;
mod passage;
mod rules;
mod shape;
#[cfg(test)]
mod tests;
mod verdict;
mod views;
mod vocabulary;
mod words;

pub use directives::{internal, unquoted};
pub(crate) use passage::SUSPICIOUS;
pub use verdict::{Action, Kind, PassageVerdict, Reason, Verdict};

use crate::memo::Memo;
use lexicon::{Lexicon, Span};
use quipu_core::text::preview;
use rules::Rule;
use shape::Shapes;
use std::borrow::Cow;
use std::sync::LazyLock;
use verdict::Hit;
use words::Word;

/// How much of the words that a rule holds for is told.
const EXCERPT: usize = 120;
/// Of a longer text the beginning and the end are read: what is to work on a model stands there.
const LONGEST_BEGINNING: usize = 24 * 1024;
const LONGEST_END: usize = 8 * 1024;
/// Scores of messages that are kept.
const MOST_SCORES: usize = 20_000;
/// What a disguise adds to what was found under it.
const DISGUISED: u32 = 4;

/// The tables, ready to be asked.
#[derive(Debug)]
pub struct Guard {
    lexicon: Lexicon,
    rules: Vec<Rule>,
    shapes: Shapes,
}

static COMPILED: LazyLock<Guard> = LazyLock::new(|| {
    Guard::read().unwrap_or_else(|error| panic!("the tables of the guard are tested: {error}"))
});

impl Guard {
    /// The guard, compiled when it is first asked for.
    #[must_use]
    pub fn compiled() -> &'static Self {
        &COMPILED
    }

    fn read() -> Result<Self, String> {
        let lexicon = Lexicon::read(concat!(
            include_str!("../data/guard/common.txt"),
            "\n",
            include_str!("../data/guard/lexicon.txt"),
            "\n",
            include_str!("../data/guard/ordinary.txt")
        ))?;
        Ok(Self {
            rules: rules::read(include_str!("../data/guard/rules.txt"), &lexicon)?,
            shapes: Shapes::read(include_str!("../data/guard/shapes.txt"))?,
            lexicon,
        })
    }

    /// What to do with the message of a customer.
    #[must_use]
    pub fn judge(&'static self, text: &str) -> Verdict {
        self.judge_read(text, None)
    }

    /// The same, with how surely the reader takes the message for an attack.
    #[must_use]
    pub fn judge_read(&'static self, text: &str, attack: Option<f32>) -> Verdict {
        Verdict::of(self.hits(text, false), attack)
    }

    /// What to do with a message that was said before. Those of a conversation come again turn after turn, so
    /// that what the rules say is kept.
    #[must_use]
    pub(crate) fn action_before(&'static self, text: &str, attack: Option<f32>) -> Action {
        static SCORES: LazyLock<Memo<u32>> = LazyLock::new(|| Memo::new(MOST_SCORES));
        let score = SCORES.of(text, |text| verdict::score(&self.hits(text, false)));
        verdict::action(score, attack)
    }

    /// Every rule that holds for a text, in any of the ways to read it.
    fn hits(&'static self, text: &str, passage: bool) -> Vec<Hit> {
        let text = bounded(text);
        let folded = fold::fold(&text);
        let words = words::read(&folded.text);
        let mut hits = Vec::new();
        self.read_view(&folded.text, &words, passage, &mut hits);
        let plain = hits.len();
        let views = views::disguised(
            &text,
            &folded.text,
            &words,
            &folded.tagged,
            &self.lexicon.vocabulary,
        );
        let mut disguise = (folded.hidden > 0).then_some("invisible characters");
        disguise = disguise.or((folded.mixed > 0).then_some("letters that look alike"));
        disguise = disguise.filter(|_| plain > 0);
        for view in &views {
            let before = hits.len();
            self.read_view(&view.text, &words::read(&view.text), passage, &mut hits);
            if hits.len() > before {
                disguise = disguise.or(view.disguise);
            }
        }
        if let Some(rule) = disguise {
            let excerpt = String::new();
            let reason = Reason {
                rule,
                kind: Kind::Smuggling,
                excerpt,
            };
            hits.push(Hit {
                weight: DISGUISED,
                reason,
            });
        }
        hits
    }

    fn read_view(&'static self, text: &str, words: &[Word], passage: bool, hits: &mut Vec<Hit>) {
        let found = self.lexicon.find(text, words);
        let known: Vec<&'static str> = hits.iter().map(|hit| hit.reason.rule).collect();
        for rule in &self.rules {
            if (passage && !rule.kind.concerns_passages()) || known.contains(&rule.name.as_str()) {
                continue;
            }
            if let Some(span) = rule.find(&found, words) {
                let reason = Reason {
                    rule: &rule.name,
                    kind: rule.kind,
                    excerpt: excerpt(text, words, span),
                };
                hits.push(Hit {
                    weight: rule.weight,
                    reason,
                });
            }
        }
        let before = hits.len();
        self.shapes.find(text, passage, hits);
        shape::measure(text, hits);
        let mut at = 0;
        hits.retain(|hit| {
            at += 1;
            at <= before || !known.contains(&hit.reason.rule)
        });
    }
}

fn excerpt(text: &str, words: &[Word], span: Span) -> String {
    let range = words[span.first].range.start..words[span.last].range.end;
    preview(&text[range], EXCERPT)
}

/// The beginning and the end of a text that is longer than anybody types.
fn bounded(text: &str) -> Cow<'_, str> {
    if text.len() <= LONGEST_BEGINNING + LONGEST_END {
        return Cow::Borrowed(text);
    }
    let beginning = text.floor_char_boundary(LONGEST_BEGINNING);
    let end = text.ceil_char_boundary(text.len() - LONGEST_END);
    Cow::Owned(format!("{}\n{}", &text[..beginning], &text[end..]))
}
