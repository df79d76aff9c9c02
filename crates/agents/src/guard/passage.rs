//! Instructions that hide in documents and in the results of tools.

use super::Guard;
use super::verdict::{PassageVerdict, score};
use crate::memo::Memo;
use std::ops::Range;
use std::sync::{Arc, LazyLock};
use unicode_segmentation::UnicodeSegmentation;

/// From this score on a sentence speaks to the assistant.
pub(crate) const SUSPICIOUS: u32 = 6;
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
