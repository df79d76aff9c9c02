//! What the policy learns during a turn: it asks, somebody answers, and it is run again.

use quipu_core::ports::ReplyPart;
use quipu_core::retrieval::Passage;
use quipu_core::{Error, Result};
use serde_json::Value;
use std::sync::Arc;

/// Something that the policy needs from outside.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Calls a tool that changes nothing.
    Look {
        tool: &'static str,
        arguments: Value,
    },
    /// Calls a tool that changes something. It is asked for once in a turn.
    Change {
        tool: &'static str,
        arguments: Value,
    },
    /// Quotes what the documents of the business say of a question.
    Quote { question: String },
    /// Tells how alike some names are to these words in meaning.
    Compare { words: String, names: Vec<String> },
}

/// A run that stopped, and what for.
#[derive(Debug)]
pub struct Pending(pub Request);

/// Something that is known, or has to be asked for first.
pub type Known<T> = std::result::Result<T, Pending>;

/// What the documents say of a question.
#[derive(Clone, Debug, Default)]
pub struct QuotedText {
    pub parts: Vec<ReplyPart>,
    /// What the sources of the parts point into.
    pub passages: Vec<Passage>,
    /// Looking or quoting failed, so that more may be known.
    pub failed: bool,
}

#[derive(Clone, Debug)]
enum Answer {
    Called(std::result::Result<Value, Arc<Error>>),
    Quoted(QuotedText),
    Compared(Vec<f32>),
}

/// Everything that was asked for in a turn, with its answers.
#[derive(Clone, Debug, Default)]
pub struct TurnFacts {
    answers: Vec<(Request, Answer)>,
}

impl TurnFacts {
    /// Takes in what came of calling a tool.
    pub fn called(&mut self, request: Request, result: Result<Value>) {
        let result = result.map_err(Arc::new);
        self.answers.push((request, Answer::Called(result)));
    }

    /// Takes in what the documents say.
    pub fn quoted(&mut self, request: Request, quoted: QuotedText) {
        self.answers.push((request, Answer::Quoted(quoted)));
    }

    /// Takes in how alike names are, each from -1 to 1. Without a way to tell there is nothing.
    pub fn compared(&mut self, request: Request, likeness: Vec<f32>) {
        self.answers.push((request, Answer::Compared(likeness)));
    }

    /// How many answers there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.answers.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    pub(crate) fn look(
        &self,
        tool: &'static str,
        arguments: Value,
    ) -> Known<std::result::Result<&Value, &Error>> {
        self.call(Request::Look { tool, arguments })
    }

    pub(crate) fn change(
        &self,
        tool: &'static str,
        arguments: Value,
    ) -> Known<std::result::Result<&Value, &Error>> {
        self.call(Request::Change { tool, arguments })
    }

    fn call(&self, request: Request) -> Known<std::result::Result<&Value, &Error>> {
        match self.answer(&request) {
            Some(Answer::Called(Ok(value))) => Ok(Ok(value)),
            Some(Answer::Called(Err(error))) => Ok(Err(error)),
            _ => Err(Pending(request)),
        }
    }

    pub(crate) fn quote(&self, question: &str) -> Known<&QuotedText> {
        let request = Request::Quote {
            question: question.to_owned(),
        };
        match self.answer(&request) {
            Some(Answer::Quoted(quoted)) => Ok(quoted),
            _ => Err(Pending(request)),
        }
    }

    pub(crate) fn compare(&self, words: &str, names: Vec<String>) -> Known<&[f32]> {
        let request = Request::Compare {
            words: words.to_owned(),
            names,
        };
        match self.answer(&request) {
            Some(Answer::Compared(likeness)) => Ok(likeness),
            _ => Err(Pending(request)),
        }
    }

    fn answer(&self, request: &Request) -> Option<&Answer> {
        let found = self.answers.iter().find(|(known, _)| known == request);
        found.map(|(_, answer)| answer)
    }
}
