//! One call to a server: send, read what comes back up to a bound, and say what is wrong with it.

use super::clients::{Clients, unreachable};
use super::fault::{Fault, Then, excerpt};
use super::retry::retry_after;
use super::target::Target;
use bytes::Bytes;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue};
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// What is read of an answer that says what is wrong.
const MOST_ERROR_BYTES: usize = 64 * 1024;

/// A server and the key that it is asked with.
pub(crate) struct Endpoint {
    target: Target,
    key: Option<SecretString>,
    clients: Arc<Clients>,
    /// Whether what the server said is left out of what is told of its faults.
    discreet: bool,
    /// The header that carries the key where it is not the usual one.
    key_header: Option<HeaderName>,
    /// What every request says besides.
    headers: Vec<(HeaderName, HeaderValue)>,
}

/// What a server answers with when it is not asked for a whole answer.
pub(crate) enum Opened {
    Answer(Incoming),
    Refused(Refused),
}

/// An answer that comes in pieces. Dropped, it closes the connection.
pub(crate) struct Incoming(Response);

impl Incoming {
    /// The next piece, wherever the network cut it; `None` at the end.
    pub(crate) async fn piece(&mut self) -> Result<Option<Bytes>, Fault> {
        self.0.chunk().await.map_err(unreachable)
    }
}

/// A status that says no, and what was said with it.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) status: u16,
    pub(crate) after: Option<Duration>,
    pub(crate) body: Vec<u8>,
}

impl Endpoint {
    pub(crate) fn new(target: Target, key: Option<SecretString>, clients: Arc<Clients>) -> Self {
        Self {
            target,
            key,
            clients,
            discreet: false,
            key_header: None,
            headers: Vec::new(),
        }
    }

    /// For a server that wants the key in a header of its own.
    pub(crate) fn with_key_in(mut self, header: &'static str) -> Self {
        self.key_header = Some(HeaderName::from_static(header));
        self
    }

    pub(crate) fn with_header(mut self, name: &'static str, value: &'static str) -> Self {
        let value = HeaderValue::from_static(value);
        self.headers.push((HeaderName::from_static(name), value));
        self
    }

    /// For a server that may send back what it was sent, which is for no log.
    pub(crate) fn discreet(mut self) -> Self {
        self.discreet = true;
        self
    }

    /// Sends a body and has the answer understood, all of it within `patience`. An answer of more
    /// than `most_bytes` is not read to its end.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        body: &Value,
        most_bytes: usize,
        patience: Duration,
        understand: impl FnOnce(&[u8]) -> Result<T, String> + Send + 'static,
    ) -> Result<T, Fault> {
        // Making the client is no fault of the server's.
        let client = self.clients.of(self.target.trust).await?;
        let call = async {
            let answer = self.exchange(client, body, most_bytes).await?;
            self.understand(answer, understand).await
        };
        timeout(patience, call).await.unwrap_or_else(|_| {
            Err(Fault {
                then: Then::TimedOut,
                why: format!("no whole answer within {patience:?}"),
            })
        })
    }

    async fn exchange(
        &self,
        client: &Client,
        body: &Value,
        most_bytes: usize,
    ) -> Result<Vec<u8>, Fault> {
        let request = client.post(self.target.url.clone()).json(body);
        let response = self.signed(request)?.send().await.map_err(unreachable)?;
        let status = response.status();
        if !status.is_success() {
            return Err(self.refused(status, response).await);
        }
        match read(response, most_bytes).await? {
            (body, true) => Ok(body),
            (_, false) => Err(Fault::lasting(format!(
                "an answer of more than {most_bytes} bytes"
            ))),
        }
    }

    /// Sends a body that is written already and returns as soon as the server has begun to answer.
    /// How long that may take is for the caller to say.
    pub(crate) async fn open(&self, body: Bytes) -> Result<Opened, Fault> {
        let client = self.clients.of(self.target.trust).await?;
        let request = client.post(self.target.url.clone());
        let request = request.header(CONTENT_TYPE, "application/json").body(body);
        let response = self.signed(request)?.send().await.map_err(unreachable)?;
        if response.status().is_success() {
            return Ok(Opened::Answer(Incoming(response)));
        }
        let status = response.status().as_u16();
        let after = retry_after(response.headers());
        let body = match read(response, MOST_ERROR_BYTES).await {
            Ok((body, _)) => body,
            Err(_) => Vec::new(),
        };
        Ok(Opened::Refused(Refused {
            status,
            after,
            body,
        }))
    }

    /// Whether a text holds the key, and is for no log.
    pub(crate) fn is_secret(&self, text: &str) -> bool {
        let key = self.key.as_ref().map(|key| key.expose_secret().trim());
        key.is_some_and(|key| !key.is_empty() && text.contains(key))
    }

    fn signed(&self, mut request: RequestBuilder) -> Result<RequestBuilder, Fault> {
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        Ok(match (&self.key, &self.key_header) {
            (Some(key), Some(header)) => request.header(header, secret(key, "")?),
            (Some(key), None) => request.header(AUTHORIZATION, secret(key, "Bearer ")?),
            (None, _) => request,
        })
    }

    /// Reads an answer beside the tasks that wait for the network: a large one takes a while.
    async fn understand<T: Send + 'static>(
        &self,
        body: Vec<u8>,
        understand: impl FnOnce(&[u8]) -> Result<T, String> + Send + 'static,
    ) -> Result<T, Fault> {
        tokio::task::spawn_blocking(move || understand(&body).map_err(|why| (why, body)))
            .await
            .map_err(|e| Fault::passing(e.to_string()))?
            .map_err(|(why, body)| Fault::lasting(format!("{why}, in {:?}", self.excerpt(&body))))
    }

    async fn refused(&self, status: StatusCode, response: Response) -> Fault {
        let after = retry_after(response.headers());
        let then = match status.as_u16() {
            408 | 409 | 429 | 500..=599 => Then::Retry(after),
            _ => Then::GiveUp,
        };
        // Why it was refused is good to know, but not having it changes nothing.
        let said = match read(response, MOST_ERROR_BYTES).await {
            Ok((body, _)) => self.excerpt(&body),
            Err(_) => String::new(),
        };
        let why = format!("status {}, {said:?}", status.as_u16());
        Fault { then, why }
    }

    fn excerpt(&self, body: &[u8]) -> String {
        if self.discreet {
            return format!("{} bytes", body.len());
        }
        let key = self.key.as_ref().map(ExposeSecret::expose_secret);
        excerpt(body, key.map(str::trim))
    }
}

fn secret(key: &SecretString, scheme: &str) -> Result<HeaderValue, Fault> {
    let mut value = HeaderValue::from_str(&format!("{scheme}{}", key.expose_secret().trim()))
        .map_err(|_| Fault::lasting("the key has characters that no key has"))?;
    value.set_sensitive(true);
    Ok(value)
}

/// At most so many bytes of an answer, and whether that is all of it.
async fn read(mut response: Response, most: usize) -> Result<(Vec<u8>, bool), Fault> {
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(unreachable)? {
        let room = most - body.len();
        if piece.len() > room {
            body.extend_from_slice(&piece[..room]);
            return Ok((body, false));
        }
        body.extend_from_slice(&piece);
    }
    Ok((body, true))
}
