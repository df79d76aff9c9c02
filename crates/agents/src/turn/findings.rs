//! What a search found, sorted by how a model is told it.

use super::trace::Notes;
use crate::desk::{Found, Guidance};
use crate::guard::Guard;
use crate::prompt::{LearnedAnswer, learned_with_room};
use quipu_core::context::Corpus;
use quipu_core::language::Language;
use quipu_core::retrieval::Passage;
use serde_json::json;
use std::borrow::Cow;
use std::collections::HashSet;
use std::time::Instant;

#[derive(Default)]
pub(super) struct Findings {
    /// What people answered and somebody approved. It is numbered first.
    learned: Vec<Passage>,
    /// What is quoted; `None` when nothing was searched for.
    passages: Option<Vec<Passage>>,
    pub(super) instructions: Vec<Guidance>,
    pub(super) corpora: Vec<Corpus>,
    pub(super) incomplete: bool,
}

impl Findings {
    pub(super) fn sort(found: Option<Found>, language: Language, notes: &mut Notes) -> Self {
        let Some(found) = found else {
            return Self::default();
        };
        let passages = cleaned(found.passages, notes);
        let learned: Vec<usize> = (0..passages.len())
            .filter(|at| found.learned.contains(&passages[*at].document_id))
            .collect();
        let answers: Vec<_> = learned.iter().map(|at| answer(&passages[*at])).collect();
        // An answer without room there is quoted like any other text, as far as that has room.
        let told = learned_with_room(language, &answers);
        let told: HashSet<usize> = told.into_iter().map(|fits| learned[fits]).collect();
        let (mut apart, mut quoted) = (Vec::new(), Vec::new());
        for (at, passage) in passages.into_iter().enumerate() {
            if told.contains(&at) {
                apart.push(passage);
            } else {
                quoted.push(passage);
            }
        }
        Self {
            learned: apart,
            passages: Some(quoted),
            instructions: found.instructions,
            corpora: found.corpora,
            incomplete: found.incomplete,
        }
    }

    pub(super) fn learned(&self) -> Vec<LearnedAnswer<'_>> {
        self.learned.iter().map(answer).collect()
    }

    pub(super) fn quoted(&self) -> Option<&[Passage]> {
        self.passages.as_deref()
    }

    /// What an answer may cite, in the order it is numbered, when these of the quoted ones were shown.
    pub(super) fn citable(self, shown: Vec<Passage>) -> Vec<Passage> {
        let mut citable = self.learned;
        citable.extend(shown);
        citable
    }
}

/// A frequent question as it is found: its first line is the question, unless the passage begins
/// further down.
fn answer(passage: &Passage) -> LearnedAnswer<'_> {
    let title = passage.title.as_deref().unwrap_or_default();
    let asked = title.trim_end_matches('…').trim_end();
    let lines = passage.content.split_once('\n');
    match lines.filter(|(first, rest)| first.starts_with(asked) && !rest.trim().is_empty()) {
        Some((question, answer)) => LearnedAnswer { question, answer },
        None => LearnedAnswer {
            question: title,
            answer: &passage.content,
        },
    }
}

/// The passages without the sentences in them that speak to the assistant, and a note of it.
pub(super) fn cleaned(mut passages: Vec<Passage>, notes: &mut Notes) -> Vec<Passage> {
    let began = Instant::now();
    let suspicious = clean(&mut passages);
    if suspicious > 0 {
        notes.step("guard", began, json!({ "suspicious_passages": suspicious }));
    }
    passages
}

/// Takes out of passages, and of their titles, what speaks to the assistant. Returns how many had some.
pub fn clean(passages: &mut Vec<Passage>) -> usize {
    let guard = Guard::compiled();
    let mut suspicious = 0;
    for passage in passages.iter_mut() {
        let title = passage.title.take_if(|title| guard.is_addressed_by(title));
        let content = match guard.cleaned(&passage.content) {
            Cow::Owned(content) => Some(content),
            Cow::Borrowed(_) => None,
        };
        suspicious += usize::from(title.is_some() || content.is_some());
        if let Some(content) = content {
            passage.content = content;
        }
    }
    passages.retain(|passage| !passage.content.trim().is_empty());
    suspicious
}
