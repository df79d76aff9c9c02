//! Whom an answer names as somebody who works there.

use super::clause::Clauses;

/// Names have no more words than this.
const MOST_NAMES: usize = 4;

/// Somebody, by the words of their name, folded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Somebody {
    pub(in super::super) names: Vec<String>,
    /// They are said to attend, and not only spoken of.
    pub(in super::super) attends: bool,
}

/// Who is named after a title, or after what somebody does for customers.
pub(super) fn read(clauses: &Clauses<'_>) -> Vec<Somebody> {
    let mut found: Vec<Somebody> = Vec::new();
    for (at, word) in clauses.words.iter().enumerate() {
        let title = word.is("title");
        // "Te atiende": what is attended may also be a district.
        let mut before = clauses.before(at);
        let you = before
            .next()
            .is_some_and(|word| matches!(word.word(), "te" | "le" | "les"));
        let attends = word.is("attends") && you;
        if !(title || attends) || !clauses.is_stated(at) || clauses.is_denied(word.clause) {
            continue;
        }
        let behind = clauses.words[at + 1..].iter();
        // "Dra. Salas" has a full stop in it.
        let behind = behind.take_while(|next| next.clause <= word.clause + usize::from(title));
        let articles =
            |next: &str| matches!(next, "la" | "el" | "a" | "al" | "con" | "by" | "with");
        let mut behind = behind
            .skip_while(|next| attends && articles(next.word()))
            .peekable();
        // The title says it better.
        if behind.peek().is_some_and(|next| next.is("title")) {
            continue;
        }
        let names = behind.take_while(|next| next.token.capital && next.token.word().is_some());
        let names: Vec<String> = names
            .take(MOST_NAMES)
            .map(|next| next.word().to_owned())
            .collect();
        let does = clauses.words.iter().any(|word| word.is("works"));
        if !names.is_empty() && !found.iter().any(|known| known.names == names) {
            found.push(Somebody {
                names,
                attends: does,
            });
        }
    }
    found
}
