//! Bookmarks as headings: the nearest one at or before a page, and those above it.

use super::about::{resolve, text_string};
use pdf_oxide::PdfDocument;
use pdf_oxide::object::{Object, ObjectRef};
use std::collections::{HashMap, HashSet};

const MOST_BOOKMARKS: usize = 5000;
const DEEPEST: usize = 6;
const LONGEST_HEADING: usize = 120;

/// The path of headings for every page. Empty where the file has no bookmarks we can follow.
pub(super) fn by_page(pdf: &PdfDocument, pages: &[ObjectRef]) -> Vec<Vec<String>> {
    let mut walk = Walk {
        pdf,
        numbers: pages.iter().copied().zip(0..).collect(),
        seen: HashSet::new(),
        found: HashMap::new(),
    };
    let first = pdf.catalog().ok().and_then(|catalog| {
        let outlines = resolve(pdf, catalog.as_dict()?.get("Outlines")?);
        outlines.as_dict()?.get("First")?.as_reference()
    });
    if let Some(first) = first {
        walk.siblings(first, &mut Vec::new());
    }
    let mut current = Vec::new();
    (0..pages.len())
        .map(|page| {
            if let Some(path) = walk.found.remove(&page) {
                current = path;
            }
            current.clone()
        })
        .collect()
}

struct Walk<'a> {
    pdf: &'a PdfDocument,
    numbers: HashMap<ObjectRef, usize>,
    seen: HashSet<ObjectRef>,
    /// The first bookmark of a page, with those above it.
    found: HashMap<usize, Vec<String>>,
}

impl Walk<'_> {
    fn siblings(&mut self, first: ObjectRef, above: &mut Vec<String>) {
        let mut next = Some(first);
        while let Some(at) = next {
            // Each one once: a bookmark may name itself as the next.
            if !self.seen.insert(at) || self.seen.len() > MOST_BOOKMARKS {
                return;
            }
            let Ok(item) = self.pdf.load_object(at) else {
                return;
            };
            let Some(item) = item.as_dict() else {
                return;
            };
            let title = item.get("Title").and_then(|title| {
                let title = resolve(self.pdf, title);
                crate::text::one_line(&text_string(title.as_string()?), LONGEST_HEADING)
            });
            if let Some(title) = title {
                above.push(title);
                if let Some(page) = self.page_of(item) {
                    self.found.entry(page).or_insert_with(|| above.clone());
                }
                if let Some(child) = item.get("First").and_then(Object::as_reference)
                    && above.len() < DEEPEST
                {
                    self.siblings(child, above);
                }
                above.pop();
            }
            next = item.get("Next").and_then(Object::as_reference);
        }
    }

    fn page_of(&self, item: &HashMap<String, Object>) -> Option<usize> {
        let target = if let Some(target) = item.get("Dest") {
            resolve(self.pdf, target)
        } else {
            let action = resolve(self.pdf, item.get("A")?);
            resolve(self.pdf, action.as_dict()?.get("D")?)
        };
        let target = match &target {
            Object::String(name) => {
                let name = String::from_utf8_lossy(name);
                return self.pdf.resolve_named_destination(&name).ok()?;
            }
            Object::Name(name) => return self.pdf.resolve_named_destination(name).ok()?,
            target => target.as_array()?.first()?.as_reference()?,
        };
        self.numbers.get(&target).copied()
    }
}
