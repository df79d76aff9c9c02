//! Addresses of a website: one way to write each, and which of them are worth reading.

use crate::origin;
use url::Url;

/// The longest address that is read.
const LONGEST: usize = 1_024;
/// A path with more parts, or with one part as often, leads in circles.
const MOST_PARTS: usize = 20;
const MOST_REPEATED: usize = 3;

/// Parameters that say where somebody came from and nothing about the page.
const TRACKING: [&str; 8] = [
    "gclid", "fbclid", "msclkid", "mc_cid", "mc_eid", "igshid", "yclid", "_ga",
];

/// What is on a site beside pages and documents, by the end of its name.
const NOT_PAGES: [&str; 38] = [
    "7z", "apk", "avi", "avif", "bmp", "css", "dmg", "eot", "exe", "gif", "gz", "ico", "ics",
    "iso", "jpeg", "jpg", "js", "m4a", "map", "mjs", "mov", "mp3", "mp4", "mpeg", "ogg", "otf",
    "png", "rar", "rss", "svg", "tar", "tif", "tiff", "ttf", "wav", "webm", "webp", "woff2",
];

/// The one way in which an address is written here: without what leads to a place inside the page and
/// without what only says where somebody came from. `None` for what is not read.
#[must_use]
pub fn normalised(text: &str) -> Option<String> {
    tidy(Url::parse(text.trim()).ok()?).map(String::from)
}

fn tidy(mut url: Url) -> Option<Url> {
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        return None;
    }
    url.set_fragment(None);
    if let Some(query) = url.query() {
        // The rest stays as it is written: another spelling may be another page.
        let kept: Vec<&str> = query
            .split('&')
            .filter(|pair| !pair.is_empty() && !is_tracking(pair))
            .collect();
        let kept = kept.join("&");
        url.set_query((!kept.is_empty()).then_some(&kept));
    }
    (url.as_str().len() <= LONGEST).then_some(url)
}

fn is_tracking(pair: &str) -> bool {
    let name = pair.split('=').next().unwrap_or_default();
    let name = name.to_ascii_lowercase();
    name.starts_with("utm_") || TRACKING.contains(&name.as_str())
}

/// The place where a website is at home: its server, and where reading begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteHome {
    start: Url,
}

impl SiteHome {
    /// The home of a website that begins at this address.
    #[must_use]
    pub fn of(address: &str) -> Option<Self> {
        let start = tidy(Url::parse(address.trim()).ok()?)?;
        Some(Self { start })
    }

    #[must_use]
    pub fn start(&self) -> &str {
        self.start.as_str()
    }

    /// An address of a file at the top of the site, such as `robots.txt`.
    #[must_use]
    pub fn file(&self, name: &str) -> String {
        let mut url = self.start.clone();
        url.set_path(name);
        url.set_query(None);
        url.into()
    }

    /// The home that the start leads to, if that is the same site after all: over https, or with or
    /// without `www.` before its name.
    #[must_use]
    pub fn moved(&self, to: &str) -> Option<Self> {
        let moved = Self::of(to)?;
        (self.is_home_of(&moved.start) || self.is_kin(&moved.start)).then_some(moved)
    }

    /// The address behind a link as it is written on a page of the site, if it leads to a page of the
    /// site that is worth reading. `from` is what the link is relative to.
    #[must_use]
    pub fn page(&self, from: &str, link: &str) -> Option<String> {
        let link = link.trim();
        if link.is_empty() || link.len() > LONGEST * 2 {
            return None;
        }
        let mut url = tidy(Url::parse(from).ok()?.join(link).ok()?)?;
        if !self.is_home_of(&url) {
            if !self.is_kin(&url) {
                return None;
            }
            // The site answers at both; it would send us here.
            url.set_scheme(self.start.scheme()).ok()?;
            url.set_host(self.start.host_str()).ok()?;
        }
        let readable = url.username().is_empty()
            && url.password().is_none()
            && !leads_in_circles(&url)
            && !is_no_page(&url)
            && !origin::is_private_page(url.as_str());
        readable.then(|| url.into())
    }

    /// Whether an address is on this very server.
    fn is_home_of(&self, url: &Url) -> bool {
        self.start.origin() == url.origin()
    }

    /// Whether an address is the same site by another name that everybody takes for the same.
    fn is_kin(&self, url: &Url) -> bool {
        let bare = |url: &Url| {
            let host = url.host_str().unwrap_or_default();
            host.strip_prefix("www.").unwrap_or(host).to_owned()
        };
        self.start.port().is_none() && url.port().is_none() && bare(&self.start) == bare(url)
    }
}

/// The path of an address as patterns are compared with it: decoded, without its query.
#[must_use]
pub fn path_of(address: &str) -> String {
    let Ok(url) = Url::parse(address) else {
        return String::new();
    };
    // The plus sign of a path is itself.
    let pair = format!("p={}", url.path().replace('+', "%2B").replace('&', "%26"));
    let mut decoded = url::form_urlencoded::parse(pair.as_bytes());
    decoded
        .next()
        .map_or_else(String::new, |(_, path)| path.into_owned())
}

/// The path of an address with its query, as rules of the site are compared with it.
#[must_use]
pub fn asked_path(address: &str) -> String {
    match Url::parse(address) {
        Ok(url) => match url.query() {
            Some(query) => format!("{}?{query}", url.path()),
            None => url.path().to_owned(),
        },
        Err(_) => String::new(),
    }
}

fn leads_in_circles(url: &Url) -> bool {
    let parts: Vec<&str> = url
        .path()
        .split('/')
        .filter(|part| !part.is_empty())
        .collect();
    let repeated = |part: &&str| parts.iter().filter(|other| *other == part).count();
    parts.len() > MOST_PARTS || parts.iter().any(|part| repeated(part) > MOST_REPEATED)
}

fn is_no_page(url: &Url) -> bool {
    let name = url.path().rsplit('/').next().unwrap_or_default();
    let end = name
        .rsplit_once('.')
        .map(|(_, end)| end.to_ascii_lowercase());
    end.is_some_and(|end| NOT_PAGES.contains(&end.as_str()) || end == "woff" || end == "zip")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_written_in_one_way() {
        for (given, written) in [
            ("https://Ejemplo.com", "https://ejemplo.com/"),
            ("https://ejemplo.com/a#b", "https://ejemplo.com/a"),
            (
                "https://ejemplo.com/a?utm_source=x&id=3&UTM_medium=y&fbclid=z",
                "https://ejemplo.com/a?id=3",
            ),
            (
                "https://ejemplo.com/a?utm_source=x",
                "https://ejemplo.com/a",
            ),
            (
                "https://ejemplo.com/a?b=%20+c",
                "https://ejemplo.com/a?b=%20+c",
            ),
        ] {
            assert_eq!(normalised(given).as_deref(), Some(written), "{given}");
        }
        let long = format!("https://ejemplo.com/{}", "a".repeat(1_024));
        for bad in ["mailto:a@b.c", "javascript:x", "/a", "", &long] {
            assert_eq!(normalised(bad), None, "{bad}");
        }
    }

    #[test]
    fn links_that_lead_to_pages_of_the_site_are_followed() {
        let home = SiteHome::of("https://www.ejemplo.com/inicio").unwrap();
        let from = "https://www.ejemplo.com/a/b";
        for (link, page) in [
            ("c", "https://www.ejemplo.com/a/c"),
            ("/c?x=1#y", "https://www.ejemplo.com/c?x=1"),
            ("http://ejemplo.com/c", "https://www.ejemplo.com/c"),
            ("//ejemplo.com/c.PDF", "https://www.ejemplo.com/c.PDF"),
        ] {
            assert_eq!(home.page(from, link).as_deref(), Some(page), "{link}");
        }
        let deep = "/a".repeat(4);
        let many = (0..21)
            .map(|n| format!("/{n}"))
            .collect::<Vec<_>>()
            .concat();
        for link in [
            "https://otro.com/",
            "https://tienda.ejemplo.com/",
            "https://www.ejemplo.com:8443/",
            "mailto:a@b.c",
            "tel:+51",
            "/foto.JPG",
            "/estilo.css?v=3",
            "/datos?token=abc",
            "https://ana:clave@www.ejemplo.com/",
            "",
            &deep,
            &many,
        ] {
            assert_eq!(home.page(from, link), None, "{link}");
        }
    }

    #[test]
    fn a_site_may_move_to_its_other_name_but_not_elsewhere() {
        let home = SiteHome::of("http://ejemplo.com").unwrap();
        let moved = home.moved("https://www.ejemplo.com/es/").unwrap();
        assert_eq!(moved.start(), "https://www.ejemplo.com/es/");
        assert_eq!(
            moved.file("robots.txt"),
            "https://www.ejemplo.com/robots.txt"
        );
        for other in [
            "https://otro.com/",
            "http://10.0.0.1/",
            "http://ejemplo.com:8080/",
        ] {
            assert_eq!(home.moved(other), None, "{other}");
        }
    }

    #[test]
    fn paths_are_compared_as_people_write_them() {
        assert_eq!(path_of("https://e.com/men%C3%BA/a+b&c?x=1"), "/menú/a+b&c");
        assert_eq!(asked_path("https://e.com/a%20b?x=1"), "/a%20b?x=1");
    }
}
