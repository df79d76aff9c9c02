//! What a page says of itself in its head.

use super::elements::{Attributes, attribute};
use crate::text::{day, one_line};
use quipu_core::extraction::DocumentInfo;

const LONGEST_AUTHOR: usize = 200;

/// Notes what a `meta` element says, if it is of use.
pub(super) fn note(attributes: &Attributes, info: &mut DocumentInfo) {
    let name = ["name", "property", "itemprop"]
        .iter()
        .find_map(|key| attribute(attributes, key));
    let (Some(name), Some(content)) = (name, attribute(attributes, "content")) else {
        return;
    };
    match name.to_ascii_lowercase().as_str() {
        // Some give the address of the author's page.
        "author" | "article:author" | "dc.creator" | "dcterms.creator"
            if info.author.is_none() && !content.contains("://") =>
        {
            info.author = one_line(content, LONGEST_AUTHOR);
        }
        "date"
        | "article:published_time"
        | "datepublished"
        | "dc.date"
        | "dcterms.date"
        | "dcterms.created"
        | "publish-date"
            if info.date.is_none() =>
        {
            info.date = day(content);
        }
        _ => {}
    }
}
