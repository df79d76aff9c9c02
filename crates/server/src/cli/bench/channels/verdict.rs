//! How often each message was answered, by what stands in the conversations and what reached customers.

use super::arrivals::Arrival;
use super::inspection::Inspection;
use super::line::ChannelLine;
use quipu_core::channel::{DeliveryState, OutboundRecord};
use quipu_core::conversation::{Message, MessageRole};
use quipu_core::{MessageId, Result};
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// What became of everything that customers wrote.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Verdict {
    /// Messages of customers.
    pub(super) messages: usize,
    /// Messages whose answer reached their customer never, once, and more often than that. What was
    /// written before an answer is answered by it, together with what else was.
    pub(super) answered_never: usize,
    pub(super) answered_once: usize,
    pub(super) answered_more: usize,
    /// Messages that stand in no conversation, and those that do more than once.
    pub(super) stored_never: usize,
    pub(super) stored_more: usize,
    /// Messages in conversations that no customer wrote.
    pub(super) strange: usize,
    /// Answers, and those that answer nothing.
    pub(super) answers: usize,
    pub(super) unasked: usize,
    /// Conversations whose answers reached their customer in another order than they were given in.
    pub(super) out_of_order: usize,
    /// Answers that had to be handed to the channel again, because nobody knew whether it had them.
    pub(super) handed_again: usize,
    /// Answers that were given up.
    pub(super) failed: usize,
    /// What reached customers and is known to nobody.
    pub(super) unknown: usize,
}

impl Verdict {
    /// Whether everything was answered, in order, and nothing twice.
    pub(super) fn is_right(&self) -> bool {
        let right = Self {
            messages: self.messages,
            answered_once: self.messages,
            answers: self.answers,
            handed_again: self.handed_again,
            ..Self::default()
        };
        *self == right
    }
}

/// Reads all conversations and compares them with what was written and what arrived.
pub(super) async fn judge(inspection: &Inspection, line: &ChannelLine) -> Result<Verdict> {
    let mut tally = Tally::new(line.arrivals.named(), inspection.outbound().await?);
    for conversation in inspection.conversations().await? {
        tally.count(&inspection.messages(conversation).await?);
    }
    Ok(tally.finish(&line.written(), line.arrivals.unnamed()))
}

/// What was written before answers, and the answers to it.
#[derive(Default)]
struct Exchange<'a> {
    /// The channel's ids of what the customer wrote.
    said: Vec<&'a str>,
    answers: Vec<MessageId>,
}

struct Tally {
    verdict: Verdict,
    arrivals: HashMap<String, Arrival>,
    /// By what name each answer, or each part of it, is known to the channel.
    names: HashMap<MessageId, Vec<String>>,
    /// How often each message of a customer stands in a conversation.
    stored: HashMap<String, usize>,
}

impl Tally {
    fn new(arrivals: HashMap<String, Arrival>, mut outbound: Vec<OutboundRecord>) -> Self {
        outbound.sort_by_key(|record| record.id.uuid());
        let known: HashSet<String> = outbound.iter().map(|one| one.id.to_string()).collect();
        let verdict = Verdict {
            handed_again: outbound.iter().filter(|one| one.attempts > 1).count(),
            failed: outbound.iter().filter(|one| is_failed(one)).count(),
            unknown: arrivals
                .keys()
                .filter(|name| !known.contains(*name))
                .count(),
            ..Verdict::default()
        };
        let mut names: HashMap<MessageId, Vec<String>> = HashMap::new();
        for record in outbound {
            if let Some(message) = record.message_id {
                let parts = names.entry(message).or_default();
                parts.push(record.id.to_string());
            }
        }
        Self {
            verdict,
            arrivals,
            names,
            stored: HashMap::new(),
        }
    }

    /// Counts a conversation.
    fn count(&mut self, messages: &[Message]) {
        for exchange in exchanges(messages) {
            self.verdict.answers += exchange.answers.len();
            if exchange.said.is_empty() {
                self.verdict.unasked += exchange.answers.len();
            }
            let reached = exchange.answers.iter().map(|answer| self.reached(*answer));
            let answered: usize = reached.sum();
            for id in exchange.said {
                let stored = self.stored.entry(id.to_owned()).or_default();
                *stored += 1;
                if *stored > 1 {
                    continue;
                }
                match answered {
                    0 => self.verdict.answered_never += 1,
                    1 => self.verdict.answered_once += 1,
                    _ => self.verdict.answered_more += 1,
                }
            }
        }
        let is_answer = |message: &&Message| message.role == MessageRole::Assistant;
        let answers = messages.iter().filter(is_answer);
        let names = answers.filter_map(|message| self.names.get(&message.id));
        let firsts = names.flatten().filter_map(|name| self.arrivals.get(name));
        if !firsts.map(|arrival| arrival.first).is_sorted() {
            self.verdict.out_of_order += 1;
        }
    }

    /// How often an answer reached its customer: not before all of its parts did.
    fn reached(&self, answer: MessageId) -> usize {
        let Some(names) = self.names.get(&answer) else {
            return 0;
        };
        let times = names.iter().map(|name| match self.arrivals.get(name) {
            Some(arrival) => arrival.times,
            None => 0,
        });
        let (least, most) = times.fold((usize::MAX, 0), |(least, most), times| {
            (least.min(times), most.max(times))
        });
        if least == 0 { 0 } else { most }
    }

    fn finish(mut self, written: &[String], unnamed: usize) -> Verdict {
        let verdict = &mut self.verdict;
        verdict.messages = written.len();
        verdict.unknown += unnamed;
        for id in written {
            match self.stored.remove(id) {
                None => {
                    verdict.stored_never += 1;
                    verdict.answered_never += 1;
                }
                Some(1) => {}
                Some(_) => verdict.stored_more += 1,
            }
        }
        verdict.strange = self.stored.len();
        self.verdict
    }
}

fn is_failed(record: &OutboundRecord) -> bool {
    record.state == DeliveryState::Failed
}

fn exchanges(messages: &[Message]) -> Vec<Exchange<'_>> {
    let mut exchanges: Vec<Exchange<'_>> = vec![Exchange::default()];
    for message in messages {
        let is_answered = exchanges
            .last()
            .is_some_and(|last| !last.answers.is_empty());
        if message.role == MessageRole::User && is_answered {
            exchanges.push(Exchange::default());
        }
        let Some(last) = exchanges.last_mut() else {
            continue;
        };
        match message.role {
            MessageRole::User => {
                let id = message.metadata["channel_message_id"].as_str();
                last.said.push(id.unwrap_or_default());
            }
            // Nobody but the agent answers here.
            _ => last.answers.push(message.id),
        }
    }
    exchanges
}

#[cfg(test)]
mod tests;
