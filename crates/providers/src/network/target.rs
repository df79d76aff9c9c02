//! Where a call goes, and whether anybody may be asked to go there.

use quipu_core::net::is_public;
use std::net::IpAddr;
use url::{Host, Url};

/// The longest address that is taken.
const LONGEST_URL: usize = 500;

#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(super) url: Url,
    pub(super) trust: Trust,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// The operator named it.
    Operator,
    /// A tenant named it: it must be on the public internet whenever it is looked up.
    Tenant,
}

impl Target {
    /// A base address from the configuration of the operator.
    pub(crate) fn of_operator(base: &str, path: &str) -> Result<Self, &'static str> {
        let url = endpoint(base, path)?;
        let trust = Trust::Operator;
        Ok(Self { url, trust })
    }

    /// A base address from a tenant, checked as far as it can be without looking it up.
    pub(crate) fn of_tenant(
        base: &str,
        path: &str,
        allow_hosts: &[String],
    ) -> Result<Self, &'static str> {
        let url = endpoint(base, path)?;
        if allow_hosts.iter().any(|allowed| names(allowed, &url)) {
            let trust = Trust::Operator;
            return Ok(Self { url, trust });
        }
        // An address that is written as a number is never looked up, so it is checked here.
        let address: Option<IpAddr> = match url.host() {
            Some(Host::Ipv4(address)) => Some(address.into()),
            Some(Host::Ipv6(address)) => Some(address.into()),
            _ => None,
        };
        if address.is_some_and(|address| !is_public(address)) {
            return Err("the address is not public");
        }
        let trust = Trust::Tenant;
        Ok(Self { url, trust })
    }

    /// The same with a parameter in its query.
    pub(crate) fn with_query(mut self, name: &str, value: &str) -> Self {
        self.url.query_pairs_mut().append_pair(name, value);
        self
    }

    /// The server, without path and query, which may hold a key.
    pub(crate) fn origin(&self) -> String {
        self.url.origin().ascii_serialization()
    }
}

fn endpoint(base: &str, path: &str) -> Result<Url, &'static str> {
    if base.len() > LONGEST_URL {
        return Err("the address is too long");
    }
    let mut url = Url::parse(base.trim()).map_err(|_| "it is not an address")?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("the address is neither http nor https");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("there is a user or a password in the address");
    }
    url.set_fragment(None);
    url.path_segments_mut()
        .map_err(|()| "it is not an address")?
        .pop_if_empty()
        .extend(path.split('/'));
    Ok(url)
}

/// Whether an entry of the list (`host` or `host:port`) means the server of this address.
fn names(allowed: &str, url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let host = host.strip_suffix('.').unwrap_or(host);
    let port = url.port_or_known_default().unwrap_or_default();
    let bare = host.trim_matches(['[', ']']);
    let allowed = allowed.trim();
    [host, bare, &format!("{host}:{port}")]
        .iter()
        .any(|name| allowed.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tenant(base: &str, allow: &[&str]) -> Result<Target, &'static str> {
        let allow: Vec<String> = allow.iter().map(|host| (*host).to_owned()).collect();
        Target::of_tenant(base, "embeddings", &allow)
    }

    #[test]
    fn the_path_is_put_behind_the_base() {
        for (base, expected) in [
            ("https://a.example/v1", "https://a.example/v1/embeddings"),
            ("https://a.example/v1/", "https://a.example/v1/embeddings"),
            ("https://a.example", "https://a.example/embeddings"),
            (
                " https://a.example/x?api-version=2#y ",
                "https://a.example/x/embeddings?api-version=2",
            ),
        ] {
            assert_eq!(tenant(base, &[]).unwrap().url.as_str(), expected);
        }
    }

    #[test]
    fn a_path_may_have_several_parts_and_never_climbs() {
        let target = |path: &str| {
            let target = Target::of_operator("https://a.example/v1", path).unwrap();
            target.url.as_str().to_owned()
        };
        assert_eq!(
            target("chat/completions"),
            "https://a.example/v1/chat/completions"
        );
        assert_eq!(
            target("models/m:streamGenerateContent"),
            "https://a.example/v1/models/m:streamGenerateContent"
        );
        assert_eq!(
            target("models/../../admin?x#y:z"),
            "https://a.example/v1/models/admin%3Fx%23y:z"
        );
        let asked = Target::of_operator("https://a.example/v1?x=1", "m").unwrap();
        assert_eq!(
            asked.with_query("alt", "sse").url.as_str(),
            "https://a.example/v1/m?x=1&alt=sse"
        );
    }

    #[test]
    fn a_tenant_may_not_point_into_the_house() {
        for bad in [
            "",
            "a.example/v1",
            "file:///etc/passwd",
            "ftp://a.example/",
            "data:text/plain,hola",
            "https://ana@a.example/v1",
            "https://:clave@a.example/v1",
            "http://127.0.0.1:11434/v1",
            "http://0x7f.1/v1",
            "http://2130706433/v1",
            "http://10.0.0.1/v1",
            "http://169.254.169.254/latest",
            "http://[::1]/v1",
            "http://[::ffff:127.0.0.1]/v1",
            &format!("https://a.example/{}", "a".repeat(500)),
        ] {
            assert!(tenant(bad, &[]).is_err(), "{bad}");
        }
        let public = tenant("https://a.example/v1?key=k", &[]).unwrap();
        assert_eq!(public.trust, Trust::Tenant);
        assert_eq!(public.origin(), "https://a.example");
        assert_eq!(
            tenant("http://1.1.1.1/v1", &[]).unwrap().trust,
            Trust::Tenant
        );
    }

    #[test]
    fn the_operator_may_allow_a_host_or_one_port_of_it() {
        let ollama = "http://127.0.0.1:11434/v1";
        for allow in ["127.0.0.1", "127.0.0.1:11434", " 127.0.0.1:11434 "] {
            let target = tenant(ollama, &[allow]).unwrap();
            assert_eq!(target.trust, Trust::Operator);
            assert_eq!(target.origin(), "http://127.0.0.1:11434");
        }
        for allow in ["127.0.0.1:11435", "127.0.0.2", "", "11434"] {
            assert!(tenant(ollama, &[allow]).is_err(), "{allow}");
        }
        for (base, allow) in [
            ("http://Modelos.Interno:80/v1", "modelos.interno"),
            ("http://modelos.interno./v1", "modelos.interno:80"),
            ("http://[::1]:8080/v1", "[::1]:8080"),
            ("http://[::1]:8080/v1", "::1"),
        ] {
            assert_eq!(tenant(base, &[allow]).unwrap().trust, Trust::Operator);
        }
        let other = tenant("http://otro.modelos.interno/v1", &["modelos.interno"]);
        assert_eq!(other.unwrap().trust, Trust::Tenant);
    }
}
