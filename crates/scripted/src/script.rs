//! What the stand-in does with a request.

use super::asked::Asked;
use std::sync::Arc;
use std::time::Duration;

type Wanted = Arc<dyn Fn(&Asked) -> bool + Send + Sync>;

/// One step of a script: what is done, with which requests, and how often.
///
/// Texts and arguments may name what a tool returned: `{{tool.find_slots.slots.0.start}}` is the
/// field of the last result of `find_slots` in the request, and `slots[time=09:30]` the entry of a
/// list that has such a field.
#[derive(Clone)]
pub struct Step {
    pub(super) act: Act,
    wanted: Option<Wanted>,
    /// How often it is still done; without a number, always.
    left: Option<usize>,
    pub(super) delay: Duration,
    pub(super) pause: Duration,
    pub(super) cut_every: Option<usize>,
    pub(super) usage: (u64, u64, u64),
}

#[derive(Clone)]
pub(super) enum Act {
    /// A whole answer: pieces of text, and then calls with the text of their arguments.
    Answer {
        pieces: Vec<String>,
        calls: Vec<(String, String)>,
        cut_off: bool,
    },
    Refuse,
    /// The beginning of an answer, and then something else.
    Beginning {
        pieces: Vec<String>,
        then: Then,
    },
    Status {
        status: u16,
        headers: Vec<(String, String)>,
        name: String,
    },
    Raw {
        status: u16,
        body: String,
    },
    Hang,
}

#[derive(Clone, Copy)]
pub(super) enum Then {
    /// The stream ends in good order, but before the answer does.
    End,
    /// The connection breaks.
    HangUp,
    /// Nothing more comes.
    Silence,
    /// The provider tells of an error.
    Error,
}

impl Step {
    fn new(act: Act) -> Self {
        Self {
            act,
            wanted: None,
            left: Some(1),
            delay: Duration::ZERO,
            pause: Duration::ZERO,
            cut_every: None,
            usage: (12, 0, 7),
        }
    }

    /// Answers with a text.
    #[must_use]
    pub fn says(text: &str) -> Self {
        Self::pieces(&[text])
    }

    /// Answers with a text in these pieces; without any, with nothing at all.
    #[must_use]
    pub fn pieces(pieces: &[&str]) -> Self {
        Self::says_and_calls(pieces, &[])
    }

    /// Calls tools, by name and the text of the arguments, which need not be JSON.
    #[must_use]
    pub fn calls(calls: &[(&str, &str)]) -> Self {
        Self::says_and_calls(&[], calls)
    }

    #[must_use]
    pub fn says_and_calls(pieces: &[&str], calls: &[(&str, &str)]) -> Self {
        let calls = calls.iter();
        Self::new(Act::Answer {
            pieces: pieces.iter().map(|piece| (*piece).to_owned()).collect(),
            calls: calls
                .map(|(name, arguments)| ((*name).to_owned(), (*arguments).to_owned()))
                .collect(),
            cut_off: false,
        })
    }

    /// Answers with so many tokens, a word each.
    #[must_use]
    pub fn tokens(count: usize) -> Self {
        let act = Act::Answer {
            pieces: vec!["palabra ".to_owned(); count],
            calls: Vec::new(),
            cut_off: false,
        };
        Self::new(act)
    }

    /// Will not speak about it.
    #[must_use]
    pub fn refuses() -> Self {
        Self::new(Act::Refuse)
    }

    /// Answers with a status and an error of this name, in the shape of the protocol.
    #[must_use]
    pub fn status(status: u16, name: &str) -> Self {
        Self::new(Act::Status {
            status,
            headers: Vec::new(),
            name: name.to_owned(),
        })
    }

    /// Says that it has too much to do, and when to come back.
    #[must_use]
    pub fn retry_after(after: &str) -> Self {
        Self::new(Act::Status {
            status: 429,
            headers: vec![("retry-after".to_owned(), after.to_owned())],
            name: "rate_limit_error".to_owned(),
        })
    }

    /// Answers with just this.
    #[must_use]
    pub fn raw(status: u16, body: &str) -> Self {
        Self::new(Act::Raw {
            status,
            body: body.to_owned(),
        })
    }

    /// Says the beginning of an answer and ends the stream there.
    #[must_use]
    pub fn ends_early(pieces: &[&str]) -> Self {
        Self::beginning(pieces, Then::End)
    }

    /// Says the beginning of an answer and breaks the connection.
    #[must_use]
    pub fn hangs_up(pieces: &[&str]) -> Self {
        Self::beginning(pieces, Then::HangUp)
    }

    /// Says the beginning of an answer and then nothing, for ever.
    #[must_use]
    pub fn falls_silent(pieces: &[&str]) -> Self {
        Self::beginning(pieces, Then::Silence)
    }

    /// Says the beginning of an answer and then that something went wrong.
    #[must_use]
    pub fn breaks(pieces: &[&str]) -> Self {
        Self::beginning(pieces, Then::Error)
    }

    /// Takes the request and never answers.
    #[must_use]
    pub fn hangs() -> Self {
        Self::new(Act::Hang)
    }

    fn beginning(pieces: &[&str], then: Then) -> Self {
        Self::new(Act::Beginning {
            pieces: pieces.iter().map(|piece| (*piece).to_owned()).collect(),
            then,
        })
    }

    /// Only with requests that look like this.
    #[must_use]
    pub fn when(mut self, wanted: impl Fn(&Asked) -> bool + Send + Sync + 'static) -> Self {
        self.wanted = Some(Arc::new(wanted));
        self
    }

    /// So many times instead of once.
    #[must_use]
    pub fn times(mut self, count: usize) -> Self {
        self.left = Some(count);
        self
    }

    /// Every time.
    #[must_use]
    pub fn always(mut self) -> Self {
        self.left = None;
        self
    }

    /// Waits before it answers.
    #[must_use]
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Waits before each piece of an answer.
    #[must_use]
    pub fn pausing(mut self, pause: Duration) -> Self {
        self.pause = pause;
        self
    }

    /// Sends its answer so many bytes at a time, wherever that cuts.
    #[must_use]
    pub fn cut_every(mut self, bytes: usize) -> Self {
        self.cut_every = Some(bytes.max(1));
        self
    }

    /// What it says it took: tokens read, those of them that it remembered, and tokens written.
    #[must_use]
    pub fn using(mut self, input: u64, cached: u64, output: u64) -> Self {
        self.usage = (input, cached, output);
        self
    }

    /// Answers whose length is at its bound.
    #[must_use]
    pub fn running_out(mut self) -> Self {
        if let Act::Answer { cut_off, .. } = &mut self.act {
            *cut_off = true;
        }
        self
    }

    pub(super) fn wants(&self, asked: &Asked) -> bool {
        let wanted = self.wanted.as_ref();
        self.left != Some(0) && wanted.is_none_or(|wanted| wanted(asked))
    }

    /// Counts one use; whether it was the last.
    pub(super) fn use_up(&mut self) -> bool {
        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(1);
        }
        self.left == Some(0)
    }
}
