//! From the bytes of a file to its text.
//!
//! [`extract`] does the work and trusts nothing but its own limits; it runs in a child process,
//! because a file can make any parser crash, hang or swell.

mod child;
mod collect;
mod csv;
mod embedded;
#[cfg(test)]
mod fixtures;
mod flow;
mod html;
mod json;
mod limits;
mod markdown;
mod ocr;
mod office;
mod outline;
mod pdf;
mod picture;
mod process;
mod runner;
mod sandbox;
mod spool;
mod table;
#[cfg(test)]
mod testing;
mod text;
mod tool;
mod wire;
mod zip_guard;

pub use child::{ChildTask, SUBCOMMAND, Work, run as run_child};
pub use limits::ChildLimits;
pub use runner::{ChildExtractor, ExtractSettings, PAGE_WALL};

use collect::Collector;
use pdf::PdfReader;
use quipu_core::extraction::{Extracted, Failure};
use quipu_core::format::Format;
use wire::Reading;

/// Reads the text out of a whole file, in this process. A page that is a picture stays unread.
///
/// # Errors
/// Why the file has no text for us.
pub fn extract(bytes: &[u8], format: Format) -> Result<Extracted, Failure> {
    let out = Collector::default();
    let reading = read(bytes, format, PdfReader::Own, out, &mut |_| {})?;
    if reading.segments.is_empty() {
        return Err(Failure::NoText);
    }
    Ok(Extracted {
        info: reading.info,
        segments: reading.segments,
    })
}

/// Reads a file, and names the pages and pictures whose text is still to be read.
fn read(
    bytes: &[u8],
    format: Format,
    reader: PdfReader,
    mut out: Collector,
    progress: &mut dyn FnMut(f32),
) -> Result<Reading, Failure> {
    if bytes.is_empty() {
        return Err(Failure::Empty);
    }
    let mut scanned = Vec::new();
    match format {
        Format::Pdf => scanned = pdf::extract(bytes, reader, &mut out, progress)?,
        Format::Docx | Format::Doc | Format::Xlsx | Format::Xls | Format::Pptx | Format::Ppt => {
            office::extract(bytes, format, &mut out)?;
        }
        Format::Txt => text::extract(bytes, &mut out)?,
        Format::Md => markdown::extract(bytes, &mut out)?,
        Format::Html => html::extract(bytes, &mut out)?,
        Format::Csv => csv::extract(bytes, &mut out)?,
        Format::Json => json::extract(bytes, &mut out)?,
    }
    let info = out.info.clone();
    let pictures = out.pictures.take();
    let segments = match out.finish() {
        Ok(extracted) => extracted.segments,
        // The pictures may have text.
        Err(Failure::NoText) if !scanned.is_empty() || !pictures.is_empty() => Vec::new(),
        Err(failure) => return Err(failure),
    };
    Ok(Reading {
        info,
        segments,
        scanned,
        pictures,
        ..Reading::default()
    })
}
