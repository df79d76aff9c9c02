//! All that the stand-ins remember. Everything has an end, and the oldest goes first.

use crate::account::SimulatedAccount;
use crate::clock::SimulatorClock;
use crate::customer::SimulatedCustomer;
use crate::delivery::DeliveryQueues;
use crate::failure::{PlannedFailure, SimulatedFailure};
use crate::ids;
use crate::message::{MessageAuthor, MessageState, SimulatedMessage, SimulatedSignal};
use crate::n8n::N8nRecords;
use serde::Serialize;
use serde_json::Value;
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc;

const MOST_ACCOUNTS: usize = 100;
const MOST_CUSTOMERS: usize = 1_000;
const MOST_MESSAGES: usize = 10_000;
const MOST_SIGNALS: usize = 10_000;
/// Of what was asked and of what was delivered, for whoever looks over the shoulder.
const MOST_LOGGED: usize = 500;
/// A longer body is not remembered.
pub(crate) const MOST_LOGGED_BYTES: usize = 64 * 1024;
const MOST_FILES: usize = 200;
const MOST_FILE_BYTES_IN_ALL: usize = 128 * 1024 * 1024;
const MOST_FAILURES_PLANNED: usize = 100;

pub(crate) struct SimulatorState {
    pub(crate) address: SocketAddr,
    pub(crate) clock: SimulatorClock,
    pub(crate) http: reqwest::Client,
    pub(crate) queues: DeliveryQueues,
    records: Mutex<Records>,
    /// Whoever wants to hear of what the business sends.
    followers: Mutex<Vec<mpsc::UnboundedSender<SimulatedMessage>>>,
}

#[derive(Default)]
pub(crate) struct Records {
    /// Rises with every change, so that a page knows whether to draw again.
    pub(crate) version: u64,
    accounts: Vec<AccountRecord>,
    customers: VecDeque<CustomerRecord>,
    messages: VecDeque<SimulatedMessage>,
    signals: VecDeque<SimulatedSignal>,
    requests: VecDeque<RequestRecord>,
    deliveries: VecDeque<DeliveryRecord>,
    files: VecDeque<FileRecord>,
    pub(crate) n8n: N8nRecords,
}

struct AccountRecord {
    account: SimulatedAccount,
    failures: VecDeque<PlannedFailure>,
    subscribed: bool,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct CustomerRecord {
    #[serde(skip)]
    pub(crate) account_id: String,
    #[serde(flatten)]
    pub(crate) customer: SimulatedCustomer,
    /// When they wrote last, in milliseconds since 1970.
    pub(crate) wrote_at: Option<i64>,
    #[serde(skip)]
    pub(crate) typing_until: i64,
}

/// Something that was asked of a stand-in.
#[derive(Clone, Debug, Serialize)]
pub struct RequestRecord {
    pub account_id: String,
    pub at: i64,
    pub method: String,
    /// Without what follows the question mark, in which a key may stand.
    pub path: String,
    pub body: Value,
    pub status: u16,
    pub answer: Value,
}

/// Something that was delivered to a business.
#[derive(Clone, Debug, Serialize)]
pub struct DeliveryRecord {
    pub account_id: String,
    pub at: i64,
    /// The message that it is about.
    pub message_id: Option<String>,
    pub body: Value,
    /// What the business answered; `None` where it could not be reached.
    pub status: Option<u16>,
}

/// A file that a customer has sent.
#[derive(Clone)]
pub(crate) struct FileRecord {
    pub(crate) id: String,
    pub(crate) account_id: String,
    pub(crate) mime_type: String,
    pub(crate) filename: Option<String>,
    pub(crate) bytes: std::sync::Arc<Vec<u8>>,
}

impl SimulatorState {
    pub(crate) fn new(address: SocketAddr, clock: SimulatorClock, http: reqwest::Client) -> Self {
        Self {
            address,
            clock,
            http,
            queues: DeliveryQueues::default(),
            records: Mutex::default(),
            followers: Mutex::default(),
        }
    }

    pub(crate) fn follow_sent(&self) -> mpsc::UnboundedReceiver<SimulatedMessage> {
        let (follower, heard) = mpsc::unbounded_channel();
        self.followers().push(follower);
        heard
    }

    fn followers(&self) -> MutexGuard<'_, Vec<mpsc::UnboundedSender<SimulatedMessage>>> {
        self.followers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn read<T>(&self, look: impl FnOnce(&Records) -> T) -> T {
        look(&self.records.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn edit<T>(&self, change: impl FnOnce(&mut Records) -> T) -> T {
        let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        records.version += 1;
        change(&mut records)
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn account(&self, account_id: &str) -> Option<SimulatedAccount> {
        self.read(|records| records.account(account_id).cloned())
    }

    /// Gives a message an id and a time and remembers it.
    pub(crate) fn record(
        &self,
        account: &SimulatedAccount,
        mut message: SimulatedMessage,
    ) -> SimulatedMessage {
        message.id = ids::message_id(account.channel);
        message.at = self.clock.now();
        self.edit(|records| records.add_message(message.clone()));
        if message.author == MessageAuthor::Business {
            // Who does not listen any more is forgotten.
            self.followers()
                .retain(|follower| follower.send(message.clone()).is_ok());
        }
        message
    }
}

impl Records {
    pub(crate) fn accounts(&self) -> impl Iterator<Item = &SimulatedAccount> {
        self.accounts.iter().map(|record| &record.account)
    }

    pub(crate) fn account(&self, account_id: &str) -> Option<&SimulatedAccount> {
        self.accounts()
            .find(|account| account.account_id == account_id)
    }

    fn record_of(&mut self, account_id: &str) -> Option<&mut AccountRecord> {
        let mut records = self.accounts.iter_mut();
        records.find(|record| record.account.account_id == account_id)
    }

    /// Adds an account, or puts it in the place of the one with its id.
    pub(crate) fn connect(&mut self, account: SimulatedAccount) {
        if let Some(record) = self.record_of(&account.account_id) {
            record.account = account;
            return;
        }
        if self.accounts.len() == MOST_ACCOUNTS {
            self.accounts.remove(0);
        }
        self.accounts.push(AccountRecord {
            account,
            failures: VecDeque::new(),
            subscribed: true,
        });
    }

    pub(crate) fn is_subscribed(&self, account_id: &str) -> bool {
        let mut records = self.accounts.iter();
        let record = records.find(|record| record.account.account_id == account_id);
        record.is_some_and(|record| record.subscribed)
    }

    pub(crate) fn subscribe(&mut self, account_id: &str, subscribed: bool) {
        if let Some(record) = self.record_of(account_id) {
            record.subscribed = subscribed;
        }
    }

    pub(crate) fn plan(&mut self, account_id: &str, planned: PlannedFailure) {
        let record = self.record_of(account_id);
        if let Some(record) = record.filter(|r| r.failures.len() < MOST_FAILURES_PLANNED) {
            record.failures.push_back(planned);
        }
    }

    pub(crate) fn forget_failures(&mut self, account_id: &str) {
        if let Some(record) = self.record_of(account_id) {
            record.failures.clear();
        }
    }

    /// The failure that the next message meets.
    pub(crate) fn next_failure(&mut self, account_id: &str) -> Option<SimulatedFailure> {
        let record = self.record_of(account_id)?;
        while record
            .failures
            .front()
            .is_some_and(|planned| planned.times == 0)
        {
            record.failures.pop_front();
        }
        let planned = record.failures.front_mut()?;
        planned.times -= 1;
        Some(planned.failure.clone())
    }

    pub(crate) fn failures_left(&self, account_id: &str) -> usize {
        let mut records = self.accounts.iter();
        let record = records.find(|record| record.account.account_id == account_id);
        record.map_or(0, |record| record.failures.iter().map(|p| p.times).sum())
    }

    pub(crate) fn customers(&self, account_id: &str) -> impl Iterator<Item = &CustomerRecord> {
        self.customers
            .iter()
            .filter(move |record| record.account_id == account_id)
    }

    pub(crate) fn customer(&self, account_id: &str, id: &str) -> Option<&CustomerRecord> {
        self.customers(account_id)
            .find(|record| record.customer.id == id)
    }

    /// Remembers a customer, or what is new about one. Who was heard of last is forgotten last.
    pub(crate) fn meet(&mut self, account_id: &str, customer: &SimulatedCustomer) {
        let mut records = self.customers.iter();
        let at = records.position(|record| {
            record.account_id == account_id && record.customer.id == customer.id
        });
        let before = at.and_then(|at| self.customers.remove(at));
        let record = CustomerRecord {
            account_id: account_id.to_owned(),
            customer: customer.clone(),
            wrote_at: before.as_ref().and_then(|record| record.wrote_at),
            typing_until: before.map_or(0, |record| record.typing_until),
        };
        push(&mut self.customers, record, MOST_CUSTOMERS);
    }

    pub(crate) fn customer_mut(
        &mut self,
        account_id: &str,
        id: &str,
    ) -> Option<&mut CustomerRecord> {
        let mut records = self.customers.iter_mut();
        records.find(|record| record.account_id == account_id && record.customer.id == id)
    }

    fn add_message(&mut self, message: SimulatedMessage) {
        let customer = self.customer_mut(&message.account_id, &message.customer_id);
        if let Some(customer) = customer {
            match message.author {
                MessageAuthor::Customer => customer.wrote_at = Some(message.at),
                // Whoever has written does not write any more.
                MessageAuthor::Business | MessageAuthor::Owner => customer.typing_until = 0,
            }
        }
        push(&mut self.messages, message, MOST_MESSAGES);
    }

    pub(crate) fn messages(
        &self,
        account_id: &str,
    ) -> impl DoubleEndedIterator<Item = &SimulatedMessage> {
        self.messages
            .iter()
            .filter(move |message| message.account_id == account_id)
    }

    pub(crate) fn message(&self, account_id: &str, id: &str) -> Option<&SimulatedMessage> {
        self.messages(account_id)
            .rev()
            .find(|message| message.id == id)
    }

    pub(crate) fn message_mut(
        &mut self,
        account_id: &str,
        id: &str,
    ) -> Option<&mut SimulatedMessage> {
        let mut messages = self.messages.iter_mut().rev();
        messages.find(|message| message.account_id == account_id && message.id == id)
    }

    /// A message comes further. Nothing goes back, and what failed stays so.
    pub(crate) fn advance(&mut self, account_id: &str, id: &str, state: MessageState) {
        if let Some(message) = self.message_mut(account_id, id)
            && message.state < state
        {
            message.state = state;
        }
    }

    /// What a customer wrote was read, up to a message.
    pub(crate) fn read_up_to(&mut self, account_id: &str, customer_id: &str, id: &str) {
        self.mark_read(account_id, customer_id, id, true);
    }

    /// A customer has read everything of the business up to a message.
    pub(crate) fn seen_up_to(&mut self, account_id: &str, customer_id: &str, id: &str) {
        self.mark_read(account_id, customer_id, id, false);
    }

    fn mark_read(&mut self, account_id: &str, customer_id: &str, id: &str, by_customer: bool) {
        let last = self.messages.iter().rposition(|message| message.id == id);
        let messages = self
            .messages
            .iter_mut()
            .take(last.map_or(0, |last| last + 1));
        let read = messages.filter(|message| {
            message.account_id == account_id
                && message.customer_id == customer_id
                && by_customer == (message.author == MessageAuthor::Customer)
        });
        for message in read {
            message.state = message.state.max(MessageState::Read);
        }
    }

    pub(crate) fn read_all(&mut self, account_id: &str, customer_id: &str) {
        if let Some(last) = self.messages.back().map(|message| message.id.clone()) {
            self.read_up_to(account_id, customer_id, &last);
        }
    }

    pub(crate) fn signal(&mut self, signal: SimulatedSignal) {
        push(&mut self.signals, signal, MOST_SIGNALS);
    }

    pub(crate) fn signals(&self, account_id: &str) -> impl Iterator<Item = &SimulatedSignal> {
        self.signals
            .iter()
            .filter(move |signal| signal.account_id == account_id)
    }

    pub(crate) fn log_request(&mut self, record: RequestRecord) {
        push(&mut self.requests, record, MOST_LOGGED);
    }

    pub(crate) fn requests(
        &self,
        account_id: &str,
    ) -> impl DoubleEndedIterator<Item = &RequestRecord> {
        self.requests
            .iter()
            .filter(move |record| record.account_id == account_id)
    }

    pub(crate) fn log_delivery(&mut self, record: DeliveryRecord) {
        push(&mut self.deliveries, record, MOST_LOGGED);
    }

    pub(crate) fn deliveries(
        &self,
        account_id: &str,
    ) -> impl DoubleEndedIterator<Item = &DeliveryRecord> {
        self.deliveries
            .iter()
            .filter(move |record| record.account_id == account_id)
    }

    pub(crate) fn add_file(&mut self, file: FileRecord) {
        push(&mut self.files, file, MOST_FILES);
        let bytes =
            |files: &VecDeque<FileRecord>| files.iter().map(|f| f.bytes.len()).sum::<usize>();
        while bytes(&self.files) > MOST_FILE_BYTES_IN_ALL {
            self.files.pop_front();
        }
    }

    pub(crate) fn file(&self, id: &str) -> Option<&FileRecord> {
        self.files.iter().find(|file| file.id == id)
    }
}

/// Adds to the end, and takes from the beginning what is too much.
pub(crate) fn push<T>(queue: &mut VecDeque<T>, item: T, most: usize) {
    if queue.len() >= most {
        queue.pop_front();
    }
    queue.push_back(item);
}

/// A body as it is remembered: one that is too long is not.
pub(crate) fn remembered(body: &Value, bytes: usize) -> Value {
    if bytes > MOST_LOGGED_BYTES {
        Value::String(format!("{bytes} bytes are too long to be remembered"))
    } else {
        body.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::SimulatedChannel;

    #[test]
    fn the_oldest_is_forgotten_first() {
        let mut records = Records::default();
        for n in 0..=MOST_CUSTOMERS {
            records.meet("1", &SimulatedCustomer::new(format!("5190000{n}"), "Rosa"));
            if n == 10 {
                records.meet("1", &SimulatedCustomer::new("51900000", "Rosa"));
            }
        }
        assert_eq!(records.customers("1").count(), MOST_CUSTOMERS);
        assert!(
            records.customer("1", "51900000").is_some(),
            "heard of again"
        );
        assert!(records.customer("1", "51900001").is_none());
        for n in 0..=MOST_MESSAGES {
            let mut message = SimulatedMessage::new(MessageAuthor::Customer, "1", "51900000");
            message.id = n.to_string();
            records.add_message(message);
        }
        assert_eq!(records.messages("1").count(), MOST_MESSAGES);
        assert!(records.message("1", "0").is_none());
        assert!(records.message("1", "1").is_some());
        for n in 0..=MOST_ACCOUNTS {
            records.connect(SimulatedAccount::new(
                SimulatedChannel::Voice,
                n.to_string(),
                "",
            ));
        }
        assert_eq!(records.accounts().count(), MOST_ACCOUNTS);
        assert!(records.account("0").is_none());
    }

    #[test]
    fn what_failed_stays_so() {
        let mut records = Records::default();
        let mut message = SimulatedMessage::new(MessageAuthor::Business, "1", "2");
        message.id = "m".to_owned();
        records.add_message(message);
        let state = |records: &Records| records.message("1", "m").unwrap().state;
        for (next, expected) in [
            (MessageState::Delivered, MessageState::Delivered),
            (MessageState::Sent, MessageState::Delivered),
            (MessageState::Failed, MessageState::Failed),
            (MessageState::Read, MessageState::Failed),
        ] {
            records.advance("1", "m", next);
            assert_eq!(state(&records), expected);
        }
    }

    #[test]
    fn files_are_held_up_to_a_size_in_all() {
        let mut records = Records::default();
        for n in 0..30 {
            records.add_file(FileRecord {
                id: n.to_string(),
                account_id: "1".to_owned(),
                mime_type: "image/png".to_owned(),
                filename: None,
                bytes: std::sync::Arc::new(vec![0; 5 * 1024 * 1024]),
            });
        }
        assert!(records.file("0").is_none());
        assert!(records.file("29").is_some());
        assert_eq!(records.files.len(), 25);
    }
}
