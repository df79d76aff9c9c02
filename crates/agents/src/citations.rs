//! Checking that an answer quotes what it says it quotes, and numbering its sources.

use quipu_core::ports::ReplyPart;
use quipu_core::retrieval::{Citation, Passage};

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
    let start_char = passage
        .start_char
        .saturating_add(chars(&passage.content[..byte]));
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
        page_number: passage.page_number,
        similarity: passage.similarity,
    });
    Some(number)
}
