//! The kinds of file Quipu reads, told by their content.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const MB: u64 = 1024 * 1024;

macro_rules! formats {
    ($($variant:ident = $name:literal, $content_type:literal, $max:literal, [$($extension:literal),+];)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "lowercase")]
        pub enum Format {
            $($variant,)+
        }

        impl Format {
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            #[must_use]
            pub const fn content_type(self) -> &'static str {
                match self { $(Self::$variant => $content_type,)+ }
            }

            /// The largest file of this kind that is taken in.
            #[must_use]
            pub const fn max_bytes(self) -> u64 {
                match self { $(Self::$variant => $max * MB,)+ }
            }

            #[must_use]
            pub const fn extensions(self) -> &'static [&'static str] {
                match self { $(Self::$variant => &[$($extension),+],)+ }
            }
        }
    };
}

formats! {
    Pdf = "pdf", "application/pdf", 50, ["pdf"];
    Docx = "docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", 25, ["docx", "docm", "dotx"];
    Doc = "doc", "application/msword", 25, ["doc", "dot"];
    Xlsx = "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", 10, ["xlsx", "xlsm"];
    Xls = "xls", "application/vnd.ms-excel", 10, ["xls"];
    Pptx = "pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation", 50, ["pptx", "pptm", "ppsx"];
    Ppt = "ppt", "application/vnd.ms-powerpoint", 50, ["ppt", "pps"];
    Txt = "txt", "text/plain; charset=utf-8", 10, ["txt", "text", "log"];
    Md = "md", "text/markdown; charset=utf-8", 10, ["md", "markdown"];
    Html = "html", "text/html; charset=utf-8", 10, ["html", "htm", "xhtml"];
    Csv = "csv", "text/csv; charset=utf-8", 10, ["csv", "tsv"];
    Json = "json", "application/json", 10, ["json"];
}

impl Format {
    /// The largest file of any kind.
    pub const LARGEST: u64 = 50 * MB;

    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|f| f.as_str() == name)
    }

    /// What a file's name says it is.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        let extension = extension.to_ascii_lowercase();
        Self::ALL
            .iter()
            .copied()
            .find(|f| f.extensions().contains(&extension.as_str()))
    }

    /// A name under which a file of this format may be offered: one that ends in what it is. Whoever
    /// opens it goes by the end of its name, whatever was said of its type.
    #[must_use]
    pub fn properly_named(self, name: &str) -> String {
        match Self::from_name(name) {
            Some(said) if said == self => name.to_owned(),
            _ => format!("{name}.{}", self.extensions()[0]),
        }
    }

    const fn is_text(self) -> bool {
        matches!(
            self,
            Self::Txt | Self::Md | Self::Html | Self::Csv | Self::Json
        )
    }
}

/// Looks at a file as it passes by and tells what it is.
///
/// The name counts only where content cannot decide: between kinds of plain text. It looks for
/// marks and parses nothing, so that it is safe on any bytes.
#[derive(Debug, Default)]
pub struct Sniffer {
    head: Vec<u8>,
    /// The end of what was seen, so that a mark across two pieces is not missed.
    tail: Vec<u8>,
    seen: u64,
    marks: Option<Format>,
    encrypted: bool,
}

const HEAD: usize = 4096;

/// Names of parts inside the containers of office files. The older container writes them in UTF-16.
const ZIP_MARKS: [(&[u8], Format); 3] = [
    (b"word/document", Format::Docx),
    (b"xl/workbook", Format::Xlsx),
    (b"ppt/presentation", Format::Pptx),
];
const COMPOUND_MARKS: [(&str, Format); 4] = [
    ("WordDocument", Format::Doc),
    ("Workbook", Format::Xls),
    ("PowerPoint Document", Format::Ppt),
    ("Book", Format::Xls),
];
const ENCRYPTED_MARK: &str = "EncryptedPackage";
const LONGEST_MARK: usize = 40;

impl Sniffer {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub fn see(&mut self, bytes: &[u8]) {
        self.seen += bytes.len() as u64;
        if self.head.len() < HEAD {
            let room = (HEAD - self.head.len()).min(bytes.len());
            self.head.extend_from_slice(&bytes[..room]);
        }
        if !(self.is_zip() || self.is_compound()) {
            return;
        }
        // The window is what was left from before and what came now.
        let mut window = std::mem::take(&mut self.tail);
        window.extend_from_slice(bytes);
        if self.is_zip() && self.marks.is_none() {
            self.marks = ZIP_MARKS
                .iter()
                .find(|(mark, _)| contains(&window, mark))
                .map(|(_, format)| *format);
        }
        if self.is_compound() {
            if self.marks.is_none() || self.marks == Some(Format::Xls) {
                self.marks = COMPOUND_MARKS
                    .iter()
                    .find(|(mark, _)| contains(&window, &entry_name(mark)))
                    .map(|(_, format)| *format)
                    .or(self.marks);
            }
            self.encrypted |= contains(&window, &entry_name(ENCRYPTED_MARK));
        }
        let keep = window.len().saturating_sub(2 * LONGEST_MARK + 8);
        self.tail = window.split_off(keep);
    }

    /// The largest file it can still turn out to be, so that an upload can be stopped early.
    #[must_use]
    pub fn max_bytes(&self, name: &str) -> u64 {
        if self.head.starts_with(b"%PDF-") || self.is_zip() || self.is_compound() {
            return Format::LARGEST;
        }
        Format::from_name(name).map_or(Format::Txt.max_bytes(), Format::max_bytes)
    }

    /// What the file is, or `None` when it is nothing Quipu reads.
    #[must_use]
    pub fn finish(&self, name: &str) -> Option<Format> {
        let named = Format::from_name(name);
        // Some programs put a few bytes before the header of a PDF.
        if contains(&self.head[..self.head.len().min(1024)], b"%PDF-") {
            return Some(Format::Pdf);
        }
        if self.is_zip() {
            return self.marks;
        }
        if self.is_compound() {
            if self.encrypted {
                // A password hides what is inside; the name is all there is, and reading it will
                // say that there is a password.
                return named.filter(|f| !f.is_text()).or(Some(Format::Docx));
            }
            return self.marks;
        }
        if self.seen == 0 {
            return named.filter(|f| f.is_text()).or(Some(Format::Txt));
        }
        if !looks_like_text(&self.head) {
            return None;
        }
        let plain = named.filter(|f| f.is_text());
        if plain.is_none_or(|f| f == Format::Txt) && looks_like_html(&self.head) {
            return Some(Format::Html);
        }
        Some(plain.unwrap_or(Format::Txt))
    }

    fn is_zip(&self) -> bool {
        self.head.starts_with(b"PK\x03\x04")
    }

    fn is_compound(&self) -> bool {
        self.head
            .starts_with(&[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1])
    }
}

/// Names a whole file at once.
#[must_use]
pub fn sniff(bytes: &[u8], name: &str) -> Option<Format> {
    let mut sniffer = Sniffer::new();
    sniffer.see(bytes);
    sniffer.finish(name)
}

/// The name of an entry as the older container writes it: UTF-16 with a NUL at the end.
fn entry_name(name: &str) -> Vec<u8> {
    name.encode_utf16()
        .chain([0])
        .flat_map(u16::to_le_bytes)
        .collect()
}

fn contains(bytes: &[u8], mark: &[u8]) -> bool {
    let Some(first) = mark.first() else {
        return true;
    };
    let mut from = 0;
    while let Some(at) = bytes[from..].iter().position(|b| b == first) {
        if bytes[from + at..].starts_with(mark) {
            return true;
        }
        from += at + 1;
    }
    false
}

/// Text in UTF-8, UTF-16 or a single-byte encoding: no control characters but the usual ones.
fn looks_like_text(head: &[u8]) -> bool {
    if head.starts_with(&[0xFF, 0xFE]) || head.starts_with(&[0xFE, 0xFF]) {
        return true;
    }
    // UTF-16 without a mark: of Western text one byte of each pair is NUL and the other is not.
    let nuls = |odd: usize| {
        head.iter()
            .skip(odd)
            .step_by(2)
            .filter(|b| **b == 0)
            .count()
    };
    let half = (head.len() / 2).max(1);
    let (even, odd) = (nuls(0), nuls(1));
    if head.len() >= 4 && even.max(odd) * 10 >= half * 6 {
        let letters = usize::from(even > odd);
        let plain = |b: &&u8| **b >= b' ' || matches!(**b, b'\t' | b'\n' | b'\r');
        let readable = head.iter().skip(letters).step_by(2).filter(plain).count();
        return readable * 100 >= half * 98;
    }
    let odd = head
        .iter()
        .filter(|b| {
            b.is_ascii_control() && !matches!(b, b'\t' | b'\n' | b'\r' | 0x0C | 0x1B | 0x1A)
        })
        .count();
    odd * 200 < head.len().max(1)
}

fn looks_like_html(head: &[u8]) -> bool {
    let start = String::from_utf8_lossy(&head[..head.len().min(1024)]).to_ascii_lowercase();
    let start = start.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    start.starts_with("<!doctype html") || start.starts_with("<html") || start.starts_with("<head")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_decides_and_the_name_only_among_texts() {
        assert_eq!(sniff(b"%PDF-1.7 x", "a.txt"), Some(Format::Pdf));
        assert_eq!(sniff(b"hola", "a.pdf"), Some(Format::Txt));
        assert_eq!(sniff(b"hola", "a.md"), Some(Format::Md));
        assert_eq!(sniff(b"a,b\n1,2", "A.CSV"), Some(Format::Csv));
        assert_eq!(sniff(b" <!DOCTYPE html><p>", "pagina"), Some(Format::Html));
        assert_eq!(sniff(b"\x7fELF\x02\x01\x01\0\0\0", "a.pdf"), None);
        let mut program = b"\x7fELF\x02\x01\x01".to_vec();
        program.extend([0, 3, 0, 62, 0, 1, 0, 0, 0, 0, 0, 0].repeat(40));
        assert_eq!(sniff(&program, "a.txt"), None);
        assert_eq!(sniff(b"PK\x03\x04 nothing known", "a.docx"), None);
        assert_eq!(sniff(b"", "a.csv"), Some(Format::Csv));
        assert_eq!(sniff(b"\xff\xfeh\0o\0", "a.txt"), Some(Format::Txt));
        assert_eq!(sniff(b"h\0o\0l\0a\0", "a.txt"), Some(Format::Txt));
    }

    #[test]
    fn containers_are_told_apart_however_they_are_cut() {
        let zip = b"PK\x03\x04..........[Content_Types].xml......xl/workbook.xml...".to_vec();
        let mut compound = vec![0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];
        compound.extend(vec![0; 600]);
        compound.extend(entry_name("PowerPoint Document"));
        compound.extend(vec![0; 100]);
        for (bytes, format) in [(zip, Format::Xlsx), (compound, Format::Ppt)] {
            for piece in [1, 7, 64, 5000] {
                let mut sniffer = Sniffer::new();
                for part in bytes.chunks(piece) {
                    sniffer.see(part);
                }
                assert_eq!(sniffer.finish("x.bin"), Some(format), "pieces of {piece}");
            }
        }
    }

    #[test]
    fn a_file_is_offered_as_what_it_is() {
        assert_eq!(Format::Txt.properly_named("carta.txt"), "carta.txt");
        assert_eq!(Format::Txt.properly_named("carta.hta"), "carta.hta.txt");
        assert_eq!(Format::Pdf.properly_named("carta"), "carta.pdf");
        assert_eq!(Format::Html.properly_named("a.HTM"), "a.HTM");
    }

    #[test]
    fn names_and_limits_are_the_tables() {
        assert_eq!(Format::from_name("Carta.PDF"), Some(Format::Pdf));
        assert_eq!(Format::Pdf.max_bytes(), 52_428_800);
        assert_eq!(Format::Xls.max_bytes(), 10_485_760);
        for format in Format::ALL {
            assert_eq!(Format::parse(format.as_str()), Some(*format));
            assert!(format.max_bytes() <= Format::LARGEST);
        }
    }
}
