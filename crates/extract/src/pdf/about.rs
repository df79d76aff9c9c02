//! What a PDF says of itself.

use pdf_oxide::PdfDocument;
use pdf_oxide::object::Object;
use quipu_core::extraction::DocumentInfo;

pub(super) fn describe(pdf: &PdfDocument, info: &mut DocumentInfo) {
    let Some(about) = pdf
        .trailer()
        .as_dict()
        .and_then(|trailer| trailer.get("Info"))
    else {
        return;
    };
    let about = resolve(pdf, about);
    let entry = |name: &str| {
        let value = resolve(pdf, about.as_dict()?.get(name)?);
        value.as_string().map(text_string)
    };
    info.title = entry("Title").and_then(|title| crate::text::one_line(&title, 300));
    info.author = entry("Author").and_then(|author| crate::text::one_line(&author, 200));
    info.date = ["CreationDate", "ModDate"]
        .into_iter()
        .find_map(|name| day(&entry(name)?));
}

pub(super) fn resolve(pdf: &PdfDocument, value: &Object) -> Object {
    match value {
        Object::Reference(at) => pdf.load_object(*at).unwrap_or(Object::Null),
        value => value.clone(),
    }
}

/// UTF-16 or UTF-8 with a mark, or the format's own eight bits, which agree with Windows-1252
/// wherever people write.
pub(super) fn text_string(bytes: &[u8]) -> String {
    let encoding = match bytes {
        [0xFE, 0xFF, ..] => encoding_rs::UTF_16BE,
        [0xFF, 0xFE, ..] => encoding_rs::UTF_16LE,
        [0xEF, 0xBB, 0xBF, ..] => encoding_rs::UTF_8,
        _ => encoding_rs::WINDOWS_1252,
    };
    encoding.decode_with_bom_removal(bytes).0.into_owned()
}

/// The day of a time such as `D:20251205101500+02'00'`.
fn day(time: &str) -> Option<String> {
    let digits = time.trim().trim_start_matches("D:");
    let year: i16 = digits.get(..4)?.parse().ok()?;
    let two = |at: usize| match digits.get(at..at + 2) {
        Some(digits) => digits.parse().ok(),
        // The month and the day may be left out.
        None => Some(1),
    };
    let day = jiff::civil::Date::new(year, two(4)?, two(6)?).ok()?;
    (day.year() > 1970).then(|| day.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_strings_are_read_as_programs_write_them() {
        for (written, read) in [
            ("D:20251205101500+02'00'", Some("2025-12-05")),
            ("20251205", Some("2025-12-05")),
            ("D:2025", Some("2025-01-01")),
            ("D:20251399", None),
            ("ayer", None),
            ("D:19700101000000Z", None),
        ] {
            assert_eq!(day(written).as_deref(), read, "{written}");
        }
        assert_eq!(text_string(b"\xFE\xFF\0A\0\xF1\0o"), "Año");
        assert_eq!(text_string(b"\xEF\xBB\xBFA\xC3\xB1o"), "Año");
        assert_eq!(text_string(b"A\xF1o"), "Año");
    }
}
