//! How many sentences of an answer are let out, decided while it is still being written.
//!
//! The last sentence that has room waits for what follows it: a question at the end of an answer is what the
//! customer is to reply to, and takes its place unless it states a figure, which nobody else has told them.

use crate::facts::token::{Kind, cut};
use std::collections::HashSet;
use std::sync::LazyLock;

/// "¡Hola!" and "¡Claro que sí!" before an answer are none of its sentences.
const SHORT_CALL: usize = 3;

/// Words of a sentence that may save somebody, which is told whatever else is.
static SAFETY: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let lines = include_str!("../../data/safety.txt").lines();
    let told = lines.filter(|line| !line.starts_with('#'));
    told.flat_map(str::split_whitespace).collect()
});

/// Whether there is room for a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Room {
    Yes,
    /// It is a question, and will be let out if the answer ends with it.
    Perhaps,
    No,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weight {
    Safety,
    /// A line of a list, which belongs to what announced it.
    Line,
    /// "¡Hola!"
    Call,
    Question,
    Statement,
}

/// What became of the sentence before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Last {
    #[default]
    None,
    Out(String),
    Waiting,
    Dropped,
}

#[derive(Debug)]
pub(super) struct Length {
    most: usize,
    out: usize,
    waiting: Option<String>,
    question: Option<String>,
    last: Last,
    /// What was said last announces a list, or is a line of one.
    lists: bool,
}

impl Length {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most: most.max(1),
            out: 0,
            waiting: None,
            question: None,
            last: Last::None,
            lists: false,
        }
    }

    /// What was said until now announced what follows, as before a tool is called.
    pub(super) fn begin(&mut self) {
        self.out = 0;
        self.last = Last::None;
    }

    pub(super) fn room(&self, sentence: &str) -> Room {
        let taken = self.waiting.is_some() || self.out >= self.most;
        match self.weigh(sentence) {
            Weight::Safety => Room::Yes,
            Weight::Line if self.last != Last::Dropped => Room::Yes,
            Weight::Line => Room::No,
            _ if !taken => Room::Yes,
            Weight::Question if self.waiting.is_some() => Room::Perhaps,
            _ => Room::No,
        }
    }

    /// Takes a sentence that there is room for, and returns what is let out now.
    pub(super) fn take(&mut self, sentence: &str) -> Vec<String> {
        let weight = self.weigh(sentence);
        let trimmed = sentence.trim_end();
        self.lists = weight == Weight::Line || trimmed.ends_with(':');
        if self.room(sentence) == Room::Perhaps {
            self.question = Some(sentence.to_owned());
            return Vec::new();
        }
        let mut out = Vec::new();
        match weight {
            Weight::Safety => {
                let waited = self.waiting.take();
                self.out += usize::from(waited.is_some());
                out.extend(waited);
            }
            Weight::Line => {
                if let Some(waiting) = &mut self.waiting {
                    waiting.push_str(sentence);
                    return out;
                }
            }
            Weight::Call if self.out == 0 => {}
            Weight::Statement | Weight::Call if self.out + 1 >= self.most => {
                self.waiting = Some(sentence.to_owned());
                self.last = Last::Waiting;
                return out;
            }
            _ => self.out += 1,
        }
        self.last = Last::Out(sentence.to_owned());
        out.push(sentence.to_owned());
        out
    }

    /// Takes marks that follow a sentence. What they belong to when it has been let out already; nothing when
    /// it waits, or was left out together with them.
    pub(super) fn marks(&mut self, marks: &str) -> Option<&str> {
        match (&self.last, &mut self.waiting) {
            (Last::Out(said), _) => Some(said),
            (Last::Waiting, Some(waiting)) => {
                waiting.push_str(marks);
                None
            }
            _ => None,
        }
    }

    /// Forgets a sentence, with what belongs to it.
    pub(super) fn drop(&mut self) {
        self.last = Last::Dropped;
    }

    /// What is let out when nothing more comes.
    pub(super) fn end(&mut self) -> Vec<String> {
        let (waiting, question) = (self.waiting.take(), self.question.take());
        let figure = waiting.as_deref().is_some_and(states_a_figure);
        let out: Vec<String> = match (waiting, question) {
            (Some(_), Some(question)) if !figure => vec![question],
            (Some(waiting), question) => std::iter::once(waiting).chain(question).collect(),
            (None, _) => Vec::new(),
        };
        self.out += usize::from(!out.is_empty());
        out
    }

    fn weigh(&self, sentence: &str) -> Weight {
        let text = sentence.trim();
        let words = || quipu_core::text::words(text).map(quipu_core::text::fold);
        let end = text.rfind(['.', '!', '?', '…', ':']);
        let sign = end.and_then(|at| text[at..].chars().next());
        if may_save(text) {
            Weight::Safety
        } else if is_listed(text) || (self.lists && sign.is_none()) {
            Weight::Line
        } else if sign == Some('!') && words().count() <= SHORT_CALL {
            Weight::Call
        } else if sign == Some('?') {
            Weight::Question
        } else {
            Weight::Statement
        }
    }
}

/// Whether a sentence may save somebody, so that it is told whatever else is.
pub(super) fn may_save(sentence: &str) -> bool {
    let mut words = quipu_core::text::words(sentence).map(quipu_core::text::fold);
    words.any(|word| SAFETY.contains(word.as_str()))
}

/// "- Limpieza", "• Limpieza", "2. Limpieza", "3) Limpieza".
fn is_listed(text: &str) -> bool {
    let numbered = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = numbered.len() < text.len() && numbered.len() + 3 > text.len();
    let marked = number && (numbered.starts_with(". ") || numbered.starts_with(") "));
    marked || text.starts_with(['•', '▪', '–']) || text.starts_with("- ") || text.starts_with("* ")
}

fn states_a_figure(text: &str) -> bool {
    let tokens = cut(text);
    let figure = |kind: &Kind| matches!(kind, Kind::Number(_) | Kind::Clock { .. });
    tokens.iter().any(|token| figure(&token.kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(most: usize, sentences: &[&str]) -> String {
        let mut length = Length::new(most);
        let mut out = Vec::new();
        for sentence in sentences {
            match length.room(sentence) {
                Room::No => length.drop(),
                _ => out.extend(length.take(sentence)),
            }
        }
        out.extend(length.end());
        out.concat()
    }

    #[test]
    fn no_more_sentences_leave_than_may() {
        let all = ["Uno. ", "Dos. ", "Tres. ", "Cuatro. "];
        assert_eq!(sent(1, &all), "Uno. ");
        assert_eq!(sent(3, &all), "Uno. Dos. Tres. ");
        assert_eq!(sent(9, &all), "Uno. Dos. Tres. Cuatro. ");
        let greeted = ["¡Hola! ", "Uno. ", "Dos. ", "¡Te esperamos!"];
        assert_eq!(sent(2, &greeted), "¡Hola! Uno. Dos. ");
    }

    #[test]
    fn the_question_at_the_end_stays() {
        let asked = ["Claro. ", "Con gusto. ", "Dime. ", "¿Para qué día?"];
        assert_eq!(sent(2, &asked), "Claro. ¿Para qué día?");
        assert_eq!(sent(1, &asked), "¿Para qué día?");
        let told = ["Claro. ", "Cuesta S/ 120. ", "Dime. ", "¿Para qué día?"];
        assert_eq!(sent(2, &told), "Claro. Cuesta S/ 120. ¿Para qué día?");
    }

    #[test]
    fn what_may_save_somebody_is_always_told() {
        let told = [
            "Lo siento. ",
            "Es molesto. ",
            "Pasa. ",
            "Ve a urgencias si empeora.",
        ];
        assert_eq!(
            sent(2, &told),
            "Lo siento. Es molesto. Ve a urgencias si empeora."
        );
    }

    #[test]
    fn a_list_belongs_to_what_announces_it() {
        let list = [
            "Hay tres:\n",
            "- Limpieza\n",
            "- Resina\n",
            "- Corona\n",
            "Otra. ",
            "Más.",
        ];
        assert_eq!(
            sent(1, &list),
            "Hay tres:\n- Limpieza\n- Resina\n- Corona\n"
        );
        let plain = ["Hay dos:\n", "Limpieza S/ 120\n", "Resina S/ 90\n", "Otra."];
        assert_eq!(sent(1, &plain), "Hay dos:\nLimpieza S/ 120\nResina S/ 90\n");
        let dropped = ["Uno. ", "Dos. ", "Son:\n", "- Limpieza\n"];
        assert_eq!(sent(2, &dropped), "Uno. Dos. ");
    }
}
