//! The walk from an address to a page.

use crate::fault::{content_type, explain, not_allowed, refused, unknown_host, unreachable};
use crate::media::{self, Media};
use crate::resolver::{Pinned, Resolver, SystemResolver};
use crate::settings::FetchSettings;
use crate::{body, filename, target};
use async_trait::async_trait;
use quipu_core::net::is_public;
use quipu_core::ports::{FetchError, Fetched, PageFetcher, VisitRequest, VisitedPage};
use reqwest::header::{
    ACCEPT, ACCEPT_LANGUAGE, CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_TYPE,
    IF_MODIFIED_SINCE, IF_NONE_MATCH, LOCATION,
};
use reqwest::{Client, Response, StatusCode, redirect};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use tokio::time::timeout;
use url::{Host, Url};

const USER_AGENT: &str = concat!("Quipu/", env!("CARGO_PKG_VERSION"));
pub(crate) const MOST_REDIRECTS: usize = 5;
/// A name with more addresses than this is connected to through the first of them.
pub(crate) const MOST_ADDRESSES: usize = 8;

/// Reads public web pages.
#[derive(Clone)]
pub struct GuardedFetcher {
    pub(crate) settings: FetchSettings,
    resolver: Arc<dyn Resolver>,
}

impl GuardedFetcher {
    #[must_use]
    pub fn new(settings: FetchSettings) -> Self {
        Self::with_resolver(settings, Arc::new(SystemResolver))
    }

    /// Looks names up in another way.
    #[must_use]
    pub fn with_resolver(settings: FetchSettings, resolver: Arc<dyn Resolver>) -> Self {
        Self { settings, resolver }
    }

    async fn follow(&self, address: &str) -> Result<Fetched, FetchError> {
        let mut url = target::parse(address, &self.settings)?;
        for _ in 0..=MOST_REDIRECTS {
            let response = self.ask(&url, &Asked::default()).await?;
            if !is_redirect(response.status()) {
                return receive(url, response).await;
            }
            url = target::redirected(&url, response.headers().get(LOCATION), &self.settings)?;
        }
        Err(refused(format!("more than {MOST_REDIRECTS} redirects")))
    }

    /// One hop: resolve once, check every address, connect to one of those.
    pub(crate) async fn ask(&self, url: &Url, asked: &Asked<'_>) -> Result<Response, FetchError> {
        let addresses = self.addresses(url).await?;
        let port = url.port_or_known_default().unwrap_or_default();
        let pinned = Pinned {
            host: url.host_str().unwrap_or_default().to_owned(),
            addresses: addresses
                .into_iter()
                .take(MOST_ADDRESSES)
                .map(|address| SocketAddr::new(address, port))
                .collect(),
        };
        let client = self.client(pinned).await?;
        let mut request = client
            .get(url.clone())
            .header(ACCEPT, "text/html, application/xhtml+xml, */*;q=0.8")
            .header(ACCEPT_LANGUAGE, "es, en;q=0.8, *;q=0.5");
        for (name, value) in [
            (IF_NONE_MATCH, asked.etag),
            (IF_MODIFIED_SINCE, asked.last_modified),
        ] {
            if let Some(value) = value {
                request = request.header(name, value);
            }
        }
        request.send().await.map_err(|e| unreachable(explain(e)))
    }

    /// A client for one hop: no connection of another hop is at hand to be used again, and nothing
    /// but the pinned addresses can be resolved.
    async fn client(&self, pinned: Pinned) -> Result<Client, FetchError> {
        let builder = Client::builder()
            .user_agent(USER_AGENT)
            .dns_resolver(Arc::new(pinned))
            .no_proxy()
            .redirect(redirect::Policy::none())
            .referer(false)
            .http1_only()
            .connect_timeout(self.settings.connect_timeout);
        // It reads the certificates of the machine, a file each.
        tokio::task::spawn_blocking(|| builder.build())
            .await
            .map_err(|e| unreachable(e.to_string()))?
            .map_err(|e| unreachable(explain(e)))
    }

    async fn addresses(&self, url: &Url) -> Result<Vec<IpAddr>, FetchError> {
        let addresses = match url.host() {
            Some(Host::Ipv4(address)) => vec![address.into()],
            Some(Host::Ipv6(address)) => vec![address.into()],
            Some(Host::Domain(name)) => self.look_up(name).await?,
            None => Vec::new(),
        };
        if addresses.is_empty() {
            return Err(unknown_host("the name has no address"));
        }
        // One address inside the house among public ones is how rebinding looks.
        match addresses.iter().find(|address| !self.may_reach(**address)) {
            Some(inside) => Err(not_allowed(format!("{inside} is not public"))),
            None => Ok(addresses),
        }
    }

    async fn look_up(&self, name: &str) -> Result<Vec<IpAddr>, FetchError> {
        match timeout(self.settings.connect_timeout, self.resolver.resolve(name)).await {
            Ok(Ok(addresses)) => Ok(addresses),
            Ok(Err(e)) if e.kind() == io::ErrorKind::NotFound => Err(unknown_host(e.to_string())),
            Ok(Err(e)) => Err(unreachable(e.to_string())),
            Err(_) => Err(unreachable("looking up the name took too long")),
        }
    }

    fn may_reach(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        is_public(address)
            || self
                .settings
                .allow_networks
                .iter()
                .any(|network| network.contains(&address))
    }
}

#[async_trait]
impl PageFetcher for GuardedFetcher {
    async fn fetch(&self, url: &str) -> Result<Fetched, FetchError> {
        timeout(self.settings.total_timeout, self.follow(url))
            .await
            .unwrap_or_else(|_| Err(unreachable("everything together took too long")))
    }

    async fn visit(&self, request: &VisitRequest<'_>) -> Result<VisitedPage, FetchError> {
        timeout(self.settings.total_timeout, self.call_on(request))
            .await
            .unwrap_or_else(|_| Err(unreachable("everything together took too long")))
    }
}

/// What a request says of the version that is known already.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asked<'a> {
    pub(crate) etag: Option<&'a str>,
    pub(crate) last_modified: Option<&'a str>,
}

pub(crate) fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

pub(crate) async fn receive(url: Url, response: Response) -> Result<Fetched, FetchError> {
    check_status(response.status())?;
    let headers = response.headers();
    // What was compressed in a way we did not ask for was not unpacked.
    if let Some(encoding) = headers.get(CONTENT_ENCODING).filter(|e| *e != "identity") {
        return Err(content_type(format!("content encoding {encoding:?}")));
    }
    let declared = headers
        .get(CONTENT_TYPE)
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    let media = media::of(declared.as_deref())
        .ok_or_else(|| content_type(format!("content type {declared:?}")))?;
    let plain_name = filename::name(
        headers
            .get(CONTENT_DISPOSITION)
            .map(reqwest::header::HeaderValue::as_bytes),
        &url,
    );
    let name = match media {
        Media::Known(format) => filename::ending_as(&plain_name, format),
        Media::Unnamed => plain_name.clone(),
    };
    let (body, format) = body::read(response, media, &name).await?;
    Ok(Fetched {
        url: url.into(),
        content_type: declared,
        filename: filename::ending_as(&plain_name, format),
        body,
    })
}

fn check_status(status: StatusCode) -> Result<(), FetchError> {
    let why = format!("status {status}");
    match status.as_u16() {
        // A part of a page is not the page.
        206 => Err(refused(why)),
        200..=299 => Ok(()),
        // The server is slow or has too much to do.
        408 | 425 | 429 | 500..=599 => Err(unreachable(why)),
        _ => Err(refused(why)),
    }
}

impl std::fmt::Debug for GuardedFetcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GuardedFetcher")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
