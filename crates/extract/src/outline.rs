//! What a page or a sitemap says about others, for whoever reads a whole website.

mod sitemap;

use crate::collect::Collector;
use crate::html;
use quipu_core::extraction::Failure;
use quipu_core::website::{OutlineKind, PageOutline};
use sha2::{Digest, Sha256};

pub(crate) fn of(bytes: &[u8], kind: OutlineKind) -> Result<PageOutline, Failure> {
    match kind {
        OutlineKind::Page => Ok(page(bytes)),
        OutlineKind::Sitemap => sitemap::read(bytes),
    }
}

fn page(bytes: &[u8]) -> PageOutline {
    let html::PageLinks {
        base,
        canonical,
        hrefs,
    } = html::links(bytes);
    PageOutline {
        links: hrefs,
        sitemaps: Vec::new(),
        base,
        canonical,
        text_hash: text_hash(bytes),
    }
}

/// A mark of what is read on a page. What changes behind it, such as the number of a session in a
/// form, changes nothing.
fn text_hash(bytes: &[u8]) -> Option<String> {
    let mut out = Collector::default();
    html::extract(bytes, &mut out).ok()?;
    let title = out.info.title.clone().unwrap_or_default();
    let text = out.finish().ok()?.text();
    let mut hasher = Sha256::new();
    hasher.update(title.as_bytes());
    hasher.update(b"\n");
    hasher.update(text.as_bytes());
    Some(hex::encode(hasher.finalize()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_of_a_page_is_that_of_what_is_read_on_it() {
        let mark = |html: &str| page(html.as_bytes()).text_hash;
        let hello = mark("<title>T</title><form><input value=123></form><p>Hola");
        assert!(hello.is_some());
        assert_eq!(
            hello,
            mark("<title>T</title><form><input value=456></form><p class=x>Hola")
        );
        assert_ne!(hello, mark("<title>T</title><p>Adiós"));
        assert_ne!(hello, mark("<title>U</title><p>Hola"));
        assert_eq!(mark("<nav>Menú</nav>"), None);
    }
}
