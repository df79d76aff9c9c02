//! The two ways out: to where the operator points, and to where a tenant points.

use super::fault::Fault;
use super::target::Trust;
use quipu_core::net::is_public;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Client, redirect};
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OnceCell;

const USER_AGENT: &str = concat!("Quipu/", env!("CARGO_PKG_VERSION"));
/// A name with more addresses than this is connected to through the first of them.
const MOST_ADDRESSES: usize = 8;

/// Connections are kept and used again, so each kind of client is made once.
#[derive(Debug)]
pub(crate) struct Clients {
    connect_timeout: Duration,
    open: OnceCell<Client>,
    guarded: OnceCell<Client>,
}

impl Clients {
    pub(crate) fn new(connect_timeout: Duration) -> Self {
        Self {
            connect_timeout,
            open: OnceCell::new(),
            guarded: OnceCell::new(),
        }
    }

    pub(super) async fn of(&self, trust: Trust) -> Result<&Client, Fault> {
        let builder = Client::builder()
            .user_agent(USER_AGENT)
            .no_proxy()
            .redirect(redirect::Policy::none())
            .referer(false)
            .http1_only()
            .connect_timeout(self.connect_timeout);
        let (cell, builder) = match trust {
            Trust::Operator => (&self.open, builder),
            Trust::Tenant => (
                &self.guarded,
                builder.dns_resolver(Arc::new(PublicOnly(SystemNames))),
            ),
        };
        cell.get_or_try_init(|| async {
            // It reads the certificates of the machine, a file each.
            tokio::task::spawn_blocking(|| builder.build())
                .await
                .map_err(|e| Fault::passing(e.to_string()))?
                .map_err(|e| Fault::passing(explain(e)))
        })
        .await
    }
}

/// What went wrong with a connection. Most of it may pass.
pub(super) fn unreachable(error: reqwest::Error) -> Fault {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(&error);
    while let Some(inner) = cause {
        if inner.is::<NotPublic>() {
            return Fault::lasting(inner.to_string());
        }
        cause = inner.source();
    }
    if error.is_builder() || error.is_decode() {
        return Fault::lasting(explain(error));
    }
    Fault::passing(explain(error))
}

/// Tells a client's error with its causes but without the address, which may carry a key.
fn explain(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}

/// Gives a connection the addresses of a name only when all of them are public. The connection
/// goes to what is returned here, so there is no second look-up that could answer otherwise.
struct PublicOnly<R>(R);

impl<R: Resolve> Resolve for PublicOnly<R> {
    fn resolve(&self, name: Name) -> Resolving {
        let found = self.0.resolve(name);
        Box::pin(async move {
            let found: Vec<SocketAddr> = found.await?.collect();
            // One address inside the house among public ones is how rebinding looks.
            match found.iter().find(|address| !is_public(address.ip())) {
                Some(inside) => Err(NotPublic(inside.ip()).into()),
                None => Ok(Box::new(found.into_iter().take(MOST_ADDRESSES)) as Addrs),
            }
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

/// Asks the operating system.
struct SystemNames;

impl Resolve for SystemNames {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            // The port of the address takes the place of the 0.
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            Ok(Box::new(found.collect::<Vec<_>>().into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Answers(&'static [&'static str]);

    impl Resolve for Answers {
        fn resolve(&self, _: Name) -> Resolving {
            let found: Vec<SocketAddr> = self
                .0
                .iter()
                .map(|text| SocketAddr::new(text.parse().unwrap(), 0))
                .collect();
            Box::pin(std::future::ready(Ok(Box::new(found.into_iter()) as Addrs)))
        }
    }

    async fn resolved(answers: &'static [&'static str]) -> Result<usize, String> {
        let name: Name = "modelos.example".parse().unwrap();
        match PublicOnly(Answers(answers)).resolve(name).await {
            Ok(found) => Ok(found.count()),
            Err(error) => Err(error.to_string()),
        }
    }

    #[tokio::test]
    async fn a_name_with_any_address_in_the_house_is_not_connected_to() {
        assert_eq!(resolved(&["1.1.1.1", "2606:4700::1"]).await, Ok(2));
        assert_eq!(resolved(&["1.1.1.1"; 20]).await, Ok(MOST_ADDRESSES));
        for inside in [
            &["127.0.0.1"][..],
            &["1.1.1.1", "10.0.0.7"],
            &["::ffff:10.0.0.7", "1.1.1.1"],
            &["169.254.169.254"],
        ] {
            assert!(resolved(inside).await.is_err(), "{inside:?}");
        }
    }

    #[tokio::test]
    async fn the_client_for_tenants_looks_names_up_that_way() {
        let clients = Clients::new(Duration::from_secs(2));
        let url = "http://localhost:9/";
        let guarded = clients.of(Trust::Tenant).await.unwrap().get(url).send();
        let fault = unreachable(guarded.await.unwrap_err());
        assert_eq!(fault.then, super::super::fault::Then::GiveUp);
        assert!(fault.why.ends_with("is not public"), "{}", fault.why);
        // The same name is only closed to the operator's client, which may try again.
        let open = clients.of(Trust::Operator).await.unwrap().get(url).send();
        let fault = unreachable(open.await.unwrap_err());
        assert_eq!(fault.then, super::super::fault::Then::Retry(None));
        assert!(!fault.why.contains("localhost"), "{}", fault.why);
    }
}
