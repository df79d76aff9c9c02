//! Putting an answer together, sentence by sentence, each checked before it leaves.

use super::Listener;
use super::sentences::Sentences;
use crate::citations::Sources;
use crate::facts::{Evidence, Fact};
use crate::guard::output::{Checker, LeakKind};
use quipu_core::lead::Temperature;
use quipu_core::retrieval::{Citation, Passage};

/// Why a sentence was held back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// It states what nobody looked up.
    Unsupported(Vec<Fact>),
    /// It tells what is not to be told.
    Leaking(Vec<String>),
}

/// An answer on its way out.
pub(super) struct Draft<'a> {
    listener: &'a mut dyn Listener,
    checker: Checker,
    sentences: Sentences,
    sources: Sources,
    passages: Vec<Passage>,
    evidence: Evidence,
    parts: Vec<String>,
    words: usize,
    most_words: usize,
    /// Set by the first sentence that was held back: what follows it would hang in the air.
    held: Option<Held>,
    full: bool,
}

impl<'a> Draft<'a> {
    pub(super) fn new(
        listener: &'a mut dyn Listener,
        checker: Checker,
        passages: Vec<Passage>,
        evidence: Evidence,
        most_words: usize,
    ) -> Self {
        Self {
            listener,
            checker,
            sentences: Sentences::default(),
            sources: Sources::default(),
            passages,
            evidence,
            parts: Vec::new(),
            words: 0,
            most_words,
            held: None,
            full: false,
        }
    }

    pub(super) const fn evidence(&mut self) -> &mut Evidence {
        &mut self.evidence
    }

    pub(super) const fn listener(&mut self) -> &mut dyn Listener {
        self.listener
    }

    /// Whether the answer is as long as answers may be.
    pub(super) const fn is_full(&self) -> bool {
        self.full
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// What has left so far.
    pub(super) fn text(&self) -> String {
        self.parts.concat()
    }

    /// Takes what a model writes.
    pub(super) fn write(&mut self, piece: &str) {
        for sentence in self.sentences.push(piece) {
            self.offer(&sentence);
        }
    }

    /// Ends what a model wrote: its last words, unless they break off, and why something was held
    /// back.
    pub(super) fn end(&mut self, broken_off: bool) -> Option<Held> {
        if broken_off {
            self.sentences.drop_rest();
        } else if let Some(rest) = self.sentences.finish() {
            self.offer(&rest);
        }
        self.held.take()
    }

    /// Lets a sentence out unless it says what it must not.
    fn offer(&mut self, sentence: &str) {
        if self.held.is_some() || self.full || (self.parts.is_empty() && sentence.trim().is_empty())
        {
            return;
        }
        let unsupported = self.evidence.unsupported(sentence);
        if !unsupported.is_empty() {
            self.held = Some(Held::Unsupported(unsupported));
            return;
        }
        let leaks = self.leaks(sentence);
        if !leaks.is_empty() {
            self.held = Some(Held::Leaking(leaks));
            return;
        }
        let words = sentence.split_whitespace().count();
        if self.words + words > self.most_words && !self.parts.is_empty() {
            self.full = true;
            return;
        }
        let sentence = self.sources.renumber(sentence, &self.passages);
        self.release(sentence);
    }

    /// What the sentence tells that must not leave. Ways to reach somebody are held against the
    /// evidence, which knows what the tools said.
    fn leaks(&mut self, sentence: &str) -> Vec<String> {
        let removed = self.checker.check(sentence).removed;
        let kinds = removed.into_iter().map(|leak| leak.kind);
        let kinds = kinds.filter(|kind| !matches!(kind, LeakKind::Email | LeakKind::Phone));
        kinds.map(|kind| format!("{kind:?}")).collect()
    }

    /// Lets a text out that needs no check, with a space before it where one is missing.
    pub(super) fn say(&mut self, text: &str) {
        let needs_space = self
            .parts
            .last()
            .is_some_and(|part| !part.ends_with(char::is_whitespace));
        let space = if needs_space { " " } else { "" };
        self.release(format!("{space}{text}"));
    }

    /// Lets a part out whose sources were checked already.
    pub(super) fn release(&mut self, mut part: String) {
        if self.parts.is_empty() {
            part = part.trim_start().to_owned();
        }
        if part.is_empty() {
            return;
        }
        self.words += part.split_whitespace().count();
        self.listener.text(&part);
        self.parts.push(part);
    }

    pub(super) fn finish(mut self) -> Finished {
        // The blank at the end of a last sentence has left already; the stored text needs none.
        if let Some(last) = self.parts.last_mut() {
            last.truncate(last.trim_end().len());
        }
        self.parts.retain(|part| !part.is_empty());
        Finished {
            temperature: self.sentences.temperature(),
            citations: self.sources.into_citations(),
            parts: self.parts,
        }
    }
}

/// An answer that has left.
pub(super) struct Finished {
    pub(super) parts: Vec<String>,
    pub(super) citations: Vec<Citation>,
    pub(super) temperature: Option<Temperature>,
}
