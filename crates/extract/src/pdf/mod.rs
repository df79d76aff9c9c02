//! PDF: the text of each page, the headings its bookmarks give it, and which pages are pictures.

mod about;
mod outline;
mod poppler;
#[cfg(test)]
mod tests;
mod tidy;
mod tree;

use crate::collect::Collector;
use pdf_oxide::PdfDocument;
use pdf_oxide::error::Error as PdfError;
use quipu_core::extraction::{Failure, Segment};
use std::panic::{AssertUnwindSafe, catch_unwind};

pub(crate) use tidy::page as tidy_page;

/// Who reads the text of a PDF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PdfReader {
    /// Our own reader, helped by poppler where it finds nothing.
    Own,
    /// Poppler alone, for a file on which our own reader crashed.
    Poppler,
}

pub(crate) const MOST_PAGES: usize = 5000;

/// A page with fewer letters than this may as well be a picture with a stamp on it.
const FEWEST_LETTERS: usize = 3;
/// A page that draws more than this without writing anything shows something.
const DRAWN_BYTES: usize = 1000;
/// What stands at the end, and where it is looked for.
const END_MARK: &[u8] = b"startxref";
const END_BYTES: usize = 4096;
/// How often the parent hears how far we are.
const PAGES_PER_REPORT: usize = 50;

/// Reads a PDF. Returns the pages that have no text of their own and show a picture.
pub(crate) fn extract(
    bytes: &[u8],
    reader: PdfReader,
    out: &mut Collector,
    progress: &mut dyn FnMut(f32),
) -> Result<Vec<u32>, Failure> {
    if reader == PdfReader::Poppler {
        return extract_with_poppler(bytes, out);
    }
    let opened = guarded(|| open(bytes));
    let Some(opened) = opened else {
        return extract_with_poppler(bytes, out);
    };
    let document = match opened {
        Ok(document) => document,
        Err(Problem::Refused(failure)) => return Err(failure),
        Err(Problem::Unreadable) => return extract_with_poppler(bytes, out),
    };
    about::describe(&document.pdf, &mut out.info);
    let count = document.count;
    out.info.pages = u32::try_from(count).ok();

    let mut texts = Vec::with_capacity(count);
    let mut length = 0;
    for page in 0..count {
        let text = guarded(|| document.pdf.extract_text(page).ok()).flatten();
        let text = text.map(|text| tidy::page(&text)).unwrap_or_default();
        length += text.len();
        out.still_fits(length)?;
        texts.push(text);
        if page % PAGES_PER_REPORT == PAGES_PER_REPORT - 1 {
            progress(ratio(page + 1, count));
        }
    }
    read_again(bytes, &mut texts);

    let mut headings = outline::by_page(&document.pdf, &document.pages);
    let mut scanned = Vec::new();
    for (page, text) in texts.into_iter().enumerate() {
        let number = u32::try_from(page + 1).unwrap_or(u32::MAX);
        if !has_letters(&text) && shows_something(&document.pdf, page) {
            scanned.push(number);
        }
        out.push(Segment {
            text,
            page: Some(number),
            headings: headings
                .get_mut(page)
                .map(std::mem::take)
                .unwrap_or_default(),
            ..Segment::default()
        })?;
    }
    if out.is_empty() && scanned.is_empty() && !has_end(bytes) {
        return Err(Failure::Damaged);
    }
    Ok(scanned)
}

/// Whether the file goes on to where the format says that it ends.
fn has_end(bytes: &[u8]) -> bool {
    let tail = &bytes[bytes.len().saturating_sub(END_BYTES)..];
    tail.windows(END_MARK.len())
        .any(|window| window == END_MARK)
}

struct Opened {
    pdf: PdfDocument,
    pages: Vec<pdf_oxide::object::ObjectRef>,
    count: usize,
}

enum Problem {
    /// The file is not to be read by anybody.
    Refused(Failure),
    /// Our reader cannot read it; another may.
    Unreadable,
}

fn open(bytes: &[u8]) -> Result<Opened, Problem> {
    let pdf = PdfDocument::from_bytes(bytes.to_vec()).map_err(|error| {
        eprintln!("not readable: {error}");
        match error {
            PdfError::EncryptedPdf => Problem::Refused(Failure::Encrypted),
            _ => Problem::Unreadable,
        }
    })?;
    // A file that only forbids printing or copying opens with the empty password. Whoever
    // uploads a document may have it read.
    if pdf.is_encrypted() && !matches!(pdf.authenticate(b""), Ok(true)) {
        return Err(Problem::Refused(Failure::Encrypted));
    }
    // Before the reader walks the tree of pages, because it does not notice walking in circles.
    let tree = tree::walk(&pdf);
    if tree.is_endless {
        return Err(Problem::Unreadable);
    }
    let count = if tree.pages.is_empty() {
        pdf.page_count().unwrap_or(0)
    } else {
        tree.pages.len()
    };
    match count {
        0 => Err(Problem::Unreadable),
        1..=MOST_PAGES => Ok(Opened {
            pdf,
            pages: tree.pages,
            count,
        }),
        _ => Err(Problem::Refused(Failure::TooLong)),
    }
}

/// Asks poppler for the pages on which our reader found nothing.
fn read_again(bytes: &[u8], texts: &mut [String]) {
    let mut without = texts
        .iter()
        .enumerate()
        .filter(|(_, text)| !has_letters(text));
    let Some((first, _)) = without.next() else {
        return;
    };
    let last = without.next_back().map_or(first, |(last, _)| last);
    let Ok(again) = poppler::text(bytes, Some((first + 1, last + 1))) else {
        return;
    };
    for (text, found) in texts[first..=last].iter_mut().zip(again.pages) {
        if !has_letters(text) && has_letters(&found) {
            *text = tidy::page(&found);
        }
    }
}

fn extract_with_poppler(bytes: &[u8], out: &mut Collector) -> Result<Vec<u32>, Failure> {
    let read = poppler::text(bytes, None)?;
    if read.pages.len() > MOST_PAGES {
        return Err(Failure::TooLong);
    }
    out.info.pages = u32::try_from(read.pages.len()).ok();
    let mut scanned = Vec::new();
    for (number, text) in (1..).zip(read.pages) {
        if !has_letters(&text) {
            scanned.push(number);
        }
        out.push(Segment {
            text: tidy::page(&text),
            page: Some(number),
            ..Segment::default()
        })?;
    }
    Ok(scanned)
}

fn has_letters(text: &str) -> bool {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .nth(FEWEST_LETTERS - 1)
        .is_some()
}

/// Whether there is something on a page without text that could be read as a picture.
fn shows_something(pdf: &PdfDocument, page: usize) -> bool {
    guarded(|| {
        let pictures = pdf.page_image_handles(page);
        pictures.is_ok_and(|pictures| !pictures.is_empty())
            || pdf
                .get_page_content_data(page)
                .is_ok_and(|drawn| drawn.len() > DRAWN_BYTES)
    })
    .unwrap_or(true)
}

/// One page that makes the reader panic does not take the others with it.
fn guarded<T>(read: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(read)).ok()
}

#[expect(
    clippy::cast_precision_loss,
    reason = "it is shown to people, in percent"
)]
fn ratio(done: usize, of: usize) -> f32 {
    done as f32 / of as f32
}
