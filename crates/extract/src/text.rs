//! Plain text, and the decoding of every format that is written as text.

use crate::collect::Collector;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};
use quipu_core::extraction::{Failure, Segment};

/// A segment is cut at the first blank line after this many bytes.
const LONG: usize = 64 * 1024;
/// How much is looked at to tell UTF-16 from other encodings.
const HEAD: usize = 4096;
/// How much is looked at to guess an encoding.
const ENOUGH: usize = 256 * 1024;

pub(crate) fn extract(bytes: &[u8], out: &mut Collector) -> Result<(), Failure> {
    let text = decode(bytes);
    let mut pages = text.split('\u{c}').map(str::trim_end);
    if !text.trim_matches(['\u{c}', '\n', ' ']).contains('\u{c}') {
        let whole: String = pages.collect();
        return push_pieces(&whole, None, out);
    }
    let mut number = 0;
    pages.try_for_each(|page| {
        number += 1;
        if !page.is_empty() {
            out.info.pages = Some(number);
        }
        push_pieces(page, Some(number), out)
    })
}

fn push_pieces(text: &str, page: Option<u32>, out: &mut Collector) -> Result<(), Failure> {
    let mut rest = text.trim_matches('\n');
    while !rest.is_empty() {
        let from = rest.ceil_char_boundary(LONG);
        let end = rest[from..].find("\n\n").map_or(rest.len(), |at| from + at);
        let (piece, after) = rest.split_at(end);
        out.push(Segment {
            text: piece.to_owned(),
            page,
            ..Segment::default()
        })?;
        rest = after.trim_start_matches('\n');
    }
    Ok(())
}

/// The text of a file in whatever encoding it is, with `\n` at the end of lines and without
/// characters that nobody sees. Form feeds stay: they are the ends of pages.
pub(crate) fn decode(bytes: &[u8]) -> String {
    decode_declared(bytes, None)
}

/// The same for a file that names its encoding. The bytes are believed before the name: pages say
/// "ISO-8859-1" out of habit.
pub(crate) fn decode_declared(bytes: &[u8], declared: Option<&'static Encoding>) -> String {
    let (bytes, encoding) = match Encoding::for_bom(bytes) {
        Some((encoding, mark)) => (&bytes[mark..], encoding),
        None => (bytes, recognise(bytes, declared)),
    };
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    clean(&text)
}

fn recognise(bytes: &[u8], declared: Option<&'static Encoding>) -> &'static Encoding {
    if let Some(encoding) = utf_16(bytes) {
        return encoding;
    }
    if is_utf_8(bytes) {
        return UTF_8;
    }
    // A name of UTF-16 inside a file was read in ASCII, so it cannot be true.
    let wrong = [UTF_8, UTF_16LE, UTF_16BE, REPLACEMENT];
    if let Some(encoding) = declared.filter(|encoding| !wrong.contains(encoding)) {
        return encoding;
    }
    guess(bytes)
}

/// Guesses from the lines that are not in ASCII alone, because the others say nothing and guessing
/// takes time.
fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let mut room = ENOUGH;
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        let Some(at) = line.iter().position(|b| !b.is_ascii()) else {
            continue;
        };
        // The letters just before help to tell what the first one is.
        let line = &line[at.saturating_sub(8)..];
        detector.feed(&line[..line.len().min(room)], false);
        room = room.saturating_sub(line.len());
        if room == 0 {
            break;
        }
    }
    detector.guess(None, Utf8Detection::Deny)
}

/// UTF-16 without a mark: every other byte of Western text is NUL.
fn utf_16(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(HEAD)];
    let most = |from: usize| {
        let nuls = head.iter().skip(from).step_by(2).filter(|b| **b == 0);
        nuls.count() * 10 >= head.len() / 2 * 6
    };
    match (head.len() >= 4 && most(0), head.len() >= 4 && most(1)) {
        (true, false) => Some(UTF_16BE),
        (false, true) => Some(UTF_16LE),
        _ => None,
    }
}

/// UTF-8, with a few broken bytes at most: a file cut in the middle of a letter is no reason to
/// misread all the others.
fn is_utf_8(bytes: &[u8]) -> bool {
    let (mut good, mut broken) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    broken == 0 || good >= 8 * broken
}

fn clean(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\r' => {
                letters.next_if_eq(&'\n');
                cleaned.push('\n');
            }
            '\n' | '\t' | '\u{c}' => cleaned.push(letter),
            // Vertical tab, next line, line and paragraph separators.
            '\u{b}' | '\u{85}' | '\u{2028}' | '\u{2029}' => cleaned.push('\n'),
            // Soft hyphens and spaces without width hide words from a search.
            '\u{ad}' | '\u{200b}' | '\u{feff}' => {}
            _ if letter.is_control() => {}
            _ => cleaned.push(letter),
        }
    }
    cleaned
}

/// The day at the beginning of a time such as `2025-12-05T10:00:00Z`.
pub(crate) fn day(time: &str) -> Option<String> {
    let day: jiff::civil::Date = time.trim().get(..10)?.parse().ok()?;
    Some(day.to_string())
}

/// Words on one line, at most so many characters of them; nothing if there are none.
pub(crate) fn one_line(text: &str, most: usize) -> Option<String> {
    let mut line = String::new();
    let mut room = most;
    for word in text.split_whitespace() {
        if !line.is_empty() && room > 0 {
            line.push(' ');
            room -= 1;
        }
        for letter in word.chars().take(room) {
            line.push(letter);
            room -= 1;
        }
        if room == 0 {
            break;
        }
    }
    line.truncate(line.trim_end().len());
    (!line.is_empty()).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{no_panic, segments};
    use proptest::prelude::*;

    const SPANISH: &str = "Peluquería canina: baño, corte y uñas. ¿Cuánto cuesta? 25 € según el tamaño.\nAtención de lunes a sábado.";

    fn utf_16_of(text: &str, little: bool, mark: bool) -> Vec<u8> {
        let units = mark
            .then_some(0xFEFF)
            .into_iter()
            .chain(text.encode_utf16());
        units
            .flat_map(|unit| {
                if little {
                    unit.to_le_bytes()
                } else {
                    unit.to_be_bytes()
                }
            })
            .collect()
    }

    #[test]
    fn encodings_are_recognised() {
        let marked = [b"\xEF\xBB\xBF".to_vec(), SPANISH.as_bytes().to_vec()].concat();
        assert_eq!(decode(&marked), SPANISH);
        assert_eq!(decode(SPANISH.as_bytes()), SPANISH);
        for little in [true, false] {
            for mark in [true, false] {
                assert_eq!(decode(&utf_16_of(SPANISH, little, mark)), SPANISH);
            }
        }
        let (windows, _, _) = encoding_rs::WINDOWS_1252.encode(SPANISH);
        assert_eq!(decode(&windows), SPANISH);
        let late = format!("{}{SPANISH}", "plain words ".repeat(100_000));
        let (bytes, _, _) = encoding_rs::WINDOWS_1252.encode(&late);
        assert_eq!(decode(&bytes), late);
        let latin = SPANISH.replace('€', "euros");
        let (bytes, _, _) = encoding_rs::WINDOWS_1252.encode(&latin);
        assert_eq!(decode(&bytes), latin);
    }

    #[test]
    fn a_declared_encoding_helps_where_the_bytes_leave_room() {
        let (bytes, _, _) = encoding_rs::ISO_8859_2.encode("Zażółć");
        assert_eq!(
            decode_declared(&bytes, Some(encoding_rs::ISO_8859_2)),
            "Zażółć"
        );
        assert_eq!(
            decode_declared(SPANISH.as_bytes(), Some(encoding_rs::WINDOWS_1252)),
            SPANISH
        );
    }

    #[test]
    fn a_cut_letter_does_not_spoil_the_rest() {
        let mut bytes = SPANISH.as_bytes().to_vec();
        bytes.push(0xC3);
        assert_eq!(decode(&bytes), format!("{SPANISH}\u{fffd}"));
    }

    #[test]
    fn lines_end_alike_and_unseen_characters_go() {
        assert_eq!(
            decode(b"uno\r\ndos\rtres\x07\x00\xC2\xADcuatro\tcinco"),
            "uno\ndos\ntrescuatro\tcinco"
        );
    }

    #[test]
    fn form_feeds_are_ends_of_pages() {
        let (info, segments) = segments(extract, b"uno\x0c\x0ctres\n\x0c").unwrap();
        assert_eq!(info.pages, Some(3));
        let found: Vec<_> = segments.iter().map(|s| (s.page, s.text.as_str())).collect();
        assert_eq!(found, [(Some(1), "uno"), (Some(3), "tres")]);
        let (info, segments) = super::tests::segments(extract, b"uno\n\ndos\x0c").unwrap();
        assert_eq!(info.pages, None);
        assert_eq!(
            (segments[0].page, segments[0].text.as_str()),
            (None, "uno\n\ndos")
        );
    }

    #[test]
    fn a_long_text_is_cut_between_paragraphs() {
        let text = format!("{}\n\n", "señal ".repeat(2000).trim_end()).repeat(20);
        let (_, segments) = segments(extract, text.as_bytes()).unwrap();
        assert!(segments.len() > 1);
        let joined: Vec<_> = segments.iter().map(|s| s.text.as_str()).collect();
        assert_eq!(joined.join("\n\n"), text.trim_end());
    }

    #[test]
    fn days_and_single_lines() {
        assert_eq!(
            day("2025-12-05T10:00:00+01:00").as_deref(),
            Some("2025-12-05")
        );
        assert_eq!(day("2025-13-05"), None);
        assert_eq!(day("5 de mayo"), None);
        assert_eq!(one_line(" a\n b ", 10).as_deref(), Some("a b"));
        assert_eq!(one_line("año nuevo", 4).as_deref(), Some("año"));
        assert_eq!(one_line(" \n", 4), None);
    }

    proptest! {
        #[test]
        fn any_text_comes_back_from_its_bytes(text in "[a-zñáé€ \n]{0,200}") {
            prop_assert_eq!(decode(text.as_bytes()), text.clone());
            prop_assert_eq!(decode(&utf_16_of(&text, true, true)), text);
        }

        #[test]
        fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
            no_panic(extract, &bytes);
            prop_assert!(!decode(&bytes).contains(['\0', '\r']));
        }
    }
}
