//! What to call what was found.

use percent_encoding::percent_decode_str;
use quipu_core::format::Format;
use url::Url;

/// The longest name, in bytes: every file system takes it.
const LONGEST: usize = 200;
/// Longer endings than this are not extensions.
const LONGEST_EXTENSION: usize = 16;

/// The name the server gives, or the end of the address, or the host.
pub(crate) fn name(disposition: Option<&[u8]>, url: &Url) -> String {
    let given = disposition.and_then(from_disposition);
    let last = || {
        let segment = url.path_segments()?.rfind(|segment| !segment.is_empty())?;
        clean(&percent_decode_str(segment).decode_utf8_lossy())
    };
    given
        .or_else(last)
        .or_else(|| clean(url.host_str().unwrap_or_default()))
        .unwrap_or_else(|| "pagina".to_owned())
}

/// The name with an ending that says what the file is, so that whoever looks at the name later
/// comes to the same conclusion as whoever looked at the headers.
pub(crate) fn ending_as(name: &str, format: Format) -> String {
    let named = Format::from_name(name);
    // Many servers send every kind of text as plain text; then the name knows better.
    let finer = format == Format::Txt
        && matches!(
            named,
            Some(Format::Md | Format::Csv | Format::Json | Format::Html)
        );
    if named == Some(format) || finer {
        return name.to_owned();
    }
    let extension = format.extensions()[0];
    let stem = &name[..name.floor_char_boundary(LONGEST - extension.len() - 1)];
    format!("{stem}.{extension}")
}

/// Makes a name harmless: no folders, no control characters, nothing a file system or a header
/// would trip over. `None` when nothing is left.
fn clean(name: &str) -> Option<String> {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let name: String = name
        .chars()
        .filter(|c| !c.is_control() && !is_invisible(*c))
        .map(|c| if "<>:\"|?*".contains(c) { '_' } else { c })
        .collect();
    let name = name.trim_matches(|c: char| c == '.' || c.is_whitespace());
    (!name.is_empty()).then(|| shortened(name))
}

/// Marks that turn the direction of text or take no room: they make a name look like another.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn shortened(name: &str) -> String {
    if name.len() <= LONGEST {
        return name.to_owned();
    }
    let extension = name
        .rfind('.')
        .map(|dot| &name[dot..])
        .filter(|extension| extension.len() <= LONGEST_EXTENSION)
        .unwrap_or_default();
    let stem = &name[..name.floor_char_boundary(LONGEST - extension.len())];
    format!("{stem}{extension}")
}

/// The file name in a `Content-Disposition`. The form that names its encoding goes first.
fn from_disposition(header: &[u8]) -> Option<String> {
    let header = String::from_utf8_lossy(header);
    let mut plain = None;
    for (name, value) in parameters(&header) {
        if name.eq_ignore_ascii_case("filename*") {
            // RFC 5987: charset'language'percent-encoded. Only UTF-8 is in use.
            let mut parts = value.splitn(3, '\'');
            let utf8 = parts
                .next()
                .is_some_and(|c| c.eq_ignore_ascii_case("utf-8"));
            let encoded = parts.nth(1).filter(|_| utf8);
            if let Some(found) =
                encoded.and_then(|e| clean(&percent_decode_str(e).decode_utf8_lossy()))
            {
                return Some(found);
            }
        } else if name.eq_ignore_ascii_case("filename") && plain.is_none() {
            plain = clean(&value);
        }
    }
    plain
}

/// The parameters of a header: `name=value` or `name="value"`, with `;` between them.
fn parameters(header: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = header;
    while let Some(at) = rest.find(';') {
        rest = rest[at + 1..].trim_start();
        let Some((name, value)) = rest.split_once('=') else {
            break;
        };
        if name.contains(';') {
            continue;
        }
        let value = value.trim_start();
        let text = if let Some(quoted) = value.strip_prefix('"') {
            let mut text = String::new();
            let mut end = quoted.len();
            let mut escaped = false;
            for (i, c) in quoted.char_indices() {
                match c {
                    _ if escaped => {
                        text.push(c);
                        escaped = false;
                    }
                    '\\' => escaped = true,
                    '"' => {
                        end = i + 1;
                        break;
                    }
                    _ => text.push(c),
                }
            }
            rest = &quoted[end..];
            text
        } else {
            let end = value.find(';').unwrap_or(value.len());
            rest = &value[end..];
            value[..end].trim_end().to_owned()
        };
        found.push((name.trim().to_owned(), text));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(disposition: &str, url: &str) -> String {
        let header = (!disposition.is_empty()).then_some(disposition.as_bytes());
        name(header, &Url::parse(url).unwrap())
    }

    #[test]
    fn the_servers_name_goes_before_the_addresss() {
        let url = "https://ejemplo.com/descargas/Carta%20de%20verano.pdf?x=1";
        assert_eq!(of("", url), "Carta de verano.pdf");
        assert_eq!(of("inline", url), "Carta de verano.pdf");
        assert_eq!(of("attachment; filename=menu.pdf", url), "menu.pdf");
        assert_eq!(
            of("attachment; filename=\"men;ú \\\"1\\\".pdf\"; size=3", url),
            "men;ú _1_.pdf"
        );
        assert_eq!(
            of(
                "attachment; filename=\"menu.pdf\"; filename*=UTF-8''men%C3%BA%20a%C3%B1o.pdf",
                url
            ),
            "menú año.pdf"
        );
        assert_eq!(
            of("attachment; filename*=UTF-8'es'carta.pdf", url),
            "carta.pdf"
        );
        assert_eq!(
            of("attachment; filename=\"../../etc/passwd\"", url),
            "passwd"
        );
        assert_eq!(
            of("attachment; filename=\"C:\\\\temp\\\\carta.doc\"", url),
            "carta.doc"
        );
        assert_eq!(
            of("attachment; filename=\"..\"", url),
            "Carta de verano.pdf"
        );
        assert_eq!(of("", "https://ejemplo.com/"), "ejemplo.com");
        assert_eq!(of("", "https://ejemplo.com/carta/"), "carta");
        assert_eq!(of("", "https://ejemplo.com/..%2f..%2fpasswd"), "passwd");
    }

    #[test]
    fn the_ending_says_what_the_file_is() {
        assert_eq!(ending_as("carta", Format::Html), "carta.html");
        assert_eq!(ending_as("carta.htm", Format::Html), "carta.htm");
        assert_eq!(ending_as("LEEME.md", Format::Html), "LEEME.md.html");
        assert_eq!(ending_as("LEEME.md", Format::Txt), "LEEME.md");
        assert_eq!(ending_as("datos.php", Format::Csv), "datos.php.csv");
    }

    proptest! {
        #[test]
        fn any_header_and_address_give_a_harmless_name(
            disposition in "(attachment|)(; filename\\*?=.{0,400}){0,3}",
            path in "[ -~]{0,300}",
            format in prop::sample::select(Format::ALL),
        ) {
            let mut url = Url::parse("https://ejemplo.com/").unwrap();
            url.set_path(&path);
            let plain = name(Some(disposition.as_bytes()), &url);
            let named = ending_as(&plain, format);
            for name in [&plain, &named] {
                prop_assert!(!name.is_empty() && name.len() <= LONGEST, "{name:?}");
                prop_assert!(!name.contains(['/', '\\']) && !name.chars().any(char::is_control));
                prop_assert!(name != "." && name != "..");
            }
            prop_assert!(format == Format::Txt || Format::from_name(&named) == Some(format));
        }
    }
}
