//! Files made for one purpose each.

use std::fmt::Write as _;
use std::io::{Cursor, Write};
use zip::write::{SimpleFileOptions, ZipWriter};

/// The smallest package that is a Word file with this body.
pub(super) fn docx(body: &str) -> Vec<u8> {
    let types = concat!(
        r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">"#,
        r#"<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>"#,
        r#"<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"#,
    );
    let relations = concat!(
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">"#,
        r#"<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>"#,
    );
    let document = format!(
        r#"<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>{body}</w:body></w:document>"#
    );
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in [
        ("[Content_Types].xml", types),
        ("_rels/.rels", relations),
        ("word/document.xml", &document),
    ] {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A Word file that says one thing, shows a picture and says another.
pub(super) fn docx_around(before: &str, picture: &[u8], after: &str) -> Vec<u8> {
    let types = concat!(
        r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">"#,
        r#"<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>"#,
        r#"<Default Extension="jpg" ContentType="image/jpeg"/>"#,
        r#"<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"#,
    );
    let relation = |id: &str, kind: &str, target: &str| {
        format!(
            r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="{id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}" Target="{target}"/></Relationships>"#
        )
    };
    let said = |text: &str| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>");
    let shown = concat!(
        r#"<w:p><w:r><w:drawing><wp:inline><wp:extent cx="5000000" cy="6000000"/><wp:docPr id="1" name="Picture 1"/>"#,
        r#"<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic>"#,
        r#"<pic:nvPicPr><pic:cNvPr id="1" name="scan.jpg"/><pic:cNvPicPr/></pic:nvPicPr>"#,
        r#"<pic:blipFill><a:blip r:embed="rId1"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>"#,
        r#"<pic:spPr/></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"#,
    );
    let document = format!(
        concat!(
            r#"<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" "#,
            r#"xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" "#,
            r#"xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" "#,
            r#"xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" "#,
            r#"xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><w:body>{}{}{}</w:body></w:document>"#,
        ),
        said(before),
        shown,
        said(after)
    );
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in [
        ("[Content_Types].xml", types.as_bytes()),
        (
            "_rels/.rels",
            relation("rId1", "officeDocument", "word/document.xml").as_bytes(),
        ),
        (
            "word/_rels/document.xml.rels",
            relation("rId1", "image", "media/image1.jpg").as_bytes(),
        ),
        ("word/document.xml", document.as_bytes()),
        ("word/media/image1.jpg", picture),
    ] {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A presentation of one slide that says something and shows a picture.
pub(super) fn pptx_around(title: &str, picture: &[u8]) -> Vec<u8> {
    const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";
    let kind = "application/vnd.openxmlformats-officedocument.presentationml";
    let types = format!(
        r#"<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="jpg" ContentType="image/jpeg"/><Override PartName="/ppt/presentation.xml" ContentType="{kind}.presentation.main+xml"/><Override PartName="/ppt/slides/slide1.xml" ContentType="{kind}.slide+xml"/></Types>"#
    );
    let relation = |id: &str, kind: &str, target: &str| {
        format!(
            r#"<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="{id}" Type="{OFFICE}/{kind}" Target="{target}"/></Relationships>"#
        )
    };
    let names = format!(
        r#"xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="{OFFICE}""#
    );
    let presentation = format!(
        r#"<p:presentation {names}><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>"#
    );
    let frame = r#"<a:xfrm><a:off x="100" y="100"/><a:ext cx="5000000" cy="4000000"/></a:xfrm><a:prstGeom prst="rect"/>"#;
    let slide = format!(
        r#"<p:sld {names}><p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/><p:sp><p:nvSpPr><p:cNvPr id="2" name="Title"/><p:cNvSpPr/><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>{title}</a:t></a:r></a:p></p:txBody></p:sp><p:pic><p:nvPicPr><p:cNvPr id="3" name="scan.jpg"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="rId1"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr>{frame}</p:spPr></p:pic></p:spTree></p:cSld></p:sld>"#
    );
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in [
        ("[Content_Types].xml", types.as_bytes()),
        (
            "_rels/.rels",
            relation("rId1", "officeDocument", "ppt/presentation.xml").as_bytes(),
        ),
        ("ppt/presentation.xml", presentation.as_bytes()),
        (
            "ppt/_rels/presentation.xml.rels",
            relation("rId1", "slide", "slides/slide1.xml").as_bytes(),
        ),
        ("ppt/slides/slide1.xml", slide.as_bytes()),
        (
            "ppt/slides/_rels/slide1.xml.rels",
            relation("rId1", "image", "../media/image1.jpg").as_bytes(),
        ),
        ("ppt/media/image1.jpg", picture),
    ] {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A small Word file that unpacks to this many megabytes of short paragraphs.
pub(super) fn swelling_docx(megabytes: usize) -> Vec<u8> {
    let paragraph = "<w:p><w:r><w:t>x</w:t></w:r></w:p>";
    docx(&paragraph.repeat(megabytes * 1024 * 1024 / paragraph.len()))
}

fn pdf(objects: &[String]) -> Vec<u8> {
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
        "trailer<</Size {count}/Root 1 0 R>>\nstartxref\n{table}\n%%EOF"
    )
    .unwrap();
    bytes
}

fn stream(content: &str) -> String {
    format!("<</Length {}>>stream\n{content}\nendstream", content.len())
}

fn line(text: &str) -> String {
    format!("BT /F1 12 Tf 50 700 Td ({text}) Tj ET")
}

/// A PDF with these drawings, each on as many pages as said.
fn drawings(pages: &[(String, usize)], catalog: &str) -> Vec<u8> {
    let mut objects = vec![
        format!("<</Type/Catalog/Pages 2 0 R{catalog}>>"),
        String::new(),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_owned(),
    ];
    let mut kids = String::new();
    let mut count = 0;
    for (drawing, times) in pages {
        objects.push(stream(drawing));
        let page = format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents {} 0 R/Resources<</Font<</F1 3 0 R>>>>>>",
            objects.len()
        );
        for _ in 0..*times {
            objects.push(page.clone());
            write!(kids, "{} 0 R ", objects.len()).unwrap();
            count += 1;
        }
    }
    objects[1] = format!("<</Type/Pages/Count {count}/Kids[{kids}]>>");
    pdf(&objects)
}

/// A line of text on each page.
pub(crate) fn text_pdf(lines: &[&str]) -> Vec<u8> {
    let pages: Vec<_> = lines.iter().map(|text| (line(text), 1)).collect();
    drawings(&pages, "")
}

/// These lines on one page, in letters of one width.
pub(super) fn ticket(lines: &[&str]) -> Vec<u8> {
    let mut drawing = String::from("BT /F1 10 Tf 14 TL 15 265 Td");
    for line in lines {
        write!(drawing, " ({line}) '").unwrap();
    }
    drawing.push_str(" ET");
    pdf(&[
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Count 1/Kids[5 0 R]>>".to_owned(),
        "<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>".to_owned(),
        stream(&drawing),
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 230 300]/Contents 4 0 R/Resources<</Font<</F1 3 0 R>>>>>>".to_owned(),
    ])
}

/// The beginning of a PNG that says it has these sides, and nothing after it.
pub(super) fn png_header(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend([8, 0, 0, 0, 0, 0, 0, 0, 0]);
    bytes
}

/// So many pages of forty lines.
pub(super) fn long_pdf(pages: usize) -> Vec<u8> {
    let lines = "(Una linea sobre precios y horarios de la tienda) Tj 0 -14 Td ".repeat(40);
    drawings(&[(format!("BT /F1 12 Tf 50 700 Td {lines}ET"), pages)], "")
}

/// Much to work through and little to read.
pub(super) fn laborious_pdf(pages: usize) -> Vec<u8> {
    let moves = "1 0 0 1 0 0 cm ".repeat(3_000);
    drawings(&[(format!("{moves}{}", line("Una pagina")), pages)], "")
}

/// An array in an array in an array, on which a reader that calls itself overflows its stack.
pub(super) fn nested_array(depth: usize) -> Vec<u8> {
    let catalog = format!("/X {}{}", "[".repeat(depth), "]".repeat(depth));
    drawings(&[(line("Pagina con texto"), 1)], &catalog)
}

/// Pages that contain themselves.
pub(super) fn page_loop() -> Vec<u8> {
    pdf(&[
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Count 9/Kids[2 0 R 3 0 R]>>".to_owned(),
        "<</Type/Pages/Kids[2 0 R]>>".to_owned(),
    ])
}

/// Pages with these texts. Where the text is empty the words are drawn with strokes instead, as a
/// scanner would show them: to be seen, not to be copied.
pub(super) fn drawn_words(words: &[&str], pages: &[&str]) -> Vec<u8> {
    let mut drawing = String::from("3 w\n");
    for (row, word) in words.iter().enumerate() {
        let bottom = 650 - 60 * i32::try_from(row).unwrap();
        let mut left = 60;
        for letter in word.chars() {
            for path in strokes(letter) {
                for (at, (x, y)) in path.iter().enumerate() {
                    let step = if at == 0 { "m" } else { "l" };
                    writeln!(drawing, "{} {} {step}", left + 4 * x, bottom + 4 * y).unwrap();
                }
                drawing.push_str("S\n");
            }
            left += 25;
        }
    }
    let pages: Vec<_> = pages
        .iter()
        .map(|text| {
            let page = if text.is_empty() {
                drawing.clone()
            } else {
                line(text)
            };
            (page, 1)
        })
        .collect();
    drawings(&pages, "")
}

/// A letter without curves, four wide and six high.
fn strokes(letter: char) -> &'static [&'static [(i32, i32)]] {
    match letter {
        'A' => &[&[(0, 0), (2, 6), (4, 0)], &[(1, 2), (3, 2)]],
        'E' => &[&[(4, 0), (0, 0), (0, 6), (4, 6)], &[(0, 3), (3, 3)]],
        'F' => &[&[(0, 0), (0, 6), (4, 6)], &[(0, 3), (3, 3)]],
        'I' => &[&[(2, 0), (2, 6)]],
        'L' => &[&[(0, 6), (0, 0), (4, 0)]],
        'M' => &[&[(0, 0), (0, 6), (2, 2), (4, 6), (4, 0)]],
        'N' => &[&[(0, 0), (0, 6), (4, 0), (4, 6)]],
        'T' => &[&[(2, 0), (2, 6)], &[(0, 6), (4, 6)]],
        other => panic!("there is no drawing of {other}"),
    }
}
