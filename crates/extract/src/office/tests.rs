use crate::extract;
use crate::fixtures::{SheetSource, archive, docx, paragraph, pptx, word_table, xlsx};
use proptest::prelude::*;
use quipu_core::extraction::{Extracted, Failure, Segment, SegmentKind};
use quipu_core::format::Format;
use std::io::{Cursor, Write};
use std::sync::LazyLock;

fn read(bytes: &[u8], format: Format) -> Extracted {
    extract(bytes, format).unwrap()
}

fn headings(segment: &Segment) -> String {
    segment.headings.join(">")
}

#[test]
fn word_text_stands_under_its_headings_and_notes_come_last() {
    let body = [
        paragraph(Some(1), "Tarifas"),
        paragraph(None, "Vigentes en 2025."),
        paragraph(Some(2), "Clínica"),
        word_table(&[
            &["Servicio", "Precio"],
            &["Limpieza", "45 €"],
            &["Empaste", "60 €"],
        ]),
        paragraph(Some(1), "Horario"),
        paragraph(None, "De lunes a viernes."),
    ];
    let extracted = read(&docx(&body.concat(), "Salvo festivos."), Format::Docx);
    let found: Vec<_> = extracted
        .segments
        .iter()
        .map(|s| (headings(s), s.text.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            ("Tarifas".to_owned(), "Tarifas\n\nVigentes en 2025."),
            (
                "Tarifas>Clínica".to_owned(),
                "Clínica\n\nServicio: Limpieza | Precio: 45 €\nServicio: Empaste | Precio: 60 €"
            ),
            ("Horario".to_owned(), "Horario\n\nDe lunes a viernes."),
            (String::new(), "Salvo festivos."),
        ]
    );
    let info = extracted.info;
    assert_eq!(info.title.as_deref(), Some("Lista de precios"));
    assert_eq!(info.author.as_deref(), Some("Ana Ñúñez"));
    assert_eq!(info.date.as_deref(), Some("2025-12-05"));
}

#[test]
fn a_cell_over_several_rows_stands_in_each_of_them() {
    let table = word_table(&[
        &["Sede", "Día", "Hora"],
        &["Lima", "Lunes", "9"],
        &["^", "Martes", "10"],
        &["Cusco", "Lunes", "11"],
    ]);
    let extracted = read(&docx(&table, ""), Format::Docx);
    assert_eq!(
        extracted.segments[0].text,
        "Sede: Lima | Día: Lunes | Hora: 9\n\
         Sede: Lima | Día: Martes | Hora: 10\n\
         Sede: Cusco | Día: Lunes | Hora: 11"
    );
}

#[test]
fn a_workbook_is_a_unit_per_sheet_and_hides_what_is_hidden() {
    let precios: &[&[&str]] = &[&["Producto", "Precio"], &["Pan", "1.5"], &["", "2"]];
    let secreto: &[&[&str]] = &[&["Margen", "40"]];
    let horas: &[&[&str]] = &[&["Abierto de 9 a 14"]];
    let extracted = read(
        &xlsx(&[
            SheetSource("Precios", false, precios),
            SheetSource("Costes", true, secreto),
            SheetSource("Horas", false, horas),
        ]),
        Format::Xlsx,
    );
    let found: Vec<_> = extracted
        .segments
        .iter()
        .map(|s| (s.page, headings(s), s.kind, s.text.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            (
                Some(1),
                "Precios".to_owned(),
                SegmentKind::Unit,
                "Producto: Pan | Precio: 1.5\nPrecio: 2"
            ),
            (
                Some(3),
                "Horas".to_owned(),
                SegmentKind::Unit,
                "Abierto de 9 a 14"
            ),
        ]
    );
    assert_eq!(extracted.info.pages, Some(3));
}

#[test]
fn a_presentation_is_a_unit_per_slide_with_its_notes() {
    let bytes = pptx(&[
        ("Bienvenida", "Somos la veterinaria", "Saludar primero"),
        ("Precios", "Vacuna a 30 €", ""),
    ]);
    let extracted = read(&bytes, Format::Pptx);
    let found: Vec<_> = extracted
        .segments
        .iter()
        .map(|s| (s.page, headings(s), s.text.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            (
                Some(1),
                "Bienvenida".to_owned(),
                "Bienvenida\n\nSomos la veterinaria\n\nSaludar primero"
            ),
            (Some(2), "Precios".to_owned(), "Precios\n\nVacuna a 30 €"),
        ]
    );
    assert!(
        extracted
            .segments
            .iter()
            .all(|s| s.kind == SegmentKind::Unit)
    );
}

/// A compound file with these streams.
fn compound(streams: &[(&str, &[u8])]) -> Vec<u8> {
    let mut file = cfb::CompoundFile::create(Cursor::new(Vec::new())).unwrap();
    for (name, content) in streams {
        file.create_stream(name)
            .unwrap()
            .write_all(content)
            .unwrap();
    }
    file.into_inner().into_inner()
}

fn record(kind: u16, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len()).unwrap();
    [&kind.to_le_bytes(), &length.to_le_bytes(), content].concat()
}

/// A workbook of the older kind with one sheet of text cells.
fn xls(rows: &[&[&str]]) -> Vec<u8> {
    let text = |text: &str, length_bytes: usize| {
        let letters: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let length = u16::try_from(letters.len() / 2).unwrap().to_le_bytes();
        [&length[..length_bytes], &[1], &letters].concat()
    };
    let begin = |kind: u16| {
        let fields = [0x0600, kind, 0x0DBB, 0x07CC, 0, 0, 0, 0];
        record(
            0x0809,
            &fields
                .iter()
                .flat_map(|f: &u16| f.to_le_bytes())
                .collect::<Vec<_>>(),
        )
    };
    let end = record(0x000A, &[]);
    let globals = begin(0x0005);
    let name = text("Hoja", 1);
    let sheet_at = u32::try_from(globals.len() + 4 + 6 + name.len() + end.len()).unwrap();
    let mut stream = globals;
    stream.extend(record(
        0x0085,
        &[&sheet_at.to_le_bytes()[..], &[0, 0], &name].concat(),
    ));
    stream.extend(&end);
    stream.extend(begin(0x0010));
    for (row, cells) in (0_u16..).zip(rows) {
        for (column, cell) in (0_u16..).zip(*cells) {
            let place = [row, column, 0].map(u16::to_le_bytes).concat();
            stream.extend(record(0x0204, &[place, text(cell, 2)].concat()));
        }
    }
    stream.extend(&end);
    // A short stream is kept elsewhere in the file, and programs avoid that.
    stream.resize(stream.len().max(4096), 0);
    compound(&[("Workbook", &stream)])
}

#[test]
fn the_older_workbook_is_read_alike() {
    let extracted = read(
        &xls(&[&["Producto", "Precio"], &["Café", "2 €"]]),
        Format::Xls,
    );
    assert_eq!(extracted.segments[0].text, "Producto: Café | Precio: 2 €");
    assert_eq!(extracted.segments[0].headings, ["Hoja"]);
}

#[test]
fn a_password_has_its_own_answer() {
    let locked = compound(&[
        ("EncryptedPackage", &[7; 5000]),
        ("EncryptionInfo", &[4; 300]),
    ]);
    for format in [
        Format::Docx,
        Format::Xlsx,
        Format::Pptx,
        Format::Doc,
        Format::Xls,
        Format::Ppt,
    ] {
        assert_eq!(
            extract(&locked, format),
            Err(Failure::Encrypted),
            "{format:?}"
        );
    }
}

#[test]
fn damage_has_its_own_answer() {
    let whole = docx(&paragraph(None, "hola"), "");
    assert_eq!(
        extract(&whole[..whole.len() / 2], Format::Docx),
        Err(Failure::Damaged)
    );
    assert_eq!(
        extract(
            &archive(&[("word/document.xml", "<w:document")]),
            Format::Docx
        ),
        Err(Failure::Damaged)
    );
    let empty = compound(&[("Otro", b"nada")]);
    for format in [Format::Doc, Format::Xls, Format::Ppt] {
        assert_eq!(extract(&empty, format), Err(Failure::Damaged), "{format:?}");
        assert_eq!(
            extract(b"no es nada", format),
            Err(Failure::Damaged),
            "{format:?}"
        );
    }
}

#[test]
fn no_text_is_never_a_success() {
    assert_eq!(
        extract(&docx(&paragraph(None, " "), ""), Format::Docx),
        Err(Failure::NoText)
    );
    let blank = xlsx(&[SheetSource("Hoja", false, &[])]);
    assert_eq!(extract(&blank, Format::Xlsx), Err(Failure::NoText));
}

#[test]
fn an_archive_that_swells_is_refused() {
    let bomb = docx(&paragraph(None, &"A".repeat(80 * 1024 * 1024)), "");
    assert!(bomb.len() < 200_000);
    assert_eq!(extract(&bomb, Format::Docx), Err(Failure::TooLarge));
}

#[test]
fn a_table_in_a_table_in_a_table_ends() {
    let depth = 3000;
    let body = format!(
        "{}{}{}",
        "<w:tbl><w:tr><w:tc>".repeat(depth),
        paragraph(None, "hondo"),
        "</w:tc></w:tr></w:tbl>".repeat(depth)
    );
    let result = std::thread::Builder::new()
        .stack_size(64 * 1024 * 1024)
        .spawn(move || extract(&docx(&body, ""), Format::Docx))
        .unwrap()
        .join();
    assert!(result.is_ok());
}

static SAMPLES: LazyLock<Vec<(Format, Vec<u8>)>> = LazyLock::new(|| {
    let rows: &[&[&str]] = &[&["Producto", "Precio"], &["Pan", "1.5"]];
    vec![
        (Format::Docx, docx(&word_table(rows), "nota")),
        (Format::Xlsx, xlsx(&[SheetSource("H", false, rows)])),
        (Format::Pptx, pptx(&[("T", "x", "y")])),
        (Format::Xls, xls(rows)),
    ]
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_changed_file_never_panics_here(
        which in 0..4_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
    ) {
        let (format, bytes) = &SAMPLES[which];
        let mut bytes = bytes.clone();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let _ = extract(&bytes, *format);
    }
}
