//! Putting an answer together, sentence by sentence, each checked before it leaves.

use super::Listener;
use super::length::{Length, Room, may_save};
use super::sentences::Sentences;
use super::thoughts::ThoughtFilter;
use crate::citations::{Sources, leading_marks};
use crate::facts::{Evidence, Fact};
use crate::guard::output::{Checker, LeakKind};
use quipu_core::lead::Temperature;
use quipu_core::retrieval::{Citation, Passage};
use quipu_core::text::{fold, words};
use std::collections::HashSet;

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
    thoughts: ThoughtFilter,
    sentences: Sentences,
    length: Length,
    sources: Sources,
    passages: Vec<Passage>,
    evidence: Evidence,
    parts: Vec<String>,
    /// The sentences that have left, by their words.
    said: HashSet<String>,
    /// Something was left out since the last sentence, and a space may be gone with it.
    gap: bool,
    words: usize,
    /// Words that were read, whether they left or not.
    read: usize,
    most_words: usize,
    /// Set by the first sentence that was held back: what follows it would hang in the air.
    held: Option<Held>,
    full: bool,
}

/// How long an answer may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) words: usize,
    pub(super) sentences: usize,
}

impl<'a> Draft<'a> {
    pub(super) fn new(
        listener: &'a mut dyn Listener,
        checker: Checker,
        passages: Vec<Passage>,
        evidence: Evidence,
        bounds: Bounds,
    ) -> Self {
        Self {
            listener,
            checker,
            thoughts: ThoughtFilter::default(),
            sentences: Sentences::default(),
            length: Length::new(bounds.sentences),
            sources: Sources::default(),
            passages,
            evidence,
            parts: Vec::new(),
            said: HashSet::new(),
            gap: false,
            words: 0,
            read: 0,
            most_words: bounds.words,
            held: None,
            full: false,
        }
    }

    pub(super) const fn evidence(&mut self) -> &mut Evidence {
        &mut self.evidence
    }

    pub(super) const fn checker(&mut self) -> &mut Checker {
        &mut self.checker
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

    /// Adds a passage that the answer may cite from now on, and returns its number.
    pub(super) fn citable(&mut self, passage: Passage) -> usize {
        let known = |other: &Passage| {
            other.chunk_id == passage.chunk_id && other.content == passage.content
        };
        if let Some(at) = self.passages.iter().position(known) {
            return at + 1;
        }
        self.evidence.passage(&passage.content);
        self.passages.push(passage);
        self.passages.len()
    }

    /// A model goes on after its tools were called: what it said before only announced that.
    pub(super) fn go_on(&mut self) {
        self.length.begin();
    }

    /// Takes what a model writes.
    pub(super) fn write(&mut self, piece: &str) {
        let piece = self.thoughts.push(piece);
        self.cut(&piece);
    }

    fn cut(&mut self, piece: &str) {
        for sentence in self.sentences.push(piece) {
            self.offer(&sentence);
        }
    }

    /// Ends what a model wrote: its last words, unless they break off, and why something was held
    /// back.
    pub(super) fn end(&mut self, broken_off: bool) -> Option<Held> {
        let rest = self.thoughts.finish();
        if broken_off {
            self.sentences.drop_rest();
        } else {
            self.cut(&rest);
            if let Some(rest) = self.sentences.finish() {
                self.offer(&rest);
            }
        }
        for sentence in self.length.end() {
            self.let_out(&sentence);
        }
        self.held.take()
    }

    /// Lets a sentence out unless it says what it must not, or was said, or has no room.
    fn offer(&mut self, text: &str) {
        if self.held.is_some() || self.full {
            return;
        }
        let (marks, sentence) = leading_marks(text);
        if !marks.is_empty() {
            self.mark(marks);
        }
        if sentence.trim().is_empty() {
            if marks.is_empty() && !self.parts.is_empty() && !self.gap {
                self.release(sentence.to_owned());
            }
            return;
        }
        let words = sentence.split_whitespace().count();
        self.read += words;
        if self.said.contains(&key(sentence)) {
            self.leave_out();
            return;
        }
        match self.length.room(sentence) {
            Room::No => {
                self.leave_out();
                // A question may still follow, but not for ever.
                self.full = self.read > self.most_words;
                return;
            }
            Room::Perhaps if self.objection(sentence).is_some() => {
                self.leave_out();
                return;
            }
            Room::Perhaps => {}
            Room::Yes => {
                if let Some(held) = self.objection(sentence) {
                    self.held = Some(held);
                    return;
                }
            }
        }
        if self.words + words > self.most_words && !self.parts.is_empty() {
            self.full = true;
            return;
        }
        for sentence in self.length.take(sentence) {
            self.let_out(&sentence);
        }
    }

    fn leave_out(&mut self) {
        self.length.drop();
        self.gap = true;
    }

    /// Why a sentence must not leave.
    fn objection(&mut self, sentence: &str) -> Option<Held> {
        let unsupported = self.evidence.unsupported(sentence);
        if !unsupported.is_empty() {
            return Some(Held::Unsupported(unsupported));
        }
        let leaks = self.leaks(sentence);
        (!leaks.is_empty()).then_some(Held::Leaking(leaks))
    }

    /// Lets the marks out that stand behind the full stop of a sentence.
    fn mark(&mut self, marks: &str) {
        let Some(said) = self.length.marks(marks) else {
            return;
        };
        let text = self.sources.renumber_of(said, marks, &self.passages);
        if text.trim().is_empty() {
            self.gap = true;
        } else {
            self.release(text);
        }
    }

    /// Lets a sentence out with its sources.
    fn let_out(&mut self, sentence: &str) {
        self.said.insert(key(sentence));
        let mut text = self.sources.renumber(sentence, &self.passages);
        let open = |part: &String| !part.ends_with(char::is_whitespace);
        if self.gap && self.parts.last().is_some_and(open) && !text.starts_with(char::is_whitespace)
        {
            text.insert(0, ' ');
        }
        self.gap = false;
        self.release(text);
    }

    /// What the sentence tells that must not leave. Ways to reach somebody are held against the
    /// evidence, which knows what the tools said.
    fn leaks(&mut self, sentence: &str) -> Vec<String> {
        let removed = self.checker.check(sentence).removed;
        let kinds = removed.into_iter().map(|leak| leak.kind);
        let kinds = kinds.filter(|kind| !matches!(kind, LeakKind::Email | LeakKind::Phone));
        // Who is in danger is told so, in whichever words.
        let kinds = kinds.filter(|kind| *kind != LeakKind::SystemPrompt || !may_save(sentence));
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
    fn release(&mut self, mut part: String) {
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

/// What tells one sentence from another: its words, whatever stands around them.
pub(super) fn key(sentence: &str) -> String {
    let words: Vec<String> = words(sentence).map(fold).collect();
    words.join(" ")
}

/// An answer that has left.
pub(super) struct Finished {
    pub(super) parts: Vec<String>,
    pub(super) citations: Vec<Citation>,
    pub(super) temperature: Option<Temperature>,
}
