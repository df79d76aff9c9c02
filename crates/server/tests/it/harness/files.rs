//! Small files of each kind, made on the spot.

use std::io::Write;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A Word document with a heading and paragraphs.
pub(crate) fn docx(heading: &str, paragraphs: &[&str]) -> Vec<u8> {
    let mut body = format!(
        "<w:p><w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr><w:r><w:t>{heading}</w:t></w:r></w:p>"
    );
    for paragraph in paragraphs {
        body.push_str("<w:p><w:r><w:t>");
        body.push_str(paragraph);
        body.push_str("</w:t></w:r></w:p>");
    }
    let types = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"><Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Default Extension=\"xml\" ContentType=\"application/xml\"/><Override PartName=\"/word/document.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>";
    let relations = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"word/document.xml\"/></Relationships>";
    let document = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:body>{body}</w:body></w:document>"
    );
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
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

/// The beginning of a picture.
pub(crate) fn png() -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0".to_vec();
    bytes.extend((0..2000_u32).map(|i| (i * 7 % 251) as u8));
    bytes
}
