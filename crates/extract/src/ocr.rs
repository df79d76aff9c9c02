//! Text recognition of one page: `pdftoppm` paints it and `tesseract` reads the painting.

use crate::tool::{self, Problem, Tool};
use quipu_core::extraction::{Failure, Segment};
use std::num::NonZeroU32;
use std::process::Stdio;

/// The longer side of the painting in dots. A page of A4 has 300 to the inch then; a page that
/// says it is a mile long has no more dots than that.
const LONGER_SIDE: &str = "3508";
const DOTS_PER_INCH: &str = "300";
const LANGUAGES: &str = "spa+eng";

/// Reads the picture of a page of the PDF on standard input.
///
/// # Errors
/// `OcrUnavailable` when the programs or their languages are not installed; otherwise why the
/// page cannot be painted or read.
pub(crate) fn recognise_page(page: NonZeroU32) -> Result<Option<Segment>, Failure> {
    let number = page.to_string();
    let mut paint = Tool::new("pdftoppm");
    paint
        .args(["-q", "-gray", "-scale-to", LONGER_SIDE])
        .args(["-f", &number, "-l", &number, "-"])
        .stdin(Stdio::inherit())
        .silent();
    let mut canvas = paint.spawn().map_err(unavailable)?;
    let picture = canvas.stdout.take().ok_or(Failure::Crashed)?;
    let mut reader = Tool::new("tesseract");
    reader
        .args(["stdin", "stdout", "--dpi", DOTS_PER_INCH, "-l", LANGUAGES])
        .stdin(picture);
    let read = reader.spawn();
    // Before the painter is waited for: it stops only when its reader does.
    let output = read.and_then(tool::collect);
    let painted = tool::collect(canvas);
    let output = output.map_err(unavailable)?;
    let painted = painted.map_err(unavailable)?;
    if !painted.succeeded {
        eprintln!("the page could not be painted");
        return Err(Failure::Damaged);
    }
    if !output.succeeded {
        eprintln!("not recognised: {}", output.complaint);
        let without_languages = output.complaint.contains("load any languages");
        return Err(if without_languages {
            Failure::OcrUnavailable
        } else {
            Failure::Damaged
        });
    }
    let text = String::from_utf8_lossy(&output.bytes);
    let text = crate::pdf::tidy_page(&text);
    Ok((!text.is_empty()).then(|| Segment {
        text,
        page: Some(page.get()),
        ..Segment::default()
    }))
}

fn unavailable(problem: Problem) -> Failure {
    match problem {
        Problem::Missing => Failure::OcrUnavailable,
        Problem::Failed(failure) => failure,
    }
}
