//! Checking that an answer quotes what it says it quotes, and numbering its sources.

use quipu_core::ports::ReplyPart;
use quipu_core::retrieval::{Citation, Passage};
use quipu_core::text::{fold, sentences, words};
use std::collections::HashSet;

/// An answer put together: its pieces in the order they are released, and their sources.
#[derive(Debug, PartialEq)]
pub(crate) struct Cited {
    pub(crate) parts: Vec<String>,
    pub(crate) citations: Vec<Citation>,
}

/// Puts the parts of a reply together with their numbers. `None` when the reply is empty or one
/// of its quotes is not in the passage it names: an answer with one false source is not trusted
/// at all.
pub(crate) fn cite(reply: &[ReplyPart], passages: &[Passage]) -> Option<Cited> {
    let mut cited = Cited {
        parts: Vec::new(),
        citations: Vec::new(),
    };
    let mut previous = "";
    for part in reply {
        let text = part.text.trim();
        let number = match &part.source {
            Some((index, quote)) => {
                Some(number(&mut cited.citations, passages.get(*index)?, quote)?)
            }
            None => None,
        };
        if text.is_empty() {
            continue;
        }
        let separator = match previous {
            "" => "",
            _ if previous.contains('\n') || text.contains('\n') => "\n",
            _ => " ",
        };
        let mark = number.map_or_else(String::new, |number| format!(" [{number}]"));
        cited.parts.push(format!("{separator}{text}{mark}"));
        previous = text;
    }
    (!cited.parts.is_empty()).then_some(cited)
}

/// The number of a quote among the citations, which gain it if it is new. `None` when the passage
/// does not contain it.
fn number(citations: &mut Vec<Citation>, passage: &Passage, quote: &str) -> Option<usize> {
    let byte = passage
        .content
        .find(quote)
        .filter(|_| !quote.trim().is_empty())?;
    let known = citations
        .iter()
        .find(|c| c.chunk_id == passage.chunk_id && c.quote == quote);
    if let Some(known) = known {
        return Some(known.number);
    }
    let chars = |text: &str| i32::try_from(text.chars().count()).unwrap_or(i32::MAX);
    let before = chars(&passage.content[..byte]);
    let start_char = passage.start_char.saturating_add(before);
    let number = citations.len() + 1;
    citations.push(Citation {
        number,
        document_id: passage.document_id,
        knowledge_base_id: passage.knowledge_base_id,
        chunk_id: passage.chunk_id,
        title: passage.title.clone(),
        quote: quote.to_owned(),
        start_char,
        end_char: start_char.saturating_add(chars(quote)),
        page_number: passage
            .pages
            .at(usize::try_from(before).unwrap_or(0))
            .or(passage.page_number),
        similarity: passage.similarity,
        business: passage.business.clone(),
    });
    Some(number)
}

/// The sources of an answer that is written sentence by sentence, with marks such as `[2]` that name
/// the passages it was given.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    citations: Vec<Citation>,
}

impl Sources {
    /// The sentence with its marks numbered in the order in which sources appear in the answer.
    /// Marks that name no passage, or one that shares no word with the sentence, are left out.
    pub(crate) fn renumber(&mut self, sentence: &str, passages: &[Passage]) -> String {
        self.renumber_of(sentence, sentence, passages)
    }

    /// The same with marks that stand in another text than the sentence they belong to, as those behind its
    /// full stop do.
    pub(crate) fn renumber_of(
        &mut self,
        sentence: &str,
        text: &str,
        passages: &[Passage],
    ) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(open) = rest.find('[') {
            let (before, from) = rest.split_at(open);
            let Some((numbers, len)) = mark(from) else {
                out.push_str(before);
                out.push('[');
                rest = &from[1..];
                continue;
            };
            out.push_str(before);
            let said = without_marks(sentence);
            let cited = numbers.iter().filter_map(|number| {
                let passage = passages.get(number.checked_sub(1)?)?;
                let quote = nearest(&said, &passage.content)?;
                self::number(&mut self.citations, passage, quote)
            });
            let cited: Vec<String> = cited.map(|number| format!("[{number}]")).collect();
            if cited.is_empty() {
                out.truncate(out.trim_end_matches(' ').len());
            }
            out.extend(cited);
            rest = &from[len..];
        }
        out.push_str(rest);
        out
    }

    pub(crate) fn into_citations(self) -> Vec<Citation> {
        self.citations
    }
}

/// A mark at the start of a text, `[2]` or `[1, 3]`: its numbers and its length.
fn mark(text: &str) -> Option<(Vec<usize>, usize)> {
    let close = text.find(']')?;
    let inside = text.get(1..close)?;
    let numbers: Option<Vec<usize>> = inside
        .split(',')
        .map(|number| number.trim().parse().ok().filter(|number| *number < 1_000))
        .collect();
    numbers.map(|numbers| (numbers, close + 1))
}

/// Cuts a text behind the marks that it begins with, which belong to what was said before it. The white space
/// around them stays with them.
pub(crate) fn leading_marks(text: &str) -> (&str, &str) {
    let mut at = 0;
    loop {
        let blank = text[at..].len() - text[at..].trim_start().len();
        let here = &text[at + blank..];
        match mark(here).filter(|_| here.starts_with('[')) {
            Some((_, len)) => at += blank + len,
            None => break,
        }
    }
    if at > 0 {
        at += text[at..].len() - text[at..].trim_start().len();
    }
    text.split_at(at)
}

fn without_marks(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, '[' | ']')).collect()
}

/// The sentence of a passage that shares most words with what is said, if any does.
fn nearest<'a>(said: &str, passage: &'a str) -> Option<&'a str> {
    let long = |word: &String| word.chars().count() > 2;
    let said: HashSet<String> = words(said).map(fold).filter(long).collect();
    let shared = |sentence: &&str| {
        words(sentence)
            .filter(|word| said.contains(&fold(word)))
            .count()
    };
    let best = sentences(passage).max_by_key(shared)?;
    (shared(&best) > 0).then_some(best)
}

#[cfg(test)]
mod tests;
