//! Posting to where a tenant points.
//!
//! Unlike pages, these go to the same few servers again and again: connections are kept, and every
//! address is checked when its name is looked up for one.

use crate::fault;
use crate::fetcher::MOST_ADDRESSES;
use crate::resolver::{Resolver, SystemResolver};
use crate::settings::FetchSettings;
use crate::target;
use async_trait::async_trait;
use ipnet::IpNet;
use quipu_core::net::is_public;
use quipu_core::ports::{WebhookAnswer, WebhookError, WebhookRequest, WebhookSender};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use reqwest::{Client, Response, redirect};
use secrecy::ExposeSecret;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OnceCell;
use tokio::time::timeout;
use url::{Host, Url};

const USER_AGENT: &str = concat!("Quipu/", env!("CARGO_PKG_VERSION"));
/// How much of an answer is read.
const MOST_ANSWER_BYTES: usize = 64 * 1024;

/// Posts to servers of tenants.
pub struct GuardedSender {
    names: CheckedNames,
    connect_timeout: Duration,
    client: OnceCell<Client>,
}

impl GuardedSender {
    #[must_use]
    pub fn new(settings: &FetchSettings) -> Self {
        Self::with_resolver(settings, Arc::new(SystemResolver))
    }

    /// Looks names up in another way.
    #[must_use]
    pub fn with_resolver(settings: &FetchSettings, resolver: Arc<dyn Resolver>) -> Self {
        Self {
            names: CheckedNames {
                resolver,
                allow_networks: settings.allow_networks.clone().into(),
                patience: settings.connect_timeout,
            },
            connect_timeout: settings.connect_timeout,
            client: OnceCell::new(),
        }
    }

    /// An address as it was given, checked as far as it can be without looking it up.
    fn target(&self, url: &str) -> Result<Url, WebhookError> {
        let url = target::parse_hook(url).map_err(|fault| WebhookError::NotAllowed(fault.why))?;
        // An address that is written as a number is never looked up.
        let address: Option<IpAddr> = match url.host() {
            Some(Host::Ipv4(address)) => Some(address.into()),
            Some(Host::Ipv6(address)) => Some(address.into()),
            _ => None,
        };
        match address.filter(|address| !self.names.may_reach(*address)) {
            Some(inside) => Err(WebhookError::NotAllowed(NotPublic(inside).to_string())),
            None => Ok(url),
        }
    }

    async fn client(&self) -> Result<&Client, WebhookError> {
        let builder = Client::builder()
            .user_agent(USER_AGENT)
            .dns_resolver(Arc::new(self.names.clone()))
            .no_proxy()
            .no_gzip()
            .no_brotli()
            .redirect(redirect::Policy::none())
            .referer(false)
            .http1_only()
            .connect_timeout(self.connect_timeout);
        let made = self.client.get_or_try_init(|| async {
            // It reads the certificates of the machine, a file each.
            tokio::task::spawn_blocking(|| builder.build())
                .await
                .map_err(|e| WebhookError::Unreachable(e.to_string()))?
                .map_err(|e| WebhookError::Unreachable(fault::explain(e)))
        });
        made.await
    }

    async fn post_once(
        &self,
        url: Url,
        request: &WebhookRequest<'_>,
    ) -> Result<WebhookAnswer, WebhookError> {
        let client = self.client().await?;
        let mut post = client
            .post(url)
            .header(CONTENT_TYPE, "application/json")
            .body(request.body.clone());
        for (name, value) in request.headers {
            let value = HeaderValue::from_str(value.expose_secret());
            let mut value = value.map_err(|_| {
                WebhookError::NotAllowed(format!("what {name} holds is no text for a header"))
            })?;
            value.set_sensitive(true);
            post = post.header(*name, value);
        }
        let response = post.send().await.map_err(explained)?;
        let status = response.status().as_u16();
        Ok(WebhookAnswer {
            status,
            body: beginning(response).await,
        })
    }
}

#[async_trait]
impl WebhookSender for GuardedSender {
    fn check(&self, url: &str) -> Result<(), WebhookError> {
        self.target(url).map(drop)
    }

    async fn post(&self, request: &WebhookRequest<'_>) -> Result<WebhookAnswer, WebhookError> {
        let url = self.target(request.url)?;
        timeout(request.patience, self.post_once(url, request))
            .await
            .unwrap_or_else(|_| Err(WebhookError::Unreachable("no answer in time".to_owned())))
    }
}

/// The beginning of what was answered. What breaks off has a beginning too.
async fn beginning(mut response: Response) -> String {
    let mut body: Vec<u8> = Vec::new();
    while let Ok(Some(piece)) = response.chunk().await {
        let room = MOST_ANSWER_BYTES - body.len();
        body.extend_from_slice(&piece[..piece.len().min(room)]);
        if body.len() == MOST_ANSWER_BYTES {
            break;
        }
    }
    String::from_utf8_lossy(&body).into_owned()
}

/// Tells an address inside the house from one that does not answer.
fn explained(error: reqwest::Error) -> WebhookError {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(&error);
    while let Some(inner) = cause {
        if inner.is::<NotPublic>() {
            return WebhookError::NotAllowed(inner.to_string());
        }
        cause = inner.source();
    }
    WebhookError::Unreachable(fault::explain(error))
}

/// Gives a connection the addresses of a name only when all of them may be reached. The connection goes
/// to what is returned here, so there is no second look-up that could answer otherwise.
#[derive(Clone)]
struct CheckedNames {
    resolver: Arc<dyn Resolver>,
    allow_networks: Arc<[IpNet]>,
    patience: Duration,
}

impl CheckedNames {
    fn may_reach(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        let allowed = |network: &IpNet| network.contains(&address);
        is_public(address) || self.allow_networks.iter().any(allowed)
    }
}

impl Resolve for CheckedNames {
    fn resolve(&self, name: Name) -> Resolving {
        let names = self.clone();
        Box::pin(async move {
            let found = names.resolver.resolve(name.as_str());
            let found = timeout(names.patience, found).await??;
            // One address inside the house among public ones is how rebinding looks.
            if let Some(inside) = found.iter().find(|address| !names.may_reach(**address)) {
                return Err(NotPublic(*inside).into());
            }
            // The port of the address takes the place of the 0.
            let addresses = found.into_iter().take(MOST_ADDRESSES);
            let addresses: Vec<SocketAddr> = addresses.map(|ip| SocketAddr::new(ip, 0)).collect();
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

#[derive(Debug)]
struct NotPublic(IpAddr);

impl fmt::Display for NotPublic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not public", self.0)
    }
}

impl std::error::Error for NotPublic {}

impl fmt::Debug for GuardedSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GuardedSender").finish_non_exhaustive()
    }
}
