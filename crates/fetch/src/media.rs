//! What a server says it sends.

use quipu_core::format::Format;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Media {
    Known(Format),
    /// The server does not say. The content decides.
    Unnamed,
}

/// Reads a `Content-Type`. `None` when it names something that is not read.
pub(crate) fn of(content_type: Option<&str>) -> Option<Media> {
    let essence = essence(content_type.unwrap_or_default());
    if let Some(format) = Format::ALL
        .iter()
        .find(|format| self::essence(format.content_type()) == essence)
    {
        return Some(Media::Known(*format));
    }
    let format = match essence.as_str() {
        "" | "application/octet-stream" | "binary/octet-stream" => return Some(Media::Unnamed),
        "application/xhtml+xml" => Format::Html,
        "text/x-markdown" => Format::Md,
        "application/csv" | "text/tab-separated-values" => Format::Csv,
        "text/json" => Format::Json,
        "application/x-pdf" => Format::Pdf,
        "application/vnd.ms-word.document.macroenabled.12" => Format::Docx,
        "application/vnd.ms-excel.sheet.macroenabled.12" => Format::Xlsx,
        "application/vnd.ms-powerpoint.presentation.macroenabled.12"
        | "application/vnd.openxmlformats-officedocument.presentationml.slideshow" => Format::Pptx,
        _ => return None,
    };
    Some(Media::Known(format))
}

fn essence(content_type: &str) -> String {
    content_type
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_is_read_as_servers_write_it() {
        let known = |text| of(Some(text));
        assert_eq!(known("text/html"), Some(Media::Known(Format::Html)));
        assert_eq!(
            known("Text/HTML ; charset=ISO-8859-1"),
            Some(Media::Known(Format::Html))
        );
        assert_eq!(known("application/pdf"), Some(Media::Known(Format::Pdf)));
        assert_eq!(known("application/octet-stream"), Some(Media::Unnamed));
        assert_eq!(of(None), Some(Media::Unnamed));
        for other in [
            "image/png",
            "video/mp4",
            "application/zip",
            "text/css",
            "text/javascript",
        ] {
            assert_eq!(known(other), None, "{other}");
        }
        for format in Format::ALL {
            assert_eq!(known(format.content_type()), Some(Media::Known(*format)));
        }
    }
}
