//! Small files of each kind, made here so that a test shows what is in them.

use std::fmt::Write as _;
use std::io::{Cursor, Write};
use zip::write::{SimpleFileOptions, ZipWriter};

const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const TYPES: &str = "application/vnd.openxmlformats-officedocument";

/// An archive with these parts and nothing else.
pub(crate) fn archive(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A package whose main part has this content type, with further parts of their own types.
fn package(main: &str, main_type: &str, parts: &[(&str, &str, &str)]) -> Vec<u8> {
    let mut types = String::from(concat!(
        r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">"#,
        r#"<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>"#,
        r#"<Default Extension="xml" ContentType="application/xml"/>"#,
    ));
    write!(
        types,
        r#"<Override PartName="/{main}" ContentType="{TYPES}.{main_type}"/>"#
    )
    .unwrap();
    for (name, content_type, _) in parts {
        if !content_type.is_empty() {
            write!(
                types,
                r#"<Override PartName="/{name}" ContentType="{content_type}"/>"#
            )
            .unwrap();
        }
    }
    types.push_str("</Types>");
    let relations = relations(&[
        ("rId1", &format!("{OFFICE}/officeDocument"), main),
        (
            "rId2",
            "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties",
            "docProps/core.xml",
        ),
    ]);
    let core = concat!(
        r#"<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" "#,
        r#"xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">"#,
        "<dc:title>Lista de precios</dc:title><dc:creator>Ana Ñúñez</dc:creator>",
        "<dcterms:created>2025-12-05T10:00:00Z</dcterms:created></cp:coreProperties>",
    );
    let mut all = vec![
        ("[Content_Types].xml", types.as_str()),
        ("_rels/.rels", relations.as_str()),
        ("docProps/core.xml", core),
    ];
    all.extend(parts.iter().map(|(name, _, content)| (*name, *content)));
    archive(&all)
}

fn relations(list: &[(&str, &str, &str)]) -> String {
    let mut xml = String::from(
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">"#,
    );
    for (id, kind, target) in list {
        write!(
            xml,
            r#"<Relationship Id="{id}" Type="{kind}" Target="{target}"/>"#
        )
        .unwrap();
    }
    xml.push_str("</Relationships>");
    xml
}

/// A Word file with this body, two heading styles and this footnote.
pub(crate) fn docx(body: &str, footnote: &str) -> Vec<u8> {
    let w = r#"xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main""#;
    let document = format!("<w:document {w}><w:body>{body}</w:body></w:document>");
    let style = |level: u8| {
        format!(
            r#"<w:style w:type="paragraph" w:styleId="H{level}"><w:name w:val="heading {level}"/></w:style>"#
        )
    };
    let styles = format!("<w:styles {w}>{}{}</w:styles>", style(1), style(2));
    let notes = format!(
        r#"<w:footnotes {w}><w:footnote w:id="2"><w:p><w:r><w:t>{footnote}</w:t></w:r></w:p></w:footnote></w:footnotes>"#
    );
    let links = relations(&[
        ("rId1", &format!("{OFFICE}/styles"), "styles.xml"),
        ("rId2", &format!("{OFFICE}/footnotes"), "footnotes.xml"),
    ]);
    let kind = |name: &str| format!("{TYPES}.wordprocessingml.{name}+xml");
    package(
        "word/document.xml",
        "wordprocessingml.document.main+xml",
        &[
            ("word/document.xml", "", &document),
            ("word/styles.xml", &kind("styles"), &styles),
            ("word/footnotes.xml", &kind("footnotes"), &notes),
            ("word/_rels/document.xml.rels", "", &links),
        ],
    )
}

/// A paragraph of a Word file, with a heading style if it has a level.
pub(crate) fn paragraph(level: Option<u8>, text: &str) -> String {
    let style = level.map_or_else(String::new, |level| {
        format!(r#"<w:pPr><w:pStyle w:val="H{level}"/></w:pPr>"#)
    });
    format!(r#"<w:p>{style}<w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>"#)
}

/// A table of a Word file. A cell that is `^` continues the cell above it.
pub(crate) fn word_table(rows: &[&[&str]]) -> String {
    let mut xml = String::from("<w:tbl>");
    for (at, row) in rows.iter().enumerate() {
        xml.push_str("<w:tr>");
        for (column, cell) in row.iter().enumerate() {
            let next = rows.get(at + 1).and_then(|row| row.get(column));
            let (merge, text) = match (*cell, next) {
                ("^", _) => ("<w:vMerge/>", ""),
                (text, Some(&"^")) => (r#"<w:vMerge w:val="restart"/>"#, text),
                (text, _) => ("", text),
            };
            write!(
                xml,
                "<w:tc><w:tcPr>{merge}</w:tcPr>{}</w:tc>",
                paragraph(None, text)
            )
            .unwrap();
        }
        xml.push_str("</w:tr>");
    }
    xml.push_str("</w:tbl>");
    xml
}

/// A sheet of a workbook: its name, whether it is hidden, and its cells as text.
pub(crate) struct SheetSource<'a>(
    pub(crate) &'a str,
    pub(crate) bool,
    pub(crate) &'a [&'a [&'a str]],
);

pub(crate) fn xlsx(sheets: &[SheetSource]) -> Vec<u8> {
    let main = r#"xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main""#;
    let mut list = String::new();
    let mut links = Vec::new();
    let mut parts: Vec<(String, String)> = Vec::new();
    for (number, SheetSource(name, hidden, rows)) in (1..).zip(sheets) {
        let state = if *hidden { r#" state="hidden""# } else { "" };
        write!(
            list,
            r#"<sheet name="{name}" sheetId="{number}"{state} r:id="rId{number}"/>"#
        )
        .unwrap();
        links.push((
            format!("rId{number}"),
            format!("worksheets/sheet{number}.xml"),
        ));
        let mut xml = format!("<worksheet {main}><sheetData>");
        for (row_number, row) in (1..).zip(*rows) {
            write!(xml, r#"<row r="{row_number}">"#).unwrap();
            for (column, cell) in ('A'..).zip(*row) {
                if cell.parse::<f64>().is_ok() {
                    write!(xml, r#"<c r="{column}{row_number}"><v>{cell}</v></c>"#).unwrap();
                } else if !cell.is_empty() {
                    write!(
                        xml,
                        r#"<c r="{column}{row_number}" t="inlineStr"><is><t>{cell}</t></is></c>"#
                    )
                    .unwrap();
                }
            }
            xml.push_str("</row>");
        }
        xml.push_str("</sheetData></worksheet>");
        parts.push((format!("xl/worksheets/sheet{number}.xml"), xml));
    }
    let workbook =
        format!(r#"<workbook {main} xmlns:r="{OFFICE}"><sheets>{list}</sheets></workbook>"#);
    let kind = format!("{OFFICE}/worksheet");
    let links: Vec<_> = links
        .iter()
        .map(|(id, target)| (id.as_str(), kind.as_str(), target.as_str()))
        .collect();
    let links = relations(&links);
    let sheet_type = format!("{TYPES}.spreadsheetml.worksheet+xml");
    let mut all = vec![
        ("xl/workbook.xml", "", workbook.as_str()),
        ("xl/_rels/workbook.xml.rels", "", links.as_str()),
    ];
    all.extend(
        parts
            .iter()
            .map(|(name, xml)| (name.as_str(), sheet_type.as_str(), xml.as_str())),
    );
    package("xl/workbook.xml", "spreadsheetml.sheet.main+xml", &all)
}

/// A presentation with a title, a line and the speaker's notes on each slide.
pub(crate) fn pptx(slides: &[(&str, &str, &str)]) -> Vec<u8> {
    let spaces = format!(
        r#"xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="{OFFICE}""#
    );
    let shape = |id: u8, kind: &str, text: &str| {
        format!(
            r#"<p:sp><p:nvSpPr><p:cNvPr id="{id}" name="s{id}"/><p:cNvSpPr/><p:nvPr><p:ph type="{kind}"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"#
        )
    };
    let tree = |shapes: &str| {
        format!(
            r#"<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>{shapes}</p:spTree></p:cSld>"#
        )
    };
    let slide_type = format!("{TYPES}.presentationml.slide+xml");
    let notes_type = format!("{TYPES}.presentationml.notesSlide+xml");
    let mut list = String::new();
    let mut links: Vec<(String, String)> = Vec::new();
    let mut parts: Vec<(String, &str, String)> = Vec::new();
    for (number, (title, line, notes)) in (1..).zip(slides) {
        write!(
            list,
            r#"<p:sldId id="{}" r:id="rId{number}"/>"#,
            255 + number
        )
        .unwrap();
        links.push((format!("rId{number}"), format!("slides/slide{number}.xml")));
        let shapes = shape(2, "title", title) + &shape(3, "body", line);
        let slide = format!("<p:sld {spaces}>{}</p:sld>", tree(&shapes));
        parts.push((format!("ppt/slides/slide{number}.xml"), &slide_type, slide));
        let to_notes = relations(&[(
            "rId1",
            &format!("{OFFICE}/notesSlide"),
            &format!("../notesSlides/notesSlide{number}.xml"),
        )]);
        parts.push((
            format!("ppt/slides/_rels/slide{number}.xml.rels"),
            "",
            to_notes,
        ));
        let said = format!(
            "<p:notes {spaces}>{}</p:notes>",
            tree(&shape(2, "body", notes))
        );
        parts.push((
            format!("ppt/notesSlides/notesSlide{number}.xml"),
            &notes_type,
            said,
        ));
    }
    let presentation =
        format!("<p:presentation {spaces}><p:sldIdLst>{list}</p:sldIdLst></p:presentation>");
    let kind = format!("{OFFICE}/slide");
    let links: Vec<_> = links
        .iter()
        .map(|(id, target)| (id.as_str(), kind.as_str(), target.as_str()))
        .collect();
    let links = relations(&links);
    let mut all = vec![
        ("ppt/presentation.xml", "", presentation.as_str()),
        ("ppt/_rels/presentation.xml.rels", "", links.as_str()),
    ];
    all.extend(
        parts
            .iter()
            .map(|(name, kind, xml)| (name.as_str(), *kind, xml.as_str())),
    );
    package(
        "ppt/presentation.xml",
        "presentationml.presentation.main+xml",
        &all,
    )
}

/// A PDF of these objects, numbered from 1, of which the first is the catalog.
pub(crate) fn pdf(objects: &[String], trailer: &str) -> Vec<u8> {
    let mut bytes = b"%PDF-1.5\n".to_vec();
    let mut offsets = Vec::new();
    for (number, object) in (1..).zip(objects) {
        offsets.push(bytes.len());
        write!(bytes, "{number} 0 obj\n{object}\nendobj\n").unwrap();
    }
    let table = bytes.len();
    let count = objects.len() + 1;
    write!(bytes, "xref\n0 {count}\n0000000000 65535 f \n").unwrap();
    for offset in offsets {
        writeln!(bytes, "{offset:010} 00000 n ").unwrap();
    }
    write!(
        bytes,
        "trailer<</Size {count}/Root 1 0 R{trailer}>>\nstartxref\n{table}\n%%EOF"
    )
    .unwrap();
    bytes
}

/// A PDF with one line of text on each page, a bookmark for each title, and a description.
pub(crate) fn pdf_pages(pages: &[(&str, &str)]) -> Vec<u8> {
    let page_at = |page: usize| 5 + 3 * page;
    let kids: Vec<_> = (0..pages.len())
        .map(|page| format!("{} 0 R", page_at(page)))
        .collect();
    let last = pages.len() - 1;
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R>>".to_owned(),
        format!(
            "<</Type/Pages/Count {}/Kids[{}]>>",
            pages.len(),
            kids.join(" ")
        ),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_owned(),
        format!(
            "<</First {} 0 R/Last {} 0 R>>",
            page_at(0) + 2,
            page_at(last) + 2
        ),
    ];
    for (page, (title, line)) in pages.iter().enumerate() {
        let at = page_at(page);
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents {} 0 R/Resources<</Font<</F1 3 0 R>>>>>>",
            at + 1
        ));
        let drawn = if line.is_empty() {
            String::new()
        } else {
            format!("BT /F1 12 Tf 50 700 Td ({line}) Tj ET")
        };
        objects.push(format!(
            "<</Length {}>>stream\n{drawn}\nendstream",
            drawn.len()
        ));
        let next = if page < last {
            format!("/Next {} 0 R", page_at(page + 1) + 2)
        } else {
            String::new()
        };
        objects.push(format!(
            "<</Title({title})/Parent 4 0 R/Dest[{at} 0 R /Fit]{next}>>"
        ));
    }
    objects.push("<</Title(Carta)/Author(Ana)/CreationDate(D:20251205101500Z)>>".to_owned());
    let about = format!("/Info {} 0 R", objects.len());
    pdf(&objects, &about)
}

/// A PDF of one narrow page with these lines, as a ticket is printed.
pub(crate) fn pdf_lines(lines: &[&str]) -> Vec<u8> {
    let height = 60 + 14 * lines.len();
    let mut drawn = format!("BT /F1 10 Tf 14 TL 15 {} Td", height - 25);
    for line in lines {
        write!(drawn, " ({line}) '").unwrap();
    }
    drawn.push_str(" ET");
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Count 1/Kids[4 0 R]>>".to_owned(),
        "<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>".to_owned(),
        format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 230 {height}]/Contents 5 0 R/Resources<</Font<</F1 3 0 R>>>>>>"
        ),
        format!("<</Length {}>>stream\n{drawn}\nendstream", drawn.len()),
    ];
    pdf(&objects, "")
}

/// The beginning of a PNG that says it has these sides, and nothing after it.
pub(crate) fn png_header(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    // Eight bits of grey, and no sum that would be right.
    bytes.extend([8, 0, 0, 0, 0, 0, 0, 0, 0]);
    bytes
}

/// A WEBP of dots that are white where they are light and black where not. One bit each is the
/// simplest the format can do.
pub(crate) fn lossless_webp(width: usize, light: &[bool]) -> Vec<u8> {
    let mut bits = Vec::with_capacity(light.len() + 100);
    let mut put = |value: usize, count: usize| {
        bits.extend((0..count).map(|at| value >> at & 1 == 1));
    };
    put(0x2F, 8);
    put(width - 1, 14);
    put(light.len() / width - 1, 14);
    // Neither transparency nor a version.
    put(0, 4);
    // Green is in red and in blue, so that all of it is grey; and that is the only change.
    put(0b0101, 4);
    // No cache of colours and one set of codes.
    put(0, 2);
    // Green is 0 or 255.
    put(0b111, 3);
    put(0, 8);
    put(255, 8);
    // Red and blue are 0.
    put(0b0001, 4);
    put(0b0001, 4);
    // There is nothing to be seen through, and no distance.
    put(0b101, 3);
    put(255, 8);
    put(0b0001, 4);
    bits.extend(light);
    let data = bits.chunks(8).map(|eight| {
        let bits = eight.iter().enumerate();
        bits.fold(0, |byte, (at, bit)| byte | u8::from(*bit) << at)
    });
    let mut data: Vec<u8> = data.collect();
    let length = u32::try_from(data.len()).unwrap();
    data.resize(data.len().next_multiple_of(2), 0);
    let whole = u32::try_from(data.len()).unwrap() + 12;
    let mut bytes = b"RIFF".to_vec();
    bytes.extend(whole.to_le_bytes());
    bytes.extend(b"WEBPVP8L");
    bytes.extend(length.to_le_bytes());
    bytes.extend(data);
    bytes
}
