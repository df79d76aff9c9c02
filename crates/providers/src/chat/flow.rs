//! An answer on its way in: bytes become messages, messages become events, and all of it is
//! bounded.

use super::frames::Frames;
use super::plain::plain;
use super::protocol::{Reader, Wire, too_much};
use crate::network::Incoming;
use quipu_core::chat::{ChatError, ChatEvent};
use std::collections::VecDeque;
use std::time::Duration;
use tokio::time::timeout;

/// What is read of one answer. Some providers wrap every word into half a kilobyte.
const MOST_BYTES: usize = 96 * 1024 * 1024;
/// What an answer may say, calls included. A hundred thousand tokens are a tenth of it.
const MOST_CONTENT_BYTES: usize = 4 * 1024 * 1024;
/// How long the rest of a connection is read for its own sake, and how much of it.
const LONGEST_REST: Duration = Duration::from_secs(1);
const MOST_REST_PIECES: usize = 16;

/// How long a server may be silent before and after the first event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    pub(super) first: Duration,
    pub(super) idle: Duration,
}

pub(super) struct Flow {
    /// Nothing more is read without it.
    incoming: Option<Incoming>,
    frames: Frames,
    reader: Box<dyn Reader>,
    ready: VecDeque<ChatEvent>,
    failed: Option<ChatError>,
    patience: Patience,
    begun: bool,
    bytes: usize,
    content: usize,
}

impl Flow {
    pub(super) fn new(incoming: Incoming, wire: &dyn Wire, patience: Patience) -> Self {
        Self {
            incoming: Some(incoming),
            frames: Frames::new(wire.framing()),
            reader: wire.reader(),
            ready: VecDeque::new(),
            failed: None,
            patience,
            begun: false,
            bytes: 0,
            content: 0,
        }
    }

    /// The next event. After `Finished` or an error there is none.
    pub(super) async fn next(&mut self) -> Result<Option<ChatEvent>, ChatError> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                self.begun = true;
                let event = plain(event);
                self.measure(&event)?;
                if matches!(event, ChatEvent::Finished { .. }) {
                    self.let_go();
                }
                return Ok(Some(event));
            }
            if let Some(error) = self.failed.take() {
                self.incoming = None;
                return Err(error);
            }
            let Some(incoming) = &mut self.incoming else {
                return Ok(None);
            };
            let patience = if self.begun {
                self.patience.idle
            } else {
                self.patience.first
            };
            match timeout(patience, incoming.piece()).await {
                Ok(Ok(Some(bytes))) => self.take(&bytes),
                Ok(Ok(None)) => self.end("the answer ended before its end"),
                Ok(Err(fault)) => self.end(&fault.why),
                Err(_) => self.end(&format!("nothing came for {patience:?}")),
            }
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len();
        let mut messages = Vec::new();
        let cut = self.frames.push(bytes, &mut messages);
        self.read(&messages);
        if self.failed.is_none() && (cut.is_err() || self.bytes > MOST_BYTES) {
            let why = format!("an answer of more than {} bytes", self.bytes);
            self.failed = Some(too_much(&why));
        }
    }

    /// What came before an error is still told.
    fn read(&mut self, messages: &[String]) {
        let mut events = Vec::new();
        let read = messages
            .iter()
            .try_for_each(|message| self.reader.read(message, &mut events));
        self.ready.extend(events);
        self.failed = read.err();
    }

    /// Nothing more comes: that is the end of the answer, or half of one.
    fn end(&mut self, why: &str) {
        self.incoming = None;
        let mut messages = Vec::new();
        self.frames.finish(&mut messages);
        self.read(&messages);
        let mut events = Vec::new();
        let finished = self.reader.finish(&mut events);
        self.ready.extend(events);
        if self.failed.is_none() && !finished {
            self.failed = Some(ChatError::transient(why));
        }
    }

    fn measure(&mut self, event: &ChatEvent) -> Result<(), ChatError> {
        self.content += match event {
            ChatEvent::TextDelta(text) => text.len(),
            ChatEvent::ToolCall(call) => call.arguments.len() + call.name.len(),
            ChatEvent::Answering { .. } | ChatEvent::Finished { .. } => 0,
        };
        if self.content > MOST_CONTENT_BYTES {
            self.incoming = None;
            self.ready.clear();
            return Err(too_much("an answer without end"));
        }
        Ok(())
    }

    /// The answer is whole. A connection can only be used again when it was read to its end, which
    /// nobody has to wait for.
    fn let_go(&mut self) {
        self.ready.clear();
        let Some(mut incoming) = self.incoming.take() else {
            return;
        };
        let rest = async move {
            for _ in 0..MOST_REST_PIECES {
                if !matches!(incoming.piece().await, Ok(Some(_))) {
                    return;
                }
            }
        };
        tokio::spawn(timeout(LONGEST_REST, rest));
    }
}
