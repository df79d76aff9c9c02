//! Text on pictures, read in children of the real program.

use super::samples::{docx_around, png_header, pptx_around, ticket};
use super::{PROGRAM, children, is_installed, settings, stream};
use quipu_core::extraction::Failure;
use quipu_core::format::Format;
use quipu_core::ports::Extractor;
use quipu_extract::{ChildExtractor, ExtractSettings};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

async fn recognise(settings: ExtractSettings, picture: Vec<u8>) -> Result<String, Failure> {
    let extractor = ChildExtractor::new(PathBuf::from(PROGRAM), settings);
    extractor.recognise(stream(picture)).await.unwrap()
}

/// A ticket as a telephone would send it. `None` where the programs are not installed.
fn photograph(lines: &[&str]) -> Option<Vec<u8>> {
    if !(is_installed("tesseract") && is_installed("pdftoppm")) {
        println!("SKIPPED: tesseract or poppler is not installed");
        return None;
    }
    let mut painter = Command::new("pdftoppm")
        .args(["-q", "-jpeg", "-scale-to", "1200", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    painter
        .stdin
        .take()
        .unwrap()
        .write_all(&ticket(lines))
        .unwrap();
    let output = painter.wait_with_output().unwrap();
    assert!(output.status.success());
    Some(output.stdout)
}

#[tokio::test]
async fn the_folio_and_the_total_of_a_ticket_are_read() {
    let Some(picture) = photograph(&[
        "FARMACIA SAN JOSE",
        "Folio: A-004512",
        "2 Paracetamol 500 mg      $84.00",
        "1 Jarabe para la tos     $132.50",
        "TOTAL                    $216.50",
    ]) else {
        return;
    };
    let folder = TempDir::new().unwrap();
    let text = recognise(settings(folder.path(), 4005), picture).await;
    let text = text.unwrap();
    let lines: Vec<_> = text.lines().collect();
    for line in ["Folio: A-004512", "TOTAL $216.50"] {
        assert!(lines.contains(&line), "{line}: {text}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    assert!(children("--cpu-seconds=4005").is_empty());
}

#[tokio::test]
async fn a_picture_that_cannot_be_read_says_why() {
    let folder = TempDir::new().unwrap();
    let base = settings(folder.path(), 4006);
    let large = vec![0xFF; usize::try_from(Format::LARGEST).unwrap() + 1];
    for (picture, failure) in [
        (Vec::new(), Failure::Empty),
        (b"/etc/passwd\n".to_vec(), Failure::Unsupported),
        (vec![0xA7; 5000], Failure::Unsupported),
        (png_header(100_000, 100_000), Failure::TooLarge),
        (large, Failure::TooLarge),
    ] {
        assert_eq!(recognise(base.clone(), picture).await, Err(failure));
    }
    let Some(blank) = photograph(&[]) else {
        return;
    };
    let result = recognise(base.clone(), blank).await;
    assert_eq!(result, Err(Failure::NoText));
    let result = recognise(base.clone(), png_header(700, 300)).await;
    assert_eq!(result, Err(Failure::Damaged));
    let mut cut = photograph(&["Folio: A-004512"]).unwrap();
    cut.truncate(cut.len() / 2);
    let result = recognise(base, cut).await;
    assert_eq!(result, Err(Failure::Damaged));
}

#[tokio::test]
async fn a_picture_is_given_up_at_the_limits_of_a_file() {
    let Some(picture) = photograph(&["Folio: A-004512"]) else {
        return;
    };
    let folder = TempDir::new().unwrap();
    let base = settings(folder.path(), 4007);
    let short = ExtractSettings {
        wall: Duration::from_millis(20),
        ..base.clone()
    };
    let result = recognise(short, picture.clone()).await;
    assert_eq!(result, Err(Failure::TimedOut));
    let quiet = ExtractSettings {
        output_bytes: 10,
        ..base
    };
    let result = recognise(quiet, picture).await;
    assert_eq!(result, Err(Failure::TooLong));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    assert!(children("--cpu-seconds=4007").is_empty());
}

#[tokio::test]
async fn a_scan_inside_a_word_file_is_read_where_it_stands() {
    let Some(scan) = photograph(&[
        "REGLAMENTO DE LA PISCINA",
        "El aforo es de treinta personas.",
        "Los menores entran con un adulto.",
    ]) else {
        return;
    };
    let folder = TempDir::new().unwrap();
    let extractor = ChildExtractor::new(PathBuf::from(PROGRAM), settings(folder.path(), 4017));
    let read = async |file: Vec<u8>| {
        let read = extractor.extract(stream(file), Format::Docx, &|_| {}).await;
        read.unwrap().map(|extracted| extracted.text())
    };
    let text = read(docx_around("Lo primero.", &scan, "Lo último."))
        .await
        .unwrap();
    let places: Vec<_> = ["Lo primero.", "treinta personas", "Lo último."]
        .map(|part| text.find(part))
        .into_iter()
        .collect();
    assert!(
        places.iter().all(Option::is_some) && places.is_sorted(),
        "{text}"
    );
    let alone = read(docx_around("", &scan, "")).await.unwrap();
    assert!(
        alone.contains("El aforo es de treinta personas."),
        "{alone}"
    );
    // A picture that nobody can read costs its own text and nothing else.
    let broken = docx_around("Lo primero.", &scan[..scan.len() / 2], "Lo último.");
    let text = read(broken).await.unwrap();
    assert!(
        text.starts_with("Lo primero.") && text.ends_with("Lo último."),
        "{text}"
    );
    let without = ExtractSettings {
        ocr_max_pages: 0,
        ..settings(folder.path(), 4019)
    };
    let extractor = ChildExtractor::new(PathBuf::from(PROGRAM), without);
    let file = docx_around("Lo primero.", &scan, "Lo último.");
    let read = extractor.extract(stream(file), Format::Docx, &|_| {}).await;
    assert_eq!(read.unwrap().unwrap().text(), "Lo primero.\n\nLo último.");
}

#[tokio::test]
async fn a_scan_inside_a_presentation_is_read_on_its_slide() {
    let Some(scan) = photograph(&[
        "REGLAMENTO DE LA PISCINA",
        "El aforo es de treinta personas.",
    ]) else {
        return;
    };
    let folder = TempDir::new().unwrap();
    let extractor = ChildExtractor::new(PathBuf::from(PROGRAM), settings(folder.path(), 4021));
    let file = pptx_around("Normas del club", &scan);
    let read = extractor.extract(stream(file), Format::Pptx, &|_| {}).await;
    let text = read.unwrap().unwrap().text();
    let places = ["Normas del club", "treinta personas"].map(|part| text.find(part));
    assert!(
        places.iter().all(Option::is_some) && places.is_sorted(),
        "{text}"
    );
}
