//! What comes out of a file, and why nothing may come out of it.

use crate::language::Language;
use serde::{Deserialize, Serialize};

/// How a segment stands beside its neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SegmentKind {
    /// Part of running text: a chunk may hold the end of one segment and the beginning of the next.
    #[default]
    Flow,
    /// Complete in itself, such as a row of a CSV file, a sheet or a slide: a chunk never holds
    /// two of them.
    Unit,
}

/// A stretch of a document's text that lies on one page and under one path of headings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// The text, headings included where the document shows them. Each row of a table is a line
    /// that names its columns, so that no piece of a table is without its header.
    pub text: String,
    #[serde(default, skip_serializing_if = "SegmentKind::is_flow")]
    pub kind: SegmentKind,
    /// Counted from 1: the page of a PDF, the slide of a presentation, the sheet of a workbook.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// The headings above the text, outermost first. A sheet's name counts as one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headings: Vec<String>,
}

impl SegmentKind {
    // serde's `skip_serializing_if` hands over a reference.
    #[allow(clippy::trivially_copy_pass_by_ref)]
    fn is_flow(&self) -> bool {
        *self == Self::Flow
    }
}

/// What a document says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentInfo {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The day it was made, as `2025-12-05`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Pages of a PDF, slides of a presentation, sheets of a workbook.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<u32>,
}

/// The text of a document, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extracted {
    pub info: DocumentInfo,
    pub segments: Vec<Segment>,
}

/// What stands between two segments in the text of the whole document.
pub const SEGMENT_BREAK: &str = "\n\n";

impl Extracted {
    /// The text of the whole document. The positions of chunks point into this.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (i, segment) in self.segments.iter().enumerate() {
            if i > 0 {
                text.push_str(SEGMENT_BREAK);
            }
            text.push_str(&segment.text);
        }
        text
    }
}

macro_rules! failures {
    ($($(#[$doc:meta])* $variant:ident = $number:literal, $code:literal, $es:literal, $en:literal;)+) => {
        /// Why a document could not be taken in. A code is a promise to programs; the sentences
        /// are for people and say what to do.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Failure {
            $($(#[$doc])* $variant,)+
        }

        impl Failure {
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(Self::$variant => $code,)+ }
            }

            /// What the extracting process exits with.
            #[must_use]
            pub const fn exit_code(self) -> u8 {
                match self { $(Self::$variant => $number,)+ }
            }

            #[must_use]
            pub const fn message(self, language: Language) -> &'static str {
                match (self, language) {
                    $((Self::$variant, Language::Es) => $es,
                    (Self::$variant, Language::En) => $en,)+
                }
            }
        }
    };
}

failures! {
    // Found in the file.
    Encrypted = 10, "DOCUMENT_ENCRYPTED",
        "El archivo está protegido con contraseña. Quita la contraseña y súbelo de nuevo.",
        "The file is protected by a password. Remove the password and upload it again.";
    Empty = 11, "DOCUMENT_EMPTY",
        "El archivo está vacío.",
        "The file is empty.";
    NoText = 12, "DOCUMENT_WITHOUT_TEXT",
        "No se encontró ningún texto en el archivo, ni siquiera leyendo sus imágenes.",
        "No text was found in the file, not even by reading its images.";
    Damaged = 13, "DOCUMENT_DAMAGED",
        "El archivo está dañado o incompleto y no se puede leer. Ábrelo, guárdalo otra vez y súbelo de nuevo.",
        "The file is damaged or incomplete and cannot be read. Open it, save it again and upload it anew.";
    Unsupported = 14, "FORMAT_NOT_SUPPORTED",
        "Este tipo de archivo no se admite. Se admiten PDF, Word, Excel, PowerPoint, texto, Markdown, HTML, CSV y JSON.",
        "This type of file is not supported. PDF, Word, Excel, PowerPoint, text, Markdown, HTML, CSV and JSON are.";
    TooLarge = 15, "DOCUMENT_TOO_LARGE",
        "El archivo es demasiado grande, o crece demasiado al abrirlo. Divídelo en partes.",
        "The file is too large, or grows too much when it is opened. Split it into parts.";
    TooLong = 16, "DOCUMENT_TOO_LONG",
        "El documento tiene demasiado texto, páginas o filas. Divídelo en partes.",
        "The document has too much text, or too many pages or rows. Split it into parts.";

    SeparatorTooSlow = 17, "SEPARATOR_TOO_SLOW",
        "La expresión que separa los párrafos (separator_regex) tarda demasiado en este documento. Usa una más sencilla.",
        "The expression that separates paragraphs (separator_regex) takes too long on this document. Use a simpler one.";

    // What happened to the process that read it.
    OutOfMemory = 20, "EXTRACTION_OUT_OF_MEMORY",
        "Leer el archivo necesita más memoria de la permitida. Divídelo o guárdalo en otro formato.",
        "Reading the file takes more memory than allowed. Split it or save it in another format.";
    TimedOut = 21, "EXTRACTION_TIMEOUT",
        "Leer el archivo tardó más de lo permitido. Divídelo o guárdalo en otro formato.",
        "Reading the file took longer than allowed. Split it or save it in another format.";
    Crashed = 22, "EXTRACTION_CRASHED",
        "El archivo hizo fallar al lector; probablemente está dañado. Guárdalo otra vez o en otro formato.",
        "The file made the reader fail; it is probably damaged. Save it again or in another format.";
    OcrUnavailable = 23, "OCR_UNAVAILABLE",
        "El documento es una imagen y este servidor no tiene instalado el reconocimiento de texto (tesseract y poppler-utils).",
        "The document is an image and this server has no text recognition installed (tesseract and poppler-utils).";

    // What happened on the way to a web page.
    UrlNotAllowed = 30, "URL_NOT_ALLOWED",
        "Esa dirección no se puede leer: solo se admiten páginas públicas por http o https.",
        "That address cannot be read: only public pages over http or https are allowed.";
    UrlUnreachable = 31, "URL_UNREACHABLE",
        "No se pudo leer la página: el servidor no responde o la dirección no existe.",
        "The page could not be read: its server does not answer or the address does not exist.";
    UrlRefused = 32, "URL_REFUSED",
        "El servidor de la página se negó a entregarla.",
        "The page's server refused to hand it over.";
    UrlTooLarge = 33, "URL_TOO_LARGE",
        "La página es demasiado grande.",
        "The page is too large.";
    UrlContentType = 34, "URL_CONTENT_TYPE",
        "La dirección no lleva a una página ni a un documento de un tipo admitido.",
        "The address leads neither to a page nor to a document of a supported type.";

    // What happened to the work itself.
    Cancelled = 40, "CANCELLED",
        "El procesamiento se canceló. Puedes volver a procesar el documento.",
        "Processing was cancelled. The document can be processed again.";
    OriginalMissing = 41, "ORIGINAL_MISSING",
        "El archivo original ya no está en el almacenamiento. Súbelo de nuevo.",
        "The original file is no longer in storage. Upload it again.";
    CreditsExhausted = 43, "CREDITS_EXHAUSTED",
        "No quedan créditos para procesar el documento. Amplía el plan o espera al próximo mes y vuelve a procesarlo.",
        "There are no credits left to process the document. Extend the plan or wait for next month, and process it again.";
    EmbeddingFailed = 44, "EMBEDDING_FAILED",
        "El modelo de embeddings de la base de conocimiento no se puede usar o rechaza el texto. Revisa el modelo, la dirección y la clave, y vuelve a procesar el documento.",
        "The embedding model of the knowledge base cannot be used or refuses the text. Check the model, the address and the key, and process the document again.";
    GaveUp = 42, "PROCESSING_FAILED",
        "El procesamiento falló varias veces. Vuelve a intentarlo; si se repite, avisa a quien administra la plataforma.",
        "Processing failed several times. Try again; if it goes on, tell whoever runs the platform.";
}

impl Failure {
    #[must_use]
    pub fn from_exit_code(code: u8) -> Option<Self> {
        Self::ALL.iter().copied().find(|f| f.exit_code() == code)
    }

    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|f| f.code() == code)
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn failures_are_told_apart_by_code_and_by_exit_code() {
        let codes: HashSet<_> = Failure::ALL.iter().map(|f| f.code()).collect();
        let exits: HashSet<_> = Failure::ALL.iter().map(|f| f.exit_code()).collect();
        assert_eq!(codes.len(), Failure::ALL.len());
        assert_eq!(exits.len(), Failure::ALL.len());
        for failure in Failure::ALL {
            assert_eq!(Failure::from_code(failure.code()), Some(*failure));
            assert_eq!(Failure::from_exit_code(failure.exit_code()), Some(*failure));
        }
    }

    #[test]
    fn the_text_is_the_segments_in_order() {
        let segment = |text: &str| Segment {
            text: text.to_owned(),
            ..Segment::default()
        };
        let extracted = Extracted {
            segments: vec![segment("uno"), segment("dos")],
            ..Extracted::default()
        };
        assert_eq!(extracted.text(), "uno\n\ndos");
    }
}
