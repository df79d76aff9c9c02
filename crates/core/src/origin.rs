//! Which server an address is at. A key is entrusted to servers, not to whole addresses.

use regex::Regex;
use std::sync::LazyLock;
use url::Url;

/// Scheme, host and port of a web address, in the one way in which they are compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ServerOrigin(String);

impl ServerOrigin {
    /// The server of an address, whatever path it has. `None` for what is no web address.
    #[must_use]
    pub fn of(address: &str) -> Option<Self> {
        web_address(address).map(|url| Self(url.origin().ascii_serialization()))
    }

    /// A server that is named as such: without path, query or user, which could hold a key or make
    /// one server look like another.
    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        let url = web_address(text)?;
        let bare = matches!(url.path(), "" | "/")
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none();
        bare.then(|| Self(url.origin().ascii_serialization()))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The only parameter that an address of a server needs: Azure wants the version of its protocol
/// there. Anything else in a query, or a user before the host, may be a key.
const HARMLESS: &str = "api-version";

/// How versions of a protocol are written: a date, perhaps a preview, or a number. No key is.
static VERSION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:\d{4}-\d{2}-\d{2}(?:-preview)?|v?\d{1,3}(?:\.\d{1,3})*|preview|latest)$")
        .expect("it is tested")
});

/// How those who issue keys begin them, so that everybody knows one.
static KEY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:sk|pk|rk|qk|gsk|xai|hf|r8|ghp|github_pat)[-_][0-9A-Za-z_-]{12,}$|^AIza[0-9A-Za-z_-]{20,}$")
        .expect("it is tested")
});

/// What stands where something is not shown.
const HIDDEN: &str = "••••";

/// Names of parameters that open a page to whoever has its address.
const CREDENTIALS: &[&str] = &[
    "key",
    "apikey",
    "token",
    "auth",
    "authorization",
    "jwt",
    "secret",
    "sig",
    "signature",
    "password",
    "passwd",
    "pwd",
    "pass",
    "credential",
];

/// Whether an address has room for nothing but a place: keys belong among the secrets, where nobody
/// is shown them. What is no address may hold anything.
#[must_use]
pub fn holds_no_key(address: &str) -> bool {
    web_address(address).is_some_and(|url| {
        url.username().is_empty()
            && url.password().is_none()
            && url.fragment().is_none()
            && url
                .query_pairs()
                .all(|(name, value)| name == HARMLESS && VERSION.is_match(&value))
            && !has_key_in_path(&url)
    })
}

/// Whether an address of a page opens it only to whoever has a key, which the address carries. What
/// is cited is shown with its address, so that such a page has to be sent as a file.
#[must_use]
pub fn is_private_page(address: &str) -> bool {
    web_address(address).is_some_and(|url| {
        !url.username().is_empty()
            || url.password().is_some()
            || has_key_in_path(&url)
            || url.fragment().is_some_and(|end| {
                let mut named = url::form_urlencoded::parse(end.as_bytes());
                named.any(|(name, _)| is_credential(&name))
            })
            || url
                .query_pairs()
                .any(|(name, value)| is_credential(&name) || KEY.is_match(&value))
    })
}

/// Looks into what stands between any signs that part a path, however it is written.
fn has_key_in_path(url: &Url) -> bool {
    let path = format!("path={}", url.path().replace(['&', '+'], "/"));
    let decoded = url::form_urlencoded::parse(path.as_bytes());
    let decoded = decoded.map(|(_, path)| path.into_owned());
    decoded.into_iter().any(|path| {
        let mut parts = path.split(['/', ';', ',', '=', ':', '@', '?', '#']);
        let keys = path.split(['/', ';', ',']).any(|part| {
            let (name, value) = part.split_once('=').unwrap_or_default();
            is_credential(name) && !value.is_empty()
        });
        keys || parts.any(|part| KEY.is_match(part))
    })
}

/// Whether a parameter of this name opens something.
fn is_credential(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let last = name.rsplit(['-', '_', '.']).next().unwrap_or_default();
    CREDENTIALS.contains(&last)
}

/// An address as it is shown: without what may be a key in it.
#[must_use]
pub fn shown(address: &str) -> String {
    if holds_no_key(address) {
        return address.to_owned();
    }
    let Some(url) = web_address(address) else {
        return HIDDEN.to_owned();
    };
    let hidden = if url.query().is_some() {
        "?••••"
    } else {
        ""
    };
    let path = if has_key_in_path(&url) {
        HIDDEN
    } else {
        url.path().trim_start_matches('/')
    };
    format!("{}/{path}{hidden}", url.origin().ascii_serialization())
}

/// The server of an address and nothing else of it.
#[must_use]
pub fn server(address: &str) -> String {
    ServerOrigin::of(address).map_or_else(|| HIDDEN.to_owned(), |origin| origin.0)
}

fn web_address(text: &str) -> Option<Url> {
    let url = Url::parse(text.trim()).ok()?;
    (matches!(url.scheme(), "http" | "https") && url.has_host()).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(address: &str) -> Option<String> {
        ServerOrigin::of(address).map(|origin| origin.as_str().to_owned())
    }

    #[test]
    fn a_server_is_its_scheme_host_and_port() {
        for (address, origin) in [
            ("https://a.example/v1?key=k", "https://a.example"),
            ("HTTPS://A.Example:443/v1", "https://a.example"),
            (" http://127.0.0.1:11434/v1 ", "http://127.0.0.1:11434"),
            ("https://ana:clave@a.example/v1", "https://a.example"),
            ("https://a.example@b.example/v1", "https://b.example"),
            ("https://a.example\\@b.example/v1", "https://a.example"),
        ] {
            assert_eq!(of(address).as_deref(), Some(origin), "{address}");
        }
        for none in ["", "a.example", "file:///etc/passwd", "data:text/plain,a"] {
            assert_eq!(of(none), None, "{none}");
        }
        assert_ne!(of("http://a.example"), of("https://a.example"));
        assert_ne!(of("https://a.example:8443"), of("https://a.example"));
        assert_ne!(of("https://a.example.b.example"), of("https://a.example"));
    }

    #[test]
    fn keys_in_addresses_are_refused_and_not_shown() {
        for (address, seen) in [
            (
                "https://a.example/v1?key=clave",
                "https://a.example/v1?••••",
            ),
            ("https://ana:clave@a.example/v1", "https://a.example/v1"),
            ("https://clave@a.example/v1", "https://a.example/v1"),
            ("https://a.example/v1#clave", "https://a.example/v1"),
            (
                "https://a.example/v1?api-version=2&api_key=clave",
                "https://a.example/v1?••••",
            ),
            (
                "https://a.example/v1?api-version=sk-abcdefghijklmnop",
                "https://a.example/v1?••••",
            ),
            (
                "https://a.example/sk-abcdefghijklmnop/v1",
                "https://a.example/••••",
            ),
            (
                "https://a.example/v1;key=abcdefghijklmnop",
                "https://a.example/••••",
            ),
            (
                "https://a.example/v1/%73k-abcdefghijklmnop",
                "https://a.example/••••",
            ),
            ("https//ana:clave@a.example/v1", "••••"),
            ("ftp://ana:clave@a.example/v1", "••••"),
            ("ana:clave@a.example", "••••"),
        ] {
            assert!(!holds_no_key(address), "{address}");
            assert_eq!(shown(address), seen);
        }
        for harmless in [
            "https://a.example/v1",
            "https://a.example/v1?api-version=2024-10-21",
            "https://a.example/v1?api-version=2024-10-01-preview",
            "https://a.example/v1/0123456789abcdef0123456789abcdef/puerta/openai",
            "http://127.0.0.1:11434",
        ] {
            assert!(holds_no_key(harmless), "{harmless}");
            assert_eq!(shown(harmless), harmless);
        }
    }

    #[test]
    fn pages_behind_a_key_in_their_address_are_private() {
        for private in [
            "https://ana:clave@a.example/carta",
            "https://ana@a.example/carta",
            "https://a.example/carta?api_key=clave",
            "https://a.example/carta?access_token=clave",
            "https://s3.example/carta.pdf?X-Amz-Signature=abc",
            "https://a.example/carta?x=sk-abcdefghijklmnop",
            "https://a.example/carta#access_token=clave",
            "https://a.example/AIzaSyA1234567890abcdefghijklmnopqrstuv/x",
        ] {
            assert!(is_private_page(private), "{private}");
        }
        for public in [
            "https://a.example/carta?id=5&page=2#:~:text=horario",
            "https://a.example/keys/token?q=keyboard&postal=15074",
        ] {
            assert!(!is_private_page(public), "{public}");
        }
    }

    #[test]
    fn what_names_a_server_names_nothing_else() {
        for (text, origin) in [
            ("https://a.example", "https://a.example"),
            ("https://a.example/", "https://a.example"),
            ("http://[::1]:8080", "http://[::1]:8080"),
        ] {
            let named = ServerOrigin::named(text).unwrap();
            assert_eq!(named.as_str(), origin);
        }
        for other in [
            "https://a.example/v1",
            "https://a.example?key=k",
            "https://a.example#x",
            "https://ana@a.example",
            "a.example",
            "*",
        ] {
            assert_eq!(ServerOrigin::named(other), None, "{other}");
        }
    }
}
