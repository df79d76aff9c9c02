//! Instructions that hide in documents and in the results of tools.

use super::Guard;
use super::verdict::{PassageVerdict, score};
use crate::memo::Memo;
use serde_json::Value;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, LazyLock};
use unicode_segmentation::UnicodeSegmentation;

/// From this score on a sentence speaks to the assistant.
pub(crate) const SUSPICIOUS: u32 = 6;
/// Names, codes and times say nothing to anybody.
const FEWEST_WORDS: usize = 3;
/// Verdicts that are kept.
const MOST_JUDGED: usize = 20_000;
/// More sentences than a passage of a knowledge base has.
const MOST_SENTENCES: usize = 400;

impl Guard {
    /// Whether a piece of a document, or what a tool returned, speaks to the assistant, and where.
    ///
    /// A single sentence that does makes the passage suspicious. What only shows over several
    /// sentences takes the whole passage.
    #[must_use]
    pub fn judge_passage(&'static self, text: &str) -> Arc<PassageVerdict> {
        static JUDGED: LazyLock<Memo<Arc<PassageVerdict>>> =
            LazyLock::new(|| Memo::new(MOST_JUDGED));
        JUDGED.of(text, |text| Arc::new(self.read_passage(text)))
    }

    /// A text without the sentences in it that speak to the assistant.
    #[must_use]
    pub fn cleaned<'a>(&'static self, text: &'a str) -> Cow<'a, str> {
        let verdict = self.judge_passage(text);
        if verdict.suspicious {
            Cow::Owned(verdict.cleaned(text))
        } else {
            Cow::Borrowed(text)
        }
    }

    /// Whether a name, which its owner wrote, speaks to the assistant instead. Signs between its
    /// words do not make it one.
    #[must_use]
    pub fn is_addressed_by(&'static self, name: &str) -> bool {
        let words = name.replace(['_', '-', '.'], " ");
        self.judge_passage(&words).suspicious
    }

    /// Takes out of all texts of a tool's result what speaks to the assistant.
    pub fn clean_result(&'static self, result: &mut Value) {
        match result {
            Value::String(text) if words(text) < FEWEST_WORDS => {}
            Value::String(text) if text.contains(char::is_whitespace) => {
                if let Cow::Owned(cleaned) = self.cleaned(text) {
                    *text = cleaned;
                }
            }
            Value::String(text) if self.is_addressed_by(text) => text.clear(),
            Value::Array(items) => items.iter_mut().for_each(|item| self.clean_result(item)),
            Value::Object(fields) => fields
                .values_mut()
                .for_each(|value| self.clean_result(value)),
            _ => {}
        }
    }

    fn read_passage(&'static self, text: &str) -> PassageVerdict {
        let hits = self.hits(text, true);
        let total = score(&hits);
        let mut sentences = Vec::new();
        if total >= SUSPICIOUS {
            for range in ranges(text).take(MOST_SENTENCES) {
                if score(&self.hits(&text[range.clone()], true)) >= SUSPICIOUS {
                    sentences.push(range);
                }
            }
            if sentences.is_empty() {
                sentences.push(0..text.len());
            }
        }
        PassageVerdict {
            suspicious: total >= SUSPICIOUS,
            score: total,
            reasons: hits.into_iter().map(|hit| hit.reason).collect(),
            sentences,
        }
    }
}

/// How many words a text has at most, whatever stands between them.
fn words(text: &str) -> usize {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .count()
}

/// The bytes of each sentence. A line ends one too, since lists have no full stops.
fn ranges(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    text.split_inclusive('\n')
        .flat_map(UnicodeSegmentation::split_sentence_bounds)
        .map(move |sentence| {
            let range = at..at + sentence.len();
            at = range.end;
            range
        })
}
