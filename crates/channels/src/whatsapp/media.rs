//! Files that customers sent.

use super::fields::filled;
use super::graph;
use super::refusal::failure;
use crate::account::ChannelAccount;
use crate::client::{ChannelClient, broken, read, read_json};
use crate::failure::{FailureKind, SendFailure};
use crate::inbound::MediaReference;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use reqwest::header::{AUTHORIZATION, USER_AGENT};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::time::Duration;
use url::Url;

/// Where Meta's files are. The key of an account is sent nowhere else.
const HOSTS: [&str; 4] = [
    ".fbsbx.com",
    ".facebook.com",
    ".whatsapp.net",
    ".whatsapp.com",
];
/// A file may have 100 megabytes, which take longer than an answer.
const PATIENCE: Duration = Duration::from_mins(2);

/// Where a file is, and what is known of it before it is read.
struct File {
    url: String,
    bytes: Option<u64>,
    sha256: Option<String>,
}

/// The bytes of a file, at most `most_bytes` of them.
///
/// # Errors
/// What WhatsApp said, `Rejected` for a file that is larger or lies elsewhere, or `Transient` for one
/// that did not arrive as it was sent.
pub(crate) async fn media(
    client: &ChannelClient,
    account: &ChannelAccount,
    media: &MediaReference,
    most_bytes: usize,
) -> Result<Bytes, SendFailure> {
    let file = located(client, account, media).await?;
    if file.bytes.is_some_and(|bytes| bytes > most_bytes as u64) {
        return Err(rejected(format!("it is larger than {most_bytes} bytes")));
    }
    let url = trusted(&file.url, &graph::endpoint(client)?)?;
    let bytes = download(client, account, url, most_bytes).await?;
    match file.sha256.and_then(|said| is_hash_of(&said, &bytes)) {
        Some(false) => {
            let reason = "the file did not arrive as it was sent";
            Err(SendFailure::new(FailureKind::Transient, None, reason))
        }
        _ => Ok(bytes),
    }
}

/// An address lasts for five minutes only, so the id is asked where there is one.
async fn located(
    client: &ChannelClient,
    account: &ChannelAccount,
    media: &MediaReference,
) -> Result<File, SendFailure> {
    let Some(id) = media.id.as_deref().filter(|id| !id.is_empty()) else {
        let url = media.url.clone();
        return Ok(File {
            url: url.ok_or_else(|| rejected("the file has neither an id nor an address"))?,
            bytes: None,
            sha256: media.sha256.clone(),
        });
    };
    let answer = graph::get(client, account, &[id], &[]).await?;
    let url = filled(&answer, "url").ok_or_else(|| rejected("WhatsApp does not tell its address"));
    let sha256 = filled(&answer, "sha256").map(str::to_owned);
    Ok(File {
        url: url?.to_owned(),
        bytes: size(&answer),
        sha256: sha256.or_else(|| media.sha256.clone()),
    })
}

/// Older versions tell it as text.
fn size(answer: &Value) -> Option<u64> {
    match answer.get("file_size")? {
        Value::String(text) => text.parse().ok(),
        number => number.as_u64(),
    }
}

/// An address that the key may be sent to: one of Meta's, or the server that was set as Graph.
fn trusted(url: &str, endpoint: &Url) -> Result<Url, SendFailure> {
    let refused = || rejected("the file lies where the key may not be sent");
    let url = Url::parse(url).map_err(|_| refused())?;
    let host = url.host_str().unwrap_or_default();
    let is_meta = url.scheme() == "https"
        && url.port().is_none()
        && HOSTS.iter().any(|known| host.ends_with(known));
    let is_plain = url.username().is_empty() && url.password().is_none();
    let is_trusted = is_plain && (is_meta || url.origin() == endpoint.origin());
    if is_trusted { Ok(url) } else { Err(refused()) }
}

async fn download(
    client: &ChannelClient,
    account: &ChannelAccount,
    url: Url,
    most_bytes: usize,
) -> Result<Bytes, SendFailure> {
    let request = client
        .http
        .get(url)
        .timeout(PATIENCE)
        .header(AUTHORIZATION, graph::bearer(account)?)
        // Meta's servers of files answer an error page to whoever does not say what they are.
        .header(USER_AGENT, "quipu");
    let response = request.send().await;
    let response = response.map_err(|error| graph::harmless(broken(&error)))?;
    if !response.status().is_success() {
        let (status, retry_after, body) = read_json(response).await.map_err(graph::harmless)?;
        return Err(failure(status, retry_after, &body));
    }
    let announced = response.content_length();
    if announced.is_some_and(|bytes| bytes > most_bytes as u64) {
        return Err(rejected(format!("it is larger than {most_bytes} bytes")));
    }
    read(response, most_bytes).await.map_err(graph::harmless)
}

/// Whether a hash is that of a file, where it is a hash at all.
fn is_hash_of(said: &str, bytes: &[u8]) -> Option<bool> {
    let said = said.trim();
    let decoded = hex::decode(said).ok().filter(|hash| hash.len() == 32);
    let decoded = decoded.or_else(|| STANDARD.decode(said).ok());
    let said = decoded.filter(|hash| hash.len() == 32)?;
    Some(Sha256::digest(bytes).as_slice() == said)
}

fn rejected(reason: impl Into<String>) -> SendFailure {
    SendFailure::new(FailureKind::Rejected, None, reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_goes_to_meta_alone() {
        let endpoint = Url::parse("http://127.0.0.1:4010/graph").unwrap();
        for url in [
            "https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=1",
            "https://scontent.whatsapp.net/file",
            "https://mmg.whatsapp.com/file",
            "https://graph.facebook.com:443/file",
            "http://127.0.0.1:4010/file",
        ] {
            assert!(trusted(url, &endpoint).is_ok(), "{url}");
        }
        for url in [
            "http://lookaside.fbsbx.com/file",
            "https://lookaside.fbsbx.com:8443/file",
            "https://lookaside.fbsbx.com.example.com/file",
            "https://fbsbx.com.example.com/lookaside.fbsbx.com",
            "https://evilfbsbx.com/file",
            "https://key@lookaside.fbsbx.com/file",
            "https://example.com/?.fbsbx.com",
            "https://example.com#.fbsbx.com",
            "http://127.0.0.1:4011/file",
            "https://127.0.0.1:4010/file",
            "http://user@127.0.0.1:4010/file",
            "file:///etc/passwd",
            "data:text/plain,a",
            "lookaside.fbsbx.com/file",
            "",
        ] {
            assert!(trusted(url, &endpoint).is_err(), "{url}");
        }
    }

    #[test]
    fn a_hash_is_read_in_either_form() {
        let hash = Sha256::digest(b"a file");
        let (hex, base64) = (hex::encode(hash), STANDARD.encode(hash));
        assert_eq!(is_hash_of(&hex, b"a file"), Some(true));
        assert_eq!(is_hash_of(&hex.to_uppercase(), b"a file"), Some(true));
        assert_eq!(is_hash_of(&base64, b"a file"), Some(true));
        assert_eq!(is_hash_of(&hex, b"another"), Some(false));
        assert_eq!(is_hash_of(&base64, b"another"), Some(false));
        assert_eq!(is_hash_of("abcd", b"a file"), None);
        assert_eq!(is_hash_of("no hash", b"a file"), None);
    }
}
