//! Which addresses may be asked for, before anything is looked up.

use crate::fault::{not_allowed, refused};
use crate::settings::FetchSettings;
use quipu_core::ports::FetchError;
use reqwest::header::HeaderValue;
use url::Url;

/// The longest address that is followed.
const LONGEST_URL: usize = 2048;

/// Reads an address as a person or a server gave it.
pub(crate) fn parse(text: &str, settings: &FetchSettings) -> Result<Url, FetchError> {
    checked(parse_hook(text)?, settings)
}

/// Reads an address that a tenant is told something at. Programs listen wherever they like, so that
/// any port will do.
pub(crate) fn parse_hook(text: &str) -> Result<Url, FetchError> {
    if text.len() > LONGEST_URL {
        return Err(not_allowed("the address is too long"));
    }
    let url = Url::parse(text).map_err(|e| not_allowed(format!("not an address: {e}")))?;
    plain(url)
}

/// Where a redirect leads.
pub(crate) fn redirected(
    from: &Url,
    location: Option<&HeaderValue>,
    settings: &FetchSettings,
) -> Result<Url, FetchError> {
    let location = location.ok_or_else(|| refused("a redirect that does not say where to"))?;
    let location = std::str::from_utf8(location.as_bytes())
        .map_err(|_| refused("a redirect to something that is not text"))?;
    if location.len() > LONGEST_URL {
        return Err(not_allowed("a redirect to an address that is too long"));
    }
    let to = from.join(location).map_err(|e| {
        refused(format!(
            "a redirect to something that is not an address: {e}"
        ))
    })?;
    if from.scheme() == "https" && to.scheme() == "http" {
        return Err(not_allowed("a redirect from https to http"));
    }
    checked(to, settings)
}

fn checked(url: Url, settings: &FetchSettings) -> Result<Url, FetchError> {
    let url = plain(url)?;
    match url.port_or_known_default() {
        Some(port) if settings.allow_ports.contains(&port) => Ok(url),
        port => Err(not_allowed(format!("port {}", port.unwrap_or_default()))),
    }
}

fn plain(mut url: Url) -> Result<Url, FetchError> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(not_allowed("neither http nor https"));
    }
    if url.as_str().len() > LONGEST_URL {
        return Err(not_allowed("the address is too long"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(not_allowed("a user or a password in the address"));
    }
    if url.host().is_none() {
        return Err(not_allowed("no host"));
    }
    url.set_fragment(None);
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quipu_core::extraction::Failure;
    use url::Host;

    fn parsed(text: &str) -> Result<Url, FetchError> {
        parse(text, &FetchSettings::default())
    }

    #[test]
    fn only_plain_web_addresses_are_taken() {
        for good in [
            "https://ejemplo.com",
            "http://ejemplo.com:8080/a?b=c",
            "HTTPS://Ejemplo.com/",
            "https://ñandú.example/carta",
        ] {
            assert!(parsed(good).is_ok(), "{good}");
        }
        let long = format!("https://ejemplo.com/{}", "a".repeat(2048));
        for bad in [
            "",
            "ejemplo.com",
            "/carta",
            "file:///etc/passwd",
            "gopher://ejemplo.com/",
            "ftp://ejemplo.com/",
            "data:text/html,hola",
            "javascript:alert(1)",
            "https://ana@ejemplo.com/",
            "https://ana:clave@ejemplo.com/",
            "https://:clave@ejemplo.com/",
            "http://ejemplo.com:22/",
            "https://ejemplo.com:0/",
            "http://",
            "https://[::1",
            &long,
        ] {
            let fault = parsed(bad).expect_err(bad);
            assert_eq!(fault.failure, Failure::UrlNotAllowed, "{bad}");
            assert!(!fault.transient);
        }
    }

    #[test]
    fn every_spelling_of_an_address_is_read_as_that_address() {
        for spelled in [
            "http://127.0.0.1/",
            "http://2130706433/",
            "http://0x7f000001/",
            "http://0x7f.1/",
            "http://017700000001/",
            "http://0177.0.0.01/",
            "http://127.1/",
            "http://127.0.0.1./",
            "http://%31%32%37.0.0.1/",
            "http://１２７.０.０.１/",
            "http://①②⑦.0.0.1/",
            "http:127.0.0.1/",
            "http:\\\\127.0.0.1\\",
        ] {
            let url = parsed(spelled).expect(spelled);
            assert_eq!(
                url.host(),
                Some(Host::Ipv4(std::net::Ipv4Addr::LOCALHOST)),
                "{spelled}"
            );
        }
    }

    #[test]
    fn redirects_are_read_like_addresses_and_never_leave_https() {
        let settings = FetchSettings::default();
        let from = parsed("https://ejemplo.com/a/b").unwrap();
        let go =
            |to: &'static str| redirected(&from, Some(&HeaderValue::from_static(to)), &settings);
        assert_eq!(go("/c").unwrap().as_str(), "https://ejemplo.com/c");
        assert_eq!(go("c#d").unwrap().as_str(), "https://ejemplo.com/a/c");
        assert_eq!(
            go("//otro.example/").unwrap().as_str(),
            "https://otro.example/"
        );
        for bad in [
            "http://ejemplo.com/",
            "file:///etc/passwd",
            "https://ana@ejemplo.com/",
            "https://ejemplo.com:25/",
        ] {
            assert_eq!(
                go(bad).unwrap_err().failure,
                Failure::UrlNotAllowed,
                "{bad}"
            );
        }
        assert_eq!(
            redirected(&from, None, &settings).unwrap_err().failure,
            Failure::UrlRefused
        );
    }
}
