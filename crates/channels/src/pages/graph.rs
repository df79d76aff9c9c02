//! Requests to Graph in the name of an account.

use super::failures::failure;
use crate::account::ChannelAccount;
use crate::client::{ChannelClient, broken, read_json};
use crate::failure::{FailureKind, SendFailure};
use crate::signature::hmac_sha256;
use quipu_core::lead::Channel;
use reqwest::RequestBuilder;
use secrecy::ExposeSecret;
use serde_json::Value;
use url::Url;

/// Where the server of a channel is.
pub(super) fn endpoint(client: &ChannelClient, channel: Channel) -> &str {
    match channel {
        Channel::Instagram => &client.endpoints.instagram,
        _ => &client.endpoints.graph,
    }
}

pub(super) async fn post(
    client: &ChannelClient,
    account: &ChannelAccount,
    edge: &str,
    body: &Value,
) -> Result<Value, SendFailure> {
    let url = address(client, account, Some(edge))?;
    answer(client.http.post(url).json(body), account).await
}

/// Asks for something. Asking twice does no harm, so a broken connection is no doubt.
pub(super) async fn get(
    client: &ChannelClient,
    account: &ChannelAccount,
    edge: Option<&str>,
    fields: Option<&str>,
) -> Result<Value, SendFailure> {
    let mut url = address(client, account, edge)?;
    if let Some(fields) = fields {
        url.query_pairs_mut().append_pair("fields", fields);
    }
    let answer = answer(client.http.get(url), account).await;
    answer.map_err(harmless)
}

/// A failure of something that may be done again.
pub(super) fn harmless(mut failure: SendFailure) -> SendFailure {
    if failure.kind == FailureKind::Unknown {
        failure.kind = FailureKind::Transient;
    }
    failure
}

/// The address of an account or of something of it. The proof shows that whoever asks has the
/// secret of the application and not the key alone.
fn address(
    client: &ChannelClient,
    account: &ChannelAccount,
    edge: Option<&str>,
) -> Result<Url, SendFailure> {
    let id = account.account_id.as_str();
    let is_word = |sign: u8| sign.is_ascii_alphanumeric() || matches!(sign, b'_' | b'-');
    if id.is_empty() || !id.bytes().all(is_word) {
        return Err(unusable("the account has no id that Graph could know"));
    }
    let base = endpoint(client, account.channel);
    let mut url = Url::parse(base).map_err(|_| unusable("the server of the channel is not set"))?;
    url.path_segments_mut()
        .map_err(|()| unusable("the server of the channel is not set"))?
        .pop_if_empty()
        .extend([client.endpoints.graph_version.as_str(), id])
        .extend(edge);
    if let Some(secret) = &account.app_secret {
        let token = account.token.expose_secret().as_bytes();
        let proof = hmac_sha256(secret.expose_secret().as_bytes(), &[token]);
        let proof = hex::encode(proof);
        url.query_pairs_mut().append_pair("appsecret_proof", &proof);
    }
    Ok(url)
}

fn unusable(reason: &str) -> SendFailure {
    SendFailure::new(FailureKind::Account, None, reason)
}

async fn answer(request: RequestBuilder, account: &ChannelAccount) -> Result<Value, SendFailure> {
    let request = request.bearer_auth(account.token.expose_secret());
    let response = request.send().await.map_err(|error| broken(&error))?;
    let (status, retry_after, body) = read_json(response).await?;
    if (200..300).contains(&status) && body.get("error").is_none() {
        return Ok(body);
    }
    Err(failure(status, retry_after, &body))
}
