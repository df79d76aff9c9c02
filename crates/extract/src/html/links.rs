//! Where a page leads to.

use super::declared_encoding;
use super::elements::{Attributes, attribute};
use crate::text;
use html5gum::{DefaultEmitter, Token, Tokenizer};
use std::collections::HashSet;

/// Links of one page that are told.
const MOST_LINKS: usize = 5_000;
const LONGEST_LINK: usize = 2_048;

#[derive(Debug, Default)]
pub(crate) struct PageLinks {
    pub(crate) base: Option<String>,
    pub(crate) canonical: Option<String>,
    /// Each once, in their order.
    pub(crate) hrefs: Vec<String>,
}

/// Reads the links of a page as they are written, those of its menus too.
pub(crate) fn links(bytes: &[u8]) -> PageLinks {
    let html = text::decode_declared(bytes, declared_encoding(bytes));
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let mut found = PageLinks::default();
    let mut seen = HashSet::new();
    for token in Tokenizer::new_with_emitter(&html, emitter) {
        let Ok(Token::StartTag(tag)) = token else {
            continue;
        };
        let Some(href) = address(&tag.attributes) else {
            continue;
        };
        match &tag.name[..] {
            b"a" | b"area" if found.hrefs.len() < MOST_LINKS && seen.insert(href.to_owned()) => {
                found.hrefs.push(href.to_owned());
            }
            b"base" if found.base.is_none() => found.base = Some(href.to_owned()),
            b"link" if found.canonical.is_none() && is_canonical(&tag.attributes) => {
                found.canonical = Some(href.to_owned());
            }
            _ => {}
        }
    }
    found
}

fn address(attributes: &Attributes) -> Option<&str> {
    let href = attribute(attributes, "href")?;
    (!href.is_empty() && href.len() <= LONGEST_LINK).then_some(href)
}

fn is_canonical(attributes: &Attributes) -> bool {
    attribute(attributes, "rel").is_some_and(|words| {
        let mut words = words.split_ascii_whitespace();
        words.any(|word| word.eq_ignore_ascii_case("canonical"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_told_once_and_scripts_have_none() {
        let found = links(
            "<!doctype html><base href=/es/><link rel='alternate canonical' href=/uno>\
             <link rel=stylesheet href=/x.css><nav><a href='a?x=1&amp;y=2'>A</a></nav>\
             <script>var x = '<a href=\"/no\">';</script><a href=a?x=1&y=2>B</a><a>C</a>\
             <map><area href=' /b '></map><a href=''>D</a>"
                .as_bytes(),
        );
        assert_eq!(found.base.as_deref(), Some("/es/"));
        assert_eq!(found.canonical.as_deref(), Some("/uno"));
        assert_eq!(found.hrefs, ["a?x=1&y=2", "/b"]);
    }

    #[test]
    fn a_page_of_nothing_but_links_is_bounded() {
        let page: Vec<String> = (0..6_000).map(|n| format!("<a href=/{n}>")).collect();
        let page = page.concat();
        assert_eq!(links(page.as_bytes()).hrefs.len(), MOST_LINKS);
    }
}
