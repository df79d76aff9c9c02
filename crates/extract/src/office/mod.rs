//! Texts, workbooks and presentations of Office, in today's formats and in the older ones.

mod notice;
mod prose;
mod sheets;
mod slides;
#[cfg(test)]
mod tests;

use crate::collect::Collector;
use crate::embedded::Pictures;
use crate::zip_guard;
use office_oxide::core::Error as PackageError;
use office_oxide::doc::DocError;
use office_oxide::docx::DocxError;
use office_oxide::ir::{Element, Image, List, Metadata};
use office_oxide::options::ParseOptions;
use office_oxide::ppt::PptError;
use office_oxide::pptx::PptxError;
use office_oxide::xls::XlsError;
use office_oxide::xlsx::XlsxError;
use office_oxide::{Document, DocumentFormat, OfficeError};
use quipu_core::extraction::{DocumentInfo, Failure};
use quipu_core::format::Format;
use std::io::Cursor;

/// What an Office file in a compound file begins with, and a package with a password too.
const COMPOUND: [u8; 8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];

pub(crate) fn extract(bytes: &[u8], format: Format, out: &mut Collector) -> Result<(), Failure> {
    let (kind, is_package) = match format {
        Format::Docx => (DocumentFormat::Docx, true),
        Format::Xlsx => (DocumentFormat::Xlsx, true),
        Format::Pptx => (DocumentFormat::Pptx, true),
        Format::Doc => (DocumentFormat::Doc, false),
        Format::Xls => (DocumentFormat::Xls, false),
        Format::Ppt => (DocumentFormat::Ppt, false),
        _ => return Err(Failure::Unsupported),
    };
    if is_package {
        if bytes.starts_with(&COMPOUND) {
            return Err(Failure::Encrypted);
        }
        zip_guard::check(bytes)?;
    } else if has_entry(bytes, "EncryptedPackage") {
        return Err(Failure::Encrypted);
    }
    let reader = Cursor::new(bytes.to_vec());
    let document = Document::from_reader_with(reader, kind, &options()).map_err(why)?;
    let is_whole = match document.format() {
        DocumentFormat::Xlsx | DocumentFormat::Xls => sheets::extract(&document, out)?,
        DocumentFormat::Pptx | DocumentFormat::Ppt => slides::extract(&document.to_ir(), out)?,
        DocumentFormat::Docx | DocumentFormat::Doc => prose::extract(&document.to_ir(), out)?,
    };
    // A slide or a sheet nobody can read would be missed only when somebody asks for it.
    let lost = match (document.as_xlsx(), document.as_pptx()) {
        (Some(workbook), _) => !workbook.unreadable_sheets.is_empty(),
        (_, Some(slides)) => {
            let parts = slides.unreadable_parts.iter();
            parts
                .into_iter()
                .any(|(part, _)| part.contains("/slides/slide"))
        }
        _ => false,
    };
    if lost || (out.is_empty() && out.pictures.is_empty() && !is_whole) {
        return Err(Failure::Damaged);
    }
    Ok(())
}

/// One of the pictures of a text or a presentation, by its number among those worth reading.
///
/// # Errors
/// Why the file cannot be read; `Damaged` when it has no such picture.
pub(crate) fn picture(bytes: &[u8], format: Format, number: usize) -> Result<Vec<u8>, Failure> {
    let mut out = Collector::with(Pictures::one(number));
    extract(bytes, format, &mut out)?;
    out.pictures.into_dots().ok_or(Failure::Damaged)
}

/// Calls on every picture, those in tables, lists and boxes included.
fn each_picture(elements: &[Element], visit: &mut dyn FnMut(&Image)) {
    for element in elements {
        match element {
            Element::Image(image) => visit(image),
            Element::Table(table) => {
                for cell in table.rows.iter().flat_map(|row| &row.cells) {
                    each_picture(&cell.content, visit);
                }
            }
            Element::List(list) => each_picture_of_list(list, visit),
            Element::TextBox(text_box) => each_picture(&text_box.content, visit),
            Element::Footnote(note) | Element::Endnote(note) => each_picture(&note.content, visit),
            _ => {}
        }
    }
}

fn each_picture_of_list(list: &List, visit: &mut dyn FnMut(&Image)) {
    for item in &list.items {
        each_picture(&item.content, visit);
        if let Some(nested) = &item.nested {
            each_picture_of_list(nested, visit);
        }
    }
}

/// The dots of a picture that says something.
fn dots(image: &Image) -> Option<&[u8]> {
    image.data.as_deref().filter(|_| !image.decorative)
}

/// Whether the reader has nothing to complain of.
fn is_whole(about: &Metadata) -> bool {
    !about.text_truncated && about.warnings.is_empty()
}

/// The limits of the zip guard again, held against what is really unpacked.
fn options() -> ParseOptions {
    let mut options = ParseOptions::default();
    options.limits.package_entries = zip_guard::MOST_ENTRIES;
    options.limits.package_bytes = zip_guard::MOST_BYTES;
    options.limits.part_bytes = zip_guard::MOST_BYTES;
    options.limits.inflate_ratio = zip_guard::HIGHEST_RATIO;
    // Padding is not kept, and pictures beyond this are not read.
    options.limits.memory_bytes = 128 * 1024 * 1024;
    options
}

/// The names of a compound file's entries are UTF-16 wherever they stand.
fn has_entry(bytes: &[u8], name: &str) -> bool {
    let name: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
    bytes.windows(name.len()).any(|window| window == name)
}

/// Whether the system had no more memory to give: the reader passes that on instead of ending.
fn ran_out_of_memory(error: &OfficeError) -> bool {
    let mut next: Option<&dyn std::error::Error> = Some(error);
    while let Some(error) = next {
        let kind = error
            .downcast_ref::<std::io::Error>()
            .map(std::io::Error::kind);
        if kind == Some(std::io::ErrorKind::OutOfMemory) {
            return true;
        }
        next = error.source();
    }
    // Some readers keep the words alone.
    error.to_string().contains("memory")
}

fn why(error: OfficeError) -> Failure {
    if ran_out_of_memory(&error) {
        return Failure::OutOfMemory;
    }
    let package = match error {
        OfficeError::Doc(DocError::Encrypted)
        | OfficeError::Xls(XlsError::Encrypted | XlsError::EncryptionNotSupported(_))
        | OfficeError::Ppt(PptError::Encrypted) => return Failure::Encrypted,
        OfficeError::Panic(reason) => {
            eprintln!("the reader panicked: {reason}");
            return Failure::Crashed;
        }
        OfficeError::Core(error)
        | OfficeError::Docx(DocxError::Core(error))
        | OfficeError::Xlsx(XlsxError::Core(error))
        | OfficeError::Pptx(PptxError::Core(error)) => error,
        error => {
            eprintln!("not readable: {error}");
            return Failure::Damaged;
        }
    };
    eprintln!("not readable: {package}");
    match package {
        PackageError::DecompressionLimit { .. } | PackageError::PackageLimit(_) => {
            Failure::TooLarge
        }
        _ => Failure::Damaged,
    }
}

/// Fills in what the file says of itself.
fn describe(
    info: &mut DocumentInfo,
    title: Option<&str>,
    author: Option<&str>,
    dates: [Option<&str>; 2],
) {
    info.title = title.and_then(|title| crate::text::one_line(title, 300));
    info.author = author.and_then(|author| crate::text::one_line(author, 200));
    info.date = dates.into_iter().flatten().find_map(crate::text::day);
}
