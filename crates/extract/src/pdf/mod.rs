//! PDF: the text of each page, the headings its bookmarks give it, and which pages are pictures.

mod about;
mod outline;
mod poppler;
#[cfg(test)]
mod tests;
mod tidy;
mod tree;

use crate::collect::Collector;
use crate::wire::ScannedPage;
use pdf_oxide::PdfDocument;
use pdf_oxide::error::Error as PdfError;
use pdf_oxide::geometry::Rect;
use quipu_core::extraction::{Failure, Segment};
use std::num::NonZeroU32;
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

/// A page with fewer letters than this has no text; a number is no text.
const FEWEST_LETTERS: usize = 3;
/// The stamp of a scanner or a line at the foot of the page has fewer letters than this.
const STAMP_LETTERS: usize = 80;
/// A page that draws more than this without writing anything shows something.
const DRAWN_BYTES: usize = 300;
/// What stands at the end, and where it is looked for.
const END_MARK: &[u8] = b"startxref";
const END_BYTES: usize = 4096;
/// How often the parent hears how far we are.
const PAGES_PER_REPORT: usize = 50;

/// Reads a PDF. Returns the pages whose text is in their picture.
pub(crate) fn extract(
    bytes: &[u8],
    reader: PdfReader,
    out: &mut Collector,
    progress: &mut dyn FnMut(f32),
) -> Result<Vec<ScannedPage>, Failure> {
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
        let number = number(page);
        let headings = headings.get_mut(page).map(std::mem::take);
        let headings = headings.unwrap_or_default();
        if is_picture(&document.pdf, page, &text) {
            scanned.push(ScannedPage {
                page: number,
                headings: headings.clone(),
            });
        }
        out.push(Segment {
            text,
            page: Some(number.get()),
            headings,
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

fn extract_with_poppler(bytes: &[u8], out: &mut Collector) -> Result<Vec<ScannedPage>, Failure> {
    let read = poppler::text(bytes, None)?;
    if read.pages.len() > MOST_PAGES {
        return Err(Failure::TooLong);
    }
    out.info.pages = u32::try_from(read.pages.len()).ok();
    let mut scanned = Vec::new();
    for (page, text) in read.pages.into_iter().enumerate() {
        let text = tidy::page(&text);
        let number = number(page);
        if !has_letters(&text) {
            scanned.push(ScannedPage {
                page: number,
                headings: Vec::new(),
            });
        }
        out.push(Segment {
            text,
            page: Some(number.get()),
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

/// Whether the text of a page is to be found in its picture: it has none of its own, or only the
/// stamp of a scanner, or what it has is signs for another eye.
fn is_picture(pdf: &PdfDocument, page: usize, text: &str) -> bool {
    if tidy::is_garbled(text) {
        return true;
    }
    if !is_short(text) {
        return false;
    }
    guarded(|| {
        let pictures = pdf.page_image_handles(page).unwrap_or_default();
        if has_letters(text) {
            return pictures.iter().any(|p| covers(pdf, page, &p.bbox));
        }
        let drawn = || {
            pdf.get_page_content_data(page)
                .map_or(0, |drawn| drawn.len())
        };
        !pictures.is_empty() || drawn() > DRAWN_BYTES
    })
    .unwrap_or(true)
}

fn is_short(text: &str) -> bool {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .nth(STAMP_LETTERS)
        .is_none()
}

/// Whether a picture takes up most of its page.
fn covers(pdf: &PdfDocument, page: usize, picture: &Rect) -> bool {
    let Ok((left, bottom, right, top)) = pdf.get_page_media_box(page) else {
        return false;
    };
    let page = (right - left).abs() * (top - bottom).abs();
    picture.width * picture.height > page * 0.5
}

fn number(page: usize) -> NonZeroU32 {
    let page = u32::try_from(page).unwrap_or(u32::MAX - 1);
    NonZeroU32::MIN.saturating_add(page)
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
