//! Reading files in children of the real program, and files that were made to break them.

mod pictures;
pub(crate) mod samples;

use futures::StreamExt;
use quipu_core::extraction::{Extracted, Failure};
use quipu_core::format::Format;
use quipu_core::ports::{ByteStream, Extractor};
use quipu_extract::{ChildExtractor, ExtractSettings};
use samples::{
    docx, drawn_words, laborious_pdf, long_pdf, nested_array, page_loop, swelling_docx, text_pdf,
};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Words that can be drawn.
const WORDS: [&str; 3] = ["MENTA", "LIMA", "FINAL"];
const PROGRAM: &str = env!("CARGO_BIN_EXE_quipu");

/// `quipu extract` on a file with this content.
fn extract(name: &str, bytes: &[u8], arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join(name);
    std::fs::write(&file, bytes).unwrap();
    Command::new(PROGRAM)
        .arg("extract")
        .arg(&file)
        .args(arguments)
        .env("LANG", "C")
        .env_remove("LC_ALL")
        .env_remove("LC_MESSAGES")
        .envs(environment.iter().copied())
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
fn refused(output: &Output, failure: Failure) {
    let errors = said(output);
    assert_eq!(
        output.status.code(),
        Some(i32::from(failure.exit_code())),
        "{errors}"
    );
    assert!(errors.starts_with(failure.code()), "{errors}");
    assert!(output.stdout.is_empty());
}

#[test]
fn a_file_is_printed_as_text_and_as_segments() {
    let bytes = docx("<w:p><w:r><w:t>Abrimos a las nueve.</w:t></w:r></w:p>");
    let text = extract("horario.docx", &bytes, &[], &[]);
    assert!(text.status.success(), "{}", said(&text));
    assert_eq!(text.stdout, b"Abrimos a las nueve.\n");

    let json = extract(
        "sin nombre",
        &text_pdf(&["Hola", "Adios"]),
        &["--json"],
        &[],
    );
    let value: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(value["format"], "pdf");
    assert_eq!(value["info"]["pages"], 2);
    assert_eq!(value["segments"][1]["page"], 2);
    assert_eq!(value["segments"][1]["text"], "Adios");
}

#[test]
fn a_refused_file_says_why_in_the_language_of_its_reader() {
    refused(
        &extract("a.bin", b"\x7fELF\x02\x01\x01\0\0", &[], &[]),
        Failure::Unsupported,
    );
    refused(&extract("a.txt", b"", &[], &[]), Failure::Empty);
    refused(
        &extract("a.pdf", b"%PDF-1.7\nnada", &[], &[]),
        Failure::Damaged,
    );
    let bomb = docx(&"A".repeat(80 * 1024 * 1024));
    refused(&extract("a.docx", &bomb, &[], &[]), Failure::TooLarge);
    let spanish = extract("a.txt", b" ", &[], &[("LANG", "es_PE.UTF-8")]);
    refused(&spanish, Failure::NoText);
    assert!(
        said(&spanish).contains("ningún texto"),
        "{}",
        said(&spanish)
    );
    let missing = Command::new(PROGRAM)
        .args(["extract", "no-existe.pdf"])
        .output();
    assert_eq!(missing.unwrap().status.code(), Some(1));
}

#[test]
fn files_made_to_break_readers_end_in_time_with_an_answer() {
    let began = Instant::now();
    refused(
        &extract("circulo.pdf", &page_loop(), &[], &[]),
        Failure::Damaged,
    );
    // Without a second reader the crash of the first one is the answer.
    let alone = extract(
        "hondo.pdf",
        &nested_array(500_000),
        &[],
        &[("PATH", "/nowhere")],
    );
    refused(&alone, Failure::Crashed);
    if is_installed("pdftotext") {
        let helped = extract("hondo.pdf", &nested_array(500_000), &[], &[]);
        assert!(helped.status.success(), "{}", said(&helped));
        assert!(String::from_utf8_lossy(&helped.stdout).contains("Pagina con texto"));
    } else {
        println!("SKIPPED: poppler is not installed");
    }
    assert!(began.elapsed() < Duration::from_secs(50));
}

/// Settings in which `mark` tells the children of one test from those of the others.
fn settings(folder: &Path, mark: u64) -> ExtractSettings {
    ExtractSettings {
        cpu: Duration::from_secs(mark),
        temp_dir: folder.to_owned(),
        ..ExtractSettings::default()
    }
}

fn stream(bytes: Vec<u8>) -> ByteStream {
    futures::stream::iter([Ok(bytes.into())]).boxed()
}

async fn read(
    settings: ExtractSettings,
    bytes: Vec<u8>,
    format: Format,
) -> Result<Extracted, Failure> {
    let extractor = ChildExtractor::new(PathBuf::from(PROGRAM), settings);
    extractor
        .extract(stream(bytes), format, &|_| {})
        .await
        .unwrap()
}

#[tokio::test]
async fn a_child_is_ended_at_every_limit_and_leaves_nothing() {
    let folder = TempDir::new().unwrap();
    let base = settings(folder.path(), 4001);

    let short = ExtractSettings {
        wall: Duration::from_millis(200),
        ..base.clone()
    };
    let result = read(short, long_pdf(4000), Format::Pdf).await;
    assert_eq!(result, Err(Failure::TimedOut));

    let quiet = ExtractSettings {
        output_bytes: 500,
        ..base.clone()
    };
    let result = read(quiet, long_pdf(20), Format::Pdf).await;
    assert_eq!(result, Err(Failure::TooLong));

    let small = ExtractSettings {
        memory_bytes: 400 * 1024 * 1024,
        ..base.clone()
    };
    let result = read(small, swelling_docx(40), Format::Docx).await;
    assert_eq!(result, Err(Failure::OutOfMemory));

    let busy = ExtractSettings {
        cpu: Duration::from_secs(1),
        ..base.clone()
    };
    let result = read(busy, laborious_pdf(4000), Format::Pdf).await;
    assert_eq!(result, Err(Failure::TimedOut));

    let large = vec![b'a'; usize::try_from(Format::LARGEST).unwrap() + 1];
    assert_eq!(read(base, large, Format::Txt).await, Err(Failure::TooLarge));

    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    assert!(children("--cpu-seconds=4001").is_empty());
}

#[tokio::test]
async fn a_child_ends_with_the_wish_for_its_text() {
    let folder = TempDir::new().unwrap();
    let settings = settings(folder.path(), 4002);
    let reading = read(settings, long_pdf(5000), Format::Pdf);
    let cut = tokio::time::timeout(Duration::from_millis(400), reading);
    assert!(
        cut.await.is_err(),
        "the file was read too fast to be interrupted"
    );
    until_gone("--cpu-seconds=4002");
}

#[test]
fn a_child_ends_with_its_parent() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("largo.pdf");
    std::fs::write(&file, long_pdf(5000)).unwrap();
    let mut parent = Command::new(PROGRAM)
        .arg("extract")
        .arg(&file)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mark = format!("--parent={}", parent.id());
    let began = Instant::now();
    while children(&mark).is_empty() {
        assert!(
            began.elapsed() < Duration::from_secs(10),
            "no child was started"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    parent.kill().unwrap();
    parent.wait().unwrap();
    until_gone(&mark);
}

/// The processes with this on their command line, those that are dead but not buried left out.
fn children(mark: &str) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let with_mark = processes.filter_map(|process| {
        let line = std::fs::read(process.path().join("cmdline")).ok()?;
        let has_mark = line
            .split(|byte| *byte == 0)
            .any(|part| part == mark.as_bytes());
        let number = process.file_name().to_str()?.parse().ok()?;
        has_mark.then_some(number)
    });
    with_mark.collect()
}

#[track_caller]
fn until_gone(mark: &str) {
    let began = Instant::now();
    while !children(mark).is_empty() {
        assert!(
            began.elapsed() < Duration::from_secs(5),
            "{:?}",
            children(mark)
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn is_installed(program: &str) -> bool {
    let found = Command::new(program)
        .arg("-v")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    found.is_ok()
}

#[test]
fn pages_without_text_are_recognised_and_stand_in_their_place() {
    let bytes = drawn_words(&WORDS, &["Antes", "", "Despues"]);
    // Without the programs the text that is there is still text.
    let without = extract("carta.pdf", &bytes, &[], &[("PATH", "/nowhere")]);
    assert_eq!(
        String::from_utf8_lossy(&without.stdout),
        "Antes\n\nDespues\n"
    );
    let only_drawn = drawn_words(&WORDS, &[""]);
    refused(
        &extract("carta.pdf", &only_drawn, &[], &[("PATH", "/nowhere")]),
        Failure::OcrUnavailable,
    );

    if !(is_installed("tesseract") && is_installed("pdftoppm")) {
        println!("SKIPPED: tesseract or poppler is not installed");
        return;
    }
    let output = extract("carta.pdf", &bytes, &["--json"], &[]);
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    let pages: Vec<_> = value["segments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|segment| segment["page"].as_u64().unwrap())
        .collect();
    assert_eq!(pages, [1, 2, 3]);
    let text = value["segments"][1]["text"].as_str().unwrap();
    let found = WORDS.iter().filter(|word| text.contains(**word)).count();
    assert!(found >= 2, "{text}");
}

/// The processes of a group and the names of their programs.
fn group(id: u32) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let members = processes.filter_map(|process| {
        let stat = std::fs::read_to_string(process.path().join("stat")).ok()?;
        // The name stands in brackets; after it come the state, the parent and the group.
        let (before, after) = stat.rsplit_once(')')?;
        let mut fields = after.split_whitespace();
        let is_dead = fields.next()? == "Z";
        let group: u32 = fields.nth(1)?.parse().ok()?;
        let name = before.split_once('(')?.1;
        (group == id && !is_dead).then(|| name.to_owned())
    });
    members.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_programs_a_child_started_end_with_it() {
    if !(is_installed("tesseract") && is_installed("pdftoppm")) {
        println!("SKIPPED: tesseract or poppler is not installed");
        return;
    }
    let folder = TempDir::new().unwrap();
    let settings = settings(folder.path(), 4004);
    let pages = drawn_words(&WORDS, &[""; 20]);
    let reading = tokio::spawn(read(settings, pages, Format::Pdf));
    let began = Instant::now();
    let head = loop {
        let found = children("--cpu-seconds=4004").into_iter();
        let working = found
            .into_iter()
            .find(|child| group(*child).contains(&"tesseract".to_owned()));
        if let Some(child) = working {
            break child;
        }
        assert!(
            began.elapsed() < Duration::from_secs(20),
            "no page was recognised"
        );
        tokio::time::sleep(Duration::from_millis(2)).await;
    };
    reading.abort();
    let ended = Instant::now();
    while !group(head).is_empty() {
        assert!(
            ended.elapsed() < Duration::from_secs(5),
            "{:?}",
            group(head)
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn progress_is_told_and_too_many_pictures_are_refused() {
    if !(is_installed("tesseract") && is_installed("pdftoppm")) {
        println!("SKIPPED: tesseract or poppler is not installed");
        return;
    }
    let folder = TempDir::new().unwrap();
    let limited = ExtractSettings {
        ocr_max_pages: 2,
        ..settings(folder.path(), 4003)
    };
    let extractor = ChildExtractor::new(PathBuf::from(PROGRAM), limited);
    let told = std::sync::Mutex::new(Vec::new());
    let listen = |done: f32| told.lock().unwrap().push(done);
    let two = stream(drawn_words(&WORDS, &["", ""]));
    let read = extractor.extract(two, Format::Pdf, &listen).await.unwrap();
    assert!(read.is_ok(), "{read:?}");
    let told = told.into_inner().unwrap();
    assert!(told.is_sorted(), "{told:?}");
    assert!(
        told.len() > 2 && told.last().is_some_and(|done| *done > 0.99),
        "{told:?}"
    );

    let three = stream(drawn_words(&WORDS, &["", "", ""]));
    let read = extractor
        .extract(three, Format::Pdf, &|_| {})
        .await
        .unwrap();
    assert_eq!(read, Err(Failure::TooLong));
}
