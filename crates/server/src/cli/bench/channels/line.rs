//! A business with an account of WhatsApp, and customers who write to it.

use super::arrivals::Arrivals;
use super::chance::Chance;
use crate::cli::own_tenant::{OwnTenant, text};
use anyhow::{anyhow, bail};
use quipu_simulator::{
    CustomerWrites, PreparedDelivery, SimulatedAccount, SimulatedChannel, SimulatedCustomer,
    Simulator,
};
use serde_json::json;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

const ACCOUNT: &str = "106540352242922";
/// What customers ask. Each has its answer in the demo business, and none calls for a person.
const QUESTIONS: [&str; 4] = [
    "cuánto cuesta la limpieza dental?",
    "a qué hora abren?",
    "hola",
    "hola, qué precio tiene la limpieza dental?",
];
/// How long a delivery is tried again that nobody acknowledged. Meta does for days.
const PATIENCE: Duration = Duration::from_mins(3);
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(3);

pub(super) struct ChannelLine {
    simulator: Simulator,
    account: SimulatedAccount,
    pub(super) arrivals: Arc<Arrivals>,
    /// The ids of all messages of customers.
    written: Mutex<Vec<String>>,
    /// How many of them were acknowledged.
    taken: watch::Sender<usize>,
    redelivered: AtomicUsize,
}

impl ChannelLine {
    /// Starts the stand-in of the channel. Nobody can write before [`Self::connect`].
    pub(super) async fn open() -> anyhow::Result<Self> {
        let simulator = Simulator::start(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?;
        Ok(Self {
            account: SimulatedAccount::new(SimulatedChannel::Whatsapp, ACCOUNT, ""),
            arrivals: Arrivals::follow(&simulator),
            simulator,
            written: Mutex::default(),
            taken: watch::channel(0).0,
            redelivered: AtomicUsize::new(0),
        })
    }

    /// Where the servers of all channels are.
    pub(super) fn url(&self) -> String {
        self.simulator.url()
    }

    /// Connects the account with a tenant, whose servers are behind an address.
    pub(super) async fn connect(
        &mut self,
        tenant: &OwnTenant,
        servers: &str,
    ) -> anyhow::Result<()> {
        let account = &mut self.account;
        let body = json!({
            "channel": "whatsapp",
            "name": "WhatsApp",
            "account_id": account.account_id,
            "parent_id": account.parent_id,
            "token": account.token,
            "app_secret": account.app_secret,
            "settings": { "debounce_ms": 0 },
        });
        let connected = tenant.post("/api/v1/channels", &body).await?;
        let path = text(&connected["webhook"], "path")?;
        account.webhook_url = format!("{servers}{path}");
        account.verify_token = text(&connected["webhook"], "verify_token")?;
        self.simulator.connect(account.clone());
        Ok(())
    }

    /// Somebody who writes. The same number is the same person.
    pub(super) fn customer(number: usize) -> SimulatedCustomer {
        SimulatedCustomer::new(format!("519{number:08}"), format!("Cliente {number}"))
    }

    /// Has a customer write something, which is delivered by [`Self::deliver`].
    pub(super) fn write(
        &self,
        customer: &SimulatedCustomer,
        chance: &mut Chance,
    ) -> anyhow::Result<PreparedDelivery> {
        let question = QUESTIONS[chance.below(QUESTIONS.len())];
        let content = CustomerWrites::text(question);
        let prepared = self
            .simulator
            .prepare(&self.account.account_id, customer, content)
            .map_err(|why| anyhow!("the stand-in of the channel: {why}"))?;
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.push(prepared.message_id().to_owned());
        drop(written);
        Ok(prepared)
    }

    /// The ids of all messages of customers so far.
    pub(super) fn written(&self) -> Vec<String> {
        let written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.clone()
    }

    /// How many messages were acknowledged, now and whenever that changes.
    pub(super) fn taken(&self) -> watch::Receiver<usize> {
        self.taken.subscribe()
    }

    /// How often something had to be delivered again that was not acknowledged.
    pub(super) fn redelivered(&self) -> usize {
        self.redelivered.load(Ordering::Relaxed)
    }

    /// Delivers until it is acknowledged, as Meta does. Returns whether it was the first time.
    pub(super) async fn deliver(&self, prepared: &PreparedDelivery) -> anyhow::Result<bool> {
        let began = Instant::now();
        let mut pause = FIRST_PAUSE;
        let mut at_once = true;
        while let Err(why) = self.deliver_once(prepared).await {
            if began.elapsed() > PATIENCE {
                bail!("a delivery was not acknowledged within {PATIENCE:?}: {why}");
            }
            at_once = false;
            self.redelivered.fetch_add(1, Ordering::Relaxed);
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        self.taken.send_modify(|taken| *taken += 1);
        Ok(at_once)
    }

    /// Delivers once. Everything but a 2xx is told as what went wrong.
    pub(super) async fn deliver_once(&self, prepared: &PreparedDelivery) -> Result<(), String> {
        let delivered = self.simulator.deliver(prepared).await?;
        match delivered.status {
            200..300 => Ok(()),
            status => Err(format!("status {status}")),
        }
    }

    /// Waits until the business was told of everything that is to be told in the background.
    pub(super) async fn settle(&self) {
        self.simulator.settle().await;
    }
}
