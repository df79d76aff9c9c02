//! An answer on its way to whoever asked.

use crate::http::AppState;
use quipu_agents::Listener;
use quipu_app::Actor;
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
    let mut answering = Answering::begin(state, actor, agent, ask);
    loop {
        match answering.next().await {
            Some(Spoken::Text(_) | Spoken::Tool(_)) => {}
            Some(Spoken::Done(answered)) => return Ok(*answered),
            Some(Spoken::Failed(error)) => return Err(error),
            None => return Err(Error::internal("an answer broke off")),
        }
    }
}

/// An answer that is being made. It goes on when nobody listens any more: what the agent has begun
/// to do for the customer is done and kept.
pub(crate) struct Answering(mpsc::UnboundedReceiver<Spoken>);

impl Answering {
    pub(crate) fn begin(state: &AppState, actor: &Actor, agent: &str, ask: Ask) -> Self {
        let (sender, receiver) = mpsc::unbounded_channel();
        let (app, actor, agent) = (state.app.clone(), actor.clone(), agent.to_owned());
        tokio::spawn(async move {
            let mut line = Line(sender);
            let spoken = match chat::answer(&app, &actor, &agent, ask, &mut line).await {
                Ok(answered) => Spoken::Done(Box::new(answered)),
                Err(error) => Spoken::Failed(error),
            };
            line.say(spoken);
        });
        Self(receiver)
    }

    pub(crate) async fn next(&mut self) -> Option<Spoken> {
        self.0.recv().await
    }
}

struct Line(mpsc::UnboundedSender<Spoken>);

impl Line {
    fn say(&self, spoken: Spoken) {
        // Nobody listens any more; that is no reason to stop.
        let _ = self.0.send(spoken);
    }
}

impl Listener for Line {
    fn text(&mut self, part: &str) {
        self.say(Spoken::Text(part.to_owned()));
    }

    fn tool(&mut self, name: &str) {
        self.say(Spoken::Tool(name.to_owned()));
    }
}
