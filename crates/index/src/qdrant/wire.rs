//! Calls to the server: each bounded in time and size, and made again when that may help.
//!
//! Every call of this engine can be made twice with the effect of once: points have names that
//! follow from what they hold, deletions are by filter, and a record is claimed with a token. So
//! any call whose answer was lost is simply made again.

use super::fault::{Fault, Outcome, excerpt};
use super::settings::QdrantSettings;
use quipu_core::{Error, Result};
use reqwest::header::HeaderValue;
use reqwest::{Certificate, Client, Method, Response, StatusCode, redirect};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::time::Duration;
use tokio::time::timeout;
use url::Url;

const USER_AGENT: &str = concat!("Quipu/", env!("CARGO_PKG_VERSION"));
/// What is read of an answer that says what is wrong.
const MOST_ERROR_BYTES: usize = 64 << 10;
/// The longest wait between two attempts.
const LONGEST_WAIT: Duration = Duration::from_secs(2);

pub(super) struct Wire {
    client: Client,
    base: String,
    key: Option<SecretString>,
    timeout: Duration,
    attempts: u32,
    first_wait: Duration,
    answer_bytes: usize,
}

/// What every answer is wrapped in.
#[derive(Deserialize)]
struct Envelope<T> {
    result: T,
}

/// Whether a call that failed may work when it is made again.
enum Failed {
    Passing(Fault),
    Lasting(Fault),
}

impl Wire {
    pub(super) fn new(settings: &QdrantSettings) -> Result<Self> {
        let base = Url::parse(&settings.url)
            .map_err(|error| Error::internal(format!("the address of Qdrant: {error}")))?;
        if !matches!(base.scheme(), "http" | "https") {
            return Err(Error::internal("Qdrant is spoken to over http or https"));
        }
        if base.scheme() == "http" && settings.api_key.is_some() && !is_loopback(&base) {
            tracing::warn!("The API key of Qdrant travels unencrypted: use an https address");
        }
        let mut client = Client::builder()
            .user_agent(USER_AGENT)
            .no_proxy()
            .redirect(redirect::Policy::none())
            .referer(false)
            .http1_only()
            .connect_timeout(settings.connect_timeout);
        if let Some(pem) = &settings.certificates {
            let trusted = Certificate::from_pem_bundle(pem).map_err(Error::internal)?;
            client = client.tls_certs_merge(trusted);
        }
        Ok(Self {
            client: client.build().map_err(Error::internal)?,
            base: base.as_str().trim_end_matches('/').to_owned(),
            key: settings.api_key.clone(),
            timeout: settings.timeout,
            attempts: settings.attempts.max(1),
            first_wait: settings.first_wait,
            answer_bytes: settings.answer_bytes,
        })
    }

    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str) -> Outcome<T> {
        self.call(Method::GET, path, None).await
    }

    pub(super) async fn post<T: DeserializeOwned>(&self, path: &str, body: &Value) -> Outcome<T> {
        self.call(Method::POST, path, Some(body.to_string())).await
    }

    pub(super) async fn put<T: DeserializeOwned>(&self, path: &str, body: String) -> Outcome<T> {
        self.call(Method::PUT, path, Some(body)).await
    }

    /// Makes a call until it is answered, refused, or no attempt is left.
    async fn call<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<String>,
    ) -> Outcome<T> {
        let mut failures = 0;
        loop {
            let attempt = self.attempt(&method, path, body.clone());
            let outcome = timeout(self.timeout, attempt).await.unwrap_or_else(|_| {
                // It took all the time there was; whoever waits for it has waited enough.
                let why = format!("no whole answer within {:?}", self.timeout);
                Err(Failed::Lasting(Fault::Unavailable(why)))
            });
            failures += 1;
            match outcome {
                Ok(answer) => return Ok(answer),
                Err(Failed::Passing(fault)) if failures >= self.attempts => return Err(fault),
                Err(Failed::Passing(fault)) => {
                    let wait = self.wait(failures);
                    tracing::debug!(cause = %fault, ?wait, "A call to Qdrant is made again");
                    tokio::time::sleep(wait).await;
                }
                Err(Failed::Lasting(fault)) => return Err(fault),
            }
        }
    }

    async fn attempt<T: DeserializeOwned>(
        &self,
        method: &Method,
        path: &str,
        body: Option<String>,
    ) -> Result<T, Failed> {
        let mut request = self
            .client
            .request(method.clone(), format!("{}{path}", self.base));
        if let Some(key) = &self.key {
            request = request.header("api-key", header(key)?);
        }
        if let Some(body) = body {
            request = request
                .header("content-type", "application/json")
                .body(body);
        }
        let response = request.send().await.map_err(unreachable)?;
        let status = response.status();
        if !status.is_success() {
            return Err(self.refused(status, path, response).await);
        }
        let (body, whole) = read(response, self.answer_bytes).await?;
        if !whole {
            let why = format!("an answer of more than {} bytes", self.answer_bytes);
            return Err(Failed::Lasting(Fault::TooLong(why)));
        }
        let answer: Envelope<T> = serde_json::from_slice(&body).map_err(|error| {
            let why = format!("{error}, in {:?}", self.excerpt(&body));
            Failed::Lasting(Fault::Garbled(why))
        })?;
        Ok(answer.result)
    }

    async fn refused(&self, status: StatusCode, path: &str, response: Response) -> Failed {
        // Why it was refused is good to know, but not having it changes nothing.
        let said = match read(response, MOST_ERROR_BYTES).await {
            Ok((body, _)) => self.excerpt(&body),
            Err(_) => String::new(),
        };
        match status.as_u16() {
            code @ (408 | 429 | 500..=599) => {
                Failed::Passing(Fault::Unavailable(format!("status {code}, {said:?}")))
            }
            404 => Failed::Lasting(Fault::Missing(format!("{path}: {said:?}"))),
            code => Failed::Lasting(Fault::Refused(code, format!("{said:?}"))),
        }
    }

    fn excerpt(&self, body: &[u8]) -> String {
        excerpt(body, self.key.as_ref().map(ExposeSecret::expose_secret))
    }

    fn wait(&self, failures: u32) -> Duration {
        let doubled = 2_u32.saturating_pow(failures - 1);
        let wait = self.first_wait.saturating_mul(doubled).min(LONGEST_WAIT);
        wait.mul_f64(0.5 + 0.5 * chance())
    }
}

/// Between 0 and 1, so that those who failed together do not come back together.
fn chance() -> f64 {
    f64::from(getrandom::u32().unwrap_or(u32::MAX)) / f64::from(u32::MAX)
}

fn is_loopback(base: &Url) -> bool {
    match base.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

fn header(key: &SecretString) -> Result<HeaderValue, Failed> {
    let mut value = HeaderValue::from_str(key.expose_secret().trim()).map_err(|_| {
        let why = "the API key has characters that no key has";
        Failed::Lasting(Fault::Unavailable(why.to_owned()))
    })?;
    value.set_sensitive(true);
    Ok(value)
}

/// Tells a client's error with its causes but without the address.
fn unreachable(error: reqwest::Error) -> Failed {
    let lasting = error.is_builder() || error.is_decode();
    let error = error.without_url();
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    let fault = Fault::Unavailable(text);
    if lasting {
        Failed::Lasting(fault)
    } else {
        Failed::Passing(fault)
    }
}

/// At most so many bytes of an answer, and whether that is all of it.
async fn read(mut response: Response, most: usize) -> Result<(Vec<u8>, bool), Failed> {
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
