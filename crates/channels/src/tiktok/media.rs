//! The files that customers send.

use super::outbound::{ask, key, post};
use crate::account::ChannelAccount;
use crate::client::{ChannelClient, broken, read};
use crate::failure::{FailureKind, SendFailure};
use crate::inbound::{MediaKind, MediaReference};
use bytes::Bytes;
use serde_json::json;
use url::Url;

/// Where `TikTok` keeps files, by the ends of the names. Nothing else is asked for a file.
const FILE_HOSTS: [&str; 9] = [
    "byteoversea.com",
    "ibytedtos.com",
    "ibyteimg.com",
    "tiktok.com",
    "tiktokcdn-eu.com",
    "tiktokcdn-us.com",
    "tiktokcdn.com",
    "tiktokv.com",
    "tiktokv.us",
];

/// What `TikTok` wants to know to give out a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Handle {
    pub(super) conversation: String,
    pub(super) message: String,
    pub(super) file: String,
}

impl Handle {
    /// The three ids as one, from which they can be told again: any sign may stand in them.
    pub(super) fn packed(&self) -> String {
        json!([self.conversation, self.message, self.file]).to_string()
    }

    pub(super) fn unpacked(id: &str) -> Option<Self> {
        let [conversation, message, file] = serde_json::from_str(id).ok()?;
        Some(Self {
            conversation,
            message,
            file,
        })
    }
}

/// The bytes of a file.
pub(crate) async fn media(
    client: &ChannelClient,
    account: &ChannelAccount,
    media: &MediaReference,
    most_bytes: usize,
) -> Result<Bytes, SendFailure> {
    let request = match (&media.id, &media.url) {
        (Some(id), _) => {
            let handle =
                Handle::unpacked(id).ok_or_else(|| rejected("the id is not one of ours"))?;
            let url = file_url(client, account, media.media, &handle).await?;
            // TikTok gives such a file only to whoever shows the key once more, under this name. It
            // goes to TikTok's own hosts alone.
            client.http.get(url).header("x-user", key(account)?)
        }
        (None, Some(url)) => client.http.get(checked(client, url)?),
        (None, None) => return Err(rejected("it says nothing of where the file is")),
    };
    let response = request.send().await.map_err(|error| broken(&error))?;
    let status = response.status();
    if !status.is_success() {
        return Err(withheld(status.as_u16()));
    }
    read(response, most_bytes).await
}

/// Why a file was not given out. The key is not judged by that: an address that is a day old is refused
/// like a wrong key.
fn withheld(status: u16) -> SendFailure {
    let kind = match status {
        408 | 425 | 429 | 500..=599 => FailureKind::Transient,
        _ => FailureKind::Rejected,
    };
    SendFailure::new(kind, None, format!("the file came with status {status}"))
}

/// The address of a file, which `TikTok` makes for a day.
async fn file_url(
    client: &ChannelClient,
    account: &ChannelAccount,
    media: MediaKind,
    handle: &Handle,
) -> Result<Url, SendFailure> {
    let body = json!({
        "business_id": account.account_id,
        "conversation_id": handle.conversation,
        "message_id": handle.message,
        "media_id": handle.file,
        "media_type": if media == MediaKind::Video { "VIDEO" } else { "IMAGE" },
    });
    let path = "business/message/media/download/";
    let data = ask(post(client, account, path, &body)?).await?;
    checked(client, data["download_url"].as_str().unwrap_or_default())
}

fn checked(client: &ChannelClient, address: &str) -> Result<Url, SendFailure> {
    let url = Url::parse(address).ok();
    let url = url.filter(|url| is_of_tiktok(url, &client.endpoints.tiktok));
    url.ok_or_else(|| rejected("the file is not at TikTok"))
}

/// Whether an address is one of `TikTok`'s own, or of whatever stands in for it.
pub(super) fn is_of_tiktok(url: &Url, endpoint: &str) -> bool {
    if !url.username().is_empty() || url.password().is_some() {
        return false;
    }
    if Url::parse(endpoint).is_ok_and(|endpoint| endpoint.origin() == url.origin()) {
        return true;
    }
    let host = url.domain().unwrap_or_default();
    let is_below = |end: &&str| {
        host.strip_suffix(*end)
            .is_some_and(|front| front.is_empty() || front.ends_with('.'))
    };
    url.scheme() == "https" && url.port().is_none() && FILE_HOSTS.iter().any(is_below)
}

fn rejected(reason: &str) -> SendFailure {
    SendFailure::new(FailureKind::Rejected, None, reason)
}
