use super::PdfReader;
use crate::collect::Collector;
use crate::fixtures::{pdf, pdf_pages};
use crate::{extract, read};
use quipu_core::extraction::Failure;
use quipu_core::format::Format;

#[test]
fn every_page_has_its_number_and_its_bookmark() {
    let bytes = pdf_pages(&[
        ("Inicio", "Hola, mundo"),
        ("Precios", "Men\\372 del d\\355a"),
        ("Fin", ""),
    ]);
    let extracted = extract(&bytes, Format::Pdf).unwrap();
    let found: Vec<_> = extracted
        .segments
        .iter()
        .map(|s| (s.page, s.headings.join(">"), s.text.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            (Some(1), "Inicio".to_owned(), "Hola, mundo"),
            (Some(2), "Precios".to_owned(), "Menú del día"),
        ]
    );
    let info = extracted.info;
    assert_eq!(info.title.as_deref(), Some("Carta"));
    assert_eq!(info.author.as_deref(), Some("Ana"));
    assert_eq!(info.date.as_deref(), Some("2025-12-05"));
    assert_eq!(info.pages, Some(3));
}

/// One page with this drawing, in which `/Im` is a picture.
fn with_picture(drawn: &str) -> Vec<u8> {
    let picture = "<</Type/XObject/Subtype/Image/Width 2/Height 2/ColorSpace/DeviceGray/BitsPerComponent 8/Length 4>>stream\n\u{1}\u{2}\u{3}\u{4}\nendstream";
    pdf(
        &[
            "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
            "<</Type/Pages/Count 1/Kids[3 0 R]>>".to_owned(),
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</XObject<</Im 5 0 R>>/Font<</F1 6 0 R>>>>>>".to_owned(),
            format!("<</Length {}>>stream\n{drawn}\nendstream", drawn.len()),
            picture.to_owned(),
            "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_owned(),
        ],
        "",
    )
}

fn scanned(bytes: &[u8]) -> Vec<u32> {
    let reading = read(
        bytes,
        Format::Pdf,
        PdfReader::Own,
        Collector::default(),
        &mut |_| {},
    )
    .unwrap();
    reading.scanned.iter().map(|s| s.page.get()).collect()
}

#[test]
fn a_page_that_is_a_picture_is_named_for_recognition() {
    let whole_page = "q 600 0 0 800 0 0 cm /Im Do Q";
    let bytes = with_picture(whole_page);
    assert_eq!(scanned(&bytes), [1]);
    assert_eq!(extract(&bytes, Format::Pdf), Err(Failure::NoText));

    let text = |text: &str| format!("BT /F1 12 Tf 50 700 Td ({text}) Tj ET");
    let stamp = text("Escaneado con MiScanner");
    assert_eq!(
        scanned(&with_picture(&format!("{whole_page} {stamp}"))),
        [1]
    );
    let logo = "q 60 0 0 80 0 0 cm /Im Do Q";
    assert_eq!(scanned(&with_picture(&format!("{logo} {stamp}"))), [0; 0]);
    let prose = text(&"Un texto largo sobre una foto. ".repeat(5));
    assert_eq!(
        scanned(&with_picture(&format!("{whole_page} {prose}"))),
        [0; 0]
    );
}

#[test]
fn a_page_of_signs_is_named_for_recognition() {
    let signs = "%&!+ ".repeat(20);
    assert_eq!(
        scanned(&pdf_pages(&[("a", "Hola, mundo"), ("b", &signs)])),
        [2]
    );
}

#[test]
fn a_blank_page_is_not_a_picture() {
    let bytes = pdf_pages(&[("Nada", "")]);
    assert_eq!(extract(&bytes, Format::Pdf), Err(Failure::NoText));
}

#[test]
fn pages_that_contain_themselves_are_damage() {
    let bytes = pdf(
        &[
            "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
            "<</Type/Pages/Count 9/Kids[2 0 R 3 0 R]>>".to_owned(),
            "<</Type/Pages/Kids[2 0 R]>>".to_owned(),
        ],
        "",
    );
    assert_eq!(extract(&bytes, Format::Pdf), Err(Failure::Damaged));
}

#[test]
fn bookmarks_that_follow_themselves_end() {
    let bytes = pdf_pages(&[("Uno", "hola"), ("Dos", "adios")]);
    let text = String::from_utf8(bytes).unwrap();
    // The second bookmark is object 10; it now comes after itself.
    let looped = text.replace(
        "/Dest[8 0 R /Fit]",
        "/Dest[8 0 R /Fit]/Next 10 0 R/First 7 0 R",
    );
    assert_ne!(looped, text);
    let extracted = extract(looped.as_bytes(), Format::Pdf).unwrap();
    assert_eq!(extracted.segments[1].headings, ["Dos"]);
}

#[test]
fn more_pages_than_anybody_reads_are_refused() {
    let page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]>>".to_owned();
    let kids: Vec<_> = (3..=5003).map(|n| format!("{n} 0 R")).collect();
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        format!("<</Type/Pages/Count 5001/Kids[{}]>>", kids.join(" ")),
    ];
    objects.extend(std::iter::repeat_n(page, 5001));
    assert_eq!(
        extract(&pdf(&objects, ""), Format::Pdf),
        Err(Failure::TooLong)
    );
}

#[test]
fn garbage_is_damage() {
    assert_eq!(
        extract(b"%PDF-1.7\n\x01\x02\x03", Format::Pdf),
        Err(Failure::Damaged)
    );
}
