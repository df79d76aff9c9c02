//! An answer on its way to whoever asked.

use crate::http::AppState;
use quipu_agents::Listener;
use quipu_app::Actor;
use quipu_app::channels::voice::{self, CallTurn};
use quipu_app::chat::{self, Answered, Ask};
use quipu_core::{Error, Result};
use tokio::sync::mpsc;

/// What comes of a question, in order. The last is `Done` or `Failed`.
pub(crate) enum Spoken {
    /// The next part of the text.
    Text(String),
    /// A tool was called.
    Tool(String),
    Done(Box<Answered>),
    Failed(Error),
}

/// Waits for the whole answer.
pub(crate) async fn whole(
    state: &AppState,
    actor: &Actor,
    agent: &str,
    ask: Ask,
) -> Result<Answered> {
    let answering = Answering::start(state, actor, agent, ask, Delivery::Whole);
    answering.whole().await
}

/// An answer that is being made. It goes on when nobody listens any more: what the agent has begun
/// to do for the customer is done. What nobody received is not kept as said.
pub(crate) struct Answering(mpsc::UnboundedReceiver<Spoken>);

impl Answering {
    /// An answer that is passed on part by part.
    pub(crate) fn begin(state: &AppState, actor: &Actor, agent: &str, ask: Ask) -> Self {
        Self::start(state, actor, agent, ask, Delivery::Parts)
    }

    fn start(state: &AppState, actor: &Actor, agent: &str, ask: Ask, delivery: Delivery) -> Self {
        let (mut line, answering) = Line::open(delivery);
        let (app, actor, agent) = (state.app.clone(), actor.clone(), agent.to_owned());
        tokio::spawn(async move {
            let answered = chat::answer(&app, &actor, &agent, ask, &mut line).await;
            line.end(answered);
        });
        answering
    }

    /// The next words of a call, passed on as the call wants them.
    pub(crate) fn in_call(state: &AppState, turn: CallTurn) -> Self {
        let delivery = if turn.wants_stream() {
            Delivery::Parts
        } else {
            Delivery::Whole
        };
        let (mut line, answering) = Line::open(delivery);
        let app = state.app.clone();
        tokio::spawn(async move {
            let answered = Box::pin(voice::speak(&app, &turn, &mut line)).await;
            line.end(answered);
        });
        answering
    }

    /// Waits for the end.
    pub(crate) async fn whole(mut self) -> Result<Answered> {
        loop {
            match self.next().await {
                Some(Spoken::Text(_) | Spoken::Tool(_)) => {}
                Some(Spoken::Done(answered)) => return Ok(*answered),
                Some(Spoken::Failed(error)) => return Err(error),
                None => return Err(Error::internal("an answer broke off")),
            }
        }
    }

    pub(crate) async fn next(&mut self) -> Option<Spoken> {
        self.0.recv().await
    }
}

/// How an answer reaches whoever asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Delivery {
    /// In one piece, at the end.
    Whole,
    /// As it is made.
    Parts,
}

struct Line {
    sender: mpsc::UnboundedSender<Spoken>,
    delivery: Delivery,
    /// Some of the answer was passed on.
    heard: bool,
}

impl Line {
    /// Both ends of it.
    fn open(delivery: Delivery) -> (Self, Answering) {
        let (sender, receiver) = mpsc::unbounded_channel();
        let line = Self {
            sender,
            delivery,
            heard: false,
        };
        (line, Answering(receiver))
    }

    fn end(&self, answered: Result<Answered>) {
        self.say(match answered {
            Ok(answered) => Spoken::Done(Box::new(answered)),
            Err(error) => Spoken::Failed(error),
        });
    }

    /// Says it, and whether anybody was there. That nobody is, is no reason to stop.
    fn say(&self, spoken: Spoken) -> bool {
        self.sender.send(spoken).is_ok()
    }
}

impl Listener for Line {
    fn text(&mut self, part: &str) {
        let passed_on = self.say(Spoken::Text(part.to_owned()));
        self.heard |= passed_on && self.delivery == Delivery::Parts;
    }

    fn is_reached(&self) -> bool {
        self.heard || !self.sender.is_closed()
    }

    fn tool(&mut self, name: &str) {
        self.say(Spoken::Tool(name.to_owned()));
    }
}
