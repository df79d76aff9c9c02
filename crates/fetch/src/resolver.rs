//! Names to addresses, once for each hop.

use async_trait::async_trait;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::io;
use std::net::{IpAddr, SocketAddr};

/// Looks up the addresses of a host. A test can put its own in.
#[async_trait]
pub trait Resolver: Send + Sync {
    /// # Errors
    /// `NotFound` when there is no such host; any other kind may pass.
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>>;
}

/// Asks the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemResolver;

#[async_trait]
impl Resolver for SystemResolver {
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        match tokio::net::lookup_host((host, 0)).await {
            Ok(found) => Ok(found.map(|address| address.ip()).collect()),
            Err(error) if says_no_such_host(&error) => {
                Err(io::Error::new(io::ErrorKind::NotFound, error))
            }
            Err(error) => Err(error),
        }
    }
}

/// The standard library keeps the reason only in words: those of glibc, musl and macOS. A mistyped
/// address should fail at once instead of after every attempt.
fn says_no_such_host(error: &io::Error) -> bool {
    let words = error.to_string();
    [
        "Name or service not known",
        "No address associated with hostname",
        "Name does not resolve",
        "nodename nor servname provided",
    ]
    .iter()
    .any(|known| words.contains(known))
}

/// Gives a connection the addresses that were checked, and no other host any.
#[derive(Clone, Debug)]
pub(crate) struct Pinned {
    pub(crate) host: String,
    pub(crate) addresses: Vec<SocketAddr>,
}

impl Resolve for Pinned {
    fn resolve(&self, name: Name) -> Resolving {
        let answer = if name.as_str().eq_ignore_ascii_case(&self.host) {
            Ok(Box::new(self.addresses.clone().into_iter()) as Addrs)
        } else {
            Err("this connection is pinned to another host".into())
        };
        Box::pin(std::future::ready(answer))
    }
}
