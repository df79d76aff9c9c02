//! Files that customers sent, which lie on the servers of Meta.

use super::graph::{self, harmless};
use crate::account::ChannelAccount;
use crate::client::{ChannelClient, broken, read};
use crate::failure::{FailureKind, SendFailure};
use crate::inbound::MediaReference;
use bytes::Bytes;
use reqwest::Response;
use reqwest::header::{LOCATION, RETRY_AFTER};
use url::Url;

/// Whose servers files lie on.
const HOSTS: [&str; 5] = [
    "fbcdn.net",
    "fbsbx.com",
    "cdninstagram.com",
    "facebook.com",
    "instagram.com",
];
const MOST_HOPS: usize = 3;

/// The bytes of a file. The address comes from a delivery, so it is looked at before anything is
/// asked, and the key is not shown to it: the signature in the address is enough.
pub(crate) async fn media(
    client: &ChannelClient,
    account: &ChannelAccount,
    media: &MediaReference,
    most_bytes: usize,
) -> Result<Bytes, SendFailure> {
    let own = Url::parse(graph::endpoint(client, account.channel)).ok();
    let url = media.url.as_deref().and_then(|url| Url::parse(url).ok());
    let mut url = url.ok_or_else(|| refused("the file has no address"))?;
    for _ in 0..=MOST_HOPS {
        if !may_be_read(&url, own.as_ref()) {
            return Err(refused("the file does not lie at the channel"));
        }
        let response = client.http.get(url.clone()).send().await;
        let response = response.map_err(|error| harmless(broken(&error)))?;
        if response.status().is_redirection() {
            url = next(&url, &response).ok_or_else(|| refused("the file leads nowhere"))?;
        } else if response.status().is_success() {
            return read(response, most_bytes).await.map_err(harmless);
        } else {
            return Err(unavailable(&response));
        }
    }
    Err(refused("the file leads from one address to another"))
}

/// Whether an address belongs to the channel.
pub(super) fn may_be_read(url: &Url, own: Option<&Url>) -> bool {
    if !url.username().is_empty() || url.password().is_some() {
        return false;
    }
    if own.is_some_and(|own| own.origin() == url.origin()) {
        return true;
    }
    let is_theirs = |host: &str| {
        let mut theirs = HOSTS.iter().filter_map(|known| host.strip_suffix(known));
        theirs.any(|rest| rest.len() > 1 && rest.ends_with('.'))
    };
    url.scheme() == "https" && url.port().is_none() && url.domain().is_some_and(is_theirs)
}

fn next(from: &Url, response: &Response) -> Option<Url> {
    let location = response.headers().get(LOCATION)?.to_str().ok()?;
    from.join(location).ok()
}

fn unavailable(response: &Response) -> SendFailure {
    let status = response.status();
    let kind = match status.as_u16() {
        429 => FailureKind::Throttled,
        500.. => FailureKind::Transient,
        _ => FailureKind::Rejected,
    };
    let wait = response.headers().get(RETRY_AFTER);
    SendFailure {
        retry_after_seconds: wait.and_then(|wait| wait.to_str().ok()?.trim().parse().ok()),
        ..SendFailure::new(
            kind,
            None,
            format!("the file answered with {}", status.as_u16()),
        )
    }
}

fn refused(reason: &str) -> SendFailure {
    SendFailure::new(FailureKind::Rejected, None, reason)
}
