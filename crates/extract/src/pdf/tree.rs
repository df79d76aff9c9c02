//! The pages of a PDF in order, found without walking in circles.

use super::MOST_PAGES;
use pdf_oxide::PdfDocument;
use pdf_oxide::object::{Object, ObjectRef};

/// Deeper trees are not made by programs that write documents.
const DEEPEST: usize = 64;
/// Branches without pages are as endless as circles.
const MOST_NODES: usize = 4 * MOST_PAGES;

#[derive(Debug, Default)]
pub(super) struct Tree {
    /// One more than allowed, at most.
    pub(super) pages: Vec<ObjectRef>,
    pub(super) is_endless: bool,
    nodes: usize,
}

pub(super) fn walk(pdf: &PdfDocument) -> Tree {
    let mut tree = Tree::default();
    let root = pdf.catalog().ok().and_then(|catalog| {
        let pages = catalog.as_dict()?.get("Pages")?;
        pages.as_reference()
    });
    if let Some(root) = root {
        tree.visit(pdf, root, &mut Vec::new());
    }
    tree
}

impl Tree {
    fn visit(&mut self, pdf: &PdfDocument, at: ObjectRef, path: &mut Vec<ObjectRef>) {
        if self.is_endless || self.pages.len() > MOST_PAGES {
            return;
        }
        self.nodes += 1;
        if path.contains(&at) || path.len() > DEEPEST || self.nodes > MOST_NODES {
            self.is_endless = true;
            return;
        }
        let Ok(node) = pdf.load_object(at) else {
            return;
        };
        let Some(kids) = node.as_dict().and_then(|node| node.get("Kids")) else {
            self.pages.push(at);
            return;
        };
        let kids = match kids {
            Object::Reference(kids) => pdf.load_object(*kids).unwrap_or(Object::Null),
            kids => kids.clone(),
        };
        path.push(at);
        for kid in kids.as_array().into_iter().flatten() {
            if let Some(kid) = kid.as_reference() {
                self.visit(pdf, kid, path);
            }
        }
        path.pop();
    }
}
