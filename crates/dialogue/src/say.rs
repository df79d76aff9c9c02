//! How the agent says things: sentences from data files, filled in, in the customer's language and the style
//! of the business.

mod phrase;
mod sentences;
mod voice;

pub(crate) use phrase::Phrase;
pub(crate) use voice::{SpeakingVoice, capital};

use quipu_core::ports::ReplyPart;
use quipu_core::retrieval::Passage;

/// What is said in one turn.
#[derive(Clone, Debug, Default)]
pub(crate) struct TurnSpeech {
    pub(crate) parts: Vec<ReplyPart>,
    /// What the sources of the parts point into.
    pub(crate) passages: Vec<Passage>,
}

impl TurnSpeech {
    pub(crate) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Adds a text, unless it was said in this turn already.
    pub(crate) fn add(&mut self, text: String) {
        let known = self.parts.iter().any(|part| part.text == text);
        if !text.trim().is_empty() && !known {
            self.parts.push(ReplyPart { text, source: None });
        }
    }

    /// Adds a quote with where it stands.
    pub(crate) fn quote(&mut self, parts: &[ReplyPart], passages: &[Passage]) {
        let before = self.passages.len();
        for part in parts {
            if self.parts.iter().any(|known| known.text == part.text) {
                continue;
            }
            let source = part.source.clone();
            self.parts.push(ReplyPart {
                text: part.text.clone(),
                source: source.map(|(at, quote)| (at + before, quote)),
            });
        }
        self.passages.extend(passages.iter().cloned());
    }
}
