//! Sitemaps: lists of pages, and lists of such lists.

use crate::text;
use flate2::read::MultiGzDecoder;
use html5gum::{DefaultEmitter, Token, Tokenizer};
use quipu_core::extraction::Failure;
use quipu_core::website::PageOutline;
use std::io::Read;

/// The largest sitemap once it is unpacked: what the protocol allows.
const MOST_BYTES: u64 = 50 * 1024 * 1024;
/// Pages of one sitemap that are told: more than any website may have here, several times over.
const MOST_PAGES: usize = 10_000;
const MOST_SITEMAPS: usize = 1_000;
const LONGEST: usize = 2_048;

pub(super) fn read(bytes: &[u8]) -> Result<PageOutline, Failure> {
    let text = if bytes.starts_with(&[0x1f, 0x8b]) {
        text::decode(&unpacked(bytes)?)
    } else {
        text::decode(bytes)
    };
    let start = text.trim_start();
    if start.starts_with('<') {
        return marked_up(start).ok_or(Failure::Damaged);
    }
    let mut outline = PageOutline::default();
    for line in start.lines() {
        note(&mut outline, line, false);
    }
    if outline.links.is_empty() {
        return Err(Failure::Damaged);
    }
    Ok(outline)
}

fn unpacked(bytes: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut whole = Vec::new();
    MultiGzDecoder::new(bytes)
        .take(MOST_BYTES + 1)
        .read_to_end(&mut whole)
        .map_err(|_| Failure::Damaged)?;
    if whole.len() as u64 > MOST_BYTES {
        return Err(Failure::TooLarge);
    }
    Ok(whole)
}

/// The elements `loc` of a sitemap. Whether one names a page or another sitemap is said by the element
/// around it. What is no sitemap at all, such as a page that says what went wrong, lists nothing: it does
/// not say that there is nothing.
fn marked_up(xml: &str) -> Option<PageOutline> {
    let mut outline = PageOutline::default();
    let mut is_sitemap = false;
    let mut of_sitemap = false;
    let mut address: Option<String> = None;
    for token in Tokenizer::new_with_emitter(xml, DefaultEmitter::default()) {
        match token {
            Ok(Token::StartTag(tag)) => match &tag.name[..] {
                b"loc" => address = Some(String::new()),
                b"sitemap" => of_sitemap = true,
                b"url" => of_sitemap = false,
                b"urlset" | b"sitemapindex" => is_sitemap = true,
                _ => {}
            },
            Ok(Token::String(text)) => add(&mut address, &text),
            // What XML marks as plain text is a comment to HTML.
            Ok(Token::Comment(comment)) => {
                let plain = comment.strip_prefix(b"[CDATA[");
                if let Some(plain) = plain.map(|it| it.strip_suffix(b"]]").unwrap_or(it)) {
                    add(&mut address, plain);
                }
            }
            Ok(Token::EndTag(tag)) if &tag.name[..] == b"loc" => {
                if let Some(address) = address.take() {
                    note(&mut outline, &address, of_sitemap);
                }
            }
            _ => {}
        }
    }
    is_sitemap.then_some(outline)
}

fn add(address: &mut Option<String>, text: &[u8]) {
    if let Some(address) = address
        && address.len() <= LONGEST
    {
        address.push_str(&String::from_utf8_lossy(text));
    }
}

fn note(outline: &mut PageOutline, address: &str, of_sitemap: bool) {
    let address = address.trim();
    let is_web = address.starts_with("http://") || address.starts_with("https://");
    let (list, most) = if of_sitemap {
        (&mut outline.sitemaps, MOST_SITEMAPS)
    } else {
        (&mut outline.links, MOST_PAGES)
    };
    if is_web && address.len() <= LONGEST && list.len() < most {
        list.push(address.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    const PAGES: &str = "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
        <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"\n\
          xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">\n\
        <url><loc> https://ejemplo.com/a?x=1&amp;y=2 </loc><lastmod>2026-01-01</lastmod>\n\
          <image:image><image:loc>https://ejemplo.com/foto</image:loc></image:image></url>\n\
        <url><loc><![CDATA[https://ejemplo.com/b]]></loc></url>\n\
        <url><loc>/relativa</loc></url></urlset>";

    #[test]
    fn pages_are_read_plain_and_packed() {
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(PAGES.as_bytes()).unwrap();
        for bytes in [PAGES.as_bytes().to_vec(), packed.finish().unwrap()] {
            let outline = read(&bytes).unwrap();
            assert_eq!(
                outline.links,
                ["https://ejemplo.com/a?x=1&y=2", "https://ejemplo.com/b"]
            );
            assert!(outline.sitemaps.is_empty());
        }
    }

    #[test]
    fn a_list_of_sitemaps_is_told_apart_and_lines_are_pages() {
        let index = "<sitemapindex><sitemap><loc>https://ejemplo.com/1.xml</loc></sitemap>\
                     <sitemap><loc>https://ejemplo.com/2.xml.gz</loc></sitemap></sitemapindex>";
        let outline = read(index.as_bytes()).unwrap();
        let both = ["https://ejemplo.com/1.xml", "https://ejemplo.com/2.xml.gz"];
        assert_eq!(outline.sitemaps, both);
        assert!(outline.links.is_empty());
        let lines = read(b"https://ejemplo.com/a\nhttps://ejemplo.com/b\n\nno\n").unwrap();
        assert_eq!(lines.links.len(), 2);
        let none = read(b"<?xml version=\"1.0\"?><urlset></urlset>").unwrap();
        assert_eq!(none, PageOutline::default());
    }

    #[test]
    fn what_is_no_sitemap_does_not_say_that_there_are_no_pages() {
        for other in [
            "<!doctype html><title>En mantenimiento</title>",
            "",
            "Volvemos pronto",
        ] {
            assert_eq!(read(other.as_bytes()), Err(Failure::Damaged), "{other}");
        }
    }

    #[test]
    fn what_swells_is_refused_and_what_is_long_is_cut() {
        let mut bomb = GzEncoder::new(Vec::new(), Compression::best());
        bomb.write_all(&vec![b'a'; 51 * 1024 * 1024]).unwrap();
        assert_eq!(read(&bomb.finish().unwrap()), Err(Failure::TooLarge));
        let many: Vec<String> = (0..11_000)
            .map(|n| format!("<url><loc>https://ejemplo.com/{n}</loc></url>"))
            .collect();
        let many = many.concat();
        let outline = read(format!("<urlset>{many}</urlset>").as_bytes()).unwrap();
        assert_eq!(outline.links.len(), MOST_PAGES);
        assert_eq!(read(&[0x1f, 0x8b, 1, 2]), Err(Failure::Damaged));
    }
}
