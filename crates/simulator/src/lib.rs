//! Stand-ins for the channels that customers write from: Graph with WhatsApp, Messenger and Instagram,
//! `TikTok`, Vapi and n8n, on one port of this machine.
//!
//! They are strict about what a business sends, answer what the channels document, and deliver what
//! customers do, signed as the channels sign it. On the page at `/` anybody can write as a customer, so
//! a whole conversation can be tried without an account anywhere.

mod account;
mod api;
mod attachments;
mod clock;
mod customer;
mod delivery;
mod failure;
mod graph;
mod ids;
mod incoming;
mod message;
mod n8n;
mod outgoing;
mod page;
mod server;
mod signature;
mod state;
mod status;
mod tiktok;
mod voice;

pub use account::{SimulatedAccount, SimulatedChannel, SimulatedTemplate};
use clock::SimulatorClock;
pub use customer::{CustomerFile, CustomerFileKind, CustomerWrites, SimulatedCustomer};
pub use delivery::WebhookVerification;
use failure::PlannedFailure;
pub use failure::{FailureManner, SimulatedFailure};
pub use incoming::{Delivered, PreparedDelivery};
pub use message::{
    MessageAuthor, MessageFile, MessageOption, MessageState, OptionSource, SignalKind,
    SimulatedMessage, SimulatedSignal,
};
pub use n8n::{N8nAnswer, N8nReceived};
use state::SimulatorState;
pub use state::{DeliveryRecord, RequestRecord};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
pub use voice::{SimulatedCall, VoiceAnswer, VoiceEvent, VoiceToolCall, VoiceTurn};

/// How long a business may take to answer a delivery.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long what is under way may take when the stand-ins stop.
const FAREWELL: Duration = Duration::from_secs(2);

/// The stand-ins, listening. They stop when this is dropped.
pub struct Simulator {
    state: Arc<SimulatorState>,
    server: JoinHandle<()>,
}

impl Simulator {
    /// Begins to listen.
    ///
    /// Nobody signs in here, so this belongs on an address of this machine alone.
    ///
    /// # Errors
    /// When the address is taken.
    pub async fn start(bind: SocketAddr) -> io::Result<Self> {
        Self::start_with_clock(bind, SystemTime::now).await
    }

    /// The same with a clock that the caller owns.
    ///
    /// # Errors
    /// When the address is taken.
    pub async fn start_with_clock(
        bind: SocketAddr,
        clock: impl Fn() -> SystemTime + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(bind).await?;
        let http = reqwest::Client::builder()
            .timeout(PATIENCE)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .user_agent("quipu-simulator")
            .build()
            .map_err(io::Error::other)?;
        let clock = SimulatorClock::new(clock);
        let state = Arc::new(SimulatorState::new(listener.local_addr()?, clock, http));
        let stop = state.queues.stop.clone();
        let serving = axum::serve(listener, server::router(Arc::clone(&state)))
            .with_graceful_shutdown(async move { stop.cancelled().await });
        let server = tokio::spawn(async move {
            // It ends when it is told to, and has no other end.
            let _ = serving.await;
        });
        Ok(Self { state, server })
    }

    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.state.address
    }

    /// What a configuration names in the place of every channel's own servers.
    #[must_use]
    pub fn url(&self) -> String {
        self.state.url()
    }

    /// Adds an account, or changes the one with its id.
    pub fn connect(&self, account: SimulatedAccount) {
        self.state.edit(|records| records.connect(account));
    }

    /// What the business has sent, in order.
    #[must_use]
    pub fn sent(&self, account_id: &str) -> Vec<SimulatedMessage> {
        let mut messages = self.messages(account_id);
        messages.retain(|message| message.author == MessageAuthor::Business);
        messages
    }

    /// All that was written, on either side, in order.
    #[must_use]
    pub fn messages(&self, account_id: &str) -> Vec<SimulatedMessage> {
        self.state
            .read(|records| records.messages(account_id).cloned().collect())
    }

    /// Where the business has read and typed.
    #[must_use]
    pub fn signals(&self, account_id: &str) -> Vec<SimulatedSignal> {
        self.state
            .read(|records| records.signals(account_id).cloned().collect())
    }

    /// What the business has asked the stand-ins, right or wrong, the oldest first.
    #[must_use]
    pub fn requests(&self, account_id: &str) -> Vec<RequestRecord> {
        self.state
            .read(|records| records.requests(account_id).cloned().collect())
    }

    /// What was delivered to the business, the oldest first.
    #[must_use]
    pub fn deliveries(&self, account_id: &str) -> Vec<DeliveryRecord> {
        self.state
            .read(|records| records.deliveries(account_id).cloned().collect())
    }

    /// Writes as a customer, and waits until the business has answered the delivery.
    ///
    /// # Errors
    /// When the channel has nothing like it, or the business could not be reached.
    pub async fn write(
        &self,
        account_id: &str,
        from: &SimulatedCustomer,
        content: CustomerWrites,
    ) -> Result<Delivered, String> {
        self.state.write(account_id, from, content).await
    }

    /// Writes as a customer without telling the business yet, so that deliveries can be late, come in
    /// another order or come twice.
    ///
    /// # Errors
    /// When the channel has nothing like it.
    pub fn prepare(
        &self,
        account_id: &str,
        from: &SimulatedCustomer,
        content: CustomerWrites,
    ) -> Result<PreparedDelivery, String> {
        self.state.prepare(account_id, from, content)
    }

    /// Delivers what was prepared, once, and waits until the business has answered.
    ///
    /// # Errors
    /// When the business could not be reached.
    pub async fn deliver(&self, prepared: &PreparedDelivery) -> Result<Delivered, String> {
        self.state.deliver_prepared(prepared).await
    }

    /// Each message that the business sends from now on, the moment it is taken and before the business
    /// knows.
    #[must_use]
    pub fn follow_sent(&self) -> mpsc::UnboundedReceiver<SimulatedMessage> {
        self.state.follow_sent()
    }

    /// Answers as the owner of the business, from their own phone. `app_id` is that of a channel's
    /// inbox, where one was used.
    ///
    /// # Errors
    /// When the business could not be reached.
    pub async fn echo(
        &self,
        account_id: &str,
        to: &SimulatedCustomer,
        text: &str,
        app_id: Option<u64>,
    ) -> Result<Delivered, String> {
        self.state.echo(account_id, to, text, app_id).await
    }

    /// Delivers a message of a customer once more.
    ///
    /// # Errors
    /// When it was never delivered, or the business could not be reached.
    pub async fn repeat(&self, account_id: &str, message_id: &str) -> Result<Delivered, String> {
        self.state.repeat(account_id, message_id).await
    }

    /// Tells the business in the background that a message of its own has come further.
    ///
    /// # Errors
    /// When there is no such message, or the channel tells nothing of the kind.
    pub fn report(
        &self,
        account_id: &str,
        message_id: &str,
        becomes: MessageState,
        failure: Option<&SimulatedFailure>,
    ) -> Result<(), String> {
        self.state.report(account_id, message_id, becomes, failure)
    }

    /// Refuses the next messages that the business sends.
    pub fn fail_next(&self, account_id: &str, failure: SimulatedFailure, times: usize) {
        let planned = PlannedFailure { failure, times };
        self.state.edit(|records| records.plan(account_id, planned));
    }

    /// Asks the webhook of an account for the challenge.
    ///
    /// # Errors
    /// When it could not be reached.
    pub async fn verify(&self, account_id: &str) -> Result<WebhookVerification, String> {
        let account = self
            .state
            .account(account_id)
            .ok_or("there is no such account")?;
        self.state.verify(&account).await
    }

    /// Plays a part of a call, and waits for what the business answers.
    ///
    /// # Errors
    /// When the account is none for voice, or the business could not be reached.
    pub async fn play(
        &self,
        account_id: &str,
        call: &SimulatedCall,
        event: &VoiceEvent,
    ) -> Result<VoiceAnswer, String> {
        self.state.play(account_id, call, event).await
    }

    /// What arrived at `/n8n/{account_id}`, in order.
    #[must_use]
    pub fn n8n_received(&self, account_id: &str) -> Vec<N8nReceived> {
        self.state.read(|records| records.n8n.received(account_id))
    }

    /// What `/n8n/{account_id}` answers from now on; `None` takes that back.
    pub fn n8n_answers(&self, account_id: &str, answer: Option<N8nAnswer>) {
        self.state
            .edit(|records| records.n8n.answer_with(account_id, answer));
    }

    /// Puts the clock of the stand-ins forward.
    pub fn advance(&self, by: Duration) {
        self.state.clock.advance(by);
    }

    /// Waits until everything was delivered that is to be delivered in the background.
    pub async fn settle(&self) {
        self.state.queues.settle().await;
    }

    /// Stops listening and delivering.
    pub async fn stop(mut self) {
        self.state.queues.stop.cancel();
        self.state.queues.tasks.close();
        let ended = async {
            let _ = (&mut self.server).await;
            self.state.queues.tasks.wait().await;
        };
        // Whoever keeps a connection open does not keep the stand-ins running.
        let _ = tokio::time::timeout(FAREWELL, ended).await;
    }
}

impl Drop for Simulator {
    fn drop(&mut self) {
        self.state.queues.stop.cancel();
        self.server.abort();
    }
}
