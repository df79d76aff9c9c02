//! Text recognition: `tesseract` reads a picture, which `pdftoppm` paints where it is a page.

use crate::picture;
use crate::tool::{self, Output, Problem, Tool};
use quipu_core::extraction::{Failure, Segment};
use std::num::NonZeroU32;
use std::process::Stdio;

/// The longer side of the painting in dots. A page of A4 has 300 to the inch then; a page that
/// says it is a mile long has no more dots than that.
const LONGER_SIDE: &str = "3508";
const DOTS_PER_INCH: &str = "300";
const LANGUAGES: &str = "spa+eng";

/// One block of lines from edge to edge. With a layout of its own making the program takes the
/// prices of a ticket for another column, and nobody knows any more what cost how much.
const TICKET_LAYOUT: &str = "6";
/// A picture says of itself how it was saved, not how large the paper was. The same for all, so
/// that the same dots are always read the same.
const TICKET_DOTS_PER_INCH: &str = "150";

/// A picture with fewer words than this, or with fewer than a quarter of what was read, has none. A
/// price or a time is no word, but never stands alone.
const FEWEST_WORDS: usize = 2;
const SHORTEST_WORD: usize = 3;

/// What the libraries under `tesseract` say when there is no more memory. What they do next is to
/// crash or to call the picture broken.
const OUT_OF_MEMORY_WORDS: [&str; 3] = ["malloc fail", "calloc fail", "bad_alloc"];

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
    let mut reader = reader(DOTS_PER_INCH);
    let read = reader.stdin(picture).spawn();
    // Before the painter is waited for: it stops only when its reader does.
    let output = read.and_then(tool::collect);
    let painted = tool::collect(canvas);
    let output = output.map_err(unavailable)?;
    let painted = painted.map_err(unavailable)?;
    if !painted.succeeded {
        eprintln!("the page could not be painted");
        return Err(Failure::Damaged);
    }
    let text = text(&output)?;
    Ok((!text.is_empty()).then(|| Segment {
        text,
        page: Some(page.get()),
        ..Segment::default()
    }))
}

/// Reads a PNG, JPEG or WEBP, such as the photograph of a ticket.
///
/// # Errors
/// `OcrUnavailable` when the program or its languages are not installed, `NoText` when there is
/// nothing to read; otherwise what is wrong with the picture.
pub(crate) fn recognise_picture(picture: &[u8]) -> Result<Segment, Failure> {
    picture::check(picture)?;
    let mut reader = reader(TICKET_DOTS_PER_INCH);
    let output = reader.args(["--psm", TICKET_LAYOUT]).run(picture);
    let text = text(&output.map_err(unavailable)?)?;
    // Folds and shadows are read as dashes and dots.
    if !text.contains(char::is_alphanumeric) {
        return Err(Failure::NoText);
    }
    Ok(Segment {
        text,
        ..Segment::default()
    })
}

/// Reads a picture that stands inside a document, as a page would be. `None` when it has no words: it
/// is a photograph, or a drawing.
///
/// # Errors
/// `OcrUnavailable` when the program or its languages are not installed; otherwise what is wrong
/// with the picture.
pub(crate) fn recognise_embedded(picture: &[u8]) -> Result<Option<Segment>, Failure> {
    picture::check(picture)?;
    let output = reader(DOTS_PER_INCH).run(picture);
    let text = text(&output.map_err(unavailable)?)?;
    Ok(has_words(&text).then(|| Segment {
        text,
        ..Segment::default()
    }))
}

/// Whether this was written by somebody. Leaves and folds are read as single letters and signs.
fn has_words(text: &str) -> bool {
    let is_word = |word: &&str| {
        let letters = word.chars().filter(|c| c.is_alphabetic()).count();
        letters >= SHORTEST_WORD && 2 * letters > word.chars().count()
    };
    let words = text.split_whitespace().filter(is_word).count();
    words >= FEWEST_WORDS && 4 * words >= text.split_whitespace().count()
}

fn reader(dots_per_inch: &str) -> Tool {
    let mut reader = Tool::new("tesseract");
    reader.args(["stdin", "stdout", "--dpi", dots_per_inch, "-l", LANGUAGES]);
    reader
}

fn text(output: &Output) -> Result<String, Failure> {
    if output.succeeded {
        let text = String::from_utf8_lossy(&output.bytes);
        return Ok(crate::pdf::tidy_page(&text));
    }
    let complaint = &output.complaint;
    eprintln!("not recognised: {complaint}");
    Err(if complaint.contains("load any languages") {
        Failure::OcrUnavailable
    } else if OUT_OF_MEMORY_WORDS.iter().any(|w| complaint.contains(w)) {
        Failure::OutOfMemory
    } else {
        Failure::Damaged
    })
}

fn unavailable(problem: Problem) -> Failure {
    match problem {
        Problem::Missing => Failure::OcrUnavailable,
        Problem::Failed(failure) => failure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{lossless_webp, pdf_lines, png_header};

    const TICKET: [&str; 9] = [
        "FARMACIA SAN JOSE S.A. DE C.V.",
        "Folio: A-004512",
        "Fecha: 14/03/2026 18:42",
        "2 Paracetamol 500 mg      $84.00",
        "1 Jarabe para la tos     $132.50",
        "SUBTOTAL                 $216.50",
        "IVA 16%                   $34.64",
        "TOTAL                    $251.14",
        "GRACIAS POR SU COMPRA",
    ];

    /// The lines on paper, painted by poppler. `None` where the programs are not installed.
    fn painted(lines: &[&str], longer_side: &str, kind: &[&str]) -> Option<Vec<u8>> {
        let mut paint = Tool::new("pdftoppm");
        paint.args(kind).args(["-q", "-scale-to", longer_side, "-"]);
        let painted = match paint.run(&pdf_lines(lines)) {
            Ok(output) if Tool::new("tesseract").run(b"").is_ok() => output,
            Ok(_) | Err(Problem::Missing) => {
                println!("SKIPPED: tesseract or poppler is not installed");
                return None;
            }
            Err(problem) => panic!("{problem:?}"),
        };
        assert!(painted.succeeded, "{}", painted.complaint);
        Some(painted.bytes)
    }

    #[track_caller]
    fn reads_as_the_ticket(picture: &[u8]) {
        let text = recognise_picture(picture).unwrap().text;
        let lines: Vec<_> = text.lines().map(str::trim).collect();
        for line in ["Folio: A-004512", "TOTAL $251.14"] {
            assert!(lines.contains(&line), "{line}: {text}");
        }
    }

    #[test]
    fn the_folio_and_the_total_of_a_ticket_are_read_from_pictures_of_all_sizes() {
        for side in ["400", "1200", "3000"] {
            let Some(png) = painted(&TICKET, side, &["-png", "-gray"]) else {
                return;
            };
            reads_as_the_ticket(&png);
        }
    }

    #[test]
    fn every_kind_of_picture_is_read() {
        let Some(jpeg) = painted(&TICKET, "1200", &["-jpeg", "-jpegopt", "quality=50"]) else {
            return;
        };
        reads_as_the_ticket(&jpeg);
        let dots = painted(&TICKET, "1200", &["-gray"]).unwrap();
        let mut words = dots.splitn(4, u8::is_ascii_whitespace);
        assert_eq!(words.next(), Some(&b"P5"[..]));
        let width = String::from_utf8(words.next().unwrap().to_vec()).unwrap();
        let width: usize = width.parse().unwrap();
        let rest = words.nth(1).unwrap();
        let dots = rest.strip_prefix(b"255\n").unwrap();
        let light: Vec<_> = dots.iter().map(|dot| *dot > 127).collect();
        reads_as_the_ticket(&lossless_webp(width, &light));
    }

    #[test]
    fn a_picture_without_words_has_no_text_and_a_cut_one_is_damaged() {
        let Some(blank) = painted(&[], "600", &["-png"]) else {
            return;
        };
        assert_eq!(recognise_picture(&blank), Err(Failure::NoText));
        for kind in ["-png", "-jpeg"] {
            let picture = painted(&TICKET, "600", &[kind]).unwrap();
            let cut = &picture[..picture.len() / 2];
            assert_eq!(recognise_picture(cut), Err(Failure::Damaged), "{kind}");
        }
        let header = png_header(700, 300);
        assert_eq!(recognise_picture(&header), Err(Failure::Damaged));
    }

    #[test]
    fn words_are_told_from_what_leaves_and_folds_are_read_as() {
        assert!(has_words("Horario de visita: 9:00 a 13:00"));
        for noise in [
            "",
            "| ~ a .. fi",
            "a b c d e f",
            "5 % ) wn Aa el",
            "120 130 140",
        ] {
            assert!(!has_words(noise), "{noise}");
        }
    }

    #[test]
    fn a_scan_inside_a_document_is_read_as_a_page() {
        let lines = [
            "Reglamento de la piscina",
            "El aforo es de treinta personas.",
        ];
        let Some(png) = painted(&lines, "1400", &["-png", "-gray"]) else {
            return;
        };
        let text = recognise_embedded(&png).unwrap().unwrap().text;
        assert!(text.contains("El aforo es de treinta personas."), "{text}");
        let blank = painted(&[], "600", &["-png"]).unwrap();
        assert_eq!(recognise_embedded(&blank), Ok(None));
    }

    #[test]
    fn no_program_is_started_for_what_is_no_picture_or_too_large() {
        assert_eq!(recognise_picture(b""), Err(Failure::Empty));
        let list = recognise_picture(b"/etc/passwd\n");
        assert_eq!(list, Err(Failure::Unsupported));
        let claim = recognise_picture(&png_header(100_000, 100_000));
        assert_eq!(claim, Err(Failure::TooLarge));
    }

    #[test]
    fn a_complaint_says_whose_fault_it_is() {
        for (complaint, failure) in [
            (
                "Tesseract couldn't load any languages!",
                Failure::OcrUnavailable,
            ),
            (
                "Error in pixCreateNoInit: pixdata_malloc fail for data",
                Failure::OutOfMemory,
            ),
            ("libpng error: IDAT: CRC error", Failure::Damaged),
        ] {
            let output = Output {
                bytes: Vec::new(),
                complaint: complaint.to_owned(),
                succeeded: false,
            };
            assert_eq!(text(&output), Err(failure), "{complaint}");
        }
    }
}
