//! Requests to Graph, with the key of an account.

use super::refusal::failure;
use crate::account::ChannelAccount;
use crate::client::{ChannelClient, broken, read_json};
use crate::failure::{FailureKind, SendFailure};
use crate::signature::hmac_sha256;
use reqwest::header::{AUTHORIZATION, HeaderValue};
use secrecy::ExposeSecret;
use serde_json::Value;
use url::Url;

/// Asks Graph for something.
///
/// # Errors
/// What Graph said. Asking again does no harm, so a broken connection is only transient.
pub(super) async fn get(
    client: &ChannelClient,
    account: &ChannelAccount,
    path: &[&str],
    query: &[(&str, &str)],
) -> Result<Value, SendFailure> {
    let mut address = address(client, account, path)?;
    if !query.is_empty() {
        address.query_pairs_mut().extend_pairs(query);
    }
    let request = client.http.get(address);
    let answer = answered(request.header(AUTHORIZATION, bearer(account)?)).await;
    answer.map_err(harmless)
}

/// Tells Graph something.
///
/// # Errors
/// What Graph said, or `Unknown` where the connection broke after it was told.
pub(super) async fn post(
    client: &ChannelClient,
    account: &ChannelAccount,
    path: &[&str],
    body: &Value,
) -> Result<Value, SendFailure> {
    let request = client.http.post(address(client, account, path)?);
    answered(request.header(AUTHORIZATION, bearer(account)?).json(body)).await
}

/// Makes of a failure whose outcome is unknown one that is worth another attempt.
pub(super) fn harmless(mut failure: SendFailure) -> SendFailure {
    if failure.kind == FailureKind::Unknown {
        failure.kind = FailureKind::Transient;
    }
    failure
}

/// The server that this installation asks.
///
/// # Errors
/// When the setting is no address.
pub(super) fn endpoint(client: &ChannelClient) -> Result<Url, SendFailure> {
    let address = Url::parse(&client.endpoints.graph).ok();
    let address = address.filter(|address| !address.cannot_be_a_base());
    address.ok_or_else(|| {
        let reason = "the address of Graph in the settings is not valid";
        SendFailure::new(FailureKind::Account, None, reason)
    })
}

/// The key of an account, as it stands in a header.
///
/// # Errors
/// When it has a sign that no header may have.
pub(super) fn bearer(account: &ChannelAccount) -> Result<HeaderValue, SendFailure> {
    let token = account.token.expose_secret();
    let mut header = HeaderValue::from_str(&format!("Bearer {token}")).map_err(|_| {
        let reason = "the key has signs that no key has";
        SendFailure::new(FailureKind::Account, None, reason)
    })?;
    header.set_sensitive(true);
    Ok(header)
}

/// Every part of the path is one segment, whatever stands in it.
fn address(
    client: &ChannelClient,
    account: &ChannelAccount,
    path: &[&str],
) -> Result<Url, SendFailure> {
    let mut address = endpoint(client)?;
    if let Ok(mut segments) = address.path_segments_mut() {
        segments.pop_if_empty();
        segments.push(&client.endpoints.graph_version).extend(path);
    }
    if let Some(proof) = proof(account) {
        address
            .query_pairs_mut()
            .append_pair("appsecret_proof", &proof);
    }
    Ok(address)
}

/// Shows Graph that the key is in the hands of the app that it was made for.
fn proof(account: &ChannelAccount) -> Option<String> {
    let secret = account.app_secret.as_ref()?.expose_secret();
    let token = account.token.expose_secret();
    let mac = hmac_sha256(secret.as_bytes(), &[token.as_bytes()]);
    (!secret.is_empty()).then(|| hex::encode(mac))
}

async fn answered(request: reqwest::RequestBuilder) -> Result<Value, SendFailure> {
    let response = request.send().await.map_err(|error| broken(&error))?;
    let (status, retry_after, body) = read_json(response).await?;
    if (200..300).contains(&status) {
        Ok(body)
    } else {
        Err(failure(status, retry_after, &body))
    }
}
