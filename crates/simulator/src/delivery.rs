//! Carries what happens on a channel to the business: signed, and in order for each account.

use crate::account::{SimulatedAccount, SimulatedChannel};
use crate::message::MessageState;
use crate::signature::{delivery_header, escaped_json};
use crate::state::{DeliveryRecord, SimulatorState, remembered};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use url::Url;
use uuid::Uuid;

/// How many deliveries of an account may wait. What comes on top is lost.
const MOST_WAITING: usize = 10_000;
/// How often a delivery is tried again that did not arrive.
const RETRY_PAUSES: [Duration; 2] = [Duration::from_millis(200), Duration::from_secs(1)];
/// How much of the answer of a business is read.
const MOST_ANSWER_BYTES: usize = 256 * 1024;

/// A delivery that is made in the background.
pub(crate) struct QueuedDelivery {
    pub(crate) body: Value,
    pub(crate) message_id: Option<String>,
    /// What the message becomes when this is delivered.
    pub(crate) becomes: Option<MessageState>,
    /// How long to wait before. What waits in front of it counts.
    pub(crate) pause: Duration,
}

/// A delivery, and when it is made at the earliest.
type TimedDelivery = (Instant, QueuedDelivery);

pub(crate) struct DeliveryQueues {
    queues: Mutex<HashMap<String, mpsc::Sender<TimedDelivery>>>,
    /// How many deliveries are still to be made.
    waiting: watch::Sender<usize>,
    pub(crate) stop: CancellationToken,
    pub(crate) tasks: TaskTracker,
}

/// What a business answered.
pub(crate) struct DeliveryAnswer {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

/// What became of the handshake before the first delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookVerification {
    /// The right token was answered with the challenge, and a wrong one was not.
    pub right: bool,
    /// In English.
    pub reason: String,
}

impl Default for DeliveryQueues {
    fn default() -> Self {
        Self {
            queues: Mutex::default(),
            waiting: watch::channel(0).0,
            stop: CancellationToken::new(),
            tasks: TaskTracker::new(),
        }
    }
}

impl DeliveryQueues {
    /// Waits until nothing is left to deliver.
    pub(crate) async fn settle(&self) {
        let mut waiting = self.waiting.subscribe();
        // The sender is ours, so it is there.
        let _ = waiting.wait_for(|waiting| *waiting == 0).await;
    }
}

impl SimulatorState {
    /// Delivers in the background, after what is on its way to the account already.
    pub(crate) fn deliver_later(self: &Arc<Self>, account_id: &str, delivery: QueuedDelivery) {
        let mut queues = self
            .queues
            .queues
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let queue = queues.entry(account_id.to_owned()).or_insert_with(|| {
            let (sender, receiver) = mpsc::channel(MOST_WAITING);
            let worker = Arc::clone(self).carry(account_id.to_owned(), receiver);
            self.queues.tasks.spawn(worker);
            sender
        });
        // Counted before, since it may be carried before this goes on.
        self.queues.waiting.send_modify(|waiting| *waiting += 1);
        let due = Instant::now() + delivery.pause;
        if queue.try_send((due, delivery)).is_err() {
            self.queues
                .waiting
                .send_modify(|waiting| *waiting = waiting.saturating_sub(1));
        }
    }

    async fn carry(self: Arc<Self>, account_id: String, mut queue: mpsc::Receiver<TimedDelivery>) {
        let work = async {
            while let Some((due, queued)) = queue.recv().await {
                tokio::time::sleep_until(due).await;
                self.carry_one(&account_id, queued).await;
                self.queues
                    .waiting
                    .send_modify(|waiting| *waiting = waiting.saturating_sub(1));
            }
        };
        tokio::select! {
            () = work => {}
            () = self.queues.stop.cancelled() => {}
        }
    }

    async fn carry_one(&self, account_id: &str, queued: QueuedDelivery) {
        // It may have moved since.
        let Some(account) = self.account(account_id) else {
            return;
        };
        if let (Some(id), Some(state)) = (&queued.message_id, queued.becomes) {
            self.edit(|records| records.advance(account_id, id, state));
        }
        let mut pauses = RETRY_PAUSES.into_iter();
        loop {
            let answer = self
                .deliver(&account, &queued.body, queued.message_id.as_deref())
                .await;
            let arrived = answer.is_ok_and(|answer| answer.status < 500);
            match pauses.next() {
                Some(pause) if !arrived => tokio::time::sleep(pause).await,
                _ => return,
            }
        }
    }

    /// Signs a body and brings it to the business.
    pub(crate) async fn deliver(
        &self,
        account: &SimulatedAccount,
        body: &Value,
        message_id: Option<&str>,
    ) -> Result<DeliveryAnswer, String> {
        let text = match account.channel {
            SimulatedChannel::Tiktok | SimulatedChannel::Voice => body.to_string(),
            _ => escaped_json(body),
        };
        let bytes = text.len();
        let (header, value) = delivery_header(account, self.clock.now(), text.as_bytes());
        let request = self
            .http
            .post(&account.webhook_url)
            .header("content-type", "application/json")
            .header(header, value)
            .body(text);
        let answer = match request.send().await {
            Ok(response) => read(response).await,
            Err(error) => Err(fault(&error).to_owned()),
        };
        let record = DeliveryRecord {
            account_id: account.account_id.clone(),
            at: self.clock.now(),
            message_id: message_id.map(str::to_owned),
            body: remembered(body, bytes),
            status: answer.as_ref().ok().map(|answer| answer.status),
        };
        self.edit(|records| records.log_delivery(record));
        answer
    }

    /// Asks the business for the challenge, as Meta does before it delivers anything.
    pub(crate) async fn verify(
        &self,
        account: &SimulatedAccount,
    ) -> Result<WebhookVerification, String> {
        let challenge = (Uuid::now_v7().as_u128() % 10_000_000_000).to_string();
        let (status, answer) = self
            .challenge(account, &account.verify_token, &challenge)
            .await?;
        let wrong = |reason: String| WebhookVerification {
            right: false,
            reason,
        };
        if status != 200 {
            return Ok(wrong(format!(
                "the right token was answered with status {status}"
            )));
        }
        if answer != challenge.as_bytes() {
            return Ok(wrong(
                "the answer is not the challenge, and nothing else".to_owned(),
            ));
        }
        let mistaken = format!("{}x", account.verify_token);
        let (status, answer) = self.challenge(account, &mistaken, &challenge).await?;
        if status < 400 || answer == challenge.as_bytes() {
            return Ok(wrong(format!(
                "a wrong token was answered with status {status}"
            )));
        }
        Ok(WebhookVerification {
            right: true,
            reason: "the challenge came back, and a wrong token was refused".to_owned(),
        })
    }

    async fn challenge(
        &self,
        account: &SimulatedAccount,
        token: &str,
        challenge: &str,
    ) -> Result<(u16, Vec<u8>), String> {
        let mut url = Url::parse(&account.webhook_url)
            .map_err(|_| "the address of the webhook is none".to_owned())?;
        url.query_pairs_mut()
            .append_pair("hub.mode", "subscribe")
            .append_pair("hub.challenge", challenge)
            .append_pair("hub.verify_token", token);
        let response = self
            .http
            .get(url)
            .send()
            .await
            .map_err(|error| fault(&error).to_owned())?;
        let answer = read(response).await?;
        Ok((answer.status, answer.body))
    }
}

async fn read(mut response: reqwest::Response) -> Result<DeliveryAnswer, String> {
    let status = response.status().as_u16();
    let mut body = Vec::new();
    while let Some(chunk) = response
        .chunk()
        .await
        .map_err(|error| fault(&error).to_owned())?
    {
        if body.len() + chunk.len() > MOST_ANSWER_BYTES {
            return Err(format!(
                "the answer is longer than {MOST_ANSWER_BYTES} bytes"
            ));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(DeliveryAnswer { status, body })
}

/// Without the address, in which a key may stand.
fn fault(error: &reqwest::Error) -> &'static str {
    if error.is_timeout() {
        "the webhook did not answer in time"
    } else if error.is_connect() {
        "the webhook could not be reached"
    } else if error.is_builder() {
        "the address of the webhook is none"
    } else {
        "the connection to the webhook broke"
    }
}
